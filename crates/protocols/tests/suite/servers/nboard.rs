//! NBoard's protocol.

use std::time::{Duration, Instant};

use outplay_engine::Catalogue;
use outplay_protocols::serve::{GameEngine, nboard};

use super::{Server, heard};
use crate::talk::{PATIENCE, Talk};

/// Black has played f5, White f6 and so on: the game of the example session in the protocol's description.
const GAME: &str = "set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 \
    ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

fn begun(depth: u32) -> Talk {
    let talk = Server::NBoard.start();
    talk.send("nboard 2");
    assert_eq!(heard(&talk), "set myname Outplay");
    talk.send(&format!("set depth {depth}"));
    talk
}

/// What is said until the program has done all that it was told, without the search being cut.
fn until_done(talk: &Talk, last: &str) -> Vec<String> {
    talk.until(|line| line.starts_with(last))
}

#[test]
fn the_session_of_the_protocols_description_is_answered_as_there() {
    let talk = begun(6);
    talk.send(GAME);
    talk.send("ping 1");
    assert_eq!(heard(&talk), "pong 1");
    talk.send("go");
    let said = until_done(&talk, "===");
    assert_eq!(said[0], "status Outplay is thinking");
    let searched: Vec<&String> = said.iter().filter(|line| line.starts_with("search ")).collect();
    let words: Vec<&str> = searched.last().expect("a line of play").split(' ').collect();
    assert!(words[1].len() >= 2 && words[2].parse::<f64>().is_ok() && words[3..] == ["0", "6"], "{words:?}");
    assert!(said.iter().any(|line| line.starts_with("nodestats ")));
    let answer: Vec<&str> = said.last().expect("an answer").trim_start_matches("=== ").split('/').collect();
    assert_eq!((answer.len(), answer[0], answer[1]), (3, &words[1][..2], words[2]));
    // Nothing was played: the same question has the same answer.
    talk.send("go");
    assert!(until_done(&talk, "===").last().expect("an answer").starts_with(&format!("=== {}/", answer[0])));
    talk.send(&format!("move {}/{}/2.5", answer[0], answer[1]));
    talk.send("hint 3");
    let said = until_done(&talk, "nodestats");
    assert_eq!(said[0], "status Outplay is thinking", "the move was legal");
    assert!(talk.end().1.is_ok());
}

#[test]
fn a_hint_has_as_many_moves_as_were_asked_for_the_best_first() {
    let talk = begun(4);
    talk.send("move F5");
    talk.send("hint 9");
    let said = talk.until(|line| line == "status");
    let last = said.iter().rposition(|line| line.starts_with("nodestats")).expect("figures");
    let shown = &said[last - 3..last];
    let values: Vec<f64> = shown
        .iter()
        .map(|line| line.split(' ').nth(2).and_then(|value| value.parse().ok()).expect("a value"))
        .collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{shown:?}");
    let mut moves: Vec<&str> =
        shown.iter().map(|line| &line.split(' ').nth(1).expect("a line")[..2]).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["D6", "F4", "F6"], "the three moves that White has");
}

#[test]
fn the_end_of_the_game_is_solved_and_said_to_be_exact() {
    let talk = begun(10);
    talk.send(
        "set game (;GM[Othello]PC[x]TY[8]BO[8 -OOOOOO--****OO-OO**OOOOOO****OOOOOO**OO-OOOO*OO--OOOO**--OOO*** *];)",
    );
    talk.send("ping 1");
    let said = until_done(&talk, "pong");
    assert_eq!(said, ["pong 1"], "the game was understood");
    talk.send("go");
    let said = until_done(&talk, "===");
    assert!(
        said.iter().any(|line| line.starts_with("search ") && line.ends_with(" 32.00 0 100%")),
        "{said:?}"
    );
    assert!(said.last().expect("an answer").contains("/32.00/"), "as Edax has it: {said:?}");
}

#[test]
fn an_analysis_goes_back_from_the_end_to_the_start() {
    let talk = begun(3);
    for m in ["F5", "D6", "C3"] {
        talk.send(&format!("move {m}"));
    }
    talk.send("analyze");
    let said = talk.until(|line| line == "status");
    let numbers: Vec<&str> = said[..4].iter().map(|line| line.split(' ').nth(1).expect("a number")).collect();
    assert_eq!(numbers, ["3", "2", "1", "0"]);
    assert!(said[..4].iter().all(|line| line.starts_with("analysis ") && line.split(' ').count() == 3));
    talk.send("move D3");
    talk.send("ping 1");
    assert_eq!(heard(&talk), "pong 1", "the move is legal: the game is where it was");
}

