//! Analyses through the socket.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::TestServer;

fn analyse(id: &str, game: &str, limit: Value) -> Value {
    json!({"type": "analyse", "id": id, "game": game, "start": null, "moves": [], "search": "pvs",
        "options": {"hash": "8"}, "lines": 2, "limit": limit})
}

#[test]
fn an_analysis_reports_and_ends() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    for (game, search) in [
        ("chess", "pvs"),
        ("othello", "mcts"),
        ("connect6", "pvs"),
        ("connect4", "uct"),
        ("tictactoe", "deepening"),
    ] {
        let mut request = analyse(game, game, json!({"nodes": 3000}));
        request["search"] = json!(search);
        request["options"] = json!({});
        socket.send(request);
        let messages = socket.until("done");
        assert!(messages.iter().all(|message| message["id"] == game), "{messages:?}");
        assert_eq!((&messages[0]["type"], &messages[0]["place"]), (&json!("queued"), &json!(0)));
        let report = &messages[messages.len() - 2]["report"];
        assert!(report["nodes"].as_u64() >= Some(1), "{report}");
        assert!(report["stopped"].is_string(), "{report}");
        let line = &report["lines"][0];
        assert_eq!(line["moves"].as_array().map(Vec::len), line["moves_plain"].as_array().map(Vec::len));
        assert!(report["best_move_plain"].is_string(), "{report}");
    }
    socket.send(analyse("x", "chess", json!({"depth": 3})));
    assert_eq!(socket.until("done").pop().expect("an end")["reason"], "depth limit");
}

#[test]
fn reports_are_at_most_ten_a_second_and_the_last_one_comes() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    let begun = Instant::now();
    socket.send(analyse("a", "chess", json!({"seconds": 0.5})));
    let messages = socket.until("done");
    assert!(begun.elapsed() >= Duration::from_millis(400));
    let reports = messages.iter().filter(|message| message["type"] == "report").count();
    assert!((2..=8).contains(&reports), "{reports}");
    assert_eq!(messages[messages.len() - 2]["report"]["stopped"], "time");
}

#[test]
fn places_in_line_are_told_and_stopping_makes_room() {
    let server = TestServer::with(|config| config.limits.cores = 1);
    let [mut first, mut second] = [server.client.socket(), server.client.socket()];
    first.send(analyse("long", "chess", json!({"infinite": true})));
    assert_eq!(first.next()["place"], 0);
    second.send(analyse("next", "othello", json!({"nodes": 100})));
    assert_eq!(second.next()["place"], 1);
    second.send(analyse("third", "othello", json!({"nodes": 100})));
    let queued = second.next();
    assert_eq!((&queued["id"], &queued["place"]), (&json!("third"), &json!(2)));
    // What waits can be stopped as well.
    second.send(json!({"type": "stop", "id": "third"}));
    let stopped = second.until("done").pop().expect("an end");
    assert_eq!((&stopped["id"], &stopped["reason"]), (&json!("third"), &json!("stopped")));
    first.send(json!({"type": "stop", "id": "long"}));
    assert_eq!(first.until("done").pop().expect("an end")["reason"], "stopped");
    let rest = second.until("done");
    assert_eq!((&rest[0]["id"], &rest[0]["place"]), (&json!("next"), &json!(0)));
    // Stopping what is not there is no mistake.
    first.send(json!({"type": "stop", "id": "long"}));
    first.send(analyse("short", "chess", json!({"nodes": 10})));
    first.until("done");
}

#[test]
fn leaving_stops_what_was_started() {
    let server = TestServer::with(|config| config.limits.cores = 1);
    let mut socket = server.client.socket();
    for id in ["a", "b", "c"] {
        socket.send(analyse(id, "connect6", json!({"infinite": true})));
    }
    server.client.wait_for_running(1);
    drop(socket);
    // One after the other comes to its turn, and ends.
    let nothing = json!({"running": 0, "waiting": 0, "held_mebibytes": 0});
    server.client.wait_for_searches(|searches| *searches == nothing);
}

#[test]
fn an_analysis_replaces_the_one_with_its_name() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    socket.send(analyse("a", "chess", json!({"infinite": true})));
    socket.until("report");
    socket.send(analyse("a", "othello", json!({"nodes": 500})));
    let done = socket.until("done").pop().expect("an end");
    assert_eq!(done["reason"], "node limit", "nothing is heard of the first one any more");
    server.client.wait_for_running(0);
}

#[test]
fn long_searches_make_room_and_go_on() {
    make_room_and_go_on(8, 8);
}

