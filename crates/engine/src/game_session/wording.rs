//! Moves in words.

use outplay_core::{Game, Move, Outcome, Records};

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

/// A word of a list of moves without the number before it: `e4` of `1.e4`, nothing of `1.`.
pub fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_digits.len() < word.len() && after_digits.starts_with('.') {
        after_digits.trim_start_matches('.')
    } else {
        word
    }
}

/// How a game ended, in words.
pub fn outcome_text(outcome: Outcome, players: [&str; 2]) -> String {
    match outcome.winner() {
        None => "A draw".to_string(),
        Some(winner) if outcome.margin() > 1 => {
            format!("{} wins by {}", players[winner.index()], outcome.margin())
        }
        Some(winner) => format!("{} wins", players[winner.index()]),
    }
}
