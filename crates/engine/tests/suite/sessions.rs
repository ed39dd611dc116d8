//! Sessions as protocols and people use them: everything by text, every game alike.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use outplay_core::{KnownResult, Move, Rng};
use outplay_engine::{CATALOGUE, Contents, SaveNotes, Session, SessionError, Wording, open};
use outplay_search::{Clock, Limits, Meaning, OptionValue, Report, StopReason};

const GAMES: [&str; 11] = [
    "chess",
    "chess960",
    "chess960:0",
    "othello",
    "connect6",
    "gomoku",
    "tictactoe",
    "connect",
    "connect:7,5,4,2,1",
    "connect4",
    "connect4:5x4",
];

fn session(game: &str) -> Box<dyn Session> {
    open(game).unwrap_or_else(|error| panic!("{game}: {error}"))
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), depth: Some(3), ..Limits::default() }
}

fn play_random_moves(session: &mut dyn Session, rng: &mut Rng, most: usize) {
    for _ in 0..most {
        let moves = session.legal_moves();
        if moves.is_empty() {
            break;
        }
        let text = session.line_text(&[moves[rng.below(moves.len())]]).concat();
        session.play_text(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn every_game_of_the_catalogue_is_tested_here() {
    for info in CATALOGUE {
        assert!(GAMES.contains(&info.name), "{}", info.name);
    }
}

#[test]
fn a_game_played_by_text_survives_positions_files_and_undo() {
    for game in GAMES {
        let mut rng = Rng::new(11);
        for length in [0, 1, 2, 7, 30, 1000] {
            let mut played = session(game);
            play_random_moves(&mut *played, &mut rng, length);

            let mut by_position = session(game);
            by_position.set_game(Some(&played.position_text()), "").expect("its own position");
            assert_eq!(by_position.position_text(), played.position_text());
            assert_eq!(by_position.board(), played.board());

            let mut by_file = session(game);
            let tags = vec![(played.player_tags()[0], "one".to_string())];
            let notes = SaveNotes { tags, ..SaveNotes::default() };
            by_file.load(played.save(&notes).as_bytes(), 0).expect("its own file");
            assert_eq!(by_file.position_text(), played.position_text(), "{game}");
            assert_eq!(by_file.played(), played.played(), "{game}");
            assert_eq!(by_file.outcome(), played.outcome(), "{game}");

            while played.undo().expect("no search runs").is_some() {}
            assert_eq!(played.position_text(), session(game).position_text());
        }
    }
}

#[test]
fn every_search_finds_a_legal_move_in_every_game() {
    for game in GAMES {
        for search in session(game).searches() {
            let mut session = session(game);
            session.set_option("search", search.name).expect("a search of the table");
            session.go(Limits { lines: 2, ..nodes(2_000) }, Box::new(|_, _| ())).expect("an idle session");
            let report = session.wait().expect("a report");
            assert!(report.stopped.is_some());
            let best = report.best_move().expect("a best move");
            assert!(session.legal_moves().contains(&best), "{game} {}", search.name);
            for line in &report.lines {
                assert_eq!(
                    session.line_text(&line.moves).len(),
                    line.moves.len(),
                    "every move of a line is legal"
                );
            }
            session.play(best).expect("a legal move");
        }
    }
}

#[test]
fn one_thread_with_a_node_limit_is_deterministic() {
    for game in GAMES {
        for search in session(game).searches() {
            let run = || {
                let mut session = session(game);
                session.set_option("search", search.name).expect("a search of the table");
                session.go(nodes(3_000), Box::new(|_, _| ())).expect("an idle session");
                let report = session.wait().expect("a report");
                (report.counters, report.lines)
            };
            assert_eq!(run(), run(), "{game} {}", search.name);
        }
    }
}

#[test]
fn bad_input_is_refused_with_its_reason_and_changes_nothing() {
    for game in GAMES {
        let mut session = session(game);
        play_random_moves(&mut *session, &mut Rng::new(3), 3);
        let before = (session.position_text(), session.played());
        let long = "x".repeat(100_000);
        for bad in ["", " ", "zz", "\0", "é8", "99999999999999999999", &long] {
            let errors = [
                session.play_text(bad).err().map(|error| error.to_string()),
                session.set_game(Some(bad), "").err().map(|error| error.to_string()),
                session.set_option(bad, "1").err().map(|error| error.to_string()),
                session.set_option("search", bad).err().map(|error| error.to_string()),
                session.set_option("move_overhead", bad).err().map(|error| error.to_string()),
            ];
            for (index, error) in errors.into_iter().enumerate() {
                let error = error.unwrap_or_else(|| panic!("{game}: call {index} accepts {bad:?}"));
                assert!(error.chars().count() < 400, "{game}: {error}");
            }
        }
        assert!(matches!(session.load(b"", 0), Err(SessionError::NoSuchGame { .. } | SessionError::Text(_))));
        assert_eq!((session.position_text(), session.played()), before, "{game}");
    }
    for name in ["", "go", "chess:1", "connect4:1", "connect4:99x99", "connect:0,0,0,0,0", "chess960:960"] {
        let error = open(name).err().unwrap_or_else(|| panic!("{name:?} is no game"));
        assert!(error.to_string().contains("expected") || error.to_string().contains("must"), "{error}");
    }
}

#[test]
fn no_move_is_played_after_the_end() {
    let mut session = session("tictactoe");
    for text in ["a1", "b1", "a2", "b2", "a3"] {
        session.play_text(text).expect("a legal move");
    }
    assert!(session.outcome().is_some());
    assert!(session.play_text("c3").is_err());
    session.go(Limits::default(), Box::new(|_, _| ())).expect("an idle session");
    let report = session.wait().expect("a report");
    assert_eq!((report.stopped, report.best_move()), (Some(StopReason::GameOver), None));
}

#[test]
fn an_endless_search_answers_when_it_is_told_to_stop_and_not_before() {
    for game in ["tictactoe", "chess", "othello"] {
        let mut session = session(game);
        let (sender, reports) = mpsc::channel();
        let sink = Box::new(move |report: &Report, _: &dyn Wording| {
            let _ = sender.send((report.stopped, report.lines.len()));
        });
        let limits = Limits { infinite: true, ..Limits::default() };
        let handle = session.go(limits, sink).expect("an idle session");
        std::thread::sleep(Duration::from_millis(100));
        assert!(session.is_searching(), "{game}");
        let so_far: Vec<_> = reports.try_iter().collect();
        assert!(so_far.iter().all(|(stopped, _)| stopped.is_none()), "{game} has answered already");
        assert!(so_far.iter().any(|&(_, lines)| lines > 0), "{game} shows what it has found");
        assert!(matches!(session.set_game(None, ""), Err(SessionError::Searching)));
        assert!(matches!(session.go(Limits::default(), Box::new(|_, _| ())), Err(SessionError::Searching)));
        handle.stop();
        assert!(session.wait().expect("a report").best_move().is_some(), "{game}");
        assert!(reports.iter().last().expect("a final report").0.is_some());
        assert!(!session.is_searching());
    }
}

#[test]
fn pondering_lasts_until_the_expected_move_is_played_and_then_takes_its_own_time() {
    let own_time = Duration::from_millis(300);
    let mut session = session("othello");
    session.set_option("search", "uct").expect("a search");
    let limits = Limits { ponder: true, move_time: Some(own_time), ..Limits::default() };
    let handle = session.go(limits.clone(), Box::new(|_, _| ())).expect("an idle session");
    std::thread::sleep(2 * own_time);
    assert!(session.is_searching());
    let hit = Instant::now();
    handle.ponder_hit();
    let report = session.wait().expect("a report");
    assert_eq!(report.stopped, Some(StopReason::Time));
    assert!(hit.elapsed() >= own_time - Duration::from_millis(20), "{:?}", hit.elapsed());
    assert!(report.time >= 3 * own_time - Duration::from_millis(20), "it has been searching all the while");

    let handle = session.go(limits, Box::new(|_, _| ())).expect("an idle session");
    handle.stop();
    assert!(session.wait().is_some(), "stop ends pondering too");
}

#[test]
fn a_session_takes_commands_as_soon_as_it_has_answered() {
    let mut session = session("tictactoe");
    let (sender, answers) = mpsc::channel();
    for _ in 0..2_000 {
        let sender = sender.clone();
        let sink = move |report: &Report, wording: &dyn Wording| {
            if report.stopped.is_some() {
                let _ = sender.send(wording.line_text(&report.lines[0].moves));
            }
        };
        session.go(Limits { depth: Some(1), ..Limits::default() }, Box::new(sink)).expect("an idle session");
        let line = answers.recv().expect("an answer");
        session.set_game(None, &line[0]).expect("the search has answered");
        session.undo().expect("the search has answered");
    }
}

#[test]
fn a_list_of_moves_is_played_as_a_whole_or_not_at_all() {
    let mut session = session("chess");
    session.set_game(None, "1. e4 e5 2.Nf3, Nc6").expect("legal moves");
    let before = session.position_text();
    let error = session.set_game(None, "e4 e5 Ke3 d6").expect_err("an illegal move").to_string();
    assert!(error.starts_with("move 3 of the list"), "{error}");
    assert_eq!(session.position_text(), before);
    // Repetition is a draw to play for, but a server may let the game go on.
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(3);
    session.set_game(None, &shuffle).expect("legal moves");
    assert!(session.outcome().is_some());
    session.go(Limits { depth: Some(1), ..Limits::default() }, Box::new(|_, _| ())).expect("an idle session");
    assert!(session.wait().expect("a report").best_move().is_some());
}

#[test]
fn what_a_file_holds_besides_the_main_line_is_kept() {
    let mut session = session("chess");
    let file = b"[Event \"Cup\"]\n[White \"Ada\"]\n\n1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 *\n";
    session.load(file, 0).expect("a game");
    session.play_text("Nc6").expect("a legal move");
    let saved = session.save(&SaveNotes {
        tags: vec![("White", "somebody".to_string()), ("Black", "Bob".to_string())],
        comments: vec![(3, "as usual".to_string())],
        outcome: None,
    });
    for kept in [
        "[Event \"Cup\"]",
        "[White \"Ada\"]",
        "[Black \"Bob\"]",
        "{best by test}",
        "(1... c5 2. Nf3)",
        "2. Nf3 Nc6 {as usual}",
    ] {
        assert!(saved.contains(kept), "{kept}: {saved}");
    }
    // Another move instead: the old one becomes a variation.
    session.undo().expect("no search runs");
    session.undo().expect("no search runs");
    session.play_text("Bc4").expect("a legal move");
    let saved = session.save(&SaveNotes::default());
    assert!(saved.contains("2. Bc4 (2. Nf3)"), "{saved}");
}

#[test]
fn all_the_lines_shown_are_searched_as_deep_even_when_the_first_is_decided() {
    let mut session = session("chess");
    session.set_option("search", "deepening").expect("a search");
    session.set_game(Some("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), "").expect("a position");
    let limits = Limits { depth: Some(3), lines: 3, ..Limits::default() };
    session.go(limits, Box::new(|_, _| ())).expect("an idle session");
    let shown = session.wait().expect("a report");
    assert_eq!(shown.depth, 3);
    for line in &shown.lines {
        let limits = Limits { depth: Some(3), only: vec![line.moves[0]], ..Limits::default() };
        session.go(limits, Box::new(|_, _| ())).expect("an idle session");
        assert_eq!(session.wait().expect("a report").lines[0].score, line.score);
    }
}

/// A search that leaves moves out does not say that there is no win: it goes on until it has found it.
#[test]
fn a_selective_search_does_not_give_up_on_a_win() {
    for (position, mate) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("3R4/8/8/2p3K1/2p5/5B2/R1pPNB2/1b1k4 w - - 0 1", 2),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
    ] {
        let mut session = session("chess");
        session.set_game(Some(position), "").expect("a position");
        session
            .go(Limits { mate: Some(mate), nodes: Some(3_000_000), ..Limits::default() }, Box::new(|_, _| ()))
            .expect("an idle session");
        assert_eq!(session.wait().expect("a report").stopped, Some(StopReason::Mate), "{position}");
    }
}

#[test]
fn several_lines_come_best_first() {
    let mut session = session("chess");
    for position in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
        "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
        "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    ] {
        session.set_game(Some(position), "").expect("a position");
        session
            .go(
                Limits { nodes: Some(40_000), lines: 4, ..Limits::default() },
                Box::new(|report, _| {
                    let scores = report.lines.iter().filter_map(|line| match line.score {
                        Meaning::Opinion(value) => Some(value),
                        _ => None,
                    });
                    if report.stopped.is_none() {
                        assert!(scores.is_sorted_by(|a, b| a >= b), "{:?}", report.lines);
                    }
                }),
            )
            .expect("an idle session");
        assert!(session.wait().is_some_and(|report| report.lines.len() == 4), "{position}");
    }
}

#[test]
fn a_search_for_a_win_ends_whether_there_is_one_or_not() {
    for (position, mate, reason) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1, StopReason::Mate),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2, StopReason::Mate),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 1, StopReason::NoMate),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, StopReason::NoMate),
    ] {
        for search in ["minimax", "negamax", "hminimax", "alphabeta", "deepening"] {
            let mut session = session("chess");
            session.set_game(Some(position), "").expect("a position");
            session.set_option("search", search).expect("a search");
            session
                .go(Limits { mate: Some(mate), ..Limits::default() }, Box::new(|_, _| ()))
                .expect("an idle session");
            assert_eq!(session.wait().expect("a report").stopped, Some(reason), "{search}, {position}");
        }
    }
}

