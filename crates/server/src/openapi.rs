//! The API described for programs: OpenAPI 3.1.

use outplay_engine::Catalogue;
use serde_json::{Map, Value, json};

use crate::games::LONGEST_CLOCK;
use crate::{questions, watching};

/// The description of every address.
pub fn description(games: &Catalogue) -> Value {
    let game = game(games);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Outplay",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Games against the engine, analysis of positions, and what there is to choose from. Analyses go through \
                the WebSocket: see docs/server.md.",
        },
        "paths": paths(&game),
        "components": {"schemas": schemas(&game)},
    })
}

fn paths(game: &Value) -> Value {
    let game = json!([{"name": "game", "in": "query", "required": true, "schema": game}]);
    let mut paths = Map::new();
    let mut add = |path: &str, method: &str, operation: Value| {
        paths.entry(path).or_insert_with(|| json!({}))[method] = operation;
    };
    add("/api/health", "get", ask("Whether the server is there, and how busy it is.", "object"));
    add("/api/openapi.json", "get", ask("This description.", "object"));
    add("/api/games-list", "get", ask("The games that can be played.", "array"));
    for (path, summary) in [
        ("/api/searches", "The searches of a game with all their settings."),
        ("/api/levels", "How strong an opponent can be."),
        ("/api/networks", "The networks that fit a game, each with the engine that searches with it."),
    ] {
        let mut operation = ask(summary, "array");
        operation["parameters"] = game.clone();
        if path == "/api/searches" {
            let content = &mut operation["responses"]["200"]["content"]["application/json"];
            content["schema"]["items"] = json!({"$ref": "#/components/schemas/Search"});
        }
        add(path, "get", operation);
    }
    for (path, schema, summary) in [
        ("/api/position", "Setup", "A position with its pieces, its legal moves and how the game stands."),
        (
            "/api/opinion",
            "Opinion",
            "What a network alone says of a position: policy, chances, and more where it tells.",
        ),
        ("/api/compose", "Compose", "The text of a position that is put together by hand."),
        ("/api/import", "Import", "Reads a game file, a position or a list of moves."),
        ("/api/export", "Export", "Writes a game in the format of its community."),
        ("/api/solve", "Solve", "Looks for a win by double threats, where a turn has two stones."),
        ("/api/explain", "Explain", "A textbook search of the position, node by node."),
        (
            "/api/simulations",
            "Simulations",
            "A Monte Carlo search of the textbooks, simulation by simulation.",
        ),
    ] {
        add(path, "post", tell(summary, schema, 200));
    }
    add("/api/lessons", "get", ask("The lessons about searches, in the order of the course.", "array"));
    add("/api/lessons", "post", tell("Measures what a lesson shows.", "Lesson", 200));
    add("/api/games", "get", ask("All games, the newest first.", "array"));
    add("/api/games", "post", tell("Begins a game.", "NewGame", 201));
    add("/api/games/{id}", "get", named(ask("A game.", "object")));
    add("/api/games/{id}", "delete", named(gone("Forgets a game.")));
    for (path, schema, summary) in [
        ("/api/games/{id}/moves", "Move", "Plays a move."),
        ("/api/games/{id}/takeback", "Seen", "Takes back to the beginning of the person's last turn."),
        ("/api/games/{id}/resign", "Seen", "Gives up."),
        ("/api/games/{id}/draw", "Seen", "Offers a draw, which the engine takes or not."),
        (
            "/api/games/{id}/hint",
            "Seen",
            "What a strong player would do in this turn: a move, or two stones.",
        ),
        ("/api/games/{id}/pause", "Seen", "Lets a game of engines rest."),
        ("/api/games/{id}/resume", "Seen", "Lets a game of engines go on."),
    ] {
        add(path, "post", named(tell(summary, schema, 200)));
    }
    add("/api/studies", "get", ask("The titles of all studies.", "array"));
    add("/api/studies", "post", tell("Keeps a new study.", "Study", 201));
    add("/api/studies/{id}", "get", named(ask("A study.", "object")));
    add("/api/studies/{id}", "put", named(tell("Replaces a study.", "Study", 200)));
    add("/api/studies/{id}", "delete", named(gone("Forgets a study.")));
    let mut sources = ask("What the explorer knows of: games, studies, files and books.", "object");
    sources["parameters"] = game.clone();
    add("/api/explorer", "get", sources);
    let summary = "What was played from a position, how that went, and what books and names say of it.";
    add("/api/explorer", "post", tell(summary, "Setup", 200));
    add("/api/explorer/files", "post", tell("Keeps a file of games for the explorer.", "GameFile", 201));
    let one = named(ask("A game of such a file, counted from 1, as an import would read it.", "object"));
    add("/api/explorer/files/{id}", "get", asked_for(one, "number", "integer", true));
    add("/api/explorer/files/{id}", "delete", named(gone("Forgets a file of games.")));
    let mut list = ask("The programs of other people, and whether others can be added.", "object");
    list["parameters"] = game.clone();
    add("/api/programs", "get", list);
    add("/api/programs", "post", coded(tell("Tries a program and keeps it.", "NewProgram", 201)));
    add("/api/programs/{id}", "delete", coded(named(gone("Forgets a program."))));
    add(
        "/api/programs/{id}/test",
        "post",
        named(tell("Starts a program and has it play a move.", "Game", 200)),
    );
    add("/api/runs", "get", ask("The runs of learning that the server has found.", "array"));
    let run = ask("The figures of a run; null if they are those of the version that is named.", "object");
    add("/api/runs/{id}", "get", asked_for(named(run), "version", "string", false));
    let games = ask("The latest games that the network of a generation has played.", "array");
    add("/api/runs/{id}/games", "get", asked_for(named(games), "generation", "integer", true));
    let opinion = tell("What the network of a generation says of a position.", "GenerationOpinion", 200);
    add("/api/runs/{id}/opinion", "post", named(opinion));
    add(
        "/api/ws",
        "get",
        json!({
            "summary": "The WebSocket of a browser tab: analyses and watched games.",
            "description": "Messages are JSON objects with a `type`, described in docs/server.md. The one that begins an analysis has the \
                schema Analyse.",
            "responses": {"101": {"description": "Switching to WebSocket."}, "4XX": refusal()},
        }),
    );
    Value::Object(paths)
}

