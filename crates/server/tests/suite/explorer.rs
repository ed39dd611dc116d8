//! What was played from a position: games, studies, files, books and names, counted by hand beside what the explorer says.

use outplay_book::{Book, Judgement};
use outplay_engine::Session;
use outplay_search::Meaning;
use serde_json::{Value, json};

use crate::support::{Client, Folder, TestServer};

const PGN: &str = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n\
    [Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n[Result \"*\"]\n\n1. Nf3 d5 2. d4 *\n";

fn explore(client: &Client, game: &str, moves: &[&str]) -> Value {
    client.post("/api/explorer", json!({"game": game, "moves": moves})).ok()
}

fn add_file(client: &Client, game: &str, text: &str) -> Value {
    client.post("/api/explorer/files", json!({"game": game, "name": "mine", "text": text})).ok()
}

/// The numbers of a position or a move: won by the first player, drawn, won by the second, open.
fn tally(found: &Value) -> [u64; 4] {
    ["first", "drawn", "second", "open"].map(|name| found[name].as_u64().expect("a number"))
}

fn moves(found: &Value) -> Vec<(&str, [u64; 4])> {
    let moves = found["moves"].as_array().expect("moves");
    let played = moves.iter().map(|found| (found["text"].as_str().expect("a text"), tally(found)));
    played.filter(|(_, tally)| tally.iter().sum::<u64>() > 0).collect()
}

#[test]
fn the_games_of_a_file_are_counted_by_move_and_result() {
    let server = TestServer::start();
    let client = &server.client;
    let file = add_file(client, "chess", PGN);
    assert_eq!((&file["name"], &file["games"]), (&json!("mine"), &json!(4)));
    let start = explore(client, "chess", &[]);
    assert_eq!(tally(&start), [1, 1, 1, 1]);
    assert_eq!(moves(&start), [("e4", [1, 0, 1, 0]), ("Nf3", [0, 0, 0, 1]), ("d4", [0, 1, 0, 0])]);
    assert_eq!(moves(&explore(client, "chess", &["e4"])), [("c5", [0, 0, 1, 0]), ("e5", [1, 0, 0, 0])]);
    // However a position was reached: 1. Nf3 d5 2. d4 is 1. d4 d5 2. Nf3.
    assert_eq!(tally(&explore(client, "chess", &["d4", "d5"])), [0, 0, 0, 0], "no game went on from here");
    assert_eq!(moves(&explore(client, "chess", &["Nf3", "d5"])), [("d4", [0, 0, 0, 1])]);
    assert_eq!(tally(&explore(client, "chess960:5", &[])), [0; 4], "another game");
    let id = file["id"].as_str().expect("a name");
    // The games behind a position can be looked at, as they stand in the file.
    let behind = explore(client, "chess", &["e4"])["behind"].clone();
    let listed = |game: &Value| (game["number"].clone(), game["text"].clone(), game["result"].clone());
    let listed: Vec<_> = behind.as_array().expect("a list").iter().map(listed).collect();
    assert_eq!(listed, [(json!(1), json!("e5"), json!(0)), (json!(2), json!("c5"), json!(1))]);
    assert_eq!(
        (&behind[0]["kind"], &behind[0]["id"], &behind[0]["title"]),
        (&json!("file"), &json!(id), &json!("A – ?, White wins"))
    );
    let second = client.get(&format!("/api/explorer/files/{id}?number=2")).ok();
    assert_eq!(second["moves"], json!(["e2e4", "c7c5"]));
    assert_eq!(client.get(&format!("/api/explorer/files/{id}?number=9")).refused(400), "bad_file");
    assert_eq!(client.get(&format!("/api/explorer/files/{id}?number=0")).refused(400), "bad_query");
    assert_eq!(client.get("/api/explorer/files/none?number=1").refused(404), "not_found");
    assert_eq!(client.delete(&format!("/api/explorer/files/{id}")).status, 204);
    assert_eq!(tally(&explore(client, "chess", &[])), [0; 4]);
    assert_eq!(client.delete(&format!("/api/explorer/files/{id}")).refused(404), "not_found");
}

#[test]
fn transpositions_are_one_position() {
    let server = TestServer::start();
    let client = &server.client;
    add_file(
        client,
        "chess",
        "[Result \"1-0\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 1-0\n\n[Result \"0-1\"]\n\n1. c4 e6 2. d4 d5 3. Nf3 0-1\n",
    );
    let found = explore(client, "chess", &["d4", "e6", "c4", "d5"]);
    assert_eq!(moves(&found), [("Nc3", [1, 0, 0, 0]), ("Nf3", [0, 0, 1, 0])]);
    assert!(found["opening"]["name"].as_str().is_some_and(|name| name.contains("Queen's Gambit")), "{found}");
}

#[test]
fn images_of_a_position_are_counted_together_and_listed_once() {
    let server = TestServer::start();
    let client = &server.client;
    // The four first moves of Othello are one move, and what follows on each side is the same.
    for (first, second) in [("f5", "d6"), ("c4", "e3"), ("d3", "c5"), ("e6", "f4")] {
        let game = json!({"game": "othello", "moves": [first, second], "human": 0});
        client.post("/api/games", game).ok();
    }
    let start = explore(client, "othello", &[]);
    assert_eq!(moves(&start).len(), 1);
    assert_eq!((tally(&start), start["moves"][0]["also"].as_array().map(Vec::len)), ([0, 0, 0, 4], Some(3)));
    for first in ["f5", "c4", "d3", "e6"] {
        let after = explore(client, "othello", &[first]);
        assert_eq!(tally(&after), [0, 0, 0, 4], "{first}");
        assert_eq!(moves(&after).len(), 1, "{first}: one reply");
    }
}

#[test]
fn games_and_studies_of_the_server_are_counted_as_they_stand() {
    let server = TestServer::start();
    let client = &server.client;
    let level = json!({"game": "chess", "human": 0, "moves": ["e4", "e5", "Nf3", "Nc6"]});
    let game = client.post("/api/games", level).ok();
    assert_eq!(moves(&explore(client, "chess", &[])), [("e4", [0, 0, 0, 1])]);
    client.post(&format!("/api/games/{}/resign", game["id"].as_str().expect("a name")), json!({})).ok();
    let behind = explore(client, "chess", &["e4"])["behind"].clone();
    assert_eq!(
        behind,
        json!([{"kind": "game", "id": game["id"], "title": "You – learner, level 3", "result": 1, "text": "e5"}])
    );
    assert_eq!(
        moves(&explore(client, "chess", &[])),
        [("e4", [0, 0, 1, 0])],
        "walked through again when it changed"
    );
    let node = |id: u64, text: &str, children: &[u64]| json!({"id": id, "move": text, "children": children});
    let nodes = json!({"0": node(0, "", &[2, 1]), "1": node(1, "d2d4", &[]), "2": node(2, "e2e4", &[3]), "3": node(3, "c7c5", &[])});
    let study = json!({"title": "t", "game": "chess", "start": null, "tree": {"nodes": nodes, "next": 4}, "result": {"winner": null}});
    let id = client.post("/api/studies", study).ok()["id"].as_str().expect("a name").to_string();
    client.post("/api/studies", json!({"title": "of another kind", "game": "chess", "tree": 5})).ok();
    assert_eq!(
        moves(&explore(client, "chess", &[])),
        [("e4", [0, 1, 1, 0])],
        "the main line, and not the variation"
    );
    assert_eq!(moves(&explore(client, "chess", &["e4"])), [("c5", [0, 1, 0, 0]), ("e5", [0, 0, 1, 0])]);
    let sources = client.get("/api/explorer?game=chess").ok();
    assert_eq!((&sources["games"], &sources["studies"]), (&json!(1), &json!(2)));
    client.delete(&format!("/api/studies/{id}"));
    assert_eq!(
        moves(&explore(client, "chess", &["e4"])),
        [("e5", [0, 0, 1, 0])],
        "what is gone does not count"
    );
}

/// A book of Othello's first move, worth so much.
fn othello_book(value: i32) -> Vec<u8> {
    let session: Box<dyn Session> =
        outplay_engine::game("othello").expect("a game").open().expect("a session");
    let folded = session.folded();
    let mut book = Book::new(session.book_game().expect("books"));
    let entry = book.entry(folded.key, folded.moves[0].1);
    entry.judgement = Some(Judgement::new(Meaning::Opinion(value), 9, 100));
    entry.results.won = 3;
    book.to_bytes()
}

/// A Polyglot book of chess: the start, e4 twice as often as d4. Key and moves stand in its published description.
fn polyglot_book() -> Vec<u8> {
    let start = 0x463b_9618_1691_fc9c_u64;
    let square = |file: u16, rank: u16| rank * 8 + file;
    let entry = |from: u16, to: u16, weight: u16| {
        [&start.to_be_bytes()[..], &(from * 64 + to).to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    [entry(square(4, 1), square(4, 3), 20), entry(square(3, 1), square(3, 3), 10)].concat()
}

#[test]
fn books_in_the_data_folder_and_on_the_command_line_are_asked() {
    let folder = Folder::new();
    let books = folder.0.join("books");
    std::fs::create_dir_all(&books).expect("a folder");
    std::fs::write(books.join("mine.book"), othello_book(150)).expect("our own file");
    std::fs::write(books.join("notes.txt"), "no book").expect("our own file");
    std::fs::write(books.join("torn.book"), &othello_book(1)[..20]).expect("our own file");
    let elsewhere = folder.0.join("main.bin");
    std::fs::write(&elsewhere, polyglot_book()).expect("our own file");
    let server = TestServer::at(folder.0.clone(), |config| config.books = vec![elsewhere]);
    let client = &server.client;
    let first = explore(client, "othello", &[])["moves"][0].clone();
    let expected = json!([{"book": "mine.book", "share": 1.0, "value": {"centi": 150}, "won": 3, "drawn": 0, "lost": 0}]);
    assert_eq!((&first["books"], first["also"].as_array().map(Vec::len)), (&expected, Some(3)));
    let chess = explore(client, "chess", &[]);
    let share = |text: &str| {
        let found = chess["moves"].as_array().expect("moves").iter().find(|found| found["text"] == text);
        found.and_then(|found| found["books"][0]["share"].as_f64()).map(|share| (share * 3.0).round())
    };
    assert_eq!((share("e4"), share("d4"), share("c4")), (Some(2.0), Some(1.0), None));
    assert_eq!(client.get("/api/explorer?game=othello").ok()["books"], json!(["mine.book"]));
    // Another file under the same name is read anew.
    std::fs::remove_file(books.join("mine.book")).expect("our own file");
    assert_eq!(explore(client, "othello", &[])["moves"], json!([]));
    std::fs::write(books.join("mine.book"), othello_book(-20)).expect("our own file");
    assert_eq!(explore(client, "othello", &[])["moves"][0]["books"][0]["value"], json!({"centi": -20}));
}

#[test]
fn moves_are_listed_that_lead_to_a_name() {
    let server = TestServer::start();
    let found = explore(&server.client, "chess", &["e4", "e5", "Nf3", "Nc6"]);
    let named: Vec<&str> =
        found["moves"].as_array().expect("moves").iter().filter_map(|found| found["text"].as_str()).collect();
    assert!(named.contains(&"Bb5") && named.contains(&"Bc4"), "{named:?}");
    let spanish =
        found["moves"].as_array().expect("moves").iter().find(|found| found["text"] == "Bb5").cloned();
    let name = spanish.expect("a move")["opening"]["name"].as_str().expect("a name").to_string();
    assert!(name.contains("Spanish") || name.contains("Ruy Lopez"), "{name}");
    assert!(!named.contains(&"Kh8"), "nothing else is");
}

#[test]
fn what_is_no_file_of_games_is_refused_and_much_else_is_let_in() {
    let server = TestServer::with(|config| (config.limits.files, config.limits.file_bytes) = (1, 3 << 20));
    let client = &server.client;
    let add = |game: &str, name: &str, text: &str| {
        client.post("/api/explorer/files", json!({"game": game, "name": name, "text": text}))
    };
    assert_eq!(add("chess", "x", "").refused(400), "bad_file");
    assert_eq!(add("chess", "x", "1. e5 *").refused(400), "bad_file");
    assert_eq!(add("chess", " ", PGN).refused(400), "bad_file");
    assert_eq!(add("drafts", "x", PGN).refused(400), "unknown_game");
    assert_eq!(
        client.post("/api/explorer", json!({"game": "chess", "moves": ["e5"]})).refused(400),
        "illegal_move"
    );
    // Larger than other bodies may be.
    let long = format!("[Result \"1-0\"]\n\n1. e4 {{{}}} e5 1-0\n", "a".repeat(2 << 20));
    assert_eq!(add("chess", "long", &long).ok()["games"], 1);
    assert_eq!(add("chess", "more", PGN).refused(429), "too_many");
    assert_eq!(add("chess", "too long", &"a".repeat(4 << 20)).refused(413), "too_large");
}
