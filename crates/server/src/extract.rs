//! Requests taken apart, with errors of our own for what cannot be read.

use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// A body in JSON. An empty one counts as an empty object.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let bytes = Bytes::from_request(request, state).await.map_err(body_error)?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        let value = serde_json::from_slice(text)
            .map_err(|error| ApiError::bad("bad_json", format!("the body cannot be read: {error}")))?;
        Ok(Body(value))
    }
}

fn body_error(rejection: BytesRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the body is too large")
        }
        _ => ApiError::bad("bad_body", "the body did not arrive"),
    }
}

/// The name in a path.
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, ApiError> {
        let path: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
        match path {
            Ok(Path(name)) => Ok(Name(name)),
            Err(_) => Err(ApiError::not_found("there is nothing under this address")),
        }
    }
}

/// What stands behind the question mark.
pub struct Question<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Question<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Question<T>, ApiError> {
        let query: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        match query {
            Ok(Query(value)) => Ok(Question(value)),
            Err(error) => Err(ApiError::bad("bad_query", error.body_text())),
        }
    }
}
