//! What must not harm: a sudden end, and requests that make no sense.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use outplay_core::Rng;
use outplay_server::{Config, Server};
use serde_json::{Value, json};

use crate::support::{Client, Folder, PATIENCE, TestServer};

/// Tells the child where its data is.
const DATA: &str = "OUTPLAY_TEST_DATA";

/// Not a test: the server that is killed, in a process of its own.
#[test]
#[ignore = "run by other tests, in a process of its own"]
fn child() {
    let Some(data) = std::env::var_os(DATA) else { return };
    let mut config = Config::local(data.into());
    config.address.set_port(0);
    let server = Server::bind(config).expect("a free port");
    println!("\nlistening {}", server.address());
    server.run().expect("no end but a violent one");
}

fn start_child(folder: &Folder) -> (Child, Client) {
    let mut child = Command::new(std::env::current_exe().expect("our own name"))
        .args(["--exact", "faults::child", "--ignored", "--nocapture"])
        .env(DATA, &folder.0)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process");
    let output = child.stdout.take().expect("a pipe");
    let (told, address) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix("listening ") {
                told.send(address.to_string()).expect("a listener");
            }
        }
    });
    let address = address.recv_timeout(PATIENCE).expect("an address").parse().expect("an address");
    (child, Client { address, token: None })
}

fn kill(mut child: Child) {
    // SIGKILL: nothing of the server hears of it.
    child.kill().expect("our own process");
    child.wait().expect("our own process");
}

#[test]
fn nothing_that_was_acknowledged_is_lost_when_the_server_is_killed() {
    let folder = Folder::new();
    let mut rng = Rng::new(5);
    let mut known: Option<Value> = None;
    let study = json!({"title": "kept", "tree": {"e4": {}}});
    let mut study_path = String::new();
    for round in 0..3 {
        let (child, client) = start_child(&folder);
        // An analysis runs, and the engine may be thinking, when the end comes.
        let mut socket = client.socket();
        socket.send(json!({"type": "analyse", "id": "a", "game": "chess", "limit": {"infinite": true}}));
        socket.until("report");
        let mut game = match &known {
            None => {
                study_path = format!(
                    "/api/studies/{}",
                    client.post("/api/studies", study.clone()).ok()["id"].as_str().expect("a name")
                );
                client.post("/api/games", json!({"game": "connect6", "human": 0, "levels": [null, 1]})).ok()
            }
            Some(game) => client.get(&format!("/api/games/{}", game["id"].as_str().expect("a name"))).ok(),
        };
        if let Some(known) = &known {
            let [before, after] =
                [known, &game].map(|game| game["position"]["moves"].as_array().expect("moves").clone());
            assert!(after.starts_with(&before), "round {round}: {before:?} {after:?}");
            assert!(game["version"].as_u64() >= known["version"].as_u64());
            assert_eq!(client.get(&study_path).ok()["tree"], study["tree"]);
        }
        let id = game["id"].as_str().expect("a name").to_string();
        for _ in 0..6 {
            game = client.wait_for_game(&id, |game| {
                game["position"]["to_move"] == 0 && game["thinking"] == false || !game["result"].is_null()
            });
            if !game["result"].is_null() {
                break;
            }
            let legal = game["position"]["legal"].as_array().expect("moves");
            let body = json!({"move": legal[rng.below(legal.len())]["move"], "version": game["version"]});
            game = client.post(&format!("/api/games/{id}/moves"), body).ok();
        }
        kill(child);
        known = Some(game);
    }
}

/// Values that no request is made for.
fn nonsense(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(if depth == 0 { 14 } else { 17 }) {
        0 => Value::Null,
        1 => json!(rng.below(2) == 0),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(i64::MIN),
        5 => json!(1e308),
        6 => json!(0.5),
        7 => json!(""),
        8 => json!("../../../etc/passwd"),
        9 => json!("\u{0}\u{202e}é𝄞\n\r\t\"\\"),
        10 => json!("x".repeat(rng.below(5000))),
        11 => json!(
            ["chess", "othello", "connect6", "connect:21,21,6,2,1", "connect:99,99,1,1,1", "connect4:0x0"]
                [rng.below(6)]
        ),
        12 => json!(["e4", "f5", "j10", "d", "pass", "1.", "--", "0000", "e7e8q"][rng.below(9)]),
        13 => json!(rng.below(1000)),
        14 => Value::Array((0..rng.below(5)).map(|_| nonsense(rng, depth - 1)).collect()),
        15 => {
            json!({"nodes": nonsense(rng, depth - 1), "seconds": nonsense(rng, depth - 1), "search": nonsense(rng, depth - 1)})
        }
        _ => json!({"a": nonsense(rng, depth - 1), "": nonsense(rng, depth - 1)}),
    }
}

