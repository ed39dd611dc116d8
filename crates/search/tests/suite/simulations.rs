//! Recorded Monte Carlo searches: every number in them is computed again from the results alone.

use std::collections::HashMap;
use std::sync::Arc;

use crate::common::{Tree, TreeGame, random_tree};
use outplay_core::{Game, Line, Move, Player, Rng};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::textbook::{
    Algorithm, Candidate, Choice, Deepening, FlatMonteCarlo, NotRecorded, Recording, TreeSearch, Uct,
};
use outplay_search::{Control, Evaluating, Limits, NoKnowledge, Report, Search};

const SIMULATIONS: u64 = 60;
const ENOUGH_ROWS: usize = 100_000;

fn monte_carlo(seed: u64) -> [Box<dyn Search<TreeGame>>; 2] {
    let mut searches: [Box<dyn Search<TreeGame>>; 2] =
        [Box::new(FlatMonteCarlo::default()), Box::new(Uct::default())];
    for search in &mut searches {
        search.options_mut().set("seed", &seed.to_string()).expect("a seed");
    }
    searches
}

/// Trees with something to choose at the root.
fn lines() -> Vec<Line<TreeGame>> {
    let mut rng = Rng::new(1);
    let trees = std::iter::repeat_with(|| TreeGame::new(random_tree(&mut rng, 5, 4, 1)));
    trees.filter(|tree| tree.legal_moves().len() > 1).take(20).map(Line::new).collect()
}

fn record(search: &dyn Search<TreeGame>, line: &Line<TreeGame>) -> Recording {
    search.record(line, SIMULATIONS, ENOUGH_ROWS).expect("a recording")
}

fn searched(search: &mut dyn Search<TreeGame>, line: &Line<TreeGame>) -> Report {
    let limits = Limits { nodes: Some(SIMULATIONS), lines: usize::MAX, ..Limits::default() };
    let (signals, mut nobody) = (Arc::new(Signals::default()), |_| ());
    let player = line.position().to_move();
    search.search(line, &mut Control::new(player, &limits, &StopOptions::default(), &signals, &mut nobody))
}

/// How often each line of play was tried, and the sum of its results for the first player.
#[derive(Default)]
struct Tallies(HashMap<Vec<Move>, (u64, i64)>);

impl Tallies {
    fn of(&self, line: &[Move]) -> (u64, i64) {
        self.0.get(line).copied().unwrap_or_default()
    }

