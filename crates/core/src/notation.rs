//! Positions and moves as text.

use crate::text::words;
use crate::{Game, Move, ParseError, Player};

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The first moves.
    Opening,
    /// What follows.
    Middlegame,
    /// What decides.
    Endgame,
}

impl Phase {
    /// The phase in which `progress` lies, by where the opening ends and where the endgame begins.
    pub fn of<T: PartialOrd>(progress: T, opening_ends: T, endgame_begins: T) -> Phase {
        match progress {
            progress if progress < opening_ends => Phase::Opening,
            progress if progress < endgame_begins => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }

    /// Its name in tables.
    pub fn text(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}

/// How a game is written and read.
///
/// Writing and reading are inverses: a position read from its own text is equal to it, key included. Reading
/// takes text from anywhere, so it never panics, and it refuses positions that the rules cannot produce a
/// sensible game from, with the reason.
pub trait Notation: Game {
    /// What the players are called, first player first.
    const PLAYERS: [&'static str; 2] = ["First", "Second"];

    /// The position as one line of text, in the notation the game's community uses.
    fn position_text(&self) -> String;

    /// Reads a position. The rules say which board is meant; text that fits other rules is an error.
    fn parse_position(rules: &Self::Rules, text: &str) -> Result<Self, ParseError>;

    /// A legal move of this position, in the notation that people use (SAN, `f5`, `j10`).
    fn move_text(&self, m: Move) -> String;

    /// A legal move in the notation that programs exchange, where it differs from what people use (`e2e4`).
    fn plain_move_text(&self, rules: &Self::Rules, m: Move) -> String {
        let _ = rules;
        self.move_text(m)
    }

    /// Takes a list of moves apart, each of which [`Notation::parse_move`] reads: at spaces and commas, and where
    /// else the game's moves can be told apart (`f5d6c3`).
    fn split_moves(text: &str) -> Vec<&str> {
        words(text).collect()
    }

    /// Reads a legal move of this position; every common notation is welcome, ambiguity is an error.
    fn parse_move(&self, text: &str) -> Result<Move, ParseError>;

    /// Why the game is over here, in a word or two; empty if the result says it all.
    fn outcome_reason(&self) -> &'static str {
        ""
    }

    /// Which part of the game this is, as people divide it; `None` if they do not.
    fn phase(&self) -> Option<Phase> {
        None
    }

    /// How many columns and rows the board has, if moves are cells of it.
    fn cells(&self) -> Option<(usize, usize)> {
        None
    }

    /// The board, drawn in lines of plain text with its coordinates, and below it whose turn it is.
    fn board(&self) -> String;

    /// What the players are called by these rules: a variant may have other names than the game.
    fn players(&self) -> [&'static str; 2] {
        Self::PLAYERS
    }

    /// What `player` is called in the game's records.
    fn player_name(player: Player) -> &'static str {
        Self::PLAYERS[player.index()]
    }

    /// What the player is called whose turn it is.
    fn mover_name(&self) -> &'static str {
        self.players()[self.to_move().index()]
    }
}
