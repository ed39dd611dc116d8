//! The program as a newcomer meets it: arguments in, text and exit code out.

mod ablate;
mod book;
mod endgames;
mod learn;
mod learn_commands;
mod matches;
mod net;
mod protocols;
mod review;
mod serve;
mod signatures;
mod solve;
mod suite;
mod trace;
mod tune;
mod uci;
mod why;

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn outplay(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes the pipe: that is its right.
    drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
    child.wait_with_output().expect("the program ends")
}

fn text(arguments: &[&str], input: &str) -> String {
    let output = outplay(arguments, input);
    let stdout = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{arguments:?}: {stdout}{}", String::from_utf8_lossy(&output.stderr));
    stdout
}

fn error(arguments: &[&str]) -> (i32, String) {
    let output = outplay(arguments, "");
    assert!(output.stdout.is_empty(), "{arguments:?} prints {}", String::from_utf8_lossy(&output.stdout));
    (output.status.code().expect("no signal"), String::from_utf8(output.stderr).expect("text"))
}

fn json(arguments: &[&str]) -> Vec<serde_json::Value> {
    let text = text(arguments, "");
    match serde_json::from_str(&text) {
        Ok(value) => vec![value],
        Err(_) => text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect(),
    }
}

#[test]
fn games_go_by_other_names_too_and_near_misses_are_guessed() {
    for (game, depth, nodes) in [
        ("reversi", "3", 56),
        ("tic-tac-toe", "2", 72),
        ("connect-four", "3", 343),
        ("five-in-a-row", "1", 225),
    ] {
        assert!(text(&["perft", game, depth], "").ends_with(&format!("nodes {nodes}\n")), "{game}");
    }
    let (code, said) = error(&["perft", "chesss", "1"]);
    assert!(code == 2 && said.contains("no game \"chesss\": did you mean chess?"), "{said}");
    let (code, said) = error(&["match", "otelo", "--a", "pvs", "--b", "uct"]);
    assert!(code == 2 && said.contains("did you mean othello?"), "{said}");
    for (command, meant) in [
        (&["play", "chess", "--level", "club plaier"][..], "club player"),
        (&["match", "chess", "--a", "level=newcommer", "--b", "uct"], "newcomer"),
        (&["explain", "tictactoe", "--search", "alphabet"], "alphabeta"),
        (&["ablate", "chess", "--search", "pvs", "--only", "null_mov"], "null_move"),
        (&["chess"], "outplay play chess"),
    ] {
        let (code, said) = error(command);
        assert!(code == 2 && said.contains(&format!("did you mean {meant}?")), "{said}");
    }
}

#[test]
fn levels_are_listed_with_what_is_known_of_their_strength() {
    let listed = text(&["games", "chess"], "");
    assert!(listed.contains("level  1: newcomer") && listed.contains("in Elo"), "{listed}");
    assert!(listed.lines().any(|line| line.contains(" ± ")), "{listed}");
    assert!(!text(&["games"], "").contains("newcomer"), "the list of games stays short");
    let levels = json(&["games", "othello", "--json"])[0][0]["levels"].clone();
    assert!(levels[0]["name"] == "newcomer" && levels[0]["scale"] == "points", "{levels}");
    let said = text(&["play", "tictactoe", "--level", "beginner"], "quit\n");
    assert!(said.contains("Your opponent: beginner"), "{said}");
}

#[test]
fn perft_ends_with_the_number_of_nodes() {
    for (game, depth, nodes) in [
        ("chess", "4", 197_281),
        ("othello", "7", 55_092),
        ("tictactoe", "9", 127_872),
        ("connect4", "5", 16_807),
    ] {
        for threads in ["1", "2"] {
            let printed = text(&["perft", game, depth, "--threads", threads], "");
            assert_eq!(printed.lines().last(), Some(format!("nodes {nodes}").as_str()));
        }
    }
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let found = &json(&["perft", "chess", "3", "--position", kiwipete, "--json", "--divide"])[0];
    assert_eq!(found["nodes"], 97_862);
    assert!(found["seconds"].is_f64() && found["cpu_seconds"].is_f64());
    let divided: u64 = found["divide"].as_object().expect("a map").values().filter_map(|n| n.as_u64()).sum();
    assert_eq!(divided, 97_862);
    assert_eq!(text(&["perft", "chess", "0"], "").lines().last(), Some("nodes 1"));
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "games",
        "play",
        "analyze",
        "match",
        "suite",
        "solve",
        "ablate",
        "why",
        "tune",
        "explain",
        "book",
        "endgames",
        "net",
        "doctor",
        "perft",
        "bench",
        "uci",
        "connect6",
        "gtp",
        "gomocup",
        "botzone",
        "options",
        "completions",
    ] {
        let help = text(&[command, "--help"], "");
        assert!(
            help.contains("Example") && help.contains(&format!("outplay {command}")),
            "{command}: {help}"
        );
    }
    assert!(text(&["--help"], "").contains("outplay play othello"));
}

