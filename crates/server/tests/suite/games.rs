//! Games against the engine.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use outplay_core::Rng;
use outplay_engine::{CATALOGUE, Catalogue, GameRow};
use serde_json::{Value, json};

use crate::support::{Client, Folder, TestServer};

fn begin(client: &Client, request: Value) -> Value {
    client.post("/api/games", request).ok()
}

fn id(game: &Value) -> String {
    game["id"].as_str().expect("a name").to_string()
}

fn act(client: &Client, game: &Value, what: &str) -> Value {
    client.post(&format!("/api/games/{}/{what}", id(game)), json!({})).ok()
}

fn is_turn_of_human(game: &Value) -> bool {
    !game["result"].is_null() || (game["position"]["to_move"] == game["human"] && game["thinking"] == false)
}

fn moves(game: &Value) -> usize {
    game["position"]["moves"].as_array().expect("moves").len()
}

/// Plays random moves for the person until the game ends.
fn play_out(client: &Client, request: Value, rng: &mut Rng) -> Value {
    let mut game = begin(client, request);
    loop {
        game = client.wait_for_game(&id(&game), is_turn_of_human);
        if !game["result"].is_null() {
            return game;
        }
        let legal = game["position"]["legal"].as_array().expect("moves");
        let chosen = &legal[rng.below(legal.len())];
        let body = json!({"move": chosen["move"], "version": game["version"]});
        let after = client.post(&format!("/api/games/{}/moves", id(&game)), body).ok();
        assert!(moves(&after) > moves(&game));
        game = after;
    }
}

#[test]
fn every_game_is_played_to_its_end() {
    let server = TestServer::start();
    let mut rng = Rng::new(3);
    for (game, human) in [
        ("chess", 0),
        ("chess960:7", 1),
        ("othello", 0),
        ("connect6", 1),
        ("gomoku", 0),
        ("connect4", 1),
        ("tictactoe", 0),
    ] {
        let levels = json!([2, 2]);
        let end = play_out(&server.client, json!({"game": game, "human": human, "levels": levels}), &mut rng);
        assert_eq!(end["position"]["outcome"]["text"], end["result"]["text"], "{game}");
        assert_eq!(end["thinking"], false, "{game}");
        let refused = server.client.post(&format!("/api/games/{}/moves", id(&end)), json!({"move": "e4"}));
        assert_eq!(refused.refused(409), "game_over", "{game}");
    }
    let list = server.client.get("/api/games").ok();
    assert_eq!(list.as_array().map(Vec::len), Some(7));
    assert_eq!(
        (&list[0]["game"], list[0]["outcome"].is_null()),
        (&json!("tictactoe"), false),
        "the newest is first"
    );
}

#[test]
fn othello_passes_by_itself() {
    let server = TestServer::start();
    let mut rng = Rng::new(1);
    // Against a strong opponent one has to pass soon.
    for _ in 0..10 {
        let end =
            play_out(&server.client, json!({"game": "othello", "human": 0, "levels": [null, 9]}), &mut rng);
        let played = end["position"]["moves"].as_array().expect("moves");
        if played.iter().any(|played| played["player"] == 0 && played["text"] == "pass") {
            // The person was never asked for it: random moves come from the legal ones, and a pass was never among several.
            return;
        }
    }
    panic!("ten games without a pass");
}

