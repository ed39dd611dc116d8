//! Levels: each is a search that the game has, with settings that it takes.

use std::collections::HashSet;

use outplay_engine::{CATALOGUE, Level, draw_lots_by, game, open};
use outplay_search::Limits;

fn levels(name: &str) -> &'static [Level] {
    game(name).expect("a game").levels()
}

#[test]
fn every_level_of_every_game_makes_a_move() {
    for game in CATALOGUE {
        let mut names = HashSet::new();
        assert!(levels(game.example).len() >= 3, "{}", game.name);
        for level in levels(game.example) {
            assert!(names.insert(level.name), "{}: {} twice", game.name, level.name);
            let mut session = open(game.example).expect("a game");
            for (name, value) in level.options() {
                session.set_option(name, value).unwrap_or_else(|error| panic!("{}: {error}", level.name));
            }
            // The strongest would take a second.
            let limits = Limits { nodes: Some(level.nodes.min(1_000)), ..Limits::default() };
            session.go(limits, Box::new(|_, _| {})).expect("a search");
            let report = session.wait().expect("a report");
            assert!(report.best_move().is_some(), "{}: {}", game.name, level.name);
        }
    }
}

#[test]
fn levels_are_counted_from_one() {
    let chess = game("chess").expect("a game");
    let all = chess.levels();
    assert_eq!(chess.level(1), all.first());
    assert_eq!(chess.level(all.len()), all.last());
    assert_eq!((chess.level(0), chess.level(all.len() + 1)), (None, None));
}

#[test]
fn variants_have_the_levels_of_their_game() {
    assert_eq!(levels("Connect4:5x4"), levels("connect4"));
    assert_eq!(levels("chess960:3"), levels("chess"));
    assert_eq!(levels("connect:9,9,5,1,1"), levels("gomoku"));
    assert_eq!(levels("connect"), levels("connect6"));
    assert_eq!(levels("connect:15,15,6,2,1"), levels("connect6"));
    assert_ne!(levels("connect6"), levels("gomoku"));
}

#[test]
fn every_game_draws_its_own_lots_but_for_those_that_are_set() {
    let mut session = open("chess").expect("a game");
    session.set_option("search", "mcts").expect("a search");
    let mut lots = |game: u64, kept: &str| -> Vec<String> {
        draw_lots_by(&mut *session, game, |name| name == kept).expect("numbers");
        ["seed", "variety_seed"]
            .map(|wanted| {
                let rows = session.options().expect("options");
                let (_, value) = rows.iter().find(|(row, _)| row.name == wanted).expect("a row");
                value.to_string()
            })
            .into()
    };
    assert_eq!(lots(20, ""), ["10", "10"]);
    assert_eq!(lots(40, ""), ["20", "20"], "the next game");
    assert_eq!(lots(60, "seed"), ["20", "30"]);
}
