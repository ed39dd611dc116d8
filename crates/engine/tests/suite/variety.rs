//! Openings that are not always the same.

use std::collections::HashSet;

use outplay_core::Move;
use outplay_engine::{Session, draw_lots_by, open};
use outplay_search::Limits;

fn opened(game: &str, settings: &[(&str, &str)]) -> Box<dyn Session> {
    let mut session = open(game).expect("a game");
    for (name, value) in settings {
        session.set_option(name, value).expect("a setting");
    }
    session
}

fn searched(session: &mut dyn Session, limits: &Limits) -> Move {
    session.go(limits.clone(), Box::new(|report, _| assert!(report.lines.len() <= 1))).expect("a search");
    session.wait().and_then(|report| report.best_move()).expect("a move")
}

fn short() -> Limits {
    Limits { nodes: Some(500), ..Limits::default() }
}

#[test]
fn strong_levels_of_every_game_know_several_openings() {
    for game in ["chess", "othello", "connect6", "gomoku", "connect4", "tictactoe"] {
        for level in outplay_engine::game(game)
            .expect("a game")
            .levels()
            .iter()
            .filter(|level| level.search == "pvs" && level.nodes <= 10_000)
        {
            let limits = Limits { nodes: Some(level.nodes), ..Limits::default() };
            let opening = |seed: u64| -> Vec<Move> {
                let settings: Vec<_> = level.options().collect();
                let mut session = opened(game, &settings);
                draw_lots_by(&mut *session, 2 * seed, |_| false).expect("a number");
                let mut play = |_| {
                    let m = searched(&mut *session, &limits);
                    session.play(m).expect("a legal move");
                    m
                };
                (0..8).map(&mut play).collect()
            };
            let games: HashSet<Vec<Move>> = (1..=12).map(opening).collect();
            assert!(games.len() >= 3, "{game}, {}: always {games:?}", level.name);
        }
    }
}

#[test]
fn a_move_is_found_however_short_the_search_is() {
    for nodes in [1, 2, 10] {
        let mut session = opened("chess", &[("variety", "12")]);
        searched(&mut *session, &Limits { nodes: Some(nodes), ..Limits::default() });
    }
    for search in ["mcts", "uct", "flat", "minimax"] {
        let mut session = opened("tictactoe", &[("search", search), ("variety", "12")]);
        searched(&mut *session, &short());
    }
}

#[test]
fn a_seed_brings_the_same_moves() {
    let moves = |seed: &str| -> Vec<Move> {
        let settings = [("variety", "30"), ("variety_seed", seed)];
        (0..3).map(|_| searched(&mut *opened("chess", &settings), &short())).collect()
    };
    for seed in ["1", "2", "3"] {
        let moves = moves(seed);
        assert!(moves.iter().all(|m| *m == moves[0]), "{seed}: {moves:?}");
    }
}

#[test]
fn whoever_wants_the_best_move_gets_it() {
    let settings = [("variety", "10000")];
    let with_all_moves = |limits: Limits, start: Option<&str>, moves: &str| -> HashSet<Move> {
        let found = (0..12).map(|_| {
            let mut session = opened("chess", &settings);
            session.set_game(start, moves).expect("a game");
            searched(&mut *session, &limits)
        });
        found.collect()
    };
    assert!(with_all_moves(short(), None, "").len() > 1, "that is what the setting is for");
    let analysis = Limits { analysis: true, ..short() };
    assert_eq!(with_all_moves(analysis, None, "").len(), 1, "an analysis");
    let start = Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(with_all_moves(short(), start, "").len(), 1, "a position that was set up");
    let later = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6";
    assert_eq!(with_all_moves(short(), None, later).len(), 1, "after the opening");
}
