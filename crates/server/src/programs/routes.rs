//! The addresses of programs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use outplay_engine::NamedGame;
use outplay_lab::{PlayerKind, Protocol};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::asking::Tried;
use super::{GIVEN, Program, Programs};
use crate::app::App;
use crate::catalogue::GameQuery;
use crate::error::{ApiResult, off_the_loop};
use crate::extract::{Body, Name, Question};
use crate::setup::find_game;

/// The header that brings the owner's code. No page of another site can send one without being asked first.
const CODE: &str = "x-outplay-code";

/// Which programs there are, and whether others can be added.
#[derive(Serialize)]
pub struct ProgramList {
    may_add: bool,
    /// The protocols that programs for the game may speak.
    protocols: Vec<&'static str>,
    programs: Vec<ProgramView>,
}

/// A program as clients see it.
#[derive(Serialize)]
struct ProgramView {
    id: String,
    name: String,
    protocol: &'static str,
    command: String,
    /// Whether the server was started with it, so that it cannot be removed here.
    given: bool,
    /// Whether it plays the game that was asked about.
    plays: bool,
    /// Whether it says what it thinks, and not only what it plays.
    tells_thoughts: bool,
    /// What its moves can be limited by.
    limits: Vec<&'static str>,
}

impl ProgramView {
    fn new(program: Program, game: &NamedGame) -> ProgramView {
        let plays = program.plays(game);
        let protocol = program.protocol;
        let limits = [
            ("seconds", protocol.knows_time()),
            ("nodes", protocol.knows_nodes()),
            ("depth", protocol.knows_depth()),
        ];
        let command = match &program.spec.kind {
            PlayerKind::External { command, .. } => {
                let words = std::iter::once(&command.program).chain(&command.arguments);
                words.map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        ProgramView {
            given: program.id.starts_with(GIVEN),
            id: program.id,
            name: program.name,
            protocol: protocol.name(),
            command,
            plays,
            tells_thoughts: protocol.tells_thoughts(),
            limits: limits.into_iter().filter(|(_, is_known)| *is_known).map(|(name, _)| name).collect(),
        }
    }
}

/// A program that was added, and what it showed of itself.
#[derive(Serialize)]
pub struct Added {
    program: ProgramView,
    tried: Tried,
}

/// What a client says of a program to be added.
#[derive(Deserialize)]
pub struct NewProgram {
    game: String,
    #[serde(flatten)]
    settings: Map<String, Value>,
}

/// The programs.
pub async fn list(
    State(app): State<Arc<App>>,
    Question(query): Question<GameQuery>,
) -> ApiResult<Json<ProgramList>> {
    off_the_loop(move || {
        let programs: &Programs = &app.programs;
        let game = find_game(&app.config.games, &query.game)?;
        let views = programs.all()?.into_iter().map(|program| ProgramView::new(program, &game));
        let protocols = Protocol::ALL.into_iter().filter(|protocol| protocol.fits(&game)).map(Protocol::name);
        Ok(Json(ProgramList {
            may_add: programs.code().is_some(),
            protocols: protocols.collect(),
            programs: views.collect(),
        }))
    })
    .await
}

/// Tries a program and keeps it, for whoever knows the code.
pub async fn add(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Body(new): Body<NewProgram>,
) -> ApiResult<(StatusCode, Json<Added>)> {
    app.programs.expect_code(code(&headers))?;
    off_the_loop(move || {
        let game = find_game(&app.config.games, &new.game)?;
        let (program, tried) = app.programs.add(&new.game, new.settings)?;
        Ok((StatusCode::CREATED, Json(Added { program: ProgramView::new(program, &game), tried })))
    })
    .await
}

/// Tries a program that is there.
pub async fn test(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(query): Body<GameQuery>,
) -> ApiResult<Json<Tried>> {
    off_the_loop(move || {
        let game = find_game(&app.config.games, &query.game)?;
        let program = app.programs.find_for(&id, &game)?;
        app.programs.try_out(&program, &game).map(Json)
    })
    .await
}

/// Forgets a program, for whoever knows the code.
pub async fn remove(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Name(id): Name,
) -> ApiResult<StatusCode> {
    app.programs.expect_code(code(&headers))?;
    off_the_loop(move || app.programs.remove(&id).map(|()| StatusCode::NO_CONTENT)).await
}

fn code(headers: &HeaderMap) -> Option<&str> {
    headers.get(CODE)?.to_str().ok()
}
