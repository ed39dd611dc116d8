//! Which search with which settings and limits: what clients may ask for, and one run of it.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::mpsc;
use std::time::Duration;

use outplay_engine::{Session, Wording};
use outplay_lab::review::{DEEPER, DEEPER_PLIES};
use outplay_search::{
    Attribute, Limits as SearchLimits, MEBIBYTE, OptionKind, OptionRow, OptionValue, Report,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cancel::Cancel;
use crate::config::Limits;
use crate::error::{ApiError, ApiResult};
use crate::networks;
use crate::watching::Watched;

/// How long a setting may keep a search from hearing the stop signal.
const MOST_DEAF: Duration = Duration::from_millis(10);
/// The row with the number of threads.
const THREADS: &str = "threads";
/// The row that chooses the search, which has a place of its own in requests.
const SEARCH: &str = "search";
/// Plies, beyond which no search gets.
const DEEPEST: u32 = 1000;
/// Lines of play in a report.
pub const MOST_LINES: usize = 64;

/// An engine as clients describe it.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
pub struct EngineSpec {
    /// The level that it was chosen by, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// The program that plays in the place of a search, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ChosenProgram>,
    /// The name of the search; empty for the usual one.
    #[serde(default)]
    pub search: String,
    /// Its settings, by name.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
    /// How long it thinks.
    #[serde(default)]
    pub limit: LimitSpec,
}

/// A program of somebody else's in the place of a search.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct ChosenProgram {
    /// Its name on the server.
    pub id: String,
    /// What people call it; the server knows it.
    #[serde(default)]
    pub name: String,
}

/// How long to search, as clients say it.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
pub struct LimitSpec {
    /// Positions, or playouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// As long as the server allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infinite: Option<bool>,
}

impl LimitSpec {
    /// Whether nothing is limited.
    pub fn is_open(&self) -> bool {
        self.infinite == Some(true)
            || (self.nodes.is_none() && self.seconds.is_none() && self.depth.is_none())
    }

    /// The same for a position that has to be searched longer.
    pub fn deeper(&self) -> LimitSpec {
        LimitSpec {
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(DEEPER.into())),
            seconds: self.seconds.map(|seconds| seconds * f64::from(DEEPER)),
            depth: self.depth.map(|depth| depth.saturating_add(DEEPER_PLIES)),
            infinite: self.infinite,
        }
    }

    /// The limits of a search. However they are set, the server ends it after its own time.
    pub fn limits(&self, lines: usize) -> ApiResult<SearchLimits> {
        let bad = |message: &str| Err(ApiError::bad("bad_limit", message));
        let mut limits = SearchLimits { lines: lines.clamp(1, MOST_LINES), ..SearchLimits::default() };
        if self.infinite == Some(true) {
            return Ok(limits);
        }
        if self.nodes == Some(0) || self.depth == Some(0) {
            return bad("a limit of nodes or depth is 1 at least");
        }
        limits.nodes = self.nodes;
        limits.depth = self.depth.map(|depth| depth.min(DEEPEST));
        if let Some(seconds) = self.seconds {
            if !seconds.is_finite() || seconds <= 0.0 {
                return bad("a limit of seconds is a number above 0");
            }
            // Nobody's limit is a day: the server's own is shorter.
            limits.move_time = Some(Duration::from_secs_f64(seconds.min(86_400.0)));
        }
        Ok(limits)
    }
}

/// The rows that clients may set, with their values, capped to what the server allows.
pub fn open_rows(session: &mut dyn Session, limits: &Limits) -> ApiResult<Vec<(OptionRow, OptionValue)>> {
    let rows = session.options()?.into_iter().filter(|(row, _)| is_open(row));
    Ok(rows.map(|(row, value)| (capped(row, limits), value)).collect())
}

/// Whether strangers may set it. The search has a place of its own in requests, and no text of theirs is to name a file, or whatever else
/// texts name.
fn is_open(row: &OptionRow) -> bool {
    row.name != SEARCH
        && !matches!(row.kind, OptionKind::Text)
        && !matches!(&row.kind, OptionKind::File { offered } if offered.is_empty())
}

/// The name of the chosen search.
fn chosen_search(session: &mut dyn Session) -> ApiResult<String> {
    let rows = session.options()?;
    let chosen = rows.iter().find(|(row, _)| row.name == SEARCH);
    Ok(chosen.map_or_else(String::new, |(_, value)| value.to_string()))
}

fn capped(mut row: OptionRow, limits: &Limits) -> OptionRow {
    // What is offered by name is open to everybody; all other files are not.
    if let OptionKind::File { offered } = &mut row.kind {
        row.kind = OptionKind::Choice { words: std::mem::take(offered) };
    }
    let cap = cap(&row, limits);
    let has_open_end = is_unlimited(&row, 0);
    if let (Some(cap), OptionKind::Integer { least, most }) = (cap, &mut row.kind) {
        *most = cap.min(*most).max(*least);
        if has_open_end {
            *least = 1;
        }
    }
    row
}

/// The most units that the server can spare, of a row that costs something.
fn cap(row: &OptionRow, limits: &Limits) -> Option<i64> {
    let units =
        |amount: u128, of_each: u128| i64::try_from(amount / of_each.max(1)).unwrap_or(i64::MAX).max(1);
    let bytes = u128::from(limits.table_mebibytes.unsigned_abs()) * u128::from(MEBIBYTE);
    let memory = row.bytes_per_unit().map(|of_each| units(bytes, of_each.into()));
    let deaf = row.deaf_per_unit().map(|of_each| units(MOST_DEAF.as_nanos(), of_each.as_nanos()));
    let threads = row.is(Attribute::Threads).then_some(limits.cores as i64);
    [memory, deaf, threads].into_iter().flatten().min()
}