#[test]
fn stale_and_wrong_moves_change_nothing() {
    let server = TestServer::start();
    let client = &server.client;
    let game = begin(client, json!({"game": "chess", "human": 0, "levels": [null, 1]}));
    let path = format!("/api/games/{}/moves", id(&game));
    assert_eq!((&game["version"], &game["offer"]), (&json!(1), &Value::Null));
    assert_eq!(client.post(&path, json!({"move": "e5", "version": 1})).refused(400), "illegal_move");
    assert_eq!(client.post(&path, json!({"move": ["e5"]})).refused(400), "bad_json");
    let after = client.post(&path, json!({"move": "e4", "version": 1})).ok();
    assert_eq!(after["position"]["moves"][0]["text"], "e4");
    let stale = client.post(&path, json!({"move": "d4", "version": 1}));
    let body = stale.json();
    assert_eq!(stale.refused(409), "stale_version");
    assert_eq!(
        (&body["id"], body["position"]["moves"].is_array()),
        (&game["id"], true),
        "the game comes with it"
    );
    let answered = client.wait_for_game(&id(&game), is_turn_of_human);
    assert_eq!(moves(&answered), 2);
    // Engine to move first: a person cannot move for it.
    let slow = json!([{"search": "pvs", "limit": {"seconds": 5}}, null]);
    let waiting = begin(client, json!({"game": "chess", "human": 1, "engines": slow}));
    let refused = client.post(&format!("/api/games/{}/moves", id(&waiting)), json!({"move": "e4"}));
    assert_eq!(refused.refused(409), "not_your_turn");
    assert_eq!(waiting["thinking"], true);
    client.delete(&format!("/api/games/{}", id(&waiting))).ok();
    assert_eq!(client.get(&format!("/api/games/{}", id(&waiting))).refused(404), "not_found");
    client.wait_for_running(0);
}

#[test]
fn moves_are_taken_back() {
    let server = TestServer::start();
    let client = &server.client;
    let game = begin(client, json!({"game": "connect6", "human": 1, "levels": [1, null]}));
    let takeback = format!("/api/games/{}/takeback", id(&game));
    client.wait_for_game(&id(&game), is_turn_of_human);
    assert_eq!(client.post(&takeback, json!({})).refused(409), "nothing_to_take_back");
    let play =
        |text: &str| client.post(&format!("/api/games/{}/moves", id(&game)), json!({"move": text})).ok();
    let first_stone = play("s18");
    assert_eq!((moves(&first_stone), &first_stone["position"]["stones_left"]), (2, &json!(1)));
    let back = act(client, &game, "takeback");
    assert_eq!((moves(&back), &back["position"]["stones_left"]), (1, &json!(2)), "between the two stones");
    play("s18");
    play("s17");
    let answered = client.wait_for_game(&id(&game), is_turn_of_human);
    assert_eq!(moves(&answered), 5);
    let back = act(client, &game, "takeback");
    assert_eq!(
        (moves(&back), &back["position"]["to_move"]),
        (1, &json!(1)),
        "the answer and both own stones"
    );
    let resigned = act(client, &game, "resign");
    assert_eq!(resigned["result"]["winner"], 0);
    let back = act(client, &game, "takeback");
    assert_eq!((&back["result"], moves(&back)), (&Value::Null, 1), "a resignation is taken back alone");
}

#[test]
fn turns_of_two_stones_are_taken_back_and_hinted_as_a_whole() {
    let server = TestServer::start();
    let client = &server.client;
    let request = json!({"game": "connect6", "moves": ["j10", "a1", "b2"], "human": 0, "levels": [null, 1]});
    let game = begin(client, request);
    for stone in ["k11", "l12"] {
        client.post(&format!("/api/games/{}/moves", id(&game)), json!({"move": stone})).ok();
    }
    let game = client.wait_for_game(&id(&game), is_turn_of_human);
    assert_eq!(moves(&game), 7);
    let back = act(client, &game, "takeback");
    assert_eq!((moves(&back), &back["position"]["stones_left"]), (3, &json!(2)));
    let hint = act(client, &back, "hint");
    assert_eq!(hint["moves"].as_array().map(Vec::len), Some(2), "{hint}");
    assert_eq!(back["given"], 3);
    // One stone is left of the first turn.
    let back = act(client, &back, "takeback");
    assert_eq!((moves(&back), &back["given"]), (0, &json!(0)), "what was given can be taken back as well");
}

