//! Games against the engine, and of engines against each other.
//!
//! A game is changed in one place, [`Games::change`]: the change is worked out on a copy, kept in the store, and only then believed. So
//! what a client was told has happened is there after any crash.

mod create;
mod offers;
mod record;
mod rules;
mod tables;
mod think;
mod view;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use outplay_engine::{Catalogue, Session};
use tokio::sync::watch;

use crate::cancel::Cancel;
use crate::clock::now_ms;
use crate::config::{Config, Limits};
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::names::is_name;
use crate::programs::Programs;
use crate::queue::Queue;
use crate::store::{Kind, Store};
use crate::view::PositionView;

pub use create::{LONGEST_CLOCK, NewGame};
pub use record::{GameClock, GameRecord};
use rules::Table;
use view::ClockView;
pub use view::{GameSummary, GameView};

/// How long a game is kept in which nobody has moved: a day.
const EMPTY_KEPT_MS: u64 = 86_400_000;

/// All games.
pub struct Games {
    catalogue: Catalogue,
    store: Arc<Store>,
    queue: Arc<Queue>,
    programs: Arc<Programs>,
    limits: Limits,
    live: Mutex<HashMap<String, Arc<Live>>>,
    /// The games whose sessions are kept, by name, the most recent last.
    tables: Mutex<Vec<String>>,
    /// Sessions that remember what they have learned in a game, the most recent last.
    desks: Mutex<Vec<think::Desk>>,
}

/// A game that somebody has asked for since the server began.
struct Live {
    state: Mutex<State>,
    /// Counts whatever can be seen: more than the versions, because thinking begins and ends too.
    changes: watch::Sender<u64>,
}

struct State {
    record: GameRecord,
    /// A session that stands where the record does, once somebody has asked for it and until the game is over.
    session: Option<Box<dyn Session>>,
    /// Since when the clock of the player to move runs.
    turn_began: Option<Instant>,
    /// The search for the next move.
    thinking: Option<Arc<Cancel>>,
    is_deleted: bool,
}

impl Live {
    /// What a poisoned lock guards is sound: the state is only ever replaced by what the store has.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

impl State {
    /// How long the player to move has thought.
    fn used(&self) -> Duration {
        self.turn_began.map_or(Duration::ZERO, |began| began.elapsed())
    }

    fn stop_thinking(&mut self) {
        if let Some(cancel) = self.thinking.take() {
            cancel.cancel();
        }
    }
}

impl Games {
    /// The games of a store, whose engines wait in this queue.
    pub fn new(config: &Config, store: Arc<Store>, queue: Arc<Queue>, programs: Arc<Programs>) -> Arc<Games> {
        Arc::new(Games {
            catalogue: config.games.clone(),
            store,
            queue,
            programs,
            limits: config.limits.clone(),
            live: Mutex::default(),
            tables: Mutex::default(),
            desks: Mutex::default(),
        })
    }

    /// All games in which something has happened, the newest first. The others are forgotten when nobody has looked at them for a day.
    pub async fn list(self: &Arc<Games>) -> ApiResult<Vec<GameSummary>> {
        let games = self.clone();
        off_the_loop(move || {
            let mut records: Vec<GameRecord> = Vec::new();
            for (_, text) in games.store.all(Kind::Games)? {
                let Ok(record) = serde_json::from_str::<GameRecord>(&text) else { continue };
                if !record.is_empty() {
                    records.push(record);
                } else if now_ms().saturating_sub(record.created) > EMPTY_KEPT_MS
                    && !games.lock_live().contains_key(&record.id)
                {
                    games.store.remove(Kind::Games, &record.id)?;
                }
            }
            records.sort_by_key(|record| std::cmp::Reverse(record.created));
            Ok(records.into_iter().map(|record| GameSummary::new(record, &games.catalogue)).collect())
        })
        .await
    }

    /// A game as it stands; its engine begins to think if it is its turn and the server has been away.
    pub async fn show(self: &Arc<Games>, id: &str) -> ApiResult<GameView> {
        let (games, id) = (self.clone(), id.to_string());
        off_the_loop(move || {
            let live = games.find(&id)?;
            games.notice_flag(&live)?;
            let mut state = live.lock();
            games.with_table(&mut state, |state, table| {
                games.go_on(&live, state, table);
                games.view(state, table)
            })?
        })
        .await
    }

