//! `outplay endgames`

use std::fs;
use std::path::PathBuf;

use super::{error, json, outplay, text};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outplay-program-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    folder
}

#[test]
fn endgame_tables_are_built_once_asked_and_checked() {
    let folder = folder("endgames");
    let at = folder.to_str().expect("Unicode");
    let build = ["endgames", "build", at, "--endings", "KPvK,KQvK,krk"];
    let built = text(&build, "");
    assert!(built.ends_with(&format!("3 built, 0 there already, in {at}\n")), "{built}");
    assert_eq!(text(&build, ""), format!("0 built, 3 there already, in {at}\n"));

    let mate = &json(&["endgames", "probe", at, "--position", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "--json"])[0];
    assert_eq!((&mate["result"], &mate["plies_to_mate"]), (&"win".into(), &1.into()));
    assert_eq!(mate["moves"][0]["move"], "Qf8#");
    let drawn = text(&["endgames", "probe", at, "--position", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"], "");
    assert!(drawn.contains("White to move\n\ndraw\n"), "{drawn}");
    let (code, words) = error(&["endgames", "probe", at, "--position", "8/8/8/8/8/2k5/8/KQ5r w - - 0 1"]);
    assert!(code == 3 && words.contains("no table knows 8/8/8/8/8/2k5/8/KQ5r"), "{words}");

    let checked = json(&["endgames", "check", at, "--json"]);
    let longest: Vec<_> = checked.iter().map(|line| (&line["ending"], &line["longest_plies"])).collect();
    let expected =
        [("KQvK", 20), ("KRvK", 32), ("KPvK", 56)].map(|(name, plies)| (name.into(), plies.into()));
    assert_eq!(longest, expected.each_ref().map(|(name, plies)| (name, plies)));

    let file = folder.join("KQvK.dtm");
    let mut bytes = fs::read(&file).expect("a table");
    bytes.push(0);
    fs::write(&file, bytes).expect("written");
    let (code, words) = error(&["endgames", "check", at]);
    assert!(code == 1 && words.contains("KQvK.dtm is damaged: its checksum is wrong"), "{words}");
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn endgame_commands_say_what_is_wrong() {
    let folder = folder("no-endgames");
    let at = folder.to_str().expect("Unicode");
    let (code, words) = error(&["endgames", "build", at, "--endings", "KXvK"]);
    assert!(code == 2 && words.contains("expected an ending of three or four men"), "{words}");
    let (code, words) = error(&["endgames", "build", at, "--endings", "KPvK"]);
    assert!(code == 1 && words.contains("KPvK cannot be built before the endings"), "{words}");
    let (code, words) = error(&["endgames", "check", at]);
    assert!(code == 1 && words.contains("there is no such table"), "{words}");
    fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(
        outplay(&["endgames", "probe", "--position", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"], "").status.code(),
        Some(2)
    );
    let (code, words) =
        error(&["endgames", "probe", "--syzygy", at, "--position", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"]);
    assert!(code == 1 && words.contains("cannot be read"), "{words}");
}