#[test]
fn a_low_level_does_not_play_the_same_game_every_time() {
    let server = TestServer::start();
    let client = &server.client;
    let mut answers: Vec<String> = (0..8)
        .map(|_| {
            let game = begin(client, json!({"game": "othello", "human": 1, "levels": [1, null]}));
            let game = client.wait_for_game(&id(&game), is_turn_of_human);
            game["position"]["moves"][0]["move"].as_str().expect("a move").to_string()
        })
        .collect();
    answers.sort();
    answers.dedup();
    // Four first moves; the same one eight times hardly ever comes.
    assert!(answers.len() > 1, "{answers:?}");
    let seeded =
        json!({"search": "mcts", "options": {"temperature": "1", "seed": 5}, "limit": {"nodes": 20}});
    let first = |_: u32| {
        let request = json!({"game": "othello", "human": 1, "engines": [seeded, null]});
        let game = client.wait_for_game(&id(&begin(client, request)), is_turn_of_human);
        game["position"]["moves"][0]["move"].clone()
    };
    let [one, same, again] = [0; 3].map(first);
    assert!(one == same && one == again, "whoever names a seed has chosen: {one}, {same}, {again}");
}

#[test]
fn draws_hints_and_resignations() {
    let server = TestServer::start();
    let client = &server.client;
    // The engine, White, has a bare king against a queen: it takes the draw.
    let lost =
        json!({"game": "chess", "start": "7k/8/8/3q4/8/8/8/K7 b - - 0 1", "human": 1, "levels": [1, null]});
    let drawn = act(client, &begin(client, lost), "draw");
    assert_eq!(
        (&drawn["result"]["winner"], &drawn["result"]["text"]),
        (&Value::Null, &json!("A draw: by agreement"))
    );
    // It moves first: one that draws lots might lose its queen.
    let won =
        json!({"game": "chess", "start": "7k/8/8/3q4/8/8/8/K7 b - - 0 1", "human": 0, "levels": [null, 7]});
    let game = begin(client, won);
    let game = client.wait_for_game(&id(&game), is_turn_of_human);
    let kept = act(client, &game, "draw");
    assert_eq!((&kept["result"], &kept["offer"]), (&Value::Null, &json!("draw")), "it is winning");
    assert_eq!(kept["declined"], "it thinks it is winning");
    let even = json!({"game": "chess", "start": "8/5r2/4k3/8/8/4K3/5R2/8 w - - 0 1", "human": 0, "levels": [null, 1]});
    let agreed = act(client, &begin(client, even), "draw");
    assert_eq!(
        agreed["result"]["text"], "A draw: by agreement",
        "an ending that was set up need not be played first"
    );
    let young = json!({"game": "chess", "human": 0, "levels": [null, 1]});
    let refused = act(client, &begin(client, young), "draw");
    assert_eq!(refused["result"], Value::Null, "it has just begun");
    let words = refused["declined"].as_str().expect("a reason");
    assert!(words.contains("still young"), "{words}");
    // It judges by its own evaluation: one that knows nothing does not notice that it is a rook ahead.
    let ahead = |evaluation: &str| {
        let engine = json!({"search": "pvs", "options": {"evaluation": evaluation}, "limit": {"nodes": 100}});
        let start = "r3k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        json!({"game": "chess", "start": start, "human": 0, "engines": [null, engine]})
    };
    let [knowing, ignorant] =
        ["classical", "none"].map(|name| act(client, &begin(client, ahead(name)), "draw"));
    assert_eq!((&knowing["result"], knowing["declined"].is_string()), (&Value::Null, true));
    assert_eq!(ignorant["result"]["text"], "A draw: by agreement");
    let mate =
        json!({"game": "chess", "start": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "human": 0, "levels": [null, 1]});
    let game = begin(client, mate);
    let hint = act(client, &game, "hint");
    assert_eq!(hint, json!({"moves": [{"move": "g6g7", "text": "Qg7#"}]}));
    let resigned = act(client, &game, "resign");
    assert_eq!((&resigned["result"]["winner"], &resigned["thinking"]), (&json!(1), &json!(false)));
    assert_eq!(client.post(&format!("/api/games/{}/hint", id(&game)), json!({})).refused(409), "game_over");
    let pause = client.post(&format!("/api/games/{}/pause", id(&kept)), json!({}));
    assert_eq!(pause.refused(409), "not_of_engines");
}

