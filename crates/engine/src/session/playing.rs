//! The game and its line.

use outplay_core::{Move, Opening, Outcome, Phase, Player};

use super::SessionError;
use crate::picture::{Composed, Draft, Picture};

/// The game and its line: where it stands, what can be played, how it looks.
pub trait Playing {
    /// What the players are called, first player first.
    fn players(&self) -> [&'static str; 2];

    /// Goes to a position, or to the start of the game, and plays a list of moves from there: all of it or nothing.
    ///
    /// The moves only have to be legal: draws that players may claim or not, such as repetition, do not end the game.
    fn set_game(&mut self, start: Option<&str>, moves: &str) -> Result<(), SessionError>;

    /// Goes to the current position with the other player to move, as if the mover had passed: for a look at what is threatened. Nothing came
    /// before it.
    fn pass_turn(&mut self) -> Result<(), SessionError>;

    /// Plays a move given as text.
    fn play_text(&mut self, text: &str) -> Result<Move, SessionError>;

    /// Plays a legal move of a game that is not over.
    fn play(&mut self, m: Move) -> Result<(), SessionError>;

    /// Takes back the last move; `None` if there is none.
    fn undo(&mut self) -> Result<Option<Move>, SessionError>;

    /// The current position as text.
    fn position_text(&self) -> String;

    /// The key of the current position, by which tables know it.
    fn key(&self) -> u64;

    /// The current position drawn as a board.
    fn board(&self) -> String;

    /// Who moves.
    fn to_move(&self) -> Player;

    /// How the game has ended, repetition included; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// How the game has ended, in words: `White wins by checkmate`; `None` while it goes on.
    fn ending(&self) -> Option<String>;

    /// How many columns and rows the board has, if moves are cells of it.
    fn cells(&self) -> Option<(usize, usize)>;

    /// Which part of the game this is; `None` if the game has none.
    fn phase(&self) -> Option<Phase>;

    /// What the opening of the game is called: the last position on its way that has a name says it. `None` if none has.
    fn opening(&self) -> Option<Opening>;

    /// The legal moves, none once the game is over.
    fn legal_moves(&self) -> Vec<Move>;

    /// Reads a move of the current position without playing it.
    fn parse_move(&self, text: &str) -> Result<Move, SessionError>;

    /// The moves played so far, as text, with who made them.
    fn played(&self) -> Vec<(Player, String)>;

    /// The same as programs exchange them.
    fn played_plain(&self) -> Vec<(Player, String)>;

    /// The number of move sequences of length `depth` that begin with each legal move; `progress` hears how many
    /// parts of how many are done.
    fn perft(
        &self,
        depth: u32,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(String, u64)>;

    /// The current position as it is drawn.
    fn picture(&self) -> Picture;

    /// The text of a position that was put together by hand, beginning with the current one; `None` if the game cannot be set up so.
    fn compose(&self, draft: &Draft) -> Option<Composed>;
}