#[test]
fn analyze_names_the_opening() {
    let words = ["analyze", "chess", "--moves", "e4 c5 a3", "--depth", "1"];
    assert!(text(&words, "").contains("Opening: Sicilian Defence (B20)"));
    let named = json(&[&words[..], &["--json"]].concat());
    assert_eq!(named[0]["opening"]["code"], "B20");
}

#[test]
fn analyze_draws_the_values_of_all_moves_on_the_board() {
    let solved = "-OOOOOO--XXXXOO-OOXXOOOOOOXXXXOOOOOOXXOO-OOOOXOO--OOOOXX--OOOXXX X";
    let said = text(&["analyze", "othello", "--position", solved, "--time", "5", "--squares"], "");
    let row = said.lines().rfind(|line| line.starts_with(" 8 ")).expect("the last row");
    assert!(row.contains("+32*"), "{said}");
    let last = said.lines().rfind(|line| line.starts_with("depth ")).expect("a line below the board");
    let numbers: Vec<&str> = last.split(' ').collect();
    assert!(numbers[2] == numbers[4] && last.contains("values exact"), "all of them are exact: {last}");
    let said = text(&["analyze", "othello", "--moves", "f5", "--depth", "3", "--squares"], "");
    assert!(said.contains("0 of 3 values exact") && said.matches('*').count() >= 1, "{said}");
    let (code, said) = error(&["analyze", "chess", "--squares"]);
    assert!(code == 2 && said.contains("--multipv"), "{said}");
}

