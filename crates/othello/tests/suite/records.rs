//! Recorded games: GGF, WTHOR, transcripts and PGN, told apart by their content.

use std::ops::ControlFlow;

use outplay_core::{Game, Line, MoveTree, Notation, Outcome, Player, Record, Records, collect_records};
use outplay_othello::{Othello, ggf, wthor};

fn read(bytes: impl AsRef<[u8]>) -> Vec<Record<Othello>> {
    Othello::read_records(&(), bytes.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(bytes: impl AsRef<[u8]>) -> String {
    match Othello::read_records(&(), bytes.as_ref()) {
        Ok(games) => panic!("read {games:?}"),
        Err(error) => error.to_string(),
    }
}

fn moves(record: &Record<Othello>) -> String {
    let line = record.line();
    let texts = line.moves().iter().zip(line.positions()).map(|(&m, position)| position.move_text(m));
    texts.collect::<Vec<_>>().join(" ")
}

const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

/// As the server writes it: a count, several properties, an evaluation, times, an ending, and a second game.
fn server_file() -> String {
    format!(
        "2 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[one]PW[two]RB[1814.08]RW[1890.81]\
         TI[05:00//02:00]TY[8r20]RE[+8.000:t]{START}B[f5//0.01]W[d6/-1.25/0.5]C[why \n not]B[C3/+2];)\n\
         (;GM[Othello]PB[a]PW[b]RE[?]TI[1]TY[8]{START}B[d3];)\n"
    )
}

#[test]
fn ggf_keeps_names_results_evaluations_times_and_comments() {
    let games = read(server_file());
    assert_eq!(games.len(), 2);
    let game = &games[0];
    let tags: Vec<(&str, &str)> =
        game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        tags,
        [
            ("Site", "GGS/os"),
            ("Date", "2003.12.15_13:24:03.MST"),
            ("Black", "one"),
            ("White", "two"),
            ("BlackElo", "1814.08"),
            ("WhiteElo", "1890.81"),
            ("TimeControl", "05:00//02:00"),
            ("Variant", "8r20"),
            ("Termination", "time forfeit"),
        ]
    );
    assert_eq!(game.outcome, Some(Outcome::from_margin(8, Player::First)));
    assert_eq!(moves(game), "f5 d6 c3");
    let comments: Vec<&str> = game.tree.main_nodes().map(|node| game.tree.comment(node)).collect();
    assert_eq!(comments, ["[%emt 0.01]", "[%eval -1.25] [%emt 0.5] why not", "[%eval +2]"]);
    assert_eq!((games[1].outcome, games[1].tag("Variant")), (None, None));
}

#[test]
fn ggf_written_is_ggf_read() {
    for game in read(server_file()) {
        let written = ggf::write(&game);
        assert_eq!(read(&written), [game], "{written}");
    }
}

/// A game from a set-up position that begins with a pass and has one more after its end.
fn game_with_passes() -> Record<Othello> {
    let start = Othello::parse_position(&(), &format!("OX{} X", "-".repeat(62))).unwrap();
    let mut line = Line::new(start);
    for text in ["pass", "c1", "pass"] {
        line.play(line.position().parse_move(text).unwrap());
    }
    Record::of_line(&line)
}

#[test]
fn set_up_positions_and_passes_survive_every_format() {
    let game = game_with_passes();
    assert_eq!(moves(&game), "pass c1 pass");
    for written in [ggf::write(&game), Othello::write_record(&(), &game)] {
        assert_eq!(read(&written), std::slice::from_ref(&game), "{written}");
    }
}

#[test]
fn ggf_puts_in_a_pass_that_was_left_out() {
    let board = format!("BO[8 O*{} *]", "-".repeat(62));
    assert_eq!(moves(&read(format!("(;{board}W[c1];)"))[0]), "pass c1");
    assert_eq!(moves(&read(format!("(;{board}B[PA]W[C1];)"))[0]), "pass c1");
}

#[test]
fn pgn_keeps_comments_variations_and_the_margin() {
    let text = "[Black \"one\"]\n[Result \"0-1\"]\n[Margin \"12\"]\n\n\
                1. f5 {[%eval 0.5] good} d6 (1... f6 2. e6 f4) 2. c3 0-1\n";
    let games = read(text);
    let [game] = &games[..] else { panic!("one game") };
    assert_eq!(game.outcome, Some(Outcome::from_margin(12, Player::Second)));
    assert_eq!(game.tree.len(), 6);
    let first = game.tree.main_nodes().next().unwrap();
    assert_eq!(game.tree.comment(first), "[%eval 0.5] good");
    assert_eq!(game.tree.children(first).len(), 2);
    assert_eq!(read(Othello::write_record(&(), game)), games);
}

#[test]
fn transcripts_are_told_from_other_formats() {
    let games = read("\n F5D6C3\nf5 f6 e6\n");
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["f5 d6 c3", "f5 f6 e6"]);
    let finished = read("e6f4e3f6g5d6e7f5c5");
    assert_eq!(finished[0].outcome, Some(Outcome::from_margin(64, Player::First)));
    assert_eq!(finished[0].tree.comment(MoveTree::ROOT), "");
}

