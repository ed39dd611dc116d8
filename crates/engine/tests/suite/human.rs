//! Moves as people choose them.

use std::collections::HashMap;

use outplay_engine::{Session, open};
use outplay_search::Limits;

/// What is chosen in the position after these moves with each of so many seeds.
fn chosen(start: Option<&str>, moves: &str, settings: &[(&str, &str)], seeds: u64) -> HashMap<String, u64> {
    let mut session = open("chess").expect("a game");
    session.set_game(start, moves).expect("a game");
    for (name, value) in settings {
        session.set_option(name, value).expect("a setting");
    }
    let mut counts = HashMap::new();
    for seed in 0..seeds {
        session.set_option("noise_seed", &seed.to_string()).expect("a seed");
        let m = searched(&mut *session, &limits());
        *counts.entry(m).or_default() += 1;
    }
    counts
}

fn limits() -> Limits {
    Limits { nodes: Some(3_000), ..Limits::default() }
}

fn searched(session: &mut dyn Session, limits: &Limits) -> String {
    session.go(limits.clone(), Box::new(|report, _| assert!(report.lines.len() <= 1))).expect("a search");
    let best = session.wait().and_then(|report| report.best_move()).expect("a move");
    session.line_text(&[best]).concat()
}

#[test]
fn without_noise_the_best_move_is_played() {
    assert_eq!(chosen(None, "e4 e5 Nf3", &[], 8).len(), 1);
    let many = chosen(None, "e4 e5 Nf3", &[("noise", "1")], 60);
    assert!(many.len() >= 5, "{many:?}");
    assert!(many.get("Nc6").is_some_and(|times| *times >= 6), "the move that most people play: {many:?}");
}

#[test]
fn what_was_taken_is_taken_back() {
    // A knight was taken on c6; three moves take back, everything else loses a piece.
    let back = chosen(None, "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", &[("noise", "0.7"), ("blunders", "8")], 100);
    let takes = back.iter().filter(|(m, _)| m.ends_with("xc6")).map(|(_, times)| times).sum::<u64>();
    assert!(takes >= 90, "{back:?}");
}

#[test]
fn a_mate_at_hand_is_given() {
    let mates = chosen(Some("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), "", &[("noise", "1")], 50);
    assert!(mates.get("Ra8#").is_some_and(|times| *times >= 45), "{mates:?}");
}

#[test]
fn whoever_overlooks_something_overlooks_a_reply_to_a_quiet_move() {
    // The knight on f3 is attacked by a pawn. Who looks sees it; who does not plays on as if nothing were.
    let start = Some("rnbqkbnr/pppp1ppp/8/8/4p3/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1");
    let is_careful = |m: &String| m.starts_with('N');
    let careful = |blunders: &str| -> u64 {
        let settings = [("noise", "0.3"), ("blunders", blunders)];
        let moves = chosen(start, "", &settings, 60);
        moves.iter().filter(|(m, _)| is_careful(m)).map(|(_, times)| times).sum()
    };
    let (never, always) = (careful("0"), careful("100"));
    assert!(never >= 50, "{never} of 60");
    assert!(always + 10 <= never, "{always} of 60, {never} without blunders");
}

#[test]
fn who_is_far_ahead_gets_on_with_it() {
    let mut session = open("chess").expect("a game");
    for (name, value) in [("noise", "0.7"), ("blunders", "8")] {
        session.set_option(name, value).expect("a setting");
    }
    session.set_game(Some("8/8/8/4k3/8/8/3QK3/8 w - - 0 1"), "").expect("a game");
    while session.outcome().is_none() {
        let m = searched(&mut *session, &limits());
        session.play_text(&m).expect("a legal move");
    }
    let ending = session.ending().expect("an end");
    assert!(ending.contains("checkmate"), "{ending}");
}

#[test]
fn whoever_wants_to_know_the_best_move_hears_it() {
    let analysis = Limits { analysis: true, ..limits() };
    let all: Vec<String> = (0..12)
        .map(|seed: u64| {
            let mut session = open("chess").expect("a game");
            session.set_option("noise", "5").expect("a setting");
            session.set_option("noise_seed", &seed.to_string()).expect("a seed");
            searched(&mut *session, &analysis)
        })
        .collect();
    assert!(all.iter().all(|m| *m == all[0]), "{all:?}");
}

#[test]
fn every_game_can_be_played_so() {
    for game in ["othello", "connect6", "gomoku", "connect4", "tictactoe", "chess960:5"] {
        let mut session = open(game).expect("a game");
        for (name, value) in [("noise", "1"), ("blunders", "50")] {
            session.set_option(name, value).expect("a setting");
        }
        for _ in 0..8 {
            if session.outcome().is_none() {
                let m = searched(&mut *session, &limits());
                session.play_text(&m).expect("a legal move");
            }
        }
    }
}
