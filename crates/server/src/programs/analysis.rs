//! An analysis by a program: the same messages as one of ours, as far as the program talks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use outplay_engine::{NamedGame, Session};
use outplay_protocols::{Answer, Claim, Company, Fault, Insight};
use outplay_search::{Meaning, StopReason};
use serde_json::{Value, json};

use super::asking::{failure, not_legal, situation};
use super::{Program, Programs};
use crate::analysis::{AnalysisRequest, Listener, Slot, send_reports, wait_in_line};
use crate::app::App;
use crate::cancel::Cancel;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::queue::Class;
use crate::searching::ChosenProgram;

/// Programs say more than anybody reads: what they say is put into words this often.
const BETWEEN_WORDS: Duration = Duration::from_millis(50);
/// Plies of a line that are put into words.
const LONGEST_LINE: usize = 64;

/// What an analysis is made of.
struct Consultation {
    program: Program,
    game: NamedGame,
    session: Box<dyn Session>,
    request: AnalysisRequest,
}

impl Consultation {
    fn open(app: &App, chosen: &ChosenProgram, request: AnalysisRequest) -> ApiResult<Consultation> {
        let (game, session) = request.setup.open(&app.config.games, app.config.limits.moves)?;
        let program = app.programs.find_for(&chosen.id, &game)?;
        program.check_limit(&request.engine.limit)?;
        // Only what thinks aloud has anything to tell before its end.
        if !program.protocol.tells_thoughts() {
            program.expect_limit(&request.engine.limit)?;
        }
        if request.trace.is_some() {
            return Err(ApiError::bad("bad_trace", "a program of somebody else's does not show its tree"));
        }
        match session.ending() {
            Some(ending) => Err(ApiError::conflict("game_over", format!("the game is over: {ending}"))),
            None => Ok(Consultation { program, game, session, request }),
        }
    }
}

/// Waits in line and asks, again from the beginning if others want the cores as well: the program remembers what it can.
pub async fn analyse(
    app: &Arc<App>,
    client: u64,
    chosen: &ChosenProgram,
    request: &AnalysisRequest,
    cancel: &Arc<Cancel>,
    listener: &Listener,
) -> ApiResult<StopReason> {
    let mut consultation = {
        let (app, chosen, request) = (app.clone(), chosen.clone(), request.clone());
        off_the_loop(move || Consultation::open(&app, &chosen, request)).await?
    };
    let begun = Instant::now();
    loop {
        let threads = consultation.program.threads();
        let mut ticket = app.queue.enter(Class::Analysis, client, threads, cancel.clone())?;
        if !wait_in_line(&mut ticket, cancel, listener).await {
            return Ok(StopReason::Stopped);
        }
        let slot = Arc::new(Slot::default());
        let room_asked = ticket.room_asked();
        let ask = {
            let (app, slot, cancel, room_asked) =
                (app.clone(), slot.clone(), cancel.clone(), room_asked.clone());
            let user = format!("client {client}");
            let most = app.config.limits.search_time.saturating_sub(begun.elapsed());
            move || {
                let outside = Outside { user, most, cancel, room_asked };
                app.programs.consult(&mut consultation, &outside, &slot).map(|reason| (consultation, reason))
            }
        };
        let (asked, reason) = send_reports(ask, &slot, ticket, listener).await?;
        let makes_room =
            room_asked.load(Ordering::SeqCst) && reason == StopReason::Stopped && !cancel.is_cancelled();
        if !makes_room || begun.elapsed() >= app.config.limits.search_time {
            return Ok(reason);
        }
        consultation = asked;
    }
}

/// What bounds a consultation from outside.
struct Outside {
    user: String,
    most: Duration,
    cancel: Arc<Cancel>,
    room_asked: Arc<AtomicBool>,
}

