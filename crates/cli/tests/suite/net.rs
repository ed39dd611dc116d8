//! `outplay net` and `outplay doctor`

use std::fs;
use std::path::PathBuf;

use super::{error, json, outplay, text};

/// A folder that goes away with its owner, and paths in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("outplay-net-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().expect("Unicode").to_string()
    }

    fn network(&self, game: &str, file: &str, more: &[&str]) -> String {
        let path = self.path(file);
        let small = ["net", "new", game, &path, "--blocks", "1", "--channels", "8"];
        text(&[&small[..], more].concat(), "");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[test]
fn every_command_of_net_has_help_with_an_example() {
    for command in ["info", "check", "convert", "bench", "eval", "new", "list"] {
        let help = text(&["net", command, "--help"], "");
        assert!(help.contains("Examples") && help.contains(&format!("outplay net {command}")), "{help}");
    }
}

#[test]
fn a_network_is_made_described_checked_and_converted() {
    let folder = Folder::new("made");
    let file = folder.network("othello", "o.safetensors", &["--se", "4", "--moves-left", "--seed", "3"]);
    let info = &json(&["net", "info", &file, "--json"])[0];
    assert_eq!((&info["games"], &info["graph"]), (&serde_json::json!(["othello"]), &false.into()));
    assert_eq!(info["description"]["input"]["encoder"], "othello-3");
    let said = text(&["net", "info", &file], "");
    assert!(said.contains("encoder    othello-3") && said.contains("moves left"), "{said}");

    let again = folder.network("othello", "again.safetensors", &["--se", "4", "--moves-left", "--seed", "3"]);
    assert_eq!(json(&["net", "info", &again, "--json"])[0]["hash"], info["hash"], "the same seed");
    let other = folder.network("othello", "other.safetensors", &["--se", "4", "--moves-left", "--seed", "4"]);
    assert_ne!(json(&["net", "info", &other, "--json"])[0]["hash"], info["hash"]);

    let check = &json(&["net", "check", &file, "--positions", "3", "--json"])[0];
    assert_eq!((&check["sound"], &check["games"][0]), (&true.into(), &"othello".into()));
    assert_eq!(check["differences"].as_array().expect("a list").len(), 2);

    let half = folder.path("half.safetensors");
    text(&["net", "convert", &file, &half, "--half"], "");
    let bytes = |path: &str| fs::metadata(path).expect("written").len();
    assert!(bytes(&half) * 3 < bytes(&file) * 2);
    let onnx = folder.path("o.onnx");
    text(&["net", "convert", &file, &onnx], "");
    let chances = |path: &str| {
        let said = json(&["net", "eval", "othello", "--network", path, "--json"]).remove(0);
        said["wdl"][0].as_f64().expect("a number")
    };
    assert!((chances(&file) - chances(&half)).abs() < 0.01);
    assert!((chances(&file) - chances(&onnx)).abs() < 1e-4);
}

#[test]
fn an_evaluation_draws_policy_and_ownership_on_the_board() {
    let folder = Folder::new("eval");
    let file = folder.network("othello", "o.safetensors", &["--ownership", "--margin"]);
    let said = text(&["net", "eval", "othello", "--network", &file, "--moves", "f5"], "");
    assert!(said.contains("% wins") && said.contains("margin") && said.contains("Whose the cells"), "{said}");
    let value = &json(&["net", "eval", "othello", "--network", &file, "--moves", "f5", "--json"])[0];
    let policy = value["policy"].as_array().expect("a list");
    assert_eq!((policy.len(), value["ownership"].as_array().expect("a list").len()), (3, 64));
    let best = policy[0]["move"].as_str().expect("a move");
    let percent = (policy[0]["probability"].as_f64().expect("a number") * 100.0).round();
    // The row of the best move has its share.
    let row = best.chars().last().expect("a row");
    let rows: Vec<&str> =
        said.lines().skip_while(|line| !line.starts_with("Policy")).skip(1).take(8).collect();
    let drawn = rows.iter().find(|line| line.trim_start().starts_with(row)).expect("a row");
    assert!(drawn.split_whitespace().any(|word| word == percent.to_string()), "{best} {percent}: {said}");
    // The same move is what the search that plays the policy plays, and what a tree search by the network plays is legal.
    for search in ["policy", "mcts", "pvs"] {
        let network = format!("network={file}");
        let arguments =
            ["analyze", "othello", "--moves", "f5", "--search", search, "--set", "evaluation=net"];
        let last = json(&[&arguments[..], &["--set", &network, "--nodes", "50", "--json"]].concat()).pop();
        let played = last.expect("a report")["best_move"].as_str().expect("a move").to_string();
        assert!(policy.iter().any(|known| known["text"] == played.as_str()), "{search} {played}");
        assert!(search != "policy" || policy[0]["text"] == played.as_str());
    }
}

#[test]
fn net_commands_say_what_is_wrong() {
    let folder = Folder::new("wrong");
    let four = folder.network("connect4", "four.safetensors", &[]);
    let (code, said) = error(&["net", "eval", "othello", "--network", &four]);
    assert!(code == 2 && said.contains("it is for connect4") && said.contains("othello-3"), "{said}");
    let (code, said) = error(&["net", "info", &folder.path("none.safetensors")]);
    assert!(code == 1 && said.contains("none.safetensors"), "{said}");
    let text_file = folder.path("text");
    fs::write(&text_file, "nothing of a network in here").expect("written");
    let (code, said) = error(&["net", "check", &text_file]);
    assert!(code == 1 && said.contains("expected a safetensors file"), "{said}");
    let (code, said) = error(&["net", "new", "chess", &folder.path("c"), "--encoder", "chess-1"]);
    assert!(code == 2 && said.contains("expected chess-112 or chess-112-dense"), "{said}");
    assert_eq!(error(&["net", "bench"]).0, 2);
    assert_eq!(error(&["net", "bench", "--size", "six"]).0, 2);
    // A match does not count moves by chance.
    let players = ["--player", "search=mcts,evaluation=net", "--player", "search=pvs"];
    let arguments = [&["match", "tictactoe", "--games", "2", "--limit", "nodes=10"], &players[..]].concat();
    let output = outplay(&arguments, "");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there is no network to evaluate by"), "{said}");
}

#[test]
fn speeds_are_measured_by_arithmetic_and_batch() {
    let measured = json(&[
        "net",
        "bench",
        "--size",
        "1x8",
        "--seconds",
        "0.01",
        "--batch",
        "1",
        "--batch",
        "4",
        "--device",
        "cpu",
        "--json",
    ]);
    assert_eq!(measured.len(), 4);
    for (line, (arithmetic, batch)) in
        measured.iter().zip([("exact", 1), ("exact", 4), ("fast", 1), ("fast", 4)])
    {
        assert_eq!((&line["arithmetic"], &line["batch"]), (&arithmetic.into(), &batch.into()));
        assert!(line["evaluations_per_second"].as_f64().is_some_and(|rate| rate > 1.0), "{line}");
    }
}

#[test]
fn networks_in_a_folder_go_by_their_names() {
    let folder = Folder::new("named");
    folder.network("connect4:5x4", "small.safetensors", &[]);
    let nets = folder.0.to_str().expect("Unicode");
    let listed = &json(&["net", "list", "--nets", nets, "--json"])[0];
    let names: Vec<&str> =
        listed.as_array().expect("a list").iter().flat_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["connect4", "small"], "one comes with the program");
    assert_eq!((&listed[0]["file"], &listed[0]["games"][0]), (&"in the program".into(), &"connect4".into()));
    assert_eq!(listed[1]["games"][0], "connect4:5x4");
    let by_name = std::process::Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(["net", "eval", "connect4:5x4", "--network", "small"])
        .env("OUTPLAY_NETS", nets)
        .output()
        .expect("the program runs");
    assert!(by_name.status.success(), "{}", String::from_utf8_lossy(&by_name.stderr));
}

