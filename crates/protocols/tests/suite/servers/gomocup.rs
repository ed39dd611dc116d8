//! The protocol of Gomocup.

use std::time::{Duration, Instant};

use super::{Server, heard};
use crate::talk::Talk;

/// What one line is answered with.
fn ask(talk: &Talk, line: &str) -> String {
    talk.send(line);
    heard(talk)
}

/// Makes sure that lines are taken without a word.
fn tell(talk: &Talk, lines: &[&str]) {
    lines.iter().for_each(|line| talk.send(line));
    assert!(ask(talk, "ABOUT").starts_with("name=\"Outplay\""));
}

fn quick(start: &str) -> Talk {
    let talk = Server::Gomocup.start();
    tell(
        &talk,
        &["INFO timeout_turn 40", "INFO rule 0", "INFO game_type 1", "INFO folder /x", "INFO what 1"],
    );
    assert_eq!(ask(&talk, start), "OK");
    talk
}

/// The numbers of a cell.
fn cell(text: &str) -> (usize, usize) {
    let numbers = text.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    numbers.unwrap_or_else(|| panic!("no cell: {text}"))
}

#[test]
fn a_game_is_played_in_numbers_from_the_upper_left() {
    let talk = quick("START 15");
    assert_eq!(ask(&talk, "BEGIN"), "7,7");
    assert!(ask(&talk, "BEGIN").starts_with("ERROR"), "there are stones");
    let second = cell(&ask(&talk, "TURN 0,0"));
    assert!(second.0 < 15 && second.1 < 15);
    assert!(ask(&talk, "TURN 0,0").starts_with("ERROR"));
    assert!(ask(&talk, "TURN 15,0").starts_with("ERROR"));
    assert!(ask(&talk, "TURN x").starts_with("ERROR"));
    assert_eq!(ask(&talk, "RESTART"), "OK");
    assert_ne!(cell(&ask(&talk, "turn 7,7")), (7, 7));
}

#[test]
fn rows_count_from_the_top_also_on_boards_that_are_not_square() {
    let talk = quick("RECTSTART 12,8");
    // Four stones of ours in the left column from the upper corner on: only the cell below them wins.
    for line in ["BOARD", "0,0,1", "5,5,2", "0,1,1", "6,5,2", "0,2,1", "7,5,2", "0,3,1", "11,7,2"] {
        talk.send(line);
    }
    assert_eq!(ask(&talk, "DONE"), "0,4");
    assert!(ask(&talk, "TURN 11,0").starts_with("ERROR"), "the game is won");
    assert!(ask(&talk, "RECTSTART 12").starts_with("ERROR"));
    assert!(ask(&talk, "RECTSTART 12,4").starts_with("ERROR"));
    assert!(ask(&talk, "START 22").starts_with("ERROR"));
    // The old board is still there.
    assert_eq!(ask(&talk, "TAKEBACK 0,4"), "OK");
    assert!(ask(&talk, "TAKEBACK 0,4").starts_with("ERROR"));
    assert_eq!(ask(&talk, "YXNBEST 1").split_whitespace().next(), Some("MESSAGE"));
    assert_eq!(heard(&talk), "0,4");
}

#[test]
fn a_board_is_checked_as_a_whole_and_no_line_of_it_is_a_command() {
    let talk = quick("START 15");
    for bad in
        [&["7,7,2", "8,8,2"][..], &["7,7,3"], &["7,7"], &["x"], &["7,7,1", "7,7,2"], &["15,0,2"], &["END,1"]]
    {
        talk.send("BOARD");
        bad.iter().for_each(|line| talk.send(line));
        assert!(ask(&talk, "DONE").starts_with("ERROR"), "{bad:?}");
    }
    assert_eq!(ask(&talk, "BEGIN"), "7,7", "nothing has changed");
}

