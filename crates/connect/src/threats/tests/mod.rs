//! What the threat search claims, against an independent checker, against a plain search and against published positions.

mod checker;
mod double;
mod middle_games;
mod plain;
mod single;
mod zones;

use outplay_core::{Game, Notation, Rng};
use outplay_testing::public_data;

use crate::position::Connect;
use crate::rules::Rules;

/// Positions from recorded games, before the game is over and with any number of stones left in the turn, in an order that is always the same.
fn positions_of_games(count: usize) -> Option<Vec<Connect>> {
    let text = public_data::text("connect6/games_8282.csv")?;
    // A line is: number, moves in quotes, winner, the winner as first recorded.
    let games: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split('"').nth(1)).collect();
    let mut rng = Rng::new(6);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let moves: Vec<&str> = games[rng.below(games.len())].split(',').collect();
        let mut position = Connect::start(&Rules::CONNECT6);
        for text in &moves[..rng.below(moves.len())] {
            let m = position.parse_move(text).expect("a legal game");
            position.play(m);
        }
        positions.push(position);
    }
    Some(positions)
}

/// The published positions of a table: name, position, the other fields.
fn table(file: &str) -> Option<Vec<(String, Connect, Vec<String>)>> {
    let text = public_data::text(file)?;
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<String> = line.split(',').map(|field| field.trim_matches('"').to_string()).collect();
        let position = Connect::parse_position(&Rules::CONNECT6, &fields[1]).expect("legal");
        (fields[0].clone(), position, fields[2..].to_vec())
    });
    Some(rows.collect())
}
