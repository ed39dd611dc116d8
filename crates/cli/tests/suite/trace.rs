//! `outplay trace`: JSON lines from the beginning of a search to its end.

use serde_json::Value;

use crate::{error, text};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

#[test]
fn an_alpha_beta_search_is_written_iteration_by_iteration() {
    let printed = text(&["trace", "chess", "--moves", "e4 e5", "--depth", "5", "--most-nodes", "100"], "");
    let lines = lines(&printed);
    assert_eq!((&lines[0]["record"], &lines[0]["game"]), (&"begin".into(), &"chess".into()));
    assert_eq!(lines[0]["settings"]["null_move"], "true");
    let last = lines.last().expect("an end");
    assert_eq!((&last["record"], &last["stopped"]), (&"end".into(), &"depth".into()));
    let depths: Vec<u64> =
        lines[1..lines.len() - 1].iter().filter_map(|line| line["depth"].as_u64()).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5]);
    for line in &lines[1..lines.len() - 1] {
        assert_eq!(line["record"], "iteration");
        assert!(line["techniques"]["null_moves"].is_u64());
        let tree = line["tree"].as_array().expect("a list");
        assert!(tree.len() <= 100 && tree[1]["parent"] == 0 && tree[1]["visits"][0]["place"] == 1);
    }
}

#[test]
fn a_monte_carlo_search_is_written_to_a_file() {
    let file = std::env::temp_dir().join(format!("outplay-trace-{}.jsonl", std::process::id()));
    let path = file.to_str().expect("text");
    let arguments = ["trace", "othello", "--search", "mcts", "--nodes", "500", "--plies", "2", "--out", path];
    assert_eq!(text(&arguments, ""), "");
    let written = std::fs::read_to_string(&file).expect("a file");
    std::fs::remove_file(&file).expect("it goes");
    let lines = lines(&written);
    let snapshot = &lines[lines.len() - 2];
    assert_eq!((&snapshot["record"], &snapshot["last"]), (&"snapshot".into(), &true.into()));
    assert!(snapshot["tree"][1]["statistics"]["u"].is_number());
    assert!(lines[lines.len() - 1]["stopped"].is_string());
}

#[test]
fn what_makes_no_sense_is_refused_in_a_line() {
    for wrong in [
        &["trace", "chess", "--plies", "many"][..],
        &["trace", "chess", "--most-nodes", "0"],
        &["trace", "chess", "--moves", "e9"],
        &["trace", "checkers"],
        &["trace", "chess", "--search", "guessing"],
    ] {
        let (code, said) = error(wrong);
        assert_eq!(code, 2, "{wrong:?}: {said}");
    }
    let (code, said) = error(&["trace", "chess", "--depth", "1", "--out", "/no/such/folder/x"]);
    assert!(code == 1 && said.contains("cannot write"), "{said}");
}
