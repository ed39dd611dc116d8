//! One review: every position that it asks for is an analysis, which waits for the cores like any other.

use std::sync::Arc;
use std::time::Duration;

use outplay_lab::review::Course;
use outplay_search::StopReason;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::analysis::{AnalysisRequest, Finished, Listener, take_turns};
use crate::app::App;
use crate::cancel::Cancel;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::searching::EngineSpec;
use crate::setup::Setup;

/// What has been found so far is told in full, and not more often than this.
const BETWEEN_REPORTS: Duration = Duration::from_millis(500);

/// What a client asks for.
#[derive(Clone, Deserialize, Debug)]
pub struct ReviewRequest {
    /// The game.
    #[serde(flatten)]
    setup: Setup,
    /// Who judges, and how long each position is searched.
    #[serde(flatten)]
    engine: EngineSpec,
    /// The first move that is judged, counted from 0.
    #[serde(default)]
    first: usize,
}

/// Runs a review to its end.
pub async fn review(
    app: Arc<App>,
    client: u64,
    request: ReviewRequest,
    cancel: Arc<Cancel>,
    listener: Listener,
) {
    let result = judge_all(&app, client, request, &cancel, &listener).await;
    listener.tell_end(result).await;
}

async fn judge_all(
    app: &Arc<App>,
    client: u64,
    request: ReviewRequest,
    cancel: &Arc<Cancel>,
    listener: &Listener,
) -> ApiResult<&'static str> {
    let ReviewRequest { setup, engine, first } = request;
    if engine.limit.is_open() {
        return Err(ApiError::bad(
            "bad_limit",
            "a review needs a limit for each position: nodes, seconds or depth",
        ));
    }
    let mut course = {
        let (app, setup) = (app.clone(), setup.clone());
        let course = move || {
            let (game, board) = setup.open_as_played(&app.config.games, app.config.limits.moves)?;
            Ok(Course::new(&game, board, first)?)
        };
        off_the_loop(course).await?
    };
    let mut held = None;
    let mut next = Instant::now();
    loop {
        let question;
        (question, course) = off_the_loop(move || Ok((course.question()?, course))).await?;
        if question.is_none() || Instant::now() >= next {
            next = Instant::now() + BETWEEN_REPORTS;
            let (share, review) = (course.progress(), course.review());
            listener
                .tell(json!({"type": "review", "id": listener.id, "share": share, "review": review}))
                .await;
        }
        let Some(question) = question else { return Ok("reviewed") };
        let limit = if question.is_deeper { engine.limit.deeper() } else { engine.limit.clone() };
        let moves = question.moves.into_iter().map(|(_, text)| text).collect();
        let request = AnalysisRequest {
            setup: Setup { moves, ..setup.clone() },
            engine: EngineSpec { limit, ..engine.clone() },
            lines: 1,
            trace: None,
        };
        let asked = take_turns(app, client, request, held.take(), cancel, &Listener::silent()).await?;
        let Finished { opinion, held: learned, .. } = asked;
        if cancel.is_cancelled() {
            return Ok(StopReason::Stopped.text());
        }
        held = learned;
        course =
            off_the_loop(move || course.answer(opinion).map(|()| course).map_err(ApiError::from)).await?;
    }
}