/// A body as the description has it, with something wrong in it, or nothing.
fn body(rng: &mut Rng, description: &Value, schema: &Value) -> Value {
    let schema = match schema["$ref"].as_str() {
        Some(name) => &description["components"]["schemas"][name.rsplit('/').next().expect("a name")],
        None => schema,
    };
    let mut body = json!({});
    for (name, _) in schema["properties"].as_object().into_iter().flatten() {
        let value = match (name.as_str(), rng.below(3)) {
            (_, 0) => nonsense(rng, 3),
            ("game", _) => json!(["chess", "othello", "connect6", "connect4", "tictactoe"][rng.below(5)]),
            ("moves", _) => json!([(["e4", "f5", "j10", "d", "b2"][rng.below(5)])]),
            ("move", _) => json!(["e4", "f5", "j10", "d", "b2"][rng.below(5)]),
            ("text", _) => {
                json!(["1. e4 e5", "(;GM[1];B[jj])", "f5d6", "(;GM[Othello]", "8/8/8 w"][rng.below(5)])
            }
            ("title", _) => json!("A title"),
            ("clock" | "start" | "version" | "human", 1) => Value::Null,
            ("levels", _) => json!([1, 1]),
            ("depth", _) => json!(2),
            ("nodes" | "most_nodes" | "number" | "seconds", _) => json!(1 + rng.below(100)),
            _ => continue,
        };
        body[name] = value;
    }
    body
}

#[test]
fn nonsense_to_every_address_is_refused_cleanly() {
    let server = TestServer::with(|config| config.limits.games = 50);
    let client = &server.client;
    let description = client.get("/api/openapi.json").ok();
    let mut rng = Rng::new(11);
    // A game that stays, so that some requests find something.
    let game = client.post("/api/games", json!({"game": "chess", "human": 0, "levels": [null, 1]})).ok();
    let tricks = [
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%ff",
        "a".repeat(3000).as_str(),
        "%2e%2e",
        "null",
        "..;",
        "%7B%7D",
    ]
    .map(str::to_string);
    let mut statuses = std::collections::BTreeMap::new();
    for (path, methods) in description["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            for round in 0..24 {
                let name = match rng.below(3) {
                    0 => tricks[rng.below(tricks.len())].clone(),
                    // Deleting it is left to the other rounds.
                    _ if method == "delete" => "aaaaaaaaaaaa".to_string(),
                    _ => game["id"].as_str().expect("a name").to_string(),
                };
                let mut path = path.replace("{id}", &name);
                if round % 4 == 3 {
                    path += ["?game=%ff", "?game=", "?game=connect6&game=x", "?token=%00"][rng.below(4)];
                }
                let bytes = match round {
                    0 => b"{".to_vec(),
                    1 => format!("{}{}", "[".repeat(5000), "]".repeat(5000)).into_bytes(),
                    2 => vec![b'"'; 200],
                    3 => b"\xff\xfe\x00".to_vec(),
                    4 => vec![b' '; (1 << 20) + 100],
                    5..8 => nonsense(&mut rng, 3).to_string().into_bytes(),
                    _ => body(&mut rng, &description, schema).to_string().into_bytes(),
                };
                let answer = client.send(
                    &method.to_uppercase(),
                    &path,
                    &[("Content-Type", "application/json")],
                    &bytes,
                );
                let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(500)]).into_owned();
                assert!((200..500).contains(&answer.status), "{method} {path} {shown}: {answer:?}");
                if answer.status >= 400 {
                    assert!(
                        answer.json()["error"]["code"].is_string(),
                        "{method} {path} {shown}: {answer:?}"
                    );
                }
                *statuses.entry(answer.status).or_insert(0) += 1;
            }
        }
    }
    assert!(
        statuses.get(&200) > Some(&50) && statuses.get(&400) > Some(&50),
        "some make sense, some do not: {statuses:?}"
    );
    client.get(&format!("/api/games/{}", game["id"].as_str().expect("a name"))).ok();
}

#[test]
fn whoever_does_not_go_on_is_given_up() {
    let server = TestServer::with(|config| {
        config.limits.patience = Duration::from_millis(300);
        config.limits.connections = 2;
    });
    let begun = Instant::now();
    let unfinished = [
        "",
        "GET /api/health HTTP/1.1\r\nHost: ",
        "POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    ];
    for text in unfinished {
        let mut stream = TcpStream::connect(server.client.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(text.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .unwrap_or_else(|error| panic!("{text:?}: {error}, after {answer:?}"));
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{text:?}: {answer}");
    }
    assert!(begun.elapsed() >= 3 * Duration::from_millis(300));
    server.client.get("/api/health").ok();
}

#[test]
fn whoever_does_not_read_is_given_up() {
    let server = TestServer::with(|config| {
        config.limits.patience = Duration::from_millis(300);
        config.limits.connections = 1;
    });
    let mut stream = TcpStream::connect(server.client.address).expect("a connection");
    stream.set_write_timeout(Some(Duration::from_millis(100))).expect("a timeout");
    let request = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
    let is_stuck = (0..1000).any(|_| stream.write_all(request.as_bytes()).is_err());
    assert!(is_stuck, "a server that reads on without being read would need memory without end");
    // There is one place only.
    server.client.get("/api/health").ok();
    drop(stream);
}

#[test]
fn bytes_that_are_no_http_are_survived() {
    let server = TestServer::start();
    for bytes in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    ] {
        let status = server.client.send_raw(bytes).status;
        assert!(status < 500, "{status}");
    }
    let mut head = b"GET / HTTP/1.1\r\nHost: localhost\r\n".to_vec();
    for number in 0..500 {
        head.extend(format!("X-{number}: {}\r\n", "y".repeat(500)).bytes());
    }
    head.extend(b"\r\n");
    assert!(server.client.send_raw(&head).status < 500);
    server.client.get("/api/health").ok();
}