impl Programs {
    fn consult(&self, asked: &mut Consultation, outside: &Outside, slot: &Slot) -> ApiResult<StopReason> {
        let Consultation { program, game, session, request } = asked;
        let situation = situation(game, request.setup.start_text(), &**session)?;
        let limit = &request.engine.limit;
        let limits = program.limits(limit, None, outside.most)?;
        let begun = Instant::now();
        let is_over = || {
            outside.cancel.is_cancelled()
                || outside.room_asked.load(Ordering::SeqCst)
                || begun.elapsed() >= outside.most
        };
        let mut found = Found { lines: Vec::new(), told: None };
        let mut watch = |insight: Insight| {
            found.take(insight);
            if found.told.is_none_or(|told| told.elapsed() >= BETWEEN_WORDS) {
                slot.put(found.report(&mut **session, &program.name));
                found.told = Some(Instant::now());
            }
        };
        let lines = request.lines.clamp(1, crate::searching::MOST_LINES);
        let company = Company { watch: Some(&mut watch), stop: Some(&is_over), lines };
        let answer = match self.ask((program, game, &outside.user), &situation, &limits, company)? {
            Ok(answer) => answer,
            // A program that cannot be told to stop has said nothing.
            Err(Fault::Interrupted { .. }) => return Ok(StopReason::Stopped),
            Err(fault) => return Err(failure(&program.name, &fault.to_string())),
        };
        let reason = match limit {
            _ if is_over() => StopReason::Stopped,
            _ if limit.nodes.is_some() => StopReason::Nodes,
            _ if limit.depth.is_some() => StopReason::Depth,
            _ => StopReason::Time,
        };
        found.end_with(answer, &**session, &program.name)?;
        slot.put(found.report(&mut **session, &program.name));
        Ok(reason)
    }
}

/// What a program has said so far: its lines, the best first, as far as they have come.
struct Found {
    lines: Vec<Option<Insight>>,
    told: Option<Instant>,
}

impl Found {
    fn take(&mut self, insight: Insight) {
        let place = insight.place;
        if self.lines.len() <= place {
            self.lines.resize(place + 1, None);
        }
        self.lines[place] = Some(insight);
    }

    /// The move counts in the end, whatever was said before.
    fn end_with(&mut self, answer: Answer, session: &dyn Session, name: &str) -> ApiResult<()> {
        session.parse_move(&answer.best).map_err(|error| failure(name, &not_legal(&answer.best, &error)))?;
        if self.lines.is_empty() {
            let line = vec![answer.best];
            self.take(Insight { line, time: answer.time, ..answer.insight });
        }
        Ok(())
    }

    fn report(&self, session: &mut dyn Session, name: &str) -> Value {
        let told = || self.lines.iter().flatten();
        let best = told().next();
        let nodes = best.and_then(|line| line.nodes).unwrap_or(0);
        let seconds = told().map(|line| line.time).max().unwrap_or_default().as_secs_f64();
        let depth = best.and_then(|line| line.depth).unwrap_or(0);
        let lines: Vec<Value> = told().filter_map(|line| line_json(line, session)).collect();
        json!({
            "program": name,
            "depth": depth,
            "selective_depth": best.and_then(|line| line.selective_depth).unwrap_or(depth),
            "seconds": seconds,
            "nodes": nodes,
            "nodes_per_second": if seconds > 0.0 { (nodes as f64 / seconds) as u64 } else { 0 },
            "lines": lines,
        })
    }
}

/// A line as clients read it, as far as it can be played; nothing if it cannot be.
fn line_json(insight: &Insight, session: &mut dyn Session) -> Option<Value> {
    let mut moves = Vec::new();
    for word in insight.line.iter().take(LONGEST_LINE) {
        let Ok(m) = session.play_text(word) else { break };
        moves.push(m);
    }
    for _ in &moves {
        // What was played can be taken back.
        drop(session.undo());
    }
    let mut line =
        json!({"moves": session.line_text(&moves), "moves_plain": session.plain_line_text(&moves)});
    if let Some(score) = insight.score {
        line["score"] = json!(meaning(score));
    }
    (!moves.is_empty()).then_some(line)
}

/// A claim in our words: programs count moves, we count plies.
fn meaning(claim: Claim) -> Meaning {
    match claim {
        Claim::Centi(hundredths) => Meaning::Opinion(hundredths),
        Claim::Margin(margin) => Meaning::Margin(margin),
        Claim::Mate(moves) if moves > 0 => {
            Meaning::WinIn(moves.unsigned_abs().saturating_mul(2).saturating_sub(1))
        }
        Claim::Mate(moves) => Meaning::LossIn(moves.unsigned_abs().saturating_mul(2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_to_mate_are_counted_in_plies() {
        let of = |moves| meaning(Claim::Mate(moves));
        assert_eq!([of(1), of(3)], [Meaning::WinIn(1), Meaning::WinIn(5)]);
        assert_eq!([of(0), of(-1), of(-2)], [Meaning::LossIn(0), Meaning::LossIn(2), Meaning::LossIn(4)]);
    }
}
