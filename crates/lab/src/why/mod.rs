//! Why a search does not play a certain move: which technique hides it, and where in the tree.
//!
//! The search is run as it is, with more nodes, and once without each technique that leaves something out at sight. If none alone hides the move, all are
//! turned off, and those turned on again that can be while the move is still found. What the search then says follows the move is looked for in
//! the tree of the search as it is: the first place where that stops following shows what happened.

#[cfg(test)]
mod tests;
mod text;
mod way;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use outplay_core::Move;
use outplay_engine::{Session, SessionError, TraceIteration, TraceRecord, Wording};
use outplay_search::trace::TraceOptions;
use outplay_search::{Attribute, Limits, Meaning, OptionValue, Report, Word};
use serde::Serialize;

pub use text::why_text;
pub use way::{Fate, Step};

/// Why no explanation was found.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The session refuses.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Nothing can be turned off.
    #[error(
        "the search {0} has no technique that leaves something out at sight, so none hides a move: give it more nodes, or try --search pvs"
    )]
    NothingToTurnOff(String),
}

/// A move that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The depth from which on it was the best to the end of the search.
    pub depth: u32,
    /// The nodes until then.
    pub nodes: u64,
    /// What it was worth at the end.
    pub score: Meaning,
    /// It and what was expected to follow.
    pub line: Vec<String>,
}

/// How a search has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The move that was wanted, if it was found.
    pub found: Option<Found>,
    /// The best move, and what was expected to follow.
    pub line: Vec<String>,
    /// What that is worth.
    pub score: Meaning,
    /// The completed depth.
    pub depth: u32,
    /// The nodes.
    pub nodes: u64,
}

/// A search with one technique off.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// The switch.
    pub option: Word,
    /// What it does.
    pub help: Word,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The search.
    pub search: String,
    /// The move.
    pub wanted: String,
    /// The search as it is.
    pub as_it_is: Outcome,
    /// The same with as much more as searches without a technique had; absent where only the depth was limited, and there was no more.
    pub with_more: Option<Outcome>,
    /// How many times as much that is.
    pub factor: u64,
    /// Without each technique; those that find the move first, the quickest in front.
    pub attempts: Vec<Attempt>,
    /// Techniques that hide the move together, if none does alone.
    pub together: Vec<Word>,
    /// Whether all was tried that there is to try: not if somebody broke off.
    pub complete: bool,
    /// And what the search finds without them.
    pub without_those: Option<Outcome>,
    /// The way of the line that shows the move's worth through the tree of the search as it is.
    pub way: Vec<Step>,
}

/// How far the work has come: searches that are done, how many there are at most, and what is tried now.
pub type WhyProgress<'a> = &'a mut dyn FnMut(usize, usize, &str) -> ControlFlow<()>;

/// Finds out why the session's search does not play `wanted` within these limits. Searches without a technique get `factor` times as many nodes, or as much time.
/// The session's settings are as before afterwards. If `progress` breaks off, what is known by then is returned.
pub fn why(
    session: &mut dyn Session,
    wanted: Move,
    limits: &Limits,
    factor: u64,
    progress: WhyProgress,
) -> Result<Explanation, WhyError> {
    let options = session.options()?;
    let search = options.iter().find(|(row, _)| row.name == "search");
    let search = search.map_or_else(String::new, |(_, value)| value.to_string());
    let switches: Vec<(Word, Word)> = options
        .into_iter()
        .filter(|(row, value)| row.is(Attribute::Selective) && *value == OptionValue::Switch(true))
        .map(|(row, _)| (row.name, row.help))
        .collect();
    if switches.is_empty() {
        return Err(WhyError::NothingToTurnOff(search));
    }
    let wanted_text = session.line_text(&[wanted]).concat();
    let total = switches.len() + 2;
    let mut inquiry =
        Inquiry { session, wanted, limits: limits.clone(), last_iteration: None, is_broken_off: false };
    let as_it_is = inquiry.search_as_it_is()?;
    let mut answer = Explanation {
        search,
        wanted: wanted_text,
        with_more: None,
        factor,
        attempts: Vec::new(),
        together: Vec::new(),
        complete: true,
        without_those: None,
        way: Vec::new(),
        as_it_is,
    };
    if answer.as_it_is.found.is_some() {
        return Ok(answer);
    }
    answer.complete = false;
    if limits.nodes.is_some() || limits.move_time.is_some() {
        inquiry.limits = enlarged(limits, factor);
        if progress(1, total, "as it is, for longer").is_break() {
            return Ok(answer);
        }
        answer.with_more = Some(inquiry.search(&[])?);
    }
    for (number, (option, help)) in switches.iter().enumerate() {
        if progress(2 + number, total, &format!("without {option}")).is_break() {
            return Ok(answer);
        }
        let outcome = inquiry.search(&[option])?;
        answer.attempts.push(Attempt { option: option.clone(), help: help.clone(), outcome });
    }
    answer
        .attempts
        .sort_by_key(|attempt| attempt.outcome.found.as_ref().map_or(u64::MAX, |found| found.nodes));
    let mut shown = answer.attempts.first().and_then(|attempt| attempt.outcome.found.clone());
    if shown.is_none() {
        let all: Vec<&Word> = switches.iter().map(|(option, _)| option).collect();
        if let Some((together, outcome)) = inquiry.turn_off_together(all, progress)? {
            shown.clone_from(&outcome.found);
            (answer.together, answer.without_those) = (together, Some(outcome));
        }
    }
    answer.complete = !inquiry.is_broken_off;
    let more = answer.with_more.as_ref().and_then(|outcome| outcome.found.clone());
    let line = shown.or(more).map_or_else(|| vec![answer.wanted.clone()], |found| found.line);
    answer.way = inquiry.last_iteration.as_ref().map_or_else(Vec::new, |trace| way::way(&trace.tree, &line));
    Ok(answer)
}

