//! Programs of other people: who may add them, what they are asked, and what becomes of it when they misbehave.

use std::path::Path;
use std::time::{Duration, Instant};

use outplay_lab::PlayerSpec;
use outplay_server::{Config, Server, ServerError};
use serde_json::{Value, json};

use crate::support::{Answer, Client, Folder, PATIENCE, TestServer};

const TOKEN: &str = "correct-horse-battery";

/// A chess program made of a few lines of shell: it plays 1...e5, and anything else its `go` says.
fn uci(go: &str) -> Value {
    let script = format!(
        r#"while read -r line; do case "$line" in
            uci) echo 'id name Shell 1.0'; echo 'option name MultiPV type spin'; echo uciok;;
            isready) echo readyok;;
            setoption*) lines=yes;;
            position*) case "$line" in *moves*) best=e7e5;; *) best=d2d4;; esac;;
            go*) {go};;
            stop) echo "bestmove $best";;
            quit) exit;;
        esac; done"#
    );
    json!({"game": "chess", "cmd": ["sh", "-c", script]})
}

const TALKS: &str = r#"[ "$lines" ] && echo "info depth 7 multipv 2 score cp -20 nodes 99 pv a2a3";
    echo "info depth 7 seldepth 9 multipv 1 score mate 2 nodes 99 pv $best"; echo "bestmove $best""#;

fn add(server: &TestServer, program: &Value) -> Answer {
    let code = server.code.as_deref().unwrap_or_default();
    let body = program.to_string();
    server.client.send("POST", "/api/programs", &[("X-Outplay-Code", code)], body.as_bytes())
}

fn id_of(added: Answer) -> String {
    added.ok()["program"]["id"].as_str().expect("a name").to_string()
}

fn programs(client: &Client, game: &str) -> Vec<Value> {
    let list = client.get(&format!("/api/programs?game={game}")).ok();
    list["programs"].as_array().expect("a list").clone()
}

fn against(id: &str, limit: Value) -> Value {
    json!({"game": "chess", "human": 0, "engines": [null, {"program": {"id": id}, "limit": limit}]})
}

/// Plays 1. e4 against a program and waits for what it does.
fn answer_to_e4(client: &Client, id: &str) -> Value {
    let game = client.post("/api/games", against(id, json!({"seconds": 0.2}))).ok();
    let id = game["id"].as_str().expect("a name");
    client.post(&format!("/api/games/{id}/moves"), json!({"move": "e4"})).ok();
    client.wait_for_game(id, |game| game["thinking"] == false)
}

#[test]
fn a_program_is_tried_added_kept_and_removed() {
    let folder = Folder::new();
    let id = {
        let server = TestServer::at(folder.0.clone(), |_| {});
        let added = add(&server, &uci(TALKS)).ok();
        assert_eq!((&added["tried"]["name"], &added["tried"]["best"]), (&json!("Shell 1.0"), &json!("d4")));
        assert_eq!(added["program"]["name"], "Shell 1.0");
        assert_eq!(added["program"]["limits"], json!(["seconds", "nodes", "depth"]));
        added["program"]["id"].as_str().expect("a name").to_string()
    };
    let server = TestServer::at(folder.0.clone(), |_| {});
    let client = &server.client;
    let protocols = |game: &str| client.get(&format!("/api/programs?game={game}")).ok()["protocols"].clone();
    assert_eq!(protocols("chess"), json!(["uci", "xboard"]));
    assert_eq!(protocols("connect6"), json!(["gtp", "gomocup", "connect6"]));
    assert_eq!(protocols("connect4"), json!([]));
    let plays =
        |game: &str| programs(client, game).iter().map(|one| one["plays"] == true).collect::<Vec<_>>();
    assert_eq!(
        (plays("chess"), plays("chess960:5"), plays("othello")),
        (vec![true], vec![true], vec![false])
    );
    let test = client.post(&format!("/api/programs/{id}/test"), json!({"game": "chess"})).ok();
    assert_eq!(test["name"], "Shell 1.0");
    let code = server.code.clone().expect("a code");
    let gone = client.send("DELETE", &format!("/api/programs/{id}"), &[("X-Outplay-Code", &code)], b"");
    assert_eq!(gone.status, 204);
    assert!(programs(client, "chess").is_empty());
    assert_eq!(client.post("/api/games", against(&id, json!({"seconds": 1}))).refused(404), "not_found");
}

