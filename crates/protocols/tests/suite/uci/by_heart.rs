//! Books and tables through the protocol.

use std::fs;
use std::path::PathBuf;

use outplay_testing::public_data;

use super::conversation::Conversation;

/// A book with one entry, 1. a4 in the start position, which no search would choose.
fn book(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("outplay-uci-{}-{name}.bin", std::process::id()));
    let entry = [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x02, 0x18, 0, 1, 0, 0, 0, 0];
    fs::write(&path, entry).expect("written");
    path
}

#[test]
fn book_moves_are_played_if_asked_for_and_what_comes_after_is_searched() {
    let path = book("played");
    let talk = Conversation::start();
    assert_eq!(talk.ask(&format!("setoption name BookFile value {}", path.display())), [""; 0]);
    talk.send("position startpos");
    assert_ne!(talk.best("go nodes 500"), "a2a4", "the book is closed");
    talk.send("setoption name OwnBook value true");
    let said = talk.search("go wtime 1000 btime 1000");
    assert_eq!(said.last().map(String::as_str), Some("bestmove a2a4"));
    assert!(said[0].contains("depth 0") && said[0].ends_with("pv a2a4"), "{said:?}");
    // Whoever analyses, or asks for another move, wants a search.
    assert_ne!(talk.best("go nodes 500 searchmoves e2e4 d2d4"), "a2a4");
    talk.send("go infinite");
    assert!(talk.until("info").iter().all(|line| !line.contains("depth 0")));
    assert_ne!(talk.best("stop"), "a2a4");
    talk.send("setoption name UCI_AnalyseMode value true");
    assert_ne!(talk.best("go nodes 500"), "a2a4");
    talk.send("setoption name UCI_AnalyseMode value false");
    talk.send("position startpos moves a2a4");
    let said = talk.search("go nodes 500");
    assert!(said.iter().any(|line| line.contains("depth 2 ")), "{said:?}");
    // With another variant the options are still set.
    talk.send("setoption name UCI_Chess960 value true");
    talk.send("position startpos");
    assert_eq!(talk.best("go nodes 500"), "a2a4");
    fs::remove_file(path).expect("removed");
}

#[test]
fn tables_answer_and_are_counted() {
    let Some(folder) = public_data::path("chess/syzygy34") else { return };
    let talk = Conversation::start();
    assert_eq!(talk.ask(&format!("setoption name SyzygyPath value {}", folder.display())), [""; 0]);
    // The pawn has to go through at once, and a table knows the queen that it becomes.
    talk.send("position fen 8/1P6/8/8/8/2k5/8/K7 w - - 0 1");
    let said = talk.search("go nodes 2000");
    assert!(said.iter().any(|line| hits(line) > 0), "{said:?}");
    assert!(said.last().is_some_and(|line| line.starts_with("bestmove b7b8")), "{said:?}");
    let shown = said.iter().rfind(|line| line.starts_with("info depth")).expect("a score");
    assert!(
        shown.contains("score mate") || shown.contains("score cp 199") || shown.contains("score cp 20000")
    );
}

fn hits(line: &str) -> u64 {
    line.split_once(" tbhits ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn paths_that_lead_nowhere_are_named_and_the_game_goes_on() {
    let talk = Conversation::start();
    for name in ["SyzygyPath", "EndgamePath", "BookFile"] {
        let said = talk.ask(&format!("setoption name {name} value no/such thing"));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("info string option ") && said[0].contains("no/such thing"), "{said:?}");
        assert_eq!(talk.ask(&format!("setoption name {name} value <empty>")), [""; 0]);
    }
    talk.send("position startpos");
    assert_eq!(talk.best("go nodes 500").len(), 4);
}
