//! How games begin.

use std::sync::Arc;

use outplay_engine::NamedGame;
use serde::Deserialize;

use super::record::{GameClock, GameRecord};
use super::{GameView, Games, Live};
use crate::clock::now_ms;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::levels;
use crate::names::new_name;
use crate::searching::{self, EngineSpec};
use crate::setup::Setup;
use crate::store::{Kind, StoreError};

/// The longest time of a player and the longest increment, in seconds: a day.
pub const LONGEST_CLOCK: f64 = 86_400.0;

/// What a client asks for.
#[derive(Clone, Deserialize, Debug)]
pub struct NewGame {
    /// The game, where it begins, and moves that were played before.
    #[serde(flatten)]
    setup: Setup,
    /// Which player is a person.
    #[serde(default)]
    human: Option<usize>,
    /// How strong each engine is, by player.
    #[serde(default)]
    levels: Vec<Option<u32>>,
    /// The engines themselves, by player.
    #[serde(default)]
    engines: Vec<Option<EngineSpec>>,
    /// The clock.
    #[serde(default)]
    clock: Option<NewClock>,
}

#[derive(Clone, Deserialize, Debug)]
struct NewClock {
    seconds: f64,
    #[serde(default)]
    increment: f64,
}

impl NewClock {
    fn check(&self) -> ApiResult<GameClock> {
        let milliseconds = |seconds: f64, least: f64, what: &str| match seconds {
            seconds if (least..=LONGEST_CLOCK).contains(&seconds) => Ok((seconds * 1000.0) as u64),
            _ => Err(ApiError::bad(
                "bad_clock",
                format!("{what} of a clock is from {least} to {LONGEST_CLOCK} seconds"),
            )),
        };
        let base_ms = milliseconds(self.seconds, 0.1, "the time")?;
        let increment_ms = milliseconds(self.increment, 0.0, "the increment")?;
        Ok(GameClock { base_ms, increment_ms, left_ms: [base_ms; 2] })
    }
}

impl NewGame {
    /// The engine that plays for a player.
    fn engine(&self, game: &NamedGame, player: usize) -> ApiResult<EngineSpec> {
        if let Some(Some(engine)) = self.engines.get(player) {
            return Ok(EngineSpec { level: None, ..engine.clone() });
        }
        levels::engine_at(game, self.levels.get(player).copied().flatten())
    }
}

impl Games {
    /// Begins a game.
    pub async fn create(self: &Arc<Games>, new: NewGame) -> ApiResult<GameView> {
        let games = self.clone();
        off_the_loop(move || games.create_now(&new)).await
    }

    fn create_now(self: &Arc<Games>, new: &NewGame) -> ApiResult<GameView> {
        if new.human.is_some_and(|human| human > 1) {
            return Err(ApiError::bad("bad_request", "human is 0, 1, or null for a game of engines"));
        }
        if new.levels.len() > 2 || new.engines.len() > 2 {
            return Err(ApiError::bad(
                "bad_request",
                "there are two players: expected two levels or engines",
            ));
        }
        let clock = new.clock.as_ref().map(NewClock::check).transpose()?;
        let (game, session) = new.setup.open_as_played(&self.catalogue, self.limits.moves)?;
        if let Some(ending) = session.ending() {
            return Err(ApiError::bad(
                "game_over",
                format!("the game is over here ({ending}): begin earlier"),
            ));
        }
        let mut engines = [None, None];
        for (player, seat) in engines.iter_mut().enumerate() {
            if new.human != Some(player) {
                let mut engine = new.engine(&game, player)?;
                self.programs.check(&game, &mut engine, clock.is_some())?;
                self.check_engine(&game, &engine, clock.is_some())?;
                *seat = Some(engine);
            }
        }
        let moves: Vec<String> = session.played_plain().into_iter().map(|(_, text)| text).collect();
        let record = GameRecord {
            id: new_name()?,
            created: now_ms(),
            version: 1,
            game: game.to_string(),
            start: new.setup.start.clone().filter(|text| !text.trim().is_empty()),
            given: moves.len(),
            moves,
            human: new.human,
            engines,
            clock,
            paused: false,
            declined: None,
            result: None,
        };
        let text = serde_json::to_string(&record).map_err(|error| ApiError::internal(error.to_string()))?;
        self.store.add(Kind::Games, &record.id, &text, self.limits.games).map_err(|error| match error {
            StoreError::Full(_) => ApiError::too_many(error.to_string()),
            error => error.into(),
        })?;
        let live = Arc::new(Live::of(record, Some(session)));
        let mut state = live.lock();
        self.lock_live().insert(state.record.id.clone(), live.clone());
        self.with_table(&mut state, |state, table| {
            self.go_on(&live, state, table);
            self.view(state, table)
        })?
    }

    /// Refuses engines that cannot be set up or would never move.
    fn check_engine(&self, game: &NamedGame, engine: &EngineSpec, has_clock: bool) -> ApiResult<()> {
        if engine.program.is_some() {
            return Ok(());
        }
        let mut session = game.open()?;
        searching::prepare(&mut *session, engine, &self.limits)?;
        engine.limit.limits(1)?;
        if engine.limit.is_open() && !has_clock {
            let message = "an engine without a clock needs a limit: nodes, seconds or depth";
            return Err(ApiError::bad("bad_limit", message));
        }
        Ok(())
    }
}
