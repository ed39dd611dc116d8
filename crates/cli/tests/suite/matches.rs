//! `outplay match`: what it keeps, prints and returns.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::{error, json, outplay, text};

/// A folder of this test's own, gone when the test has passed.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("outplay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            std::fs::remove_dir_all(&self.0).expect("our own folder");
        }
    }
}

/// The arguments of a match that takes a second or two.
fn match_arguments<'a>(db: &'a str, games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = "match connect4 --a search=uct --b search=deepening --limit nodes=600 --games 400 --json --concurrency 2";
    [&fixed.split(' ').collect::<Vec<_>>()[..], &["--db", db, "--save", games], more].concat()
}

/// Waits for the file of games: when it is there, games begin.
fn wait_for(games: &str) {
    while !Path::new(games).exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What a match came to, without the time it took.
fn numbers(text: &str) -> Value {
    let mut numbers: Value = serde_json::from_str(text).expect("JSON");
    numbers.as_object_mut().expect("an object").remove("time");
    numbers
}

#[test]
fn a_match_killed_at_any_moment_ends_with_the_same_numbers() {
    let folder = Folder::new("killed");
    let (whole_db, whole_games) = (folder.file("whole.redb"), folder.file("whole.pgn"));
    let whole = text(&match_arguments(&whole_db, &whole_games, &[]), "");
    let (db, games) = (folder.file("match.redb"), folder.file("match.pgn"));
    let mut killed_midway = 0;
    for pause in [0, 20, 60, 150] {
        drop(std::fs::remove_file(&games));
        let mut child = Command::new(env!("CARGO_BIN_EXE_outplay"))
            .args(match_arguments(&db, &games, &["--resume"]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        wait_for(&games);
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().expect("our own process");
        killed_midway += usize::from(child.wait().expect("our own process").code().is_none());
    }
    assert!(killed_midway > 1, "the match is too short for this test");
    assert_eq!(numbers(&text(&match_arguments(&db, &games, &["--resume"]), "")), numbers(&whole));
    assert_eq!(folder.read("match.pgn"), folder.read("whole.pgn"), "the games are the same byte for byte");
    // A file of another match is left alone.
    let other =
        outplay(&["match", "connect4", "--a", "search=flat", "--b", "search=uct", "--db", db.as_str()], "");
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("another match"));
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_says_how_to_go_on_with_it() {
    let folder = Folder::new("interrupted");
    let (db, games) = (folder.file("a match.redb"), folder.file("games.pgn"));
    let child = Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(match_arguments(&db, &games, &[]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_for(&games);
    std::thread::sleep(Duration::from_millis(100));
    let told =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("every Unix has it");
    assert!(told.success());
    let output = child.wait_with_output().expect("the program ends");
    let words = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(4), "{words}");
    let so_far: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let last = words.trim().lines().last().unwrap_or_default();
    let line = last.strip_prefix("outplay: interrupted; to go on: ").expect("a command");
    let rest = Command::new("sh").args(["-c", line]).output().expect("a shell");
    let all: Value = serde_json::from_slice(&rest.stdout).expect("JSON");
    assert_eq!(all["games"], 400);
    assert!(so_far["games"].as_u64() < all["games"].as_u64(), "{so_far}");
}

#[test]
fn everything_that_was_asked_for_is_written() {
    let folder = Folder::new("written");
    let file = folder.file("players.toml");
    std::fs::write(&file, "[[player]]\nname = \"quick\"\nsearch = \"flat\"\n[player.limit]\nnodes = 20\n\n[[player]]\nsearch = \"uct\"\nc = 1.2\n")
        .expect("a file");
    let [games, log, page] = ["games.pgn", "log.csv", "page.html"].map(|name| folder.file(name));
    let words = ["match", "othello", "--player", "search=deepening,name=steady", "--player", file.as_str()];
    let more = ["--limit", "nodes=200", "--games", "4", "--solve", "2000", "--save", games.as_str()];
    let outputs = ["--log", log.as_str(), "--html", page.as_str()];
    let printed = text(&[&words[..], &more, &outputs].concat(), "");
    assert!(printed.contains("Adjudication: exact results: whatever 2000 nodes solve"), "{printed}");
    assert!(
        printed.contains("1. ") && printed.contains("quick against search=uct,c=1.2: 4 games"),
        "{printed}"
    );
    assert_eq!(folder.read("games.pgn").matches("[Termination").count(), 12);
    let rows = folder.read("log.csv");
    let moves = rows.lines().count() - 1;
    assert!(rows.starts_with("game,round,ply,engine,position,phase,move,depth"), "{rows}");
    assert!(rows.lines().skip(1).all(|row| row.starts_with("othello,")) && moves > 12 * 20, "{moves} moves");
    for words in ["opening", "middlegame", "endgame", "quick", "node limit"] {
        assert!(rows.contains(words), "no {words}");
    }
    assert!(folder.read("page.html").contains("<svg"));

    // The same writer serves the other commands, which add to what is there.
    text(&["analyze", "othello", "--nodes", "500", "--log", log.as_str()], "");
    text(&["play", "othello", "--nodes", "50", "--log", log.as_str()], "f5\nquit\n");
    let percent = ["--search", "mcts", "--nodes", "50", "--set", "score_type=win_percentage"];
    text(&[&["analyze", "othello", "--log", log.as_str()], &percent[..]].concat(), "");
    let after = folder.read("log.csv");
    assert!(after.starts_with(&rows));
    assert_eq!(after.lines().count(), rows.lines().count() + 3);
    // Names of engines may have commas.
    let shown: Vec<&str> = after.lines().filter_map(|row| row.rsplit(',').nth(2)).collect();
    assert!(shown[0] == "shown_score" && shown[1..shown.len() - 1].iter().all(|shown| shown.is_empty()));
    let last = shown.last().and_then(|shown| shown.parse().ok());
    assert!(last.is_some_and(|percent: i32| (1..10_000).contains(&percent)), "{shown:?}");
}

#[test]
fn adjudication_and_tests_for_too_many_are_refused_with_words() {
    let base = ["match", "connect4", "--player", "search=uct", "--player", "search=flat", "--games", "2"];
    for (more, words) in [
        (&["--player", "search=deepening", "--sprt", "0,5"][..], "tests two players"),
        (&["--draw", "speed=1"], "after, moves or score"),
        (&["--openings", "/dev/null"], "no opening"),
        (&["--limit", "moves=40"], "tc"),
    ] {
        let output = outplay(&[&base[..], more].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(words), "{more:?}: {said}");
    }
    assert!(!outplay(&base[..4], "").status.success());
    // Nothing is harmed by a mistake in the command line.
    let folder = Folder::new("typo");
    let (old, db) = (folder.file("old.pgn"), folder.file("m.redb"));
    std::fs::write(&old, "precious").expect("a file");
    let typo = outplay(
        &["match", "connect4", "--a", "search=magic", "--b", "search=uct", "--save", &old, "--db", &db],
        "",
    );
    assert!(!typo.status.success() && !Path::new(&db).exists());
    assert_eq!(folder.read("old.pgn"), "precious");
    std::fs::write(&old, "1. f3 e5 2. g4 Qh4# 0-1").expect("a file");
    let fool = [
        "match",
        "chess",
        "--a",
        "search=flat",
        "--b",
        "search=uct",
        "--openings",
        &old,
        "--games",
        "2",
        "--limit",
        "nodes=3",
    ];
    let over = outplay(&fool, "");
    assert!(String::from_utf8_lossy(&over.stderr).contains("opening 1 in"), "{over:?}");
    assert!(
        outplay(&[&fool[..], &["--opening-plies", "2", "--most-plies", "4"]].concat(), "").status.success()
    );
    let drawn = json(
        &[&base[..], &["--draw", "after=0,moves=1,score=30000", "--limit", "nodes=50", "--json"]].concat(),
    );
    assert_eq!(drawn[0]["draws"], 2);
}

#[test]
fn a_match_says_by_its_exit_code_what_it_decided() {
    let base = ["match", "connect4", "--limit", "nodes=500", "--games", "200", "--sprt", "0,100", "--json"];
    for (a, b, code) in [
        ("search=deepening", "search=flat,playouts=1", 0),
        ("search=flat,playouts=1", "search=deepening", 3),
        ("search=deepening", "search=deepening", 4),
    ] {
        let games = if code == 4 { "4" } else { "200" };
        let mut words = base.to_vec();
        words[5] = games;
        let output = outplay(&[&words[..], &["--a", a, "--b", b]].concat(), "");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{a} against {b}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

#[test]
fn each_level_meets_the_one_below_it() {
    let report = text(&["match", "tictactoe", "--levels", "--games", "2"], "");
    let below =
        [("beginner", "newcomer"), ("casual player", "beginner"), ("perfect player", "casual player")];
    for (level, other) in below {
        assert!(report.contains(&format!("{level} against {other}: 2 games")), "{report}");
    }
    assert_eq!(report.matches(" against ").count(), below.len(), "{report}");
    let (code, words) = error(&["match", "tictactoe", "--levels", "--a", "uct", "--b", "flat"]);
    assert!(code == 2 && words.contains("--levels"), "{words}");
}

#[test]
fn a_level_is_a_player_and_figures_are_explained_on_request() {
    let command = ["match", "tictactoe", "--a", "level=4", "--b", "level=newcomer", "--games", "4"];
    let plain = text(&command, "");
    assert!(plain.contains("A: perfect player (nodes=2000)") && plain.contains("B: newcomer"), "{plain}");
    let explained = text(&[&command[..], &["--explain"]].concat(), "");
    assert!(explained.starts_with(&plain), "{explained}");
    for figure in ["Elo: ", "nElo: ", "LOS: ", "Pairs: ", "Ended: "] {
        assert!(explained[plain.len()..].contains(figure) && !explained.contains("LLR"), "{explained}");
    }
}

#[test]
fn players_are_compared_with_the_moves_of_games_and_of_others() {
    let folder = Folder::new("agreement");
    let games = folder.file("games.txt");
    text(
        &[
            "match", "othello", "--a", "pvs", "--b", "pvs", "--limit", "nodes=50", "--games", "2", "--save",
            &games,
        ],
        "",
    );
    let command = ["agreement", "othello", &games, "--player", "pvs", "--limit", "nodes=50", "--most", "5"];
    let with = ["--with", "search=policy", "--with", "name=itself,search=pvs"];
    let printed = text(&[&command[..], &with].concat(), "");
    assert!(printed.contains("itself") && printed.contains("5 positions"), "{printed}");
    let found = &json(&[&command[..], &with, &["--json"]].concat())[0][0];
    assert_eq!((&found["positions"], &found["agreements"][1]["same"]), (&5.into(), &1.0.into()), "{found}");
    let (code, said) = error(&[&command[..], &["--with", "cmd=edax"]].concat());
    assert!(code == 2 && said.contains("only our own searches"), "{said}");
    assert!(error(&["agreement", "othello", "nowhere", "--levels"]).1.contains("cannot read nowhere"));
}