/// The same limits with more nodes and time; a depth stays.
fn enlarged(limits: &Limits, factor: u64) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(factor)),
        move_time: limits.move_time.map(|time| time.saturating_mul(factor.try_into().unwrap_or(u32::MAX))),
        ..limits.clone()
    }
}

/// A session that is asked again and again.
struct Inquiry<'s> {
    session: &'s mut dyn Session,
    wanted: Move,
    limits: Limits,
    /// The tree of the last iteration of the search as it is in which all root moves had a place.
    last_iteration: Option<TraceIteration>,
    /// Whether somebody wanted no more searches.
    is_broken_off: bool,
}

/// Since when the best move is the one that is wanted.
#[derive(Default)]
struct Since(Option<(u32, u64)>);

/// Plies of the tree that are looked at: what happens below decides seldom, and is many nodes.
const PLIES: u16 = 7;
/// Nodes of one iteration that are kept.
const MOST_NODES: u32 = 400_000;

impl Inquiry<'_> {
    /// The search without these techniques.
    fn search(&mut self, without: &[&Word]) -> Result<Outcome, SessionError> {
        for option in without {
            self.session.set_option(option, "false")?;
        }
        let outcome = self.run(None);
        for option in without {
            self.session.set_option(option, "true")?;
        }
        outcome
    }

    /// The search as it is, watched.
    fn search_as_it_is(&mut self) -> Result<Outcome, SessionError> {
        let kept: Arc<Mutex<Option<TraceIteration>>> = Arc::default();
        let outcome = self.run(Some(kept.clone()))?;
        self.last_iteration = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(outcome)
    }

    fn run(&mut self, trace: Option<Arc<Mutex<Option<TraceIteration>>>>) -> Result<Outcome, SessionError> {
        self.session.clear()?;
        let wanted = self.wanted;
        let since: Arc<Mutex<Since>> = Arc::default();
        let seen = since.clone();
        let sink = Box::new(move |report: &Report, _: &dyn Wording| {
            let mut since = seen.lock().unwrap_or_else(PoisonError::into_inner);
            match report.best_move() {
                Some(best) if best == wanted => {
                    since.0.get_or_insert((report.depth, report.counters.nodes));
                }
                Some(_) => since.0 = None,
                None => {}
            }
        });
        match trace {
            None => {
                self.session.go(self.limits.clone(), sink)?;
            }
            Some(kept) => {
                let what = TraceOptions { plies: PLIES, most_nodes: MOST_NODES, least_visits: 1 };
                // Dropped at the end of the last record: then the channel is closed.
                let (ended, end) = std::sync::mpsc::channel::<()>();
                let records = Box::new(move |record: TraceRecord| {
                    let _until_dropped = &ended;
                    if let TraceRecord::Iteration(iteration) = record
                        && iteration.complete
                    {
                        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(*iteration);
                    }
                });
                self.session.watch(self.limits.clone(), what, sink, records)?;
                // Nothing is sent: this waits until all records are there, and then fails.
                let _ = end.recv();
            }
        }
        let report = self.session.wait();
        let since = since.lock().unwrap_or_else(PoisonError::into_inner).0;
        Ok(self.outcome(report.as_ref(), since))
    }

    fn outcome(&self, report: Option<&Report>, since: Option<(u32, u64)>) -> Outcome {
        let best = report.and_then(|report| report.lines.first());
        let line = best.map_or_else(Vec::new, |line| self.session.line_text(&line.moves));
        let score = best.map_or(Meaning::Opinion(0), |line| line.score);
        let found = since.map(|(depth, nodes)| Found { depth, nodes, score, line: line.clone() });
        let (depth, nodes) = report.map_or((0, 0), |report| (report.depth, report.counters.nodes));
        Outcome { found, line, score, depth, nodes }
    }

    /// Turns all these techniques off, and those on again without which the move is found: what remains hides it together.
    fn turn_off_together(
        &mut self,
        all: Vec<&Word>,
        progress: WhyProgress,
    ) -> Result<Option<(Vec<Word>, Outcome)>, SessionError> {
        let most = 2 * all.len() + 2;
        if progress(all.len() + 2, most, "without any").is_break() {
            self.is_broken_off = true;
            return Ok(None);
        }
        let mut off = all;
        let mut outcome = self.search(&off)?;
        if outcome.found.is_none() {
            return Ok(None);
        }
        let mut place = 0;
        let count = off.len();
        let mut tried = 0;
        while place < off.len() && off.len() > 1 {
            let option = off.remove(place);
            if progress(count + 3 + tried, most, &format!("with {option}")).is_break() {
                off.insert(place, option);
                self.is_broken_off = true;
                break;
            }
            tried += 1;
            let with = self.search(&off)?;
            if with.found.is_some() {
                outcome = with;
            } else {
                off.insert(place, option);
                place += 1;
            }
        }
        Ok(Some((off.into_iter().cloned().collect(), outcome)))
    }
}

impl Explanation {
    /// The techniques without each of which the move is found, the quickest first.
    pub fn culprits(&self) -> Vec<&Attempt> {
        self.attempts.iter().filter(|attempt| attempt.outcome.found.is_some()).collect()
    }
}
