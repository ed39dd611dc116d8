//! The Go Text Protocol.

use std::time::{Duration, Instant};

use super::Server;
use crate::talk::{PATIENCE, Talk};

/// The answer to a command, without the empty line behind it.
fn ask(talk: &Talk, command: &str) -> String {
    talk.send(command);
    let mut lines = talk.until(str::is_empty);
    lines.pop();
    lines.join("\n")
}

fn quick(game: &'static str) -> Talk {
    let talk = Server::Gtp(game).start();
    // One move in a period of little time.
    assert_eq!(ask(&talk, "time_settings 0 0.04 1"), "=");
    talk
}

#[test]
fn every_command_gets_one_answer_with_its_number() {
    let talk = quick("connect6");
    for (command, answer) in [
        ("protocol_version", "= 2"),
        ("1 protocol_version", "=1 2"),
        ("name", "= Outplay"),
        ("known_command genmove", "= true"),
        ("known_command fly", "= false"),
        ("12 fly", "?12 unknown command"),
        ("7", "?7 unknown command"),
        ("play", "? syntax error: play"),
        ("komi 6.5", "="),
        ("komi x", "? syntax error: expected a number"),
        ("undo", "? cannot undo"),
        ("final_score", "? cannot score: the game goes on"),
        ("boardsize 99", "? unacceptable size"),
        ("boardsize 19", "="),
        ("clear_board # again", "="),
    ] {
        assert_eq!(ask(&talk, command), answer, "{command}");
    }
    let commands = ask(&talk, "list_commands");
    for known in commands.trim_start_matches("= ").lines() {
        assert_eq!(ask(&talk, &format!("known_command {known}")), "= true");
    }
    for required in ["quit", "boardsize", "clear_board", "komi", "play", "genmove", "list_commands"] {
        assert!(commands.lines().any(|line| line == required), "{required}");
    }
    talk.send("   # nothing to answer");
    talk.send("3 quit");
    assert_eq!(talk.next(PATIENCE).as_deref(), Some("=3"));
}

#[test]
fn a_turn_is_as_many_calls_as_stones_and_columns_have_no_i() {
    let talk = quick("connect6");
    assert_eq!(ask(&talk, "play b K10"), "=");
    let shown = ask(&talk, "showboard");
    let centre = format!("{}/9x9/{}", ["19"; 9].join("/"), ["19"; 9].join("/"));
    assert!(shown.ends_with(&format!("{centre} o 2")), "{shown}");
    assert_eq!(ask(&talk, "play w J9"), "=");
    assert!(ask(&talk, "play b A1").starts_with("? it is the turn of White"));
    assert!(ask(&talk, "play w I9").starts_with("? illegal move"), "there is no column I");
    assert!(ask(&talk, "play w K10").starts_with("? illegal move"));
    let stone = ask(&talk, "genmove w");
    assert!(stone.starts_with("= ") && !stone.contains('I'), "{stone}");
    assert!(ask(&talk, "genmove w").starts_with("? it is the turn of Black"));
    assert!(ask(&talk, "reg_genmove b").starts_with("= "));
    assert!(ask(&talk, "showboard").ends_with(" x 2"), "nothing was played");
    for answer in ["=", "=", "=", "? cannot undo"] {
        assert_eq!(ask(&talk, "undo"), answer);
    }
}

#[test]
fn games_end_and_are_scored() {
    let talk = quick("gomoku");
    assert_eq!(ask(&talk, "boardsize 15"), "=");
    for column in ["A", "B", "C", "D"] {
        assert_eq!(ask(&talk, &format!("play b {column}1")), "=");
        assert_eq!(ask(&talk, &format!("play w {column}15")), "=");
    }
    assert_eq!(ask(&talk, "genmove b"), "= E1");
    assert_eq!(ask(&talk, "final_score"), "= B+1");
    assert!(ask(&talk, "genmove w").starts_with("? the game is over"));
    assert_eq!(ask(&talk, "boardsize 9"), "=");
    assert!(ask(&talk, "showboard").ends_with("9/9/9/9/9/9/9/9/9 x 1"));
}

#[test]
fn othello_passes_and_is_counted() {
    let talk = quick("othello");
    assert_eq!(ask(&talk, "boardsize 10"), "? unacceptable size");
    assert_eq!(ask(&talk, "boardsize 8"), "=");
    assert!(ask(&talk, "play b pass").starts_with("? illegal move"));
    for number in 0..200 {
        let color = if ask(&talk, "reg_genmove b").starts_with('=') { "b" } else { "w" };
        let answer = ask(&talk, &format!("genmove {color}"));
        if answer.starts_with("? the game is over") {
            break;
        }
        assert!(answer.starts_with("= ") && number < 130, "{answer}");
    }
    let score = ask(&talk, "final_score");
    assert!(["= B+", "= W+", "= 0"].iter().any(|begin| score.starts_with(begin)), "{score}");
}

#[test]
fn games_without_cells_are_refused_and_the_end_is_heard_while_we_think() {
    let refused = Server::Gtp("chess").start().end().1.expect_err("no cells").to_string();
    assert!(refused.contains("connect6, gomoku, othello"), "{refused}");
    let talk = Server::Gtp("connect6").start();
    talk.send("time_settings 0 1000 1");
    talk.send("1 genmove b");
    talk.send("2 genmove b");
    talk.send("3 name");
    std::thread::sleep(Duration::from_millis(50));
    let begun = Instant::now();
    talk.send("4 quit");
    let (said, result) = talk.end();
    assert!(result.is_ok() && begun.elapsed() < Duration::from_secs(5));
    let said: Vec<&str> = said.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    assert!(said[1].starts_with("=1 ") && said[2].starts_with("?2 "), "{said:?}");
    assert_eq!(said[3..], ["=3 Outplay", "=4"]);
}
