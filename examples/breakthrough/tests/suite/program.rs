//! The program with one game more: every command knows it, and the page plays it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_outplay-breakthrough");

/// What a command prints.
pub fn text(line: &str, input: &str) -> String {
    let mut child = Command::new(PROGRAM)
        .args(line.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes the pipe: that is its right.
    drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    let stdout = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{line}: {stdout}{}", String::from_utf8_lossy(&output.stderr));
    stdout
}

fn json(line: &str) -> Value {
    serde_json::from_str(&text(line, "")).expect("JSON")
}

/// A file of this test's own, gone in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("outplay-breakthrough-{}-{name}", std::process::id()));
        std::fs::write(&path, content).expect("a file");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

#[test]
fn it_stands_beside_the_other_games() {
    let games = json("games --json");
    let names: Vec<&str> =
        games.as_array().expect("games").iter().filter_map(|game| game["name"].as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"chess"), Some(&"breakthrough")));
    assert!(text("perft breakthrough 2", "").ends_with("nodes 484\n"));
    assert!(text("perft chess 2", "").ends_with("nodes 400\n"));
}

#[test]
fn it_is_played_and_analysed() {
    let saved = Scratch::new("game.pgn", "");
    std::fs::remove_file(&saved.0).expect("our own file");
    let game = text(&format!("play breakthrough --level 1 --save {}", saved.0.display()), "a2a3\nquit\n");
    assert!(game.contains("White to move"), "{game}");
    let record = std::fs::read_to_string(&saved.0).expect("a saved game");
    assert!(record.contains("1. a2a3"), "{record}");
    // A pawn that can break through does.
    let analysis = text("analyze breakthrough --nodes 2000 --moves a2a3 --json", "");
    let last: Value = serde_json::from_str(analysis.lines().last().expect("a line")).expect("JSON");
    assert!(last["best_move"].is_string(), "{last}");
}

#[test]
fn it_is_measured() {
    let played = json("match breakthrough --a search=pvs --b search=uct --limit nodes=100 --games 2 --json");
    assert!(played.to_string().contains("pvs"), "{played}");
    let study = json(
        "ablate breakthrough --search deepening --only cutoffs --games 2 --nodes 50 --time 0ms --depth-nodes 200 --json",
    );
    assert_eq!(study["game"], "breakthrough");
    let problems = Scratch::new("problems.epd", "8/P7/8/8/8/8/7p/8 w bm a7a8; id \"a step from the end\";\n");
    let suite = json(&format!("suite breakthrough {} --limit depth=2 --json", problems.0.display()));
    assert_eq!((&suite["game"], &suite["problems"]), (&"breakthrough".into(), &1.into()));
    assert_eq!(suite["runs"][0]["totals"]["solved"], 1, "{suite}");
}

/// The page's own test of playing by clicks, at this game and with this program. It changes nothing of the page.
#[test]
fn it_is_played_by_clicks() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui");
    if std::env::var_os("OUTPLAY_WITHOUT_PAGE").is_some() || !ui.join("node_modules").exists() {
        eprintln!("SKIPPED: a game by clicks: this program was built without its page");
        return;
    }
    let output = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
        .args(["run", "browser", "--", "tests/play.test.ts", "-t", "a full game by clicks"])
        .current_dir(ui)
        .env("OUTPLAY_PROGRAM", PROGRAM)
        .env("OUTPLAY_GAMES", "breakthrough")
        .env("NO_COLOR", "1")
        .output()
        .expect("npm starts: it comes with Node.js");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "the game was not played: {said}");
}
