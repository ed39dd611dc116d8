//! Runs of learning as clients see them.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use outplay_engine::open;
use outplay_learn::{Recipe, Run, Settings};
use serde_json::{Value, json};

use crate::networks::bytes_of_chance;
use crate::support::{Folder, TestServer};

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, bytes).expect("written");
}

const WON: [&str; 7] = ["d", "c", "d", "c", "d", "c", "d"];

/// A run with two generations, in whose files something is being written.
fn make_run(path: &Path) {
    write(&path.join("run.toml"), "game = \"connect4\"\nblocks = 1\nnever_heard_of = \"x\"\n");
    for generation in 0..2 {
        let net = path.join(format!("nets/{generation:04}.safetensors"));
        write(&net, bytes_of_chance("connect4", 10 + generation));
    }
    write(&path.join("games/0000.games"), "a game that is being written");
    write(
        &path.join("metrics.jsonl"),
        "{\"generation\": 1, \"policy_loss\": 1.5, \"new_figure\": 7}\n{\"gener",
    );
    write(&path.join("ratings.jsonl"), "{\"generation\": 1, \"opponent\": \"UCT\", \"elo\": null}\n");
}

#[test]
fn runs_are_found_in_the_data_folder_and_where_the_server_is_told() {
    let (data, other) = (Folder::new(), Folder::new());
    make_run(&data.0.join("runs/one"));
    make_run(&other.0.join("two"));
    make_run(&other.0.join("deep/three"));
    let folders = vec![other.0.clone(), other.0.join("deep/three"), other.0.join("nowhere")];
    let server = TestServer::at(data.0.clone(), |config| config.runs = folders);
    let runs = server.client.get("/api/runs").ok();
    let names: Vec<&str> =
        runs.as_array().expect("runs").iter().filter_map(|run| run["name"].as_str()).collect();
    assert_eq!(names, ["one", "three", "two"]);
    assert_eq!((&runs[0]["label"], &runs[0]["generation"]), (&json!("Connect Four"), &json!(1)));
    assert_eq!(TestServer::start().client.get("/api/runs").ok(), json!([]));
}

#[test]
fn a_run_is_shown_as_far_as_it_is_written_and_told_again_only_when_it_has_changed() {
    let data = Folder::new();
    let path = data.0.join("runs/one");
    make_run(&path);
    let server = TestServer::at(data.0.clone(), |_| {});
    let run = server.client.get("/api/runs/one").ok();
    assert_eq!(run["metrics"], json!([{"generation": 1, "policy_loss": 1.5, "new_figure": 7}]));
    assert_eq!(run["ratings"], json!([{"generation": 1, "opponent": "UCT", "elo": null}]));
    assert_eq!((&run["generations"], &run["played"]), (&json!([0, 1]), &json!([0])));
    assert_eq!(run["settings"]["never_heard_of"], "x");
    let again = format!("/api/runs/one?version={}", run["version"].as_str().expect("a version"));
    assert_eq!(server.client.get(&again).ok(), Value::Null);
    write(&path.join("metrics.jsonl"), "{\"generation\": 1}\n{\"generation\": 2}\n");
    assert_eq!(server.client.get(&again).ok()["metrics"].as_array().map(Vec::len), Some(2));
}

/// A run that has played and learned for a generation.
fn learn(path: &Path, games: usize) {
    let mut settings = Settings::of(Recipe::Plain);
    let games = games.to_string();
    for (name, value) in
        [("blocks", "1"), ("channels", "4"), ("playouts", "2"), ("batch", "16"), ("games", &*games)]
    {
        settings.set(name, value).expect("a setting");
    }
    let learner = open("tictactoe").expect("a game").learner().expect("it has an encoder");
    let mut run = Run::open(path, "tictactoe", learner, settings, 1).expect("a new folder");
    run.advance(&AtomicBool::new(false), &|_| ()).expect("nothing fails").expect("a whole generation");
}

