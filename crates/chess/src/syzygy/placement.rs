//! Which number a placement of the men has in a table.
//!
//! A table lists its men in an order of its own. The first of them are numbered together: all pawns of one side; without pawns the two kings, or three men of
//! which there is one each. Then follow groups of men that are alike. Each group is numbered by the squares that earlier ones leave it, and the numbers are
//! put together as digits, the least significant first, in an order that the table tells.

use super::material::{BLACK, CODES, KING, MOST_MEN, Material, PAWN};
use super::numbers::{
    BELOW, KINGS, PAIRS_OF_KINGS, PAWN_SQUARES, TRIANGLE, TRIPLES, WAYS, file, leading, rank, ways_of_leading,
};

/// What is numbered first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    Pawns,
    Triple,
    Kings,
}

/// A group of men.
#[derive(Clone, Copy, Default, Debug)]
struct Group {
    men: usize,
    /// What its number counts.
    weight: u64,
}

/// How the men of a table are numbered.
#[derive(Debug)]
pub(super) struct Placement {
    men: usize,
    codes: [usize; MOST_MEN],
    lead: Lead,
    groups: [Group; MOST_MEN],
    has_pawns_of_both: bool,
    size: u64,
}

impl Placement {
    /// From the men in the table's order and the places of the first group, and of the second where both sides have pawns, among the digits. The file is that
    /// of the leading pawn. `None` if that makes no sense.
    pub fn new(material: Material, codes: &[usize], places: [usize; 2], of_file: usize) -> Option<Placement> {
        let is_of_material = Material::codes()
            .all(|code| codes.iter().filter(|&&other| other == code).count() == material.count(code));
        if codes.len() != material.men() || !is_of_material {
            return None;
        }
        let is_alone = |code: &usize| codes.iter().filter(|&other| other == code).count() == 1;
        let has_single_man = Material::codes().any(|code| code % BLACK != KING && material.count(code) == 1);
        let (lead, leading_men) = match codes {
            _ if material.has_pawns() && codes[0] % BLACK == PAWN => (Lead::Pawns, material.count(codes[0])),
            _ if material.has_pawns() => return None,
            [a, b, c, ..] if has_single_man && [a, b, c].into_iter().all(is_alone) => (Lead::Triple, 3),
            [a, b, ..] if !has_single_man && a % BLACK == KING && b % BLACK == KING => (Lead::Kings, 2),
            _ => return None,
        };
        let has_pawns_of_both = material.count(PAWN) > 0 && material.count(BLACK + PAWN) > 0;
        let mut placement = Placement {
            men: codes.len(),
            codes: [0; MOST_MEN],
            lead,
            groups: [Group::default(); MOST_MEN],
            has_pawns_of_both,
            size: 1,
        };
        placement.codes[..codes.len()].copy_from_slice(codes);
        let groups = placement.find_groups(leading_men)?;
        placement.weigh(groups, places, of_file)?;
        Some(placement)
    }

    /// Men alike stand together, and pawns before all others. Gives the number of groups.
    fn find_groups(&mut self, leading_men: usize) -> Option<usize> {
        let codes = &self.codes[..self.men];
        self.groups[0].men = leading_men;
        let (mut begin, mut groups) = (leading_men, 1);
        while let Some(&code) = codes.get(begin) {
            let alike = codes[begin..].iter().take_while(|&&other| other == code).count();
            let is_torn = codes[begin + alike..].contains(&code) || codes[..begin].contains(&code);
            let is_late_pawn = code % BLACK == PAWN && groups != 1;
            if is_torn || is_late_pawn {
                return None;
            }
            self.groups[groups].men = alike;
            (begin, groups) = (begin + alike, groups + 1);
        }
        let leads_alike =
            self.lead != Lead::Pawns || codes[..leading_men].iter().all(|&code| code == codes[0]);
        let second_is_pawns = codes.get(leading_men).is_some_and(|code| code % BLACK == PAWN);
        (leads_alike && second_is_pawns == self.has_pawns_of_both).then_some(groups)
    }

    fn weigh(&mut self, groups: usize, places: [usize; 2], of_file: usize) -> Option<()> {
        let first = self.groups[0].men;
        let with_place = if self.has_pawns_of_both { 2 } else { 1 };
        let mut free = 64 - self.groups[..with_place].iter().map(|group| group.men).sum::<usize>();
        let mut next = with_place;
        let mut digit = 0;
        let mut weighed = 0;
        while weighed < groups {
            let (group, ways) = if digit == places[0] {
                let ways = match self.lead {
                    Lead::Pawns => ways_of_leading(first, of_file),
                    Lead::Triple => TRIPLES,
                    Lead::Kings => PAIRS_OF_KINGS,
                };
                (0, ways)
            } else if self.has_pawns_of_both && digit == places[1] {
                (1, WAYS[self.groups[1].men][48 - first])
            } else if next < groups {
                let men = self.groups[next].men;
                let ways = WAYS[men][free];
                (free, next) = (free - men, next + 1);
                (next - 1, ways)
            } else {
                return None;
            };
            self.groups[group].weight = self.size;
            self.size = self.size.checked_mul(ways)?;
            (digit, weighed) = (digit + 1, weighed + 1);
        }
        Some(())
    }