#[test]
fn a_network_plays_chess_by_uci() {
    let folder = Folder::new("uci");
    let file = folder.network("chess", "c.safetensors", &[]);
    let input = format!(
        "uci\nsetoption name WeightsFile value {file}\nsetoption name Search value mcts\nsetoption name Evaluation value net\nposition startpos moves e2e4\ngo nodes 20\n"
    );
    let said = text(&["uci"], &input);
    assert!(said.contains("option name network type string default <empty>"), "{said}");
    assert!(said.contains("bestmove ") && !said.contains("info string"), "{said}");
    let input = input.replace(&file, "not-there");
    let said = text(&["uci"], &input);
    assert!(
        said.contains("info string") && said.contains("not-there") && said.contains("bestmove"),
        "{said}"
    );
}

#[test]
fn the_doctor_tells_what_there_is_and_what_to_do_about_the_rest() {
    let said = text(&["doctor", "--quick"], "");
    for name in ["cores", "instructions", "GPU", "NVRTC", "Node.js", "Chromium", "Syzygy", "networks"] {
        assert!(said.lines().any(|line| line.starts_with(name)), "{name}: {said}");
    }
    let found = &json(&["doctor", "--json"])[0];
    let found = found.as_array().expect("a list");
    let count = |name: &str| {
        found.iter().filter(|finding| finding["name"] == name && finding["present"] == true).count()
    };
    assert_eq!(count("speed"), 2 + count("GPU"), "two ways on the processor, one on each GPU that works");
    for finding in found {
        assert!(finding["present"] == true || finding["advice"].is_string(), "{finding}");
    }
}
