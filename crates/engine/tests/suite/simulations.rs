//! Recorded Monte Carlo searches in words, on every game.

use outplay_engine::{ExplainedSimulations, Session, SessionError, open, outcome_text};
use outplay_search::{Limits, Meaning};

const SIMULATIONS: u64 = 30;
const ENOUGH_ROWS: usize = 1_000_000;

fn session(game: &str, search: &str) -> Box<dyn Session> {
    let mut session = open(game).unwrap_or_else(|error| panic!("{game}: {error}"));
    session.set_option("search", search).expect("a search");
    session
}

fn record(session: &mut dyn Session) -> ExplainedSimulations {
    session.explain_simulations(SIMULATIONS, ENOUGH_ROWS).expect("a recording")
}

#[test]
fn a_recording_says_of_every_game_what_the_search_reports() {
    for game in
        ["chess", "chess960:0", "othello", "connect6", "tictactoe", "connect:4,3,3,2,1", "connect4:5x4"]
    {
        for search in ["flat", "uct"] {
            let mut session = session(game, search);
            session.set_option("seed", "7").expect("a seed");
            let recording = record(&mut *session);
            let limits =
                Limits { nodes: Some(SIMULATIONS), lines: recording.lines.len(), ..Limits::default() };
            session.go(limits, Box::new(|_, _| ())).expect("a search");
            let report = session.wait().expect("a report");
            assert_eq!(report.lines.len(), recording.lines.len(), "{game} {search}");
            for (told, line) in report.lines.iter().zip(&recording.lines) {
                assert_eq!(session.line_text(&told.moves), line.moves, "{game} {search}");
                assert_eq!(told.visits, Some(line.visits), "{game} {search}");
                assert_eq!(told.score, Meaning::Expected(line.value.unwrap_or(0.0)), "{game} {search}");
            }
        }
    }
}

#[test]
fn the_moves_of_each_simulation_lead_to_its_result() {
    for game in ["chess", "othello", "connect6", "tictactoe", "connect4"] {
        let recording = record(&mut *session(game, "uct"));
        let mut replay = open(game).expect("a game");
        for simulation in &recording.simulations {
            replay.set_game(None, "").expect("the start");
            for choice in &simulation.choices {
                assert_eq!(choice.by, replay.players()[replay.to_move().index()], "{game}");
                let chosen = &choice.candidates[choice.chosen].played;
                replay.play_text(chosen).unwrap_or_else(|error| panic!("{game}: {chosen}: {error}"));
            }
            let tree_moves = replay.played().into_iter().map(|(_, text)| text);
            let all: Vec<String> = tree_moves.chain(simulation.random_game.iter().cloned()).collect();
            replay.set_game(None, &all.join(" ")).unwrap_or_else(|error| panic!("{game}: {error}"));
            let outcome = replay.outcome().unwrap_or_else(|| panic!("{game}: no end after {all:?}"));
            assert_eq!(outcome_text(outcome, replay.players()), simulation.result, "{game}");
        }
    }
}

#[test]
fn what_cannot_be_recorded_is_refused_with_what_to_do() {
    let refusal = |game: &str, search: &str, rows: usize| {
        session(game, search).explain_simulations(SIMULATIONS, rows).expect_err("a refusal").to_string()
    };
    assert!(refusal("connect6", "uct", 1_000).contains("more than 1000 rows"));
    let others = refusal("tictactoe", "mcts", ENOUGH_ROWS);
    assert!(others.contains("\"mcts\"") && others.ends_with("one of flat, uct"), "{others}");
    let mut busy = session("othello", "uct");
    let handle = busy.go(Limits::default(), Box::new(|_, _| ())).expect("a search");
    let refused = busy.explain_simulations(1, ENOUGH_ROWS);
    handle.stop();
    assert!(matches!(refused, Err(SessionError::Searching)), "{refused:?}");
}

#[test]
fn a_game_that_is_over_has_no_simulations() {
    for search in ["flat", "uct"] {
        let mut session = session("tictactoe", search);
        session.set_game(None, "a1 b1 a2 b2 a3").expect("a won game");
        let recording = record(&mut *session);
        assert!(recording.simulations.is_empty() && recording.lines.is_empty());
    }
}

#[test]
fn settings_of_the_search_are_those_of_the_recording() {
    let mut session = session("tictactoe", "uct");
    let usual = record(&mut *session);
    assert_eq!(usual.exploration, Some(1.0));
    session.set_option("seed", "2").expect("a seed");
    assert_ne!(record(&mut *session).simulations, usual.simulations);
    session.set_option("c", "0.5").expect("a constant");
    assert_eq!(record(&mut *session).exploration, Some(0.5));
}
