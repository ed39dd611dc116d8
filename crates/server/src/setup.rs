//! A position as clients ask for it: a game, where it begins, and the moves from there.

use outplay_engine::{Catalogue, NamedGame, Session};
use serde::Deserialize;

use crate::error::{ApiError, ApiResult};

/// No name of a game is longer.
const LONGEST_NAME: usize = 64;
/// No text of a position is longer, in any game.
const LONGEST_START: usize = 20_000;
/// No move is longer, in any notation.
const LONGEST_MOVE: usize = 32;

/// What a client says of a position.
#[derive(Clone, Deserialize, Debug)]
pub struct Setup {
    /// The game, with its variant after a colon.
    pub game: String,
    /// Where the moves begin; nothing for the usual start.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether the other player is to move then, as if the mover had passed.
    #[serde(default)]
    pub passed: bool,
}

impl Setup {
    /// Where the moves begin, if the client has said it.
    pub fn start_text(&self) -> Option<&str> {
        self.start.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }

    /// The game, and a session that stands there.
    pub fn open(&self, games: &Catalogue, most_moves: usize) -> ApiResult<(NamedGame, Box<dyn Session>)> {
        let game = find_game(games, &self.game)?;
        let mut session = game.open()?;
        self.apply(&mut *session, most_moves)?;
        Ok((game, session))
    }

    /// The same for what is kept or given away as moves: among those there is no such pass.
    pub fn open_as_played(
        &self,
        games: &Catalogue,
        most_moves: usize,
    ) -> ApiResult<(NamedGame, Box<dyn Session>)> {
        if self.passed {
            return Err(ApiError::bad("no_pass", "passed is for positions to look at, not for games"));
        }
        self.open(games, most_moves)
    }

    /// Takes a session of the game there.
    pub fn apply(&self, session: &mut dyn Session, most_moves: usize) -> ApiResult<()> {
        if self.moves.len() > most_moves {
            return Err(ApiError::bad("too_many_moves", format!("expected at most {most_moves} moves")));
        }
        if let Some(long) = self.moves.iter().find(|text| text.len() > LONGEST_MOVE) {
            return Err(ApiError::illegal_move(format!(
                "{} is no move",
                outplay_core::text::shortened(long)
            )));
        }
        let start = self.start_text();
        if start.is_some_and(|text| text.len() > LONGEST_START) {
            return Err(ApiError::bad("bad_position", "the text of the position is too long"));
        }
        session.set_game(start, &self.moves.join(" ")).map_err(|error| match ApiError::from(error) {
            ApiError { code: "bad_text", status, message, beside } => {
                ApiError { code: "bad_position", status, message, beside }
            }
            error => error,
        })?;
        if self.passed {
            session.pass_turn()?;
        }
        Ok(())
    }
}

/// The game that a client calls by this name.
pub fn find_game(games: &Catalogue, name: &str) -> ApiResult<NamedGame> {
    if name.len() > LONGEST_NAME {
        return Err(ApiError::bad("unknown_game", "no game has such a long name: see /api/games-list"));
    }
    Ok(games.find(name)?)
}
