//! Positions, files and questions about them.

use crate::support::{Client, TestServer};
use outplay_core::Rng;
use serde_json::{Value, json};

fn position(client: &Client, game: &str, moves: &[String]) -> Value {
    client.post("/api/position", json!({"game": game, "moves": moves})).ok()
}

fn cells(position: &Value) -> Vec<String> {
    let pieces = position["pieces"].as_array().expect("pieces");
    pieces.iter().map(|piece| piece["cell"].as_str().expect("a cell").to_string()).collect()
}

#[test]
fn the_start_of_every_game_is_shown() {
    let server = TestServer::start();
    let games = server.client.get("/api/games-list").ok();
    let names: Vec<&str> =
        games.as_array().expect("games").iter().map(|game| game["name"].as_str().expect("a name")).collect();
    assert!(
        ["chess", "chess960", "othello", "connect6", "gomoku", "tictactoe", "connect4"]
            .iter()
            .all(|name| names.contains(name))
    );
    for (game, family, side, pieces, legal) in [
        ("chess", "squares", [8, 8], 32, 20),
        ("chess960:0", "squares", [8, 8], 32, 20),
        ("othello", "discs", [8, 8], 4, 4),
        ("connect6", "stones", [19, 19], 0, 361),
        ("gomoku", "stones", [15, 15], 0, 225),
        ("tictactoe", "stones", [3, 3], 0, 9),
        ("connect:9,7,5,1,1", "stones", [9, 7], 0, 63),
        ("connect4", "drop", [7, 6], 0, 7),
        ("connect4:5x4", "drop", [5, 4], 0, 5),
    ] {
        let shown = position(&server.client, game, &[]);
        assert_eq!(shown["family"], family, "{game}");
        assert_eq!([&shown["columns"], &shown["rows"]], side, "{game}");
        assert_eq!(cells(&shown).len(), pieces, "{game}");
        assert_eq!(shown["legal"].as_array().map(Vec::len), Some(legal), "{game}");
        assert_eq!((&shown["outcome"], &shown["to_move"]), (&Value::Null, &json!(0)), "{game}");
    }
}

#[test]
fn moves_are_shown_with_their_cells() {
    let server = TestServer::start();
    let show = |game: &str, moves: &[&str]| {
        position(&server.client, game, &moves.iter().map(|text| text.to_string()).collect::<Vec<_>>())
    };
    let chess = show("chess", &["e4", "e5", "Qh5", "Nc6", "Qxf7"]);
    assert_eq!(chess["moves"][2], json!({"player": 0, "move": "d1h5", "text": "Qh5"}));
    assert_eq!((&chess["last"], &chess["check"]), (&json!(["h5", "f7"]), &json!("e8")));
    assert_eq!(chess["legal"].as_array().expect("moves").len(), 1, "the king takes");
    let mate = show("chess", &["f3", "e5", "g4", "Qh4"]);
    assert_eq!((&mate["outcome"]["winner"], &mate["check"]), (&json!(1), &json!("e1")));
    assert_eq!(mate["legal"], json!([]));
    let promotion = server
        .client
        .post("/api/position", json!({"game": "chess", "start": "7k/P7/8/8/8/8/8/K7 w - - 0 1"}));
    let promotion = promotion.ok();
    let queens: Vec<&Value> =
        promotion["legal"].as_array().expect("moves").iter().filter(|m| m["promotion"] == "q").collect();
    assert_eq!(
        (&queens[0]["from"], &queens[0]["to"], &queens[0]["text"]),
        (&json!("a7"), &json!("a8"), &json!("a8=Q+"))
    );
    let drop = show("connect4", &["d", "4"]);
    assert_eq!(drop["last"], json!(["d2"]));
    assert_eq!((&drop["legal"][3]["move"], &drop["legal"][3]["to"]), (&json!("d"), &json!("d3")));
    let stones = show("connect6", &["j10", "k10", "k11"]);
    assert_eq!((&stones["last"], &stones["stones_left"]), (&json!(["k11", "k10"]), &json!(2)));
    assert_eq!(show("connect6", &["j10", "k10"])["stones_left"], 1);
    let threatened = show("connect6", &["a1", "j10", "k10", "s19", "a19", "l10", "m10"]);
    assert_eq!(
        (&threatened["threats"]["count"], &threatened["threats"]["windows"].as_array().map(Vec::len)),
        (&json!(2), &Some(3))
    );
    assert_eq!(threatened["threats"]["blocks"], json!(["h10", "i10", "n10", "o10"]));
    let othello = show("othello", &["f5"]);
    assert_eq!(othello["last"], json!(["f5"]));
    assert!(cells(&othello).contains(&"f5".to_string()));
}

