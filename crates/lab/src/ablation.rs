//! What each technique is worth: an engine against itself without one of them.
//!
//! For every switch of a search's options table, and for every constant whose row names other values, the engine as it is
//! plays the engine with that one row changed: from the same openings, once with a fixed number of nodes a move and once
//! with a fixed time. Beside the Elo stands what the change does to the work: nodes and time to a depth that both reach.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use outplay_engine::{NamedGame, Session, SessionError};
use outplay_search::{Limits, OptionError, OptionValue, Word};
use serde::Serialize;

use crate::stats::Summary;
use crate::{
    Crew, GameRules, Journal, MatchError, MemoryJournal, Opening, Plan, PlayerKind, PlayerSpec, Schedule,
    Standings, Store, TimeControl, run_match,
};

/// How much longer a variant may search for the same depth before it counts as not getting there.
const MOST_NODES_RATIO: u64 = 100;

/// What is to be found out.
#[derive(Clone, Debug)]
pub struct Study {
    /// The game.
    pub game: NamedGame,
    /// The changes to be tried.
    pub variants: Vec<Variant>,
    /// The limits under which each of them plays.
    pub limits: Vec<TimeControl>,
    /// The openings of the matches; the depth comparison searches the positions after them.
    pub openings: Vec<Opening>,
    /// Pairs of games in each match.
    pub pairs: usize,
    /// Nodes that the full engine gets in the depth comparison; 0 for none.
    pub depth_nodes: u64,
    /// How many positions it looks at.
    pub depth_positions: usize,
}

/// An engine and one change to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The search.
    pub search: String,
    /// The settings of the engine as it is, besides the search.
    pub settings: Vec<(String, String)>,
    /// The row that is changed.
    pub option: Word,
    /// Its value in the engine as it is.
    pub full: OptionValue,
    /// Its value in the changed one.
    pub changed: OptionValue,
    /// What the row does, in words.
    pub help: Word,
}

/// What a technique is worth, by one variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The search.
    pub search: String,
    /// The row that was changed.
    pub option: Word,
    /// Its value in the engine as it is.
    pub full: String,
    /// Its value in the changed one.
    pub changed: String,
    /// What the row does, in words.
    pub help: Word,
    /// The matches, the engine as it is against the changed one, by their limits.
    pub matches: Vec<LimitedMatch>,
    /// The work to equal depth; `None` for searches without iterations.
    pub work: Option<Work>,
}

/// A match under one limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitedMatch {
    /// The limit.
    pub limit: String,
    /// The numbers, in the view of the engine as it is.
    #[serde(flatten)]
    pub summary: Summary,
}

/// What a change does to the work of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Work {
    /// How many times as many nodes the changed engine needs for the same depth: the geometric mean. Where it gave up, what
    /// it had spent is counted, so that the truth is at least this.
    pub nodes_ratio: f64,
    /// How many times as long it takes, likewise.
    pub time_ratio: f64,
    /// The mean depth of the comparison.
    pub depth: f64,
    /// How many positions were compared.
    pub positions: usize,
    /// In how many of them the changed engine gave up.
    pub given_up: usize,
}

impl Variant {
    /// All changes to a search with these settings: each switch turned, each constant at the values that its row names.
    pub fn of_search(
        game: &NamedGame,
        search: &str,
        settings: &[(String, String)],
    ) -> Result<Vec<Variant>, SessionError> {
        let mut session = engine(game, search, settings)?;
        let mut variants = Vec::new();
        for (row, full) in session.options()? {
            let values = match full {
                OptionValue::Switch(on) if !row.ablations.is_empty() => vec![OptionValue::Switch(!on)],
                _ => row.ablations,
            };
            variants.extend(values.into_iter().filter(|value| *value != full).map(|changed| Variant {
                search: search.to_string(),
                settings: settings.to_vec(),
                option: row.name.clone(),
                full: full.clone(),
                changed,
                help: row.help.clone(),
            }));
        }
        Ok(variants)
    }

    /// One change of the user's choice.
    pub fn of_value(
        game: &NamedGame,
        search: &str,
        settings: &[(String, String)],
        option: &str,
        value: &str,
    ) -> Result<Variant, SessionError> {
        let mut session = engine(game, search, settings)?;
        let before = session.options()?;
        // The session knows the names and checks the value.
        session.set_option(option, value)?;
        let (row, full) = before
            .into_iter()
            .find(|(row, _)| row.is_named(option.trim()))
            .ok_or_else(|| OptionError::Unknown { name: format!("{option:?}"), known: Vec::new() })?;
        let changed = row.parse(value)?;
        let (search, settings) = (search.to_string(), settings.to_vec());
        Ok(Variant { search, settings, option: row.name, full, changed, help: row.help })
    }

    /// What was changed, in words.
    pub fn change(&self) -> String {
        change_text(&self.search, &self.option, &self.full.to_string(), &self.changed.to_string())
    }

    /// The settings of the changed engine.
    fn changed_settings(&self) -> Vec<(String, String)> {
        let change = (self.option.to_string(), self.changed.to_string());
        self.settings.iter().cloned().chain([change]).collect()
    }

    /// Who plays: the engine as it is, and the changed one.
    pub fn players(&self) -> [PlayerSpec; 2] {
        [self.player("full", self.settings.clone()), self.player("changed", self.changed_settings())]
    }

    fn player(&self, name: &str, settings: Vec<(String, String)>) -> PlayerSpec {
        let search = ("search".to_string(), self.search.clone());
        let kind = PlayerKind::Own { options: std::iter::once(search).chain(settings).collect() };
        PlayerSpec { name: Some(name.to_string()), limit: None, kind }
    }
}

