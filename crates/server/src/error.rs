//! What clients are told when something cannot be done.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use outplay_engine::SessionError;
use serde_json::{Value, json};

use crate::store::StoreError;

/// A refusal: a status, a word for programs and a sentence for people.
#[derive(Debug)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// The word for programs.
    pub code: &'static str,
    /// The sentence for people.
    pub message: String,
    /// What stands beside the error in the answer: the fields of an object.
    pub beside: Option<Value>,
}

/// What most functions here return.
pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// An error with a status of its own.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, code, message: message.into(), beside: None }
    }

    /// The request makes no sense.
    pub fn bad(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The request makes sense, but not as things stand.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, code, message)
    }

    /// There is no such thing.
    pub fn not_found(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// There is too much of something already.
    pub fn too_many(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
    }

    /// A move that cannot be played.
    pub fn illegal_move(error: impl ToString) -> ApiError {
        ApiError::bad("illegal_move", error.to_string())
    }

    /// Something that should never happen, which is our fault.
    pub fn internal(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// The error as the answer has it.
    pub fn body(&self) -> Value {
        let mut body = match &self.beside {
            Some(Value::Object(fields)) => fields.clone(),
            _ => serde_json::Map::new(),
        };
        body.insert("error".to_string(), json!({"code": self.code, "message": self.message}));
        Value::Object(body)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body())).into_response()
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> ApiError {
        let message = error.to_string();
        match error {
            SessionError::Text(_) => ApiError::bad("bad_text", message),
            SessionError::MoveOfList { .. } => ApiError::bad("illegal_move", message),
            SessionError::NotAfter { .. } => ApiError::bad("bad_tree", message),
            SessionError::Option(_) => ApiError::bad("bad_option", message),
            SessionError::UnknownGame { .. } | SessionError::BadRules { .. } => {
                ApiError::bad("unknown_game", message)
            }
            SessionError::UnknownLesson { .. } => ApiError::not_found(message),
            SessionError::GameOver(_) => ApiError::conflict("game_over", message),
            SessionError::NoSuchGame { .. } => ApiError::bad("no_such_game", message),
            SessionError::UnknownLevel { .. } => ApiError::bad("unknown_level", message),
            SessionError::NotExplainable { .. } => ApiError::bad("unknown_search", message),
            SessionError::TooLarge(_) | SessionError::TooManyRows(_) => ApiError::bad("too_large", message),
            SessionError::NoThread(_) => ApiError::too_many(message),
            SessionError::Endless(_) => ApiError::bad("bad_limit", message),
            SessionError::Network(_) => ApiError::bad("bad_network", message),
            SessionError::NoPass(_) => ApiError::conflict("no_pass", message),
            SessionError::NotProvable(_) => ApiError::bad("no_threats", message),
            SessionError::Searching | SessionError::TreeFile(_) => ApiError::internal(message),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        ApiError::internal(format!("the store cannot be used: {error}"))
    }
}

/// Runs work that takes time on a thread where it holds nobody up.
pub async fn off_the_loop<T: Send + 'static>(
    work: impl FnOnce() -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::internal("the request met a bug of the server: please report it")),
    }
}
