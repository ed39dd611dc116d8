//! Networks: which are offered, what one says of a position, and engines that play with one.

use std::path::PathBuf;
use std::sync::OnceLock;

use outplay_engine::{look_for_networks_in, open};
use outplay_net::{BlockKind, Network, Precision, ScalarKind};
use outplay_testing::public_data;
use serde_json::{Value, json};

use crate::support::{Client, Folder, TestServer};

/// A network of chance for a game, with all heads.
pub fn bytes_of_chance(game: &str, seed: u64) -> Vec<u8> {
    let encoders = open(game).expect("a game").encoders();
    let mut description = encoders[0].description(game.to_string(), 8, vec![BlockKind::Plain {}]);
    let head = ScalarKind { channels: 4, hidden: 8 };
    description.heads.moves_left = Some(head);
    description.heads.margin = Some(head);
    description.heads.ownership = Some(4);
    Network::random(description, seed).expect("it makes sense").to_bytes(Precision::Single)
}

/// The folder in which all servers of this process look for networks: there is one such list in a process.
fn networks() -> &'static PathBuf {
    static NETWORKS: OnceLock<Folder> = OnceLock::new();
    let folder = NETWORKS.get_or_init(|| {
        let folder = Folder::new();
        for game in ["othello", "connect4", "gomoku"] {
            std::fs::write(folder.0.join(format!("{game}-1.safetensors")), bytes_of_chance(game, 1))
                .expect("written");
        }
        // One whose weights are cut off, so that its header looks well; one that is none; and one of somebody else.
        let mut cut = bytes_of_chance("othello", 2);
        cut.truncate(cut.len() / 2);
        std::fs::write(folder.0.join("cut.safetensors"), cut).expect("written");
        std::fs::write(folder.0.join("garbage.safetensors"), "no network").expect("written");
        if let Some(maia) = public_data::bytes("nets/maia-1100.pb.gz") {
            std::fs::write(folder.0.join("maia.pb.gz"), maia).expect("written");
        }
        look_for_networks_in(vec![folder.0.clone()]);
        folder
    });
    &folder.0
}

fn names(client: &Client, game: &str) -> Vec<String> {
    let found = client.get(&format!("/api/networks?game={game}")).ok();
    let name = |network: &Value| network["name"].as_str().expect("a name").to_string();
    found.as_array().expect("networks").iter().map(name).collect()
}

fn opinion(client: &Client, game: &str, moves: &[&str], network: &str) -> Value {
    client.post("/api/opinion", json!({"game": game, "moves": moves, "network": network})).ok()
}

#[test]
fn the_networks_that_fit_a_game_are_offered_with_an_engine_that_can_be_played() {
    networks();
    let server = TestServer::start();
    assert!(names(&server.client, "othello").contains(&"othello-1".to_string()));
    assert_eq!(names(&server.client, "connect4"), ["connect4", "connect4-1"], "one comes with the program");
    assert_eq!(names(&server.client, "connect4:5x4"), [""; 0], "a board of another size");
    assert_eq!(server.client.get("/api/networks?game=whist").refused(400), "unknown_game");
    let mut engine = server.client.get("/api/networks?game=connect4").ok()[1].clone();
    engine["limit"] = json!({"nodes": 10});
    let game = json!({"game": "connect4", "human": 1, "engines": [engine, null]});
    let id = server.client.post("/api/games", game).ok()["id"].as_str().expect("a name").to_string();
    let game = server.client.wait_for_game(&id, |game| game["position"]["moves"] != json!([]));
    assert_eq!(game["engines"][0]["options"], json!({"evaluation": "net", "network": "connect4-1"}));
}

#[test]
fn a_network_says_of_a_position_what_it_says_to_a_session() {
    let folder = networks();
    let server = TestServer::start();
    for (game, moves) in
        [("othello", vec!["f5", "d6"]), ("connect4", vec!["d", "d", "e"]), ("gomoku", vec![])]
    {
        let name = format!("{game}-1");
        let said = opinion(&server.client, game, &moves, &name);
        let mut session = open(game).expect("a game");
        let file = folder.join(format!("{name}.safetensors"));
        for (row, value) in
            [("search", "mcts"), ("evaluation", "net"), ("network", file.to_str().expect("Unicode"))]
        {
            session.set_option(row, value).expect("a setting");
        }
        session.set_game(None, &moves.join(" ")).expect("a position");
        let expected = session.network_opinion().expect("idle").expect("a network");
        // By way of a text, as the answer has come: there a float has fewer digits.
        let expected = serde_json::to_string(&expected).expect("JSON");
        assert_eq!(said, serde_json::from_str::<Value>(&expected).expect("JSON"), "{game}");
        let legal = session.picture().legal.len();
        assert_eq!(said["policy"].as_array().map(Vec::len), Some(legal), "{game}");
        let cells = session.picture().board.columns * session.picture().board.rows;
        let owned = said["ownership"].as_array().map(Vec::len);
        assert_eq!(owned, (game == "othello").then_some(cells), "{game}: elsewhere cells belong to nobody");
        assert!(said["margin"].is_number() && said["moves_left"].is_number(), "{game}");
    }
    let over = ["d", "c", "d", "c", "d", "c", "d"];
    assert_eq!(opinion(&server.client, "connect4", &over, "connect4-1"), Value::Null, "the game is over");
}

