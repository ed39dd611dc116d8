//! Game files with variations and comments.

use crate::support::TestServer;
use serde_json::{Value, json};

/// What a file and a tree say alike.
fn told(answer: &Value) -> [&Value; 5] {
    ["start", "tags", "comment", "tree", "result"].map(|field| &answer[field])
}

#[test]
fn variations_comments_and_tags_go_out_as_they_came_in() {
    let server = TestServer::start();
    let files = [
        (
            "chess",
            "[Event \"Test\"]\n[White \"Ada\"]\n\n{at first} 1. e4 $1 e5 (1... c5 {sharp} 2. Nf3 (2. c3 $5)) 2. Nf3 1-0",
        ),
        ("othello", "[Black \"Ada\"]\n\n1. f5 d6 (1... f4 {a diagonal}) 2. c3 *"),
        (
            "connect6",
            "(;FF[4]GM[4]SZ[19]PB[Ada];B[jj]C[the middle](;W[kk];W[ki])(;W[aa]TE[1];W[ss]C[far\naway]))",
        ),
        ("gomoku", "(;GM[4]SZ[15];B[hh](;W[hi]C[direct])(;W[ii]C[indirect]))"),
        ("connect4", "1. d d (1... c {left}) 2. e *"),
    ];
    for (game, text) in files {
        let read = server.client.post("/api/import", json!({"game": game, "text": text})).ok();
        let tree = read["tree"].as_array().expect("a tree");
        assert!(tree.len() > read["moves"].as_array().map_or(0, Vec::len), "{game}: {read}");
        assert!(tree.iter().any(|told| told["comment"] != ""), "{game}: {read}");
        let mut request = json!({"game": game});
        for field in ["start", "tags", "comment", "tree", "result"] {
            request[field] = read[field].clone();
        }
        let written = server.client.post("/api/export", request).ok();
        let again = server.client.post("/api/import", json!({"game": game, "text": written["text"]})).ok();
        assert_eq!(told(&again), told(&read), "{game}: {written}");
    }
}

#[test]
fn the_tree_of_a_file_names_who_moves_and_what_follows_what() {
    let server = TestServer::start();
    let text = "1. e4 e5 (1... c5 $2 {no}) 2. Nf3 1/2-1/2";
    let read = server.client.post("/api/import", json!({"text": text})).ok();
    assert_eq!(read["result"], json!({"winner": null, "margin": 0}));
    assert_eq!(
        read["tree"][3],
        json!({"after": 1, "move": "c7c5", "text": "c5", "player": 1, "comment": "no", "marks": [2]})
    );
    assert_eq!(read["moves"], json!(["e2e4", "e7e5", "g1f3"]));
}

#[test]
fn trees_that_cannot_be_are_refused_with_their_place() {
    let server = TestServer::start();
    let export = |tree: Value| server.client.post("/api/export", json!({"game": "chess", "tree": tree}));
    assert_eq!(export(json!([{"move": "e4"}, {"after": 1, "move": "e4"}])).refused(400), "illegal_move");
    assert_eq!(export(json!([{"move": "e4"}, {"after": 2, "move": "e5"}])).refused(400), "bad_tree");
    assert_eq!(export(json!([{"after": 0}])).refused(400), "bad_json");
    assert_eq!(export(json!(vec![json!({"move": "e4"}); 20_001])).refused(400), "too_large");
    let wrong_winner = json!({"game": "chess", "result": {"winner": 2}});
    assert_eq!(server.client.post("/api/export", wrong_winner).refused(400), "bad_request");
    let nested = (0..70).flat_map(|level| [2 * level, 2 * level]);
    let nested: Vec<Value> = nested.map(|after| json!({"after": after, "move": "e4"})).collect();
    assert_eq!(export(json!(nested)).refused(400), "too_large");
    let import = |text: &str| server.client.post("/api/import", json!({"game": "chess", "text": text}));
    let illegal = import("1. e4 e5 (1... c5\n2. Ke4) *").json();
    assert!(
        illegal["error"]["message"].as_str().is_some_and(|text| text.contains("line 2, column 4")),
        "{illegal}"
    );
    assert_eq!(import("1. e4 e5 (1... c5\n2. Ke4) *").refused(400), "bad_file");
}

/// A file of WTHOR's database with one game: f5 d6 c3, and no more.
fn database() -> Vec<u8> {
    let mut file = vec![20, 24, 5, 17, 1, 0, 0, 0, 0, 0, 0xe8, 0x07, 8, 0, 22, 0];
    file.extend([0, 0, 0, 0, 0, 0, 33, 33]);
    file.extend([56, 64, 33]);
    file.extend([0; 57]);
    file
}

#[test]
fn files_that_are_no_text_come_as_digits() {
    let server = TestServer::start();
    let client = &server.client;
    let hex: String = database().iter().map(|byte| format!("{byte:02x}")).collect();
    let read = client.post("/api/import", json!({"game": "othello", "hex": hex})).ok();
    assert_eq!(read["moves"], json!(["f5", "d6", "c3"]));
    assert_eq!(client.post("/api/import", json!({"hex": hex})).ok()["game"], json!("othello"));
    let file = json!({"game": "othello", "name": "2024.wtb", "hex": hex});
    let added = client.post("/api/explorer/files", file).ok();
    assert_eq!(added["games"], json!(1));
    let path = format!("/api/explorer/files/{}?number=1", added["id"].as_str().expect("a name"));
    assert_eq!(client.get(&path).ok()["moves"], read["moves"]);
    for bad in [json!({"hex": "0"}), json!({"hex": "zz"}), json!({}), json!({"hex": "00", "text": "f5"})] {
        assert_eq!(client.post("/api/import", bad.clone()).refused(400), "bad_file", "{bad}");
    }
}
