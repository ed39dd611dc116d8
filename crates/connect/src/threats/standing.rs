//! The threats that stand on the board: what people are shown of them.

use outplay_core::{Game, Move};

use crate::lines::{Cell, cell_on_line, cells_of_lines, runs};
use crate::position::Connect;

/// More stones than these are not looked for: nobody has so many in a turn of a game that people play.
const MOST_COUNTED: usize = 3;

/// What the opponent of the player to move would win by, were it that player's turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StandingThreats {
    /// The windows that one turn fills, each with all its cells.
    pub windows: Vec<Vec<Move>>,
    /// The empty cells that belong to a defence with as few stones as possible; none if no turn stops everything.
    pub blocks: Vec<Move>,
    /// How many stones it takes to stop everything; one more than a turn has stands for more.
    pub count: usize,
}

impl StandingThreats {
    /// The threats against the player to move. None once the game is over.
    pub fn of(position: &Connect) -> StandingThreats {
        if position.outcome().is_some() {
            return StandingThreats::default();
        }
        let rules = position.rules();
        let attacker = !position.to_move();
        let (mut windows, mut gaps) = (Vec::new(), Vec::new());
        for window in all_windows(position) {
            let (mut gap, mut is_open) = (Vec::new(), true);
            for &cell in &window {
                match position.at(cell) {
                    None => gap.push(rules.index(cell) as u16),
                    Some(player) => is_open &= player == attacker,
                }
            }
            if is_open && gap.len() <= rules.turn_stones() {
                windows.push(window.iter().map(|&cell| Move::new(rules.index(cell) as u16)).collect());
                gaps.push(gap);
            }
        }
        let turn = usize::from(position.turn().stones_left).min(MOST_COUNTED);
        for count in 0..=turn {
            let mut blocks = Vec::new();
            if cover(&gaps, &mut Vec::new(), count, &mut blocks) {
                blocks.sort_unstable();
                blocks.dedup();
                let blocks = blocks.into_iter().map(Move::new).collect();
                return StandingThreats { windows, blocks, count };
            }
        }
        StandingThreats { windows, blocks: Vec::new(), count: turn + 1 }
    }
}

/// Every window of the board.
fn all_windows(position: &Connect) -> impl Iterator<Item = Vec<Cell>> {
    let length = position.rules().in_a_row();
    cells_of_lines(position.rules()).enumerate().flat_map(move |(line, cells)| {
        let starts = runs(cells, length);
        let starts = (0..u32::BITS as usize).filter(move |start| starts >> start & 1 == 1);
        starts.map(move |start| (start..start + length).map(|bit| cell_on_line(line, bit)).collect())
    })
}

/// Whether `stones` more cells can stop what the `chosen` ones leave open; `blocks` gets the cells of all ways to do it.
fn cover(gaps: &[Vec<u16>], chosen: &mut Vec<u16>, stones: usize, blocks: &mut Vec<u16>) -> bool {
    let Some(open) = gaps.iter().find(|gap| !gap.iter().any(|cell| chosen.contains(cell))) else {
        blocks.extend_from_slice(chosen);
        return true;
    };
    if stones == 0 {
        return false;
    }
    let mut is_covered = false;
    for &cell in open {
        chosen.push(cell);
        is_covered |= cover(gaps, chosen, stones - 1, blocks);
        chosen.pop();
    }
    is_covered
}

#[cfg(test)]
mod tests {
    use outplay_core::{MoveList, Notation, Rng};

    use super::*;
    use crate::Rules;

    fn standing(rules: Rules, moves: &str) -> (usize, usize, Vec<String>) {
        let position = Connect::parse_position(&rules, moves).expect("a position");
        let threats = StandingThreats::of(&position);
        let blocks = threats.blocks.iter().map(|&m| position.move_text(m)).collect();
        (threats.windows.len(), threats.count, blocks)
    }

    #[test]
    fn four_in_a_row_are_stopped_on_both_sides() {
        // White has four in a row, open on both sides, and Black is to move with two stones.
        let (windows, count, blocks) = standing(Rules::CONNECT6, "a1 j10 k10 s19 a19 l10 m10");
        assert_eq!((windows, count), (3, 2));
        assert_eq!(blocks, ["h10", "i10", "n10", "o10"]);
    }

    #[test]
    fn gomoku_is_stopped_by_one_stone_or_not_at_all() {
        assert_eq!(
            standing(Rules::GOMOKU, "h8 a1 i8 b1 j8 c1 k8 g8"),
            (0, 0, vec![]),
            "Black is to move and White has nothing"
        );
        assert_eq!(standing(Rules::GOMOKU, "h8 g8 i8 b1 j8 c1 k8"), (1, 1, vec!["l8".to_string()]));
        assert_eq!(standing(Rules::GOMOKU, "h8 a1 i8 b1 j8 c1 k8").1, 2, "nothing stops an open four");
    }

    /// Random stones near the middle: what is shown is what the search counts.
    #[test]
    fn the_count_is_that_of_the_search() {
        let (sight, mut rng) = (crate::ThreatSight::new(Rules::CONNECT6), Rng::new(5));
        let mut seen = [0; 4];
        for _ in 0..400 {
            let mut position = Connect::start(&Rules::CONNECT6);
            while position.outcome().is_none() && position.stone_count() < 45 {
                let near = |m: &Move| (m.index() % 19).abs_diff(9) < 5 && (m.index() / 19).abs_diff(9) < 5;
                let moves: Vec<Move> = position.legal_moves().each().filter(near).collect();
                position.play(moves[rng.below(moves.len())]);
            }
            if position.outcome().is_some() {
                continue;
            }
            let counted = sight.threats(&position, !position.to_move());
            let shown = StandingThreats::of(&position).count;
            assert_eq!(shown, counted.min(usize::from(position.turn().stones_left) + 1), "{position:?}");
            seen[shown] += 1;
        }
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    }

    #[test]
    fn nothing_stands_at_the_start_and_at_the_end() {
        assert_eq!(StandingThreats::of(&Connect::start(&Rules::CONNECT6)), StandingThreats::default());
        assert_eq!(standing(Rules::TIC_TAC_TOE, "a1 b1 a2 b2 a3"), (0, 0, vec![]));
    }
}
