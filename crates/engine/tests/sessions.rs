//! Sessions as protocols and people use them: everything by text, every game alike.

use std::sync::mpsc;
use std::time::Duration;

use outplay_core::Rng;
use outplay_engine::{CATALOGUE, SEARCHES, Session, SessionError, open};
use outplay_search::{Limits, OptionValue, StopReason};

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
            by_position.set_position(Some(&played.position_text())).expect("its own position");
            assert_eq!(by_position.position_text(), played.position_text());
            assert_eq!(by_position.board(), played.board());

            let mut by_file = session(game);
            let tags = [(played.players()[0], "one".to_string())];
            by_file.load(played.save(&tags, None).as_bytes(), 0).expect("its own file");
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
        for search in SEARCHES {
            let mut session = session(game);
            session.set_option("search", search.name).expect("a search of the table");
            session.go(Limits { lines: 2, ..nodes(2_000) }, Box::new(|_| ())).expect("an idle session");
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
        for search in SEARCHES {
            let run = || {
                let mut session = session(game);
                session.set_option("search", search.name).expect("a search of the table");
                session.go(nodes(3_000), Box::new(|_| ())).expect("an idle session");
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
                session.set_position(Some(bad)).err().map(|error| error.to_string()),
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
    session.go(Limits::default(), Box::new(|_| ())).expect("an idle session");
    let report = session.wait().expect("a report");
    assert_eq!((report.stopped, report.best_move()), (Some(StopReason::GameOver), None));
}

#[test]
fn an_endless_search_answers_when_it_is_told_to_stop_and_not_before() {
    for game in ["tictactoe", "chess", "othello"] {
        let mut session = session(game);
        let (sender, reports) = mpsc::channel();
        let sink = Box::new(move |report: &outplay_search::Report| {
            let _ = sender.send(report.stopped);
        });
        session.go(Limits { infinite: true, ..Limits::default() }, sink).expect("an idle session");
        std::thread::sleep(Duration::from_millis(100));
        assert!(session.is_searching(), "{game}");
        assert!(reports.try_iter().all(|stopped| stopped.is_none()), "{game} has answered already");
        assert!(matches!(session.set_position(None), Err(SessionError::Searching)));
        assert!(matches!(session.go(Limits::default(), Box::new(|_| ())), Err(SessionError::Searching)));
        session.stop();
        assert!(session.wait().expect("a report").best_move().is_some(), "{game}");
        assert!(reports.iter().last().expect("a final report").is_some());
        assert!(!session.is_searching());
    }
}

#[test]
fn pondering_lasts_until_the_expected_move_is_played() {
    let mut session = session("tictactoe");
    let limits = Limits { ponder: true, move_time: Some(Duration::from_millis(1)), ..Limits::default() };
    session.go(limits.clone(), Box::new(|_| ())).expect("an idle session");
    std::thread::sleep(Duration::from_millis(50));
    assert!(session.is_searching());
    session.ponder_hit();
    assert!(session.wait().expect("a report").best_move().is_some());

    session.go(limits, Box::new(|_| ())).expect("an idle session");
    session.stop();
    assert!(session.wait().is_some(), "stop ends pondering too");
}

#[test]
fn a_session_dropped_in_the_middle_of_a_search_ends_it() {
    let mut session = session("chess");
    session.go(Limits { infinite: true, ..Limits::default() }, Box::new(|_| ())).expect("an idle session");
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
    session.set_option("search", "uct").expect("a search");
    let options = session.options().expect("an idle session");
    let value = |name: &str| options.iter().find(|(row, _)| row.name == name).map(|(_, value)| value.clone());
    assert_eq!(value("search"), Some(OptionValue::Choice("uct")));
    assert_eq!(value("exploration"), Some(OptionValue::Number(0.5)));
    assert_eq!(value("move_overhead"), Some(OptionValue::Integer(25)));
}
