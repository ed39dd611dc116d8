//! `outplay book`

use std::fs;
use std::path::PathBuf;

use super::{error, json, outplay, text};

const GAMES: &str = "\
[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n
[Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2\n
[Result \"0-1\"]\n\n1. d4 d5 0-1\n";

/// A folder with a file of games, and the path of a book to be.
fn folder(name: &str) -> (PathBuf, String, String) {
    let folder = std::env::temp_dir().join(format!("outplay-program-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("games.pgn"), GAMES).expect("written");
    let path = |file| folder.join(file).to_str().expect("Unicode").to_string();
    (folder.clone(), path("games.pgn"), path("book.bin"))
}

#[test]
fn a_book_is_built_inspected_asked_and_merged() {
    let (folder, games, book) = folder("book");
    let built = &json(&["book", "build", "chess", &games, "--out", &book, "--json"])[0];
    assert_eq!((&built["games"], &built["entries"]), (&3.into(), &6.into()));
    assert!(
        text(&["book", "inspect", "chess", &book], "")
            .starts_with("6 entries, 4 positions, at most 2 moves each\n")
    );

    let start = &json(&["book", "probe", "chess", &book, "--json"])[0];
    assert_eq!(start["key"], "463b96181691fc9c");
    assert_eq!((&start["moves"][0]["move"], &start["moves"][0]["weight"]), (&"e4".into(), &3.into()));
    let picked =
        text(&["book", "probe", "chess", &book, "--moves", "e4", "--pick", "weighted", "--seed", "3"], "");
    assert_eq!(picked, "c5          1 100.0 %\ne5          0   0.0 %\nplay c5\n");
    assert_eq!(outplay(&["book", "probe", "chess", &book, "--moves", "a3"], "").status.code(), Some(3));

    let both = folder.join("both.bin");
    let both = both.to_str().expect("Unicode");
    text(&["book", "merge", "chess", &book, &book, "--out", both], "");
    let doubled = &json(&["book", "probe", "chess", both, "--json"])[0];
    assert_eq!(doubled["moves"][0]["weight"], 6);
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn book_commands_say_what_is_wrong() {
    let (folder, games, book) = folder("no-book");
    let (code, words) = error(&["book", "build", "othello", &games, "--out", &book]);
    assert!(code == 2 && words.contains("othello has no books"), "{words}");
    let (code, words) = error(&["book", "build", "chess", &games, "--out", &book, "--least", "3"]);
    assert!(code == 1 && words.contains("there is no book in 3 games"), "{words}");
    fs::write(&book, vec![0x80; 50]).expect("written");
    let inspected = outplay(&["book", "inspect", "chess", &book], "");
    assert_eq!(inspected.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&inspected.stderr).contains("ends with 2 bytes that are no entry"));
    let (code, words) = error(&["book", "merge", "chess", &book, "--out", &book]);
    assert!(code == 1 && words.contains("no multiple of 16"), "{words}");
    let (code, words) = error(&["book", "probe", "chess", "nowhere.bin"]);
    assert!(code == 1 && words.contains("cannot read nowhere.bin"), "{words}");
    fs::write(&book, [[0x80; 16], [0x10; 16]].concat()).expect("written");
    let unsorted = outplay(&["book", "inspect", "chess", &book], "");
    assert!(String::from_utf8_lossy(&unsorted.stderr).contains("is not sorted"));
    fs::remove_dir_all(&folder).expect("removed");
}
