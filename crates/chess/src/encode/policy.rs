//! Where moves stand in a policy.

use cozy_chess::Square;
use outplay_core::{Move, Player};

use crate::moves::{origin, promotion, target};

/// Planes of a convolution's policy; the last seven are not used.
const CONVOLUTION_PLANES: usize = 80;
pub(super) const CONVOLUTION_SIZE: usize = CONVOLUTION_PLANES * Square::NUM;

/// The first plane of knights' moves.
const KNIGHTS: usize = 56;
/// The first plane of promotions.
const PROMOTIONS: usize = 64;

/// Pairs of squares between which a queen or a knight can move.
const PAIRS: usize = 1792;
/// Pairs of files between which a pawn can promote.
const PROMOTING_PAIRS: usize = 22;
pub(super) const DENSE_SIZE: usize = PAIRS + 3 * PROMOTING_PAIRS;

/// A move as its player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    from: usize,
    to: usize,
    promotion: Promotion,
}

/// What becomes of a pawn, if that has places of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Promotion {
    /// Nothing, or a knight.
    None,
    Bishop,
    Rook,
    Queen,
}

impl Seen {
    pub fn by(mover: Player, m: Move) -> Seen {
        let turn = match mover {
            Player::First => 0,
            // The highest three of the six bits are the rank.
            Player::Second => 0b11_1000,
        };
        let promotion = match promotion(m) {
            2 => Promotion::Bishop,
            3 => Promotion::Rook,
            4 => Promotion::Queen,
            _ => Promotion::None,
        };
        Seen { from: origin(m) ^ turn, to: target(m) ^ turn, promotion }
    }

    pub fn convolution_index(self) -> u16 {
        let (right, up) = steps(self.from, self.to);
        let plane = match self.promotion {
            Promotion::None => plane_of_steps(right, up),
            Promotion::Rook => PROMOTIONS + 3 * (right + 1) as usize,
            Promotion::Bishop => PROMOTIONS + 3 * (right + 1) as usize + 1,
            Promotion::Queen => PROMOTIONS + 3 * (right + 1) as usize + 2,
        };
        (plane * Square::NUM + self.from) as u16
    }

    pub fn dense_index(self) -> u16 {
        // Before a pair of files come three for each file further left, but for the first, which has only two.
        let pair = 2 * (self.from % 8) + self.to % 8;
        let place = match self.promotion {
            Promotion::None => return PAIR_PLACES[self.from][self.to],
            Promotion::Queen => 3 * pair,
            Promotion::Rook => 3 * pair + 1,
            Promotion::Bishop => 3 * pair + 2,
        };
        (PAIRS + place) as u16
    }
}

/// How far a move goes to the right and up.
const fn steps(from: usize, to: usize) -> (i32, i32) {
    (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8)
}

/// Directions clockwise from straight up.
fn plane_of_steps(right: i32, up: i32) -> usize {
    let distance = right.abs().max(up.abs()) as usize;
    let direction = match (right.signum(), up.signum()) {
        (0, 1) => 0,
        (1, 1) => 1,
        (1, 0) => 2,
        (1, -1) => 3,
        (0, -1) => 4,
        (-1, -1) => 5,
        (-1, 0) => 6,
        _ => 7,
    };
    if !is_knights(right, up) {
        return 7 * direction + distance - 1;
    }
    // In each quarter of the circle one knight's move is nearer to the vertical.
    let later = match direction {
        1 | 5 => right.abs() > up.abs(),
        _ => right.abs() < up.abs(),
    };
    KNIGHTS + direction - 1 + later as usize
}

const fn is_knights(right: i32, up: i32) -> bool {
    right * right + up * up == 5
}

// [from][to]; pairs that no move has are 0.
static PAIR_PLACES: [[u16; Square::NUM]; Square::NUM] = {
    let mut places = [[0; Square::NUM]; Square::NUM];
    let mut next = 0;
    let mut from = 0;
    while from < Square::NUM {
        let mut to = 0;
        while to < Square::NUM {
            let (right, up) = steps(from, to);
            let is_queens = right == 0 || up == 0 || right == up || right == -up;
            if from != to && (is_queens || is_knights(right, up)) {
                places[from][to] = next;
                next += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(next as usize == PAIRS);
    places
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Everything that some piece could do on an empty board, seen by its player.
    fn all_moves() -> Vec<Seen> {
        let mut moves = Vec::new();
        for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (from, to))) {
            let right = (from % 8usize).abs_diff(to % 8);
            let up = (from / 8usize).abs_diff(to / 8);
            let is_queens = (right == 0) != (up == 0) || right == up && right > 0;
            if is_queens || right * up == 2 {
                moves.push(Seen { from, to, promotion: Promotion::None });
            }
            if from / 8 == 6 && to / 8 == 7 && right <= 1 {
                let kinds = [Promotion::Queen, Promotion::Rook, Promotion::Bishop];
                moves.extend(kinds.map(|promotion| Seen { from, to, promotion }));
            }
        }
        moves
    }

    #[test]
    fn the_dense_policy_has_a_place_for_every_move_and_no_other() {
        let moves = all_moves();
        assert_eq!((moves.len(), DENSE_SIZE), (1858, 1858));
        let mut places: Vec<u16> = moves.iter().map(|seen| seen.dense_index()).collect();
        places.sort_unstable();
        assert_eq!(places, (0..1858).collect::<Vec<u16>>());
    }

    #[test]
    fn planes_of_the_convolution_tell_all_moves_apart_and_each_means_one_way_to_go() {
        let moves = all_moves();
        let places: HashSet<u16> = moves.iter().map(|seen| seen.convolution_index()).collect();
        assert_eq!(places.len(), 1858);
        let way = |seen: &Seen| {
            let plane = seen.convolution_index() / 64;
            (plane, steps(seen.from, seen.to), format!("{:?}", seen.promotion))
        };
        let ways: HashSet<_> = moves.iter().map(way).collect();
        let planes: HashSet<u16> = ways.iter().map(|(plane, ..)| *plane).collect();
        assert_eq!((ways.len(), planes), (73, (0..73).collect()));
        assert!(moves.iter().all(|seen| usize::from(seen.convolution_index()) % 64 == seen.from));
    }
}
