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
    assert!(code == 1 && words.contains("games.pgn"), "{words}");
    let (code, words) = error(&["book", "build", "chess", "--out", &book, "--positions", "3"]);
    assert!(code == 2 && words.contains("a Polyglot book (.bin) has no place"), "{words}");
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

#[test]
fn a_book_by_search_is_gone_on_with_asked_played_from_and_merged() {
    let (folder, _, _) = folder("own-book");
    let path = |name: &str| folder.join(name).to_str().expect("Unicode").to_string();
    let (whole, part) = (path("whole.book"), path("part.book"));
    let build = |out: &str, positions: &str, more: &[&str]| {
        let words = ["book", "build", "connect6", "--out", out, "--positions", positions, "--nodes", "300"];
        let settings = ["--moves", "3", "--set", "hash=1", "--line", "j10", "--json"];
        json(&[&words[..], &settings, more].concat())[0].clone()
    };
    let built = build(&whole, "12", &[]);
    assert_eq!((&built["searched"], &built["positions"]), (&12.into(), &12.into()));
    build(&part, "5", &[]);
    build(&part, "12", &["--resume"]);
    assert_eq!(fs::read(&whole).expect("a book"), fs::read(&part).expect("a book"));
    let (code, words) = error(&["book", "build", "connect6", "--out", &whole, "--positions", "20"]);
    assert!(code == 2 && words.contains("--resume"), "{words}");

    let inspected = &json(&["book", "inspect", "connect6", &whole, "--json"])[0];
    assert_eq!(inspected["searched_positions"], 12);
    let start = text(&["book", "probe", "connect6", &whole, "--pick", "best"], "");
    assert!(start.starts_with("j10 ") && start.ends_with("play j10\n"), "{start}");
    // A move of the book is a move of its image, too.
    let picks = |moves: &str| {
        let probed = &json(&["book", "probe", "connect6", &whole, "--moves", moves, "--json"])[0];
        probed["moves"].as_array().expect("moves").len()
    };
    assert!(picks("j10") > 3);
    assert_eq!(outplay(&["book", "probe", "connect6", &whole, "--moves", "a1"], "").status.code(), Some(3));

    // A book is played from, even one that begins where nobody would, in one of the corners; and it can be closed.
    let corner = path("corner.book");
    let words = ["book", "build", "connect6", "--out", &corner, "--positions", "2", "--nodes", "300"];
    text(&[&words[..], &["--moves", "3", "--set", "hash=1", "--line", "a1"]].concat(), "");
    let set = format!("book={corner}");
    let played = |more: &[&str]| {
        let words = ["play", "connect6", "--side", "second", "--nodes", "50", "--set", &set];
        text(&[&words[..], more].concat(), "quit\n")
    };
    let first = played(&[]);
    assert!(
        ["a1", "a19", "s1", "s19"].iter().any(|cell| first.contains(&format!("plays {cell}\n"))),
        "{first}"
    );
    assert!(played(&["--set", "own_book=false"]).contains("plays j10"));

    let both = path("both.book");
    text(&["book", "merge", "connect6", &whole, &part, "--out", &both], "");
    assert_eq!(fs::read(&whole).expect("a book"), fs::read(&both).expect("a book"));
    for (words, expected) in [
        (["book", "inspect", "gomoku", &whole], "is a book of"),
        (["book", "inspect", "connect6", &path("games.pgn")], "is not an opening book"),
    ] {
        let (code, said) = error(&words);
        assert!(code == 1 && said.contains(expected), "{said}");
    }
    let mut cut = fs::read(&whole).expect("a book");
    cut.pop();
    fs::write(&part, &cut).expect("written");
    let (code, words) = error(&["book", "probe", "connect6", &part]);
    assert!(code == 1 && words.contains("part.book is damaged"), "{words}");
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn games_of_any_game_become_a_book_and_chess_has_both_formats() {
    let (folder, games, polyglot) = folder("formats");
    let path = |name: &str| folder.join(name).to_str().expect("Unicode").to_string();
    let (ours, othello, more) = (path("chess.book"), path("othello.book"), path("othello.pgn"));
    text(&["book", "build", "chess", &games, "--out", &ours], "");
    let start = &json(&["book", "probe", "chess", &ours, "--json"])[0];
    let first = &start["moves"][0];
    assert_eq!((&first["move"], &first["won"], &first["drawn"]), (&"e4".into(), &1.into(), &1.into()));
    text(&["book", "build", "chess", &games, "--out", &polyglot], "");
    let (code, words) = error(&["book", "merge", "chess", &ours, &polyglot, "--out", &ours]);
    assert!(code == 2 && words.contains("some of the books are in the Polyglot format"), "{words}");
    // Both are played from.
    for book in [&ours, &polyglot] {
        let (set, seed) = (format!("book={book}"), "book_seed=3");
        let words = ["play", "chess", "--side", "second", "--nodes", "50", "--set", &set, "--set", seed];
        assert!(text(&words, "quit\n").contains("White plays e4"));
        // Chance has nothing to choose from where the book knows the move.
        let varied = [&words[..], &["--set", "variety=100"]].concat();
        assert!(text(&varied, "quit\n").contains("White plays e4"));
    }
    // Two images of one game.
    fs::write(&more, "f5 d6 c3\nd3 c5 f6\n").expect("written");
    let built = &json(&["book", "build", "othello", &more, "--out", &othello, "--json"])[0];
    assert_eq!((&built["games"], &built["positions"], &built["moves"]), (&2.into(), &3.into(), &3.into()));
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn openings_are_found_and_matches_read_them() {
    let (folder, _, _) = folder("openings");
    let file = folder.join("openings.txt");
    let path = file.to_str().expect("Unicode");
    let words = ["book", "openings", "connect6", "--out", path, "--line", "j10", "--near", "2"];
    let more = ["--count", "4", "--nodes", "200", "--margin", "200", "--set", "hash=1"];
    let said = text(&[&words[..], &more].concat(), "");
    assert!(said.starts_with("4 openings of "), "{said}");
    let played = ["--a", "flat", "--b", "uct", "--limit", "nodes=9", "--games", "4", "--openings", path];
    text(&[&["match", "connect6"], &played[..]].concat(), "");
    let few =
        ["book", "openings", "tictactoe", "--out", path, "--count", "9", "--turns", "1", "--nodes", "50"];
    let (code, words) = error(&few);
    assert!(code == 1 && words.contains("allow a greater --margin"), "{words}");
    fs::remove_dir_all(&folder).expect("removed");
}