#[test]
fn long_searches_go_on_from_scratch_where_there_is_no_room_for_what_they_know() {
    make_room_and_go_on(7, 0);
}

fn make_room_and_go_on(waiting_mebibytes: i64, held: i64) {
    let server = TestServer::with(|config| {
        config.limits.waiting_mebibytes = waiting_mebibytes;
        config.limits.cores = 1;
        config.limits.slice = Duration::from_millis(300);
    });
    let [mut first, mut second] = [server.client.socket(), server.client.socket()];
    first.send(analyse("long", "chess", json!({"infinite": true})));
    let before = first.until("report").pop().expect("a report");
    second.send(analyse("other", "othello", json!({"infinite": true})));
    second.until("report");
    // The first one has to wait, and then goes on where it was. (Without what it knew it counts its time anew, but says nothing
    // until it is as deep as before.)
    first.until("queued");
    assert_eq!(server.client.get("/api/health").ok()["searches"]["held_mebibytes"], held);
    second.send(json!({"type": "stop", "id": "other"}));
    second.until("done");
    let mut places = Vec::new();
    let report = loop {
        let message = first.next();
        match message["type"].as_str() {
            Some("queued") => places.push(message["place"].as_u64().expect("a place")),
            Some("report") if places.last() == Some(&0) => break message["report"].clone(),
            _ => assert_ne!(message["type"], "done"),
        }
    };
    if held > 0 {
        assert!(report["seconds"].as_f64() > Some(0.2), "the time of both turns is counted: {report}");
    }
    assert!(report["depth"].as_u64() >= before["report"]["depth"].as_u64(), "{before} then {report}");
    // A move of a game waits no longer either.
    let game =
        server.client.post("/api/games", json!({"game": "chess", "human": 1, "levels": [1, null]})).ok();
    server
        .client
        .wait_for_game(game["id"].as_str().expect("a name"), |game| game["position"]["to_move"] == 1);
}

#[test]
fn the_server_ends_searches_that_nobody_does() {
    let server = TestServer::with(|config| config.limits.search_time = Duration::from_millis(200));
    let mut socket = server.client.socket();
    for limit in [json!({"infinite": true}), json!({}), json!({"seconds": 1e9}), json!({"nodes": u64::MAX})] {
        let begun = Instant::now();
        socket.send(analyse("a", "chess", limit.clone()));
        assert_eq!(socket.until("done").pop().expect("an end")["reason"], "stopped", "{limit}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{limit}");
    }
}

#[test]
fn nonsense_is_answered_and_survived() {
    let server = TestServer::with(|config| config.limits.searches_per_client = 2);
    let mut socket = server.client.socket();
    let mut code_of = |text: &str| {
        socket.send_text(text);
        socket.until("error").pop().expect("an error")["code"].as_str().expect("a code").to_string()
    };
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in [
        "",
        "nonsense",
        "[]",
        "{}",
        "{\"type\":\"fly\"}",
        "{\"type\":\"analyse\",\"id\":7}",
        "{\"type\":\"stop\"}",
        &nested,
    ] {
        assert_eq!(code_of(text), "bad_message", "{}", &text[..text.len().min(50)]);
    }
    let mut changed = |field: &str, value: Value| {
        let mut request = analyse("a", "chess", json!({"nodes": 10}));
        request[field] = value;
        code_of(&request.to_string())
    };
    assert_eq!(changed("game", json!("go")), "unknown_game");
    assert_eq!(changed("moves", json!(["e5"])), "illegal_move");
    assert_eq!(changed("start", json!("x")), "bad_position");
    assert_eq!(changed("search", json!("x")), "unknown_search");
    assert_eq!(changed("options", json!({"book_file": "/etc/passwd"})), "unknown_option");
    assert_eq!(changed("options", json!({"hash": 1e9})), "bad_option");
    assert_eq!(changed("limit", json!({"nodes": 0})), "bad_limit");
    assert_eq!(changed("limit", json!({"seconds": -1})), "bad_limit");
    assert_eq!(changed("limit", json!({"nodes": -1})), "bad_message");
    assert_eq!(changed("id", json!("x".repeat(1000))), "bad_message");
    for id in ["a", "b"] {
        socket.send(analyse(id, "chess", json!({"infinite": true})));
    }
    socket.send(analyse("c", "chess", json!({"infinite": true})));
    let refused = socket.until("error").pop().expect("an error");
    assert_eq!((&refused["id"], &refused["code"]), (&json!("c"), &json!("too_many")));
}