/// A question without a body.
fn ask(summary: &str, kind: &str) -> Value {
    let content = json!({"application/json": {"schema": {"type": kind}}});
    json!({
        "summary": summary,
        "responses": {"200": {"description": "The answer.", "content": content}, "4XX": refusal()},
    })
}

/// A request with a body.
fn tell(summary: &str, schema: &str, status: u16) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
    let answer = json!({"application/json": {"schema": {"type": "object"}}});
    let mut operation = json!({
        "summary": summary,
        "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
        "responses": {"4XX": refusal()},
    });
    operation["responses"][status.to_string()] = json!({"description": "The answer.", "content": answer});
    operation
}

fn gone(summary: &str) -> Value {
    json!({"summary": summary, "responses": {"204": {"description": "Done."}, "4XX": refusal()}})
}

/// An operation on something that has a name.
fn named(mut operation: Value) -> Value {
    operation["parameters"] =
        json!([{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]);
    operation
}

/// An operation with one more thing behind the question mark.
fn asked_for(mut operation: Value, name: &str, kind: &str, is_required: bool) -> Value {
    if let Some(parameters) = operation["parameters"].as_array_mut() {
        parameters
            .push(json!({"name": name, "in": "query", "required": is_required, "schema": {"type": kind}}));
    }
    operation
}

/// An operation that wants the code of the server's owner.
fn coded(mut operation: Value) -> Value {
    let code =
        json!({"name": "x-outplay-code", "in": "header", "required": true, "schema": {"type": "string"}});
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(code),
        None => operation["parameters"] = json!([code]),
    }
    operation
}

