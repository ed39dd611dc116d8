//! Moves in words.

use outplay_core::{Game, Move, Records};

use crate::session::Wording;

/// The wording of a position, without the session.
pub struct PositionWording<G: Game> {
    pub position: G,
    pub rules: G::Rules,
}

impl<G: Records> Wording for PositionWording<G> {
    fn line_text(&self, line: &[Move]) -> Vec<String> {
        walk(&self.position, line, |position, m| position.move_text(m))
    }

    fn plain_line_text(&self, line: &[Move]) -> Vec<String> {
        walk(&self.position, line, |position, m| position.plain_move_text(&self.rules, m))
    }
}

/// What `say` makes of each move of a line, in the position where it is made; stops at the first that is not legal.
pub fn walk<G: Game, T>(start: &G, moves: &[Move], say: impl Fn(&G, Move) -> T) -> Vec<T> {
    let mut position = start.clone();
    let mut said = Vec::with_capacity(moves.len());
    for &m in moves {
        if !position.is_legal(m) {
            break;
        }
        said.push(say(&position, m));
        position.play(m);
    }
    said
}
