//! Reviews through the socket, and as files.

use serde_json::{Value, json};

use crate::support::TestServer;

/// White opens the way to a mate, and Black gives it.
const MOVES: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

fn request(limit: Value) -> Value {
    json!({"type": "review", "id": "r", "game": "chess", "moves": MOVES, "search": "pvs", "options": {"hash": 8}, "limit": limit})
}

fn reviewed(server: &TestServer, request: Value) -> Value {
    let mut socket = server.client.socket();
    socket.send(request);
    let mut messages = socket.until("done");
    assert_eq!(messages.pop().expect("an end")["reason"], "reviewed");
    let last = messages.pop().expect("a review");
    assert_eq!(
        (&last["type"], &last["id"], last["share"].as_f64()),
        (&json!("review"), &json!("r"), Some(1.0))
    );
    last["review"].clone()
}

#[test]
fn a_game_is_reviewed_and_written_with_what_was_found() {
    let server = TestServer::start();
    let review = reviewed(&server, request(json!({"nodes": 3000})));
    let turns = review["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 4);
    assert_eq!((&turns[2]["mark"], &turns[2]["reply"]["text"]), (&json!("blunder"), &json!(["Qh4#"])));
    assert!(
        turns[2]["words"].as_str().is_some_and(|words| words.contains("allows a win in 1")),
        "{}",
        turns[2]
    );
    let export = |more: Value| {
        let mut body = json!({"game": "chess", "moves": MOVES, "review": review});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        server.client.post("/api/export", body)
    };
    let game = export(json!({})).ok();
    let text = game["text"].as_str().expect("a file");
    assert!(text.contains("g4 $4") && text.contains("[%eval #-1]") && text.contains('('), "{text}");
    let table = export(json!({"table": true})).ok();
    assert_eq!(
        (&table["extension"], table["text"].as_str().map(|text| text.lines().count())),
        (&json!("csv"), Some(5))
    );
}

#[test]
fn one_turn_is_judged_alone() {
    let server = TestServer::start();
    let mut only_last = request(json!({"nodes": 2000}));
    only_last["moves"] = json!(MOVES[..3]);
    only_last["first"] = json!(2);
    let review = reviewed(&server, only_last);
    let turns = review["turns"].as_array().expect("turns");
    assert_eq!((turns.len(), &turns[0]["mark"]), (1, &json!("blunder")));
    assert_eq!(review["values"][1], Value::Null);
}

#[test]
fn a_review_that_would_not_end_is_refused_and_one_under_way_can_be_stopped() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    socket.send(request(json!({"infinite": true})));
    assert_eq!(socket.until("error").pop().expect("an error")["code"], "bad_limit");
    socket.send(request(json!({"seconds": 60})));
    socket.until("review");
    socket.send(json!({"type": "stop", "id": "r"}));
    assert_eq!(socket.until("done").pop().expect("an end")["reason"], "stopped");
}

#[test]
fn what_is_no_review_is_refused() {
    let server = TestServer::start();
    let export = |body: Value| server.client.post("/api/export", body);
    assert_eq!(export(json!({"game": "chess", "table": true})).refused(400), "bad_request");
    assert_eq!(export(json!({"game": "chess", "review": {"unit": 3}})).refused(400), "bad_json");
    let turn = json!({"from": 9, "to": 700, "player": 0, "number": "1.", "played": [], "phase": null, "forced": false,
        "loss": 1.0, "units": null, "mark": "blunder", "words": null, "advice": null,
        "best": {"text": ["x"], "plain": ["x"]}, "reply": {"text": [], "plain": []}});
    let side = json!({"accuracy": null, "phases": [], "marks": [0, 0, 0]});
    let review = |moves: Value, turn: &Value| json!({"unit": "", "moves": moves, "values": [], "turns": [turn], "sides": [side, side]});
    // What is beyond the game is left out; what cannot be played in it is refused.
    export(json!({"game": "chess", "moves": ["e4"], "review": review(json!(["e2e4"]), &turn)})).ok();
    let mut within = turn;
    (within["from"], within["to"]) = (json!(0), json!(1));
    let refused =
        export(json!({"game": "chess", "moves": ["e4"], "review": review(json!(["e2e4"]), &within)}));
    assert_eq!(refused.refused(400), "illegal_move");
}