#[test]
fn a_bad_game_is_refused_with_its_place_and_reason() {
    for (text, reason) in [
        ("(;GM[Go]B[dd];)", "GGF: column 6: found \"Go]B[dd];)\", expected a game of Othello"),
        ("(;TY[10];)", "GGF \"10\": only 8×8 is played here"),
        ("(;TY[8a];)", "GGF \"8a\": games that the player with fewer discs wins are not played here"),
        ("(;BO[10 --- *];)", "found \"10\", expected 8, for a board of 8×8"),
        ("(;BO[8 --- *];)", "expected 8×8 = 64 squares and the side to move, not 4 signs"),
        ("(;RE[99];)", "expected a result from -64 to 64"),
        ("(;RE[NaN];)", "expected a result from -64 to 64"),
        ("(;B[f5]B[d6];)", "column 10: found \"d6];)\", expected a move of White"),
        ("(;B[f5]\nW[a1];)", "line 2, column 3: found \"a1];)\", White would turn no disc there"),
        ("(;B[f5", "column 4: found \"[f5\", expected a value that ends with ]"),
        ("(;B f5", "found a space, expected the property's value in brackets"),
        ("(;B[f5]", "found the end, expected a property, or ;) to end the game"),
    ] {
        let refusal = refusal(text);
        assert!(refusal.ends_with(reason), "{refusal:?} for {text:?}");
    }
    let late = format!("(;B[f5]{START};)");
    assert!(refusal(&late).ends_with("expected the board before the moves"));
}

/// A database of one game: header, numbers, scores, then the squares played on.
fn database(squares: &[u8]) -> Vec<u8> {
    let mut bytes = vec![20, 5, 1, 31, 1, 0, 0, 0, 0, 0, 0xCD, 0x07, 8, 0, 22, 0];
    bytes.extend([3, 0, 1, 0, 0x02, 0x01, 64, 40]);
    bytes.extend(squares);
    bytes.resize(16 + 68, 0);
    bytes
}

#[test]
fn a_database_is_read_with_its_names() {
    let bytes = database(&[65, 46, 35, 66, 57, 64, 75, 56, 53]);
    let database = wthor::Database::read(&bytes).unwrap();
    assert_eq!((database.year, database.solved_empties, database.games.len()), (1997, 22, 1));
    let stored = database.games[0];
    assert_eq!((stored.tournament, stored.black, stored.white), (3, 1, 258));
    assert_eq!((stored.black_discs, stored.best_black_discs), (64, 40));

    let game = &read(&bytes)[0];
    assert_eq!(moves(game), "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_eq!(game.outcome, Some(Outcome::from_margin(64, Player::First)));
    assert_eq!((game.tag("Black"), game.tag("White")), (Some("#1"), Some("#258")));
    assert_eq!(game.tag("Date"), Some("1997.??.??"));

    let names = |width: usize, names: &[&str]| {
        let mut bytes = vec![20, 5, 1, 31, 0, 0, 0, 0, names.len() as u8, 0, 0, 0, 0, 0, 0, 0];
        for name in names {
            bytes.extend(name.bytes());
            bytes.resize(bytes.len() + width - name.len(), 0);
        }
        bytes
    };
    let names =
        wthor::Names::read(&names(20, &["???", "Ada"]), &names(26, &["a", "b", "c", "Open"])).unwrap();
    let game = &collect_records(|visit| database.visit_records(&names, visit)).unwrap()[0];
    assert_eq!(
        (game.tag("Event"), game.tag("Black"), game.tag("White")),
        (Some("Open"), Some("Ada"), Some("#258"))
    );
}

#[test]
fn a_bad_database_is_refused_with_its_reason() {
    let good = database(&[56, 64]);
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    for (bytes, reason) in [
        (good[..15].to_vec(), "WTHOR the header: expected 16 bytes that begin with a date"),
        (with(12, 10), "WTHOR the header: a board of size 10; only 8×8 is played here"),
        (good[..80].to_vec(), "expected 1 entries of 68 bytes, found 0 and 64 bytes more"),
        (with(4, 2), "expected 2 entries of 68 bytes, found 1 and 0 bytes more"),
        (with(22, 65), "WTHOR game 1 of 1997: 65: a score above 64"),
        (with(24, 11), "WTHOR game 1 of 1997: \"a1\": Black would turn no disc there"),
        (with(24, 59), "WTHOR game 1 of 1997: 59: expected a square from 11 to 88"),
    ] {
        let refusal = refusal(&bytes);
        assert!(refusal.ends_with(reason), "{refusal:?}");
    }
}

#[test]
fn a_bad_game_does_not_spoil_what_stands_before_it() {
    let mut two_games = database(&[56, 64]);
    two_games[4] = 2;
    two_games.extend([3, 0, 1, 0, 2, 1, 34, 40, 11]);
    two_games.resize(16 + 2 * 68, 0);
    for bytes in [&b"(;B[f5];)(;B[a1];)"[..], b"f5d6\nf5f5", b"1. f5 d6 *\n\n1. f5 f5 *", &two_games] {
        let mut seen = Vec::new();
        let visited = Othello::visit_records(&(), bytes, &mut |record| {
            seen.push(moves(&record));
            ControlFlow::Break(())
        });
        assert_eq!((visited, seen.len()), (Ok(()), 1), "{seen:?}");
        assert!(seen[0].starts_with("f5"), "{seen:?}");
        assert!(Othello::read_records(&(), bytes).is_err());
    }
}

#[test]
fn a_collection_of_problems_is_read_as_games_without_moves() {
    let start = Othello::start(&()).position_text();
    let text = format!("% two\n{start}; f5:+0\n{start}\n");
    let records = Othello::read_records(&(), text.as_bytes()).unwrap();
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|record| record.start == Othello::start(&()) && record.tree.is_empty()));
}