#[test]
fn a_ping_ends_a_search_and_is_answered_after_it() {
    let talk = begun(60);
    talk.send("move F5");
    talk.send("hint 1");
    assert_eq!(heard(&talk), "status Outplay is thinking");
    std::thread::sleep(Duration::from_millis(30));
    let begun = Instant::now();
    talk.send("go");
    talk.send("ping 7");
    let said = until_done(&talk, "pong 7");
    assert!(begun.elapsed() < PATIENCE / 4, "{:?}", begun.elapsed());
    assert!(said.iter().any(|line| line == "status") && said.iter().any(|line| line.starts_with("=== ")));
    assert!(talk.end().1.is_ok());
}

#[test]
fn a_ping_ends_an_analysis() {
    let talk = begun(60);
    for m in ["F5", "D6", "C3"] {
        talk.send(&format!("move {m}"));
    }
    talk.send("analyze");
    std::thread::sleep(Duration::from_millis(30));
    let begun = Instant::now();
    talk.send("ping 7");
    assert_eq!(until_done(&talk, "pong 7"), ["status", "pong 7"]);
    assert!(begun.elapsed() < PATIENCE / 4, "{:?}", begun.elapsed());
}

#[test]
fn a_clock_in_the_game_limits_a_move_and_not_a_hint() {
    let talk = begun(60);
    talk.send(&GAME.replace("15:00", "0:01"));
    let begun = Instant::now();
    talk.send("go");
    until_done(&talk, "===");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    talk.send("hint 1");
    std::thread::sleep(Duration::from_millis(1_200));
    let said = talk.heard_within(Duration::from_millis(50));
    assert!(!said.iter().any(|line| line == "status"), "it goes on: {said:?}");
    assert!(talk.end().1.is_ok());
}

#[test]
fn what_makes_no_sense_leaves_the_game_alone() {
    let talk = begun(2);
    talk.send("move F5");
    for (line, says) in [
        ("move A1", "a1"),
        ("move", "square"),
        ("set game (;GM[Othello]B[A1];)", "a1"),
        ("set game", "(;"),
        ("set depth x", "number"),
        ("set colour red", "unknown setting"),
        ("set contempt very", "number"),
        ("hint 0", "number of moves"),
        ("hint", "number of moves"),
        ("nboard two", "version"),
        ("fly", "unknown command"),
    ] {
        talk.send(line);
        let said = heard(&talk).to_lowercase();
        assert!(said.starts_with("status ") && said.contains(says), "{line}: {said}");
    }
    for quiet in ["set contempt -100", "", "set depth 0"] {
        talk.send(quiet);
    }
    talk.send("ping 1");
    assert_eq!(heard(&talk), "pong 1");
    talk.send("move D6");
    talk.send("ping 2");
    assert_eq!(heard(&talk), "pong 2", "the move was legal: the game stands where it stood");
    talk.send("quit");
    assert!(talk.end().1.is_ok());
}

#[test]
fn a_game_that_is_over_has_no_move_and_a_pass_is_one() {
    let talk = begun(4);
    talk.send(&format!("set game (;GM[Othello]BO[8 O*{} *];)", "-".repeat(62)));
    talk.send("go");
    let said = until_done(&talk, "===");
    assert!(said.last().expect("an answer").starts_with("=== PA"), "{said:?}");
    talk.send("move PA");
    talk.send("move C1");
    talk.send("go");
    assert_eq!(heard(&talk), "status the game is over");
}

#[test]
fn what_is_learned_stands_in_the_book() {
    let folder = std::env::temp_dir().join(format!("outplay-nboard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("learned.book");
    let learns_to = path.clone();
    let talk = Talk::with(move |input, out| {
        nboard::serve(&GameEngine::outplay(Catalogue::standard(), Vec::new()), Some(learns_to), input, out)
    });
    for m in ["F5", "D6", "C3"] {
        talk.send(&format!("move {m}"));
    }
    for _ in 0..2 {
        talk.send("learn");
        assert_eq!(heard(&talk), "learned");
    }
    let book = outplay_book::Book::from_bytes(&std::fs::read(&path).expect("a book")).expect("a book");
    assert_eq!((book.game(), book.len()), ("othello", 3), "three positions have a known move");
    std::fs::write(&path, "something else").expect("written");
    talk.send("learn");
    assert_eq!(heard(&talk), "learned");
    assert!(heard(&talk).starts_with("status ") && std::fs::read(&path).expect("kept") == b"something else");
    std::fs::remove_dir_all(&folder).expect("removed");
    let without = begun(2);
    without.send("learn");
    assert_eq!(heard(&without), "learned");
    assert!(heard(&without).contains("--learn FILE"));
}
