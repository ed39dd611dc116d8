//! A game as clients see it.

use outplay_engine::{Catalogue, NamedGame};
use serde::Serialize;

use super::record::{GameRecord, GameResult};
use crate::searching::EngineSpec;
use crate::view::PositionView;

/// A whole game.
#[derive(Clone, Serialize, Debug)]
pub struct GameView {
    /// Its name.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub created: u64,
    /// Counts the changes.
    pub version: u64,
    /// How many of the moves were there when the game began.
    pub given: usize,
    /// Which player is a person.
    pub human: Option<usize>,
    /// The engines, by player.
    pub engines: [Option<EngineSpec>; 2],
    /// The clock as it stands.
    pub clock: Option<ClockView>,
    /// Whether an engine thinks, or waits for its turn to.
    pub thinking: bool,
    /// Whether a game of engines rests.
    pub paused: bool,
    /// The position.
    pub position: PositionView,
    /// The offer of the person that the engine did not take, until the next move.
    pub offer: Option<&'static str>,
    /// Why the engine did not take it, in words that go on after "The engine declines the draw: ".
    pub declined: Option<String>,
    /// How the game ended.
    pub result: Option<GameResult>,
}

/// A clock.
#[derive(Clone, Copy, Serialize, Debug)]
pub struct ClockView {
    /// Milliseconds that each player had at the start.
    pub base: u64,
    /// Milliseconds that the players have left.
    pub left: [u64; 2],
    /// Whose clock runs.
    pub running: Option<usize>,
    /// Milliseconds that are added after a turn.
    pub increment: u64,
}

/// A game in a list.
#[derive(Clone, Serialize, Debug)]
pub struct GameSummary {
    id: String,
    game: String,
    /// What people call the game.
    label: String,
    created: u64,
    moves: usize,
    /// Where it began, and what was played: enough to draw it.
    start: Option<String>,
    line: Vec<String>,
    /// What the engines are called, by player; nothing for the person.
    opponents: [Option<String>; 2],
    outcome: Option<GameResult>,
    human: Option<usize>,
    paused: bool,
}

/// What an engine is called: a program by its name, a level by its own, and else the search.
fn engine_name(engine: EngineSpec, game: Option<&NamedGame>) -> String {
    let EngineSpec { level, search, program, .. } = engine;
    if let Some(program) = program {
        return program.name;
    }
    let of = game.zip(level).and_then(|(game, level)| game.level(level as usize));
    match (of, level) {
        (Some(of), Some(level)) => format!("{}, level {level}", of.name),
        _ => search,
    }
}

impl GameRecord {
    /// Who plays, first player first.
    pub fn title(&self, games: &Catalogue) -> String {
        let known = games.find(&self.game).ok();
        let names = self.engines.clone().map(|engine| {
            engine.map_or_else(|| "You".to_string(), |engine| engine_name(engine, known.as_ref()))
        });
        names.join(" – ")
    }
}

impl GameSummary {
    /// The line for a game, which may be one that the catalogue does not know any more.
    pub fn new(record: GameRecord, games: &Catalogue) -> GameSummary {
        let GameRecord { id, game, created, start, moves, result, human, paused, engines, .. } = record;
        let known = games.find(&game).ok();
        let label = known.as_ref().map_or(game.clone(), NamedGame::label);
        let opponents = engines.map(|engine| engine.map(|engine| engine_name(engine, known.as_ref())));
        let count = moves.len();
        GameSummary {
            id,
            game,
            label,
            created,
            moves: count,
            start,
            line: moves,
            opponents,
            outcome: result,
            human,
            paused,
        }
    }
}