    /// Whose pawns lead.
    pub fn leading_pawns(&self) -> Option<usize> {
        (self.lead == Lead::Pawns).then_some(self.codes[0])
    }

    /// How many numbers there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The number of a placement: the squares of each man's kind, as the table has them with colours exchanged or not. `None` if there are other men.
    #[inline]
    pub fn number(&self, sets: &[u64; CODES], exchanged: bool) -> Option<u64> {
        let (other_color, other_side) = if exchanged { (BLACK, 56) } else { (0, 0) };
        let mut sets = *sets;
        let mut squares = [0; MOST_MEN];
        for (square, code) in squares[..self.men].iter_mut().zip(self.codes) {
            let set = &mut sets[code ^ other_color];
            if *set == 0 {
                return None;
            }
            *square = set.trailing_zeros() as usize ^ other_side;
            *set &= *set - 1;
        }
        let squares = &mut squares[..self.men];
        let first = match self.lead {
            Lead::Pawns => self.number_of_pawns(squares),
            Lead::Triple => {
                turn(squares, 3);
                number_of_triple([squares[0], squares[1], squares[2]])
            }
            Lead::Kings => {
                turn(squares, 2);
                KINGS[usize::from(TRIANGLE[squares[0]])][squares[1]].into()
            }
        };
        let mut number = first * self.groups[0].weight;
        let mut begin = self.groups[0].men;
        let mut below = if self.has_pawns_of_both { 8 } else { 0 };
        for group in self.groups[1..].iter().take_while(|group| group.men > 0) {
            let (before, rest) = squares.split_at_mut(begin);
            let own = &mut rest[..group.men];
            own.sort_unstable();
            let mut ways = 0;
            for (place, &square) in own.iter().enumerate() {
                let taken = before.iter().filter(|&&other| other < square).count();
                ways += WAYS[place + 1][(square - taken).checked_sub(below)?];
            }
            number += ways * group.weight;
            (begin, below) = (begin + group.men, 0);
        }
        Some(number)
    }

    #[inline]
    fn number_of_pawns(&self, squares: &mut [usize]) -> u64 {
        let pawns = self.groups[0].men;
        lead_with_first_pawn(&mut squares[..pawns]);
        if file(squares[0]) > 3 {
            squares.iter_mut().for_each(|square| *square ^= 7);
        }
        squares[1..pawns].sort_unstable_by_key(|&square| PAWN_SQUARES[square]);
        let others = squares[1..pawns].iter().enumerate();
        let number_of_others: u64 =
            others.map(|(place, &square)| WAYS[place + 1][usize::from(PAWN_SQUARES[square])]).sum();
        leading(pawns, squares[0]) + number_of_others
    }

    /// The file of the leading pawn, nought to three: it decides which of a table's four parts has the position.
    #[inline]
    pub fn leading_file(&self, sets: &[u64; CODES], exchanged: bool) -> usize {
        let (other_color, other_side) = if exchanged { (BLACK, 56) } else { (0, 0) };
        let mut rest = sets[self.codes[0] ^ other_color];
        let mut leader = 0;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize ^ other_side;
            if PAWN_SQUARES[square] >= PAWN_SQUARES[leader] {
                leader = square;
            }
            rest &= rest - 1;
        }
        file(leader).min(7 - file(leader))
    }
}

/// Puts the leading pawn first.
fn lead_with_first_pawn(pawns: &mut [usize]) {
    let leader = (0..pawns.len()).max_by_key(|&place| PAWN_SQUARES[pawns[place]]);
    pawns.swap(0, leader.unwrap_or(0));
}

/// Turns the board until the first man stands in the triangle and the first of the leading men that is not on the long diagonal stands below it.
#[inline]
fn turn(squares: &mut [usize], leading_men: usize) {
    let mut mirror = 0;
    if file(squares[0]) > 3 {
        mirror ^= 7;
    }
    if rank(squares[0]) > 3 {
        mirror ^= 56;
    }
    squares.iter_mut().for_each(|square| *square ^= mirror);
    let aside = squares[..leading_men].iter().find(|&&square| file(square) != rank(square));
    if aside.is_some_and(|&square| rank(square) > file(square)) {
        squares.iter_mut().for_each(|square| *square = file(*square) * 8 + rank(*square));
    }
}

