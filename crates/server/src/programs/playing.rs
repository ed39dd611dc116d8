//! Programs as players of games.

use std::time::Duration;

use outplay_engine::NamedGame;
use outplay_protocols::{Company, Fault};

use super::Programs;
use super::asking::{PROGRAM_FAILED, not_legal, situation};
use crate::cancel::Cancel;
use crate::error::{ApiError, ApiResult};
use crate::games::GameRecord;
use crate::searching::{ChosenProgram, EngineSpec};

/// What programs say instead of a move when they give up.
const RESIGNATION: &str = "resign";

/// What a program does at its turn.
#[derive(Debug)]
pub enum Decision {
    /// It plays this move.
    Move(String),
    /// It gives up.
    Resignation,
    /// It cannot go on, for this reason.
    Failure(String),
}

/// Who asks for a move: a player of a game, with its engine and its clock.
pub struct Seat<'a> {
    /// The game.
    pub record: &'a GameRecord,
    /// The player.
    pub player: usize,
    /// How long it may take.
    pub most: Duration,
}

impl Programs {
    /// Refuses a program that cannot play the game with these limits, and gives it its name.
    pub fn check(&self, game: &NamedGame, engine: &mut EngineSpec, has_clock: bool) -> ApiResult<()> {
        let Some(chosen) = &engine.program else { return Ok(()) };
        let program = self.find_for(&chosen.id, game)?;
        if !engine.options.is_empty() || !engine.search.is_empty() {
            let message = "the settings of a program are those that it was added with";
            return Err(ApiError::bad("bad_option", message));
        }
        program.check_limit(&engine.limit)?;
        if !has_clock {
            program.expect_limit(&engine.limit)?;
        }
        engine.program = Some(ChosenProgram { id: program.id, name: program.name });
        Ok(())
    }

    /// How many threads a program was told to use.
    pub fn threads(&self, chosen: &ChosenProgram) -> usize {
        self.find(&chosen.id).map_or(1, |program| program.threads())
    }

    /// What a program does in a game; nothing if nobody waits for that any more. Whatever it does wrong is its failure.
    pub fn decide(
        &self,
        chosen: &ChosenProgram,
        seat: &Seat,
        cancel: &Cancel,
    ) -> ApiResult<Option<Decision>> {
        let Seat { record, player, most } = *seat;
        let game = self.catalogue.find(&record.game)?;
        let program = match self.find_for(&chosen.id, &game) {
            Ok(program) => program,
            Err(error) => return Ok(Some(Decision::Failure(error.message))),
        };
        let mut session = game.open()?;
        session.set_game(record.start.as_deref(), &record.moves.join(" "))?;
        let situation = situation(&game, record.start.as_deref(), &*session)?;
        let limit = record.engine(player).map(|engine| engine.limit.clone()).unwrap_or_default();
        let limits = program.limits(&limit, record.clock, most)?;
        let user = format!("{} {player}", record.id);
        let is_over = || cancel.is_cancelled();
        let company = Company { stop: Some(&is_over), ..Company::default() };
        let answer = self.ask((&program, &game, &user), &situation, &limits, company);
        if cancel.is_cancelled() || self.pool.is_stopped() {
            return Ok(None);
        }
        let answer = match answer {
            Err(error) if error.code == PROGRAM_FAILED => return Ok(Some(Decision::Failure(error.message))),
            answer => answer?,
        };
        Ok(Some(match answer {
            Ok(answer) if answer.best == RESIGNATION => Decision::Resignation,
            Ok(answer) => match session.parse_move(&answer.best) {
                Ok(_) => Decision::Move(answer.best),
                Err(error) => Decision::Failure(not_legal(&answer.best, &error)),
            },
            Err(Fault::Interrupted { .. }) => return Ok(None),
            Err(fault) => Decision::Failure(fault.to_string()),
        }))
    }
}