#[test]
fn clocks_begin_with_the_first_move_that_is_not_given() {
    let server = TestServer::start();
    let client = &server.client;
    let request = json!({
        "game": "chess", "moves": ["e4", "e5"], "human": 0, "levels": [null, 1],
        "clock": {"seconds": 60, "increment": 0},
    });
    let game = begin(client, request);
    assert_eq!((&game["given"], &game["clock"]["running"]), (&json!(2), &Value::Null));
    client.post(&format!("/api/games/{}/moves", id(&game)), json!({"move": "Nf3"})).ok();
    let game = client.wait_for_game(&id(&game), is_turn_of_human);
    assert_eq!(game["clock"]["running"], 0);
}

#[test]
fn clocks_run_and_flags_fall() {
    let server = TestServer::start();
    let client = &server.client;
    let clock = json!({"seconds": 0.6, "increment": 0.2});
    let game = begin(client, json!({"game": "chess", "human": 0, "levels": [null, 1], "clock": clock}));
    assert_eq!(
        game["clock"],
        json!({"base": 600, "left": [600, 600], "running": null, "increment": 200}),
        "not before the first move"
    );
    let play =
        |text: &str| client.post(&format!("/api/games/{}/moves", id(&game)), json!({"move": text})).ok();
    play("e4");
    let mine = client.wait_for_game(&id(&game), is_turn_of_human);
    assert_eq!(mine["clock"]["running"], 0);
    assert!(mine["clock"]["left"][0].as_u64() > Some(600), "{}", mine["clock"]);
    std::thread::sleep(Duration::from_millis(100));
    let later = client.get(&format!("/api/games/{}", id(&game))).ok();
    assert!(later["clock"]["left"][0].as_u64() <= mine["clock"]["left"][0].as_u64().map(|left| left - 100));
    let over = client.wait_for_game(&id(&game), |game| !game["result"].is_null());
    assert_eq!(
        (&over["result"]["winner"], &over["result"]["text"]),
        (&json!(1), &json!("Black wins on time"))
    );
    assert_eq!(over["clock"]["left"][0], 0);
    assert_eq!(
        client.post(&format!("/api/games/{}/takeback", id(&game)), json!({})).refused(409),
        "game_over"
    );
    for seconds in [json!(-1), json!(0), json!(1e300), json!("x")] {
        let request = json!({"game": "chess", "human": 0, "clock": {"seconds": seconds}});
        client.post("/api/games", request).refused(400);
    }
}

#[test]
fn engines_play_each_other_and_rest() {
    let server = TestServer::with(|config| config.limits.rest_between_engines = Duration::from_millis(20));
    let client = &server.client;
    let game = begin(client, json!({"game": "connect4", "human": null, "levels": [1, 1]}));
    client.wait_for_game(&id(&game), |game| moves(game) >= 3);
    let listed_as_paused = || client.get("/api/games").ok()[0]["paused"].clone();
    assert_eq!(listed_as_paused(), false);
    let paused = act(client, &game, "pause");
    assert_eq!(listed_as_paused(), true);
    assert_eq!((&paused["paused"], &paused["thinking"]), (&json!(true), &json!(false)));
    std::thread::sleep(Duration::from_millis(100));
    let still = client.get(&format!("/api/games/{}", id(&game))).ok();
    assert_eq!(moves(&still), moves(&paused));
    act(client, &game, "resume");
    let end = client.wait_for_game(&id(&game), |game| !game["result"].is_null());
    assert!(moves(&end) > moves(&paused));
    assert_eq!(client.post(&format!("/api/games/{}/resign", id(&game)), json!({})).refused(409), "game_over");
}

