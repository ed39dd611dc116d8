//! The servers as board programs and referees start them.

use super::{error, outplay, text};

#[test]
fn each_protocol_is_spoken_with_settings_and_by_its_first_line() {
    let connect6 = "new black\nmovetime 20\nmove KKIK\nquit\n";
    for arguments in [&["connect6", "--search", "mcts", "--set", "threads=1"][..], &[]] {
        let said = text(arguments, connect6);
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.len() == 2 && lines[0] == "move JJ" && lines[1].len() == 9, "{said}");
    }
    let gtp = "protocol_version\nplay b K10\nfinal_score\n";
    for arguments in [&["gtp"][..], &["gtp", "connect6"], &[]] {
        assert_eq!(text(arguments, gtp), "= 2\n\n=\n\n? cannot score: the game goes on\n\n");
    }
    assert!(text(&["gtp", "othello"], "showboard\n").starts_with("=\n"));
    for arguments in [&["gomocup"][..], &[]] {
        assert_eq!(text(arguments, "START 15\r\nBEGIN\r\nEND\r\n"), "OK\n7,7\n");
    }
    for arguments in [&["nboard"][..], &[]] {
        assert_eq!(text(arguments, "nboard 2\nping 1\n"), "set myname Outplay\npong 1\n");
    }
    let said = text(&["othello", "--level", "3", "--set", "threads=1"], "play f5\ngo\nquit\n");
    assert!(
        said.contains("White to move") && said.contains("Outplay plays ") && !said.contains("> "),
        "{said}"
    );
    let request = r#"{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}"#;
    assert_eq!(text(&["botzone"], request), "{\"response\":{\"x0\":7,\"y0\":7,\"x1\":-1,\"y1\":-1}}\n");
}

#[test]
fn what_cannot_be_served_is_told_with_its_reason() {
    let (code, said) = error(&["gtp", "chess"]);
    assert!(code == 1 && said.contains("a move is a cell"), "{said}");
    let (code, said) = error(&["connect6", "--search", "magic"]);
    assert!(code == 1 && said.contains("magic"), "{said}");
    let output = outplay(&["botzone"], "{\"requests\":[]}");
    assert!(output.status.code() == Some(1) && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("one response less"));
}

/// Our own servers are programs like others: the lab plays a game against each.
#[test]
fn the_lab_meets_our_servers_in_every_protocol() {
    let program = env!("CARGO_BIN_EXE_outplay");
    for (game, player, plies) in [
        ("connect6", "connect6,proto=connect6,option.movetime=20", "3"),
        ("connect6", "gtp,proto=gtp", "2"),
        ("othello", "gtp othello,proto=gtp", "4"),
        ("othello", "nboard,proto=nboard", "4"),
        ("othello", "othello --level 2,proto=edax", "4"),
        ("gomoku", "gomocup,proto=gomocup", "4"),
        ("connect:15,15,6,2,1", "botzone --time 20ms,proto=botzone", "1"),
    ] {
        let them = format!("cmd={program} {player}");
        // The machine may be busy: late answers are no part of this test.
        let limit = match player {
            _ if player.contains("proto=gtp") => "tc=3,margin=9",
            _ if player.contains("proto=nboard") => "depth=3,tc=9,margin=9",
            _ if player.contains("proto=edax") => "depth=3",
            _ => "time=0.2,margin=9",
        };
        let played = text(
            &[
                "match",
                game,
                "--a",
                "pvs",
                "--limit-a",
                "nodes=200",
                "--b",
                &them,
                "--limit-b",
                limit,
                "--games",
                "2",
                "--opening-plies",
                plies,
                "--most-plies",
                "24",
            ],
            "",
        );
        let ended = played.lines().find(|line| line.starts_with("Ended: ")).expect("how they ended");
        let is_fair = |part: &str| part.ends_with("won") || part.ends_with("too long");
        let parts = ended.trim_start_matches("Ended: ").split(", ");
        assert!(parts.clone().all(is_fair), "{game} {player}: {played}");
    }
}
