//! Symmetry: the squares of two men, the leading ones, decide how the board is turned.
//!
//! Without pawns a position may be turned and mirrored in eight ways, with pawns in two. The two leading men (the kings, a pawn and the
//! white king, or two pawns) are turned to the first of their images, and everything else with them. Where two ways of turning give the
//! same leading squares, the rest decides.

use cozy_chess::{Rank, Square, get_king_moves};

/// A way to turn the board: bit 0 mirrors the files, bit 1 the ranks, and then bit 2 exchanges files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn(u8);

impl Turn {
    const MIRRORS: std::ops::Range<u8> = 0..2;
    const ALL: std::ops::Range<u8> = 0..8;

    #[inline]
    pub fn apply(self, square: Square) -> Square {
        Square::index(usize::from(TURNED[usize::from(self.0)][square as usize]))
    }
}

// [turn][square]
static TURNED: [[u8; 64]; 8] = {
    let mut turned = [[0; 64]; 8];
    let mut turn = 0;
    while turn < 8 {
        let mut square = 0;
        while square < 64 {
            let mirrored = square ^ ((turn & 1) * 7) ^ ((turn >> 1 & 1) * 56);
            let exchanged = (mirrored >> 3 | mirrored << 3) & 63;
            turned[turn][square] = (if turn >> 2 == 1 { exchanged } else { mirrored }) as u8;
            square += 1;
        }
        turn += 1;
    }
    turned
};

/// Which two men lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaders {
    /// Without pawns: the kings.
    Kings,
    /// With one pawn: it and the white king.
    PawnAndKing,
    /// Two pawns of one side, which are interchangeable.
    PawnPair,
    /// A white and a black pawn.
    PawnsOfBoth,
}

impl Leaders {
    fn turns(self) -> std::ops::Range<u8> {
        if self == Leaders::Kings { Turn::ALL } else { Turn::MIRRORS }
    }

    fn can_stand_on(self, first: Square, second: Square) -> bool {
        let is_for_pawns = |square: Square| !matches!(square.rank(), Rank::First | Rank::Eighth);
        first != second
            && match self {
                Leaders::Kings => !get_king_moves(first).has(second),
                Leaders::PawnAndKing => is_for_pawns(first),
                Leaders::PawnPair | Leaders::PawnsOfBoth => is_for_pawns(first) && is_for_pawns(second),
            }
    }

    /// Where the leading men come to stand.
    fn turned(self, turn: Turn, first: Square, second: Square) -> (Square, Square) {
        let (first, second) = (turn.apply(first), turn.apply(second));
        match self {
            Leaders::PawnPair if second < first => (second, first),
            _ => (first, second),
        }
    }
}

/// What the squares of the leading men say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    /// The number of this pair of squares among those that are not turned; they are numbered densely.
    pub number: u16,
    /// The way to turn the board, and the other one that does as well; mostly the same.
    pub turns: [Turn; 2],
}

/// The answers for all pairs of squares.
pub(super) struct LeadTable {
    // [first leading man's square][second's]
    leads: Box<[[Lead; 64]; 64]>,
    /// The squares of each number.
    pairs: Vec<(Square, Square)>,
}

impl LeadTable {
    pub fn new(leaders: Leaders) -> LeadTable {
        let nowhere = Lead { number: u16::MAX, turns: [Turn(0); 2] };
        let mut table = LeadTable { leads: Box::new([[nowhere; 64]; 64]), pairs: Vec::new() };
        // In the order of squares the first of a pair's images comes before the others, so its number is known to them.
        for first in Square::ALL {
            for second in Square::ALL {
                if leaders.can_stand_on(first, second) {
                    table.leads[first as usize][second as usize] = table.lead(leaders, first, second);
                }
            }
        }
        table
    }

    fn lead(&mut self, leaders: Leaders, first: Square, second: Square) -> Lead {
        let image = |turn: &Turn| leaders.turned(*turn, first, second);
        let turns = || leaders.turns().map(Turn);
        let least = turns().map(|turn| image(&turn)).min().unwrap_or((first, second));
        let mut best = turns().filter(|turn| image(turn) == least);
        let one = best.next().unwrap_or(Turn(0));
        let number = if least == (first, second) {
            self.pairs.push(least);
            (self.pairs.len() - 1) as u16
        } else {
            self.leads[least.0 as usize][least.1 as usize].number
        };
        Lead { number, turns: [one, best.next().unwrap_or(one)] }
    }

    #[inline]
    pub fn get(&self, first: Square, second: Square) -> &Lead {
        &self.leads[first as usize][second as usize]
    }

    /// The squares with this number, which is below [`LeadTable::count`].
    #[inline]
    pub fn squares(&self, number: usize) -> (Square, Square) {
        self.pairs[number]
    }

    pub fn count(&self) -> usize {
        self.pairs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_pairs_as_the_literature_counts() {
        // 10 squares for a king without pawns make 462 pairs; 24 for a pawn.
        assert_eq!(LeadTable::new(Leaders::Kings).count(), 462);
        assert_eq!(LeadTable::new(Leaders::PawnAndKing).count(), 24 * 63);
        assert_eq!(LeadTable::new(Leaders::PawnsOfBoth).count(), 24 * 47);
        // 48 · 47 / 2 pairs of like pawns, 24 of which are their own mirror images.
        assert_eq!(LeadTable::new(Leaders::PawnPair).count(), (48 * 47 / 2 + 24) / 2);
    }

    #[test]
    fn no_pair_of_squares_has_more_than_two_ways_to_turn() {
        for leaders in [Leaders::Kings, Leaders::PawnAndKing, Leaders::PawnPair, Leaders::PawnsOfBoth] {
            let table = LeadTable::new(leaders);
            for &(first, second) in &table.pairs {
                let stays = leaders
                    .turns()
                    .map(Turn)
                    .filter(|&turn| leaders.turned(turn, first, second) == (first, second));
                assert!(stays.count() <= 2, "{leaders:?} {first} {second}");
            }
        }
    }
}