#[test]
fn weak_levels_seem_to_think_and_hold_no_place_meanwhile() {
    let server = TestServer::with(|config| {
        (config.limits.natural_pauses, config.limits.cores) = (true, 1);
    });
    let client = &server.client;
    let pause = outplay_engine::game("chess").expect("a game").level(1).expect("a level").pause_ms;
    assert!(
        pause > 0 && outplay_engine::game("chess").expect("a game").level(13).expect("a level").pause_ms == 0
    );
    let begun = Instant::now();
    let game = begin(client, json!({"game": "chess", "human": 1, "levels": [1, null]}));
    assert_eq!((moves(&game), &game["thinking"]), (0, &json!(true)));
    assert_eq!(
        client.get("/api/health").ok()["searches"]["running"],
        0,
        "it waits without a place in the line"
    );
    client.wait_for_game(&id(&game), is_turn_of_human);
    assert!(begun.elapsed() >= Duration::from_millis(pause / 2), "{:?}", begun.elapsed());
    // With a clock every moment counts. A busy machine may be slow, but a pause is never shorter than this.
    let clock = json!({"seconds": 60, "increment": 0});
    let is_quick = |_| {
        let begun = Instant::now();
        let game = begin(client, json!({"game": "chess", "human": 1, "levels": [1, null], "clock": clock}));
        client.wait_for_game(&id(&game), is_turn_of_human);
        begun.elapsed() < Duration::from_millis(pause / 2)
    };
    assert!((0..10).any(is_quick));
}

#[test]
fn two_clients_see_the_same_game() {
    let server = TestServer::start();
    let client = &server.client;
    let game = begin(client, json!({"game": "tictactoe", "human": 0, "levels": [null, 1]}));
    let mut sockets = [client.socket(), client.socket()];
    for socket in &mut sockets {
        socket.send(json!({"type": "watch", "game": game["id"]}));
        assert_eq!(socket.next()["game"]["version"], 1);
    }
    client.post(&format!("/api/games/{}/moves", id(&game)), json!({"move": "b2"})).ok();
    for socket in &mut sockets {
        let mut last = socket.next();
        while moves(&last["game"]) < 2 {
            last = socket.next();
        }
        assert_eq!(last["game"]["position"]["moves"][0]["text"], "b2");
    }
    let [mut first, _] = sockets;
    first.send(json!({"type": "watch", "game": "nonsense"}));
    assert_eq!(first.until("error").pop().expect("an error")["code"], "not_found");
}

#[test]
fn what_engines_cannot_be_is_refused() {
    let server = TestServer::start();
    let refused = |engine: Value| {
        let request = json!({"game": "chess", "human": 0, "engines": [null, engine]});
        server.client.post("/api/games", request).refused(400)
    };
    let nodes = json!({"nodes": 10});
    assert_eq!(refused(json!({"search": "none", "limit": nodes})), "unknown_search");
    assert_eq!(refused(json!({"search": "pvs"})), "bad_limit");
    assert_eq!(refused(json!({"search": "pvs", "limit": {"infinite": true}})), "bad_limit");
    for option in [
        "book_file",
        "book",
        "syzygy_path",
        "profile_file",
        "pvs.book_file",
        "endgames",
        "Book File",
        "search",
    ] {
        let code = refused(json!({"search": "pvs", "limit": nodes, "options": {option: "/etc/passwd"}}));
        assert_eq!(code, "unknown_option", "{option}");
    }
    for (option, value) in
        [("hash", json!(100_000)), ("hash", json!("x")), ("threads", json!(512)), ("hash", json!([1]))]
    {
        let code = refused(json!({"search": "pvs", "limit": nodes, "options": {option: value}}));
        assert_eq!(code, "bad_option", "{option}");
    }
    assert_eq!(
        refused(json!({"search": "mcts", "limit": nodes, "options": {"ram_limit_mb": 0}})),
        "bad_option"
    );
    let level = json!({"game": "chess", "human": 0, "levels": [null, 99]});
    assert_eq!(server.client.post("/api/games", level).refused(400), "unknown_level");
}

