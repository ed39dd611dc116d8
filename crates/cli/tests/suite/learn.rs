//! `outplay learn`

use std::fs;

use super::{error, json, text};

const SMALL: [&str; 12] = [
    "--set",
    "blocks=1",
    "--set",
    "channels=8",
    "--set",
    "games=8",
    "--set",
    "playouts=8",
    "--set",
    "batch=16",
    "--set",
    "trainings=0.2",
];

#[test]
fn a_run_begins_goes_on_and_leaves_a_network_that_plays() {
    let folder = std::env::temp_dir().join(format!("outplay-learn-{}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    let run = folder.to_str().expect("Unicode");
    let begun = [&["learn", "tictactoe", "--run", run, "--generations", "1", "--json"], &SMALL[..]].concat();
    let lines = json(&begun);
    assert_eq!((lines.len(), &lines[0]["generation"], &lines[0]["games"]), (1, &1.into(), &8.into()));
    // The folder knows the game and its settings.
    let said = text(&["learn", "--run", run, "--generations", "2"], "");
    assert!(said.contains("goes on at generation 1") && said.contains("0002.safetensors"), "{said}");
    let network = format!("network={run}/nets/0002.safetensors");
    let by_network = ["--search", "mcts", "--set", "evaluation=net", "--set", &network];
    let played = json(&[&["analyze", "tictactoe", "--nodes", "50", "--json"], &by_network[..]].concat());
    assert!(played.last().is_some_and(|report| report["nodes"].as_u64() > Some(0)), "{played:?}");
    let (_, other) = error(&["learn", "tictactoe", "--run", run, "--generations", "3", "--set", "cpuct=9"]);
    assert!(other.contains("another run") && other.contains("cpuct"), "{other}");
    drop(fs::remove_dir_all(&folder));
}

#[test]
fn what_cannot_be_learned_says_what_to_do() {
    let (_, missing) = error(&["learn", "--run", "/nowhere/at/all"]);
    assert!(missing.contains("name the game"), "{missing}");
    let (_, unknown) = error(&["learn", "tictactoe", "--run", "/nowhere/at/all", "--set", "colour=red"]);
    assert!(unknown.contains("colour") && unknown.contains("playouts"), "{unknown}");
    let options = text(&["learn", "--options"], "");
    assert!(options.contains("cpuct") && options.contains("plain"), "{options}");
}