fn refusal() -> Value {
    json!({
        "description": "What was wrong, and what to do about it.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    })
}

/// The name of a game, with its variant where it has some.
fn game(games: &Catalogue) -> Value {
    let names: Vec<&str> =
        games.rows().iter().flat_map(|row| row.aliases.iter().copied().chain([row.name])).collect();
    let examples: Vec<&str> = games.rows().iter().map(|row| row.example).collect();
    json!({"type": "string", "pattern": format!("^({})(:.+)?$", names.join("|")), "examples": examples})
}

fn schemas(game: &Value) -> Value {
    let setup = json!({
        "game": game,
        "start": {"type": ["string", "null"]},
        "moves": {"type": "array", "items": {"type": "string"}},
        "passed": {"type": "boolean"},
    });
    let with_setup = |more: Value| {
        let mut properties = setup.clone();
        if let (Some(properties), Value::Object(more)) = (properties.as_object_mut(), more) {
            properties.extend(more);
        }
        json!({"type": "object", "required": ["game"], "properties": properties})
    };
    let version = json!({"type": ["integer", "null"], "minimum": 0});
    json!({
        "Setup": with_setup(json!({})),
        "Opinion": with_setup(json!({"network": {"type": "string"}})),
        "GenerationOpinion": {
            "type": "object",
            "required": ["generation"],
            "properties": {
                "generation": {"type": "integer", "minimum": 0},
                "start": {"type": ["string", "null"]},
                "moves": {"type": "array", "items": {"type": "string"}},
            },
        },
        "Compose": with_setup(json!({
            "pieces": {"type": "array", "items": {"$ref": "#/components/schemas/Piece"}},
            "to_move": {"enum": [0, 1]},
            "stones_left": {"type": ["integer", "null"], "minimum": 0},
            "switches": {"type": "object", "additionalProperties": {"type": "boolean"}},
        })),
        "Piece": {
            "type": "object",
            "required": ["cell", "player", "kind"],
            "properties": {
                "cell": {"type": "string"},
                "player": {"enum": [0, 1]},
                "kind": {"type": "string"},
            },
        },
        "Import": {
            "type": "object",
            "description": "A file is a text, or bytes in hexadecimal.",
            "properties": {
                "game": {"type": ["string", "null"]},
                "text": {"type": "string"},
                "hex": {"type": "string"},
                "number": {"type": ["integer", "null"], "minimum": 1},
            },
        },
        "Export": with_setup(json!({
            "tags": {"type": "object", "additionalProperties": {"type": "string"}},
            "comments": {"type": "object", "additionalProperties": {"type": "string"}},
            "tree": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/TreeMove"}},
            "comment": {"type": "string"},
            "result": {
                "type": ["object", "null"],
                "properties": {"winner": {"enum": [0, 1, null]}, "margin": {"type": "integer"}},
            },
            "review": {"type": ["object", "null"]},
            "table": {"type": "boolean"},
        })),
        "TreeMove": {
            "type": "object",
            "required": ["move"],
            "properties": {
                "after": {"type": "integer", "minimum": 0},
                "move": {"type": "string"},
                "comment": {"type": "string"},
                "marks": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
            },
        },
        "Search": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "summary": {"type": "string"},
                "usual": {"type": "boolean"},
                "counts_playouts": {"type": "boolean"},
                "shows_tree": {"type": "boolean"},
                "options": {"type": "array", "items": {"$ref": "#/components/schemas/Option"}},
            },
        },
        "Option": {
            "type": "object",
            "required": ["name", "kind", "help", "default", "value"],
            "properties": {
                "name": {"type": "string"},
                "kind": {"enum": ["bool", "int", "float", "choice"]},
                "help": {"type": "string"},
                "group": {"type": "string"},
                "default": {"type": ["boolean", "number", "string"]},
                "value": {"type": ["boolean", "number", "string"]},
                "min": {"type": "number"},
                "max": {"type": "number"},
                "choices": {"type": "array", "items": {"type": "string"}},
                "alias": {"type": "string"},
                "attributes": {
                    "type": "array",
                    "description": "What it is, beyond its values: see docs/server.md.",
                    "items": {"type": ["string", "object"]},
                },
            },
        },
        "Solve": with_setup(json!({"nodes": {"type": ["integer", "null"], "minimum": 1}})),
        "Explain": with_setup(json!({
            "search": {"enum": ["minimax", "negamax", "alphabeta"]},
            "depth": {"type": "integer", "minimum": 1},
            "most_nodes": {"type": "integer", "minimum": 1},
        })),
        "Simulations": with_setup(json!({
            "search": {"enum": ["flat", "uct"]},
            "simulations": {"type": "integer", "minimum": 1, "maximum": questions::MOST_SIMULATIONS},
            "options": {"type": "object"},
        })),
        "Lesson": {
            "type": "object",
            "required": ["lesson"],
            "properties": {
                "lesson": {"type": "string"},
                "settings": {"type": "object", "additionalProperties": {"type": "number"}},
            },
        },
        "Limit": {
            "type": "object",
            "properties": {
                "nodes": {"type": "integer", "minimum": 1},
                "seconds": {"type": "number", "exclusiveMinimum": 0},
                "depth": {"type": "integer", "minimum": 1},
                "infinite": {"type": "boolean"},
            },
        },
        "GameFile": {
            "type": "object",
            "description": "A file is a text, or bytes in hexadecimal.",
            "required": ["game", "name"],
            "properties":
                {"game": game, "name": {"type": "string"}, "text": {"type": "string"}, "hex": {"type": "string"}},
        },
        "Game": {"type": "object", "required": ["game"], "properties": {"game": game}},
        "NewProgram": {
            "type": "object",
            "description": "A player as TOML files have it: see README.md.",
            "required": ["game", "cmd"],
            "properties": {
                "game": game,
                "name": {"type": "string"},
                "cmd": {"type": ["string", "array"], "items": {"type": "string"}},
                "proto": {"enum": ["uci", "xboard", "gtp", "gomocup", "connect6", "botzone", "nboard", "edax"]},
                "dir": {"type": "string"},
                "size": {"type": "integer", "minimum": 1},
                "columns": {"enum": ["with-i", "without-i"]},
                "option": {"type": "object"},
            },
        },
        "Program": {
            "type": ["object", "null"],
            "description": "A program of /api/programs in the place of a search.",
            "required": ["id"],
            "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        },
        "Engine": {
            "type": "object",
            "properties": {
                "program": {"$ref": "#/components/schemas/Program"},
                "search": {"type": "string"},
                "options": {"type": "object"},
                "limit": {"$ref": "#/components/schemas/Limit"},
            },
        },
        "Analyse": with_setup(json!({
            "type": {"const": "analyse"},
            "id": {"type": "string", "maxLength": 64},
            "program": {"$ref": "#/components/schemas/Program"},
            "search": {"type": "string"},
            "options": {"type": "object"},
            "lines": {"type": "integer", "minimum": 0},
            "limit": {"$ref": "#/components/schemas/Limit"},
            "trace": {
                "type": ["object", "null"],
                "properties": {
                    "plies": {"type": "integer", "minimum": 1, "maximum": watching::MOST_PLIES},
                    "most_nodes": {"type": "integer", "minimum": 1, "maximum": watching::MOST_NODES},
                    "least_visits": {"type": "integer", "minimum": 0},
                },
            },
        })),
        "Review": with_setup(json!({
            "type": {"const": "review"},
            "id": {"type": "string", "maxLength": 64},
            "search": {"type": "string"},
            "options": {"type": "object"},
            "limit": {"$ref": "#/components/schemas/Limit"},
            "first": {"type": "integer", "minimum": 0},
        })),
        "NewGame": with_setup(json!({
            "human": {"enum": [0, 1, null]},
            "levels": {"type": "array", "maxItems": 2, "items": {"type": ["integer", "null"], "minimum": 1}},
            "engines": {
                "type": "array",
                "maxItems": 2,
                "items": {"anyOf": [{"$ref": "#/components/schemas/Engine"}, {"type": "null"}]},
            },
            "clock": {
                "type": ["object", "null"],
                "required": ["seconds"],
                "properties": {
                    "seconds": {"type": "number", "minimum": 0.1, "maximum": LONGEST_CLOCK},
                    "increment": {"type": "number", "minimum": 0, "maximum": LONGEST_CLOCK},
                },
            },
        })),
        "Move": {
            "type": "object",
            "required": ["move"],
            "properties": {"move": {"type": "string"}, "version": version},
        },
        "Seen": {"type": "object", "properties": {"version": version}},
        "Study": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string", "minLength": 1}}},
        "Error": {
            "type": "object",
            "required": ["error"],
            "properties": {
                "error": {
                    "type": "object",
                    "required": ["code", "message"],
                    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                },
            },
        },
    })
}
