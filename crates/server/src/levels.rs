//! How strong an opponent is, in steps.

use serde::Serialize;

use crate::searching::{EngineSpec, LimitSpec};

/// A step.
#[derive(Clone, Copy, Debug)]
struct Step {
    name: &'static str,
    /// Nodes of a move.
    nodes: u64,
}

/// From the weakest to the strongest: each may look at four times as many positions as the one below, and the last at as many as people wait for.
/// How much stronger that makes them in each game has not been measured.
const STEPS: [Step; 8] = [
    Step { name: "newcomer", nodes: 30 },
    Step { name: "beginner", nodes: 120 },
    Step { name: "casual player", nodes: 500 },
    Step { name: "club player", nodes: 2_000 },
    Step { name: "strong player", nodes: 8_000 },
    Step { name: "expert", nodes: 32_000 },
    Step { name: "master", nodes: 128_000 },
    Step { name: "full strength", nodes: 2_000_000 },
];

/// The level of an opponent that nobody chose.
pub const USUAL_LEVEL: u32 = 3;

/// A level as clients see it.
#[derive(Clone, Serialize, Debug)]
pub struct Level {
    level: u32,
    name: &'static str,
    #[serde(flatten)]
    engine: EngineSpec,
}

/// All levels, the weakest first. They are the same for all games.
pub fn levels() -> Vec<Level> {
    (1..).zip(STEPS).map(|(level, step)| Level { level, name: step.name, engine: engine_of(step) }).collect()
}

/// The engine of a level; `None` if there is no such level.
pub fn engine_at(level: u32) -> Option<EngineSpec> {
    let index = usize::try_from(level).ok()?.checked_sub(1)?;
    STEPS.get(index).map(|&step| EngineSpec { level: Some(level), ..engine_of(step) })
}

/// How many levels there are.
pub fn count() -> usize {
    STEPS.len()
}

fn engine_of(step: Step) -> EngineSpec {
    EngineSpec {
        search: outplay_engine::DEFAULT_SEARCH.to_string(),
        limit: LimitSpec { nodes: Some(step.nodes), ..LimitSpec::default() },
        ..EngineSpec::default()
    }
}
