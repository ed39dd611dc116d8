//! Questions about a position that are answered at once: how it looks, who wins by force, how a textbook search goes through it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_engine::{Composed, Draft, ExplainedSimulations, Explanation, Proven};
use serde::Deserialize;
use serde_json::Value;

use crate::app::App;
use crate::cancel::{Cancel, CancelOnDrop};
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::extract::Body;
use crate::queue::Class;
use crate::searching::{self, EngineSpec};
use crate::setup::{Setup, find_game};
use crate::view::PositionView;

/// The most nodes of a search for wins by force.
const MOST_SOLVE_NODES: u64 = 200_000;
/// The most nodes of a recorded search.
const MOST_EXPLAINED_NODES: usize = 20_000;
/// Its greatest depth.
const MOST_EXPLAINED_DEPTH: u32 = 60;
/// The most simulations of a recorded search.
pub const MOST_SIMULATIONS: u64 = 2000;
/// The most rows that they may take: moves of tables and of random games. This bounds the answer, and the time, on boards of every size.
const MOST_SIMULATION_ROWS: usize = 100_000;

/// How a position looks.
pub async fn position(
    State(app): State<Arc<App>>,
    Body(setup): Body<Setup>,
) -> ApiResult<Json<PositionView>> {
    off_the_loop(move || {
        let (game, session) = setup.open(&app.config.games, app.config.limits.moves)?;
        Ok(Json(PositionView::new(&game, setup.start.as_deref(), &*session)))
    })
    .await
}

/// A position that is put together by hand.
#[derive(Deserialize)]
pub struct ComposeRequest {
    /// What it began with.
    #[serde(flatten)]
    setup: Setup,
    #[serde(flatten)]
    draft: Draft,
}

/// The text of a position that is put together by hand, and what else there is to choose. Whether it is legal is told when it is used.
pub async fn compose(
    State(app): State<Arc<App>>,
    Body(request): Body<ComposeRequest>,
) -> ApiResult<Json<Composed>> {
    off_the_loop(move || {
        let (game, session) = request.setup.open(&app.config.games, app.config.limits.moves)?;
        let composed = session.compose(&request.draft);
        composed.map(Json).ok_or_else(|| {
            ApiError::bad("no_setup", format!("positions of {} cannot be put together by hand", game.label()))
        })
    })
    .await
}

/// A search to record.
#[derive(Deserialize)]
pub struct ExplainRequest {
    #[serde(flatten)]
    setup: Setup,
    #[serde(default = "usual_explained")]
    search: String,
    #[serde(default = "usual_depth")]
    depth: u32,
    #[serde(default = "usual_nodes")]
    most_nodes: usize,
}

fn usual_explained() -> String {
    "alphabeta".to_string()
}

const fn usual_depth() -> u32 {
    3
}

const fn usual_nodes() -> usize {
    2000
}

/// A textbook search, step by step.
pub async fn explain(
    State(app): State<Arc<App>>,
    Body(request): Body<ExplainRequest>,
) -> ApiResult<Json<Explanation>> {
    off_the_loop(move || {
        let (_, session) = request.setup.open(&app.config.games, app.config.limits.moves)?;
        if !(1..=MOST_EXPLAINED_DEPTH).contains(&request.depth) {
            let message = format!("the depth is a number from 1 to {MOST_EXPLAINED_DEPTH}");
            return Err(ApiError::bad("bad_limit", message));
        }
        let nodes = request.most_nodes.min(MOST_EXPLAINED_NODES);
        Ok(Json(session.explain(&request.search, request.depth, nodes)?))
    })
    .await
}

/// Simulations to record.
#[derive(Deserialize)]
pub struct SimulationsRequest {
    #[serde(flatten)]
    setup: Setup,
    #[serde(default = "usual_simulated")]
    search: String,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    #[serde(default = "usual_simulations")]
    simulations: u64,
}

fn usual_simulated() -> String {
    "uct".to_string()
}

const fn usual_simulations() -> u64 {
    20
}

/// A Monte Carlo search of the textbooks, simulation by simulation.
pub async fn simulations(
    State(app): State<Arc<App>>,
    Body(request): Body<SimulationsRequest>,
) -> ApiResult<Json<ExplainedSimulations>> {
    off_the_loop(move || {
        let (_, mut session) = request.setup.open(&app.config.games, app.config.limits.moves)?;
        if !(1..=MOST_SIMULATIONS).contains(&request.simulations) {
            let message = format!("the simulations are a number from 1 to {MOST_SIMULATIONS}");
            return Err(ApiError::bad("bad_limit", message));
        }
        let engine = EngineSpec { search: request.search, options: request.options, ..EngineSpec::default() };
        searching::prepare(&mut *session, &engine, &app.config.limits)?;
        Ok(Json(session.explain_simulations(request.simulations, MOST_SIMULATION_ROWS)?))
    })
    .await
}

/// A position in which somebody may win by force.
#[derive(Deserialize)]
pub struct SolveRequest {
    #[serde(flatten)]
    setup: Setup,
    #[serde(default)]
    nodes: Option<u64>,
}

/// Looks for a win by force, in games that have a solver for that.
pub async fn solve(
    State(app): State<Arc<App>>,
    Body(request): Body<SolveRequest>,
) -> ApiResult<Json<Proven>> {
    let game = find_game(&app.config.games, &request.setup.game)?;
    let not_here = move || {
        let message =
            format!("wins by threats are looked for where a turn has two stones, not in {}", game.label());
        ApiError::bad("no_threats", message)
    };
    let cancel = Cancel::new();
    // Whoever does not wait for the answer any more drops this, and with it the search.
    let _gone = CancelOnDrop(cancel.clone());
    let mut ticket = app.queue.enter(Class::Game, u64::MAX, 1, cancel.clone())?;
    ticket.begun().await;
    off_the_loop(move || {
        // The place at the cores is held until the search ends.
        let _ticket = ticket;
        let (_, session) = request.setup.open(&app.config.games, app.config.limits.moves)?;
        let nodes = request.nodes.unwrap_or(MOST_SOLVE_NODES).clamp(1, MOST_SOLVE_NODES);
        let proven = session.prove_win(nodes, &|| cancel.is_cancelled()).ok_or_else(not_here)?;
        Ok(Json(proven?))
    })
    .await
}
