//! Questions about a position that are answered at once: how it looks, what a file says, who wins by threats, how a textbook search
//! goes through it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_connect::Connect;
use outplay_connect::threats::{Limits as SolveLimits, Solver, Verdict};
use outplay_core::Notation;
use outplay_engine::{Explanation, SaveNotes};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::cancel::{Cancel, CancelOnDrop};
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::extract::Body;
use crate::queue::Class;
use crate::setup::Setup;
use crate::view::{PositionView, stone_rules};

/// The most nodes of a search for wins by threats.
const MOST_SOLVE_NODES: u64 = 200_000;
/// The most nodes of a recorded search.
const MOST_EXPLAINED_NODES: usize = 20_000;
/// Its greatest depth.
const MOST_EXPLAINED_DEPTH: u32 = 60;

/// How a position looks.
pub async fn position(
    State(app): State<Arc<App>>,
    Body(setup): Body<Setup>,
) -> ApiResult<Json<PositionView>> {
    off_the_loop(move || {
        let session = setup.open(app.config.limits.moves)?;
        Ok(Json(PositionView::new(&setup.game, setup.start.as_deref(), &*session)))
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
        let session = request.setup.open(app.config.limits.moves)?;
        if !(1..=MOST_EXPLAINED_DEPTH).contains(&request.depth) {
            let message = format!("the depth is a number from 1 to {MOST_EXPLAINED_DEPTH}");
            return Err(ApiError::bad("bad_limit", message));
        }
        let nodes = request.most_nodes.min(MOST_EXPLAINED_NODES);
        Ok(Json(session.explain(&request.search, request.depth, nodes)?))
    })
    .await
}

/// A position in which somebody may win by threats.
#[derive(Deserialize)]
pub struct SolveRequest {
    #[serde(flatten)]
    setup: Setup,
    #[serde(default)]
    nodes: Option<u64>,
}

/// What was found.
#[derive(Serialize)]
pub struct SolveAnswer {
    result: &'static str,
    line: Vec<Vec<String>>,
    turns: Option<usize>,
    nodes: u64,
}

/// Looks for a win by double threats.
pub async fn solve(
    State(app): State<Arc<App>>,
    Body(request): Body<SolveRequest>,
) -> ApiResult<Json<SolveAnswer>> {
    let not_here = || {
        let message =
            "wins by threats are looked for in connect6 and connect:M,N,K,P,Q with two stones a turn";
        ApiError::bad("no_threats", message)
    };
    let rules = stone_rules(&request.setup.game).ok_or_else(not_here)?;
    let cancel = Cancel::new();
    // Whoever does not wait for the answer any more drops this, and with it the search.
    let _gone = CancelOnDrop(cancel.clone());
    let mut ticket = app.queue.enter(Class::Game, u64::MAX, 1, cancel.clone())?;
    ticket.begun().await;
    off_the_loop(move || {
        // The place at the cores is held until the search ends.
        let _ticket = ticket;
        let session = request.setup.open(app.config.limits.moves)?;
        let position = Connect::parse_position(&rules, &session.position_text())
            .map_err(|error| ApiError::bad("bad_position", error.to_string()))?;
        let refused =
            |error: outplay_connect::threats::SolveError| ApiError::bad("no_threats", error.to_string());
        let mut solver = Solver::new(rules).map_err(refused)?;
        let nodes = request.nodes.unwrap_or(MOST_SOLVE_NODES).clamp(1, MOST_SOLVE_NODES);
        let limits = SolveLimits { nodes, ..SolveLimits::default() };
        let is_late = || cancel.is_cancelled();
        let solution = solver.solve_until_late(&position, limits, &is_late).map_err(refused)?;
        let (result, line, turns) = match &solution.verdict {
            Verdict::Win(proof) => ("win", proof.main_line(), Some(proof.turns())),
            Verdict::None => ("none", Vec::new(), None),
            Verdict::Cut => ("cut", Vec::new(), None),
        };
        let line = line.iter().map(|turn| turn.moves().map(|m| position.move_text(m)).collect()).collect();
        Ok(Json(SolveAnswer { result, line, turns, nodes: solution.nodes }))
    })
    .await
}

/// A file to read.
#[derive(Deserialize)]
pub struct ImportRequest {
    #[serde(default)]
    game: Option<String>,
    text: String,
    #[serde(default)]
    number: Option<usize>,
}

