//! `outplay review`: a game file in, marks, files and comparisons out.

use std::fs;

use crate::matches::Folder;
use crate::{error, json, text};

/// A fool is mated, and a patzer is not.
const GAMES: &str = "[White \"Fool\"]\n[Black \"Ada\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [White \"Patzer\"]\n[Black \"Ada\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";

#[test]
fn a_game_is_reviewed_and_saved_with_marks_and_evaluations() {
    let folder = Folder::new("review");
    let [games, saved, csv] = ["games.pgn", "saved.pgn", "turns.csv"].map(|name| folder.file(name));
    fs::write(&games, GAMES).expect("a file");
    let said =
        text(&["review", "chess", &games, "--limit", "nodes=5000", "--save", &saved, "--csv", &csv], "");
    assert!(said.contains("Fool – Ada") && said.contains("White  accuracy"), "{said}");
    assert!(said.contains("2. g4??") && said.contains("Blunder: allows a win in 1. Best: "), "{said}");
    assert!(said.contains("answer: Qh4#"), "{said}");
    let saved = folder.read("saved.pgn");
    assert!(saved.contains("g4 $4 {[%eval #-1] Blunder") && saved.contains("Fool"), "{saved}");
    assert_eq!(folder.read("turns.csv").lines().count(), 1 + 4);
}

#[test]
fn players_of_a_file_are_told_by_what_they_gave_away() {
    let folder = Folder::new("review-players");
    let games = folder.file("games.pgn");
    fs::write(&games, GAMES).expect("a file");
    let said = text(&["review", "chess", &games, "--all", "--players", "--limit", "nodes=5000"], "");
    let rows: Vec<Vec<&str>> = said.lines().skip(2).map(|row| row.split(" | ").collect()).collect();
    let told: Vec<&[&str]> = rows.iter().map(|row| &row[..3]).collect();
    // Each had something to choose at every turn.
    assert_eq!(told, [["| Fool", "1", "2"], ["| Ada", "2", "5"], ["| Patzer", "1", "4"]], "{said}");
    assert!(rows[0][6] == "50.0 %" && rows[2][6] == "0.0 %", "a blunder of two moves, and none: {said}");
    let (code, said) = error(&["review", "chess", &games, "--players"]);
    assert!(code == 2 && said.contains("--all"), "{said}");
}

#[test]
fn two_reviews_of_a_file_are_compared() {
    let folder = Folder::new("review-compared");
    let games = folder.file("games.pgn");
    fs::write(&games, GAMES).expect("a file");
    let all = ["review", "chess", &games, "--all", "--limit", "nodes=5000"];
    let found = json(&[&all[..], &["--json"]].concat());
    assert_eq!(found.len(), 2);
    assert_eq!(
        (&found[1]["limit"], &found[1]["turns"][5]["mark"]),
        (&"nodes=5000".into(), &"blunder".into())
    );
    let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    let other = folder.file("other.json");
    fs::write(&other, lines.join("\n")).expect("a file");
    let said = text(&[&all[..], &["--compare", &other]].concat(), "");
    let blunders = found.iter().flat_map(|game| game["turns"].as_array().expect("turns"));
    let blunders = blunders.filter(|turn| turn["mark"] == "blunder").count();
    assert!(
        blunders >= 2 && said.contains(&format!("| all | {blunders} | {blunders} | {blunders} | 0 |")),
        "{said}"
    );
    let (code, said) = error(&["review", "chess", &games, "--compare", &games]);
    assert!(code == 1 && said.contains("line 1: no review"), "{said}");
}

#[test]
fn what_cannot_be_reviewed_is_told() {
    let (code, said) = error(&["review", "chess", "/nowhere.pgn"]);
    assert!(code == 1 && said.contains("cannot read /nowhere.pgn"), "{said}");
    let folder = Folder::new("review-refused");
    let games = folder.file("games.pgn");
    fs::write(&games, GAMES).expect("a file");
    let (code, said) = error(&["review", "chess", &games, "--limit", "tc=60"]);
    assert!(code == 2 && said.contains("not tc"), "{said}");
    let (code, said) = error(&["review", "chess", &games, "--game-number", "3"]);
    assert!(code == 1 && said.contains("games.pgn"), "{said}");
}
