//! The addresses of the explorer.

use std::num::NonZero;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use super::Explored;
use super::files::{self, FileView, GameFile, NO_FILE};
use crate::app::App;
use crate::catalogue::GameQuery;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::exchange::ImportAnswer;
use crate::extract::{Body, Name, Question};
use crate::names::is_name;
use crate::setup::{Setup, find_game};
use crate::store::Kind;

/// What there is to ask about a game.
pub async fn sources(
    State(app): State<Arc<App>>,
    Question(query): Question<GameQuery>,
) -> ApiResult<Json<Value>> {
    off_the_loop(move || {
        let game = find_game(&app.config.games, &query.game)?;
        app.explorer.sources(&app, &game).map(Json)
    })
    .await
}

/// What is known of a position.
pub async fn explore(State(app): State<Arc<App>>, Body(setup): Body<Setup>) -> ApiResult<Json<Explored>> {
    off_the_loop(move || {
        let (game, mut session) = setup.open(&app.config.games, app.config.limits.moves)?;
        app.explorer.explore(&app, &game, &mut *session).map(Json)
    })
    .await
}

/// Keeps a file of games.
pub async fn add_file(
    State(app): State<Arc<App>>,
    Body(file): Body<GameFile>,
) -> ApiResult<(StatusCode, Json<FileView>)> {
    off_the_loop(move || Ok((StatusCode::CREATED, Json(files::add(&app, file)?)))).await
}

/// A game of a file.
#[derive(Deserialize)]
pub struct GameNumber {
    /// Counted from 1.
    number: NonZero<usize>,
}

/// A game of such a file, with all that the file says of it.
pub async fn open_game(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Question(game): Question<GameNumber>,
) -> ApiResult<Json<ImportAnswer>> {
    off_the_loop(move || files::open(&app, &id, game.number.get()).map(Json)).await
}

/// Forgets one.
pub async fn remove_file(State(app): State<Arc<App>>, Name(id): Name) -> ApiResult<StatusCode> {
    off_the_loop(move || match is_name(&id) && app.store.remove(Kind::Files, &id)? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::not_found(NO_FILE)),
    })
    .await
}
