//! `outplay tune`: games to learn from, and what is learnt.

use crate::matches::Folder;
use crate::{error, text};

#[test]
fn games_are_kept_and_weights_are_fitted_to_them() {
    let folder = Folder::new("tune");
    let (games, weights) = (folder.file("games.txt"), folder.file("weights.rs"));
    let play = |count: &str| {
        text(
            &["tune", "games", &games, "--games", count, "--nodes", "100", "--set", "evaluation=classical"],
            "",
        )
    };
    assert!(play("3").starts_with("3 games, 3 of them new"));
    assert!(play("6").starts_with("6 games, 3 of them new"), "the same command goes on");
    let fit = ["tune", "eval", &games, "--epochs", "3", "--write", &weights];
    let printed = text(&fit, "");
    assert!(printed.contains("held out"), "{printed}");
    let source = folder.read("weights.rs");
    assert!(source.contains("// MATERIAL [pawn, knight, bishop, rook, queen]\n    p("), "{source}");
    // Decided by the seed alone.
    assert_eq!(text(&fit, ""), printed);
    assert_eq!(folder.read("weights.rs"), source);
}

#[test]
fn files_and_settings_that_do_not_fit_are_refused() {
    let folder = Folder::new("tune-refused");
    let games = folder.file("games.txt");
    text(&["tune", "games", &games, "--games", "1", "--nodes", "50"], "");
    let (code, words) = error(&["tune", "games", &games, "--games", "2", "--nodes", "60"]);
    assert!(
        code == 1 && words.contains("holds other games (chess, ") && words.contains("50 nodes"),
        "{words}"
    );
    let (code, words) = error(&["tune", "games", &folder.file("new.txt"), "--search", "magic"]);
    assert!(code == 2 && words.contains("magic"), "{code} {words}");
    let (code, words) = error(&["tune", "eval", &folder.file("absent.txt")]);
    assert!(code == 1 && words.contains("absent.txt"), "{words}");
    std::fs::write(folder.file("letter.txt"), "Dear reader\n").expect("our own file");
    let (code, words) = error(&["tune", "eval", &folder.file("letter.txt")]);
    assert!(code == 1 && words.contains("expected a file of positions"), "{words}");
}

#[test]
fn weights_of_patterns_are_learned_and_shallow_searches_are_measured() {
    let folder = Folder::new("tune-patterns");
    let (games, weights, rows) =
        (folder.file("games.txt"), folder.file("weights.bin"), folder.file("foretold.rs"));
    let play =
        ["tune", "games", &games, "--game", "othello", "--games", "30", "--nodes", "20", "--set", "hash=1"];
    assert!(text(&play, "").starts_with("30 games, 30 of them new"));
    let learn = ["tune", "patterns", &games, "--epochs", "2", "--write", &weights];
    let printed = text(&learn, "");
    assert!(printed.contains("games held out: error in discs"), "{printed}");
    let bytes = std::fs::read(&weights).expect("the weights");
    assert!(bytes.starts_with(b"othpat 1"));
    // Decided by the seed alone.
    assert_eq!(text(&learn, ""), printed);
    assert!(std::fs::read(&weights).expect("the weights") == bytes);

    let (code, words) = error(&["tune", "eval", &games, "--game", "othello"]);
    assert!(code == 2 && words.contains("outplay tune patterns"), "{words}");
    let chess = folder.file("chess.txt");
    text(&["tune", "games", &chess, "--games", "1", "--nodes", "50"], "");
    let (code, words) = error(&["tune", "patterns", &chess]);
    assert!(code == 1 && words.contains("no position of Othello"), "{words}");

    let measure = ["tune", "probcut", "othello", "--positions", "240", "--depth", "3", "--write", &rows];
    let measured = text(&measure, "");
    assert!(measured.lines().count() > 2, "{measured}");
    let source = folder.read("foretold.rs");
    assert!(source.contains("row(3, "), "{source}");
    assert_eq!(text(&measure, ""), measured);
}
