//! What the protocols of Othello programs share: a game as they are told it, and how they call moves.

use outplay_core::{Game, Move, Notation, Player};
use outplay_othello::Othello;

use crate::opponent::Situation;

/// The game of a situation: where it began, its moves, and where it stands; or what in it is no Othello, and why.
pub(crate) struct OthelloGame {
    pub start: Othello,
    pub moves: Vec<Move>,
    pub position: Othello,
}

impl OthelloGame {
    pub fn of(situation: &Situation) -> Result<OthelloGame, (String, String)> {
        let start = match &situation.start {
            None => Othello::start(&()),
            Some(text) => {
                Othello::parse_position(&(), text).map_err(|error| (text.clone(), error.to_string()))?
            }
        };
        let (mut position, mut moves) = (start, Vec::new());
        for (_, text) in &situation.moves {
            let m = position.parse_move(text).map_err(|error| (text.clone(), error.to_string()))?;
            position.play(m);
            moves.push(m);
        }
        Ok(OthelloGame { start, moves, position })
    }

    /// Where it stood after so many moves.
    pub fn after(&self, plies: usize) -> Othello {
        let mut position = self.start;
        self.moves[..plies].iter().for_each(|&m| position.play(m));
        position
    }

    /// Who made each of the moves.
    pub fn movers(&self) -> Vec<Player> {
        let mut position = self.start;
        let mover = |m: &Move| {
            let mover = position.to_move();
            position.play(*m);
            mover
        };
        self.moves.iter().map(mover).collect()
    }
}

/// The square of a move in capitals, or what a protocol calls a pass.
pub(crate) fn square(m: &str, pass: &str) -> String {
    if m == "pass" { pass.to_string() } else { m.to_ascii_uppercase() }
}

/// How we call a move that a program calls `F5`, `pa` or `PASS`.
pub(crate) fn move_of_answer(answer: &str) -> String {
    let word = answer.to_ascii_lowercase();
    if matches!(word.as_str(), "pa" | "ps" | "pass" | "--") { "pass".to_string() } else { word }
}
