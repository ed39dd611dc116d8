//! A search with a technique and without it, on the same positions.

use std::sync::{Arc, Mutex};

use outplay_search::{Attribute, Bound, Limits, Meaning, OptionKind, Report};
use serde::Serialize;

use super::Technique;
use crate::{DEFAULT_SEARCH, Session, SessionError, Wording};

/// No search of a lesson goes further: somebody waits for it.
const MOST_NODES: u64 = 400_000;

/// The positions of a lesson about a technique, searched with it and without.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedCase {
    /// What there is to see.
    pub caption: &'static str,
    /// Where the moves begin; the start of the game if nothing is said.
    pub start: Option<&'static str>,
    /// The moves from there.
    pub moves: &'static [&'static str],
    /// The searches with the technique, a depth each.
    pub with: Vec<Iteration>,
    /// The same without it; empty where there is nothing to compare.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Iteration>,
    /// What the technique did, by the names of its counters.
    pub counted: Vec<(&'static str, u64)>,
}

/// What a search had found out when it had completed a depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Iteration {
    /// The depth in plies.
    pub depth: u32,
    /// The positions visited until then, all depths together.
    pub nodes: u64,
    /// What the position is worth for the player to move.
    pub value: Meaning,
    /// The best line.
    pub line: Vec<String>,
}

/// Searches the positions of a technique to a depth, each with it and without.
pub(super) fn compare(
    session: &mut dyn Session,
    technique: &Technique,
    depth: u32,
) -> Result<Vec<ComparedCase>, SessionError> {
    let case = |case: &super::Case| {
        session.set_game(case.start, &case.moves.join(" "))?;
        prepare(session, technique)?;
        let (with, report) = iterations(session, depth)?;
        let techniques = report.counters.techniques.unwrap_or_default();
        let count = |&name: &&'static str| Some((name, techniques.named(name)?));
        let counted = technique.counters.iter().filter_map(count).collect();
        let without = match technique.switch {
            None => Vec::new(),
            Some(switch) => {
                session.set_option(switch, "false")?;
                iterations(session, depth)?.0
            }
        };
        Ok(ComparedCase {
            caption: case.caption,
            start: case.start,
            moves: case.moves,
            with,
            without,
            counted,
        })
    };
    technique.cases.iter().map(case).collect()
}

/// Chooses alpha-beta with its table and its order of moves, and nothing else that leaves something out but what the lesson asks for.
fn prepare(session: &mut dyn Session, technique: &Technique) -> Result<(), SessionError> {
    session.set_option("search", DEFAULT_SEARCH)?;
    // Every iteration is searched once, and ends with an exact value.
    session.set_option("aspiration", "false")?;
    for (row, _) in session.options_of(DEFAULT_SEARCH)? {
        if matches!(row.kind, OptionKind::Switch) && row.attributes.iter().any(leaves_something_out) {
            session.set_option(&row.name, "false")?;
        }
    }
    let on = technique.with.iter().chain(&technique.switch).map(|name| (name, "true"));
    for (name, value) in on.chain(technique.off.iter().map(|name| (name, "false"))) {
        session.set_option(name, value)?;
    }
    Ok(())
}

fn leaves_something_out(attribute: &Attribute) -> bool {
    matches!(attribute, Attribute::Selective | Attribute::Proving)
}

/// The depths that a search completes, and its last report.
fn iterations(session: &mut dyn Session, depth: u32) -> Result<(Vec<Iteration>, Report), SessionError> {
    session.clear()?;
    let completed: Arc<Mutex<Vec<Iteration>>> = Arc::default();
    let seen = completed.clone();
    let sink = move |report: &Report, wording: &dyn Wording| {
        let line = report.lines.first().filter(|line| line.bound == Bound::Exact && report.current.is_none());
        let Some(line) = line else { return };
        let Ok(mut seen) = seen.lock() else { return };
        if seen.last().is_none_or(|last| last.depth < report.depth) && report.depth > 0 {
            let line_text = wording.line_text(&line.moves);
            let nodes = report.counters.nodes;
            seen.push(Iteration { depth: report.depth, nodes, value: line.score, line: line_text });
        }
    };
    let limits = Limits { depth: Some(depth), nodes: Some(MOST_NODES), ..Limits::default() };
    session.go(limits, Box::new(sink))?;
    let report = session.wait().ok_or(SessionError::Searching)?;
    let completed = completed.lock().map(|seen| seen.clone()).unwrap_or_default();
    Ok((completed, report))
}
