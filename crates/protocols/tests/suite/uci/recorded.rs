//! Conversations that were once looked at, and have to stay as they are.
//!
//! In the files, what is sent stands behind `> `; the rest is what was answered, with times and speeds left out. With `UPDATE_EXPECT`
//! set in the environment, the files are written anew.

use std::path::PathBuf;

use super::conversation::Conversation;

fn check(name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/suite/uci/sessions")
        .join(name)
        .with_extension("txt");
    let recorded = std::fs::read_to_string(&path).expect("a recorded session");
    let talk = Conversation::start();
    let mut found = String::new();
    let mut is_searching = false;
    for line in recorded.lines().filter_map(|line| line.strip_prefix("> ")) {
        found += &format!("> {line}\n");
        let waits = ["infinite", "ponder"].iter().any(|word| line.split(' ').any(|found| found == *word));
        let answers = match line.split(' ').next() {
            Some("go") if waits => {
                is_searching = true;
                talk.send(line);
                Vec::new()
            }
            Some("go") if line.starts_with("go perft") => {
                talk.send(line);
                talk.until("Nodes")
            }
            Some("go") => talk.search(line),
            Some("isready") => {
                talk.send(line);
                talk.until("readyok")
            }
            Some("stop" | "ponderhit") if std::mem::take(&mut is_searching) => talk.search(line),
            _ => talk.ask(line),
        };
        answers.iter().for_each(|answer| found += &format!("{}\n", without_times(answer)));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &found).expect("written");
    }
    assert_eq!(found, recorded, "{}", path.display());
}

/// A line without what differs from run to run.
fn without_times(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for index in 1..words.len() {
        if matches!(words[index - 1], "nps" | "time") {
            words[index] = "*";
        }
    }
    words.join(" ")
}

#[test]
fn a_game_begins() {
    check("game");
}

#[test]
fn somebody_analyses() {
    check("analysis");
}

#[test]
fn somebody_types_by_hand() {
    check("by_hand");
}