#[test]
fn limits_that_a_search_cannot_meet_are_refused() {
    let mut session = session("othello");
    session.set_option("search", "uct").expect("a search");
    let mate = Limits { mate: Some(3), ..Limits::default() };
    assert!(matches!(session.go(mate, Box::new(|_, _| ())), Err(SessionError::Endless("uct"))));
    let only = Limits { only: vec![Move::new(0)], nodes: Some(10), ..Limits::default() };
    assert!(matches!(session.go(only, Box::new(|_, _| ())), Err(SessionError::Text(_))));
}

#[test]
fn a_session_remembers_the_time_of_its_game_until_it_is_cleared() {
    let mut session = session("othello");
    for (name, value) in [
        ("search", "uct"),
        ("move_overhead", "0"),
        ("time_manager", "legacy"),
        ("legacy_midpoint_move", "20"),
        ("legacy_first_move_bonus", "4"),
    ] {
        session.set_option(name, value).expect("an option");
    }
    let clock = Clock { remaining: [Duration::from_secs(1); 2], ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let mut time_of_a_move = || {
        session.go(limits.clone(), Box::new(|_, _| ())).expect("an idle session");
        session.wait().expect("a report").time
    };
    // The first move of a game takes five times its share of 50 ms. A busy machine may hold up any move, but not all of them.
    let first = time_of_a_move();
    let later = [(); 5].map(|()| time_of_a_move());
    assert!(first >= Duration::from_millis(240), "{first:?}");
    assert!(later.iter().any(|&time| time < first / 2), "{first:?} {later:?}");
    session.clear().expect("an idle session");
    session.go(limits.clone(), Box::new(|_, _| ())).expect("an idle session");
    let first_again = session.wait().expect("a report").time;
    assert!(first_again >= Duration::from_millis(240), "{first_again:?}");
}

#[test]
fn a_session_dropped_in_the_middle_of_a_search_ends_it() {
    let mut session = session("chess");
    session.go(Limits { infinite: true, ..Limits::default() }, Box::new(|_, _| ())).expect("an idle session");
    drop(session);
}

#[test]
fn settings_belong_to_their_search_and_are_kept() {
    let mut session = session("othello");
    session.set_option("search", "uct").expect("a search");
    session.set_option("Exploration", "0.5").expect("an option of UCT");
    session.set_option("move overhead", "25").expect("an option of the session");
    session.set_option("search", "flat").expect("a search");
    assert!(session.set_option("exploration", "1").is_err(), "flat Monte Carlo has no such option");
    session.set_option("hminimax.depth", "2").expect("an option of another search");
    session.set_option("search", "uct").expect("a search");
    let options = session.options().expect("an idle session");
    let value = |name: &str| options.iter().find(|(row, _)| row.name == name).map(|(_, value)| value.clone());
    assert_eq!(value("search"), Some(OptionValue::Choice("uct".into())));
    assert_eq!(value("exploration"), Some(OptionValue::Number(0.5)));
    assert_eq!(value("move_overhead"), Some(OptionValue::Integer(25)));
}

#[test]
fn the_end_of_a_game_is_told_with_its_reason() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(2);
    for (game, start, moves, ending) in [
        ("chess", None, "f3 e5 g4 Qh4#", "Black wins: checkmate"),
        ("chess", None, shuffle.as_str(), "A draw: repetition"),
        ("chess", Some("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), "", "A draw: stalemate"),
        ("chess", Some("7k/8/8/8/8/8/8/K6N b - - 0 1"), "", "A draw: insufficient material"),
        (
            "chess",
            Some("7k/8/8/8/8/8/8/K6R b - - 100 90"),
            "",
            "A draw: fifty moves without a capture or a pawn move",
        ),
        ("tictactoe", None, "b2 a1 c1 a3 a2 c2 b1 b3 c3", "A draw: the board is full"),
        ("tictactoe", None, "a1 b1 a2 b2 a3", "X wins"),
        (
            "othello",
            Some("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOO X"),
            "",
            "Black wins by 60",
        ),
    ] {
        let mut session = session(game);
        session.set_game(start, moves).expect("a legal game");
        assert_eq!(session.ending().as_deref(), Some(ending), "{game} {moves}");
    }
}

#[test]
fn problems_are_told_in_words_that_set_up_their_position() {
    let mut chess = session("chess");
    let file = b"moves e4 e5; bm Nf3 d4; id \"open\";\n6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; dm 1;\n";
    let problems = chess.problems(file, usize::MAX).expect("two problems");
    assert_eq!(problems.len(), 2);
    let [open, mate] = problems.as_slice() else { unreachable!() };
    assert_eq!((open.name.as_str(), open.start.as_deref()), ("open", None));
    assert_eq!((open.moves.join(" ").as_str(), open.known.best.join(" ").as_str()), ("e2e4 e7e5", "Nf3 d4"));
    assert_eq!((mate.name.as_str(), mate.known.result), ("2", Some(KnownResult::WinIn(1))));
    for problem in &problems {
        chess.set_game(problem.start.as_deref(), &problem.moves.join(" ")).expect("its position");
        assert!(problem.known.best.iter().all(|text| chess.parse_move(text).is_ok()), "{problem:?}");
    }
    assert_eq!(chess.problems(file, 1).expect("one problem"), problems[..1]);
    let refused = chess.problems(b"moves e4 e6; bm e5;\nbm e6;", 9).expect_err("no such move").to_string();
    assert!(refused.contains("line 2"), "{refused}");
    // Every game has the common form.
    for game in GAMES {
        let session = session(game);
        let m = session.legal_moves()[0];
        let text = session.line_text(&[m]).concat();
        let file = format!("bm {text}; id \"x\";\n{} am {text};\n", session.position_text());
        let problems =
            session.problems(file.as_bytes(), 10).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!((problems.len(), problems[1].start.as_deref()), (2, None), "{game}");
        assert_eq!((&problems[0].known.best, &problems[1].known.avoid), (&vec![text.clone()], &vec![text]));
    }
}

#[test]
fn plain_lists_of_games_and_positions_are_read_for_every_game() {
    for (game, file, starts, moves) in [
        ("chess", "# two openings\ne4 e5 Nf3\nd4 d5\n", [false, false], ["e2e4 e7e5 g1f3", "d2d4 d7d5"]),
        ("connect4", "dda\nd c\n", [false, false], ["d d a", "d c"]),
        ("tictactoe", "3/1x1/3 o 1\nb2 a1\n", [true, false], ["", "b2 a1"]),
        ("othello", "f5d6c3\nf5 f6\n", [false, false], ["f5 d6 c3", "f5 f6"]),
    ] {
        let session = open(game).expect("a game");
        let listed = session.list_games(file.as_bytes(), usize::MAX).expect(game);
        let found: Vec<(bool, &str)> =
            listed.iter().map(|(start, moves)| (start.is_some(), moves.as_str())).collect();
        assert_eq!(found, [(starts[0], moves[0]), (starts[1], moves[1])], "{game}");
    }
    let chess = open("chess").expect("chess");
    let error = chess.list_games(b"e4 e5\nd4 d6 d5 d7\n", 9).expect_err("no such move").to_string();
    assert!(error.contains("line 2, column 10"), "{error}");
}

#[test]
fn files_are_listed_by_who_played() {
    for game in GAMES {
        let mut played = session(game);
        play_random_moves(&mut *played, &mut Rng::new(5), 3);
        let [first, second] = played.player_tags();
        let tags =
            vec![(first, "Ada".to_string()), (second, "Bob".to_string()), ("Date", "2026.11.17".into())];
        let named = played.save(&SaveNotes { tags, ..SaveNotes::default() });
        let unnamed = played.save(&SaveNotes::default());
        let contents = played.contents(format!("{named}\n{unnamed}\n{named}").as_bytes(), 2).expect(game);
        let moves: Vec<String> = played.played().into_iter().map(|(_, text)| text).collect();
        let titles = vec!["Ada – Bob, 2026.11.17".to_string(), moves.join(" ")];
        assert_eq!(contents, Contents { count: 3, titles }, "{game}");
    }
    let ended = b"[White \"?\"]\n[Black \"Bob\"]\n[Event \"?\"]\n[Date \"????.??.??\"]\n\n1. e4 e5 0-1\n";
    assert_eq!(session("chess").contents(ended, 9).expect("a game").titles, ["? – Bob, Black wins"]);
}

#[test]
fn sgf_names_the_players_as_the_format_does() {
    for game in ["tictactoe", "gomoku", "connect6"] {
        let session = session(game);
        let tags = session.player_tags().into_iter().zip(["Ada".to_string(), "Bob".to_string()]).collect();
        let text = session.save(&SaveNotes { tags, ..SaveNotes::default() });
        assert!(text.contains("PB[Ada]") && text.contains("PW[Bob]"), "{game}: {text}");
    }
}

/// The visits of the moves after so many more playouts.
fn search_tree(session: &mut dyn Session, playouts: u64) -> u64 {
    let limits = Limits { nodes: Some(playouts), lines: 1000, ..Limits::default() };
    session.go(limits, Box::new(|_, _| ())).expect("an idle session");
    let report = session.wait().expect("a report");
    report.lines.iter().filter_map(|line| line.visits).sum()
}

#[test]
fn the_tree_of_every_game_can_be_saved_and_gone_on_with() {
    // Where kings only walk about, positions repeat.
    let shuffles = ("chess", Some("8/8/4k3/8/8/3K4/8/7R w - - 0 1"));
    let games = GAMES.map(|game| (game, None)).into_iter().chain([shuffles]);
    for ((game, position), dag) in games.flat_map(|game| [(game, "false"), (game, "true")]) {
        let new_session = || {
            let mut session = session(game);
            session.set_game(position, "").expect("a position");
            let settings = [("search", "mcts"), ("evaluator", "random"), ("dag", dag), ("solver", "false")];
            for (name, value) in settings.into_iter().chain([("smart_pruning_factor", "0")]) {
                session.set_option(name, value).expect("an option");
            }
            session
        };
        let playouts = if position.is_some() { 20_000 } else { 1_000 };
        let mut first = new_session();
        let grown = search_tree(&mut *first, playouts);
        let mut file = Vec::new();
        first.save_tree(&mut file).unwrap_or_else(|error| panic!("{game}: {error}"));
        let mut second = new_session();
        second.load_tree(&mut &file[..]).unwrap_or_else(|error| panic!("{game}, {dag}: {error}"));
        assert!(search_tree(&mut *second, 100) >= grown, "{game}, {dag}");
        let mut plain = session(game);
        let refused = plain.load_tree(&mut &file[..]).map_err(|error| error.to_string());
        assert_eq!(refused, Err("this search keeps no tree".to_string()));
    }
}

#[test]
fn the_rows_of_each_search_can_be_asked_for_without_choosing_it() {
    let mut session = open("chess").expect("a game");
    session.set_option("mcts.threads", "3").expect("an option");
    let of_mcts = session.options_of("MCTS").expect("a search");
    let threads = of_mcts.iter().find(|(row, _)| row.name == "threads").map(|(_, value)| value.to_string());
    assert_eq!(threads.as_deref(), Some("3"));
    assert!(of_mcts.iter().all(|(row, _)| row.name != "search" && row.name != "move_overhead"));
    let own = session.options().expect("rows").len() - session.options_of("pvs").expect("a search").len();
    session.set_option("search", "mcts").expect("a search");
    assert_eq!(session.options().expect("rows").len(), own + of_mcts.len());
    assert!(session.options_of("magic").expect_err("no search").to_string().contains("minimax"));
}
