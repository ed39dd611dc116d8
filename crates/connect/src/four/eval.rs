//! A first evaluation for Connect Four: whose stones have room for four in a row.

use outplay_core::{Game, Move, MoveList, Outcome, Rng};
use outplay_search::{Bundle, Evaluation, Oracle, Policy, Tactics};

use super::{ConnectFour, fours};

/// Counts the stones of each player in windows of four cells that the opponent has no stone in, and on top of
/// that the windows in which only one stone is missing. Stones in the centre lie in more windows, so no table
/// of cells is needed.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpenFours;

/// A stone in an open window.
const STONE: i32 = 4;
/// A window that lacks one stone.
const THREE: i32 = 50;

impl Evaluation<ConnectFour> for OpenFours {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &ConnectFour) -> i32 {
        let own = position.to_move.index();
        chances(position, own) - chances(position, 1 - own)
    }
}

/// All that is known of Connect Four besides its rules.
pub fn knowledge() -> Bundle<OpenFours, FoursAtSight, FoursAtSight, FoursAtSight> {
    Bundle { evaluation: OpenFours, tactics: FoursAtSight, oracle: FoursAtSight, policy: FoursAtSight }
}

/// Knows which stones complete four in a row, and which threaten to.
#[derive(Clone, Copy, Default, Debug)]
pub struct FoursAtSight;

impl Policy<ConnectFour> for FoursAtSight {
    /// Wins if it can, and stops the opponent from winning.
    #[inline]
    fn playout_move(&self, position: &ConnectFour, _: &mut Rng) -> Option<Move> {
        position.urgent_move()
    }
}

impl Oracle<ConnectFour> for FoursAtSight {
    type State = ();

    fn state(&self) {}

    fn at_sight(&self, position: &ConnectFour) -> Option<(Outcome, usize)> {
        position.end_at_sight()
    }
}

impl Tactics<ConnectFour> for FoursAtSight {
    type State = ();

    fn state(&self) {}

    /// Nobody could win with the next stone.
    fn is_quiet(&self, position: &ConnectFour) -> bool {
        position.urgent_move().is_none()
    }

    /// What speaks for a move: the cells with which it would threaten to win, and the middle before the edge.
    fn visit_quiet(
        &self,
        (): &mut (),
        position: &ConnectFour,
        mut visit: impl FnMut(Move, usize, Option<i32>),
    ) {
        for m in position.legal_moves().each() {
            let threats = position.threats_after(m).map(|threats| threats.min(MOST_THREATS) as i32);
            let nearness = position.rules.nearness_to_centre(m.index()) as i32;
            visit(
                m,
                self.move_kind(position, m),
                threats.map(|threats| THREAT * threats + CENTRE * nearness),
            );
        }
    }

    /// The mirror image, in the opening, where both are often reached.
    fn canonical(&self, position: &ConnectFour) -> Option<ConnectFour> {
        position.mirror_image_to_search()
    }

    fn move_kinds(&self) -> usize {
        64
    }

    /// The cell in which the stone comes to rest.
    #[inline]
    fn move_kind(&self, position: &ConnectFour, m: Move) -> usize {
        position.landing_cell(m).trailing_zeros() as usize
    }
}

/// What a cell that would win later is worth to the order of moves: more than any column.
const THREAT: i32 = 16 * CENTRE;
/// What a column further in is worth: more than what a search learns of moves, because that misleads in this game.
const CENTRE: i32 = 1 << 21;
/// More of such cells make no difference.
const MOST_THREATS: u32 = 28;

fn chances(position: &ConnectFour, player: usize) -> i32 {
    let own = position.stones[player];
    let free = position.rules.board() & !position.stones[1 - player];
    let mut total = 0;
    for direction in position.rules.directions() {
        // A bit for each open window, at its first cell, and for its cells that hold a stone.
        let windows = fours(free, direction);
        let [a, b, c, d] = [0, 1, 2, 3].map(|step| own >> (step * direction) & windows);
        let three = a & b & (c | d) | c & d & (a | b);
        let stones = [a, b, c, d].iter().map(|stones| stones.count_ones()).sum::<u32>();
        total += STONE * stones as i32 + THREE * three.count_ones() as i32;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::four::Rules;
    use outplay_core::{Game, MoveList, Notation, Player};

    fn value(text: &str) -> i32 {
        OpenFours.value(&ConnectFour::parse_position(&Rules::default(), text).expect("a legal position"))
    }

    #[test]
    fn the_centre_has_more_windows_than_the_edge() {
        // The value is the opponent's of whoever made the move: 3, 4, 5 and 7 windows.
        assert_eq!(["1", "2", "3", "4"].map(value), [-3, -4, -5, -7].map(|windows| windows * STONE));
    }

    /// One player's part of the judgement, window by window and cell by cell.
    fn plain_chances(position: &ConnectFour, player: Player) -> i32 {
        let (columns, rows) = (position.rules.columns() as i32, position.rules.rows() as i32);
        let mut total = 0;
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let (last_column, last_row) = (column + 3 * right, row + 3 * up);
                if last_column >= columns || !(0..rows).contains(&last_row) {
                    continue;
                }
                let stones: Vec<Option<Player>> = (0..4)
                    .map(|step| {
                        position.stone_at((column + step * right) as usize, (row + step * up) as usize)
                    })
                    .collect();
                if !stones.contains(&Some(!player)) {
                    let own = stones.iter().flatten().count() as i32;
                    total += STONE * own + if own == 3 { THREE } else { 0 };
                }
            }
        }
        total
    }

    #[test]
    fn windows_found_with_shifts_are_those_found_cell_by_cell() {
        let mut rng = Rng::new(5);
        for size in ["7x6", "4x4", "8x7", "5x9", "9x3", "4x15", "21x2"] {
            let rules: Rules = size.parse().expect("a valid size");
            for _ in 0..30 {
                let mut position = ConnectFour::start(&rules);
                while position.outcome().is_none() {
                    let [own, other] =
                        [position.to_move, !position.to_move].map(|p| plain_chances(&position, p));
                    assert_eq!(OpenFours.value(&position), own - other, "{position:?}");
                    let moves = position.legal_moves();
                    position.play(moves.nth(rng.below(moves.count())));
                }
            }
        }
    }
}
