//! How engines find their moves.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use outplay_core::{Move, Rng};
use outplay_engine::Session;

use super::record::GameRecord;
use super::{Games, Live, State};
use crate::cancel::Cancel;
use crate::error::{ApiResult, off_the_loop};
use crate::programs::{Decision, Seat};
use crate::queue::Class;
use crate::searching;

/// Sessions that are kept between moves: more games at a time play from scratch at each move.
const MOST_DESKS: usize = 8;
/// How long an engine waits that found no room in the line.
const BEFORE_NEXT_TRY: Duration = Duration::from_millis(500);
/// All engines of games count as one client in the line.
const GAMES_CLIENT: u64 = 0;

/// A session that has played for a player of a game.
pub struct Desk {
    game: String,
    player: usize,
    session: Box<dyn Session>,
}

impl Games {
    /// Lets the engine think whose turn it is.
    pub(super) fn start_thinking(self: &Arc<Games>, live: &Arc<Live>, state: &mut State, player: usize) {
        let cancel = Cancel::new();
        state.thinking = Some(cancel.clone());
        let is_first = state.record.moves.is_empty();
        let rest = match state.record.human {
            None if is_first => Duration::ZERO,
            None => self.limits.rest_between_engines,
            Some(_) => self.natural_pause(state, player),
        };
        let threads = state.record.engine(player).map_or(1, |engine| match &engine.program {
            Some(chosen) => self.programs.threads(chosen),
            None => searching::threads_of(engine),
        });
        let (games, live) = (self.clone(), live.clone());
        tokio::spawn(async move {
            tokio::time::sleep(rest).await;
            let mut ticket = loop {
                match games.queue.enter(Class::Game, GAMES_CLIENT, threads, cancel.clone()) {
                    Ok(ticket) => break ticket,
                    Err(_) if cancel.is_cancelled() => return,
                    Err(_) => tokio::time::sleep(BEFORE_NEXT_TRY).await,
                }
            };
            tokio::select! {
                () = ticket.begun() => {}
                () = cancel.cancelled() => return,
            }
            let on_thread = cancel.clone();
            let thinking = (games.clone(), live.clone());
            let result = off_the_loop(move || thinking.0.think(&thinking.1, player, &on_thread)).await;
            if result.is_err() {
                // The next one who looks at the game lets it go on.
                let mut state = live.lock();
                if is_current(&state, &cancel) {
                    state.thinking = None;
                }
            }
        });
    }

    /// How long an engine that plays like a person seems to think before it looks at its next move. What is forced comes soon, and with a clock
    /// every moment counts.
    fn natural_pause(&self, state: &State, player: usize) -> Duration {
        let record = &state.record;
        let level = record.engine(player).and_then(|engine| engine.level);
        let known = level.and_then(|level| {
            let game = self.catalogue.find(&record.game).ok()?;
            game.level(level as usize).map(|level| level.pause_ms)
        });
        let usual = known.filter(|_| self.limits.natural_pauses && record.clock.is_none()).unwrap_or(0);
        let has_choice = state.session.as_ref().is_none_or(|session| session.legal_moves().len() > 1);
        // From half of the usual time to half as much again.
        let lot = Rng::new(number_of(record, player) ^ record.moves.len() as u64).below(1_000) as u64;
        let share = if has_choice { 500 + lot } else { 400 };
        Duration::from_millis(usual * share / 1_000)
    }

    /// Searches and plays, unless the game has gone another way meanwhile.
    fn think(self: &Arc<Games>, live: &Arc<Live>, player: usize, cancel: &Arc<Cancel>) -> ApiResult<()> {
        let record = {
            let mut state = live.lock();
            if !is_current(&state, cancel) {
                return Ok(());
            }
            // The clock of an engine runs while it thinks, not while it waits in line.
            self.start_clock(live, &mut state, player);
            state.record.clone()
        };
        if record.clock_has_begun() {
            live.tell();
        }
        if let Some(chosen) = record.engine(player).and_then(|engine| engine.program.as_ref()) {
            let seat = Seat { record: &record, player, most: self.limits.search_time };
            return match self.programs.decide(chosen, &seat, cancel)? {
                Some(decision) => self.carry_out(live, &chosen.name, decision, cancel),
                None => Ok(()),
            };
        }
        let mut session = self.sit_down(&record, player)?;
        let best = self.search(&mut session, &record, player, cancel)?;
        let mut state = live.lock();
        if let Some(session) = session {
            self.stand_up(Desk { game: record.id.clone(), player, session });
        }
        if !is_current(&state, cancel) {
            return Ok(());
        }
        let most_moves = self.limits.moves;
        self.change_locked(live, &mut state, |table, used| {
            // A search that met a bug has no move: the game goes on with any.
            let m = best.or_else(|| table.session.legal_moves().first().copied());
            let text = m.and_then(|m| table.session.plain_line_text(&[m]).pop()).unwrap_or_default();
            table.play(&text, used, most_moves)
        })?;
        Ok(())
    }