    /// Tells when a game changes.
    pub async fn changes(self: &Arc<Games>, id: &str) -> ApiResult<watch::Receiver<u64>> {
        let (games, id) = (self.clone(), id.to_string());
        off_the_loop(move || Ok(games.find(&id)?.changes.subscribe())).await
    }

    /// Forgets a game.
    pub async fn delete(self: &Arc<Games>, id: &str) -> ApiResult<()> {
        let (games, id) = (self.clone(), id.to_string());
        off_the_loop(move || {
            let live = games.find(&id)?;
            let mut state = live.lock();
            games.store.remove(Kind::Games, &id)?;
            state.is_deleted = true;
            state.stop_thinking();
            games.forget_desks(&id);
            games.lock_live().remove(&id);
            live.tell();
            Ok(())
        })
        .await
    }

    /// A move by the person.
    pub async fn play(
        self: &Arc<Games>,
        id: &str,
        text: String,
        version: Option<u64>,
    ) -> ApiResult<GameView> {
        let most_moves = self.limits.moves;
        self.change(id, version, move |table, used| {
            table.expect_unfinished()?;
            if table.record.human != Some(table.mover()) {
                return Err(ApiError::conflict(
                    "not_your_turn",
                    "it is the engine's turn: wait for its move",
                ));
            }
            table.play(&text, used, most_moves)
        })
        .await
    }

    /// The person wants a move back.
    pub async fn take_back(self: &Arc<Games>, id: &str, version: Option<u64>) -> ApiResult<GameView> {
        self.change(id, version, Table::take_back).await
    }

    /// The person gives up.
    pub async fn resign(self: &Arc<Games>, id: &str, version: Option<u64>) -> ApiResult<GameView> {
        self.change(id, version, Table::resign).await
    }

    /// A game of engines rests, or goes on.
    pub async fn pause(
        self: &Arc<Games>,
        id: &str,
        version: Option<u64>,
        pause: bool,
    ) -> ApiResult<GameView> {
        self.change(id, version, move |table, used| {
            table.expect_unfinished()?;
            if table.record.human.is_some() {
                let message =
                    "only games of engines can be paused: a person takes as long as the clock allows";
                return Err(ApiError::conflict("not_of_engines", message));
            }
            if pause {
                table.charge(used);
            }
            table.record.paused = pause;
            Ok(())
        })
        .await
    }

    /// Changes a game off the loop.
    async fn change(
        self: &Arc<Games>,
        id: &str,
        version: Option<u64>,
        change: impl FnOnce(&mut Table, Duration) -> ApiResult<()> + Send + 'static,
    ) -> ApiResult<GameView> {
        let (games, id) = (self.clone(), id.to_string());
        off_the_loop(move || {
            let live = games.find(&id)?;
            games.notice_flag(&live)?;
            let mut state = live.lock();
            games.expect_version(&mut state, version)?;
            games.change_locked(&live, &mut state, change)
        })
        .await
    }

    /// Refuses a client that has not seen the last change.
    fn expect_version(&self, state: &mut State, version: Option<u64>) -> ApiResult<()> {
        if version.is_none_or(|version| version == state.record.version) {
            return Ok(());
        }
        let view = self.with_table(state, |state, table| self.view(state, table))??;
        let message = "the game has gone on meanwhile: look at it again, then decide";
        let mut error = ApiError::conflict("stale_version", message);
        error.beside = serde_json::to_value(&view).ok();
        Err(error)
    }

    /// Works a change out, keeps it, believes it, and lets the game go on.
    fn change_locked(
        self: &Arc<Games>,
        live: &Arc<Live>,
        state: &mut State,
        change: impl FnOnce(&mut Table, Duration) -> ApiResult<()>,
    ) -> ApiResult<GameView> {
        // The session goes with the change: only if that is kept does it come back, or if nothing was changed.
        let mut table = self.table(state)?;
        if let Err(error) = change(&mut table, state.used()) {
            if table.is_as_recorded() {
                self.put_back(state, table.session);
            }
            return Err(error);
        }
        table.record.version += 1;
        let text =
            serde_json::to_string(&table.record).map_err(|error| ApiError::internal(error.to_string()))?;
        if state.is_deleted || !self.store.replace(Kind::Games, &table.record.id, &text)? {
            return Err(ApiError::not_found("the game was deleted"));
        }
        let is_same_turn = table.record.moves == state.record.moves
            && table.record.paused == state.record.paused
            && table.record.result.is_none();
        state.record = table.record.clone();
        if !is_same_turn {
            state.stop_thinking();
            state.turn_began = None;
        }
        state.session = Some(table.session);
        let view = self.with_table(state, |state, table| {
            self.go_on(live, state, table);
            self.view(state, table)
        });
        live.tell();
        view?
    }

