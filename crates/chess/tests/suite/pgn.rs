//! Recorded games.

use std::process::Command;

use outplay_chess::{Chess, ChessRules, StartArray};
use outplay_core::{Game, MoveTree, NodeId, Notation, Outcome, Player, Record, Records};
use outplay_testing::public_data;

use crate::{CHESS960, line, position960};

fn read(text: &str) -> Vec<Record<Chess>> {
    Chess::read_records(&ChessRules::Standard, text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn read_one(text: &str) -> Record<Chess> {
    let records = read(text);
    assert_eq!(records.len(), 1, "{text}");
    records.into_iter().next().unwrap()
}

fn write(record: &Record<Chess>) -> String {
    Chess::write_record(&ChessRules::Standard, record)
}

/// The main line as text.
fn moves(record: &Record<Chess>) -> String {
    let line = record.line();
    let moves = line.positions().iter().zip(line.moves()).map(|(position, &m)| position.move_text(m));
    moves.collect::<Vec<_>>().join(" ")
}

/// The moves that follow a node, each with its marks and comment, variations included.
fn annotated(record: &Record<Chess>, node: NodeId, position: &Chess) -> Vec<String> {
    let tree = &record.tree;
    let children = tree.children(node).iter().filter_map(|&child| Some((child, tree.played(child)?)));
    children
        .map(|(child, m)| {
            format!("{} {:?} {}", position.move_text(m), tree.marks(child), tree.comment(child))
        })
        .collect()
}

#[test]
fn a_game_is_read_with_all_that_is_written_about_it() {
    let game = read_one(
        "[Event \"A \\\"great\\\" match\"]\n[White \"Ada\"]\n[Black \"Grace\"]\n[Result \"0-1\"]\n[ECO \"C50\"]\n\n\
         {Before the first move.} 1. e4! {Best by\ntest} e5 $2 (1... c5 2. Nf3 (2. c3 $5 d5) 2... d6) (1... e6)\n\
         2.Nf3 ; the rest of the line\n% this line is for other programs\n2...Nc6 3. Bc4 Bc5 0-1\n",
    );
    assert_eq!(game.tag("Event"), Some("A \"great\" match"));
    assert_eq!(game.tag("ECO"), Some("C50"));
    assert_eq!(game.outcome, Some(Outcome::win(Player::Second)));
    assert_eq!(moves(&game), "e4 e5 Nf3 Nc6 Bc4 Bc5");
    assert_eq!(game.tree.comment(MoveTree::ROOT), "Before the first move.");
    assert_eq!(annotated(&game, MoveTree::ROOT, &game.start), ["e4 [1] Best by test"]);
    let main: Vec<NodeId> = game.tree.main_nodes().collect();
    let after_e4 = line(game.start.clone(), "e4");
    assert_eq!(annotated(&game, main[0], after_e4.position()), ["e5 [2] ", "c5 [] ", "e6 [] "]);
    assert_eq!(game.tree.comment(main[2]), "the rest of the line");
    let sicilian = game.tree.children(main[0])[1];
    let after_c5 = line(game.start.clone(), "e4 c5");
    assert_eq!(annotated(&game, sicilian, after_c5.position()), ["Nf3 [] ", "c3 [5] "]);
    assert_eq!(read_one(&write(&game)), game);
}

#[test]
fn the_roster_comes_first_and_in_order() {
    let game = read_one("[ECO \"A00\"]\n[Black \"B\"]\n[White \"W\"]\n[Event \"E\"]\n\n1. g4 *");
    let written = write(&game);
    let names: Vec<&str> =
        written.lines().filter_map(|line| line.strip_prefix('[')?.split(' ').next()).collect();
    assert_eq!(names[..6], ["Event", "Site", "Date", "Round", "White", "Black"]);
    assert!(names.contains(&"Result") && names.contains(&"ECO"), "{names:?}");
    assert!(written.contains("[Date \"????.??.??\"]"), "{written}");
    let again = read_one(&written);
    assert_eq!(again.tag("Date"), None, "what only says unknown is not kept");
    assert_eq!(again.tags.len(), game.tags.len());
}

#[test]
fn a_game_from_a_position_carries_it_and_its_move_number() {
    let text = "[FEN \"4k3/8/8/8/8/8/4p3/4K2R b K - 3 57\"]\n\n57... Kd7 58. Rh7+ Kd6 1/2-1/2";
    let game = read_one(text);
    assert_eq!(moves(&game), "Kd7 Rh7+ Kd6");
    let written = write(&game);
    assert!(written.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K2R b K - 3 57\"]\n"), "{written}");
    assert!(written.contains("\n57... Kd7 58. Rh7+ Kd6 1/2-1/2\n"), "{written}");
    assert_eq!(read_one(&written), game);
}

#[test]
fn files_come_in_many_shapes() {
    let games = read(
        "\u{feff}[White \"1\"]\r\n[Result \"1-0\"]\r\n\r\n1.e4 e5\r\n2.Qh5 Ke7 3.Qxe5# 1-0\r\n\r\n\
         [White \"2\"]\r\n\r\n1. d4 d5\r\n\r\n[White \"3\"]\r\n[Result \"1/2-1/2\"]\r\n\r\n\
         1 e2e4 d7d5 2 e4d5 c7-c5 3 d5c6 e.p. *",
    );
    let lines: Vec<String> = games.iter().map(moves).collect();
    assert_eq!(lines, ["e4 e5 Qh5 Ke7 Qxe5#", "d4 d5", "e4 d5 exd5 c5 dxc6"]);
    let outcomes = games.iter().map(|game| game.outcome);
    assert!(outcomes.eq([Some(Outcome::win(Player::First)), None, None]), "the moves' own result counts");
    let latin = b"[White \"R\xe9ti\"]\n\n1. Nf3 {tr\xe8s bien} *";
    let games = Chess::read_records(&ChessRules::Standard, latin).unwrap();
    assert_eq!(games[0].tag("White"), Some("Réti"));
    assert_eq!(games[0].tree.comment(games[0].tree.children(MoveTree::ROOT)[0]), "très bien");
}

#[test]
fn a_null_move_ends_its_variation_and_nothing_else() {
    let game = read_one("1. e4 e5 (1... c5 2. Z0 Nc6 (2... e6) 3. d4) 2. Nf3 (2. -- d5) Nc6 *");
    assert_eq!(moves(&game), "e4 e5 Nf3 Nc6");
    assert_eq!(game.tree.len(), 5);
    let error = Chess::read_records(&ChessRules::Standard, b"1. e4 -- 2. d4 *").unwrap_err();
    assert_eq!(
        error.to_string(),
        "PGN: column 7: found \"--\", a null move, which only a variation can hold"
    );
}

#[test]
fn a_bad_move_is_named_with_its_place() {
    let error =
        Chess::read_records(&ChessRules::Standard, b"[White \"W\"]\n\n1. e4 e5\n2. Nd4 *").unwrap_err();
    assert_eq!(error.place.map(|place| (place.line, place.column)), Some((Some(4), 4)));
    assert!(error.reason.contains("no such knight move to d4"), "{error}");
}

#[test]
fn a_game_of_chess960_says_so_and_carries_its_array() {
    let rules = ChessRules::Chess960(StartArray::new(534).unwrap());
    let mut record = Record::of_line(&line(Chess::start(&rules), "e4 e5 Nf3 Nf6 Bc4 Bc5 Qe2 Qe7 O-O"));
    record.set_tag("White", "Ada");
    let written = Chess::write_record(&rules, &record);
    assert!(written.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rnbkqbnr/"), "{written}");
    assert!(written.contains("5. O-O *"), "{written}");
    for rules in [rules, CHESS960] {
        assert_eq!(Chess::read_records(&rules, written.as_bytes()), Ok(vec![record.clone()]));
    }
    let refused = Chess::read_records(&ChessRules::Standard, written.as_bytes()).unwrap_err();
    assert!(refused.to_string().contains("needs Chess960"), "{refused}");
    // The standard array is an array like any other, and a game may begin in the middle.
    for start in [Chess::start(&CHESS960), position960("4k3/8/8/8/8/8/8/1R1K3R b HB - 4 33")] {
        let record = Record::new(start);
        let written = Chess::write_record(&rules, &record);
        assert_eq!(Chess::read_records(&rules, written.as_bytes()), Ok(vec![record]), "{written}");
    }
}

/// The text of a book that is kept as a zip archive.
fn unzipped(name: &str) -> Option<Vec<u8>> {
    let archive = public_data::path(name)?;
    match Command::new("unzip").arg("-p").arg(archive).output() {
        Ok(output) if output.status.success() => Some(output.stdout),
        _ => {
            public_data::skip(&format!("there is no unzip to open {name} with"));
            None
        }
    }
}

#[test]
fn a_public_book_is_read_and_its_moves_are_written_as_they_stood() {
    let Some(bytes) = unzipped("chess/books/8moves_v3.pgn.zip") else { return };
    let text = std::str::from_utf8(&bytes).expect("the book is text");
    let games = Chess::read_records(&ChessRules::Standard, &bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(games.len(), text.matches("[Event ").count());
    let movetext: Vec<&str> = text.lines().filter(|line| !line.starts_with('[')).collect();
    let words = movetext.iter().flat_map(|line| line.split_whitespace());
    let as_they_stood: Vec<&str> = words
        .filter(|word| !word.ends_with('.') && !matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "*"))
        .collect();
    let ours: Vec<String> = games.iter().map(moves).collect();
    assert!(ours.iter().flat_map(|line| line.split(' ')).eq(as_they_stood));
    for game in games.iter().step_by(100) {
        assert_eq!(read_one(&write(game)), *game);
    }
}

#[test]
fn a_game_of_another_variant_is_refused_and_the_usual_names_are_not() {
    let game = |variant: &str| format!("[Variant \"{variant}\"]\n\n1. e4 *\n");
    for known in ["Standard", "chess", "From Position"] {
        assert!(Chess::read_records(&ChessRules::Standard, game(known).as_bytes()).is_ok(), "{known}");
    }
    let refused = Chess::read_records(&ChessRules::Standard, game("Crazyhouse").as_bytes()).unwrap_err();
    assert!(refused.to_string().contains("\"Crazyhouse\": expected a game of chess"), "{refused}");
}
