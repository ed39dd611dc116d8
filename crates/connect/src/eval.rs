//! A first evaluation for the family: who has more, and better filled, chances of a row.

use outplay_core::{Move, Rng};
use outplay_search::{Bundle, Evaluation, NoKnowledge, Policy, Tactics};

use crate::position::Connect;
use crate::windows::{LEVELS, Open};

/// Counts the windows, as many cells in line as a winning row has, in which only one player has stones. Each
/// is worth more the fewer stones are missing; one that can be filled in this turn wins.
///
/// Treats both players alike. Positions keep the numbers of such windows.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpenWindows;

/// What a window is worth when so many stones are missing: three times as much with each stone.
const WORTH: [i32; LEVELS] = [3000, 1000, 333, 111, 37, 12, 4, 1];
/// What each stone left in the turn is worth: about what a stone in the open adds.
const TEMPO: i32 = 40;
/// A row that can be completed in this turn.
pub(crate) const WINNING: i32 = 15_000;

impl Evaluation<Connect> for OpenWindows {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Connect) -> i32 {
        let turn = position.turn();
        let [own, other] = [turn.player, !turn.player].map(|player| position.open(player));
        if own.any_lacking_at_most(turn.stones_left.into()) {
            return WINNING;
        }
        let worth = |open: &Open| -> i32 {
            WORTH.iter().enumerate().map(|(lacking, worth)| worth * i32::from(open.lacking(lacking))).sum()
        };
        let total = TEMPO * i32::from(turn.stones_left) + worth(own) - worth(other);
        total.clamp(-WINNING, WINNING)
    }
}

/// What is known of the family by counting windows, and nothing of threats.
pub fn knowledge_of_windows() -> Bundle<OpenWindows, UrgentRows, NoKnowledge, UrgentRows> {
    Bundle { evaluation: OpenWindows, tactics: UrgentRows, oracle: NoKnowledge, policy: UrgentRows }
}

/// Knows rows that this turn can complete, or that the opponent's next turn could.
#[derive(Clone, Copy, Default, Debug)]
pub struct UrgentRows;

impl Tactics<Connect> for UrgentRows {
    type State = ();

    fn state(&self) {}

    /// Nobody could complete a row with a turn.
    fn is_quiet(&self, position: &Connect) -> bool {
        position.urgent_row().is_none()
    }
}

impl Policy<Connect> for UrgentRows {
    /// Completes a row if it can, and stops the opponent from completing one.
    fn playout_move(&self, position: &Connect, rng: &mut Rng) -> Option<Move> {
        position.urgent_row().map(|row| position.stone_in(row, rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use outplay_core::{Game, MoveList, Notation, Player, Symmetric};

    /// The same judgement, window by window and cell by cell.
    fn plain(position: &Connect) -> i32 {
        let rules = position.rules();
        let turn = position.turn();
        let length = rules.in_a_row() as isize;
        let mut total = TEMPO * i32::from(turn.stones_left);
        for index in 0..rules.cells() as isize {
            let (column, row) = (index % rules.columns() as isize, index / rules.columns() as isize);
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cells: Vec<(isize, isize)> =
                    (0..length).map(|i| (column + i * right, row + i * up)).collect();
                let on_board = |&(c, r): &(isize, isize)| {
                    (0..rules.columns() as isize).contains(&c) && (0..rules.rows() as isize).contains(&r)
                };
                if !cells.iter().all(on_board) {
                    continue;
                }
                let count = |player: Player| {
                    let stone = |&&(c, r): &&(isize, isize)| {
                        position.stone_at(c as usize, r as usize) == Some(player)
                    };
                    cells.iter().filter(stone).count()
                };
                match (count(turn.player), count(!turn.player)) {
                    (0, 0) => {}
                    (own, 0) if length as usize - own <= usize::from(turn.stones_left) => return WINNING,
                    (own, 0) => total += WORTH.get(length as usize - own).unwrap_or(&0),
                    (0, other) => total -= WORTH.get(length as usize - other).unwrap_or(&0),
                    _ => {}
                }
            }
        }
        total.clamp(-WINNING, WINNING)
    }

    #[test]
    fn windows_found_with_shifts_are_those_found_cell_by_cell() {
        let mut rng = Rng::new(3);
        for rules in [
            "19,19,6,2,1",
            "15,15,5,1,1",
            "3,3,3,1,1",
            "7,4,4,2,1",
            "4,9,4,3,2",
            "21,21,5,1,1",
            "21,12,10,2,1",
        ] {
            let rules: Rules = rules.parse().expect("valid rules");
            for _ in 0..5 {
                let mut position = Connect::start(&rules);
                while position.outcome().is_none() {
                    let value = OpenWindows.value(&position);
                    assert_eq!(value, plain(&position), "{position:?}");
                    let turned = position.transformed(1);
                    assert_eq!(OpenWindows.value(&turned), value, "{position:?}");
                    let moves = position.legal_moves();
                    position.play(moves.nth(rng.below(moves.count())));
                }
            }
        }
    }

    #[test]
    fn a_row_that_this_turn_completes_wins() {
        let rules = Rules::CONNECT6;
        // Black to move with two stones and four in a row.
        let position =
            Connect::parse_position(&rules, "j10 a1 a3 k10 l10 a5 a7 m10 c1 c5 c7").expect("legal");
        assert_eq!(position.to_move(), Player::First);
        assert_eq!(OpenWindows.value(&position), WINNING);
    }
}
