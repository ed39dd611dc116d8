//! The oracle against a search that knows nothing but the rules.

use std::collections::HashMap;
use std::ops::ControlFlow;

use outplay_core::{Game, MoveList, Notation, Outcome, Rng, Symmetric};
use outplay_search::Certainty;

use super::follow_up::most_against_follower;
use super::search::Board;
use super::shape::{AnySize, Shape, Standard};
use super::*;

fn position(rules: Rules, moves: &str) -> ConnectFour {
    ConnectFour::parse_position(&rules, moves).expect("a legal position")
}

/// Minimax that remembers positions. The value is 0 for a draw, otherwise the plies to the end, with a minus for a loss.
#[derive(Default)]
struct Plain {
    values: HashMap<u64, i32>,
}

impl Plain {
    fn value(&mut self, position: &ConnectFour) -> i32 {
        if let Some(outcome) = position.outcome() {
            // Marked with more than any game's length, because a loss in no plies has no sign.
            return if outcome == Outcome::DRAW { 0 } else { -LOST_NOW };
        }
        if let Some(&value) = self.values.get(&position.key()) {
            return value;
        }
        let moves = position.legal_moves();
        let values = moves.each().map(|m| before_move(self.value(&position.after(m))));
        let best = values.max_by_key(|&value| preference(value)).expect("a move");
        self.values.insert(position.key(), best);
        best
    }
}

const LOST_NOW: i32 = 100;

fn before_move(next: i32) -> i32 {
    match next {
        0 => 0,
        _ if next == -LOST_NOW => 1,
        _ => -(next + next.signum()),
    }
}

/// Quick wins before slow ones, slow losses before quick ones.
fn preference(value: i32) -> i32 {
    if value == 0 { 0 } else { value.signum() * 1000 - value }
}

/// The same from what the oracle says.
fn signed_plies(bounds: Bounds) -> i32 {
    let score = bounds.exact().expect("no limits");
    score.signum() * bounds.plies().expect("an exact score") as i32
}

/// Random positions with at most so many empty cells.
fn random_positions(rules: Rules, most_empty: usize, count: usize, rng: &mut Rng) -> Vec<ConnectFour> {
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = ConnectFour::start(&rules);
        while position.outcome().is_none() {
            let empty = rules.columns() * rules.rows() - position.occupied().count_ones() as usize;
            if empty <= most_empty {
                positions.push(position.clone());
            }
            let moves = position.legal_moves();
            position.play(moves.nth(rng.below(moves.count())));
        }
    }
    positions
}

#[test]
fn positions_and_moves_are_worth_what_trying_everything_finds() {
    let mut rng = Rng::new(17);
    for (size, most_empty, count) in [
        ("4x4", 16, 200),
        ("5x4", 15, 200),
        ("6x4", 14, 200),
        ("4x5", 15, 100),
        ("7x6", 14, 300),
        ("5x5", 14, 100),
        ("9x4", 12, 60),
        ("4x8", 12, 100),
        ("12x2", 12, 40),
        ("7x7", 12, 100),
    ] {
        let rules: Rules = size.parse().expect("a size");
        let mut oracle = Oracle::new(rules, 2);
        let mut plain = Plain::default();
        for position in random_positions(rules, most_empty, count, &mut rng) {
            let expected = plain.value(&position);
            let value = oracle.value(&position, &mut Limits::default()).expect("a position");
            assert_eq!(signed_plies(value), expected, "{position:?}");
            let values = oracle.move_values(&position, &mut Limits::default()).expect("a position");
            let (mut best, mut keeping) = (Vec::new(), Vec::new());
            for (m, bounds) in values {
                let expected_of_move = before_move(plain.value(&position.after(m)));
                assert_eq!(signed_plies(bounds), expected_of_move, "{m:?} in {position:?}");
                if expected_of_move == expected {
                    best.push(m);
                }
                if expected_of_move.signum() == expected.signum() {
                    keeping.push(m);
                }
            }
            let kept = oracle.keeping_moves(&position, &mut Limits::default()).expect("a position");
            assert_eq!(kept, Some((expected.signum(), keeping)), "{position:?}");
            let found = oracle.best_moves(&position, &mut Limits::default()).expect("a position");
            assert_eq!(found, Some(best), "{position:?}");
        }
    }
}

