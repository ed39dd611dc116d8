//! Boards that are nearly full, solved by trying everything.
//!
//! A few cells close to each other stay empty; the others are filled at random with as many stones of each player as play would have placed. Some
//! windows are made chances of one player or the other, and stones change places until there is no row and none to be completed at once. What
//! happens among the empty cells is solved exactly, and what cannot be seen at a glance is kept.

use outplay_connect::{Connect, Rules, Turn};
use outplay_core::{Game, Known, KnownResult, Move, MoveList, Player, Problem, Rng};
use outplay_testing::suites::place_for;

use super::exhaustive::Exhaustive;
use super::{ENDGAMES, problems};

const SIDE: usize = 19;
const CELLS: usize = SIDE * SIDE;
const ROW: usize = 6;
const SEED: u64 = 1;
/// How often stones change places before a board is given up.
const MOST_REPAIRS: usize = 2_000;
/// How many windows are made chances of.
const CHANCES: usize = 8;
/// The stones of a turn of each player.
const TWO_TURNS: usize = 4;

/// How many wins, draws and losses there are to be, by the number of empty cells. With few of them, wins and losses are seen at a glance.
const WANTED: [(usize, [(KnownResult, usize); 3]); 5] = {
    use KnownResult::{Draw, Loss, Win};
    [
        (6, [(Win, 0), (Draw, 3), (Loss, 0)]),
        (8, [(Win, 3), (Draw, 1), (Loss, 0)]),
        (10, [(Win, 3), (Draw, 1), (Loss, 1)]),
        (12, [(Win, 3), (Draw, 1), (Loss, 1)]),
        (14, [(Win, 2), (Draw, 1), (Loss, 0)]),
    ]
};

const HEADER: &str = "\
# 20 endgames of connect6: boards with 6 to 14 empty cells close to each other, in which the player to move cannot complete a row at once.
# Found: filled at random by a seeded generator that gives both players chances, stones changing places until no row was complete. Kept: wins and
# draws that half of the first stones or more give away, and losses in which the loser can hold out for a turn. Verified: solved by trying
# everything, with nothing but the rules. bm has all first stones that keep the result; of a loss, which no stone prevents, the proof is asked for.
# Made and verified by crates/connect/tests/suite/suites/endgames.rs
";

/// A board that is being filled; `None` is a cell that stays empty. [cell]
struct Filling([Option<Player>; CELLS]);

impl Filling {
    /// So many empty cells close to each other, the others filled by chance.
    fn random(empty: usize, rng: &mut Rng) -> Filling {
        let side = (1..SIDE).find(|side| 3 * side * side >= 4 * empty).expect("a box with room for them");
        let (left, bottom) = (rng.below(SIDE - side + 1), rng.below(SIDE - side + 1));
        let mut near: Vec<usize> =
            (0..side * side).map(|index| (bottom + index / side) * SIDE + left + index % side).collect();
        rng.shuffle(&mut near);
        near.truncate(empty);
        let mut players: Vec<Player> =
            (0..CELLS - empty).map(|stones| Turn::after(Rules::CONNECT6, stones).player).collect();
        rng.shuffle(&mut players);
        Filling(std::array::from_fn(|cell| if near.contains(&cell) { None } else { players.pop() }))
    }

    /// Gives players chances: windows that lack three stones or four, and have no stone of the other.
    fn give_chances(&mut self, windows: &[[usize; ROW]], rng: &mut Rng) {
        let lacking = |window: &[usize; ROW]| window.iter().filter(|&&cell| self.0[cell].is_none()).count();
        let windows: Vec<_> = windows.iter().filter(|window| matches!(lacking(window), 3 | 4)).collect();
        for _ in 0..CHANCES.min(windows.len()) {
            let window = windows[rng.below(windows.len())];
            let player = Player::BOTH[rng.below(2)];
            for &cell in window.iter() {
                let other = rng.below(CELLS);
                if self.0[cell] == Some(!player) && self.0[other] == Some(player) {
                    self.0.swap(cell, other);
                }
            }
        }
    }

    /// Lets stones change places until nobody has a row and the player to move cannot complete one; nor can the other player, if nothing is to be
    /// stopped. Whether that came about.
    fn repair(&mut self, windows: &[[usize; ROW]], is_quiet: bool, rng: &mut Rng) -> bool {
        let empty = self.0.iter().filter(|stone| stone.is_none()).count();
        let mover = Turn::after(Rules::CONNECT6, CELLS - empty).player;
        for _ in 0..MOST_REPAIRS {
            let stones = |window: &[usize; ROW], player: Player| {
                let is = |stone: Option<Player>| window.iter().filter(|&&cell| self.0[cell] == stone).count();
                if is(Some(!player)) == 0 { is(Some(player)) } else { 0 }
            };
            let is_wrong = |window: &&[usize; ROW]| {
                let most_of_other = if is_quiet { ROW - 3 } else { ROW - 2 };
                stones(window, mover) > ROW - 3 || stones(window, !mover) > most_of_other
            };
            let wrong: Vec<_> = windows.iter().filter(is_wrong).collect();
            if wrong.is_empty() {
                return true;
            }
            let (one, other) = (wrong[rng.below(wrong.len())][rng.below(ROW)], rng.below(CELLS));
            if self.0[one].is_some() && self.0[other].is_some() {
                self.0.swap(one, other);
            }
        }
        false
    }