#[test]
fn the_latest_games_can_be_replayed_to_their_results_and_a_torn_one_is_left_out() {
    let data = Folder::new();
    let path = data.0.join("runs/real");
    learn(&path, 33);
    let file = path.join("games/0000.games");
    let whole = std::fs::read(&file).expect("games");
    let server = TestServer::at(data.0.clone(), |_| {});
    let ask = || server.client.get("/api/runs/real/games?generation=0").ok();
    let games = ask();
    let listed = games.as_array().expect("games");
    assert_eq!(listed.len(), 30, "the latest ones");
    for game in listed {
        let end =
            server.client.post("/api/position", json!({"game": "tictactoe", "moves": game["moves"]})).ok();
        assert_eq!(end["outcome"]["winner"], game["winner"], "{game}");
        assert!(end["outcome"].is_object(), "the game was played to its end: {game}");
    }
    // Half a game at the end, as if it were being written: those before it stay.
    let list = || server.client.get("/api/runs").ok()[0]["games_bytes"].as_u64();
    let before = list();
    write(&file, [&whole[..], &whole[..20]].concat());
    assert_eq!(ask(), games);
    assert_ne!(list(), before, "whoever looks at the list sees that there is something new");
    let cut = &whole[..whole.len() - 1];
    write(&file, cut);
    assert_eq!(ask()[0], games[1], "the last one is not whole any more");
    assert_eq!(std::fs::read(&file).expect("games").len(), cut.len(), "whoever looks on changes nothing");
    assert_eq!(server.client.get("/api/runs/real/games?generation=1").refused(404), "not_found");
    assert_eq!(server.client.get("/api/runs/real/games").refused(400), "bad_query");
    std::fs::create_dir(path.join("games/0007.games")).expect("a folder where a file should be");
    let unreadable = server.client.get("/api/runs/real/games?generation=7");
    assert_eq!(unreadable.refused(409), "unreadable_games");
}

#[test]
fn the_network_of_each_generation_has_an_opinion_of_its_own() {
    let data = Folder::new();
    let path = data.0.join("runs/one");
    make_run(&path);
    write(&path.join("nets/0002.safetensors"), "torn");
    write(&path.join("nets/0003.safetensors"), bytes_of_chance("othello", 1));
    let server = TestServer::at(data.0.clone(), |_| {});
    let ask = |run: &str, generation: u32, moves: &[&str]| {
        let body = json!({"generation": generation, "moves": moves});
        server.client.post(&format!("/api/runs/{run}/opinion"), body)
    };
    let said: Vec<Value> =
        (0..2).map(|generation| ask("one", generation, &["d"]).ok()["policy"].clone()).collect();
    assert_ne!(said[0], said[1]);
    assert_eq!(ask("one", 0, &["d"]).ok()["policy"], said[0]);
    assert_eq!(ask("one", 0, &WON).ok(), Value::Null, "the game is over");
    assert_eq!(ask("one", 0, &["z"]).refused(400), "illegal_move");
    assert_eq!(ask("one", 9, &[]).refused(404), "not_found");
    for generation in [2, 3] {
        let answer = ask("one", generation, &[]);
        let words = answer.json()["error"]["message"].to_string();
        assert_eq!(answer.refused(400), "bad_option");
        assert!(!words.contains(path.to_str().expect("Unicode")), "{words}");
    }
    for name in ["two", "..", "..%2Fruns%2Fone", "%2e%2e"] {
        assert_eq!(ask(name, 0, &[]).refused(404), "not_found", "{name}");
    }
}

#[test]
fn a_run_of_a_game_that_nobody_knows_is_listed_and_refused_in_words() {
    let data = Folder::new();
    let path = data.0.join("runs/odd");
    make_run(&path);
    write(&path.join("run.toml"), "game = \"whist\"\n");
    let server = TestServer::at(data.0.clone(), |_| {});
    assert_eq!(server.client.get("/api/runs").ok()[0]["label"], "whist");
    assert_eq!(server.client.get("/api/runs/odd/games?generation=0").refused(400), "unknown_game");
    let ask = json!({"generation": 0});
    assert_eq!(server.client.post("/api/runs/odd/opinion", ask).refused(400), "unknown_game");
}
