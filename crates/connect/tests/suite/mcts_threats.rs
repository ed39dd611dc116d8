//! What the Monte Carlo tree search claims with the eyes of [`ThreatSight`].

use std::collections::HashMap;
use std::sync::Arc;

use outplay_connect::threats::{Limits as SolverLimits, Solver, Threats, Verdict};
use outplay_connect::{Connect, Rules, ThreatSight};
use outplay_core::{Game, Line, Move, MoveList, Rng};
use outplay_search::mcts::Mcts;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Limits, Meaning, Report, Search, StopReason};

fn search(position: &Connect, limits: &Limits, settings: &[(&str, &str)]) -> Report {
    let mut search = Mcts::<Connect, ThreatSight>::new(ThreatSight::new(position.rules()));
    for (name, value) in [&[("evaluator", "static")], settings].concat() {
        search.options_mut().set(name, value).expect("an option");
    }
    let (line, signals, mut sink) = (Line::new(position.clone()), Arc::new(Signals::default()), |_| ());
    let options = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
    let mut control = Control::new(position.to_move(), limits, &options, &signals, &mut sink);
    search.search(&line, &mut control)
}

/// The result for the player to move, by looking at every position.
fn exhaustive(position: &Connect, known: &mut HashMap<u64, i16>) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.for_player(position.to_move());
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let best = position.legal_moves().each().map(|m| of_move(position, m, known)).max();
    let best = best.expect("a game that goes on has moves");
    known.insert(position.key(), best);
    best
}

/// The same for a move.
fn of_move(position: &Connect, m: Move, known: &mut HashMap<u64, i16>) -> i16 {
    let after = position.after(m);
    let value = exhaustive(&after, known);
    if after.to_move() == position.to_move() { value } else { -value }
}

/// The result that is claimed for the player to move, if one is.
fn claimed(score: Meaning) -> Option<i16> {
    match score {
        Meaning::WinIn(_) | Meaning::WON_SOMEHOW => Some(1),
        Meaning::LossIn(_) | Meaning::LOST_SOMEHOW => Some(-1),
        Meaning::Opinion(0) => Some(0),
        _ => None,
    }
}

/// A position after so many moves by chance; `None` if the game is over before.
fn random_position(
    rules: Rules,
    stones: usize,
    near: impl Fn(Move) -> bool,
    rng: &mut Rng,
) -> Option<Connect> {
    let mut position = Connect::start(&rules);
    for _ in 0..stones {
        let moves: Vec<Move> = position.legal_moves().each().filter(|&m| near(m)).collect();
        position.play(moves[rng.below(moves.len())]);
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}

#[test]
fn on_small_boards_every_claim_is_what_exhaustive_search_says() {
    let mut rng = Rng::new(5);
    let mut counts = [0; 3];
    let all_moves: &[(&str, &str)] = &[("candidates", "false")];
    for rules in ["4,4,4,2,1", "5,4,4,2,1", "6,3,3,2,1", "4,4,3,1,1", "5,5,4,1,1"] {
        let rules: Rules = rules.parse().expect("valid rules");
        let mut left = 12;
        while left > 0 {
            let Some(position) = random_position(rules, rules.cells() - 8, |_| true, &mut rng) else {
                continue;
            };
            left -= 1;
            let mut known = HashMap::new();
            for settings in
                [&[], all_moves, &[("dag", "true")], &[("threads", "2")], &[("candidate_share", "0.3")]]
            {
                let limits = Limits { nodes: Some(2_000), lines: 1_000, ..Limits::default() };
                for line in search(&position, &limits, settings).lines {
                    let Some(result) = claimed(line.score) else { continue };
                    let truth = of_move(&position, line.moves[0], &mut known);
                    assert_eq!(result, truth, "{position:?} {settings:?} {line:?}");
                    counts[(result + 1) as usize] += 1;
                }
            }
        }
    }
    assert!(counts[0] > 100 && counts[1] > 20 && counts[2] > 100, "{counts:?}");
}

#[test]
fn wins_of_connect6_that_are_claimed_are_wins_by_the_solver() {
    let (rules, mut rng) = (Rules::CONNECT6, Rng::new(77));
    let near = |m: Move| (6..13).contains(&(m.index() % 19)) && (6..13).contains(&(m.index() / 19));
    let mut solver = Solver::new(rules).expect("rules of two stones");
    let mut shown = 0;
    while shown < 20 {
        let stones = 13 + 2 * rng.below(6);
        let Some(position) = random_position(rules, stones, near, &mut rng) else { continue };
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let report = search(&position, &limits, &[("forced_win_nodes", "0")]);
        if claimed(report.lines[0].score) != Some(1) {
            continue;
        }
        let limits = SolverLimits { nodes: 200_000, turns: 20 };
        let solution = solver.solve(&position, Threats::Double, limits).expect("a position");
        assert!(matches!(solution.verdict, Verdict::Win(_)), "{position:?} {:?}", report.lines[0]);
        shown += 1;
    }
}

#[test]
fn a_win_by_double_threats_is_played_without_a_search() {
    let mut rng = Rng::new(78);
    let near = |m: Move| (6..13).contains(&(m.index() % 19)) && (6..13).contains(&(m.index() / 19));
    let mut shown = 0;
    while shown < 10 {
        let Some(position) = random_position(Rules::CONNECT6, 17, near, &mut rng) else { continue };
        let mut solver = Solver::new(Rules::CONNECT6).expect("rules of two stones");
        let limits = SolverLimits { nodes: 1_000, turns: 20 };
        let solution = solver.solve(&position, Threats::Double, limits).expect("a position");
        if !matches!(solution.verdict, Verdict::Win(_)) {
            continue;
        }
        let report = search(&position, &Limits { nodes: Some(100), ..Limits::default() }, &[]);
        assert!(matches!(report.lines[0].score, Meaning::WinIn(_)), "{position:?} {report:?}");
        assert_eq!(report.counters.nodes, 0);
        shown += 1;
    }
}

#[test]
fn a_full_tree_of_candidates_makes_room_and_goes_on() {
    let middle = |m: Move| (7..12).contains(&(m.index() % 19)) && (7..12).contains(&(m.index() / 19));
    let position =
        random_position(Rules::CONNECT6, 5, middle, &mut Rng::new(3)).expect("too few stones to win");
    let limits = Limits { nodes: Some(15_000), lines: 2, ..Limits::default() };
    for dag in ["false", "true"] {
        let full = [("ram_limit_mb", "1"), ("dag", dag)];
        let report = search(&position, &limits, &full);
        assert_eq!(report.stopped, Some(StopReason::Memory), "dag={dag}");
        let report = search(&position, &limits, &[&full[..], &[("ram_limit_recycles", "true")]].concat());
        assert_eq!((report.stopped, report.counters.nodes), (Some(StopReason::Nodes), 15_000), "dag={dag}");
    }
}