/// Whether this value lets a search take as much memory as there is.
fn is_unlimited(row: &OptionRow, value: i64) -> bool {
    value == 0 && row.is(Attribute::NoLimitAtZero) && row.bytes_per_unit().is_some()
}

/// The value that the server takes in place of one that nobody has asked for. A tree without a limit would eat the machine, and what is usual elsewhere may be too
/// much here.
pub fn allowed(row: &OptionRow, value: OptionValue) -> OptionValue {
    match (&value, &row.kind) {
        (OptionValue::Integer(number), OptionKind::Integer { most, .. })
            if number > most || is_unlimited(row, *number) =>
        {
            OptionValue::Integer(*most)
        }
        _ => value,
    }
}

/// What a search will take of the machine.
#[derive(Clone, Copy)]
pub struct Needs {
    /// Threads, one at least.
    pub threads: usize,
    /// Mebibytes of what it keeps from one run to the next.
    pub kept_mebibytes: i64,
}

/// Chooses the search of a session and its settings.
pub fn prepare(session: &mut dyn Session, engine: &EngineSpec, limits: &Limits) -> ApiResult<Needs> {
    if !engine.search.is_empty() {
        session
            .set_option(SEARCH, &engine.search)
            .map_err(|error| ApiError::bad("unknown_search", error.to_string()))?;
    }
    let mut rows = open_rows(session, limits)?;
    let search = chosen_search(session)?;
    let dormant = session.dormant_options_of(&search)?.into_iter().filter(|(row, _)| is_open(row));
    rows.extend(dormant.map(|(row, value)| (capped(row, limits), value)));
    for (name, value) in &engine.options {
        let wanted = name.trim().replace(' ', "_");
        let row = rows.iter().map(|(row, _)| row).find(|row| row.is_named(&wanted)).ok_or_else(|| {
            let shown = outplay_core::text::shortened(name);
            ApiError::bad("unknown_option", format!("{shown} cannot be set here: see /api/searches"))
        })?;
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(switch) => switch.to_string(),
            _ => {
                return Err(ApiError::bad(
                    "bad_option",
                    format!("option {name} is a text, number or switch"),
                ));
            }
        };
        let value = row.parse(&value).map_err(|error| ApiError::bad("bad_option", error.to_string()))?;
        let value = value.to_string();
        session.set_option(&row.name, &value).map_err(|error| networks::refusal(error, &value))?;
    }
    let (mut threads, mut kept) = (0, 0u64);
    for (row, value) in open_rows(session, limits)? {
        let allowed = allowed(&row, value.clone());
        if allowed != value {
            session.set_option(&row.name, &allowed.to_string())?;
        }
        let OptionValue::Integer(number) = allowed else { continue };
        let units = number.unsigned_abs();
        if row.is(Attribute::Threads) {
            threads += units;
        }
        if let Some(bytes) = row.bytes_per_unit()
            && row.is(Attribute::Kept)
        {
            kept += units.saturating_mul(bytes);
        }
    }
    let threads = usize::try_from(threads).unwrap_or(limits.cores).clamp(1, limits.cores);
    Ok(Needs { threads, kept_mebibytes: (kept / MEBIBYTE) as i64 })
}

/// What an engine's own settings say of a row.
pub fn given<'a>(engine: &'a EngineSpec, row: &str) -> Option<&'a Value> {
    let found = engine.options.iter().find(|(name, _)| name.trim().eq_ignore_ascii_case(row));
    found.map(|(_, value)| value)
}

/// How many threads an engine was given, as far as its own settings say: it waits for them before anybody opens a session for it.
pub fn threads_of(engine: &EngineSpec) -> usize {
    let number = match given(engine, THREADS) {
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(text)) => text.trim().parse().ok(),
        _ => None,
    };
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(1)
}

/// Runs a search to its end, on this thread's time: reports go to `hear`, what is to be seen of the tree to whoever watches, and `cancel` or
/// the time ends it early. `None` if the search met a bug; the session cannot be used any more then.
pub fn run(
    session: &mut dyn Session,
    limits: SearchLimits,
    most_time: Duration,
    cancel: &Cancel,
    watched: Option<Watched>,
    mut hear: impl FnMut(&Report, &dyn Wording) + Send + 'static,
) -> ApiResult<Option<Report>> {
    let (ended, end) = mpsc::channel();
    let sink = move |report: &Report, wording: &dyn Wording| {
        hear(report, wording);
        if report.stopped.is_some() {
            // Nobody listens any more if the time is over.
            let _ = ended.send(());
        }
    };
    let handle = match watched {
        Some((what, records)) => session.watch(limits, what, Box::new(sink), records)?,
        None => session.go(limits, Box::new(sink))?,
    };
    cancel.attach(handle.clone());
    // The channel also closes when the search's thread panics.
    if end.recv_timeout(most_time) == Err(mpsc::RecvTimeoutError::Timeout) {
        handle.stop();
    }
    let report = std::panic::catch_unwind(AssertUnwindSafe(|| session.wait()));
    cancel.detach();
    Ok(report.ok().flatten())
}
