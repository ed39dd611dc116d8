//! Lessons: the list of them, and what is measured for one.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_engine::lessons::{Demonstration, Lesson, LessonSettings, Setting, demonstrate};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::cancel::{Cancel, CancelOnDrop};
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::extract::Body;
use crate::queue::Class;

/// A lesson with its game.
#[derive(Serialize)]
pub struct LessonView {
    game: String,
    chapter: &'static str,
    settings: Vec<Setting>,
    #[serde(flatten)]
    lesson: &'static Lesson,
}

/// All lessons, in the order of the course.
pub async fn list(State(app): State<Arc<App>>) -> Json<Vec<LessonView>> {
    let view = |(game, lesson): (String, &'static Lesson)| LessonView {
        game,
        chapter: lesson.topic.chapter().title(),
        settings: lesson.settings(),
        lesson,
    };
    Json(app.config.games.lessons().into_iter().map(view).collect())
}

/// A lesson to be shown.
#[derive(Deserialize)]
pub struct LessonRequest {
    lesson: String,
    #[serde(default)]
    settings: BTreeMap<String, f64>,
}

/// What is measured for a lesson.
pub async fn show(
    State(app): State<Arc<App>>,
    Body(request): Body<LessonRequest>,
) -> ApiResult<Json<Demonstration>> {
    let (game, lesson) = app.config.games.lesson(&request.lesson)?;
    let chosen = request.settings.iter().map(|(name, &value)| (name.as_str(), value));
    let settings =
        LessonSettings::new(lesson, chosen).map_err(|reason| ApiError::bad("bad_option", reason))?;
    let cancel = Cancel::new();
    // Whoever does not wait for a core any more drops this, and with it the place in the line.
    let _gone = CancelOnDrop(cancel.clone());
    let mut ticket = app.queue.enter(Class::Game, u64::MAX, 1, cancel)?;
    ticket.begun().await;
    off_the_loop(move || {
        // The place at the cores is held until all is measured.
        let _ticket = ticket;
        let mut session = app.config.games.open(&game)?;
        let shown = demonstrate(lesson, &settings, &mut *session)?;
        shown.map(Json).ok_or_else(|| {
            let message = format!(
                "lesson {:?} is a search to be followed: ask /api/explain or /api/simulations",
                lesson.name
            );
            ApiError::bad("not_measured", message)
        })
    })
    .await
}