    fn position(&self) -> Connect {
        let cells = |player| (0..CELLS).filter(move |&cell| self.0[cell] == Some(player));
        let mut cells = Player::BOTH.map(cells);
        let mut position = Connect::start(&Rules::CONNECT6);
        while let Some(cell) = cells[position.to_move().index()].next() {
            position.play(Move::new(cell as u16));
        }
        position
    }
}

/// The windows of the board.
fn windows() -> Vec<[usize; ROW]> {
    let side = SIDE as i32;
    let mut windows = Vec::new();
    for cell in 0..side * side {
        let (column, row) = (cell % side, cell / side);
        for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let (last_column, last_row) = (column + 5 * right, row + 5 * up);
            if (0..side).contains(&last_column) && (0..side).contains(&last_row) {
                windows.push(std::array::from_fn(|step| (cell + step as i32 * (right + side * up)) as usize));
            }
        }
    }
    windows
}

/// The result, and all first stones that keep it; none of a loss.
fn solved(exhaustive: &mut Exhaustive, position: &mut Connect) -> Known {
    let value = exhaustive.value(position);
    let result = match value {
        1 => KnownResult::Win,
        0 => KnownResult::Draw,
        _ => KnownResult::Loss,
    };
    let mut best: Vec<Move> = position.legal_moves().each().collect();
    best.retain(|&m| value != -1 && exhaustive.value_after(position, m) == value);
    Known { best, avoid: Vec::new(), result: Some(result) }
}

/// Whether it takes more than a glance: a win or a draw is given away by half of the first stones or more; a loser can hold out for a turn.
fn is_hard(exhaustive: &mut Exhaustive, position: &mut Connect, known: &Known) -> bool {
    match known.result {
        Some(KnownResult::Loss) => exhaustive.value_within(position, TWO_TURNS) == 0,
        _ => known.best.len() * 2 <= position.legal_count(),
    }
}

fn line(position: Connect, known: Known, number: usize) -> String {
    let (empty, right) = (position.legal_count(), known.best.len());
    let note = match known.result {
        Some(KnownResult::Loss) => format!("{empty} empty cells: every first stone loses"),
        _ => format!("{empty} empty cells: {right} first stones keep the result, {} do not", empty - right),
    };
    let problem = Problem { id: Some(format!("endgame {number}")), known, ..Problem::new(position) };
    format!("{} c0 \"{note}\";\n", problem.text(&Rules::CONNECT6))
}

#[test]
#[ignore = "making the suite anew takes minutes"]
fn making_the_endgames() {
    let Some(place) = place_for("endgames.txt") else { return };
    let (windows, mut rng) = (windows(), Rng::new(SEED));
    let mut suite = HEADER.to_string();
    let mut number = 0;
    for (empty, mut wanted) in WANTED {
        while wanted.iter().any(|(_, more)| *more > 0) {
            let mut filling = Filling::random(empty, &mut rng);
            filling.give_chances(&windows, &mut rng);
            let is_quiet = rng.below(2) == 0;
            if !filling.repair(&windows, is_quiet, &mut rng) {
                continue;
            }
            let (mut position, mut exhaustive) = (filling.position(), Exhaustive::default());
            let known = solved(&mut exhaustive, &mut position);
            let more = wanted.iter_mut().find(|(result, _)| Some(*result) == known.result);
            let Some((_, more)) = more.filter(|(_, more)| *more > 0) else { continue };
            if is_hard(&mut exhaustive, &mut position, &known) {
                *more -= 1;
                number += 1;
                suite.push_str(&line(position, known, number));
            }
        }
    }
    std::fs::write(&place, suite).expect("a file that can be written");
}

#[test]
fn the_first_endgames_are_solved_by_trying_everything() {
    assert_eq!(solved_results(problems(ENDGAMES).into_iter().take(4)).len(), 4);
}

mod heavy {
    use super::*;

    #[test]
    #[ignore = "heavy: called by name"]
    fn the_endgames_are_solved_by_trying_everything() {
        let mut results = solved_results(problems(ENDGAMES));
        let wanted = WANTED.iter().flat_map(|(empty, wanted)| {
            wanted.iter().flat_map(move |&(result, count)| vec![(*empty, Some(result)); count])
        });
        for wanted in wanted {
            let place = results.iter().position(|&found| found == wanted);
            results.remove(place.unwrap_or_else(|| panic!("{wanted:?} is missing")));
        }
        assert_eq!(results, []);
    }
}

/// Holds problems against an exhaustive search: the empty cells and the result of each.
fn solved_results(problems: impl IntoIterator<Item = Problem<Connect>>) -> Vec<(usize, Option<KnownResult>)> {
    let mut results = Vec::new();
    for problem in problems {
        let (mut position, mut exhaustive) = (problem.position(), Exhaustive::default());
        assert_eq!(
            exhaustive.value_within(&mut position, TWO_TURNS / 2),
            0,
            "{:?}: a row at once",
            problem.id
        );
        let known = solved(&mut exhaustive, &mut position);
        assert_eq!(known, problem.known, "{:?}", problem.id);
        assert!(is_hard(&mut exhaustive, &mut position, &known), "{:?}", problem.id);
        results.push((position.legal_count(), known.result));
    }
    results
}
