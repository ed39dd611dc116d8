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
fn networks_are_rated_on_the_way_and_afterwards() {
    let folder = std::env::temp_dir().join(format!("outplay-rate-{}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    let run = folder.to_str().expect("Unicode");
    let rated = ["rate_every=2", "rate_games=2", "rate_playouts=4", "rate_plies=1"].map(|set| ["--set", set]);
    let begun = ["learn", "tictactoe", "--run", run, "--generations", "2", "--json", "--tensorboard"];
    let lines = json(&[&begun[..], &SMALL[..], &rated.concat()].concat());
    let of = |generation: u64| move |line: &&serde_json::Value| line["generation"] == generation;
    let ratings: Vec<_> = lines.iter().filter(|line| line["opponent"].is_string()).collect();
    // The first and the last of the three networks; the first has no earlier one to play against.
    assert_eq!((lines.len() - ratings.len(), ratings.len()), (2, 13), "{lines:?}");
    assert_eq!(
        (0..3).map(|i| ratings.iter().filter(|line| of(i)(line)).count()).collect::<Vec<_>>(),
        [6, 0, 7]
    );
    assert!(ratings.iter().all(|line| line["games"] == 2 && line["elo"].is_number()), "{ratings:?}");
    let kept = fs::read_to_string(folder.join("ratings.jsonl")).expect("ratings");
    assert_eq!(kept.lines().count(), 13);
    assert!(folder.join("tensorboard/events.out.tfevents.0.outplay").is_file());
    let said = text(&["learn", "--run", run, "--rate", "1"], "");
    assert!(
        said.contains("generation 1, 4 playouts, against perfect play: +0") && said.contains('±'),
        "{said}"
    );
    assert_eq!(text(&["learn", "--run", run, "--rate"], ""), "", "the newest is rated already");
    let (_, none) = error(&["learn", "--run", run, "--rate", "9"]);
    assert!(none.contains("no network of such a generation"), "{none}");
    let (_, other) = error(&["learn", "--run", run, "--rate", "--set", "cpuct=9"]);
    assert!(other.contains("rate_"), "{other}");
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
