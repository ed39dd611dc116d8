//! Who may do what.

use serde_json::json;

use outplay_server::{Config, Server, ServerError};

use crate::support::{Client, Folder, TestServer};

const TOKEN: &str = "correct-horse-battery";

#[test]
fn other_sites_and_other_names_are_refused() {
    let server = TestServer::start();
    let client = &server.client;
    let code = |headers: &[(&str, &str)], path: &str| client.send("GET", path, headers, b"").refused(403);
    assert_eq!(code(&[("Host", "example.org")], "/api/games"), "bad_host");
    assert_eq!(code(&[("Host", "example.org")], "/"), "bad_host");
    assert_eq!(code(&[("Origin", "http://example.org")], "/api/games"), "bad_origin");
    assert_eq!(code(&[("Origin", "null")], "/api/ws"), "bad_origin");
    assert_eq!(code(&[("Sec-Fetch-Site", "cross-site")], "/api/games"), "bad_origin");
    let own = format!("http://{}", client.address);
    client.send("GET", "/api/games", &[("Origin", &own), ("Sec-Fetch-Site", "same-origin")], b"").ok();
    let local = format!("localhost:{}", client.address.port());
    client.send("GET", "/api/games", &[("Host", &local)], b"").ok();
    assert_eq!(client.send_raw(b"GET / HTTP/1.0\r\n\r\n").status, 400);
}

#[test]
fn the_token_is_wanted_everywhere() {
    let server = TestServer::with(|config| config.token = Some(TOKEN.to_string()));
    let stranger = Client { token: None, ..server.client.clone() };
    for path in [
        "/",
        "/index.html",
        "/api/games",
        "/api/ws",
        "/api/health",
        "/?token=wrong",
        "/api/games?token=",
        "/x",
    ] {
        assert_eq!(stranger.get(path).refused(401), "no_token", "{path}");
    }
    server.client.get("/api/games").ok();
    stranger.get(&format!("/api/games?token={TOKEN}")).ok();
    let welcome = stranger.get(&format!("//evil.example/x?a=1&token={TOKEN}&b=2"));
    assert_eq!(
        (welcome.status, welcome.header("location").as_deref()),
        (303, Some("/evil.example/x?a=1&b=2"))
    );
    let cookie = welcome.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a value");
    stranger.send("GET", "/api/games", &[("Cookie", &format!("a=b; {cookie}"))], b"").ok();
    assert_eq!(stranger.send("GET", "/", &[("Cookie", "outplay_token=wrong")], b"").refused(401), "no_token");
}

#[test]
fn strangers_are_not_let_in_without_one() {
    let folder = Folder::new();
    let mut config = Config::local(folder.0.clone());
    config.address = "0.0.0.0:0".parse().expect("an address");
    assert!(matches!(Server::bind(config.clone()), Err(ServerError::TokenRequired(_))));
    config.token = Some("short".to_string());
    assert!(matches!(Server::bind(config.clone()), Err(ServerError::BadToken(_))));
    config.token = Some(TOKEN.to_string());
    assert!(Server::bind(config).is_ok());
}

#[test]
fn the_next_port_is_taken_where_nobody_asked_for_one() {
    let (first, second) = (Folder::new(), Folder::new());
    let mut config = Config::local(first.0.clone());
    config.address.set_port(0);
    let server = Server::bind(config.clone()).expect("a free port");
    config.data = second.0.clone();
    config.address = server.address();
    config.try_next_ports = false;
    assert!(matches!(Server::bind(config.clone()), Err(ServerError::Address { .. })));
    config.try_next_ports = true;
    let other = Server::bind(config.clone()).expect("a port near by");
    assert_ne!(other.address(), server.address());
    config.address.set_port(0);
    assert!(matches!(Server::bind(config), Err(ServerError::Store { .. })), "the folder is in use");
}

#[test]
fn the_page_is_served_with_care() {
    let server = TestServer::start();
    let client = &server.client;
    let page = client.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type").as_deref(), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
    assert_eq!(page.header("x-content-type-options").as_deref(), Some("nosniff"));
    let etag = page.header("etag").expect("a name for the content");
    assert_eq!(client.send("GET", "/", &[("If-None-Match", &etag)], b"").status, 304);
    let packed = client.send("GET", "/index.html", &[("Accept-Encoding", "gzip, br")], b"");
    assert_eq!(packed.header("content-encoding").as_deref(), Some("gzip"));
    assert_eq!(packed.body.get(..2), Some(&[0x1f, 0x8b][..]));
    assert_eq!(client.get("/analysis/some/place").status, 200, "every address without a dot is the page's");
    for path in [
        "/../Cargo.toml",
        "/assets/../../etc/passwd.txt",
        "/..%2f..%2fetc%2fpasswd.txt",
        "/nothing.js",
        "/%00.js",
    ] {
        assert_eq!(client.get(path).refused(404), "not_found", "{path}");
    }
    assert_eq!(client.post("/", json!({})).refused(405), "wrong_method");
}
