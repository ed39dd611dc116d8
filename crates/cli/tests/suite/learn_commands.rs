//! `outplay learn games`, `pack`, `unpack`, `imitate` and `distil`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use outplay_testing::public_data::skip;
use serde_json::Value;

use super::{error, json, text};

/// A folder of this test alone, gone in the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("outplay-learn-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).expect("a folder");
        Place(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("Unicode").to_string()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn small(words: &[&str]) -> Vec<String> {
    let settings = ["blocks=1", "channels=8", "games=6", "playouts=8", "batch=16", "trainings=0.2"];
    let settings = settings.iter().flat_map(|setting| ["--set", setting]);
    words.iter().copied().chain(settings).map(str::to_string).collect()
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// A run of two generations.
fn run(game: &str, folder: &str) {
    text(&words(&small(&["learn", game, "--run", folder, "--generations", "2"])), "");
}

#[test]
fn games_of_a_run_are_listed_and_what_is_exported_is_read_back() {
    let place = Place::new("export");
    let mut goes_on = 0;
    for (game, extension) in
        [("tictactoe", "sgf"), ("connect4:5x4", "pgn"), ("othello", "pgn"), ("chess", "pgn")]
    {
        let folder = place.file(&game.replace(':', "-"));
        let mut begin = small(&["learn", game, "--run", &folder, "--generations", "2"]);
        // Games of chance that nobody wants to see to their end.
        begin.extend(["--set", "longest_game=30"].map(str::to_string));
        text(&words(&begin), "");
        let games = json(&["learn", "games", &folder, "--json"]);
        assert_eq!(games.len(), 12);
        assert_eq!(
            json(&["learn", "games", &folder, "--json", "--generation", "1", "--last", "4"]),
            games[8..]
        );
        let list = text(&["learn", "games", &folder, "--last", "3"], "");
        assert_eq!(list.lines().count(), 4, "{list}");
        assert!(
            list.lines()
                .last()
                .is_some_and(|line| line.contains(games[11]["ending"].as_str().expect("words")))
        );

        let file = place.file(&format!("games.{extension}"));
        let said = text(&["learn", "games", &folder, "--export", &file], "");
        assert!(said.starts_with("12 games"), "{said}");
        let written = fs::read(&file).expect("a file");
        let mut session = outplay_engine::open(game).expect("a game");
        let read = session.list_games(&written, usize::MAX).expect("our own file");
        let moves = |game: &Value| -> String {
            let moves = game["moves"].as_array().expect("moves").iter();
            moves.map(|m| m.as_str().expect("a move")).collect::<Vec<_>>().join(" ")
        };
        let wanted: Vec<(Option<String>, String)> = games.iter().map(|game| (None, moves(game))).collect();
        assert_eq!(read, wanted, "{game}");
        let outcomes = session.list_outcomes(&written, usize::MAX).expect("our own file");
        for (outcome, game) in outcomes.iter().zip(&games) {
            let winner = outcome.expect("a result").winner().map(|winner| session.players()[winner.index()]);
            assert_eq!(winner, game["winner"].as_str());
        }
        // What the search thought of the first move stands beside it.
        session.load(&written, 0).expect("our own file");
        let value = games[0]["positions"][0]["value"].as_f64().expect("a value");
        let comment = &session.recorded().moves[0].comment;
        assert!(comment.starts_with(&format!("{value:+.2}")), "{comment:?} {value}");
        let analysed =
            json(&["analyze", game, "--file", &file, "--game-number", "12", "--nodes", "10", "--json"]);
        if games[11]["ending"].as_str().is_some_and(|ending| ending.starts_with("given up")) {
            assert!(analysed.last().is_some_and(|report| report["best_move"].is_string()), "{analysed:?}");
            goes_on += 1;
        }

        let lines =
            text(&["learn", "games", &folder, "--last", "2", "--export", "-", "--format", "moves"], "");
        assert_eq!(lines.lines().collect::<Vec<_>>(), [wanted[10].1.as_str(), wanted[11].1.as_str()]);
        let (_, refused) = error(&["learn", "games", &folder, "--export", "-", "--format", "doc"]);
        assert!(refused.contains(extension), "{refused}");
    }
    assert!(goes_on > 0, "a game that was given up can be analysed where it ended");
    let (_, nothing) = error(&["learn", "games", &place.file("nowhere")]);
    assert!(nothing.contains("run.toml"), "{nothing}");
}

#[test]
fn a_run_moves_in_a_file() {
    let place = Place::new("pack");
    let (here, file, there) = (place.file("here"), place.file("run"), place.file("there"));
    run("tictactoe", &here);
    let said = text(&["learn", "pack", &here, &file], "");
    assert!(said.contains("generation 2, 12 games") && said.contains("bit for bit"), "{said}");
    text(&["learn", "unpack", &file, &there], "");
    for folder in [&here, &there] {
        text(&["learn", "--run", folder, "--generations", "3"], "");
    }
    let net = |folder: &str| fs::read(format!("{folder}/nets/0003.safetensors")).expect("a network");
    assert!(net(&here) == net(&there));
    let (_, taken) = error(&["learn", "unpack", &file, &there]);
    assert!(taken.contains("is there already"), "{taken}");
    let (_, small) = error(&["learn", "pack", &here, &file, "--limit", "1kB"]);
    assert!(small.contains("--limit"), "{small}");
    fs::write(&file, "something else").expect("a file");
    let (_, foreign) = error(&["learn", "unpack", &file, &place.file("new")]);
    assert!(foreign.contains("no packed run"), "{foreign}");
    assert!(!Path::new(&place.file("new")).exists());
}

#[test]
fn networks_begin_by_imitating_a_player_a_file_and_each_other() {
    let place = Place::new("teach");
    let (imitated, read, distilled) = (place.file("imitated"), place.file("read"), place.file("distilled"));
    let player = ["--player", "search=pvs,nodes=200", "--games", "12", "--epochs", "2", "--json"];
    let command = small(&[&["learn", "imitate", "tictactoe", "--run", &imitated][..], &player[..]].concat());
    let epochs = json(&words(&command));
    assert_eq!(epochs.len(), 2);
    assert!(epochs[1]["held_out"]["agreement"].is_f64(), "{epochs:?}");
    let listed = text(&["learn", "games", &imitated, "--taught"], "");
    assert_eq!(listed.lines().count(), 13, "{listed}");
    let (_, again) = error(&words(&command));
    assert!(again.contains("begun already"), "{again}");

    let file = place.file("games.sgf");
    text(&["learn", "games", &imitated, "--taught", "--export", &file], "");
    let from_file = json(&words(&small(&[
        "learn",
        "imitate",
        "tictactoe",
        "--run",
        &read,
        "--from",
        &file,
        "--epochs",
        "1",
        "--json",
    ])));
    assert_eq!(from_file.len(), 1);

    let said = text(
        &[
            "learn",
            "distil",
            "--from",
            &imitated,
            "--run",
            &distilled,
            "--set",
            "channels=4",
            "--epochs",
            "1",
        ],
        "",
    );
    assert!(said.contains("agreement") && said.contains("generation 0"), "{said}");
    let info = text(&["net", "info", &format!("{distilled}/nets/0000.safetensors")], "");
    assert!(info.contains(" 4 channels"), "{info}");
    for folder in [&imitated, &read, &distilled] {
        let figures = json(&["learn", "--run", folder, "--generations", "1", "--json"]);
        assert_eq!(figures[0]["generation"], 1, "{folder} goes on");
    }
    let (_, no_limit) =
        error(&["learn", "imitate", "tictactoe", "--run", &place.file("x"), "--player", "search=pvs"]);
    assert!(no_limit.contains("nodes=N"), "{no_limit}");
}

/// The lines of the documentation that read a file of games.
fn documented_reader() -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/learning.md");
    let docs = fs::read_to_string(docs).expect("our own documentation");
    let (_, code) = docs.split_once("```python\n").expect("lines of Python");
    code.split_once("```").expect("their end").0.to_string()
}

#[test]
fn the_documented_lines_of_python_read_games_as_we_do() {
    let python = std::env::var_os("OUTPLAY_PYTHON").unwrap_or_else(|| "python3".into());
    let has_numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if !has_numpy.is_ok_and(|output| output.status.success()) {
        return skip("there is no Python with numpy (set OUTPLAY_PYTHON)");
    }
    let place = Place::new("python");
    let folder = place.file("run");
    run("connect4:5x4", &folder);
    let program = place.file("reader.py");
    let code = documented_reader()
        + "
import json, sys
for game in read_games(sys.argv[1]):
    positions = [
        {'played': int(move), 'in_full': bool(full), 'value': float(value), 'policy': policy.tolist()}
        for move, full, value, policy in game['positions']
    ]
    print(json.dumps({'number': game['number'], 'margin': game['margin'], 'positions': positions}))
";
    fs::write(&program, code).expect("a file");
    let games = format!("{folder}/games/0001.games");
    let output = Command::new(&python).args([&program, &games]).output().expect("it was there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("text");
    let mut read: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    read.sort_by_key(|game| game["number"].as_u64());
    let ours = json(&["learn", "games", &folder, "--generation", "1", "--json"]);
    assert_eq!((read.len(), ours.len()), (6, 6));
    for (read, ours) in read.iter().zip(&ours) {
        assert_eq!((&read["number"], &read["margin"]), (&ours["number"], &ours["margin"]));
        let both = |game: &Value| game["positions"].as_array().expect("positions").clone();
        let (read, ours) = (both(read), both(ours));
        assert_eq!(read.len(), ours.len());
        for (read, ours) in read.iter().zip(&ours) {
            for name in ["played", "in_full", "policy"] {
                assert_eq!(read[name], ours[name]);
            }
            // One is printed in 64 bits, the other in as few digits as 32 bits need.
            let value = |position: &Value| position["value"].as_f64().expect("a value") as f32;
            assert_eq!(value(read), value(ours));
        }
    }
}
