//! A search whose values are to be kept.

use std::sync::{Arc, Mutex, PoisonError};

use outplay_engine::{Session, SessionError};
use outplay_search::{Bound, Limits, Report};

/// Searches the current position with an empty memory, so that the same position is always judged alike, and returns the last report in which all
/// values are exact. When its nodes are spent a search may be in the middle of doubting a value, and a bound is nothing to keep.
pub fn settled_search(
    session: &mut dyn Session,
    nodes: u64,
    lines: usize,
) -> Result<Option<Report>, SessionError> {
    session.clear()?;
    let settled = Arc::new(Mutex::new(None));
    let keep = settled.clone();
    let limits = Limits { nodes: Some(nodes), lines, analysis: true, ..Limits::default() };
    let sink = move |report: &Report| {
        if report.lines.iter().all(|line| line.bound == Bound::Exact) {
            *keep.lock().unwrap_or_else(PoisonError::into_inner) = Some(report.clone());
        }
    };
    session.go(limits, Box::new(move |report, _| sink(report)))?;
    let last = session.wait();
    let settled = settled.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(settled.or(last))
}