#[test]
fn analyze_reports_as_json_lines_with_a_reason_at_the_end() {
    let reports =
        json(&["analyze", "othello", "--moves", "f5,d6", "--depth", "4", "--multipv", "2", "--json"]);
    assert_eq!(reports.len(), 4);
    let last = &reports[3];
    assert_eq!((&last["depth"], &last["stopped"]), (&4.into(), &"depth".into()));
    assert_eq!(last["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(last["best_move"], last["lines"][0]["moves"][0]);
    let same = json(&["analyze", "othello", "--moves", "f5,d6", "--depth", "4", "--multipv", "2", "--json"]);
    assert_eq!(same[3]["nodes"], last["nodes"]);
    let uct =
        json(&["analyze", "connect4", "--search", "uct", "--nodes", "1000", "--set", "seed=5", "--json"]);
    assert_eq!(uct.last().expect("a report")["nodes"], 1000);
    let mate = ["analyze", "chess", "--position", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--mate", "1"];
    assert!(text(&mate, "").contains("best move Ra8#"));
}

#[test]
fn explain_shows_windows_cutoffs_and_values() {
    let arguments =
        ["explain", "tictactoe", "--moves", "a1 b1 a2 b2", "--search", "alphabeta", "--depth", "2"];
    let tree = text(&arguments, "");
    assert!(tree.contains("[-∞, +∞]") && tree.contains("cut: ") && tree.contains("win in 1"), "{tree}");
    let dot = text(&[&arguments[..], &["--dot"]].concat(), "");
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'));
    let json = &json(&[&arguments[..], &["--json"]].concat())[0];
    let nodes = json["nodes"].as_array().expect("a list");
    assert_eq!(nodes.len() as u64, json["counters"]["nodes"].as_u64().expect("a number"));
    let leaves = nodes.iter().filter(|node| node["leaf"].is_string()).count() as u64;
    assert_eq!(leaves, json["counters"]["leaves"].as_u64().expect("a number"));
    let minimax = text(&["explain", "tictactoe", "--search", "minimax", "--depth", "2"], "");
    assert!(minimax.contains("82 nodes, 72 leaves, 0 cutoffs"), "{minimax}");
}

#[test]
fn explain_shows_simulations_with_choices_random_games_and_results() {
    let arguments = ["explain", "tictactoe", "--search", "uct", "--simulations", "30", "--set", "seed=3"];
    let told = text(&arguments, "");
    for words in [
        "Simulation 30\n",
        "it has not been tried yet",
        "is the highest",
        "not tried: ",
        "Random game: ",
        "Backed up for X at ",
        "After 30 simulations",
        "tried most often",
    ] {
        assert!(told.contains(words), "{words:?} is missing in\n{told}");
    }
    let json = &json(&[&arguments[..], &["--json"]].concat())[0];
    let simulations = json["simulations"].as_array().expect("a list");
    assert_eq!(simulations.len(), 30);
    assert!(simulations[9]["choices"][0]["candidates"][0]["bound"].is_f64(), "every move was tried once");
    assert_eq!(text(&arguments, ""), told, "the same seed gives the same simulations");
    let best = json["lines"][0]["moves"][0].as_str().expect("a move");
    assert!(told.trim_end().ends_with(&format!("best move {best}, tried most often")), "{told}");
    let flat = text(&["explain", "tictactoe", "--search", "flat"], "");
    assert!(flat.contains("it is its turn") && flat.contains("with the best value"), "{flat}");
    let over = ["explain", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--search", "uct"];
    assert!(text(&over, "").contains("The game is over"));
}

#[test]
fn explain_lists_lessons_and_shows_each_kind() {
    let list = text(&["explain", "--list"], "");
    for words in
        ["Trees\n", "Networks and self-play\n", "  null-move ", "Late-move reductions", "  self-play "]
    {
        assert!(list.contains(words), "{words:?} is missing in\n{list}");
    }
    let listed = &json(&["explain", "--list", "--json"])[0];
    assert!(listed.as_array().expect("a list").len() >= 20);
    let kinds: [(&str, &[&str]); 8] = [
        ("minimax", &["Minimax (tictactoe)\n", "Try: ", "0 cutoffs"]),
        ("uct", &["Simulation 50\n", "tried most often"]),
        ("growth", &["b^(3d/4)", "--set depth=1..12"]),
        ("zobrist", &["Nf3", "Both orders lead to the same key."]),
        ("horizon", &["depth", "Bxa2", "Bd5"]),
        ("puct", &["Before the first simulation", "After simulation 100", "T = 0.5"]),
        ("noise", &["draw 4", "with noise"]),
        ("self-play", &["samples with mirror images", "policy to be learned"]),
    ];
    for (name, words) in kinds {
        let told = text(&["explain", "--lesson", name], "");
        for word in words {
            assert!(told.contains(word), "{word:?} is missing in\n{told}");
        }
    }
    let growth =
        &json(&["explain", "--lesson", "growth", "--set", "branching=3", "--set", "depth=4", "--json"])[0];
    assert_eq!(growth["depths"][3]["fewest"], 17);
}

#[test]
fn errors_say_what_was_wrong_and_where_and_exit_with_2_or_1() {
    let cases: [(&[&str], i32, &[&str]); 22] = [
        (&["explain", "--lesson", "nul-move"], 2, &["nul-move", "did you mean null-move?"]),
        (&["explain", "--lesson", "growth", "--set", "depth=99"], 2, &["a whole number from 1 to 12"]),
        (&["explain", "chess", "--list"], 2, &["--list"]),
        (&["perft", "go", "3"], 2, &["\"go\"", "expected one of chess"]),
        (&["perft", "chess", "x"], 2, &["'x'"]),
        (&["perft", "chess", "3", "--position", "8/8/8/8/8/8/8/8 w - - 0 1"], 2, &["king"]),
        (&["analyze", "chess", "--moves", "e4 e9"], 2, &["move 2", "e9"]),
        (&["analyze", "chess", "--mate", "0"], 2, &["--mate"]),
        (&["analyze", "othello", "--search", "uct", "--mate", "1"], 2, &["uct", "nodes or time"]),
        (&["play", "othello", "--infinite"], 2, &["--infinite"]),
        (&["play", "tictactoe", "--level", "9"], 2, &["no level \"9\"", "1 newcomer", "4 perfect player"]),
        (&["play", "chess", "--level", "2", "--infinite"], 2, &["--level", "--infinite"]),
        (&["perft", "chess", "100000"], 2, &["100000"]),
        (&["analyze", "chess", "--search", "magic"], 2, &["magic", "minimax"]),
        (
            &["analyze", "chess", "--search", "hminimax", "--set", "depth=1000"],
            2,
            &["depth", "from 1 to 100"],
        ),
        (&["analyze", "chess", "--file", "no such file"], 1, &["cannot read no such file"]),
        (&["explain", "chess", "--depth", "6"], 1, &["100000", "smaller depth"]),
        (&["explain", "chess", "--search", "pvs"], 2, &["pvs", "alphabeta, flat, uct"]),
        (&["explain", "chess", "--search", "mcts"], 2, &["mcts", "alphabeta, flat, uct"]),
        (&["explain", "chess", "--search", "uct", "--dot"], 2, &["--dot", "uct", "--simulations"]),
        (&["explain", "chess", "--simulations", "9"], 2, &["--simulations", "alphabeta", "--depth"]),
        (
            &["explain", "connect6", "--search", "uct", "--most-nodes", "1000"],
            1,
            &["more than 1000 rows", "ask for fewer"],
        ),
    ];
    for (arguments, code, words) in cases {
        let (found, message) = error(arguments);
        assert_eq!(found, code, "{arguments:?}: {message}");
        for word in words {
            assert!(message.contains(word), "{arguments:?}: {message:?} lacks {word:?}");
        }
    }
}

#[test]
fn a_game_can_be_played_taken_back_resigned_saved_and_taken_up_again() {
    let folder = std::env::temp_dir().join(format!("outplay-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("game.pgn");
    let path = file.to_str().expect("a path");
    let arguments = ["play", "othello", "--nodes", "200"];
    let input = format!("help\nmoves\nhint\nzz\nf5\nundo\nd3\nsave {path}\nresign\nquit\n");
    let printed = text(&arguments, &input);
    for words in ["take back", "plays", "Black resigns: White wins", "saved to"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    let again = text(&["play", "othello", "--file", path, "--nodes", "200"], "board\nquit\n");
    assert!(again.contains("Black>"), "{again}");
    let other = text(&arguments, &format!("f5\nsave {path}\nquit\n"));
    assert!(other.contains("exists and holds something else"), "{other}");
    let kept = folder.join("kept.pgn");
    let kept_path = kept.to_str().expect("a path");
    let short =
        ["play", "chess", "--side", "none", "--depth", "1", "--position", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"];
    let printed = text(&[&short[..], &["--save", kept_path]].concat(), "");
    assert!(printed.contains("White wins"), "{printed}");
    assert!(std::fs::read_to_string(&kept).expect("the saved game").contains("Ra8#"));
    std::fs::remove_dir_all(&folder).expect("our own folder");
}

#[test]
#[cfg(unix)]
fn saving_takes_nothing_away() {
    let folder = std::env::temp_dir().join(format!("outplay-save-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_string();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let play =
        |save: &str, input: &str| text(&["play", "chess", "--side", "both", "--save", &path(save)], input);
    // A new game does not overwrite the one before.
    let printed = play("one.pgn", "e4\nresign\nnew\nd4\nquit\n");
    assert!(read("one.pgn").contains("1. e4 1-0"), "{printed}");
    assert!(printed.contains("keeps its file"), "{printed}");
    // A link that leads nowhere yet stays a link.
    std::os::unix::fs::symlink("real.pgn", folder.join("link.pgn")).expect("a link");
    play("link.pgn", "d4\nquit\n");
    assert!(read("real.pgn").contains("1. d4"));
    assert!(folder.join("link.pgn").is_symlink());
    // A file in another format is not rewritten.
    std::fs::write(folder.join("one.epd"), "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n").expect("a file");
    let refused = outplay(&["play", "chess", "--file", &path("one.epd"), "--save", &path("one.epd")], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(read("one.epd").contains("bm O-O"));
    let mut left: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["link.pgn", "one.epd", "one.pgn", "real.pgn"], "no temporary file is left");
    std::fs::remove_dir_all(&folder).expect("our own folder");
}

#[test]
fn whatever_is_typed_the_game_goes_on() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(["play", "othello", "--nodes", "100", "--save", "/nonexistent/game.pgn"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let long = [b'x'; 100_000];
    for line in [&b"\xff\xfe"[..], b"\0", &long, b"f5 f5 f5", b"f5"] {
        input.write_all(line).and_then(|()| input.write_all(b"\n")).expect("it reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("White plays"), "{printed}");
    assert!(printed.contains("not saved: cannot write /nonexistent/game.pgn"), "{printed}");
}

#[test]
fn positions_and_moves_are_read_as_they_are_written() {
    let start = "---------------------------OX------XO--------------------------- X";
    assert!(text(&["perft", "othello", "3", "--position", start], "").ends_with("nodes 56\n"));
    let last = |moves: &str| {
        text(&["perft", "othello", "3", "--moves", moves], "").lines().last().map(str::to_string)
    };
    assert_eq!(last("f5d6c3"), last("f5 d6,c3"));
}

#[test]
#[cfg(unix)]
fn a_search_that_is_told_to_stop_answers() {
    let child = Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(["analyze", "chess", "--infinite"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let told =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("every Unix has it");
    assert!(told.success());
    let output = child.wait_with_output().expect("the program ends");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("ended by: stopped") && printed.contains("best move"), "{printed}");
}

#[test]
fn the_end_of_input_ends_the_program() {
    assert!(text(&["play", "connect4", "--nodes", "100"], "d\n").contains("plays"));
}

#[test]
fn bench_prints_the_same_signature_twice() {
    let signature = || {
        let benches = json(&["bench", "tictactoe", "connect4:4x4", "--json"]);
        let list = benches[0].as_array().expect("a list").clone();
        list.iter().map(|game| (game["nodes"].clone(), game["hash"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(signature(), signature());
    let printed = text(&["bench", "tictactoe"], "");
    assert!(printed.lines().last().is_some_and(|line| line.starts_with("Bench: ") && line.ends_with(" nps")));
}

#[test]
fn the_bench_of_the_tree_says_what_it_has_measured() {
    let words = ["bench", "mcts", "--game", "othello", "--position"];
    let position = "-O-XX---OOOOOO--OOXOOOX-OXOOXXXXOXXOOXXXOXXXOXXX--OXXXX--XXXXXXX X";
    for evaluator in ["random", "uniform", "static", "rollouts"] {
        let more = [position, "--evaluator", evaluator, "--playouts", "3000", "--threads", "2", "--json"];
        let measured = &json(&[&words[..], &more].concat())[0];
        // A game as near to its end may be solved before.
        let playouts = measured["playouts"].as_u64().expect("a count");
        assert!((1..=3000).contains(&playouts), "{measured}");
        for name in ["seconds", "cpu_seconds", "playouts_per_cpu_second"] {
            assert!(measured[name].as_f64() > Some(0.0), "{name}: {measured}");
        }
        assert!(measured["depth"].as_u64() >= Some(1), "{measured}");
        let knows_memory = cfg!(target_os = "linux");
        assert_eq!(measured["bytes_per_playout"].is_f64(), knows_memory, "{measured}");
    }
    let deepest = |more: &[&str]| {
        let words = ["bench", "mcts", "--game", "connect4", "--playouts", "100000", "--json"];
        json(&[&words[..], more].concat())[0]["selective_depth"].as_u64()
    };
    assert_eq!(deepest(&["--dag"]), deepest(&["--set", "dag=true"]));
    assert_ne!(deepest(&["--dag"]), deepest(&[]), "shared positions lead deeper");
    let (code, message) = error(&["bench", "mcts", "--evaluator", "oracle"]);
    assert!(code == 2 && message.contains("expected one of rollouts, static"), "{message}");
}

#[test]
fn the_bench_of_many_games_and_of_threads_puts_them_beside_what_they_compare_with() {
    let many = ["bench", "mcts", "--game", "connect4", "--games", "40", "--playouts", "5000"];
    let measured = &json(&[&many[..], &["--playouts-per-move", "16", "--json"]].concat())[0];
    assert!(measured["playouts"].as_u64() >= Some(5000), "{measured}");
    assert!(measured["moves"].as_u64() >= Some(200), "{measured}");
    assert!(measured["bytes_per_game"].as_u64() <= Some(1 << 16), "{measured}");
    let printed = text(&[&many[..], &["--compare", "--rounds", "1"]].concat(), "");
    assert!(printed.starts_with("40 games ") && printed.contains("one tree "), "{printed}");
    let threads = ["bench", "mcts", "--playouts", "2000", "--threads", "2", "--compare", "--rounds", "1"];
    let printed = text(&threads, "");
    assert!(printed.lines().count() == 4 && printed.contains("2 processes "), "{printed}");
    let (code, message) = error(&["bench", "mcts", "--games", "2", "--evaluator", "rollouts"]);
    assert!(code == 2 && message.contains("random or net"), "{message}");
}

#[test]
fn the_bench_of_many_games_asks_networks_on_several_threads() {
    let many = ["bench", "mcts", "--game", "connect4", "--games", "9", "--threads", "2", "--playouts", "300"];
    let net = ["--evaluator", "net", "--network", "connect4", "--set", "arithmetic=fast"];
    let measured = &json(&[&many[..], &net, &["--json"]].concat())[0];
    assert!(measured["playouts"].as_u64() >= Some(300), "{measured}");
    for number in ["evaluations_per_second", "mean_batch", "waiting", "playouts_per_second"] {
        assert!(measured[number].as_f64() > Some(0.0), "{number}: {measured}");
    }
    assert!(measured["waiting"].as_f64() <= Some(1.0), "{measured}");
    let printed = text(&[&many[..], &net].concat(), "");
    assert!(printed.contains(" evaluations/s in batches of "), "{printed}");
    let (code, message) = error(&[&many[..], &["--evaluator", "net"]].concat());
    assert!(code == 2 && message.contains("--network"), "{message}");
}

#[test]
fn games_options_and_completions_are_listed() {
    let games = &json(&["games", "--json"])[0];
    assert!(games.as_array().expect("a list").iter().any(|game| game["name"] == "connect6"));
    let searches = &json(&["options", "--json"])[0];
    assert_eq!(searches.as_array().map(Vec::len), Some(10));
    let pvs =
        searches.as_array().into_iter().flatten().find(|search| search["search"] == "pvs").expect("pvs");
    let option = |name: &str| {
        let mut options = pvs["options"].as_array().expect("options").iter();
        options.find(|option| option["name"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
    };
    let mebibytes = serde_json::json!([{"memory": {"bytes": 1_048_576}}, "kept", "layout"]);
    assert_eq!((&option("hash")["attributes"], &option("hash")["group"]), (&mebibytes, &"Table".into()));
    assert_eq!(option("null_move")["attributes"], serde_json::json!(["selective"]));
    assert_eq!(option("book_file")["type"], "file");
    let listed = text(&["options"], "");
    assert!(listed.contains("exploration = "), "{listed}");
    assert!(listed.contains("null_move = true (true or false; selective)"), "{listed}");
    assert!(
        listed.contains("Once another setting asks for them:") && listed.contains("symmetry_seed"),
        "{listed}"
    );
    assert!(
        listed.lines().all(|line| line.chars().count() <= 80),
        "it can be read in a terminal of 80 columns"
    );
    let few = text(&["options", "chess", "pvs", "null"], "");
    assert!(few.contains("null_move_depth") && !few.contains("futility") && !few.contains("uct:"), "{few}");
    assert!(error(&["options", "chess", "pvss"]).1.contains("did you mean pvs?"));
    assert!(error(&["analyze", "chess", "--search", "pvss"]).1.contains("did you mean pvs?"));
    assert!(error(&["analyze", "chess", "--set", "nul_move=on"]).1.contains("did you mean null_move?"));
    assert!(text(&["completions", "bash"], "").contains("outplay"));
}

#[test]
fn play_without_a_game_asks_for_one() {
    let by_number = text(&["play"], "3\nquit\n");
    assert!(by_number.contains("Which game?") && by_number.contains("Black to move"), "{by_number}");
    let by_name = text(&["play"], "tictactoe\nb2\nquit\n");
    assert!(by_name.contains("Which game?") && by_name.contains(" plays "), "{by_name}");
    let nothing = outplay(&["play"], "");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("outplay play othello"));
}

#[cfg(unix)]
#[test]
fn a_game_that_is_left_by_an_interruption_is_kept() {
    use std::io::Read;
    let folder = std::env::temp_dir().join(format!("outplay-left-{}", std::process::id()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(["play", "othello", "--nodes", "100"])
        .env("XDG_DATA_HOME", &folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Kept open: at the end of its input the program would leave by itself.
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"f5\n").expect("it listens");
    // The answer was played, and it waits at the prompt.
    let (mut said, mut byte) = (String::new(), [0]);
    let stdout = child.stdout.as_mut().expect("a pipe");
    while !(said.contains("White plays") && said.ends_with("Black> ")) {
        assert_eq!(stdout.read(&mut byte).expect("it speaks"), 1, "{said}");
        said.push(char::from(byte[0]));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the program ends");
    drop(stdin);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let path = told.split("--file ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a file is named");
    let again = text(&["play", "othello", "--file", path], "quit\n");
    assert!(again.contains("Black to move"), "{again}");
    std::fs::remove_dir_all(folder).expect("the game was there");
}

#[test]
fn an_evaluation_is_named_wherever_a_search_is_chosen() {
    let listed = text(&["options", "othello"], "");
    assert!(
        listed.contains("evaluation = patterns (one of patterns, positional, discs, net, none"),
        "{listed}"
    );

    let value = |evaluation: &str| {
        let set = format!("evaluation={evaluation}");
        let words = ["analyze", "othello", "--search", "alphabeta", "--depth", "1", "--json", "--set", &set];
        json(&words).last().expect("a report")["lines"][0]["score"].clone()
    };
    // From two discs each, a move places one and turns one.
    assert_eq!(value("discs"), value("DISCS"));
    assert_eq!((value("discs")["centi"].as_i64(), value("none")["centi"].as_i64()), (Some(300), Some(0)));
    assert_ne!(value("positional"), value("discs"));

    let short = ["--games", "2", "--limit", "depth=2", "--json"];
    let players = ["--a", "search=hminimax,evaluation=discs", "--b", "search=hminimax,evaluation=none"];
    let played = text(&[&["match", "othello"], &players[..], &short].concat(), "");
    assert!(players[1..].iter().step_by(2).all(|player| played.contains(player)), "{played}");
    let varied = ["--search", "hminimax", "--vary", "evaluation=discs,none", "--games", "2", "--time", "1ms"];
    let studied = text(&[&["ablate", "othello", "--nodes", "100"], &varied[..]].concat(), "");
    assert!(studied.contains("evaluation discs for patterns"), "{studied}");
    assert!(studied.contains("evaluation none for patterns"), "{studied}");

    let folder = matches::Folder::new("evaluation");
    let problems = folder.file("problems.epd");
    std::fs::write(&problems, "bm d3;\n").expect("a file");
    let suite =
        |player: &'static str| ["suite", "othello", &problems, "--player", player, "--limit", "depth=1"];
    assert!(text(&suite("search=alphabeta,evaluation=discs"), "").contains("evaluation=discs"));
    let no_player = "search=alphabeta,evaluation=magic";
    for words in [
        &["analyze", "othello", "--set", "evaluation=magic"][..],
        &["play", "othello", "--set", "evaluation=magic"],
        &["match", "othello", "--a", no_player, "--b", "uct", "--limit", "nodes=9"],
        &suite(no_player),
        &["ablate", "othello", "--search", "deepening", "--vary", "evaluation=magic"],
        &["bench", "mcts", "--game", "othello", "--set", "evaluation=magic"],
    ] {
        let (code, message) = error(words);
        assert!(
            code == 2 && message.contains("one of patterns, positional, discs, net, none"),
            "{words:?}: {message}"
        );
    }
}

#[test]
fn the_tree_of_a_search_is_printed_with_visits_that_sum() {
    let words =
        ["tree", "connect4", "--nodes", "2000", "--set", "smart_pruning_factor=0", "--set", "solver=false"];
    let tree = &json(&[&words[..], &["--plies", "1", "--json"]].concat())[0];
    let replies = tree["replies"].as_array().expect("moves");
    assert_eq!((tree["visits"].as_u64(), replies.len()), (Some(2000), 7));
    assert_eq!(replies.iter().filter_map(|reply| reply["visits"].as_u64()).sum::<u64>(), 1999);
    assert!(
        replies
            .iter()
            .all(|reply| reply["prior"].is_f64() && reply["wdl"][0].is_f64() && reply["u"].is_f64())
    );
    let most = replies[0]["visits"].as_u64().expect("visits").to_string();
    assert!(
        text(&[&words[..], &["--least", &most]].concat(), "")
            .lines()
            .last()
            .is_some_and(|line| line.contains(&most))
    );
    assert!(text(&[&words[..], &["--plies", "1", "--dot"]].concat(), "").contains("n0 -> n7;"));
    assert_eq!(error(&["tree", "connect4", "--search", "deepening", "--depth", "2"]).0, 2);
    let lines =
        &json(&["analyze", "othello", "--search", "mcts", "--nodes", "500", "--multipv", "3", "--json"]);
    assert!(lines.last().expect("a report")["lines"][2]["q"].is_f64());
}

#[test]
fn analyze_shows_the_number_and_the_nodes_that_were_asked_for() {
    let plain = ["analyze", "connect4", "--search", "mcts", "--nodes", "300", "--multipv", "2"];
    let words = [&plain[..], &["--set", "score_type=centipawn", "--set", "per_pv_counters=true"]].concat();
    let reports = json(&[&words[..], &["--json"]].concat());
    let last = reports.last().expect("a report");
    for line in last["lines"].as_array().expect("lines") {
        assert_eq!(line["shown"]["type"], "centipawn");
        assert_eq!(line["nodes"], line["visits"]);
    }
    let (number, nodes) = (&last["lines"][0]["shown"]["value"], &last["lines"][1]["nodes"]);
    let shown = text(&words, "");
    assert!(shown.contains(&format!(" centipawn {number} ")), "{shown}");
    assert!(shown.contains(&format!(" {nodes} nodes 2.")), "{shown}");
    assert!(!text(&plain, "").contains("centipawn"));
}

#[test]
fn a_tree_is_saved_and_gone_on_with() {
    let folder = std::env::temp_dir().join(format!("outplay-tree-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("one.tree").display().to_string();
    let analyze = [
        "analyze",
        "connect4",
        "--search",
        "mcts",
        "--nodes",
        "2000",
        "--multipv",
        "7",
        "--set",
        "smart_pruning_factor=0",
        "--json",
    ];
    let visits = |more: &[&str]| {
        let reports = json(&[&analyze[..], more].concat());
        let lines = reports.last().expect("a report")["lines"].as_array().expect("lines").clone();
        lines.iter().filter_map(|line| line["visits"].as_u64()).sum::<u64>()
    };
    let first = visits(&["--save-tree", &file]);
    assert!(first < 2_000 && visits(&["--load-tree", &file, "--save-tree", &file]) > first + 1_000);
    assert!(visits(&["--load-tree", &file]) > first + 2_000, "the file was replaced");
    let refused = |more: &[&str]| error(&[&analyze[..], more].concat());
    let (code, message) = refused(&["--load-tree", &file, "--set", "evaluator=static"]);
    assert!(code == 1 && message.contains("one.tree") && message.contains("evaluator"), "{message}");
    let other = folder.join("notes.txt").display().to_string();
    std::fs::write(&other, "something of value").expect("a file");
    let (code, message) = refused(&["--save-tree", &other]);
    assert!(code == 1 && message.contains("not a tree"), "{message}");
    assert_eq!(std::fs::read_to_string(&other).expect("a file"), "something of value");
    let mut left: Vec<_> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["notes.txt", "one.tree"], "no temporary file is left");
    std::fs::remove_dir_all(folder).expect("its own folder");
}