    /// Starts whatever comes next: the clock of a person, or the thinking of an engine.
    fn go_on(self: &Arc<Games>, live: &Arc<Live>, state: &mut State, table: &Table) {
        if state.record.result.is_some() {
            self.forget_desks(&state.record.id);
            return;
        }
        let mover = table.mover();
        if state.record.engine(mover).is_some() {
            if state.thinking.is_none() && !state.record.paused && !state.is_deleted {
                self.start_thinking(live, state, mover);
            }
        } else if state.turn_began.is_none() && state.record.clock_has_begun() {
            self.start_clock(live, state, mover);
        }
    }

    /// The clock of the player to move runs from now on.
    fn start_clock(self: &Arc<Games>, live: &Arc<Live>, state: &mut State, mover: usize) {
        let Some(clock) = state.record.clock.filter(|_| state.record.clock_has_begun()) else { return };
        state.turn_began = Some(Instant::now());
        let (games, live) = (self.clone(), live.clone());
        let left = Duration::from_millis(clock.left_ms[mover]);
        tokio::spawn(async move {
            tokio::time::sleep(left).await;
            // If it cannot be kept now, whoever looks at the game next tries again.
            drop(off_the_loop(move || games.notice_flag(&live)).await);
        });
    }

    /// Ends a game in which the time of the player to move is over.
    fn notice_flag(self: &Arc<Games>, live: &Arc<Live>) -> ApiResult<()> {
        let mut state = live.lock();
        let Some(clock) = state.record.clock.filter(|_| state.record.clock_has_begun()) else {
            return Ok(());
        };
        if state.turn_began.is_none() {
            return Ok(());
        }
        // Whose turn it is takes a session to know; that is only made if the time of either may be over.
        let used = state.used();
        if clock.left_ms.iter().all(|&left| used < Duration::from_millis(left)) {
            return Ok(());
        }
        let mover = self.with_table(&mut state, |_, table| table.mover())?;
        if used < Duration::from_millis(clock.left_ms[mover]) {
            return Ok(());
        }
        self.change_locked(live, &mut state, |table, _| {
            table.lose_on_time(mover);
            Ok(())
        })?;
        Ok(())
    }

    /// The game with this name.
    fn find(&self, id: &str) -> ApiResult<Arc<Live>> {
        let missing = || ApiError::not_found("there is no such game: see /api/games");
        if !is_name(id) {
            return Err(missing());
        }
        // The lock is held while the store is read, so that a game has one state.
        let mut all = self.lock_live();
        if let Some(live) = all.get(id) {
            return Ok(live.clone());
        }
        let text = self.store.get(Kind::Games, id)?.ok_or_else(missing)?;
        let record = serde_json::from_str(&text)
            .map_err(|error| ApiError::conflict("unreadable", format!("the game cannot be read: {error}")))?;
        let live = Arc::new(Live::of(record, None));
        all.insert(id.to_string(), live.clone());
        Ok(live)
    }

    fn lock_live(&self) -> MutexGuard<'_, HashMap<String, Arc<Live>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn view(&self, state: &State, table: &Table) -> ApiResult<GameView> {
        let record = &state.record;
        let mover = table.mover();
        let clock = record.clock.map(|clock| {
            let mut left = clock.left_ms;
            left[mover] = left[mover].saturating_sub(state.used().as_millis() as u64);
            let running = state.turn_began.filter(|_| record.result.is_none()).map(|_| mover);
            ClockView { base: clock.base_ms, left, running, increment: clock.increment_ms }
        });
        Ok(GameView {
            id: record.id.clone(),
            created: record.created,
            version: record.version,
            given: record.given,
            human: record.human,
            engines: record.engines.clone(),
            clock,
            thinking: state.thinking.is_some(),
            paused: record.paused,
            position: PositionView::new(
                &self.catalogue.find(&record.game)?,
                record.start.as_deref(),
                &*table.session,
            ),
            offer: record.declined.as_ref().map(|_| "draw"),
            declined: record.declined.clone(),
            result: record.result.clone(),
        })
    }
}

impl Live {
    fn of(record: GameRecord, session: Option<Box<dyn Session>>) -> Live {
        let state = State { record, session, turn_began: None, thinking: None, is_deleted: false };
        Live { state: Mutex::new(state), changes: watch::Sender::new(0) }
    }
}