#[test]
fn games_and_studies_are_counted() {
    let server = TestServer::with(|config| (config.limits.games, config.limits.studies) = (2, 1));
    let client = &server.client;
    let request = || json!({"game": "chess", "human": 0});
    let game = begin(client, request());
    begin(client, request());
    assert_eq!(client.post("/api/games", request()).refused(429), "too_many");
    client.delete(&format!("/api/games/{}", id(&game))).ok();
    begin(client, request());
    let study = client.post("/api/studies", json!({"title": "Openings", "tree": [1, {"a": null}]})).ok();
    assert_eq!(client.post("/api/studies", json!({"title": "More"})).refused(429), "too_many");
    let path = format!("/api/studies/{}", id(&study));
    assert_eq!(client.get(&path).ok()["tree"], json!([1, {"a": null}]));
    assert_eq!(client.put(&path, json!({"title": "Endings"})).ok()["title"], "Endings");
    assert_eq!(client.get("/api/studies").ok()[0]["title"], "Endings");
    for nonsense in [json!([]), json!({}), json!({"title": ""}), json!({"title": 1})] {
        assert_eq!(client.put(&path, nonsense).refused(400), "bad_study");
    }
    assert_eq!(client.delete(&path).status, 204);
    assert_eq!(client.get(&path).refused(404), "not_found");
    assert_eq!(client.put(&path, json!({"title": "x"})).refused(404), "not_found");
}

/// How often a session of the counted game was opened.
static OPENED: AtomicUsize = AtomicUsize::new(0);

/// Othello, which is not over after a few moves, with its sessions counted.
const COUNTED: GameRow = GameRow {
    name: "counted",
    aliases: &[],
    open: |variant| {
        OPENED.fetch_add(1, Ordering::SeqCst);
        (CATALOGUE[2].open)(variant)
    },
    ..CATALOGUE[2]
};

#[test]
fn a_click_opens_the_stored_game_once() {
    let folder = Folder::new();
    let start =
        || TestServer::at(folder.0.clone(), |config| config.games = Catalogue::standard().with(COUNTED));
    // Clicks on any cell, with a page that watches, until the engine has answered; how many sessions that took.
    let click = |client: &Client, id: &str| {
        let mut socket = client.socket();
        socket.send(json!({"type": "watch", "game": id}));
        socket.until("game");
        let before = OPENED.load(Ordering::SeqCst);
        let game = client.get(&format!("/api/games/{id}")).ok();
        let chosen = &game["position"]["legal"][0]["move"];
        client.post(&format!("/api/games/{id}/moves"), json!({"move": chosen})).ok();
        let after = client.wait_for_game(id, is_turn_of_human);
        assert_eq!(moves(&after), moves(&game) + 2);
        while socket.until("game").last().expect("a message")["game"]["version"] != after["version"] {}
        OPENED.load(Ordering::SeqCst) - before
    };
    let id = {
        let server = start();
        let game = begin(&server.client, json!({"game": "counted", "human": 0, "levels": [null, 1]}));
        // The game is there since it began; the engine has a session of its own, which it keeps.
        assert_eq!((click(&server.client, &id(&game)), click(&server.client, &id(&game))), (1, 0));
        id(&game)
    };
    let server = start();
    let before = OPENED.load(Ordering::SeqCst);
    click(&server.client, &id);
    assert_eq!(OPENED.load(Ordering::SeqCst) - before, 2, "the stored game once, and the engine");
}

#[test]
fn a_game_in_which_the_person_has_not_moved_is_not_listed() {
    let server = TestServer::start();
    let client = &server.client;
    let game = begin(client, json!({"game": "tictactoe", "human": 0, "levels": [null, 1]}));
    begin(client, json!({"game": "tictactoe", "human": 1, "levels": [2, null]}));
    assert_eq!(client.get("/api/games").ok(), json!([]));
    client.post(&format!("/api/games/{}/moves", id(&game)), json!({"move": "b2"})).ok();
    let list = client.get("/api/games").ok();
    assert_eq!(list.as_array().map(Vec::len), Some(1));
    assert_eq!(list[0]["opponents"], json!([null, "newcomer, level 1"]));
    assert_eq!(list[0]["line"][0], "b2");
}