#[test]
fn nothing_is_added_without_the_code_of_the_owner() {
    let folder = Folder::new();
    let witness = folder.0.join("it ran");
    let server = TestServer::start();
    let client = &server.client;
    let script = format!("touch '{}'", witness.display());
    let body = json!({"game": "chess", "cmd": ["sh", "-c", script]}).to_string();
    let send = |headers: &[(&str, &str)]| client.send("POST", "/api/programs", headers, body.as_bytes());
    let code = server.code.clone().expect("a code");
    assert_eq!(send(&[]).refused(403), "wrong_code");
    assert_eq!(send(&[("X-Outplay-Code", "abcdefghijkm")]).refused(403), "wrong_code");
    assert_eq!(send(&[("X-Outplay-Code", "")]).refused(403), "wrong_code");
    // Who knows the code and comes from elsewhere all the same: a page of another site, or one under a name that was bound anew.
    let port = client.address.port();
    let rebound = format!("evil.example:{port}");
    assert_eq!(send(&[("X-Outplay-Code", &code), ("Host", &rebound)]).refused(403), "bad_host");
    for (header, value) in [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://localhost:1"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        assert_eq!(send(&[("X-Outplay-Code", &code), (header, value)]).refused(403), "bad_origin", "{value}");
    }
    // A browser asks first before it sends a header of one's own to another site, and hears nothing that lets it.
    let asked = client.send(
        "OPTIONS",
        "/api/programs",
        &[("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "x-outplay-code")],
        b"",
    );
    assert!(asked.header("access-control-allow-origin").is_none() && asked.status >= 400);
    assert!(!witness.exists(), "a program ran that nobody may run");
    assert_eq!(client.delete("/api/programs/abcdefghijkm").refused(403), "wrong_code");
    // The oracle can tell: with the code, the same request runs it.
    assert_eq!(send(&[("X-Outplay-Code", &code)]).refused(502), "program_failed");
    assert!(witness.exists());
}

#[test]
fn servers_for_strangers_run_no_programs() {
    let folder = Folder::new();
    let mut config = Config::local(folder.0.clone());
    config.address.set_port(0);
    config.programs = vec![PlayerSpec::parse("cmd=sh").expect("a program")];
    config.token = Some(TOKEN.to_string());
    assert!(matches!(Server::bind(config.clone()), Err(ServerError::ProgramsForStrangers)));
    config.address = "0.0.0.0:0".parse().expect("an address");
    assert!(matches!(Server::bind(config), Err(ServerError::ProgramsForStrangers)));

    // One that was added while the server was its owner's alone is out of reach as soon as it is not.
    let id = id_of(add(&TestServer::at(folder.0.clone(), |_| {}), &uci(TALKS)));
    let server = TestServer::at(folder.0.clone(), |config| config.token = Some(TOKEN.to_string()));
    assert!(server.code.is_none());
    let list = server.client.get("/api/programs?game=chess").ok();
    assert_eq!((&list["may_add"], &list["programs"]), (&json!(false), &json!([])));
    assert_eq!(add(&server, &uci(TALKS)).refused(403), "not_owner");
    let test = server.client.post(&format!("/api/programs/{id}/test"), json!({"game": "chess"}));
    assert_eq!(test.refused(403), "not_owner");
    assert_eq!(
        server.client.post("/api/games", against(&id, json!({"seconds": 1}))).refused(403),
        "not_owner"
    );
    let stranger = Client { token: None, ..server.client.clone() };
    for (method, path) in
        [("GET", "/api/programs?game=chess"), ("POST", "/api/programs"), ("DELETE", "/api/programs/x")]
    {
        assert_eq!(stranger.send(method, path, &[], b"").refused(401), "no_token");
    }
}

#[test]
fn what_is_no_program_is_refused_in_words() {
    let server = TestServer::start();
    let words = |program: Value, status: u16| {
        let answer = add(&server, &program);
        assert_eq!(answer.status, status, "{program}: {}", answer.json());
        answer.json()["error"]["message"].as_str().expect("words").to_string()
    };
    for (program, status, expected) in [
        (json!({"game": "chess"}), 400, "expected cmd"),
        (json!({"game": "chess", "search": "pvs"}), 400, "expected cmd"),
        (json!({"game": "chess", "cmd": "x", "proto": "smoke"}), 400, "gomocup"),
        (json!({"game": "chess", "cmd": "x", "proto": null}), 400, "unit"),
        (json!({"game": "othello", "cmd": "x"}), 400, "UCI programs play chess"),
        (json!({"game": "chess", "cmd": ["/no/such/program"]}), 502, "cannot start"),
        (
            json!({"game": "chess", "cmd": ["sh", "-c", "echo sorry >&2; exit 7"]}),
            502,
            "last words: \"sorry\"",
        ),
        (uci("echo bestmove e2e5"), 502, "which cannot be played"),
        (uci("exit 9"), 502, "exit status: 9"),
    ] {
        let found = words(program, status);
        assert!(found.contains(expected), "{found}");
    }
    assert!(programs(&server.client, "chess").is_empty(), "what does not play is not kept");
}

#[test]
fn a_program_plays_and_is_called_by_its_name() {
    let server = TestServer::start();
    let client = &server.client;
    let id = id_of(add(&server, &uci(TALKS)));
    let game = answer_to_e4(client, &id);
    assert_eq!(game["position"]["moves"][1]["text"], "e5");
    assert_eq!(game["engines"][1]["program"]["name"], "Shell 1.0");
    let list = client.get("/api/games").ok();
    assert_eq!(list[0]["opponents"], json!([null, "Shell 1.0"]));
    assert_eq!(client.post("/api/games", against(&id, json!({}))).refused(400), "bad_limit");
}

#[test]
fn whatever_a_program_does_wrong_ends_its_game_in_words_and_can_be_taken_back() {
    let folder = Folder::new();
    let mark = folder.0.join("misbehave");
    // It plays well enough until the file is there.
    let bad = |deed: &str| uci(&format!("if [ -e '{}' ]; then {deed}; else {TALKS}; fi", mark.display()));
    let server = TestServer::start();
    for (deed, words) in [
        ("exit 9", "exit status: 9"),
        ("echo bestmove e2e5", "cannot be played"),
        ("echo bestmove", "without a move"),
        ("head -c 3000000 /dev/zero; exit", "ended"),
    ] {
        drop(std::fs::remove_file(&mark));
        let id = id_of(add(&server, &bad(deed)));
        std::fs::write(&mark, "").expect("our own file");
        let game = answer_to_e4(&server.client, &id);
        let result = &game["result"];
        let text = result["text"].as_str().expect("a result");
        assert!(
            text.starts_with("White wins: Black (Shell 1.0) has failed") && text.contains(words),
            "{text}"
        );
        assert_eq!(result["winner"], 0);
        // Better now: the game goes on where it was.
        std::fs::remove_file(&mark).expect("our own file");
        let path = format!("/api/games/{}", game["id"].as_str().expect("a name"));
        server.client.post(&format!("{path}/takeback"), json!({})).ok();
        server.client.post(&format!("{path}/moves"), json!({"move": "d4"})).ok();
        let id = game["id"].as_str().expect("a name");
        let game = server.client.wait_for_game(id, |game| game["thinking"] == false);
        assert_eq!(game["position"]["moves"][1]["move"], "e7e5", "{game}");
    }
}

#[test]
fn an_analysis_has_the_lines_of_a_program_in_our_words() {
    let server = TestServer::start();
    let id = id_of(add(&server, &uci(TALKS)));
    let mut socket = server.client.socket();
    let ask = |lines: u32| json!({"type": "analyse", "id": "p", "game": "chess", "program": {"id": id}, "lines": lines, "limit": {"nodes": 9}});
    socket.send(ask(2));
    let messages = socket.until("done");
    let report = &messages[messages.len() - 2]["report"];
    let first = json!({"moves": ["d4"], "moves_plain": ["d2d4"], "score": {"win_in": 3}});
    let second = json!({"moves": ["a3"], "moves_plain": ["a2a3"], "score": {"centi": -20}});
    assert_eq!(report["lines"], json!([first, second]));
    assert_eq!((&report["depth"], &report["selective_depth"]), (&json!(7), &json!(9)));
    assert_eq!((&report["program"], &report["nodes"]), (&json!("Shell 1.0"), &json!(99)));
    assert_eq!(messages[messages.len() - 1]["reason"], "node limit");
    socket.send(ask(1));
    let messages = socket.until("done");
    assert_eq!(messages[messages.len() - 2]["report"]["lines"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_analysis_without_an_end_is_stopped_and_the_program_stays() {
    let server = TestServer::start();
    let id = id_of(add(&server, &uci("echo \"info depth $$ score cp 1 pv $best\"")));
    let mut socket = server.client.socket();
    let mut process = || {
        let ask = json!({"type": "analyse", "id": "p", "game": "chess", "program": {"id": id}, "limit": {"infinite": true}});
        socket.send(ask);
        let depth = socket.until("report").pop().expect("a report")["report"]["depth"].clone();
        socket.send(json!({"type": "stop", "id": "p"}));
        assert_eq!(socket.until("done").pop().expect("an end")["reason"], "stopped");
        depth
    };
    assert_eq!(process(), process(), "one process answers both");
}

#[test]
fn an_analysis_tells_what_a_program_did_wrong() {
    let server = TestServer::start();
    let folder = Folder::new();
    let mark = folder.0.join("misbehave");
    let id = id_of(add(&server, &uci(&format!("[ -e '{}' ] && exit 4; {TALKS}", mark.display()))));
    std::fs::write(&mark, "").expect("our own file");
    let mut socket = server.client.socket();
    let ask = |more: Value| {
        let mut ask = json!({"type": "analyse", "id": "p", "game": "chess", "program": {"id": id}, "limit": {"nodes": 9}});
        ask.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        ask
    };
    let mut code = |more: Value| {
        socket.send(ask(more));
        let error = socket.until("error").pop().expect("an error");
        (
            error["code"].as_str().expect("a code").to_string(),
            error["message"].as_str().expect("words").to_string(),
        )
    };
    let (found, words) = code(json!({}));
    assert!(found == "program_failed" && words.contains("exit status: 4"), "{words}");
    assert_eq!(code(json!({"program": {"id": "nobody"}})).0, "not_found");
    assert_eq!(code(json!({"game": "othello"})).0, "other_game");
    assert_eq!(code(json!({"trace": {}})).0, "bad_trace");
    assert_eq!(code(json!({"moves": ["f3", "e5", "g4", "Qh4"]})).0, "game_over");
    assert_eq!(code(json!({"moves": ["e5"]})).0, "illegal_move");
}

#[test]
fn a_program_that_only_plays_gives_its_move_and_is_asked_by_seconds() {
    let script = r#"while read -r command rest; do case "$command" in
        name) printf '= Shell\n\n';; genmove) printf '= d3\n\n';; quit) exit;; *) printf '=\n\n';; esac; done"#;
    let server = TestServer::start();
    let id = id_of(add(
        &server,
        &json!({"game": "othello", "proto": "gtp", "cmd": ["sh", "-c", script], "columns": "with-i"}),
    ));
    let seen = programs(&server.client, "othello");
    assert_eq!((&seen[0]["tells_thoughts"], &seen[0]["limits"]), (&json!(false), &json!(["seconds"])));
    assert_eq!(programs(&server.client, "gomoku")[0]["plays"], false, "it was added for another game");
    let mut socket = server.client.socket();
    let ask = |limit: Value| json!({"type": "analyse", "id": "p", "game": "othello", "program": {"id": id}, "limit": limit});
    socket.send(ask(json!({"seconds": 1})));
    let messages = socket.until("done");
    assert_eq!(
        messages[messages.len() - 2]["report"]["lines"],
        json!([{"moves": ["d3"], "moves_plain": ["d3"]}])
    );
    for limit in [json!({"nodes": 5}), json!({"depth": 5}), json!({"infinite": true})] {
        socket.send(ask(limit));
        assert_eq!(socket.until("error").pop().expect("an error")["code"], "bad_limit");
    }
}

#[test]
fn an_xboard_program_is_asked_in_whole_seconds_and_can_be_stopped() {
    let script = r#"while read -r line; do case "$line" in
        protover*) echo 'feature myname="Board 2" ping=1 setboard=1 usermove=1 done=1';;
        ping*) echo "pong ${line#ping }";;
        st*) time=${line#st };;
        go) echo "$((time + 4)) -12 0 77 Nf6 d4"; [ "$time" -gt 9 ] || echo 'move g8f6';;
        '?') echo 'move g8f6';;
        quit) exit;;
    esac; done"#;
    let first = script.replace("g8f6", "e2e4");
    let server = TestServer::start();
    let added = add(&server, &json!({"game": "chess", "proto": "xboard", "cmd": ["sh", "-c", first]}));
    assert_eq!(added.ok()["tried"]["name"], "Board 2");
    assert_eq!(programs(&server.client, "chess")[0]["limits"], json!(["seconds", "depth"]));
    assert_eq!(programs(&server.client, "chess960:1")[0]["plays"], false);
    let server = TestServer::with(|config| {
        let settings = json!({"name": "board", "proto": "xboard", "cmd": ["sh", "-c", script]});
        config.programs = vec![PlayerSpec::of_settings(&settings).expect("a program")];
    });
    let mut socket = server.client.socket();
    let ask = |limit: Value| {
        json!({"type": "analyse", "id": "p", "game": "chess", "moves": ["e4"],
        "program": {"id": "given:board"}, "lines": 3, "limit": limit})
    };
    socket.send(ask(json!({"seconds": 1.2})));
    let messages = socket.until("done");
    let report = &messages[messages.len() - 2]["report"];
    let line = json!({"moves": ["Nf6", "d4"], "moves_plain": ["g8f6", "d2d4"], "score": {"centi": -12}});
    assert_eq!((&report["lines"], &report["depth"]), (&json!([line]), &json!(6)), "two whole seconds");
    socket.send(ask(json!({"infinite": true})));
    socket.until("report");
    socket.send(json!({"type": "stop", "id": "p"}));
    assert_eq!(socket.until("done").pop().expect("an end")["reason"], "stopped");
    socket.send(ask(json!({"nodes": 5})));
    assert_eq!(socket.until("error").pop().expect("an error")["code"], "bad_limit");
}