/// A change in words: `pvs without null_move`, `uct with exploration 0 for 1`.
pub(crate) fn change_text(search: &str, option: &str, full: &str, changed: &str) -> String {
    match (full, changed) {
        ("true", "false") => format!("{search} without {option}"),
        ("false", "true") => format!("{search} with {option}"),
        _ => format!("{search} with {option} {changed} for {full}"),
    }
}

fn engine(
    game: &NamedGame,
    search: &str,
    settings: &[(String, String)],
) -> Result<Box<dyn Session>, SessionError> {
    let mut session = game.open()?;
    session.set_option("search", search)?;
    for (name, value) in settings {
        session.set_option(name, value)?;
    }
    Ok(session)
}

impl Study {
    /// How many pairs of games there are in all.
    pub fn all_pairs(&self) -> usize {
        self.pairs * self.variants.len() * self.limits.len()
    }

    /// Has a crew play everything, and measures, or goes on with what `store` has; `watch` sees every pair that is counted, by its variant
    /// and limit. Returns what was found, which is only a part if `stop` was set.
    pub fn run(
        &self,
        crew: &dyn Crew,
        store: Option<&Store>,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Variant, &TimeControl, &Standings),
    ) -> Result<Vec<Finding>, MatchError> {
        let mut findings = Vec::new();
        for variant in &self.variants {
            let work = self.compare_work(variant, stop)?;
            let mut matches = Vec::new();
            for limit in &self.limits {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let name = format!("{} {}={} {limit}", variant.search, variant.option, variant.changed);
                let part = store.map(|store| store.part(&name));
                let memory = MemoryJournal::default();
                let journal: &dyn Journal = part.as_ref().map_or(&memory, |part| part);
                let plan = self.plan(variant, limit);
                let standings = loop {
                    let played = run_match(&plan, crew, journal, stop, &mut |_, standings| {
                        watch(variant, limit, standings);
                        ControlFlow::Continue(())
                    });
                    // What a machine has played was taken out: the rest counts, and the gaps are filled.
                    if !matches!(played, Err(MatchError::Forgotten { .. })) {
                        break played?;
                    }
                };
                matches.push(LimitedMatch { limit: limit.to_string(), summary: standings.summary(0) });
            }
            findings.push(Finding {
                search: variant.search.clone(),
                option: variant.option.clone(),
                full: variant.full.to_string(),
                changed: variant.changed.to_string(),
                help: variant.help.clone(),
                matches,
                work,
            });
        }
        Ok(findings)
    }

    fn plan(&self, variant: &Variant, limit: &TimeControl) -> Plan {
        Plan {
            game: self.game.clone(),
            entrants: Plan::entrants(variant.players().to_vec(), limit),
            pairings: Schedule::RoundRobin.pairings(2),
            openings: self.openings.clone(),
            pairs: self.pairs,
            rules: GameRules::default(),
            sprt: None,
        }
    }

    /// The work to the depth that the full engine reaches in each position with its nodes.
    fn compare_work(&self, variant: &Variant, stop: &AtomicBool) -> Result<Option<Work>, SessionError> {
        let mut full = engine(&self.game, &variant.search, &variant.settings)?;
        let deepens = full.searches().iter().any(|info| info.name == variant.search && !info.counts_playouts);
        if !deepens || self.depth_nodes == 0 {
            return Ok(None);
        }
        let mut changed = engine(&self.game, &variant.search, &variant.changed_settings())?;
        let (mut nodes_logs, mut time_logs) = (0.0, 0.0);
        let (mut depths, mut positions, mut given_up) = (0, 0, 0);
        for opening in self.openings.iter().take(self.depth_positions) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(Spent { depth, .. }) = search(&mut *full, opening, Some(self.depth_nodes), None)? else {
                continue;
            };
            // The work of the last completed iteration, without what was begun after it.
            let Some(usual) = search(&mut *full, opening, None, Some(depth))? else { continue };
            let most = usual.nodes.saturating_mul(MOST_NODES_RATIO);
            let Some(spent) = search(&mut *changed, opening, Some(most), Some(depth))? else {
                continue;
            };
            given_up += usize::from(spent.depth < depth && spent.nodes >= most);
            nodes_logs += (spent.nodes as f64 / usual.nodes as f64).ln();
            time_logs += (spent.seconds / usual.seconds).ln();
            depths += depth;
            positions += 1;
        }
        let count = positions.max(1) as f64;
        let work = Work {
            nodes_ratio: (nodes_logs / count).exp(),
            time_ratio: (time_logs / count).exp(),
            depth: f64::from(depths) / count,
            positions,
            given_up,
        };
        Ok((positions > 0).then_some(work))
    }
}

/// What a search has reached, and with what.
struct Spent {
    depth: u32,
    nodes: u64,
    seconds: f64,
}

/// Searches the position after an opening; `None` if there was nothing to search.
fn search(
    session: &mut dyn Session,
    opening: &Opening,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> Result<Option<Spent>, SessionError> {
    session.clear()?;
    session.set_game(opening.start.as_deref(), &opening.moves)?;
    session.go(Limits { nodes, depth, ..Limits::default() }, Box::new(|_, _| ()))?;
    let report = session.wait();
    let spent = report.map(|report| Spent {
        depth: report.depth,
        nodes: report.counters.nodes,
        // Never nothing: the time is divided by.
        seconds: report.time.max(Duration::from_nanos(1)).as_secs_f64(),
    });
    Ok(spent.filter(|spent| spent.depth > 0))
}
