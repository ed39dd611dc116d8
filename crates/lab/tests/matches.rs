//! Whole matches: the same result on any number of threads, after an interruption, and with players that break.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use outplay_lab::stats::{Decision, EloModel, GameResult, Sprt, Summary};
use outplay_lab::{Ending, Plan, PlayedPair, PlayerSpec, TimeControl, random_openings, run_match};

fn plan(game: &str, a: &str, b: &str, pairs: usize, nodes: u64) -> Plan {
    let control = TimeControl { nodes: Some(nodes), ..TimeControl::default() };
    Plan {
        game: game.to_string(),
        players: [a, b].map(|text| PlayerSpec::parse(text).expect("a player")),
        controls: [control.clone(), control],
        openings: random_openings(game, pairs, 4, 1).expect("openings"),
        pairs,
        most_plies: 400,
        sprt: None,
        concurrency: 1,
    }
}

fn run(plan: &Plan, finished: BTreeMap<usize, [GameResult; 2]>) -> (Summary, Vec<PlayedPair>) {
    let mut pairs = Vec::new();
    let summary = run_match(plan, finished, &mut |pair, _| {
        pairs.extend(pair.cloned());
        ControlFlow::Continue(())
    });
    (summary.expect("players that can be made"), pairs)
}

/// The moves of all games; times differ from run to run.
fn moves(pairs: &[PlayedPair]) -> Vec<Vec<&str>> {
    let games = pairs.iter().flat_map(|pair| &pair.games);
    games.map(|game| game.moves.iter().map(|(_, text, _)| text.as_str()).collect()).collect()
}

#[test]
fn threads_do_not_change_a_match() {
    let mut plan = plan("connect4", "search=deepening", "search=uct", 8, 300);
    let (alone, pairs) = run(&plan, BTreeMap::new());
    plan.concurrency = 3;
    let (together, same_pairs) = run(&plan, BTreeMap::new());
    assert_eq!(serde_json::to_string(&alone).unwrap(), serde_json::to_string(&together).unwrap());
    assert_eq!(moves(&pairs), moves(&same_pairs));
    assert_eq!(pairs.len(), 8);
    // With nodes for a limit, the files are the same byte for byte, and they can be read.
    for (one, other) in pairs.iter().zip(&same_pairs) {
        assert_eq!(one.texts, other.texts);
        let mut session = outplay_engine::open("connect4").expect("a game");
        session.load(one.texts[0].as_bytes(), 0).expect("a game");
        assert_eq!(session.played().len(), 4 + one.games[0].moves.len());
    }
}

#[test]
fn a_match_taken_up_again_ends_as_if_it_had_not_been_interrupted() {
    let plan = plan("othello", "search=deepening", "search=flat,playouts=3", 6, 200);
    let (whole, pairs) = run(&plan, BTreeMap::new());
    let mut seen = BTreeMap::new();
    let interrupted = run_match(&plan, BTreeMap::new(), &mut |pair, _| {
        seen.extend(pair.map(|pair| (pair.index, pair.results())));
        if seen.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(interrupted.is_ok());
    let (resumed, rest) = run(&plan, seen);
    assert_eq!(serde_json::to_string(&whole).unwrap(), serde_json::to_string(&resumed).unwrap());
    assert_eq!(moves(&rest), moves(&pairs[3..]), "none is played twice");
}

#[test]
fn a_test_ends_the_match_as_soon_as_it_is_decided() {
    let mut plan = plan("connect4", "search=deepening", "search=flat,playouts=1", 200, 2_000);
    plan.sprt = Some(Sprt::new(EloModel::Logistic, 0.0, 100.0, 0.05, 0.05).expect("a test"));
    plan.concurrency = 2;
    let (summary, pairs) = run(&plan, BTreeMap::new());
    assert_eq!(summary.decision(), Decision::AcceptH1);
    assert!(pairs.len() < 100, "{} pairs", pairs.len());
}

#[test]
fn a_player_that_breaks_loses_and_is_started_again() {
    let script = "n=0; while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) n=$((n+1)); [ $n = 2 ] && exit; echo bestmove zzzz;; esac; done";
    let mut plan = plan("chess", "search=deepening", "search=deepening", 2, 50);
    let command = outplay_protocols::CommandLine {
        program: "sh".to_string(),
        arguments: vec!["-c".to_string(), script.to_string()],
        folder: None,
    };
    let protocol = outplay_lab::Protocol::Uci;
    plan.players[1] = PlayerSpec::External { command, protocol, options: Vec::new() };
    let (summary, pairs) = run(&plan, BTreeMap::new());
    assert_eq!(summary.decision(), Decision::Continue);
    let games: Vec<_> = pairs.iter().flat_map(|pair| &pair.games).collect();
    assert_eq!(games.len(), 4);
    for game in games {
        assert!(matches!(game.ending, Ending::Fault { .. }), "{:?}", game.ending);
    }
    assert!(pairs.iter().flat_map(PlayedPair::results).all(|result| result == GameResult::Win));
}

#[test]
fn a_player_that_cannot_be_started_is_an_error_and_not_a_hang() {
    let mut plan = plan("chess", "search=deepening", "search=deepening", 2, 50);
    plan.players[0] = PlayerSpec::parse("cmd=no-such-program").expect("a player");
    let error =
        run_match(&plan, BTreeMap::new(), &mut |_, _| ControlFlow::Continue(())).expect_err("an error");
    assert!(error.to_string().contains("no-such-program"), "{error}");
}
