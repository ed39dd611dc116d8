//! The fifteen commonest ways in which engines fail their board programs, each by name.

use std::time::{Duration, Instant};

use outplay_engine::Session;

use super::conversation::{Conversation, PATIENCE, after, best_of, line_of_play};

/// Long enough for an answer that should not come, short enough for a test.
const A_WHILE: Duration = Duration::from_millis(60);
const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const CHECKMATED: &str = "position fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1";
const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const ONE_REPLY: &str = "position fen 7k/8/8/8/8/8/6r1/7K w - - 0 1";
const MIDDLE_GAME: &str = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A position command as a session that can tell what is legal.
fn session_at(position: &str) -> Box<dyn Session> {
    let mut session = outplay_engine::open("chess").expect("a game");
    let text = position.strip_prefix("position fen ").expect("a position");
    session.set_game(Some(text), "").expect("a legal position");
    session
}

/// Makes sure that a move is legal, and a line of play too.
fn assert_legal<'a>(position: &str, line: impl IntoIterator<Item = &'a str>) {
    let mut session = session_at(position);
    for m in line {
        session.play_text(m).unwrap_or_else(|error| panic!("{m} in {position}: {error}"));
    }
}

/// Other programs may disturb us now and then, but not every time: a talk that keeps its time once in a few tries knows how to. So much is
/// kept back for them.
fn keeps_time(mut tries: impl FnMut(&Conversation) -> bool) -> bool {
    let talk = Conversation::start();
    talk.send("setoption name Move Overhead value 30");
    (0..8).any(|_| tries(&talk))
}

/// Whether a search is answered within a time.
fn is_answered_within(time: Duration, go: &str) -> bool {
    keeps_time(|talk| {
        let begun = Instant::now();
        talk.search(go);
        begun.elapsed() < time
    })
}

#[test]
fn failure_1_time_is_lost_at_tiny_increments() {
    let increment = Duration::from_millis(2);
    assert!(keeps_time(|talk| {
        let (mut clock, mut moves) = (Duration::from_millis(300), String::new());
        talk.send("ucinewgame");
        (0..60).all(|_| {
            talk.send(&format!("position startpos moves {moves}"));
            let begun = Instant::now();
            let time = clock.as_millis();
            let best = talk.best(&format!("go wtime {time} btime {time} winc 2 binc 2"));
            let left = clock.checked_sub(begun.elapsed());
            clock = left.unwrap_or_default() + increment;
            moves += &format!(" {best}");
            left.is_some() && best != "(none)"
        })
    }));
}

#[test]
fn failure_2_the_last_move_before_the_control_takes_the_whole_clock() {
    assert!(is_answered_within(Duration::from_millis(150), "go wtime 150 btime 150 movestogo 1"));
    assert!(is_answered_within(Duration::from_millis(150), "go movetime 150"));
}

#[test]
fn failure_3_the_move_of_a_search_that_is_cut_short_is_illegal() {
    let talk = Conversation::start();
    for search in ["pvs", "deepening", "mcts", "uct", "minimax"] {
        talk.send(&format!("setoption name Search value {search}"));
        talk.send(MIDDLE_GAME);
        for go in ["go infinite", "go movetime 0", "go nodes 1", "go wtime 0 btime 0"] {
            talk.send(go);
            talk.send("stop");
            let lines = talk.until("bestmove");
            assert_legal(MIDDLE_GAME, [best_of(&lines).as_str()]);
        }
    }
}

#[test]
fn failure_4_stop_and_ponderhit_are_not_answered() {
    let talk = Conversation::start();
    talk.send(MIDDLE_GAME);
    for (go, order) in [
        ("go infinite", "stop"),
        ("go", "stop"),
        ("go ponder wtime 100 btime 100", "stop"),
        ("go ponder wtime 100 btime 100", "ponderhit"),
        ("go ponder depth 2", "ponderhit"),
        ("go mate 30", "stop"),
        ("go depth 99", "stop"),
    ] {
        talk.send(go);
        talk.heard_within(Duration::from_millis(20));
        talk.send(order);
        talk.until("bestmove");
    }
    // A search that goes on for ever after the hit is stopped later.
    talk.send("go ponder infinite");
    talk.send("ponderhit");
    talk.silence(A_WHILE);
    talk.send("stop");
    talk.until("bestmove");
}

