//! How strong an opponent is, as clients choose it.

use outplay_engine::{Level, NamedGame, Rating, Scale};
use serde::Serialize;
use serde_json::json;

use crate::error::{ApiError, ApiResult};
use crate::searching::{EngineSpec, LimitSpec};

/// The level of an opponent that nobody chose.
const USUAL_LEVEL: u32 = 3;

/// A level as clients see it.
#[derive(Clone, Serialize, Debug)]
pub struct LevelView {
    level: u32,
    name: &'static str,
    /// How strong it is, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<RatingView>,
    #[serde(flatten)]
    engine: EngineSpec,
}

/// How strong a level is, and on which scale.
#[derive(Clone, Serialize, Debug)]
struct RatingView {
    #[serde(flatten)]
    rating: Rating,
    scale: Scale,
}

/// All levels of a game, the weakest first.
pub fn levels(game: &NamedGame) -> Vec<LevelView> {
    let scale = game.strength().scale;
    let view = |(level, of): (u32, &Level)| LevelView {
        level,
        name: of.name,
        rating: of.rating.map(|rating| RatingView { rating, scale }),
        engine: engine_of(of),
    };
    (1..).zip(game.levels()).map(view).collect()
}

/// The engine of a level, or of the usual one.
pub fn engine_at(game: &NamedGame, level: Option<u32>) -> ApiResult<EngineSpec> {
    let level = level.unwrap_or(USUAL_LEVEL);
    let found = game.level(level as usize).ok_or_else(|| {
        let last = game.levels().len();
        ApiError::bad("unknown_level", format!("a level is a number from 1 to {last}"))
    })?;
    Ok(EngineSpec { level: Some(level), ..engine_of(found) })
}

fn engine_of(level: &Level) -> EngineSpec {
    let options = level.settings.iter().map(|&(name, value)| (name.to_string(), json!(value)));
    EngineSpec {
        level: None,
        program: None,
        search: level.search.to_string(),
        options: options.collect(),
        limit: LimitSpec { nodes: Some(level.nodes), ..LimitSpec::default() },
    }
}