    fn mean(&self, line: &[Move], player: Player) -> f64 {
        let (visits, total) = self.of(line);
        let sign = if player == Player::First { 1.0 } else { -1.0 };
        if visits == 0 { 0.0 } else { sign * total as f64 / visits as f64 }
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// Follows a recording by hand; `check` sees each choice with the line of play that led to it.
fn follow(line: &Line<TreeGame>, recording: &Recording, mut check: impl FnMut(&Choice, &[Move], &Tallies)) {
    let mut tallies = Tallies::default();
    for simulation in &recording.simulations {
        let mut position = line.position().clone();
        let mut played = Vec::new();
        for choice in &simulation.choices {
            assert_eq!(choice.player, position.to_move());
            assert_eq!(choice.visits, tallies.of(&played).0);
            let mut moves: Vec<Move> = choice.candidates.iter().map(|candidate| candidate.m).collect();
            moves.sort();
            assert_eq!(moves, position.legal_moves(), "every move stands in the table");
            for candidate in &choice.candidates {
                let way = [&played[..], &[candidate.m]].concat();
                assert_eq!(candidate.visits, tallies.of(&way).0);
                assert!(close(candidate.mean, tallies.mean(&way, choice.player)));
            }
            check(choice, &played, &tallies);
            let chosen = choice.candidates[choice.chosen].m;
            position.play(chosen);
            played.push(chosen);
        }
        assert_eq!(simulation.random_game.is_empty(), position.outcome().is_some());
        for &m in &simulation.random_game {
            assert!(position.outcome().is_none() && position.is_legal(m));
            position.play(m);
        }
        assert_eq!(position.outcome(), Some(simulation.outcome), "the random game ends with the result");
        for length in 0..=played.len() {
            let (visits, total) = tallies.0.entry(played[..length].to_vec()).or_default();
            *visits += 1;
            *total += i64::from(simulation.outcome.for_player(Player::First).signum());
        }
        assert_eq!(simulation.backed_up.len(), simulation.choices.len());
        for (length, (after, choice)) in simulation.backed_up.iter().zip(&simulation.choices).enumerate() {
            let way = &played[..=length];
            assert_eq!(after.visits, tallies.of(way).0);
            assert!(close(after.mean, tallies.mean(way, choice.player)));
            assert_eq!(i16::from(after.reward), simulation.outcome.for_player(choice.player).signum());
        }
    }
}

#[test]
fn what_is_recorded_is_the_search_itself() {
    for (seed, line) in lines().iter().enumerate() {
        for mut search in monte_carlo(seed as u64) {
            let recording = record(&*search, line);
            assert_eq!(recording.simulations.len() as u64, SIMULATIONS);
            assert_eq!(recording.lines, searched(&mut *search, line).lines);
            assert_eq!(recording, record(&*search, line), "the same seed gives the same recording");
        }
    }
}

#[test]
fn another_seed_gives_other_games() {
    let lines = lines();
    let differ = |number: usize| {
        let [one, other] = [1, 2].map(|seed| monte_carlo(seed).map(|search| record(&*search, &lines[0])));
        one[number].simulations != other[number].simulations
    };
    assert!(differ(0) && differ(1));
}

#[test]
fn uct_chooses_what_was_never_tried_and_then_the_highest_bound() {
    let exploration = 0.7;
    for (seed, line) in lines().iter().enumerate() {
        let [_, mut uct] = monte_carlo(seed as u64);
        uct.options_mut().set("exploration", &exploration.to_string()).expect("an option");
        let recording = record(&*uct, line);
        assert_eq!(recording.exploration, Some(exploration));
        let mut by_bound = 0;
        follow(line, &recording, |choice, played, tallies| {
            let bound = |candidate: &Candidate| {
                let way = [played, &[candidate.m]].concat();
                let (visits, parent_visits) = (tallies.of(&way).0 as f64, tallies.of(played).0 as f64);
                let uncertain = exploration * (parent_visits.ln() / visits).sqrt();
                tallies.mean(&way, choice.player) + uncertain
            };
            for candidate in &choice.candidates {
                match candidate.bound {
                    None => assert_eq!(candidate.visits, 0),
                    Some(recorded) => assert!(close(recorded, bound(candidate))),
                }
            }
            let untried = choice.candidates.iter().position(|candidate| candidate.bound.is_none());
            if let Some(untried) = untried {
                assert_eq!(choice.chosen, untried);
            } else {
                by_bound += 1;
                let chosen = bound(&choice.candidates[choice.chosen]);
                assert!(choice.candidates.iter().all(|candidate| bound(candidate) <= chosen + 1e-12));
            }
        });
        assert!(by_bound > 0, "a choice by bounds");
    }
}

#[test]
fn flat_monte_carlo_gives_each_move_its_turn() {
    for line in &lines() {
        let [flat, _] = monte_carlo(3);
        let recording = record(&*flat, line);
        assert_eq!(recording.exploration, None);
        let count = line.position().legal_moves().len() as u64;
        follow(line, &recording, |choice, played, tallies| {
            assert!(played.is_empty());
            assert_eq!(choice.chosen as u64, tallies.of(&[]).0 % count);
            assert!(choice.candidates.iter().all(|candidate| candidate.bound.is_none()));
        });
    }
}

#[test]
fn flat_monte_carlo_stops_where_its_own_settings_do() {
    let line = &lines()[0];
    let [mut flat, _] = monte_carlo(1);
    flat.options_mut().set("playouts", "2").expect("an option");
    assert_eq!(record(&*flat, line).simulations.len(), 2 * line.position().legal_moves().len());
}

#[test]
fn a_recording_that_would_be_too_long_is_given_up() {
    let line = &lines()[0];
    for search in monte_carlo(1) {
        let recording = record(&*search, line);
        let rows: usize = recording
            .simulations
            .iter()
            .map(|one| {
                one.random_game.len()
                    + one.choices.iter().map(|choice| choice.candidates.len()).sum::<usize>()
            })
            .sum();
        assert_eq!(search.record(line, SIMULATIONS, rows), Ok(recording));
        assert_eq!(search.record(line, SIMULATIONS, rows - 1), Err(NotRecorded::TooLong));
        assert_eq!(search.record(line, u64::MAX, 100), Err(NotRecorded::TooLong));
    }
    let minimax =
        TreeSearch::new(Algorithm::Minimax, Deepening::Once, Box::new(Evaluating::new(NoKnowledge)));
    assert_eq!(minimax.record(line, 1, ENOUGH_ROWS), Err(NotRecorded::NoSimulations));
}

#[test]
fn a_game_that_is_over_has_no_simulations() {
    let over = Line::new(TreeGame::new(Tree::Leaf(1)));
    for search in monte_carlo(1) {
        let recording = record(&*search, &over);
        assert!(recording.simulations.is_empty() && recording.lines.is_empty());
    }
}