/// The number of three men that stand as [`turn`] leaves them: those whose first is below the diagonal, then those whose second is, and so on.
#[inline]
fn number_of_triple([a, b, c]: [usize; 3]) -> u64 {
    let is_aside = |square| file(square) != rank(square);
    let after = |one: usize, others: &[usize]| others.iter().filter(|&&other| one > other).count();
    let (b_left, c_left) = (after(b, &[a]), after(c, &[a, b]));
    let number = if is_aside(a) {
        (usize::from(TRIANGLE[a]) * 63 + b - b_left) * 62 + c - c_left
    } else if is_aside(b) {
        (6 * 63 + rank(a) * 28 + usize::from(BELOW[b])) * 62 + c - c_left
    } else if is_aside(c) {
        6 * 63 * 62 + 4 * 28 * 62 + (rank(a) * 7 + rank(b) - b_left) * 28 + usize::from(BELOW[c])
    } else {
        6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + (rank(a) * 7 + rank(b) - b_left) * 6 + rank(c) - c_left
    };
    number as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::collections::hash_map::Entry;

    use outplay_core::Rng;

    use super::*;

    const KINGS_OF_BOTH: [usize; 2] = [KING, BLACK + KING];

    fn placement(name: &str, codes: &[usize], of_file: usize) -> Placement {
        let material = Material::parse(name).expect("a name");
        Placement::new(material, codes, [0, 1], of_file).expect("a placement")
    }

    /// Places men at random and checks that what has the same number is the same placement but for symmetry, and that numbers stay below the size.
    fn numbers_are_unique(name: &str, codes: &[usize], images: &[fn(usize) -> usize]) {
        let mut rng = Rng::new(1);
        let mut seen = HashMap::new();
        let parts: Vec<Placement> = (0..4).map(|file| placement(name, codes, file)).collect();
        let mut repeated = 0;
        for _ in 0..60_000 {
            let mut sets = [0u64; CODES];
            let mut men = Vec::new();
            for &code in codes {
                let squares = if code % BLACK == PAWN { 8..56 } else { 0..64 };
                let free = |square: &usize| men.iter().all(|&(_, other)| other != *square);
                // Few squares, so that numbers come again.
                let square = std::iter::repeat_with(|| rng.below(64))
                    .find(|square| squares.contains(square) && free(square) && square % 8 / 2 % 3 != 1);
                let square = square.expect("a free square");
                sets[code] |= 1 << square;
                men.push((code, square));
            }
            let (one, other) =
                (sets[KING].trailing_zeros() as usize, sets[BLACK + KING].trailing_zeros() as usize);
            if file(one).abs_diff(file(other)) < 2 && rank(one).abs_diff(rank(other)) < 2 {
                continue;
            }
            let part = if parts[0].lead == Lead::Pawns { parts[0].leading_file(&sets, false) } else { 0 };
            let number = parts[part].number(&sets, false).expect("a number");
            assert!(number < parts[part].size(), "{men:?}");
            let canonical = images.iter().map(|image| {
                let mut turned: Vec<_> = men.iter().map(|&(code, square)| (code, image(square))).collect();
                turned.sort_unstable();
                turned
            });
            let canonical = canonical.min().expect("an image");
            match seen.entry((part, number)) {
                Entry::Occupied(first) => {
                    assert_eq!(first.get(), &canonical, "{number}");
                    repeated += 1;
                }
                Entry::Vacant(place) => {
                    place.insert(canonical);
                }
            }
        }
        assert!(repeated > 0, "{name}");
    }

    #[test]
    fn different_placements_have_different_numbers_and_images_the_same() {
        fn transposed(square: usize) -> usize {
            file(square) * 8 + rank(square)
        }
        let all: [fn(usize) -> usize; 8] = [
            |s| s,
            |s| s ^ 7,
            |s| s ^ 56,
            |s| s ^ 63,
            transposed,
            |s| transposed(s) ^ 7,
            |s| transposed(s) ^ 56,
            |s| transposed(s) ^ 63,
        ];
        let [white, black] = KINGS_OF_BOTH;
        numbers_are_unique("KQvK", &[5, white, black], &all);
        numbers_are_unique("KQQvK", &[white, black, 5, 5], &all);
        numbers_are_unique("KPvK", &[1, white, black], &all[..2]);
        numbers_are_unique("KPPvK", &[1, 1, black, white], &all[..2]);
        numbers_are_unique("KPvKP", &[9, 1, white, black], &all[..2]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |name: &str, codes: &[usize], places| {
            let material = Material::parse(name).expect("a name");
            assert!(Placement::new(material, codes, places, 0).is_none(), "{name} {codes:?} {places:?}");
        };
        refused("KQvK", &[5, 6], [0, 15]);
        refused("KQvK", &[5, 6, 6], [0, 15]);
        refused("KQvK", &[5, 6, 14, 14], [0, 15]);
        refused("KQvK", &[5, 6, 14], [1, 15]);
        refused("KPvK", &[6, 1, 14], [0, 15]);
        refused("KPvKP", &[1, 6, 9, 14], [0, 1]);
        refused("KPvKP", &[1, 9, 6, 14], [0, 0]);
        refused("KQQvK", &[5, 5, 6, 14], [0, 15]);
        refused("KRRvKQ", &[13, 6, 4, 14, 4], [0, 15]);
    }
}
