//! Who may talk to the server.
//!
//! Pages of other sites run in the same browser and can send requests to this machine. So a request has to come by a name of this machine
//! (a stranger's name that points here is refused), from our own page if it says where it comes from, and with the token if there is one.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::{ApiError, ApiResult};

/// The cookie that remembers the token.
const TOKEN_COOKIE: &str = "outplay_token";
/// What the page may load and where it may be shown: everything from here, and nowhere else.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
    worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (HeaderName::from_static("content-security-policy"), HeaderValue::from_static(CONTENT_SECURITY_POLICY)),
    (HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("referrer-policy"), HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Lets through what may pass.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match check(&app, &request) {
        Ok(Pass::Through) => next.run(request).await,
        Ok(Pass::WithCookie(response)) => response,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}

/// What becomes of a request that is not refused.
enum Pass {
    Through,
    /// It brought the token in its address: the browser keeps it in a cookie and comes again without.
    WithCookie(Response),
}

fn check(app: &App, request: &Request) -> ApiResult<Pass> {
    let (headers, path) = (request.headers(), request.uri().path());
    let host = headers
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .ok_or_else(|| ApiError::bad("no_host", "expected a Host header"))?;
    let token = app.config.token.as_deref();
    // A stranger's page does not know the token, by whatever name it comes.
    if token.is_none() && !is_this_machine(host) {
        return Err(forbidden("bad_host", "open the page by the address that the server printed"));
    }
    if headers.get(ORIGIN).is_some_and(|origin| !is_same_origin(origin, host)) {
        return Err(forbidden("bad_origin", "pages of other sites may not use this server"));
    }
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if path.starts_with("/api") && matches!(site, Some(b"cross-site" | b"same-site")) {
        return Err(forbidden("bad_origin", "pages of other sites may not use this server"));
    }
    match token {
        None => Ok(Pass::Through),
        Some(token) => check_token(token, headers, path, request.uri().query().unwrap_or_default()),
    }
}

/// What may not be done here, or not by whoever asks.
pub fn forbidden(code: &'static str, message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, code, message)
}

/// Whether a `Host` names this machine in a way that no stranger can.
fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn is_same_origin(origin: &HeaderValue, host: &str) -> bool {
    let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    authority.is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host))
}

fn check_token(token: &str, headers: &HeaderMap, path: &str, query: &str) -> ApiResult<Pass> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    let cookie = cookies.find(|(name, _)| *name == TOKEN_COOKIE).map(|(_, value)| value);
    if [bearer, cookie].into_iter().flatten().any(|given| is_equal(given, token)) {
        return Ok(Pass::Through);
    }
    let asked = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(name, _)| *name == "token");
    match asked {
        Some((_, given)) if is_equal(given, token) => {}
        _ => {
            let message = "this server wants a token: open the page as http://…/?token=TOKEN";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, "no_token", message));
        }
    }
    if path.starts_with("/api") {
        return Ok(Pass::Through);
    }
    let rest: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("token=")).collect();
    let place = if rest.is_empty() { path.to_string() } else { format!("{path}?{}", rest.join("&")) };
    let cookie = format!("{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    // A path with two slashes at its front would lead to another site.
    let place = format!("/{}", place.trim_start_matches('/'));
    Ok(Pass::WithCookie((StatusCode::SEE_OTHER, [(LOCATION, place), (SET_COOKIE, cookie)]).into_response()))
}

/// Whether two texts are equal, in a time that tells nothing of where they differ.
pub fn is_equal(given: &str, token: &str) -> bool {
    let (given, token) = (given.as_bytes(), token.as_bytes());
    let differences =
        token.iter().enumerate().fold(given.len() ^ token.len(), |differences, (index, byte)| {
            differences | usize::from(given.get(index).copied().unwrap_or_default() ^ byte)
        });
    std::hint::black_box(differences) == 0
}

/// What is wrong with a token; nothing if it can be used. It travels in addresses and cookies, so that it needs no quotes there.
pub fn token_fault(token: &str) -> Option<&'static str> {
    let is_plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
    match token.len() {
        0..12 => Some("a token has 12 letters at least, so that nobody guesses it"),
        12..=256 if is_plain => None,
        _ => Some("a token has letters, digits, and the signs - _ . ~ only, at most 256 of them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_are_known() {
        for host in ["localhost", "LOCALHOST:8088", "127.0.0.1:1", "127.9.9.9", "[::1]:8088", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["", "example.org", "localhost.example.org", "127.0.0.1.example.org", "[::2]", "10.0.0.1"]
        {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn origins_are_compared_with_the_host() {
        let is_same = |origin| is_same_origin(&HeaderValue::from_static(origin), "localhost:8088");
        assert!(is_same("http://localhost:8088") && is_same("https://LOCALHOST:8088"));
        assert!(!is_same("http://localhost:8089") && !is_same("null") && !is_same("http://example.org"));
    }

    #[test]
    fn tokens_are_equal_or_not() {
        assert!(is_equal("abc", "abc") && is_equal("", ""));
        assert!(!is_equal("abd", "abc") && !is_equal("ab", "abc") && !is_equal("abcd", "abc"));
        assert!(!is_equal("", "abc") && !is_equal("\0\0\0", "abc"));
        assert!(token_fault("abcdefghijkl").is_none());
        assert!(token_fault("short").is_some() && token_fault("abcdefghijk;l").is_some());
    }
}
