//! The console for Othello.

use std::time::{Duration, Instant};

use super::{Server, heard};
use crate::talk::{PATIENCE, Talk};

/// What a command is answered with, up to what `version` says.
fn ask(talk: &Talk, command: &str) -> Vec<String> {
    talk.send(command);
    talk.send("version");
    let mut said = talk.until(|line| line.starts_with("Outplay 0"));
    said.pop();
    said
}

fn quick() -> Talk {
    let talk = Server::Console.start();
    assert!(ask(&talk, "level 2").is_empty());
    talk
}

/// How many discs there are, as the line below the board has it.
fn discs(said: &[String]) -> String {
    let line = said.iter().rfind(|line| line.starts_with("Black X"));
    line.expect("a board").clone()
}

fn is_over(said: &[String]) -> bool {
    let last = discs(said);
    last.contains("wins by") || last.ends_with("a draw")
}

#[test]
fn moves_are_played_taken_back_and_played_again() {
    let talk = quick();
    assert!(discs(&ask(&talk, "play f5D6 c3")).contains("White to move"));
    assert!(discs(&ask(&talk, "undo")).contains("Black to move"));
    let after = discs(&ask(&talk, "redo"));
    assert_eq!(discs(&ask(&talk, "redo")), after, "there is nothing more");
    assert!(discs(&ask(&talk, "d3")).contains("Black to move"), "moves alone are played");
    assert!(ask(&talk, "play a1")[0].contains("a1"));
    assert_eq!(ask(&talk, "moves")[0].split(' ').count(), 6);
    assert!(discs(&ask(&talk, "new")).contains("Black X 2, White O 2: Black to move"));
    for _ in 0..3 {
        assert!(discs(&ask(&talk, "undo")).contains("Black X 2, White O 2"));
    }
}

/// After c1 White has no move, and Black has another.
#[test]
fn passes_are_no_moves_to_take_back_or_to_play_again() {
    let talk = quick();
    ask(&talk, &format!("setboard XO------{0}XO------{0}{0}{0}{0}{0} X", "--------"));
    let said = ask(&talk, "play c1");
    assert!(said.last().is_some_and(|line| line == "White must pass"), "{said:?}");
    let after_one = discs(&ask(&talk, "show"));
    assert!(is_over(&ask(&talk, "play c3")));
    for _ in 0..2 {
        ask(&talk, "undo");
        assert_eq!(discs(&ask(&talk, "show")), after_one);
        for _ in 0..2 {
            assert!(discs(&ask(&talk, "undo")).contains("Black X 2, White O 2: Black to move"));
        }
        ask(&talk, "redo");
        assert_eq!(discs(&ask(&talk, "show")), after_one);
        assert!(is_over(&ask(&talk, "redo")));
    }
}

#[test]
fn we_answer_for_whom_the_mode_says() {
    let talk = quick();
    let said = ask(&talk, "go");
    assert!(said.iter().any(|line| line.starts_with("Outplay plays ")), "{said:?}");
    assert!(discs(&said).contains("White to move"));
    ask(&talk, "init");
    assert!(ask(&talk, "mode 0").is_empty(), "Black is theirs");
    let said = ask(&talk, "play f5");
    assert!(discs(&said).contains("Black to move"), "we have answered: {said:?}");
    assert!(discs(&ask(&talk, "undo")).contains("Black X 2, White O 2"), "both moves are taken back");
    let said = ask(&talk, "mode 2");
    assert!(is_over(&said), "{said:?}");
    assert_eq!(ask(&talk, "go")[0].split(':').next(), Some("the game is over"));
}

#[test]
fn hints_have_lines_with_values_and_exact_ones_say_so() {
    let talk = quick();
    let said = ask(&talk, "hint");
    assert!(said.len() > 1 && said[1..].is_sorted_by(|a, b| a[..6] != b[..6]), "no line twice: {said:?}");
    let said = ask(&talk, "hint 4");
    assert_eq!(said.len(), 5, "a heading and four moves: {said:?}");
    assert!(said[1..].iter().all(|line| line.trim_start().starts_with("2 | ")), "{said:?}");
    ask(&talk, "setboard -OOOOOO--XXXXOO-OOXXOOOOOOXXXXOOOOOOXXOO-OOOOXOO--OOOOXX--OOOXXX X");
    let said = ask(&talk, "hint 2");
    assert!(said[1].starts_with(" exact |    +32 |") && said[2].starts_with(" exact | "), "{said:?}");
}

