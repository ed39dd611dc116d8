//! How a program is asked: what it is told of a position and of limits, and what becomes of its faults.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use outplay_core::Player;
use outplay_engine::{NamedGame, Session};
use outplay_protocols::{Answer, Company, Fault, MoveLimits, Situation};
use serde::Serialize;

use super::pool::Running;
use super::{Program, Programs};
use crate::error::{ApiError, ApiResult};
use crate::games::GameClock;
use crate::searching::LimitSpec;

/// How much longer than its time a program is waited for: nobody is in a hurry where no clock runs, and where one does, it tells.
const SLACK: Duration = Duration::from_secs(20);
/// The time of the move by which a program shows that it plays.
const TRIAL: Duration = Duration::from_millis(300);
/// No first move takes longer.
const LONGEST_TRIAL: Duration = Duration::from_secs(15);
/// Who asks a program that is only tried.
const NOBODY: &str = "";

/// The code of what a program made impossible.
pub const PROGRAM_FAILED: &str = "program_failed";

/// What came of trying a program.
#[derive(Serialize)]
pub struct Tried {
    /// What it calls itself.
    pub name: String,
    /// Its first move.
    pub best: String,
    /// How long that took, with its start.
    pub seconds: f64,
}

/// The refusal of what a program made impossible.
pub fn failure(name: &str, words: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_GATEWAY, PROGRAM_FAILED, format!("{name}: {words}"))
}

/// Where a session stands, in words for programs. `start` is what the client called the beginning.
pub fn situation(game: &NamedGame, start: Option<&str>, session: &dyn Session) -> ApiResult<Situation> {
    let mut at_start = game.open()?;
    let usual = at_start.position_text();
    at_start.set_game(start, "")?;
    let text = at_start.position_text();
    Ok(Situation {
        start: (text != usual).then_some(text),
        moves: session.played_plain(),
        to_move: session.to_move(),
    })
}

impl Program {
    /// Refuses limits that its protocol has no words for.
    pub fn check_limit(&self, limit: &LimitSpec) -> ApiResult<()> {
        let limits = limit.limits(1)?;
        let unknown = match limits {
            _ if limits.nodes.is_some() && !self.protocol.knows_nodes() => "nodes",
            _ if limits.depth.is_some() && !self.protocol.knows_depth() => "depths",
            _ => return Ok(()),
        };
        let message = format!("{} speaks a protocol that knows no {unknown}: give it seconds", self.name);
        Err(ApiError::bad("bad_limit", message))
    }

    /// Refuses to wait without an end for a program that could be told when to answer.
    pub fn expect_limit(&self, limit: &LimitSpec) -> ApiResult<()> {
        match limit.is_open() && self.protocol.knows_time() {
            true => Err(ApiError::bad("bad_limit", format!("{} needs a limit, such as seconds", self.name))),
            false => Ok(()),
        }
    }

    /// The limits of a move, as programs know them. Without any, it has `most`.
    pub fn limits(
        &self,
        limit: &LimitSpec,
        clock: Option<GameClock>,
        most: Duration,
    ) -> ApiResult<MoveLimits> {
        let wanted = limit.limits(1)?;
        let clock = clock.map(|clock| clock.for_search());
        // Only UCI can be told to think on without an end.
        let knows_time = self.protocol.knows_time();
        let is_bounded = wanted.nodes.is_some() || wanted.depth.is_some() || clock.is_some();
        let time = wanted
            .move_time
            .filter(|_| knows_time)
            .or((knows_time && !is_bounded && !self.protocol.knows_nodes()).then_some(most));
        let move_time =
            time.map(|time| if self.protocol.counts_seconds() { whole_seconds(time) } else { time });
        let left = clock.and_then(|clock| clock.remaining.into_iter().max());
        Ok(MoveLimits {
            clock: clock.map(|clock| clock.remaining),
            increment: clock.map_or([Duration::ZERO; 2], |clock| clock.increment),
            moves_to_go: None,
            move_time,
            nodes: wanted.nodes,
            depth: wanted.depth,
            patience: move_time.or(left).unwrap_or(most).min(most) + SLACK,
        })
    }
}

fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs_f64().ceil().max(1.0) as u64)
}

impl Programs {
    /// Asks a program; one that waited and has ended meanwhile is started again. What has answered as it should waits for the next question.
    pub(super) fn ask(
        &self,
        (program, game, user): (&Program, &NamedGame, &str),
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> ApiResult<Result<Answer, Fault>> {
        let mut running = self.pool.take(program, game, user)?;
        let Company { mut watch, stop, lines } = company;
        let is_over = || self.pool.is_stopped() || stop.is_some_and(|stop| stop());
        let mut put = |running: &mut Running| {
            let mut tell = |insight| {
                if let Some(watch) = &mut watch {
                    watch(insight);
                }
            };
            let company = Company { watch: Some(&mut tell), stop: Some(&is_over), lines };
            running.opponent.choose(situation, limits, company)
        };
        let mut answer = put(&mut running);
        if running.has_waited && matches!(answer, Err(Fault::Ended { .. })) {
            running = self.pool.start(program, game, user)?;
            answer = put(&mut running);
        }
        if answer.is_ok() {
            self.pool.give_back(running);
        }
        Ok(answer)
    }

    /// Starts a program and has it play a first move.
    pub(super) fn try_out(&self, program: &Program, game: &NamedGame) -> ApiResult<Tried> {
        let begun = Instant::now();
        let board = game.open()?;
        let mut running = self.pool.start(program, game, NOBODY)?;
        let situation = Situation { start: None, moves: Vec::new(), to_move: Player::First };
        let time = if program.protocol.counts_seconds() { whole_seconds(TRIAL) } else { TRIAL };
        let limits = MoveLimits { move_time: Some(time), patience: LONGEST_TRIAL, ..MoveLimits::default() };
        let is_over = || self.pool.is_stopped();
        let company = Company { stop: Some(&is_over), ..Company::default() };
        let answer = running.opponent.choose(&situation, &limits, company);
        let answer = answer.map_err(|fault| failure(&program.name, &fault.to_string()))?;
        let played = board.parse_move(&answer.best);
        let played = played.map_err(|error| failure(&program.name, &not_legal(&answer.best, &error)))?;
        Ok(Tried {
            // Where a protocol has no word for it, the program stands for itself.
            name: match running.opponent.name() {
                name if name.contains(std::path::MAIN_SEPARATOR) => program.name.clone(),
                name => name.to_string(),
            },
            best: board.line_text(&[played]).concat(),
            seconds: begun.elapsed().as_secs_f64(),
        })
    }
}

/// What is said of a move that cannot be played.
pub fn not_legal(answer: &str, error: &dyn std::fmt::Display) -> String {
    match answer {
        "" => "it answered without a move".to_string(),
        answer => format!(
            "it answered {:?}, which cannot be played: {error}",
            outplay_core::text::shortened(answer)
        ),
    }
}
