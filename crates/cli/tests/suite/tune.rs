//! `outplay tune`: games to learn from, and what is learnt.

use std::process::{Command, Stdio};

use crate::matches::Folder;
use crate::{error, outplay, text};

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

/// A short run that tunes three numbers of Othello; `more` goes last.
fn short_run(file: &str, more: &[&str]) -> Vec<String> {
    let run = [
        "tune",
        "params",
        "othello",
        "--all-of",
        "futility",
        "--set",
        "hash=1",
        "--limit",
        "nodes=40",
        "--pairs",
        "24",
        "--test-games",
        "8",
        "--json",
        "--file",
        file,
    ];
    run.iter().chain(more).map(ToString::to_string).collect()
}

#[test]
fn settings_are_tuned_and_tested_the_same_on_any_number_of_threads_and_after_a_kill() {
    let folder = Folder::new("tune-params");
    let run = |name: &str, more: &[&str]| {
        let arguments = short_run(&folder.file(name), more);
        let output = outplay(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
        let printed = String::from_utf8(output.stdout).expect("text");
        // Four pairs decide nothing.
        assert!(matches!(output.status.code(), Some(0 | 4)), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_str::<serde_json::Value>(&printed).expect("JSON")
    };
    let report = run("one.txt", &["--html", &folder.file("one.html")]);
    assert_eq!(report["pairs"], 24);
    assert_eq!(report["parameters"][0]["name"], "futility_base");
    assert!(matches!(report["verdict"].as_str(), Some("undecided" | "unchanged")), "{report}");
    assert!(folder.read("one.html").contains("Drift of all parameters"));
    assert_eq!(run("two.txt", &["--concurrency", "3"]), report);

    // Killed without a warning, several times.
    let arguments = short_run(&folder.file("killed.txt"), &[]);
    let mut held = 0;
    while held < 10 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_outplay"))
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let lines =
            || std::fs::read_to_string(folder.file("killed.txt")).map_or(0, |text| text.lines().count());
        while lines() < held + 4 && child.try_wait().expect("our own child").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        drop(child.kill());
        child.wait().expect("our own child");
        held = lines();
    }
    assert_eq!(run("killed.txt", &[]), report);
    let numbers: Vec<String> =
        folder.read("killed.txt").lines().skip(1).map(|line| line[..line.len() - 9].to_string()).collect();
    let mut once = numbers.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), numbers.len(), "no pair was played twice: {numbers:?}");

    let (code, words) =
        error(&["tune", "params", "othello", "--all-of", "null_move", "--file", &folder.file("one.txt")]);
    assert!(code == 1 && words.contains("the file holds another run"), "{words}");
}

#[test]
fn settings_are_tuned_by_positions_too_and_mistakes_are_named() {
    let folder = Folder::new("tune-suite");
    std::fs::write(
        folder.file("two.toml"),
        "[[param]]\nname = \"futility_margin\"\n[[param]]\nname = \"razoring\"\n",
    )
    .expect("our own file");
    let epd = "r1b1k2r/ppp2ppp/2n5/3qp3/8/2Q1P3/PP1P1PPP/R1B1KBNR b KQkq - bm Qxg2; id \"one\";\n\
        6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8; id \"two\";\n";
    std::fs::write(folder.file("two.epd"), epd).expect("our own file");
    let [file, suite] = ["two.toml", "two.epd"].map(|name| folder.file(name));
    let run = |more: &[&str]| {
        let first =
            ["tune", "params", "chess", "--params", &file, "--limit", "nodes=300", "--test-games", "2"];
        outplay(&first.iter().chain(more).copied().collect::<Vec<_>>(), "")
    };
    for by in ["solved", "nodes"] {
        let output =
            run(&["--by", by, "--suite", &suite, "--method", "grid", "--values", "2", "--pairs", "8"]);
        let printed = String::from_utf8_lossy(&output.stdout).to_string();
        assert!(printed.contains("8 of 8 comparisons") && printed.contains("razoring"), "{output:?}");
    }
    for (more, part) in [
        (&["--pairs", "4"][..], "razoring is no number"),
        (&["--method", "grid", "--pairs", "3"], "10 points and 3 comparisons"),
        (&["--by", "solved", "--method", "grid"], "--suite"),
        (&["--suite", &suite, "--method", "grid"], "--suite goes with --by"),
        (&["--method", "bayes", "--set", "magic=1"], "no option \"magic\""),
    ] {
        let output = run(more);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && words.contains(part), "{more:?}: {words}");
    }
}

/// The example of the page about tuning is one that works.
#[test]
fn the_example_of_the_page_is_read() {
    let page = include_str!("../../../../docs/tuning.md");
    let example =
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = Folder::new("tune-example");
    std::fs::write(folder.file("example.toml"), example).expect("our own file");
    let file = folder.file("example.toml");
    let arguments = [
        "tune",
        "params",
        "chess",
        "--params",
        &file,
        "--limit",
        "nodes=20",
        "--pairs",
        "8",
        "--test-games",
        "2",
    ];
    let output = outplay(&arguments, "");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("futility_margin") && printed.contains("8 of 8"), "{output:?}");
}
