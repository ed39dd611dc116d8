//! Studies: analysis trees whose shape is the page's. The explorer reads their main lines, nothing else does.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::clock::now_ms;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::extract::{Body, Name};
use crate::names::{is_name, new_name};
use crate::store::{Kind, StoreError};

/// The titles of all studies, the one that was changed last first.
pub async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<Value>>> {
    off_the_loop(move || {
        let mut studies = Vec::new();
        for (id, text) in app.store.all(Kind::Studies)? {
            let Ok(study) = serde_json::from_str::<Value>(&text) else { continue };
            let changed = study["changed"].as_u64().unwrap_or(0);
            let shown = json!({"id": id, "title": study["title"], "game": study["game"], "changed": changed});
            studies.push((changed, shown));
        }
        studies.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
        Ok(Json(studies.into_iter().map(|(_, shown)| shown).collect()))
    })
    .await
}

/// Keeps a new study.
pub async fn create(
    State(app): State<Arc<App>>,
    Body(study): Body<Value>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    off_the_loop(move || {
        let id = new_name()?;
        let study = checked(study, &id)?;
        let added = app.store.add(Kind::Studies, &id, &study.to_string(), app.config.limits.studies);
        added.map_err(|error| match error {
            StoreError::Full(_) => ApiError::too_many(error.to_string()),
            error => error.into(),
        })?;
        Ok((StatusCode::CREATED, Json(study)))
    })
    .await
}

/// A study.
pub async fn show(State(app): State<Arc<App>>, Name(id): Name) -> ApiResult<Json<Value>> {
    off_the_loop(move || {
        let text = app.store.get(Kind::Studies, known(&id)?)?.ok_or_else(missing)?;
        let study = serde_json::from_str(&text);
        study
            .map(Json)
            .map_err(|error| ApiError::conflict("unreadable", format!("the study cannot be read: {error}")))
    })
    .await
}

/// Replaces a study.
pub async fn replace(
    State(app): State<Arc<App>>,
    Name(id): Name,
    Body(study): Body<Value>,
) -> ApiResult<Json<Value>> {
    off_the_loop(move || {
        let study = checked(study, known(&id)?)?;
        match app.store.replace(Kind::Studies, &id, &study.to_string())? {
            true => Ok(Json(study)),
            false => Err(missing()),
        }
    })
    .await
}

/// Forgets a study.
pub async fn delete(State(app): State<Arc<App>>, Name(id): Name) -> ApiResult<StatusCode> {
    off_the_loop(move || match app.store.remove(Kind::Studies, known(&id)?)? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(missing()),
    })
    .await
}

fn missing() -> ApiError {
    ApiError::not_found("there is no such study: see /api/studies")
}

fn known(id: &str) -> ApiResult<&str> {
    if is_name(id) { Ok(id) } else { Err(missing()) }
}

/// An object with a title, to which its name and the time are added.
fn checked(study: Value, id: &str) -> ApiResult<Value> {
    let bad = || ApiError::bad("bad_study", "a study is a JSON object with a title");
    let Value::Object(mut fields): Value = study else { return Err(bad()) };
    check_title(&fields).ok_or_else(bad)?;
    fields.insert("id".to_string(), json!(id));
    fields.insert("changed".to_string(), json!(now_ms()));
    Ok(Value::Object(fields))
}

fn check_title(fields: &Map<String, Value>) -> Option<()> {
    let title = fields.get("title")?.as_str()?;
    (!title.trim().is_empty()).then_some(())
}