    /// Does what a program has decided, unless the game has gone another way meanwhile. One that fails has lost, as in a match.
    fn carry_out(
        self: &Arc<Games>,
        live: &Arc<Live>,
        name: &str,
        decision: Decision,
        cancel: &Arc<Cancel>,
    ) -> ApiResult<()> {
        let mut state = live.lock();
        if !is_current(&state, cancel) {
            return Ok(());
        }
        let most_moves = self.limits.moves;
        self.change_locked(live, &mut state, |table, used| {
            let mover = table.mover();
            match decision {
                Decision::Move(text) => table.play(&text, used, most_moves)?,
                Decision::Resignation => table.give_up(mover, used, "resigns"),
                Decision::Failure(words) => {
                    table.give_up(mover, used, &format!("({name}) has failed: {words}"))
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The move that the engine chooses; nothing if its search met a bug, and then no session is left either.
    fn search(
        &self,
        session: &mut Option<Box<dyn Session>>,
        record: &GameRecord,
        player: usize,
        cancel: &Cancel,
    ) -> ApiResult<Option<Move>> {
        let (Some(searching), Some(engine)) = (session.as_mut(), record.engine(player)) else {
            return Ok(None);
        };
        let mut limits = engine.limit.limits(1)?;
        limits.clock = record.clock.map(|clock| clock.for_search());
        let most_time = self.limits.search_time;
        let report = searching::run(&mut **searching, limits, most_time, cancel, None, |_, _| {})?;
        if report.is_none() {
            *session = None;
        }
        Ok(report.and_then(|report| report.best_move()))
    }

    /// A session in the position of the game: the one that found the last move, if it is still there.
    fn sit_down(&self, record: &GameRecord, player: usize) -> ApiResult<Option<Box<dyn Session>>> {
        let kept = {
            let mut desks = self.lock_desks();
            let index = desks.iter().position(|desk| desk.game == record.id && desk.player == player);
            index.map(|index| desks.remove(index).session)
        };
        let mut session = match (kept, record.engine(player)) {
            (Some(session), _) => session,
            (None, Some(engine)) => {
                let mut session = self.catalogue.open(&record.game)?;
                searching::prepare(&mut *session, engine, &self.limits)?;
                let has_set = |name: &str| searching::given(engine, name).is_some();
                outplay_engine::draw_lots_by(&mut *session, number_of(record, player), has_set)?;
                session
            }
            (None, None) => return Ok(None),
        };
        session.set_game(record.start.as_deref(), &record.moves.join(" "))?;
        Ok(Some(session))
    }

    fn stand_up(&self, desk: Desk) {
        let mut desks = self.lock_desks();
        desks.push(desk);
        if desks.len() > MOST_DESKS {
            desks.remove(0);
        }
    }

    /// Gives up what was learned in a game.
    pub(super) fn forget_desks(&self, id: &str) {
        self.lock_desks().retain(|desk| desk.game != id);
    }

    /// Nothing panics while it holds this lock.
    fn lock_desks(&self) -> MutexGuard<'_, Vec<Desk>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number for a player of a game, the same whenever the game goes on.
fn number_of(record: &GameRecord, player: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&record.id, player).hash(&mut hasher);
    hasher.finish()
}

/// Whether this is still the search that the game waits for.
fn is_current(state: &State, cancel: &Arc<Cancel>) -> bool {
    !state.is_deleted && state.thinking.as_ref().is_some_and(|current| Arc::ptr_eq(current, cancel))
}