#[test]
fn failure_5_an_infinite_search_or_one_that_ponders_answers_too_early() {
    let talk = Conversation::start();
    for position in [MATE_IN_ONE, CHECKMATED, STALEMATED, ONE_REPLY] {
        talk.send(position);
        for go in [
            "go infinite",
            "go infinite depth 1 nodes 1 movetime 1",
            "go ponder depth 1",
            "go ponder wtime 1 btime 1",
        ] {
            talk.send(go);
            talk.silence(Duration::from_millis(15));
            talk.send("stop");
            let answers = talk.until("bestmove");
            assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
        }
    }
}

#[test]
fn failure_6_a_stop_without_a_search_is_answered() {
    let talk = Conversation::start();
    assert_eq!(talk.ask("stop"), [""; 0]);
    assert_eq!(talk.ask("ponderhit"), [""; 0]);
    let answers = talk.search("go depth 1");
    assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    assert_eq!(talk.ask("stop"), [""; 0]);
    talk.silence(A_WHILE);
}

#[test]
fn failure_7_a_search_makes_us_deaf() {
    let talk = Conversation::start();
    for search in ["pvs", "deepening", "mcts"] {
        talk.send(&format!("setoption name Search value {search}"));
        talk.send("go infinite");
        for _ in 0..20 {
            talk.send("isready");
            let said = talk.until("readyok");
            assert!(said.iter().all(|line| line.starts_with("info ") || line == "readyok"), "{said:?}");
        }
        assert!(talk.ask("uci").contains(&"uciok".to_string()));
        talk.search("stop");
    }
    // Nor does anything else.
    talk.send("go perft 30");
    assert_eq!(talk.ask(""), [""; 0]);
    talk.send("stop");
    assert_eq!(talk.next(PATIENCE).as_deref(), Some("info string perft was stopped"));
}

#[test]
fn failure_8_a_new_search_meets_the_old_one() {
    let talk = Conversation::start();
    for _ in 0..200 {
        talk.send("go nodes 50");
        talk.until("bestmove");
    }
    // Commands that do not wait for the answer wait in line.
    for number in 0..50 {
        talk.send(if number % 2 == 0 { "position startpos" } else { CHECKMATED });
        talk.send("setoption name MultiPV value 1");
        talk.send("go nodes 50");
        talk.send("ucinewgame");
    }
    let answers: Vec<String> = (0..50).map(|_| best_of(&talk.until("bestmove"))).collect();
    assert!(
        answers.iter().enumerate().all(|(number, best)| (best == "(none)") == (number % 2 == 1)),
        "{answers:?}"
    );
    // Somebody forgets to stop.
    talk.send("go infinite");
    talk.send("position startpos moves e2e4 e7e5");
    talk.send("go depth 1");
    talk.until("bestmove");
    let second = talk.until("bestmove");
    assert!(second.iter().any(|line| line.starts_with("info depth 1 ")), "{second:?}");
    assert_eq!(talk.ask("stop"), [""; 0]);
}

#[test]
fn failure_9_bad_input_kills_us_or_changes_the_position() {
    let talk = Conversation::start();
    talk.send("position startpos moves e2e4");
    let before = talk.ask("d");
    for line in [
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2Q w - - 0 1 moves h1h8 e8e7 h8h9",
        "position fen kK6/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 0000",
        "position startpos moves e7e8q",
        "position startpos e2e4",
        "setoption",
        "setoption name",
        "setoption name NoSuchThing value 3",
        "setoption name MultiPV value many",
        "setoption name MultiPV value 0",
        "setoption name Search value magic",
        "setoption name UCI_Chess960",
        "debug",
        "debug 1",
        "go perft x",
        "xyzzy",
        "\u{0}\u{1b}[31m\u{fffd}",
        "GO DEPTH 5",
        "bestmove e2e4",
    ] {
        let said = talk.ask(line);
        assert!(matches!(said.as_slice(), [one] if one.starts_with("info string ")), "{line:?}: {said:?}");
        assert_eq!(talk.ask("d"), before, "{line:?}");
    }
    talk.ask(&"long ".repeat(1_000_000));
    for line in ["", "   ", "\t", "register later", "debug on", "debug off"] {
        assert_eq!(talk.ask(line), [""; 0], "{line:?}");
    }
    assert_eq!(talk.ask("d"), before);
}

