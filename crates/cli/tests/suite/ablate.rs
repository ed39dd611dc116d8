//! `outplay ablate`: what it finds, keeps and refuses.

use crate::matches::Folder;
use crate::{error, json, text};

const BASE: [&str; 12] = [
    "ablate",
    "connect4",
    "--search",
    "deepening",
    "--games",
    "4",
    "--nodes",
    "200",
    "--time",
    "2ms",
    "--depth-nodes",
    "2000",
];

#[test]
fn a_study_is_kept_and_resumed() {
    let folder = Folder::new("study");
    let (db, page) = (folder.file("study.redb"), folder.file("study.html"));
    let words = [&BASE[..], &["--db", db.as_str(), "--json"]].concat();
    let first = &json(&words)[0];
    assert_eq!(first["findings"].as_array().map(Vec::len), Some(2));
    let cutoffs = &first["findings"][0];
    assert_eq!((cutoffs["option"].as_str(), cutoffs["changed"].as_str()), (Some("cutoffs"), Some("false")));
    assert_eq!(cutoffs["matches"].as_array().map(Vec::len), Some(2));
    assert!(cutoffs["work"]["nodes_ratio"].as_f64() > Some(1.5), "{cutoffs}");
    // Nothing is played again: even the games with clocks are the same.
    let again = &json(&[&words[..], &["--resume", "--html", page.as_str()]].concat())[0];
    let matches = |study: &serde_json::Value| {
        study["findings"]
            .as_array()
            .map(|found| found.iter().map(|one| one["matches"].clone()).collect::<Vec<_>>())
    };
    assert_eq!(matches(again), matches(first));
    assert_eq!(again["findings"][0]["work"]["nodes_ratio"], cutoffs["work"]["nodes_ratio"]);
    assert!(folder.read("study.html").contains("<svg"));
}

#[test]
fn matches_can_be_left_out() {
    let findings = |words: &[&str]| {
        json(&[&BASE[..6], &["--only", "cutoffs", "--json"], words].concat())[0]["findings"][0].clone()
    };
    let without_clock = findings(&["--nodes", "50", "--time", "0ms", "--depth-nodes", "0"]);
    assert_eq!(without_clock["matches"].as_array().map(Vec::len), Some(1));
    assert_eq!(without_clock["matches"][0]["limit"], "nodes=50");
    let work_alone = findings(&["--nodes", "0", "--time", "0ms", "--depth-nodes", "500"]);
    assert_eq!(work_alone["matches"].as_array().map(Vec::len), Some(0));
    assert!(work_alone["work"]["time_ratio"].as_f64() > Some(0.0), "{work_alone}");
}

#[test]
fn settings_are_chosen_and_checked() {
    let printed = text(&[&BASE[..], &["--only", "best_first"]].concat(), "");
    assert!(printed.contains("without best_first") && !printed.contains("cutoffs"), "{printed}");
    let varied =
        ["ablate", "tictactoe", "--search", "uct", "--vary", "c=0.3", "--games", "2", "--time", "1ms"];
    assert!(text(&varied, "").contains("exploration 0.3 for 1"));
    for (words, said) in [
        (&["ablate", "connect4", "--only", "magic"][..], "expected one of"),
        (&["ablate", "connect4", "--search", "minimax"], "nothing to turn off"),
        (&["ablate", "connect4", "--search", "uct", "--vary", "c=fast"], "a number"),
    ] {
        let (code, words) = error(words);
        assert!(code == 2 && words.contains(said), "{words}");
    }
}