/// What it says.
#[derive(Serialize)]
pub struct ImportAnswer {
    game: String,
    start: Option<String>,
    moves: Vec<String>,
    count: usize,
    tags: BTreeMap<String, String>,
}

/// The games whose formats are tried where the client does not say which game it is: those that can be told apart come first.
const GUESSED: [&str; 7] = ["chess", "chess960", "othello", "connect6", "gomoku", "connect4", "tictactoe"];

/// Reads a game file, a position or a list of moves.
pub async fn import(Body(request): Body<ImportRequest>) -> ApiResult<Json<ImportAnswer>> {
    off_the_loop(move || {
        let number = request.number.unwrap_or(1);
        if number == 0 {
            return Err(ApiError::bad("no_such_game", "games of a file are counted from 1"));
        }
        if let Some(game) = &request.game {
            return read_game(game, &request.text, number).map(Json);
        }
        let mut answers = GUESSED.into_iter().map(|game| read_game(game, &request.text, number));
        let found = answers.find_map(|answer| answer.ok().filter(|answer| answer.says_something()));
        found.map(Json).ok_or_else(|| {
            ApiError::bad("bad_file", "no game has such a file: say which game it is meant to be")
        })
    })
    .await
}

impl ImportAnswer {
    fn says_something(&self) -> bool {
        !self.moves.is_empty() || self.start.is_some()
    }
}

fn read_game(game: &str, text: &str, number: usize) -> ApiResult<ImportAnswer> {
    let mut session = crate::setup::open_game(game)?;
    let usual = session.position_text();
    let as_file = session.load(text.as_bytes(), number - 1);
    let answer = |start: Option<String>, moves: Vec<String>, count: usize, tags| ImportAnswer {
        game: game.to_string(),
        start,
        moves,
        count,
        tags,
    };
    let error = match as_file {
        Ok(()) => {
            let count = session.count_games(text.as_bytes())?;
            let moves: Vec<String> = session.played_plain().into_iter().map(|(_, text)| text).collect();
            let saved = session.save(&SaveNotes::default());
            while session.undo()?.is_some() {}
            let start = Some(session.position_text()).filter(|start| *start != usual);
            if !moves.is_empty() || start.is_some() {
                return Ok(answer(start, moves, count, crate::tags::of_file(&saved)));
            }
            ApiError::bad("bad_file", "the file holds neither moves nor a position")
        }
        Err(error) => ApiError::bad("bad_file", error.to_string()),
    };
    // A position alone, or a list of moves, is no file.
    if number == 1 && session.set_game(Some(text.trim()), "").is_ok() {
        let start = Some(session.position_text()).filter(|start| *start != usual);
        return Ok(answer(start, Vec::new(), 1, BTreeMap::new()));
    }
    if number == 1 && session.set_game(None, text.trim()).is_ok() {
        let moves = session.played_plain().into_iter().map(|(_, text)| text).collect();
        return Ok(answer(None, moves, 1, BTreeMap::new()));
    }
    Err(error)
}

/// A game to write.
#[derive(Deserialize)]
pub struct ExportRequest {
    #[serde(flatten)]
    setup: Setup,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// By the number of the move, counted from 0.
    #[serde(default)]
    comments: BTreeMap<String, String>,
}

/// The file.
#[derive(Serialize)]
pub struct ExportAnswer {
    text: String,
    extension: &'static str,
}

/// Writes a game in the format of its community.
pub async fn export(
    State(app): State<Arc<App>>,
    Body(request): Body<ExportRequest>,
) -> ApiResult<Json<ExportAnswer>> {
    off_the_loop(move || {
        let session = request.setup.open(app.config.limits.moves)?;
        let mut comments = Vec::new();
        for (number, comment) in request.comments {
            let index: usize = number.parse().map_err(|_| {
                ApiError::bad("bad_request", "comments go by the number of their move, counted from 0")
            })?;
            comments.push((index, comment));
        }
        if let Some(name) = request.tags.keys().find(|name| !crate::tags::is_tag_name(name)) {
            let shown = outplay_core::text::shortened(name);
            return Err(ApiError::bad(
                "bad_request",
                format!("{shown} is no name of a tag: letters, digits and _"),
            ));
        }
        let tags = request.tags.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let text = session.save(&SaveNotes { tags, outcome: None, comments });
        Ok(Json(ExportAnswer { text, extension: session.file_extension() }))
    })
    .await
}