#[test]
fn many_questions_at_once_are_answered_as_each_alone() {
    networks();
    let server = TestServer::start();
    let ask = |moves: &[&str]| opinion(&server.client, "connect4", moves, "connect4-1");
    let lines: Vec<Vec<&str>> = (0..7).map(|n| vec![["a", "b", "c", "d", "e", "f", "g"][n]; n % 3]).collect();
    let alone: Vec<Value> = lines.iter().map(|moves| ask(moves)).collect();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                for (moves, expected) in lines.iter().zip(&alone) {
                    assert_eq!(&ask(moves), expected);
                }
            });
        }
    });
}

#[test]
fn a_network_that_is_written_anew_is_asked_anew() {
    let folder = networks();
    let server = TestServer::start();
    let file = folder.join("renewed.safetensors");
    std::fs::write(&file, bytes_of_chance("othello", 5)).expect("written");
    let before = opinion(&server.client, "othello", &[], "renewed");
    assert_eq!(opinion(&server.client, "othello", &[], "renewed"), before);
    std::fs::write(&file, bytes_of_chance("othello", 6)).expect("written");
    assert_ne!(opinion(&server.client, "othello", &[], "renewed"), before);
    std::fs::remove_file(&file).expect("removed");
    assert!(!names(&server.client, "othello").contains(&"renewed".to_string()));
    let ask = json!({"game": "othello", "network": "renewed"});
    assert_eq!(server.client.post("/api/opinion", ask).refused(400), "bad_option");
}

#[test]
fn networks_that_cannot_be_used_are_refused_in_words_without_a_path() {
    let folder = networks();
    let server = TestServer::start();
    assert!(!names(&server.client, "othello").contains(&"garbage".to_string()));
    let path = folder.join("othello-1.safetensors");
    for network in
        ["cut", "garbage", "connect4-1", "nobody", "", path.to_str().expect("Unicode"), "../othello-1"]
    {
        let answer = server.client.post("/api/opinion", json!({"game": "othello", "network": network}));
        let body = answer.json();
        assert_eq!(answer.refused(400), "bad_option", "{network}");
        let message = body["error"]["message"].as_str().expect("words").to_string();
        // What the client has said itself may be said back to it.
        let told = message.replace(network, "");
        assert!(!told.contains(folder.to_str().expect("Unicode")), "{message}");
        let mut socket = server.client.socket();
        socket.send(json!({"type": "analyse", "id": "a", "game": "othello", "search": "mcts",
            "options": {"evaluation": "net", "network": network}, "limit": {"nodes": 5}}));
        let error = socket.until("error").pop().expect("an error");
        assert_eq!(error["code"], "bad_option", "{network}: {error}");
        let told = error["message"].as_str().expect("words").replace(network, "");
        assert!(!told.contains(folder.to_str().expect("Unicode")), "{error}");
    }
    let bad = json!({"game": "othello", "network": "othello-1", "moves": ["a1"]});
    assert_eq!(server.client.post("/api/opinion", bad).refused(400), "illegal_move");
    assert!(
        opinion(&server.client, "othello", &[], "othello-1")["wdl"].is_array(),
        "and the others are still there"
    );
}

#[test]
fn a_network_of_chess_players_prefers_the_moves_of_chess_players() {
    networks();
    if public_data::path("nets/maia-1100.pb.gz").is_none() {
        return;
    }
    let server = TestServer::start();
    assert!(names(&server.client, "chess").contains(&"maia".to_string()));
    let said = opinion(&server.client, "chess", &["e4", "e5"], "maia");
    assert_eq!((&said["policy"][0]["text"], &said["policy"][0]["from"]), (&json!("Nf3"), &json!("g1")));
    assert_eq!(said.get("ownership"), None);
}