#[test]
fn failure_10_limits_are_ignored() {
    let talk = Conversation::start();
    talk.send(MIDDLE_GAME);
    for nodes in [1_u64, 100, 3_000] {
        let lines = talk.search(&format!("go nodes {nodes}"));
        let counted: u64 =
            after(&lines[lines.len() - 2], "nodes").and_then(|text| text.parse().ok()).expect("nodes");
        assert!(counted <= nodes && counted * 2 > nodes, "{lines:?}");
    }
    for only in ["a2a3", "e1g1", "e5g6"] {
        assert_eq!(talk.best(&format!("go depth 2 searchmoves {only}")), only);
    }
    let lines = talk.search("go searchmoves a2a3 b2b9 h2h3 depth 1");
    assert!(lines[0].starts_with("info string go: ") && lines[0].contains("b2b9"), "{lines:?}");
    assert!(["a2a3"].contains(&best_of(&lines).as_str()), "h2h3 is not legal either: {lines:?}");
    let lines = talk.search("go depth 3");
    assert_eq!(after(&lines[lines.len() - 2], "depth"), Some("3"));
    talk.send("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    let lines = talk.search("go mate 2");
    assert_eq!(after(&lines[lines.len() - 2], "mate"), Some("2"), "{lines:?}");
    // Only one clock, whichever it is.
    for go in ["go wtime 50", "go btime 50", "go winc 5", "go movestogo 5 wtime 50"] {
        talk.search(go);
    }
    // A search that cannot prove the absence of a mate ends all the same.
    talk.send("setoption name Search value uct");
    talk.send(MATE_IN_ONE);
    assert_eq!(talk.best("go mate 1 nodes 2000"), "a1a8");
}

#[test]
fn failure_11_a_clock_at_or_below_zero_is_taken_for_no_clock() {
    let talk = Conversation::start();
    for search in ["pvs", "deepening", "mcts"] {
        talk.send(&format!("setoption name Search value {search}"));
        talk.send(MIDDLE_GAME);
        for go in [
            "go wtime 0 btime 0",
            "go wtime -500 btime -500 winc 0 binc 0",
            "go movetime -1",
            "go wtime -1 movestogo 1",
        ] {
            assert_legal(MIDDLE_GAME, [talk.best(go).as_str()]);
        }
    }
}

#[test]
fn failure_12_lines_of_play_are_illegal_or_do_not_begin_with_the_move() {
    let talk = Conversation::start();
    talk.send("setoption name MultiPV value 3");
    for search in ["pvs", "deepening", "mcts"] {
        talk.send(&format!("setoption name Search value {search}"));
        for position in
            [MIDDLE_GAME, MATE_IN_ONE, ONE_REPLY, "position fen 8/8/8/8/8/5k2/5p2/5K2 b - - 98 100"]
        {
            talk.send(position);
            let lines = talk.search("go nodes 2000");
            let (last, infos) = lines.split_last().expect("an answer");
            for info in infos {
                assert_legal(position, line_of_play(info));
                if let Some(mate) = after(info, "mate").and_then(|text| text.parse::<i32>().ok()) {
                    let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
                    assert_eq!(line_of_play(info).len(), plies as usize, "{info}");
                }
            }
            let first = infos.iter().rfind(|info| info.contains(" multipv 1 ")).expect("a first line");
            let line = line_of_play(first);
            assert_eq!(after(last, "bestmove"), line.first().copied());
            assert_eq!(after(last, "ponder"), line.get(1).copied());
        }
    }
}

#[test]
fn failure_13_there_is_no_score_before_the_move_or_numbers_are_no_integers() {
    let talk = Conversation::start();
    talk.send("setoption name UCI_ShowWDL value true");
    for search in ["pvs", "deepening", "mcts", "flat"] {
        talk.send(&format!("setoption name Search value {search}"));
        for position in ["position startpos", MATE_IN_ONE, CHECKMATED, STALEMATED, ONE_REPLY, MIDDLE_GAME] {
            talk.send(position);
            let lines = talk.search("go nodes 300");
            for info in &lines[..lines.len() - 1] {
                for word in [
                    "depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "tbhits", "cp",
                    "mate",
                ] {
                    let number = after(info, word);
                    assert!(number.is_none_or(|number| number.parse::<i64>().is_ok()), "{word} in {info}");
                }
                if info.contains(" wdl ") {
                    let chances = info.split_whitespace().skip_while(|word| *word != "wdl").skip(1).take(3);
                    assert_eq!(
                        chances.map(|chance| chance.parse::<u32>().expect("a number")).sum::<u32>(),
                        1000
                    );
                }
            }
            let info = &lines[lines.len() - 2];
            assert!(info.starts_with("info depth ") && info.contains(" score "), "{info}");
            let expected = match position {
                MATE_IN_ONE if search == "pvs" || search == "deepening" => {
                    Some(" score mate 1 wdl 1000 0 0 ")
                }
                CHECKMATED => Some(" score mate 0"),
                STALEMATED => Some(" score cp 0"),
                _ => None,
            };
            assert!(expected.is_none_or(|expected| info.contains(expected)), "{search}: {info}");
        }
    }
    talk.send("setoption name Search value deepening");
    talk.send("position fen 7k/8/8/8/8/1r6/r7/7K w - - 0 1");
    let lines = talk.search("go depth 4");
    assert!(lines[lines.len() - 2].contains(" score mate -1 wdl 0 0 1000 "), "{lines:?}");
}

#[test]
fn failure_14_chess960_castles_wrongly() {
    let talk = Conversation::start();
    let inner_rook = "position fen 4k3/8/8/8/8/8/8/R1R1K1RR w CG - 0 1";
    // It is understood though nobody has said that it would come, and forgotten with the next position.
    let said = talk.ask(inner_rook);
    assert!(matches!(said.as_slice(), [one] if one.contains("as if UCI_Chess960 were on")), "{said:?}");
    assert_eq!(talk.best("go searchmoves e1c1 depth 1"), "e1c1");
    assert_eq!(talk.ask("position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), [""; 0]);
    assert_eq!(talk.best("go searchmoves e1g1 depth 1"), "e1g1");
    talk.send("setoption name MultiPV value 2");
    talk.send("setoption name UCI_Chess960 value true");
    assert_eq!(talk.best("go searchmoves e1h1 depth 1"), "e1h1", "the position was kept");
    let lines = talk.search("go depth 1");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "and so were the options");
    for (position, castling) in [
        (inner_rook, "e1g1"),
        (inner_rook, "e1c1"),
        ("position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1"),
        ("position fen 4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1h1"),
        ("position fen 4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1"),
        ("position fen 1r1k4/8/8/8/8/8/8/4K3 b b - 0 1", "d8b8"),
    ] {
        assert_eq!(talk.ask(position), [""; 0], "{position}");
        assert_eq!(talk.best(&format!("go depth 1 searchmoves {castling}")), castling, "{position}");
        let moves = format!("{position} moves {castling}");
        assert_eq!(talk.ask(&moves), [""; 0], "{moves}");
    }
    let array = "position fen bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 2 9";
    assert_eq!(talk.ask(array), [""; 0]);
    // Back again: a position of the other game is kept, and that is said.
    talk.send(inner_rook);
    let said = talk.ask("setoption name UCI_Chess960 value false");
    assert!(matches!(said.as_slice(), [one] if one.contains("as if UCI_Chess960 were on")), "{said:?}");
    assert!(talk.ask("d").iter().any(|line| line.contains("R1R1K1RR w GC")));
}

#[test]
fn failure_15_the_end_is_not_noticed() {
    for (go, order) in [
        ("go infinite", "quit"),
        ("go infinite", ""),
        ("go ponder wtime 1 btime 1", ""),
        ("isready", "quit"),
        ("isready", ""),
        ("go perft 30", "quit"),
        ("go perft 30", ""),
    ] {
        let talk = Conversation::start();
        talk.ask(go);
        if order == "quit" {
            talk.send("quit");
        }
        let begun = Instant::now();
        let (lines, result) = talk.end();
        assert!(
            result.is_ok() && begun.elapsed() < Duration::from_secs(2),
            "{go}, {order}: {:?}",
            begun.elapsed()
        );
        let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(
            answers,
            usize::from(go.starts_with("go ") && !go.contains("perft")),
            "{go}, {order}: {lines:?}"
        );
    }
    // Nobody reads what we write.
    let talk = Conversation::start();
    talk.send("go infinite");
    assert!(talk.hang_up().is_err());
    // And it begins quickly.
    let begun = Instant::now();
    Conversation::start().ask("uci");
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_position_may_have_a_thousand_moves() {
    let talk = Conversation::start();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(250);
    assert_eq!(talk.ask(&format!("position startpos moves {moves}")), [""; 0]);
    let shown = talk.ask("d");
    assert!(shown.iter().any(|line| line.starts_with("Fen: ") && line.ends_with(" 501")), "{shown:?}");
    assert_ne!(talk.best("go depth 2"), "(none)", "a game that could be claimed drawn goes on");
    assert_ne!(talk.best("go wtime 1000 btime 1000"), "(none)");
}