#[test]
fn a_program_that_knows_no_time_is_waited_for_and_plays_whole_turns() {
    let script = r#"while read -r line; do case "$line" in
        name) echo 'name Six';; next) sleep 1; echo 'move KKLL';; "new black") echo 'move JJ';; quit) exit;; esac; done"#;
    let server = TestServer::start();
    let id =
        id_of(add(&server, &json!({"game": "connect6", "proto": "connect6", "cmd": ["sh", "-c", script]})));
    assert_eq!(programs(&server.client, "connect6")[0]["limits"], json!([]));
    let seats = json!([null, {"program": {"id": id}}]);
    let game =
        server.client.post("/api/games", json!({"game": "connect6", "human": 0, "engines": seats})).ok();
    let id = game["id"].as_str().expect("a name");
    server.client.post(&format!("/api/games/{id}/moves"), json!({"move": "j10"})).ok();
    let game = server.client.wait_for_game(id, |game| game["thinking"] == false);
    let played: Vec<&Value> =
        game["position"]["moves"].as_array().expect("moves").iter().map(|one| &one["text"]).collect();
    assert_eq!(played, ["j10", "k11", "l12"], "{game}");
}

/// Whether a process runs, and not only waits for its parent to notice its end.
fn is_alive(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn wait_for_end(process: &str) {
    let begun = Instant::now();
    while is_alive(process) {
        assert!(begun.elapsed() < PATIENCE, "{process} lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A program that tells its process in a file, once it is asked for a move.
fn told_in(file: &Path, go: &str) -> Value {
    uci(&format!("echo $$ > '{}'; {go}", file.display()))
}

#[test]
#[cfg(target_os = "linux")]
fn programs_end_with_the_server_and_when_nobody_asks_them() {
    let folder = Folder::new();
    let file = folder.0.join("process");
    let process = || std::fs::read_to_string(&file).expect("a process").trim().to_string();
    let server = TestServer::with(|config| config.limits.program_rest = Duration::ZERO);
    let id = id_of(add(&server, &told_in(&file, TALKS)));
    answer_to_e4(&server.client, &id);
    wait_for_end(&process());

    let server = TestServer::start();
    let id = id_of(add(&server, &told_in(&file, TALKS)));
    answer_to_e4(&server.client, &id);
    let resting = process();
    assert!(is_alive(&resting));
    drop(server);
    assert!(!is_alive(&resting), "it has waited for its next question and ends with the server");

    // One that thinks, and hears nothing.
    let server = TestServer::start();
    let deaf = folder.0.join("deaf");
    let go = format!("if [ -e '{}' ]; then trap '' TERM; sleep 1000; else {TALKS}; fi", deaf.display());
    let id = id_of(add(&server, &told_in(&file, &go)));
    std::fs::write(&deaf, "").expect("our own file");
    std::fs::remove_file(&file).expect("our own file");
    let game = server.client.post("/api/games", against(&id, json!({"seconds": 100}))).ok();
    let path = format!("/api/games/{}/moves", game["id"].as_str().expect("a name"));
    server.client.post(&path, json!({"move": "e4"})).ok();
    let begun = Instant::now();
    while std::fs::read_to_string(&file).map_or(true, |text| text.trim().is_empty()) {
        assert!(begun.elapsed() < PATIENCE, "it is not asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    let thinking = process();
    drop(server);
    assert!(!is_alive(&thinking), "it was thinking when the server ended");
}

#[test]
fn there_are_only_so_many_programs_at_a_time() {
    let server = TestServer::with(|config| config.limits.programs = 1);
    let id = id_of(add(&server, &uci("echo \"info depth 1 score cp 1 pv $best\"")));
    let ask = |name: &str| json!({"type": "analyse", "id": name, "game": "chess", "program": {"id": id}, "limit": {"infinite": true}});
    let mut socket = server.client.socket();
    socket.send(ask("one"));
    socket.until("report");
    socket.send(ask("two"));
    let refused = socket.until("error").pop().expect("an error");
    assert_eq!((&refused["id"], &refused["code"]), (&json!("two"), &json!("too_many")));
    assert_eq!(add(&server, &uci(TALKS)).refused(429), "too_many");
}

#[test]
fn stockfish_plays_and_is_asked() {
    const STOCKFISH: &str = "/usr/games/stockfish";
    if !Path::new(STOCKFISH).exists() {
        return outplay_testing::public_data::skip("stockfish is not installed");
    }
    let server = TestServer::with(|config| {
        config.programs =
            vec![PlayerSpec::parse(&format!("name=fish,cmd={STOCKFISH},option.Hash=16")).expect("a program")];
    });
    let seen = programs(&server.client, "chess");
    assert_eq!((&seen[0]["name"], &seen[0]["given"]), (&json!("fish"), &json!(true)));
    let id = seen[0]["id"].as_str().expect("a name").to_string();
    let code = server.code.clone().expect("a code");
    let path = format!("/api/programs/{id}");
    assert_eq!(server.client.send("DELETE", &path, &[("X-Outplay-Code", &code)], b"").refused(409), "given");
    let game = answer_to_e4(&server.client, &id);
    assert_eq!(game["position"]["moves"].as_array().map(Vec::len), Some(2), "{game}");
    let mut socket = server.client.socket();
    socket.send(json!({"type": "analyse", "id": "p", "game": "chess", "moves": ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"],
        "program": {"id": id}, "lines": 3, "limit": {"depth": 6}}));
    let messages = socket.until("done");
    let lines = messages[messages.len() - 2]["report"]["lines"].as_array().expect("lines").clone();
    assert_eq!(
        (lines.len(), &lines[0]["moves"][0], &lines[0]["score"]),
        (3, &json!("Qxf7#"), &json!({"win_in": 1}))
    );
}
