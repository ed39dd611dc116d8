//! `outplay solve`

use std::fs;
use std::path::{Path, PathBuf};

use outplay_connect::{Connect, Rules};
use outplay_core::{Game, Move, MoveList, Notation, Outcome};
use serde_json::Value;

use super::{error, json, text};

const GAME: &str = "connect:8,8,6,2,1";

/// Small boards on which every move can be tried. In the third, one stone of the turn is left.
const TABLE: &str = "\
id,source,stones_in_order,side_to_move
three,\"somebody, somewhere\",g8 d5 e3 f2 c2 e1 e6 c8 d2 d3 a3 g4 h4,W
four,,\"d8,c4,e6,a3,h7,b4,f5,a8,h5,b3,d6,g8,f3\",W
begun,,c3 b3 d7 f5 e4 h1 d8 c6 e3 b2 d4 e6,B
nothing,,g4 h7 d5 f1 a8 g7 c5 h8 g1 d8 c3 e1 h6,
";

/// A folder with a table in it, removed by whoever asks for it.
fn folder_with(name: &str, table: &str) -> (PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("outplay-solve-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("table.csv");
    fs::write(&file, table).expect("a table");
    let path = file.to_str().expect("Unicode").to_string();
    (folder, path)
}

#[test]
fn positions_of_a_table_are_solved_and_the_proofs_hold_against_every_move() {
    let (folder, table) = folder_with("proofs", TABLE);
    let proofs = folder.join("proofs");
    let arguments = ["solve", GAME, &table, "--json", "--proof", proofs.to_str().expect("Unicode")];
    let rows = json(&arguments);
    let found: Vec<_> = rows.iter().map(|row| (&row["id"], &row["result"], &row["turns"])).collect();
    let expected = [
        ("three", "win", Some(3)),
        ("four", "win", Some(4)),
        ("begun", "win", Some(4)),
        ("nothing", "none", None),
    ];
    let expected: Vec<_> =
        expected.map(|(id, result, turns)| (id.into(), result.into(), turns.into())).into();
    assert_eq!(found, expected.iter().map(|(id, result, turns)| (id, result, turns)).collect::<Vec<_>>());
    for row in &rows {
        assert!(row["nodes"].as_u64() > Some(1) && row["ms"].is_number(), "{row}");
        let Some(turns) = row["turns"].as_u64() else { continue };
        // The line may end with threats that nothing stops, a turn before the row.
        let line = row["line"].as_array().expect("a line").len() as u64;
        assert!(line == 2 * turns - 1 || line == 2 * turns - 3, "{row}");
        check_file(Path::new(row["proof"].as_str().expect("a path")));
    }
    assert_eq!(fs::read_dir(&proofs).expect("a folder").count(), 3);
    let printed = text(&arguments[..3], "");
    assert!(printed.contains("begun      win in 4"), "{printed}");
    assert!(printed.contains("won 3 of 4, 1 without such a win, 0 cut"), "{printed}");
    let cut = json(&["solve", GAME, &table, "--json", "--nodes", "1"]);
    assert!(cut.iter().all(|row| row["result"] == "cut" && row["nodes"] == 1), "{cut:?}");
    let short = json(&["solve", GAME, &table, "--json", "--turns", "3"]);
    assert_eq!((&short[0]["result"], &short[1]["result"]), (&"win".into(), &"cut".into()));
    fs::remove_dir_all(&folder).expect("removed");
}

/// Follows a proof through the rules of the game.
fn check_file(path: &Path) {
    let proof: Value = serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON");
    let rules: Rules = GAME.trim_start_matches("connect:").parse().expect("rules");
    assert_eq!(proof["game"], GAME);
    let position = Connect::parse_position(&rules, proof["position"].as_str().expect("text"));
    check(&position.expect("a position"), &proof["proof"]);
}

fn check(position: &Connect, node: &Value) {
    let attacker = position.to_move();
    if node["completes_a_row"].is_array() {
        let filled = played(position, &node["completes_a_row"]);
        assert_eq!(filled.outcome(), Some(Outcome::win(attacker)), "{position:?}: {node}");
        return;
    }
    let threatened = played(position, &node["threatens"]);
    assert!(threatened.to_move() != attacker && threatened.outcome().is_none(), "{position:?}: {node}");
    let replies = node["replies"].as_array().expect("a list");
    for (first, second) in pairs(&threatened) {
        let answered = threatened.after(first).after(second);
        assert_eq!(answered.outcome(), None, "the defender wins: {position:?}: {node}");
        let is_this = |reply: &&Value| played(&threatened, &reply["stones"]) == answered;
        match replies.iter().find(is_this) {
            Some(reply) => check(&answered, &reply["then"]),
            None => {
                assert!(fills(&answered), "nothing is said of {first:?}, {second:?}: {position:?}: {node}")
            }
        }
    }
}

/// Whether the player to move completes a row with two stones.
fn fills(position: &Connect) -> bool {
    let is_won = |position: Connect| position.outcome().is_some_and(|outcome| outcome.winner().is_some());
    position.legal_moves().each().any(|m| is_won(position.after(m)))
        || pairs(position).any(|(first, second)| is_won(position.after(first).after(second)))
}

fn pairs(position: &Connect) -> impl Iterator<Item = (Move, Move)> {
    let cells: Vec<Move> = position.legal_moves().each().collect();
    (0..cells.len()).flat_map(move |first| {
        let others = cells[first + 1..].to_vec();
        let first = cells[first];
        others.into_iter().map(move |second| (first, second))
    })
}

fn played(position: &Connect, stones: &Value) -> Connect {
    let stones = stones.as_array().expect("stones").iter().map(|stone| stone.as_str().expect("text"));
    stones.fold(position.clone(), |position, stone| {
        position.after(position.parse_move(stone).expect("a legal move"))
    })
}

#[test]
fn one_position_is_solved_from_its_stones_and_proved_in_a_file() {
    let (folder, _) = folder_with("stones", "");
    let file = folder.join("win.json");
    let stones = TABLE.lines().nth(2).and_then(|line| line.split('"').nth(1)).expect("stones");
    let printed = text(&["solve", GAME, "--stones", stones, "--proof", file.to_str().expect("Unicode")], "");
    assert!(printed.contains("won 1 of 1") && printed.contains("win.json"), "{printed}");
    check_file(&file);
    fs::remove_dir_all(&folder).expect("removed");
    let start = &json(&["solve", "connect6", "--stones", "j10", "--json"])[0];
    assert_eq!((&start["result"], start.get("turns")), (&"none".into(), None));
}

/// Black wins by a threat that leaves White a stone to spare: a reply of one stone stands for all the others.
#[test]
fn single_threats_win_where_double_threats_do_not() {
    let (folder, _) = folder_with("single", "");
    let file = folder.join("win.json");
    let board =
        "19/19/19/19/19/19/9o9/6o2x2o6/7x1x1x7/6o1xxxxo6/9xoo7/8xox1x6/7oooxo7/7o2o8/19/19/19/19/19 x 2";
    let double = &json(&["solve", "connect6", "--stones", board, "--nodes", "2000", "--json"])[0];
    assert_ne!(double["result"], "win");
    let proof = ["--proof", file.to_str().expect("Unicode")];
    let arguments = ["solve", "connect6", "--stones", board, "--nodes", "2000", "--json", "--vcst"];
    let single = &json(&[&arguments[..], &proof[..]].concat())[0];
    assert_eq!((&single["result"], &single["turns"]), (&"win".into(), &5.into()));
    let written: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    let replies = written["proof"]["replies"].as_array().expect("a list");
    let has_reply_of =
        |stones: usize| replies.iter().any(|reply| reply["stones"].as_array().map(Vec::len) == Some(stones));
    assert!(has_reply_of(1) && has_reply_of(2), "{written}");
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_line() {
    for (table, words) in [
        ("id,stones_in_order,side_to_move\na,a1,W\nb,a1,B\n", ["line 3", "it is White's turn, not B's"]),
        ("id,stones_in_order\na,a1 a1\n", ["line 2", "there is a stone already"]),
        ("id,stones_in_order\na,a1 z9\n", ["line 2", "only has the cells from a1 to h8"]),
        ("id,stones_in_order\n\"a,a1\n", ["line 2", "expected 2 fields"]),
        ("id,stones_in_order\na,a1,b2\n", ["line 2", "expected 2 fields"]),
        ("id,stones_in_order\na,a1 a3 a4 b1 c1 a5 a6 d1 e1 a7 h8 f1\n", ["line 2", "the game is over"]),
        ("game,moves\n1,a1\n", ["line 1", "stones_in_order"]),
        ("id,stones_in_order\n", ["no position to solve", "stones_in_order"]),
        ("", ["no position to solve", "stones_in_order"]),
    ] {
        let (folder, path) = folder_with("refused", table);
        let (code, message) = error(&["solve", GAME, &path]);
        assert_eq!(code, 1, "{table}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{table}: {message}");
        fs::remove_dir_all(&folder).expect("removed");
    }
    for (arguments, words) in [
        (&["solve", "gomoku", "--stones", "h8"][..], "two stones in a turn"),
        (&["solve", "chess", "--stones", "e4"], "expected connect6"),
        (&["solve", "chess", "--stones", "e4", "--dfpn"], "--dfpn means nothing to chess"),
        (&["solve", "tictactoe", "--moves"], "--moves means nothing to tictactoe"),
        (&["solve", "connect6", "--stones", "j10", "--moves"], "--moves means nothing to connect6"),
        (&["solve", "connect4", "--position", "44", "--vcst"], "--vcst means nothing to connect4"),
        (&["solve", "connect4", "--position", "4141414"], "the game is over"),
        (&["solve", "connect4:8x8"], "must be at most 64"),
        (&["solve", "connect4", "--position", "4449"], "from a to g"),
        (&["solve", "connect4", "positions.txt", "--position", "44"], "cannot be used with"),
        (&["solve", "connect6"], "FILE"),
        (&["solve", "connect6", "--stones", "j10 t20"], "t20"),
        (&["solve", "connect6", "--stones", ""], "or moves"),
        (&["solve", GAME, "--stones", "a1 a3 a4 b1 c1 a5 a6 d1 e1 a7 h8 f1"], "Black has won"),
    ] {
        let (code, message) = error(arguments);
        assert!(code == 2 && message.contains(words), "{arguments:?}: {message}");
    }
    let (folder, table) = folder_with("taken", TABLE);
    let (code, message) = error(&["solve", GAME, &table, "--proof", &table]);
    assert!(code == 2 && message.contains("4 positions: name a folder"), "{message}");
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn connect_four_is_solved_from_files_and_positions_with_every_move() {
    let positions = "\
2252576253462244111563365343671351441 -1
7422341735647741166133573473242566 1
# Without a score, and as a board.
414141
7/7/7/3x3/o2x3/o2x3 o id \"stop it\";
";
    let (folder, file) = folder_with("four", positions);
    let rows = json(&["solve", "connect4", &file, "--json", "--moves"]);
    let found: Vec<_> = rows.iter().map(|row| (&row["result"], &row["score"], &row["plies"])).collect();
    let result =
        |result: &str, score: i32, plies: u32| -> [Value; 3] { [result.into(), score.into(), plies.into()] };
    let expected = [result("loss", -1, 4), result("win", 1, 7), result("win", 18, 1)];
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!([found.0, found.1, found.2], [&expected[0], &expected[1], &expected[2]]);
    }
    assert_eq!((rows.len(), &rows[3]["id"]), (4, &"stop it".into()));
    for row in &rows {
        assert_eq!(row["exact"], true);
        // A position is worth as much as its best move.
        let moves = row["moves"].as_array().expect("moves");
        assert_eq!(moves.iter().map(|m| m["score"].as_i64()).max(), Some(row["score"].as_i64()), "{row}");
    }
    let only = |row: &Value| {
        let moves = row["moves"].as_array().expect("moves").iter();
        moves.filter(|m| m["plies"] != 2).map(|m| m["move"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(only(&rows[3]), ["d"], "all else loses with the next stone");
    let printed = text(&["solve", "connect4", &file], "");
    assert!(printed.contains("loss in 4 plies") && printed.contains("solved 4 of 4"), "{printed}");
    let cut = &json(&["solve", "connect4", "--nodes", "1000", "--hash", "2", "--json"])[0];
    assert_eq!((&cut["exact"], &cut["result"], cut.get("score")), (&false.into(), &"unknown".into(), None));
    assert!(cut["at_least"].as_i64() <= Some(1) && cut["at_most"].as_i64() >= Some(1), "{cut}");
    let small = &json(&["solve", "connect4:6x4", "--json"])[0];
    assert_eq!((&small["result"], &small["exact"]), (&"loss".into(), &true.into()));
    fs::write(&file, "").expect("a file");
    let (code, message) = error(&["solve", "connect4", &file]);
    assert!(code == 1 && message.contains("no position to solve"), "{message}");
    fs::write(&file, "44\n4x4\n").expect("a file");
    let (code, message) = error(&["solve", "connect4", &file]);
    assert!(code == 1 && message.contains("line 2"), "{message}");
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn endgames_of_othello_are_solved_in_discs_with_a_line_and_every_move() {
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOXXXOOX-XXOOOOOX-XOOOXXX--OOOOO- X";
    let row = &json(&["solve", "othello", "--position", position, "--moves", "--json"])[0];
    let moves = row["moves"].as_array().expect("moves");
    assert_eq!((&row["exact"], moves.is_empty()), (&true.into(), false), "{row}");
    assert_eq!(moves.iter().map(|m| m["score"].as_i64()).max(), Some(row["score"].as_i64()), "{row}");
    // The line begins with one of the best moves and ends the game.
    let first = &row["line"][0];
    let best = moves.iter().find(|m| m["move"] == *first).expect("a legal move");
    assert_eq!(best["score"], row["score"], "{row}");
    let winner = &json(&["solve", "othello", "--position", position, "--wld", "--json"])[0];
    assert_eq!(winner["result"], row["result"]);
    let together = &json(&["solve", "othello", "--position", position, "--threads", "3", "--json"])[0];
    assert_eq!(together["score"], row["score"], "{together}");
    let (code, message) = error(&["solve", "connect4", "--position", "44", "--threads", "2"]);
    assert!(code == 2 && message.contains("--threads means nothing to connect4"), "{message}");
    let (code, message) = error(&["solve", "othello", "--position", position, "--vcst"]);
    assert!(code == 2 && message.contains("--vcst means nothing to othello"), "{message}");
    let (code, message) = error(&["solve", "othello", "--position", "--XX"]);
    assert!(code == 2 && !message.is_empty(), "{message}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_solution_prints_what_is_known_by_then() {
    use std::process::{Command, Stdio};
    let child = Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(["solve", "connect4", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("every Unix has it");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(4));
    let row: Value = serde_json::from_slice(&output.stdout).expect("a row");
    assert_eq!((&row["exact"], &row["id"]), (&false.into(), &"1".into()));
    assert!(row["at_least"].as_i64() <= Some(1) && row["at_most"].as_i64() >= Some(1), "{row}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("interrupted; 0 of 1 positions are solved"), "{said}");
}

/// A list that is resumed solves what is not settled yet, whatever state its file was left in.
#[test]
fn a_list_of_endgames_is_resumed_where_it_was_left() {
    let folder = std::env::temp_dir().join(format!("outplay-solve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (list, kept) = (folder.join("list.obf"), folder.join("kept.json"));
    let boards = [
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOXXXOOX-XXOOOOOX-XOOOXXX--OOOOO- X",
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOXXOOOX--XOOXXX---XXXO---XXXXXX- X",
    ];
    std::fs::write(&list, boards[0]).expect("a file");
    let args = [
        "solve",
        "othello",
        list.to_str().expect("text"),
        "--json",
        "--resume",
        kept.to_str().expect("text"),
    ];
    assert_eq!(json(&args).len(), 1);
    std::fs::write(&list, boards.join(";\n")).expect("a file");
    // Cut off in the middle of a row, as after a power cut.
    let first = std::fs::read_to_string(&kept).expect("kept");
    std::fs::write(&kept, format!("{first}{}", &first[..40])).expect("a file");
    let second = json(&args);
    assert_eq!((second.len(), &second[0]["id"]), (1, &"2".into()), "{second:?}");
    assert_eq!(json(&args).len(), 0);
    // The answers that are there have no moves.
    assert_eq!(json(&[&args[..], &["--moves"]].concat()).len(), 2);
    assert_eq!(json(&[&args[..], &["--moves"]].concat()).len(), 0);
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn small_boards_are_solved_by_proof_number_search() {
    let (folder, _) = folder_with("numbers", "");
    let proof = folder.join("proof.json");
    let proof = proof.to_str().expect("Unicode");
    for (arguments, result, claim) in [
        (&["solve", "tictactoe"][..], "draw", "the first player does not lose"),
        (&["solve", "tictactoe", "--position", "a1 b1 a2 c1"], "win", "the first player wins"),
        (&["solve", "connect:4,3,3,1,1"], "win", "the first player wins"),
        (&["solve", "connect:3,3,3,2,1", "--dfpn"], "win", "the first player wins"),
        (&["solve", "connect4:4x4", "--dfpn", "--hash", "4"], "draw", "the first player does not lose"),
    ] {
        let arguments = [arguments, &["--json", "--proof", proof]].concat();
        let row = json(&arguments).remove(0);
        assert_eq!((row["result"].as_str(), row["exact"].as_bool()), (Some(result), Some(true)), "{row}");
        let written: Value =
            serde_json::from_str(&fs::read_to_string(proof).expect("a proof")).expect("JSON");
        assert_eq!(written["claim"], claim);
        let positions = written["positions"].as_array().expect("positions");
        assert!(positions.len() > 1 && positions.iter().any(|position| position == "over"), "{arguments:?}");
    }
    let row = json(&["solve", "connect4", "--dfpn", "--nodes", "20000", "--json"]).remove(0);
    assert_eq!((row["result"].as_str(), row["exact"].as_bool()), (Some("unknown"), Some(false)), "{row}");
    let nowhere = folder.join("missing").join("proof.json");
    for place in [folder.as_path(), nowhere.as_path()] {
        let (_, message) = error(&["solve", "tictactoe", "--proof", place.to_str().expect("Unicode")]);
        assert!(message.contains("cannot write a proof to"), "{message}");
    }
    fs::remove_dir_all(&folder).expect("removed");
}
