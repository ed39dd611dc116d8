//! Searches that are watched through the socket.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Socket, TestServer};

fn watched(id: &str, game: &str, search: &str, limit: Value, trace: Value) -> Value {
    json!({"type": "analyse", "id": id, "game": game, "search": search, "lines": 1, "limit": limit, "trace": trace})
}

/// The records among messages.
fn records(messages: &[Value]) -> Vec<&Value> {
    messages.iter().filter(|message| message["type"] == "trace").map(|message| &message["record"]).collect()
}

fn kinds<'a>(records: &[&'a Value]) -> Vec<&'a str> {
    records.iter().filter_map(|record| record["record"].as_str()).collect()
}

#[test]
fn an_alpha_beta_search_shows_its_iterations() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    let trace = json!({"plies": 2, "most_nodes": 300});
    socket.send(watched("w", "chess", "pvs", json!({"depth": 6}), trace));
    let messages = socket.until("done");
    assert!(messages.iter().all(|message| message["id"] == "w"), "{messages:?}");
    let records = records(&messages);
    let kinds = kinds(&records);
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("begin", "end"), "{kinds:?}");
    assert_eq!(records[0]["game"], "chess");
    assert_eq!(records[0]["options"], json!({"plies": 2, "most_nodes": 300, "least_visits": 1}));
    let iterations: Vec<_> = records.iter().filter(|record| record["record"] == "iteration").collect();
    assert_eq!(iterations.len(), 6, "{kinds:?}");
    for iteration in iterations {
        let tree = iteration["tree"].as_array().expect("a tree");
        assert!((21..=300).contains(&tree.len()), "{}", tree.len());
        assert!(tree.iter().all(|node| node["ply"].as_u64() <= Some(2)));
    }
    assert_eq!(records[records.len() - 1]["stopped"], "depth");
}

#[test]
fn a_monte_carlo_search_shows_how_its_tree_grows() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    let trace = json!({"plies": 3, "most_nodes": 200, "least_visits": 2});
    socket.send(watched("w", "othello", "mcts", json!({"seconds": 1.0}), trace));
    let messages = socket.until("done");
    let records = records(&messages);
    let visits: Vec<u64> = records.iter().filter_map(|record| record["tree"][0]["visits"].as_u64()).collect();
    assert!(visits.len() >= 3 && visits.is_sorted() && visits[0] < visits[visits.len() - 1], "{visits:?}");
    assert!(visits.len() <= 14, "at most ten a second: {}", visits.len());
    let last = records[records.len() - 2];
    assert_eq!((&last["record"], &last["last"]), (&json!("snapshot"), &json!(true)));
    assert!(records[records.len() - 1]["reason"].is_string(), "{}", records[records.len() - 1]);
}

#[test]
fn a_search_that_shows_no_tree_begins_and_ends() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    socket.send(watched("w", "tictactoe", "negamax", json!({"depth": 3}), json!({})));
    assert_eq!(kinds(&records(&socket.until("done"))), ["begin", "end"]);
    let searches = server.client.get("/api/searches?game=tictactoe").ok();
    let shown: Vec<_> =
        searches.as_array().expect("a list").iter().filter(|one| one["shows_tree"] == true).collect();
    assert_eq!(shown.iter().map(|one| &one["name"]).collect::<Vec<_>>(), ["pvs", "mcts"]);
}

#[test]
fn nothing_is_traced_unless_it_is_asked_for() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    socket.send(watched("w", "chess", "pvs", json!({"nodes": 3000}), Value::Null));
    assert!(records(&socket.until("done")).is_empty());
}

#[test]
fn too_much_is_refused() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    let mut code_of = |trace: Value| {
        socket.send(watched("w", "chess", "pvs", json!({"nodes": 10}), trace));
        socket.until("error").pop().expect("an error")["code"].clone()
    };
    for trace in
        [json!({"plies": 0}), json!({"plies": 9}), json!({"most_nodes": 0}), json!({"most_nodes": 4001})]
    {
        assert_eq!(code_of(trace.clone()), "bad_trace", "{trace}");
    }
    for trace in [json!(true), json!({"plies": -1}), json!({"least_visits": "many"})] {
        assert_eq!(code_of(trace.clone()), "bad_message", "{trace}");
    }
    for id in ["a", "b", "c", "d"] {
        socket.send(watched(id, "chess", "pvs", json!({"infinite": true}), json!({})));
    }
    socket.send(watched("e", "chess", "pvs", json!({"infinite": true}), json!({})));
    let refused = socket.until("error").pop().expect("an error");
    assert_eq!((&refused["id"], &refused["code"]), (&json!("e"), &json!("too_many")));
    socket.send(watched("b", "chess", "pvs", json!({"nodes": 10}), json!({})));
    assert_eq!(
        socket.until("done").pop().expect("an end")["id"],
        "b",
        "one that takes another's place is welcome"
    );
}

/// The next `end` of a trace.
fn next_end(socket: &mut Socket) -> Vec<Value> {
    let mut messages = Vec::new();
    loop {
        messages.push(socket.next());
        if messages[messages.len() - 1]["record"]["record"] == "end" {
            return messages;
        }
    }
}

#[test]
fn a_slow_client_loses_pictures_but_neither_begin_nor_end() {
    let server = TestServer::start();
    let mut socket = server.client.socket();
    let trace = json!({"plies": 8, "most_nodes": 4000});
    socket.send(watched("w", "chess", "mcts", json!({"infinite": true}), trace));
    std::thread::sleep(Duration::from_secs(6));
    socket.send(json!({"type": "stop", "id": "w"}));
    // The search ends though nobody has read a word.
    server.client.wait_for_running(0);
    let messages = next_end(&mut socket);
    let records = records(&messages);
    let kinds = kinds(&records);
    assert_eq!(kinds[0], "begin");
    let dropped: u64 = records.iter().filter_map(|record| record["dropped"].as_u64()).sum();
    assert!(dropped > 0, "{} records were sent", kinds.len());
    let last = records[records.len() - 2];
    assert_eq!(last["last"], true, "the newest are kept");
    assert_eq!(socket.until("done").pop().expect("an end")["reason"], "stopped");
}

#[test]
fn a_search_that_makes_room_begins_again() {
    let server = TestServer::with(|config| {
        config.limits.cores = 1;
        config.limits.slice = Duration::from_millis(300);
    });
    let [mut first, mut second] = [server.client.socket(), server.client.socket()];
    first.send(watched("long", "othello", "mcts", json!({"infinite": true}), json!({"plies": 1})));
    first.until("trace");
    second.send(watched("other", "othello", "pvs", json!({"nodes": 1000}), Value::Null));
    second.until("done");
    let before = next_end(&mut first);
    let grown = records(&before).iter().filter_map(|record| record["tree"][0]["visits"].as_u64()).max();
    let mut after = first.until("trace");
    assert_eq!(after.pop().expect("a record")["record"]["record"], "begin");
    assert!(after.iter().any(|message| message["type"] == "queued" && message["place"] == 0), "{after:?}");
    let next = first.until("trace").pop().expect("a record");
    assert!(next["record"]["tree"][0]["visits"].as_u64() >= grown, "it goes on with the tree that it has");
    first.send(json!({"type": "stop", "id": "long"}));
    let rest = first.until("done");
    assert_eq!(kinds(&records(&rest)).last(), Some(&"end"));
}