#[test]
fn analysis_plays_nothing_and_may_be_ended() {
    let talk = quick("START 15");
    tell(&talk, &["YXBOARD", "7,7,2", "DONE"]);
    talk.send("YXNBEST 3");
    let said = talk.until(|line| !line.starts_with("MESSAGE"));
    let numbers: Vec<_> = said.iter().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(numbers, ["1.", "2.", "3."], "{said:?}");
    let best = said.last().expect("a cell");
    assert!(said[0].contains(&format!(" line {best}")), "{said:?}");
    tell(&talk, &["INFO timeout_turn 60000", "YXSHOWINFO"]);
    talk.send("YXNBEST 1");
    talk.until(|line| line.starts_with("MESSAGE 1. depth 2"));
    let begun = Instant::now();
    talk.send("YXSTOP");
    let said = talk.until(|line| !line.starts_with("MESSAGE"));
    cell(said.last().expect("a cell"));
    assert!(begun.elapsed() < Duration::from_secs(5));
    // Black's stone at 7,7 is still the only one, so that White is to answer.
    assert_eq!(ask(&talk, "TAKEBACK 7,7"), "OK");
}

#[test]
fn rules_that_we_do_not_play_are_refused_as_long_as_they_stand() {
    let talk = quick("START 15");
    for rule in [1, 4, 5, 8] {
        assert!(ask(&talk, &format!("INFO rule {rule}")).starts_with("ERROR INFO rule"), "{rule}");
        assert!(ask(&talk, "BEGIN").starts_with("ERROR INFO rule"), "{rule}");
        assert!(ask(&talk, "TURN 3,3").starts_with("ERROR INFO rule"), "{rule}");
    }
    assert!(ask(&talk, "INFO rule x").starts_with("ERROR"));
    // Continuous games are games like others.
    tell(
        &talk,
        &["INFO rule 2", "INFO max_memory 83886080", "INFO time_left 2147483647", "INFO timeout_match 0"],
    );
    assert_eq!(ask(&talk, "BEGIN"), "7,7");
}

#[test]
fn swap2_places_three_stones_or_chooses_a_side() {
    let talk = quick("START 15");
    talk.send("SWAP2BOARD");
    let opening = ask(&talk, "DONE");
    assert_eq!(opening, "6,0 7,1 8,0");
    // The other player has taken a side and answers.
    assert_ne!(ask(&talk, "TURN 10,10").split_once(','), None);
    // Black has an open three in the middle: nobody stays White.
    for line in ["SWAP2BOARD", "7,7,1", "0,0,2", "8,7,1", "0,14,2", "9,7,1"] {
        talk.send(line);
    }
    assert_eq!(ask(&talk, "DONE"), "SWAP");
    for line in ["SWAP2BOARD", "7,7,1"] {
        talk.send(line);
    }
    assert!(ask(&talk, "DONE").starts_with("ERROR"));
}

#[test]
fn nothing_goes_without_a_board_and_unknown_words_are_named() {
    let talk = Server::Gomocup.start();
    for line in ["BEGIN", "TURN 7,7", "RESTART", "TAKEBACK 7,7", "YXNBEST 1", "START", "START x"] {
        assert!(ask(&talk, line).starts_with("ERROR"), "{line}");
    }
    assert_eq!(ask(&talk, "hello world"), "UNKNOWN command \"HELLO\"");
    talk.send("BOARD");
    talk.send("7,7,2");
    assert!(ask(&talk, "DONE").starts_with("ERROR"));
    assert_eq!(ask(&talk, "START 20"), "OK");
    tell(&talk, &["INFO timeout_turn 60000"]);
    talk.send("TURN 0,0");
    assert_eq!(talk.next(Duration::from_millis(100)), None, "it thinks");
    let begun = Instant::now();
    talk.send("END");
    let (said, result) = talk.end();
    assert!(result.is_ok() && begun.elapsed() < Duration::from_secs(5));
    assert_eq!(said.len(), 1, "{said:?}");
}
