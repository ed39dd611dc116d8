//! A game as the store keeps it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::searching::EngineSpec;

/// Everything about a game that outlives the server.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct GameRecord {
    /// Its name.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub created: u64,
    /// Counts the changes.
    pub version: u64,
    /// The game, with its variant.
    pub game: String,
    /// Where it began; nothing for the usual start.
    pub start: Option<String>,
    /// The moves, as programs exchange them.
    pub moves: Vec<String>,
    /// How many of the moves were there when the game began.
    #[serde(default)]
    pub given: usize,
    /// Which player is a person; nobody if engines play each other.
    pub human: Option<usize>,
    /// The engines, by player; nothing for the person.
    pub engines: [Option<EngineSpec>; 2],
    /// The clock, if there is one.
    pub clock: Option<GameClock>,
    /// Whether a game of engines rests.
    #[serde(default)]
    pub paused: bool,
    /// Why the engine did not take the draw that the person has offered; an offer lapses with the next move.
    #[serde(default)]
    pub declined: Option<String>,
    /// How it ended, if it has.
    pub result: Option<GameResult>,
}

/// The clock of a game as it stood at the last change.
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
pub struct GameClock {
    /// What each player had at the start.
    pub base_ms: u64,
    /// What a player gets after each turn.
    pub increment_ms: u64,
    /// What each player has left.
    pub left_ms: [u64; 2],
}

/// How a game ended.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct GameResult {
    /// Who won; nobody in a draw.
    pub winner: Option<usize>,
    /// The same in words, with the reason.
    pub text: String,
    /// Whether a clock decided it: that cannot be taken back.
    #[serde(default)]
    pub on_time: bool,
}

impl GameRecord {
    /// The engine that plays for a player.
    pub fn engine(&self, player: usize) -> Option<&EngineSpec> {
        self.engines.get(player).and_then(Option::as_ref)
    }

    /// Whether the person has done nothing yet: such games are not worth listing. An engine that began has made its first turn.
    pub fn is_empty(&self) -> bool {
        let by_engine = usize::from(self.human == Some(1) && self.given == 0);
        self.human.is_some() && self.result.is_none() && self.moves.len() <= self.given + by_engine
    }

    /// Whether the clock of the player to move can run: it begins with the first move that is not given.
    pub fn clock_has_begun(&self) -> bool {
        self.clock.is_some() && self.moves.len() > self.given && self.result.is_none() && !self.paused
    }
}

impl GameClock {
    /// Takes time from a player; whether there was as much.
    pub fn spend(&mut self, player: usize, time: Duration) -> bool {
        let left = &mut self.left_ms[player];
        *left = left.saturating_sub(time.as_millis() as u64);
        *left > 0
    }

    /// The player's turn is over.
    pub fn end_turn(&mut self, player: usize) {
        self.left_ms[player] = self.left_ms[player].saturating_add(self.increment_ms);
    }

    /// As searches know it.
    pub fn for_search(&self) -> outplay_search::Clock {
        outplay_search::Clock {
            remaining: self.left_ms.map(Duration::from_millis),
            increment: [Duration::from_millis(self.increment_ms); 2],
            moves_to_go: None,
        }
    }
}
