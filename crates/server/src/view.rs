//! A position as the page draws it.

use outplay_core::{Opening, Player};
use outplay_engine::{NamedGame, Picture, Session, Style};
use outplay_lab::review::{Faults, Scale};
use serde::Serialize;

/// A position with all that can be seen and done in it.
#[derive(Clone, Serialize, Debug)]
pub struct PositionView {
    game: String,
    /// What people call the game.
    label: String,
    start: Option<String>,
    moves: Vec<PlayedMove>,
    position: String,
    players: [&'static str; 2],
    /// The tags of game files that hold the names of the players.
    player_tags: [&'static str; 2],
    #[serde(flatten)]
    picture: Picture,
    style: Style,
    /// How steeply a score becomes a winning chance.
    steepness: f64,
    /// From which losses on moves are faults, as in reviews.
    faults: Faults,
    outcome: Option<OutcomeView>,
    opening: Option<OpeningView>,
    /// Whether wins by force can be asked for.
    proves_wins: bool,
}

/// A move that was played.
#[derive(Clone, Serialize, Debug)]
pub struct PlayedMove {
    player: usize,
    #[serde(rename = "move")]
    plain: String,
    text: String,
}

/// How a game ended.
#[derive(Clone, Serialize, Debug)]
pub struct OutcomeView {
    winner: Option<usize>,
    text: String,
}

/// What an opening is called.
#[derive(Clone, Serialize, Debug)]
pub struct OpeningView {
    name: &'static str,
    code: Option<&'static str>,
}

impl From<Opening> for OpeningView {
    fn from(Opening { code, name }: Opening) -> OpeningView {
        OpeningView { name, code }
    }
}

impl PositionView {
    /// The position that a session of `game` stands in; `start` is what the client called its beginning.
    pub fn new(game: &NamedGame, start: Option<&str>, session: &dyn Session) -> PositionView {
        let moves = session.played().into_iter().zip(session.played_plain());
        let moves =
            moves.map(|((player, text), (_, plain))| PlayedMove { player: player.index(), plain, text });
        let outcome = session.outcome().map(|outcome| OutcomeView {
            winner: outcome.winner().map(Player::index),
            text: session.ending().unwrap_or_default(),
        });
        PositionView {
            game: game.to_string(),
            label: game.label(),
            start: start.map(str::to_string),
            moves: moves.collect(),
            position: session.position_text(),
            players: session.players(),
            player_tags: session.player_tags(),
            picture: session.picture(),
            style: game.row().style,
            steepness: game.strength().steepness,
            faults: Scale::of(game).faults(),
            outcome,
            opening: session.opening().map(OpeningView::from),
            proves_wins: session.proves_wins(),
        }
    }
}
