//! Sessions that stand where the games do: each is opened once, and kept for the next one who looks at the game.

use std::sync::PoisonError;

use outplay_engine::Session;

use super::record::GameRecord;
use super::rules::Table;
use super::{Games, State};
use crate::error::ApiResult;

/// Games whose sessions are kept: others are opened again when somebody looks at them.
const MOST_TABLES: usize = 64;

impl Games {
    /// A session of its own that stands where a record does.
    pub(super) fn open(&self, record: &GameRecord) -> ApiResult<Box<dyn Session>> {
        let mut session = self.catalogue.open(&record.game)?;
        session.set_game(record.start.as_deref(), &record.moves.join(" "))?;
        Ok(session)
    }

    /// Takes the session of a game, which is opened if it is not there.
    pub(super) fn table(&self, state: &mut State) -> ApiResult<Table> {
        let session = state.session.take().map_or_else(|| self.open(&state.record), Ok)?;
        Ok(Table { record: state.record.clone(), session })
    }

    /// Looks at a game.
    pub(super) fn with_table<T>(
        &self,
        state: &mut State,
        look: impl FnOnce(&mut State, &Table) -> T,
    ) -> ApiResult<T> {
        let table = self.table(state)?;
        let seen = look(state, &table);
        self.put_back(state, table.session);
        Ok(seen)
    }

    /// Keeps a session that stands where its game does, until that is over or has not been looked at for long.
    pub(super) fn put_back(&self, state: &mut State, session: Box<dyn Session>) {
        if state.record.result.is_some() {
            return;
        }
        state.session = Some(session);
        let oldest = {
            let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.retain(|id| *id != state.record.id);
            tables.push(state.record.id.clone());
            (tables.len() > MOST_TABLES).then(|| tables.remove(0))
        };
        let oldest = oldest.and_then(|id| self.lock_live().get(&id).cloned());
        // A game that is being looked at is put back by whoever does.
        if let Some(live) = oldest
            && let Ok(mut other) = live.state.try_lock()
        {
            other.session = None;
        }
    }
}