/// Every position of a game that has a bound by following: the bound must hold.
#[test]
fn what_following_promises_is_true_of_every_position_of_small_boards() {
    for (size, least_bounds) in [("4x4", 1_000), ("5x4", 20_000)] {
        let rules: Rules = size.parse().expect("a size");
        let shape = AnySize::new(rules);
        let mut plain = Plain::default();
        let mut oracle = Oracle::new(rules, 2);
        let start = ConnectFour::start(&rules);
        plain.value(&start);
        let mut counts = [0; 3];
        let mut seen = std::collections::HashSet::new();
        let mut waiting = vec![start];
        while let Some(position) = waiting.pop() {
            if position.outcome().is_some() || !seen.insert(position.key()) {
                continue;
            }
            waiting.extend(position.legal_moves().each().map(|m| position.after(m)));
            let board = Board::of(&position);
            // The player to move must not win at once: that is asked before.
            let value = plain.value(&position);
            if value == 1 {
                continue;
            }
            let Some(most) = most_against_follower(shape.masks(), board, 0) else { continue };
            let score = oracle.value(&position, &mut Limits::default()).expect("a position");
            assert_eq!(signed_plies(score), value, "{position:?}");
            assert!(score.most() <= most, "{position:?} is worth {value}, not {most} at most");
            counts[if most == 0 { 0 } else { 1 + board.stones as usize % 2 }] += 1;
        }
        assert!(counts.iter().all(|&count| count >= least_bounds / 20), "{size}: {counts:?}");
        assert!(counts.iter().sum::<usize>() >= least_bounds, "{size}: {counts:?}");
    }
}

#[test]
fn what_following_promises_is_true_late_on_the_standard_board() {
    let mut rng = Rng::new(23);
    let mut plain = Plain::default();
    let mut counts = [0; 3];
    for position in random_positions(Rules::STANDARD, 16, 6_000, &mut rng) {
        let board = Board::of(&position);
        let Some(most) = most_against_follower(Standard.masks(), board, 0) else { continue };
        let value = plain.value(&position);
        let is_true = match most {
            _ if value == 1 => continue,
            0 => value <= 0,
            // Lost, and not later than promised.
            _ => value < 0 && Bounds::of_plies(value, &position) <= most,
        };
        assert!(is_true, "{position:?} is worth {value}, not {most} at most");
        counts[if most == 0 { 0 } else { 1 + board.stones as usize % 2 }] += 1;
    }
    assert!(counts.iter().all(|&count| count >= 50), "{counts:?}");
}

impl Bounds {
    /// The score of an end in so many plies, lost if that is negative.
    fn of_plies(value: i32, position: &ConnectFour) -> i32 {
        let cells = (position.rules.columns() * position.rules.rows()) as i32;
        let stones = position.occupied().count_ones() as i32;
        value.signum() * bounds::score_of_win(cells, stones + value.abs())
    }
}

#[test]
fn a_board_of_any_size_and_the_standard_one_are_searched_alike() {
    let mut rng = Rng::new(5);
    for position in random_positions(Rules::STANDARD, 18, 40, &mut rng) {
        let searched = [true, false].map(|is_standard| {
            let mut table = Table::new(2);
            let mut limits = Limits::default();
            let (board, bounds) = (Board::of(&position), Bounds::of_anything(&position));
            if is_standard {
                let mut search = Search::new(Standard, &mut table, &mut limits, 0, bounds);
                search.narrow(board);
                (search.bounds(), search.nodes())
            } else {
                let shape = AnySize::new(Rules::STANDARD);
                let mut search = Search::new(shape, &mut table, &mut limits, 0, bounds);
                search.narrow(board);
                (search.bounds(), search.nodes())
            }
        });
        assert_eq!(searched[0], searched[1], "{position:?}");
    }
}

#[test]
fn mirror_images_are_one_position() {
    let rules = Rules::STANDARD;
    let position = position(rules, "274552224131661");
    let mut oracle = Oracle::new(rules, 2);
    let value = oracle.value(&position, &mut Limits::default()).expect("a position");
    let nodes = oracle.nodes();
    let image = position.transformed(1);
    assert_eq!(oracle.value(&image, &mut Limits::default()), Ok(value));
    assert!(nodes > 1000 && oracle.nodes() < nodes / 2, "{nodes} and then {}", oracle.nodes());
    oracle.clear();
    assert_eq!(oracle.value(&image, &mut Limits::default()), Ok(value));
    assert!(oracle.nodes() > nodes / 2);
}

