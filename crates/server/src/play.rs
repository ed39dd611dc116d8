//! The addresses of games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::ApiResult;
use crate::extract::{Body, Name};
use crate::games::{GameSummary, GameView, NewGame};

/// The version that a client has seen; any, if it does not say.
#[derive(Deserialize)]
pub struct Seen {
    #[serde(default)]
    version: Option<u64>,
}

/// A move.
#[derive(Deserialize)]
pub struct MoveRequest {
    #[serde(rename = "move")]
    text: String,
    #[serde(default)]
    version: Option<u64>,
}

/// All games.
pub async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<GameSummary>>> {
    app.games.list().await.map(Json)
}

/// Begins a game.
pub async fn create(
    State(app): State<Arc<App>>,
    Body(new): Body<NewGame>,
) -> ApiResult<(StatusCode, Json<GameView>)> {
    Ok((StatusCode::CREATED, Json(app.games.create(new).await?)))
}

/// A game.
pub async fn show(State(app): State<Arc<App>>, Name(id): Name) -> ApiResult<Json<GameView>> {
    app.games.show(&id).await.map(Json)
}

/// Forgets a game.
pub async fn delete(State(app): State<Arc<App>>, Name(id): Name) -> ApiResult<StatusCode> {
    app.games.delete(&id).await.map(|()| StatusCode::NO_CONTENT)
}

/// Plays a move.
pub async fn play(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(request): Body<MoveRequest>,
) -> ApiResult<Json<GameView>> {
    app.games.play(&id, request.text, request.version).await.map(Json)
}

/// Takes a move back.
pub async fn take_back(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> ApiResult<Json<GameView>> {
    app.games.take_back(&id, seen.version).await.map(Json)
}

/// Gives up.
pub async fn resign(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> ApiResult<Json<GameView>> {
    app.games.resign(&id, seen.version).await.map(Json)
}

/// Offers a draw.
pub async fn offer_draw(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> ApiResult<Json<GameView>> {
    app.games.offer_draw(&id, seen.version).await.map(Json)
}

/// Asks for a good move.
pub async fn hint(State(app): State<Arc<App>>, Name(id): Name) -> ApiResult<Json<Value>> {
    app.games.hint(&id).await.map(|hint| Json(json!(hint)))
}

/// Lets a game of engines rest.
pub async fn pause(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> ApiResult<Json<GameView>> {
    app.games.pause(&id, seen.version, true).await.map(Json)
}

/// Lets it go on.
pub async fn resume(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> ApiResult<Json<GameView>> {
    app.games.pause(&id, seen.version, false).await.map(Json)
}