#[test]
fn an_analysis_says_what_each_move_has_lost() {
    let talk = quick();
    ask(&talk, "play f5d6c3d3c4");
    let said = ask(&talk, "analyze");
    assert_eq!(said.len(), 7, "{said:?}");
    assert!(said[1].contains("5 | C4") && said[5].contains("1 | F5"), "{said:?}");
    assert!(
        said[5].ends_with(" 0.0") && said[6].starts_with("lost in all: Black "),
        "all first moves are alike: {said:?}"
    );
    assert_eq!(ask(&talk, "analyze 2").len(), 4);
    assert!(discs(&ask(&talk, "show")).contains("White to move"), "the game is where it was");
}

#[test]
fn files_of_problems_are_solved() {
    let path = std::env::temp_dir().join(format!("outplay-console-{}.obf", std::process::id()));
    let board = "-OOOOOO--XXXXOO-OOXXOOOOOOXXXXOOOOOOXXOO-OOOOXOO--OOOOXX--OOOXXX";
    std::fs::write(&path, format!("{board} X; b8:+32;\n{board} X; b8:+2;\n")).expect("written");
    let talk = quick();
    let said = ask(&talk, &format!("solve {}", path.display()));
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said[3].starts_with("2 solved, 1 with another value"), "the second is wrong: {said:?}");
    let missing = ask(&talk, "solve nowhere.obf");
    assert!(missing[0].starts_with("cannot read \"nowhere.obf\""), "{missing:?}");
    let start = "---------------------------OX------XO--------------------------- X; f5:+0;\n";
    std::fs::write(&path, start.repeat(3)).expect("written");
    talk.send(&format!("solve {}", path.display()));
    std::thread::sleep(Duration::from_millis(50));
    let said = ask(&talk, "stop");
    let last = said.last().expect("a sum");
    assert!(last.starts_with("0 solved, 0 with") && last.ends_with("; 3 not solved"), "{said:?}");
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn a_game_against_ourselves_and_an_analysis_can_be_stopped() {
    let talk = Server::Console.start();
    talk.send("level 60");
    talk.send("play f5d6c3");
    for (command, says) in [("analyze", "ended early; lost in all"), ("mode 2", "Outplay plays ")] {
        talk.send(command);
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        let said = ask(&talk, "stop");
        assert!(said.iter().filter(|line| line.starts_with(says)).count() == 1, "{said:?}");
        assert!(begun.elapsed() < PATIENCE / 4);
    }
}

#[test]
fn a_search_can_be_stopped_and_answers_with_what_it_has() {
    let talk = Server::Console.start();
    talk.send("level 60");
    talk.send("play f5");
    talk.send("go");
    std::thread::sleep(Duration::from_millis(50));
    let begun = Instant::now();
    talk.send("stop");
    talk.until(|line| line.starts_with("Outplay plays "));
    assert!(begun.elapsed() < PATIENCE / 4);
    talk.send("go");
    std::thread::sleep(Duration::from_millis(20));
    talk.send("quit");
    let (said, result) = talk.end();
    assert!(result.is_ok() && said.iter().any(|line| line.starts_with("Outplay plays ")), "{said:?}");
}

#[test]
fn a_time_takes_the_place_of_a_level() {
    let talk = Server::Console.start();
    talk.send("level 60");
    talk.send("game-time 0.5");
    let begun = Instant::now();
    let said = ask(&talk, "mode 2");
    assert!(is_over(&said), "{said:?}");
    // Both colours have half a second, and each move some overhead.
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[test]
fn every_command_is_known_and_what_is_not_is_said_so() {
    let talk = quick();
    let help = ask(&talk, "help");
    for line in help {
        let command = line.split_whitespace().next().expect("a command").to_string();
        if !["quit", "version", "mode", "save", "open", "solve"].contains(&command.as_str()) {
            let said = ask(&talk, &command);
            assert!(!said.iter().any(|line| line.starts_with("unknown command")), "{command}: {said:?}");
        }
    }
    talk.send("fly");
    assert!(heard(&talk).starts_with("unknown command"));
    assert!(ask(&talk, "n-tasks 1").is_empty(), "a setting of Edax's without meaning here");
}