#[test]
fn limits_end_the_search_and_what_is_known_by_then_is_true() {
    let rules = Rules::STANDARD;
    let position = position(rules, "274552224131661");
    let exact = Oracle::new(rules, 2).value(&position, &mut Limits::default()).expect("a position");
    let score = exact.exact().expect("no limits");
    let mut kinds = [0; 3];
    for nodes in (0..14).map(|power| 1 << power) {
        let mut oracle = Oracle::new(rules, 2);
        let mut limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let bounds = oracle.value(&position, &mut limits).expect("a position");
        assert!(oracle.nodes() <= nodes);
        assert!((bounds.least()..=bounds.most()).contains(&score), "{nodes}: {bounds:?}");
        kinds[if bounds.exact().is_some() {
            2
        } else {
            usize::from(bounds != Bounds::of_anything(&position))
        }] += 1;
        // What was learnt is as true afterwards.
        assert_eq!(oracle.value(&position, &mut Limits::default()), Ok(exact));
    }
    assert!(kinds[0] > 0 && kinds[1] > 0, "{kinds:?}");
    let mut limits = Limits { nodes: Some(500), ..Limits::default() };
    let mut oracle = Oracle::new(rules, 2);
    let values = oracle.move_values(&position, &mut limits).expect("a position");
    assert!(oracle.nodes() <= 500 && values.len() == position.legal_count());
    assert!(values.iter().any(|(_, bounds)| bounds.exact().is_none()), "{values:?}");
    assert_eq!(oracle.best_moves(&position, &mut limits), Ok(None));
    // The start takes minutes: somebody has to stop it.
    let mut looks = Vec::new();
    let mut watch = |progress: Progress| {
        looks.push(progress.nodes);
        if looks.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut limits = Limits { watch: Some(&mut watch), ..Limits::default() };
    let bounds = oracle.value(&ConnectFour::start(&rules), &mut limits).expect("a position");
    assert!(bounds.least() < bounds.most(), "{bounds:?}");
    assert_eq!(looks, [1 << 20, 2 << 20]);
}

#[test]
fn scores_are_the_distances_of_other_searches() {
    let rules = Rules::STANDARD;
    let mut oracle = Oracle::new(rules, 2);
    for (moves, score, plies, certainty) in [
        // Three in a column, and one to come.
        ("414141", 18, 1, Certainty::win_in(1)),
        // An open three in the lowest row.
        ("37475", -18, 2, Certainty::loss_in(2)),
        ("2252576253462244111563365343671351441", -1, 4, Certainty::loss_in(4)),
        ("23163416124767223154467471272416755633", 0, 4, Certainty::DRAW),
    ] {
        let bounds = oracle.value(&position(rules, moves), &mut Limits::default()).expect("a position");
        assert_eq!((bounds.exact(), bounds.plies()), (Some(score), Some(plies)), "{moves}");
        assert_eq!(bounds.certainty(), Some(certainty), "{moves}");
    }
    let start = ConnectFour::start(&rules);
    let certainty = |least: i32, most: i32| {
        let mut bounds = Bounds::of_anything(&start);
        bounds.raise(least);
        bounds.lower(most);
        bounds.certainty()
    };
    assert_eq!(certainty(1, 3), Some(Certainty::WIN));
    assert_eq!(certainty(-3, -2), Some(Certainty::LOSS));
    assert_eq!(certainty(0, 3), Some(Certainty::NOT_LOST));
    assert_eq!(certainty(-3, 0), Some(Certainty::NOT_WON));
    assert_eq!(certainty(-3, 1), None);
}

#[test]
fn finished_games_and_other_boards_are_refused() {
    let mut oracle = Oracle::new(Rules::STANDARD, 2);
    let over = position(Rules::STANDARD, "4141414");
    let other = ConnectFour::start(&"5x4".parse().expect("a size"));
    for (position, error) in
        [(over, OracleError::GameOver), (other, OracleError::OtherBoard(Rules::STANDARD))]
    {
        assert_eq!(oracle.value(&position, &mut Limits::default()), Err(error));
        assert_eq!(oracle.move_values(&position, &mut Limits::default()), Err(error));
        assert_eq!(oracle.best_moves(&position, &mut Limits::default()), Err(error));
    }
}
