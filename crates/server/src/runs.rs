//! Runs of learning, for people who look on: figures, games, and what the network of each generation says of a position.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use axum::Json;
use axum::extract::State;
use outplay_core::Player;
use outplay_engine::{Catalogue, NetworkOpinion};
use outplay_learn::{Figures, RunError, Sight, runs_in};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::config::Config;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::extract::{Body, Name, Question};
use crate::networks::opinion_by_file;
use crate::setup::{Setup, find_game};

/// The most games that are shown of a generation.
const MOST_GAMES: usize = 30;
/// The part of the data folder in which runs are looked for.
const RUNS: &str = "runs";

/// The runs of this server, by name. Where two folders have one of the same name, the first counts. Strangers name runs, never folders.
fn found(config: &Config) -> BTreeMap<String, Sight> {
    let folders: Vec<PathBuf> = [config.data.join(RUNS)].into_iter().chain(config.runs.clone()).collect();
    let runs = folders.iter().rev().flat_map(|folder| runs_in(folder));
    runs.map(|run| (run.name.clone(), run)).collect()
}

fn find(app: &App, name: &str) -> ApiResult<Sight> {
    found(&app.config).remove(name).ok_or_else(|| ApiError::not_found("there is no such run: see /api/runs"))
}

/// A run in a list.
#[derive(Serialize)]
pub struct RunSummary {
    name: String,
    game: String,
    /// What people call the game.
    label: String,
    /// The newest generation whose network is there.
    generation: Option<u32>,
    /// The size of the file with its newest games, so that a client sees when there are more.
    games_bytes: u64,
    /// Seconds since something was added to it.
    quiet_seconds: Option<f64>,
}

impl RunSummary {
    fn new(run: &Sight, games: &Catalogue) -> RunSummary {
        let known = games.find(&run.game).ok();
        let quiet = run.changed().and_then(|time| SystemTime::now().duration_since(time).ok());
        RunSummary {
            name: run.name.clone(),
            game: known.as_ref().map_or(run.game.clone(), ToString::to_string),
            label: known.map_or(run.game.clone(), |game| game.label()),
            generation: run.generations().last().copied(),
            games_bytes: run.bytes_of_newest_games(),
            quiet_seconds: quiet.map(|time| time.as_secs_f64()),
        }
    }
}

/// All runs.
pub async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<RunSummary>>> {
    off_the_loop(move || {
        let runs = found(&app.config);
        Ok(Json(runs.values().map(|run| RunSummary::new(run, &app.config.games)).collect()))
    })
    .await
}

/// What a client has seen of a run.
#[derive(Deserialize)]
pub struct Known {
    #[serde(default)]
    version: String,
}

/// All that is known of a run but its games and networks.
#[derive(Serialize)]
pub struct RunView {
    #[serde(flatten)]
    summary: RunSummary,
    /// Another text whenever something was added but more games of the same generation.
    version: String,
    settings: BTreeMap<String, String>,
    /// Whose networks are there.
    generations: Vec<u32>,
    /// Whose games are there.
    played: Vec<u32>,
    metrics: Vec<Figures>,
    ratings: Vec<Figures>,
}

/// A run; nothing if the client knows it already as it is. So pages can ask again and again.
pub async fn show(
    State(app): State<Arc<App>>,
    Name(name): Name,
    Question(known): Question<Known>,
) -> ApiResult<Json<Option<RunView>>> {
    off_the_loop(move || {
        let run = find(&app, &name)?;
        let version = run.version();
        if version == known.version {
            return Ok(Json(None));
        }
        Ok(Json(Some(RunView {
            summary: RunSummary::new(&run, &app.config.games),
            version,
            generations: run.generations(),
            played: run.played(),
            metrics: run.metrics(),
            ratings: run.ratings(),
            settings: run.settings.into_iter().collect(),
        })))
    })
    .await
}

/// Which games.
#[derive(Deserialize)]
pub struct GamesQuery {
    generation: u32,
}

/// A game of self-play.
#[derive(Serialize)]
pub struct PlayedGame {
    number: u64,
    moves: Vec<String>,
    winner: Option<usize>,
    margin: i16,
}

/// The latest games that the network of a generation has played, the newest first.
pub async fn games(
    State(app): State<Arc<App>>,
    Name(name): Name,
    Question(query): Question<GamesQuery>,
) -> ApiResult<Json<Vec<PlayedGame>>> {
    off_the_loop(move || {
        let run = find(&app, &name)?;
        let session = find_game(&app.config.games, &run.game)?.open()?;
        let generation = query.generation;
        let games = run.latest_games(generation, MOST_GAMES).map_err(|error| match error {
            RunError::File(_, error) if error.kind() == ErrorKind::NotFound => {
                ApiError::not_found(format!("there are no games of generation {generation} yet"))
            }
            _ => {
                let message = format!("the games of generation {generation} cannot be read by this server");
                ApiError::conflict("unreadable_games", message)
            }
        })?;
        let shown = games.iter().rev().map(|game| PlayedGame {
            number: game.number,
            moves: session.plain_line_text(&game.moves),
            winner: game.outcome.winner().map(Player::index),
            margin: game.outcome.margin(),
        });
        Ok(Json(shown.collect()))
    })
    .await
}

/// A position to ask the network of a generation about; the game is that of the run.
#[derive(Deserialize)]
pub struct GenerationRequest {
    generation: u32,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

/// What the network of a generation says of a position; nothing once the game is over.
pub async fn opinion(
    State(app): State<Arc<App>>,
    Name(name): Name,
    Body(request): Body<GenerationRequest>,
) -> ApiResult<Json<Option<NetworkOpinion>>> {
    let GenerationRequest { generation, start, moves } = request;
    let looking = app.clone();
    let run = off_the_loop(move || {
        let run = find(&looking, &name)?;
        match run.net(generation).is_file() {
            true => Ok(run),
            false => Err(ApiError::not_found(format!("there is no network of generation {generation} yet"))),
        }
    })
    .await?;
    let setup = Setup { game: run.game.clone(), start, moves, passed: false };
    opinion_by_file(&app, setup, &run.net(generation)).await.map(Json)
}