#[test]
fn openings_are_named_and_winning_rows_are_shown() {
    let server = TestServer::start();
    let show = |game: &str, moves: &str| {
        position(&server.client, game, &moves.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    };
    let italian = json!({"name": "Italian Game", "code": "C50"});
    assert_eq!(show("chess", "e4 e5 Nf3 Nc6 Bc4")["opening"], italian);
    assert_eq!(show("chess", "e4 e5 Nf3 Nc6 Bc4 a6 a4")["opening"], italian, "the last name on the way");
    assert_eq!(show("chess", "")["opening"], Value::Null);
    assert_eq!(show("othello", "f5 d6 c3 d3 c4")["opening"]["name"], "Tiger");
    assert_eq!(show("gomoku", "h8 h9 i9")["opening"], json!({"name": "Kagetsu", "code": "D4"}));
    assert_eq!(show("tictactoe", "a1 a2 b1 b2 c1")["winning"], json!([["a1", "b1", "c1"]]));
    assert_eq!(show("connect4", "d c d c d c d")["winning"], json!([["d1", "d2", "d3", "d4"]]));
    assert_eq!(show("gomoku", "a1 b1 a2 b2 a3 b3 a4 b4 a5")["winning"][0].as_array().map(Vec::len), Some(5));
    assert_eq!(show("connect6", "j10 k10")["winning"], json!([]));
    assert_eq!(show("chess", "f3 e5 g4 Qh4")["winning"], json!([]), "a mate is no row");
}

#[test]
fn random_games_go_to_their_end() {
    let server = TestServer::start();
    let mut rng = Rng::new(7);
    for game in [
        "chess",
        "chess960:100",
        "othello",
        "connect:9,9,6,2,1",
        "connect:7,7,5,1,1",
        "connect4",
        "tictactoe",
    ] {
        let mut moves: Vec<String> = Vec::new();
        loop {
            let shown = position(&server.client, game, &moves);
            let legal = shown["legal"].as_array().expect("moves");
            assert_eq!(shown["moves"].as_array().map(Vec::len), Some(moves.len()), "{game}");
            // Chess games by chance last long: the rules are tested elsewhere.
            if !shown["outcome"].is_null() || moves.len() == 150 {
                assert!(shown["outcome"].is_null() || legal.is_empty(), "{game}");
                break;
            }
            assert!(!legal.is_empty(), "{game} {moves:?}");
            let chosen = &legal[rng.below(legal.len())];
            if let Some(to) = chosen["to"].as_str() {
                let occupied = cells(&shown).contains(&to.to_string());
                assert!(shown["family"] == "squares" || !occupied, "{game} {chosen}");
            } else {
                assert_eq!((chosen["text"].as_str(), legal.len()), (Some("pass"), 1), "{game}");
            }
            moves.push(chosen["move"].as_str().expect("a move").to_string());
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let server = TestServer::start();
    let refused = |body: Value| server.client.post("/api/position", body).refused(400);
    assert_eq!(refused(json!({"game": "go"})), "unknown_game");
    assert_eq!(refused(json!({"game": "chess960:960"})), "unknown_game");
    assert_eq!(refused(json!({"game": "chess", "moves": ["e5"]})), "illegal_move");
    assert_eq!(refused(json!({"game": "chess", "start": "nonsense"})), "bad_position");
    assert_eq!(refused(json!({"game": "chess", "moves": vec!["e4"; 3000]})), "too_many_moves");
    assert_eq!(refused(json!({"moves": []})), "bad_json");
    assert_eq!(server.client.send("POST", "/api/position", &[], b"{").refused(400), "bad_json");
    let large = vec![b' '; (1 << 20) + 1];
    assert_eq!(server.client.send("POST", "/api/position", &[], &large).refused(413), "too_large");
    assert_eq!(server.client.get("/api/nothing").refused(404), "not_found");
    assert_eq!(server.client.send("PATCH", "/api/position", &[], b"").refused(405), "wrong_method");
}

#[test]
fn files_are_read_and_written() {
    let server = TestServer::start();
    let import = |body: Value| server.client.post("/api/import", body).ok();
    let pgn = "[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"Cy\"]\n\n1. d4 *\n";
    let read = import(json!({"game": "chess", "text": pgn}));
    assert_eq!((&read["moves"], &read["count"]), (&json!(["e2e4", "e7e5", "g1f3"]), &json!(2)));
    assert_eq!(read["tags"]["White"], "Ada");
    assert_eq!(read["titles"], json!(["Ada – Bob, White wins", "Cy – ?"]));
    assert_eq!(import(json!({"game": null, "text": pgn, "number": 2}))["moves"], json!(["d2d4"]));
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let read = import(json!({"text": fen}));
    assert_eq!((&read["start"], &read["titles"]), (&json!(fen), &json!([])));
    assert_eq!(import(json!({"game": "othello", "text": "f5d6c3"}))["moves"], json!(["f5", "d6", "c3"]));
    assert_eq!(
        import(json!({"game": "connect6", "text": "j10 k10 k11"}))["moves"],
        json!(["j10", "k10", "k11"])
    );
    assert_eq!(import(json!({"game": "connect4", "text": "d d c"}))["moves"], json!(["d", "d", "c"]));
    for game in ["chess", "othello", "connect6", "connect4"] {
        let moves = match game {
            "chess" => json!(["e2e4", "c7c5"]),
            "othello" => json!(["f5", "d6"]),
            "connect6" => json!(["j10", "k10"]),
            _ => json!(["d", "c"]),
        };
        let request =
            json!({"game": game, "moves": moves, "tags": {"Event": "Test"}, "comments": {"1": "hm"}});
        let written = server.client.post("/api/export", request).ok();
        assert!(written["text"].as_str().is_some_and(|text| text.contains("hm")), "{written}");
        let again = import(json!({"game": game, "text": written["text"]}));
        assert_eq!(again["moves"], moves, "{game}");
    }
    let refused = |body| server.client.post("/api/import", body).refused(400);
    assert_eq!(refused(json!({"text": "neither this nor that"})), "bad_file");
    assert_eq!(refused(json!({"game": "chess", "text": pgn, "number": 3})), "bad_file");
    assert_eq!(refused(json!({"game": "chess", "text": pgn, "number": 0})), "no_such_game");
    let bad_tag = json!({"game": "chess", "tags": {"a\"]\n[b": "c"}});
    assert_eq!(server.client.post("/api/export", bad_tag).refused(400), "bad_request");
}

#[test]
fn threats_are_solved_and_searches_explained() {
    let server = TestServer::start();
    let moves: Vec<&str> = "a1 j10 k10 s19 a19 l10 m10 s1 a10".split(' ').collect();
    let won = server.client.post("/api/solve", json!({"game": "connect6", "moves": moves})).ok();
    assert_eq!((&won["result"], &won["turns"]), (&json!("win"), &json!(1)));
    assert_eq!(won["line"][0].as_array().map(Vec::len), Some(2));
    let start = server.client.post("/api/solve", json!({"game": "connect6", "nodes": 10})).ok();
    assert_eq!(start["result"], "none");
    assert_eq!(server.client.post("/api/solve", json!({"game": "chess"})).refused(400), "no_threats");
    assert_eq!(server.client.post("/api/solve", json!({"game": "gomoku"})).refused(400), "no_threats");
    let explain = |body| server.client.post("/api/explain", body);
    let shown =
        explain(json!({"game": "tictactoe", "moves": ["b2"], "search": "alphabeta", "depth": 2})).ok();
    let nodes = shown["nodes"].as_array().expect("nodes");
    assert!(nodes.iter().any(|node| node["pruned"].is_array()), "alpha-beta prunes");
    assert_eq!(explain(json!({"game": "chess", "depth": 5})).refused(400), "too_large");
    assert_eq!(explain(json!({"game": "chess", "depth": 1000})).refused(400), "bad_limit");
    assert_eq!(explain(json!({"game": "chess", "search": "pvs"})).refused(400), "unknown_search");
}

#[test]
fn monte_carlo_searches_are_shown_simulation_by_simulation() {
    let server = TestServer::start();
    let ask = |body| server.client.post("/api/simulations", body);
    let seeded = |seed: u64| {
        json!({"game": "tictactoe", "moves": ["b2"], "search": "uct", "simulations": 40,
            "options": {"seed": seed, "exploration": 0.5}})
    };
    let shown = ask(seeded(3)).ok();
    let simulations = shown["simulations"].as_array().expect("simulations");
    assert_eq!((simulations.len(), &shown["exploration"]), (40, &json!(0.5)));
    let first = &simulations[0];
    assert_eq!(first["choices"][0]["by"], "O");
    assert_eq!(first["choices"][0]["candidates"].as_array().map(Vec::len), Some(8));
    assert_eq!(first["backed_up"][0]["visits"], 1);
    assert!(!first["random_game"].as_array().expect("moves").is_empty() && first["result"].is_string());
    assert!(simulations[20]["choices"][0]["candidates"][0]["bound"].is_f64());
    let visits = shown["lines"].as_array().expect("lines").iter().map(|line| line["visits"].as_u64());
    assert_eq!(visits.sum::<Option<u64>>(), Some(40));
    assert_eq!(ask(seeded(3)).ok(), shown, "the same seed gives the same simulations");
    assert_ne!(ask(seeded(4)).ok(), shown);
    let flat = ask(json!({"game": "othello", "search": "flat"})).ok();
    assert_eq!(flat["simulations"].as_array().map(Vec::len), Some(20));
    assert!(
        flat["exploration"].is_null()
            && flat["simulations"][0]["choices"][0]["candidates"][0]["bound"].is_null()
    );
    let over = ask(json!({"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"]})).ok();
    assert_eq!(over["simulations"], json!([]));
    for game in ["connect6", "chess"] {
        assert_eq!(ask(json!({"game": game, "simulations": 2000})).refused(400), "too_large");
    }
    for count in [0, 2001] {
        assert_eq!(ask(json!({"game": "tictactoe", "simulations": count})).refused(400), "bad_limit");
    }
    let bad = |more: Value| {
        let mut body = json!({"game": "tictactoe"});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("fields").clone());
        ask(body).refused(400)
    };
    assert_eq!(bad(json!({"search": "mcts"})), "unknown_search");
    assert_eq!(bad(json!({"search": "magic"})), "unknown_search");
    assert_eq!(bad(json!({"options": {"seed": "x"}})), "bad_option");
    assert_eq!(bad(json!({"options": {"magic": 1}})), "unknown_option");
}

#[test]
fn what_costs_something_is_capped_and_no_file_is_offered() {
    let server = TestServer::start();
    let mut capped = std::collections::BTreeMap::new();
    for info in outplay_engine::CATALOGUE {
        let searches = server.client.get(&format!("/api/searches?game={}", info.example)).ok();
        for option in searches
            .as_array()
            .expect("searches")
            .iter()
            .flat_map(|search| search["options"].as_array().expect("options"))
        {
            assert!(option["kind"] != "file" && option["kind"] != "text", "{option}");
            for attribute in option["attributes"].as_array().into_iter().flatten() {
                // What a unit takes, and how much of it there is.
                let (of_each, most) = match attribute {
                    Value::String(word) if word == "threads" => (1.0, 2.0),
                    Value::Object(cost) if cost.contains_key("memory") => {
                        (cost["memory"]["bytes"].as_f64().expect("bytes"), 256.0 * 1_048_576.0)
                    }
                    Value::Object(cost) => (cost["deaf"]["nanoseconds"].as_f64().expect("a time"), 1e7),
                    _ => continue,
                };
                let max = option["max"].as_f64().expect("a number");
                assert!(max * of_each <= most, "{option}");
                capped.insert(option["name"].as_str().expect("a name").to_string(), max);
            }
        }
    }
    let expected = [
        ("evaluation_threads", 2.0),
        ("evaluator_delay_us", 10_000.0),
        ("forced_win_nodes", 209_715.0),
        ("hash", 256.0),
        ("max_collision_visits", 100_000.0),
        ("nncache", 524_288.0),
        ("ram_limit_mb", 256.0),
        ("threads", 2.0),
        ("tree_size", 16.0),
    ];
    assert!(capped.iter().map(|(name, max)| (name.as_str(), *max)).eq(expected), "{capped:?}");
}

#[test]
fn searches_and_levels_come_from_the_tables() {
    let server = TestServer::start();
    let searches = server.client.get("/api/searches?game=connect6").ok();
    let pvs =
        searches.as_array().expect("searches").iter().find(|search| search["name"] == "pvs").expect("pvs");
    assert_eq!(pvs["usual"], true);
    let option = |name: &str| {
        pvs["options"].as_array().expect("options").iter().find(|option| option["name"] == name).cloned()
    };
    let hash = option("hash").expect("a table");
    assert_eq!((&hash["kind"], &hash["max"]), (&json!("int"), &json!(256.0)));
    assert!(option("book_file").is_none() && option("search").is_none(), "files are nobody's business");
    assert_eq!(option("threads").expect("threads")["max"], 2.0);
    let levels = server.client.get("/api/levels?game=chess").ok();
    let levels = levels.as_array().expect("levels");
    assert_eq!(levels.len(), outplay_engine::game("chess").expect("a game").levels().len());
    for (level, number) in levels.iter().zip(1..) {
        assert_eq!(level["level"], number);
        assert!(level["limit"]["nodes"].is_u64() && level["search"].is_string(), "{level}");
        let rating = &level["rating"];
        assert!(rating.is_null() || (rating["scale"] == "elo" && rating["error"].is_u64()), "{level}");
    }
    assert_eq!(server.client.get("/api/searches").refused(400), "bad_query");
    assert_eq!(server.client.get("/api/levels?game=go").refused(400), "unknown_game");
}

#[test]
fn games_go_by_their_other_names_and_near_misses_are_guessed() {
    let server = TestServer::start();
    for (name, known, label) in [
        ("reversi", "othello", "Othello"),
        ("tic-tac-toe", "tictactoe", "Tic-tac-toe"),
        ("connect-four:5x4", "connect4:5x4", "Connect Four 5x4"),
        ("five-in-a-row", "gomoku", "Gomoku"),
    ] {
        let shown = position(&server.client, name, &[]);
        assert_eq!((&shown["game"], &shown["label"]), (&json!(known), &json!(label)));
        let game = server.client.post("/api/games", json!({"game": name, "human": 0})).ok();
        assert_eq!(game["position"]["game"], known);
    }
    let refused = server.client.post("/api/position", json!({"game": "otelo"})).json();
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(message.contains("did you mean othello?"), "{message}");
}

#[test]
fn every_game_says_what_the_page_needs_to_draw_it() {
    let server = TestServer::start();
    let games = server.client.get("/api/games-list").ok();
    let row = |name: &str| {
        games.as_array().expect("games").iter().find(|game| game["name"] == name).expect("a game").clone()
    };
    assert_eq!(row("chess")["icon"], json!({"piece": "N"}));
    assert_eq!(row("chess960")["variants"]["lots"], 960);
    assert_eq!(row("connect6")["icon"], json!({"stones": 3}));
    let example = &row("connect4")["examples"][0];
    assert!(["name", "aim", "search"].iter().all(|part| example[part].is_string()), "{example}");
    let chess = position(&server.client, "chess", &[]);
    assert_eq!(chess["style"]["kinds"][1], json!({"kind": "Q", "name": "queen", "worth": 9}));
    assert_eq!((&chess["top_down"], &chess["proves_wins"]), (&json!(false), &json!(false)));
    let othello = position(&server.client, "othello", &[]);
    assert_eq!((&othello["top_down"], &othello["style"]["endgame_cells"]), (&json!(true), &json!(20)));
    assert_eq!(position(&server.client, "connect6", &[])["proves_wins"], true);
    // The curve depends on how many stones a turn has.
    let steepness = |game: &str| position(&server.client, game, &[])["steepness"].as_f64().expect("a number");
    assert_eq!(steepness("connect:9,9,6,2,1"), steepness("connect6"));
    assert_eq!(steepness("connect:9,9,5,1,1"), steepness("gomoku"));
    assert!(steepness("connect6") > steepness("gomoku"));
    // Losses are called what reviews call them, and discs count where games end by counting.
    assert_eq!(chess["faults"], json!({"inaccuracy": 0.05, "mistake": 0.1, "blunder": 0.15, "piece": null}));
    assert_eq!(othello["faults"]["piece"], json!(0.025));
    // A king may be put onto its rook.
    let castling: Vec<String> = "e4 e5 Nf3 Nc6 Bc4 Bc5".split(' ').map(str::to_string).collect();
    let shown = position(&server.client, "chess", &castling);
    let castles = shown["legal"].as_array().expect("moves").iter().find(|m| m["text"] == "O-O").cloned();
    assert_eq!(castles.expect("castling")["also"], json!(["h1"]));
}

#[test]
fn positions_are_put_together_by_hand() {
    let server = TestServer::start();
    let compose = |body: Value| server.client.post("/api/compose", body);
    let piece = |cell: &str, player: usize, kind: &str| json!({"cell": cell, "player": player, "kind": kind});
    let pieces = [piece("e1", 0, "K"), piece("h1", 0, "R"), piece("e8", 1, "K"), piece("d5", 1, "P")];
    let chess = compose(json!({"game": "chess", "pieces": pieces, "to_move": 1})).ok();
    assert_eq!(chess["position"], "4k3/8/8/3p4/8/8/8/4K2R b K - 0 1");
    assert_eq!(chess["choices"]["title"], "Castling");
    assert_eq!(
        chess["choices"]["switches"][1],
        json!({"name": "White, queen side", "on": false, "enabled": false})
    );
    let off =
        json!({"game": "chess", "pieces": pieces, "to_move": 1, "switches": {"White, king side": false}});
    assert_eq!(compose(off).ok()["position"], "4k3/8/8/3p4/8/8/8/4K2R b - - 0 1");
    let stones = json!([piece("a1", 0, "disc"), piece("c3", 1, "disc")]);
    let small = json!({"game": "tictactoe", "pieces": stones, "to_move": 0, "stones_left": 1});
    assert_eq!(compose(small).ok()["position"], "2o/3/x2 x 1");
    let drop = json!({"game": "connect4:4x4", "pieces": [piece("a1", 0, "disc")], "to_move": 1});
    assert_eq!(compose(drop).ok()["position"], "4/4/4/x3 o");
    let discs = json!([piece("a1", 0, "disc"), piece("b1", 1, "disc")]);
    let othello = compose(json!({"game": "othello", "pieces": discs, "to_move": 1})).ok();
    assert_eq!(othello["position"], format!("XO{} O", "-".repeat(62)));
    assert_eq!(compose(json!({"game": "chess", "pieces": 7, "to_move": 0})).refused(400), "bad_json");
}

#[test]
fn whatever_is_usual_for_an_option_is_allowed() {
    let server = TestServer::start();
    for game in ["chess", "connect4", "connect6"] {
        let searches = server.client.get(&format!("/api/searches?game={game}")).ok();
        for option in searches.as_array().expect("searches").iter().flat_map(|search| {
            search["options"].as_array().expect("options").iter().filter(|option| option["min"].is_number())
        }) {
            let number = |name: &str| option[name].as_f64().expect("a number");
            for name in ["default", "value"] {
                assert!((number("min")..=number("max")).contains(&number(name)), "{game}: {option}");
            }
        }
    }
}

#[test]
fn the_other_player_can_be_asked_what_he_would_do() {
    let server = TestServer::start();
    let ask = |game: &str, moves: &[&str]| {
        server.client.post("/api/position", json!({"game": game, "moves": moves, "passed": true}))
    };
    for (game, moves, to_move, legal) in [
        ("chess", &["e4", "e5"][..], 1, 29),
        ("othello", &["f5"], 0, 3),
        // In the middle of a turn, and whatever the number of stones says.
        ("connect6", &["j10", "k10"], 0, 359),
        ("gomoku", &["h8"], 0, 224),
        ("tictactoe", &["b2", "a1"], 1, 7),
        ("connect4", &["d"], 0, 7),
    ] {
        let shown = ask(game, moves).ok();
        let known =
            position(&server.client, game, &moves.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(shown["pieces"], known["pieces"], "{game}");
        assert_eq!((&known["to_move"], &shown["to_move"]), (&json!(1 - to_move), &json!(to_move)), "{game}");
        assert_eq!(shown["legal"].as_array().map(Vec::len), Some(legal), "{game}");
    }
    assert_eq!(ask("connect6", &["j10", "k10"]).ok()["stones_left"], 2, "a whole turn");
    let in_check = ask("chess", &["e4", "e5", "Qh5", "Nc6", "Qxf7"]).refused(409);
    assert_eq!(in_check, "no_pass");
    assert_eq!(ask("tictactoe", &["a1", "b1", "a2", "b2", "a3"]).refused(409), "game_over");
    // Games are kept as moves, among which there is no such pass.
    for path in ["/api/games", "/api/export"] {
        let refused = server
            .client
            .post(path, json!({"game": "chess", "moves": ["e4"], "passed": true, "human": 0, "tree": []}));
        assert_eq!(refused.refused(400), "no_pass", "{path}");
    }
}

#[test]
fn lessons_are_listed_in_order_and_measured_with_what_was_chosen() {
    let server = TestServer::start();
    let lessons = server.client.get("/api/lessons").ok();
    let lessons = lessons.as_array().expect("a list");
    assert_eq!((&lessons[0]["name"], &lessons[0]["shows"]["kind"]), (&json!("minimax"), &json!("tree")));
    assert!(lessons.iter().all(|lesson| ["aim", "try", "game"].iter().all(|part| lesson[part].is_string())));
    let ask = |lesson: &str, settings| {
        server.client.post("/api/lessons", json!({"lesson": lesson, "settings": settings}))
    };
    let growth = ask("growth", json!({"branching": 3, "depth": 4})).ok();
    assert_eq!((&growth["kind"], &growth["depths"][3]["best_order"]), (&json!("growth"), &json!(17)));
    assert_eq!(ask("growth", json!({"depth": 99})).refused(400), "bad_option");
    assert_eq!(ask("growht", json!({})).refused(404), "not_found");
    assert_eq!(ask("minimax", json!({})).refused(400), "not_measured");
}
