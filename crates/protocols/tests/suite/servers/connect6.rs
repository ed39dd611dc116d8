//! The line protocol of Connect6.

use std::time::{Duration, Instant};

use super::{Server, heard};
use crate::talk::Talk;

/// A talk with little time for turns.
fn quick() -> Talk {
    let talk = Server::Connect6.start();
    talk.send("movetime 40");
    talk
}

/// What one line is answered with; `name` behind it shows that there is nothing more.
fn answers(talk: &Talk, line: &str) -> Vec<String> {
    talk.send(line);
    talk.send("name");
    let mut lines = talk.until(|line| line.starts_with("name "));
    lines.pop();
    lines
}

fn answer(talk: &Talk, line: &str) -> String {
    let [answer] = <[String; 1]>::try_from(answers(talk, line)).expect("one line");
    answer
}

/// The letters of an answer.
fn turn(talk: &Talk, line: &str) -> String {
    let answer = answer(talk, line);
    answer.strip_prefix("move ").unwrap_or_else(|| panic!("{answer}")).to_string()
}

#[test]
fn a_game_is_played_in_letters_with_i_from_the_lower_left() {
    let talk = quick();
    assert_eq!(answer(&talk, "new black"), "move JJ");
    let first = turn(&talk, "move IASS");
    assert_eq!(first.len(), 4);
    let shown = answers(&talk, "print");
    let position = shown.last().expect("a position");
    assert!(position.ends_with(" o 2"), "{position}");
    // IA is the ninth column of the lowest row, SS the upper right corner.
    assert!(position.starts_with("18o/") && position.contains("/8o10 "), "{position}");
    let second = turn(&talk, "move AAAB");
    assert!(second.len() == 4 && second != first);
    assert!(answers(&talk, "new white").is_empty());
    assert_eq!(turn(&talk, "move JJ").len(), 4);
    assert!(talk.end().1.is_ok());
}

#[test]
fn stones_may_be_set_up_in_any_order_before_we_are_asked() {
    let talk = quick();
    for line in ["new white", "white KK", "black JJ", "white LL"] {
        assert!(answers(&talk, line).is_empty(), "{line}");
    }
    let black = turn(&talk, "next");
    assert_eq!(black.len(), 4);
    assert_eq!(turn(&talk, "move AABB").len(), 4, "we are Black from then on");
}

#[test]
fn a_win_with_the_first_stone_has_a_filler_and_a_loss_is_admitted() {
    let won = turn(&quick_five(), "next");
    assert!(won.starts_with("FA") || won.ends_with("FA"), "{won}");
    assert_eq!(won.len(), 4);
    // The other side's win is told, also with letters missing that make no difference.
    for lost in ["move FAJA", "move FA"] {
        let talk = quick_five();
        assert_eq!(answer(&talk, lost), "We loss!");
        assert!(answer(&talk, "next").starts_with("error: next: "), "the game is over");
    }
}

/// Black has five in the lowest row, open at F A only, and is to move; White's stones were placed last, so that White is us until
/// somebody says otherwise.
fn quick_five() -> Talk {
    let talk = quick();
    for line in
        ["new white", "black AA", "white JJLL", "black BACA", "white NNPP", "black DAEA", "white RRQA"]
    {
        talk.send(line);
    }
    talk
}

#[test]
fn what_cannot_be_done_gets_one_line_and_changes_nothing() {
    let talk = quick();
    assert_eq!(answer(&talk, "new black"), "move JJ");
    let before = answers(&talk, "print");
    for line in [
        "move",
        "move J",
        "move JJ",
        "move KK",
        "move KKK",
        "move KKLLMM",
        "move KKKK",
        "move JJKK",
        "move TAAA",
        "move K1K2",
        "move ÄÖ",
        "move KK LL",
        "new",
        "new game",
        "black JJ",
        "white",
        "white KK LL",
        "depth x",
        "depth -1",
        "movetime -1",
        "time x",
        "time 1 x",
        "time 1 2 3",
        "hello",
        "\u{0}\u{7f}",
    ] {
        let said = answer(&talk, line);
        assert!(said.starts_with("error: "), "{line}: {said}");
    }
    assert_eq!(answers(&talk, "print"), before);
    let help = answers(&talk, "help");
    assert!(help.len() > 10 && !help.iter().any(|line| line.starts_with("move ")), "{help:?}");
    for line in ["white KK", "next", "print"] {
        assert_eq!(
            answers(&talk, line).iter().any(|said| said.starts_with("error: ")),
            line == "next",
            "half a turn"
        );
    }
    assert_eq!(answer(&talk, "new black"), "move JJ");
    assert!(answers(&talk, "").is_empty());
    assert_eq!(turn(&talk, "move KKLL").len(), 4);
}

#[test]
fn time_is_kept_by_clock_and_by_turn() {
    let talk = Server::Connect6.start();
    for (line, most) in [("movetime 200", 2.0), ("time 3 0.1", 3.0)] {
        assert!(answers(&talk, line).is_empty());
        assert!(answers(&talk, "new white").is_empty());
        let begun = Instant::now();
        turn(&talk, "move JJ");
        assert!(begun.elapsed().as_secs_f64() < most, "{line}: {:?}", begun.elapsed());
        assert!(answers(&talk, "movetime 0").is_empty());
    }
    for line in ["vcf", "unvcf", "depth 2", "time 0"] {
        assert!(answers(&talk, line).is_empty(), "{line}");
    }
}

#[test]
fn the_end_is_heard_while_we_think_and_what_was_asked_is_answered() {
    for ends_with_word in [true, false] {
        let talk = Server::Connect6.start();
        talk.send("movetime 60000");
        talk.send("new white");
        talk.send("move JJ");
        assert_eq!(talk.next(Duration::from_millis(100)), None, "it thinks");
        let begun = Instant::now();
        talk.send("print");
        if ends_with_word {
            talk.send("quit");
        }
        let (said, result) = talk.end();
        assert!(result.is_ok() && begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert!(said[0].starts_with("move ") && said[0].len() == 9, "{said:?}");
        assert!(said.last().is_some_and(|line| line.ends_with(" x 2")), "{said:?}");
    }
}

#[test]
fn our_own_name_is_the_first_thing_to_ask_for() {
    let talk = Server::Connect6.start();
    talk.send("name");
    assert!(heard(&talk).starts_with("name Outplay "));
    assert!(talk.hang_up("name").is_err());
}
