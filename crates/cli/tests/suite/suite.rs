//! `outplay suite`: test positions in, tables and exit codes out.

use std::fs;

use crate::matches::Folder;
use crate::{error, json, outplay, text};

fn write(folder: &Folder, name: &str, content: &str) -> String {
    let path = folder.file(name);
    fs::write(&path, content).expect("a file");
    path
}

const MATES: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; dm 1; id \"back rank\";\n\
    # a comment\n\
    7k/8/5K2/6Q1/8/8/8/8 w - - bm #1; id \"queen\";\n\
    7k/8/5K2/6Q1/8/8/8/8 w - - am Qg6; id \"stalemate\";\n";

#[test]
fn positions_are_solved_and_counted() {
    let folder = Folder::new("suite-solved");
    let mates = write(&folder, "mates.epd", MATES);
    let printed = text(&["suite", "chess", &mates, "--limit", "depth=2"], "");
    assert!(printed.contains("✓ proved  back rank  bm Ra8#; win in 1  Ra8#"), "{printed}");
    assert!(printed.lines().any(|line| line.starts_with("solved") && line.ends_with("3 of 3")), "{printed}");
    assert!(printed.lines().any(|line| line.starts_with("proved") && line.ends_with("2 of 2")), "{printed}");
    let totals = text(&["suite", "chess", &mates, "--limit", "depth=2", "--totals", "--first", "1"], "");
    assert!(!totals.contains("back rank") && totals.contains("1 of 1"), "{totals}");
}

#[test]
fn several_players_are_compared_in_every_format() {
    let folder = Folder::new("suite-formats");
    let (mates, more) = (write(&folder, "mates.epd", MATES), write(&folder, "more.epd", "bm e4 d4;\n"));
    let [csv, rows, html] = ["a.csv", "b.csv", "c.html"].map(|name| folder.file(name));
    let players =
        ["--player", "search=deepening", "--player", "search=uct,limit.nodes=500", "--limit", "nodes=2000"];
    let command = [&["suite", "chess", &mates, &more][..], &players].concat();
    let found = &json(&[&command[..], &["--json", "--csv", &csv, "--html", &html]].concat())[0];
    assert_eq!(found["problems"], 4);
    let [deepening, uct] = [0, 1].map(|index| &found["runs"][index]);
    assert_eq!(
        (&deepening["player"], &deepening["limit"]),
        (&"search=deepening".into(), &"nodes=2000".into())
    );
    assert_eq!((&uct["limit"], &uct["totals"]["positions"]), (&"nodes=500".into(), &4.into()));
    assert_eq!(deepening["searches"][3]["name"], "more: 1");
    assert!(deepening["totals"]["metrics"]["branching_factor"].is_f64());
    assert!(uct["totals"]["metrics"]["branching_factor"].is_null());
    let table = folder.read("a.csv");
    assert_eq!(table.lines().count(), 1 + 2 * 4);
    let page = folder.read("c.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("search=uct"));
    let with_rows =
        [&command[..], &["--csv", &rows, "--iterations", "--concurrency", "2", "--json"]].concat();
    let again = &json(&with_rows)[0];
    let iterations: usize = again["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .flat_map(|run| run["searches"].as_array().expect("searches"))
        .map(|search| search["iterations"].as_array().expect("iterations").len())
        .sum();
    assert!(iterations > 8, "{iterations}");
    assert_eq!(folder.read("b.csv").lines().count(), 1 + iterations);
    // The same nodes, the same searches, whatever runs beside them.
    for (index, search) in deepening["searches"].as_array().expect("searches").iter().enumerate() {
        assert_eq!(search["nodes"], again["runs"][0]["searches"][index]["nodes"]);
    }
}

#[test]
fn the_suites_of_connect6_are_put_before_players() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/connect6");
    let suites = ["openings-20", "middle-games", "endgames"].map(|name| format!("{folder}/{name}.txt"));
    let files = suites.each_ref().map(String::as_str);
    let found = &json(&[&["suite", "connect6"][..], &files, &["--limit", "nodes=20", "--json"]].concat())[0];
    assert_eq!(found["problems"], 70);
    let totals = &found["runs"][0]["totals"];
    assert_eq!((&totals["positions"], &totals["false_claims"]), (&70.into(), &0.into()));
    // Wins by double threats are found before the first node.
    assert!(totals["proved"].as_u64() >= Some(12), "{totals}");
}

#[test]
fn false_certainty_has_an_exit_code_of_its_own() {
    let folder = Folder::new("suite-false");
    let wrong = write(&folder, "wrong.epd", "6k1/5ppp/8/8/8/8/8/R6K w - - result loss; id \"no\";\n");
    let output = outplay(&["suite", "chess", &wrong, "--limit", "depth=2"], "");
    assert_eq!(output.status.code(), Some(3));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("✗ false  no") && printed.contains("FALSE CLAIM"), "{printed}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("certain of something false"));
}

#[test]
fn what_makes_no_sense_is_refused_with_its_reason() {
    let folder = Folder::new("suite-refused");
    let good = write(&folder, "good.epd", MATES);
    let empty = write(&folder, "empty.epd", "# nothing\n\n");
    let bad = write(&folder, "bad.epd", &MATES.replace("Qg6", "Qg9"));
    let nowhere = folder.file("no/such/file.csv");
    let cases: [(&[&str], i32, &[&str]); 8] = [
        (&["suite", "chess"], 2, &["FILE"]),
        (&["suite", "chess", "no-such-file"], 1, &["cannot read no-such-file"]),
        (
            &["suite", "chess", &empty],
            1,
            &["empty.epd holds no position", "expected a position a line", "bm MOVE"],
        ),
        (&["suite", "chess", &bad], 1, &["bad.epd", "line 4", "Qg9"]),
        (&["suite", "othello", &good], 1, &["good.epd", "line 1"]),
        (&["suite", "chess", &good, "--limit", "tc=10+1"], 2, &["time, nodes or depth instead of tc"]),
        (&["suite", "chess", &good, "--player", "search=magic"], 2, &["magic"]),
        (&["suite", "chess", &good, "--csv", &nowhere], 1, &["cannot write", "file.csv"]),
    ];
    for (arguments, code, words) in cases {
        let (found, message) = error(arguments);
        assert_eq!(found, code, "{arguments:?}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{arguments:?}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_prints_what_there_is() {
    let folder = Folder::new("suite-interrupted");
    let many = write(&folder, "many.epd", &"bm e4;\n".repeat(200));
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(["suite", "chess", &many, "--limit", "time=0.1", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("of 200 searches"));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let searched = found["runs"][0]["searches"].as_array().expect("searches").len();
    assert!((1..200).contains(&searched), "{searched}");
}
