//! The page, which the build has embedded.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// A file of the page.
struct Asset {
    /// Its path, as in addresses.
    path: &'static str,
    /// Its media type.
    kind: &'static str,
    /// Its content.
    plain: &'static [u8],
    /// The same, compressed.
    gzip: &'static [u8],
    /// A name for the content, in quotes.
    etag: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The file that is shown for every address that is no file.
const INDEX: &str = "/index.html";
/// Files below have a name that changes with their content.
const NAMED_BY_CONTENT: &str = "/assets/";

/// A file of the page, or an error for addresses that lead nowhere.
pub async fn page(request: Request) -> Response {
    let path = request.uri().path();
    let nothing = || ApiError::not_found("there is nothing under this address: see /api/openapi.json");
    if path.starts_with("/api") {
        return nothing().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return wrong_method().await.into_response();
    }
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let wanted = if is_file { path } else { INDEX };
    match PAGE.iter().find(|asset| asset.path == wanted) {
        Some(asset) => answer(asset, &request),
        None => nothing().into_response(),
    }
}

/// The answer to a method that an address does not have.
pub async fn wrong_method() -> ApiError {
    let message = "this address has other methods: see /api/openapi.json";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}

fn answer(asset: &'static Asset, request: &Request) -> Response {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let cache = match asset.path.starts_with(NAMED_BY_CONTENT) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let response = Response::builder()
        .header(CONTENT_TYPE, asset.kind)
        .header(CACHE_CONTROL, cache)
        .header(ETAG, asset.etag)
        .header(VARY, "accept-encoding");
    let is_known =
        header(IF_NONE_MATCH).split(',').any(|etag| etag.trim().trim_start_matches("W/") == asset.etag);
    let response = if is_known {
        response.status(StatusCode::NOT_MODIFIED).body(Body::empty())
    } else if header(ACCEPT_ENCODING).contains("gzip") {
        response.header(CONTENT_ENCODING, "gzip").body(Body::from(asset.gzip))
    } else {
        response.body(Body::from(asset.plain))
    };
    response.unwrap_or_else(|_| ApiError::internal("the page cannot be sent").into_response())
}
