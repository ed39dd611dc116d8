//! Positions and moves of Connect Four as text: what is read, and what is refused and why.

use outplay_connect::ConnectFour;
use outplay_connect::four::Rules;
use outplay_core::{Game, Notation, Outcome, Player, Records, garbage};

fn read(text: &str) -> Result<ConnectFour, String> {
    ConnectFour::parse_position(&Rules::default(), text).map_err(|error| error.to_string())
}

#[test]
fn a_position_is_a_board_and_a_player() {
    assert_eq!(ConnectFour::start(&Rules::default()).position_text(), "7/7/7/7/7/7 x");
    let position = read("4453").expect("legal moves");
    assert_eq!(position.position_text(), "7/7/7/7/3o3/2oxx2 x");
    for same in ["ddec", "d d e c", "4, 4, 5, 3", "D4eC", "7/7/7/7/3o3/2oxx2 x", " 7/7/7/7/3O3/2oXx2  X\n"] {
        assert_eq!(read(same), Ok(position.clone()), "{same}");
    }
}

#[test]
fn the_board_is_drawn_with_its_coordinates() {
    let position =
        ConnectFour::parse_position(&Rules::new(5, 3).expect("a valid size"), "a b b").expect("legal moves");
    assert_eq!(
        position.board(),
        " 3 . . . . .\n 2 . x . . .\n 1 x o . . .\n   a b c d e\nYellow (o) to move\n"
    );
}

#[test]
fn moves_that_cannot_be_are_refused_with_the_reason() {
    let position = read("1111112").expect("legal moves");
    for (text, reason) in [
        ("a", "the column is full"),
        ("1", "the column is full"),
        ("h", "expected a column from a to g"),
        ("8", "expected a column from a to g"),
        ("0", "expected a column from a to g"),
        ("", "expected a column from a to g"),
        ("d4", "expected a column from a to g"),
        ("é", "expected a column from a to g"),
    ] {
        let error = position.parse_move(text).expect_err(text).to_string();
        assert!(error.contains(reason), "{text:?}: {error}");
    }
    let over = read("1212121").expect("legal moves");
    assert_eq!(over.outcome(), Some(Outcome::win(Player::First)));
    assert!(over.parse_move("d").expect_err("over").to_string().contains("the game is over"));
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_reason() {
    for (text, reason) in [
        ("", "found the end, expected a board, or moves"),
        ("44 58", "column 5: found \"8\", expected a column from a to g"),
        ("1111111", "column 7: found \"1\", the column is full"),
        ("12121213", "column 8: found \"3\", the game is over"),
        ("7/7/7/7/7/7", "expected whose turn it is"),
        ("7/7/7/7/7/7 b", "found \"b\", expected whose turn it is"),
        ("7/7/7/7/7/7 x 1", "found \"1\", expected nothing more"),
        ("7/7/7/7/7 x", "expected more rows, 1 missing"),
        ("7/7/7/7/7/7/7 x", "expected no more than 6 rows"),
        ("7/7/7/7/7/8 x", "expected a row of 7 cells, not more"),
        ("7/7/7/7/7/x o", "expected a row of 7 cells, not 1"),
        ("7/7/7/7/7/xyz4 o", "found \"yz4\", expected x, o,"),
        ("7/7/7/7/x6/7 o", "a stone floats above an empty cell"),
        ("x6/7/7/7/7/7 o", "a stone floats above an empty cell"),
        ("7/7/7/7/7/xx5 o", "stones of x: 2, of o: 0; players alternate"),
        ("7/7/7/7/7/o6 x", "stones of x: 0, of o: 1; players alternate"),
        ("7/7/7/7/7/xo5 o", "stones of x: 1, of o: 1; it is x's turn"),
        ("7/7/7/7/7/x6 x", "stones of x: 1, of o: 0; it is o's turn"),
        ("7/7/7/7/oooo3/xxxx3 x", "both players have 4 in a row"),
        ("7/7/7/7/ooo4/xxxxo2 x", "x has 4 in a row, but o placed the last stone"),
        ("7/7/7/7/ooox3/xxxxo2 o", "no stone on top of a column can have completed all of x's rows of 4"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn lists_of_moves_come_apart_with_and_without_spaces() {
    for (text, moves) in [
        ("4453", &["4", "4", "5", "3"][..]),
        ("ddec 4,B", &["d", "d", "e", "c", "4", "B"]),
        // What is no list of columns is left for the error to name.
        ("10 d-d é", &["10", "d-d", "é"]),
        (" ,", &[]),
    ] {
        assert_eq!(ConnectFour::split_moves(text), moves, "{text}");
    }
}

#[test]
fn a_bare_number_in_a_record_is_a_column_if_it_can_be_one() {
    let moves = |text: &str| -> Vec<usize> {
        let games = ConnectFour::read_records(&Rules::default(), text.as_bytes())
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(games.len(), 1, "{text}");
        games[0].tree.main_line().map(|m| m.index()).collect()
    };
    assert_eq!(moves("1. 4 4 2. 5 3 *"), [3, 3, 4, 2]);
    assert_eq!(moves("1.4 (1.5 5) 4 2.d 12 3... 3 *"), [3, 3, 3, 2]);
}

const TOTAL: usize = 10_000_000;

#[test]
fn garbage_never_breaks_the_reading_of_positions() {
    let samples = ["7/7/7/7/3o3/2oxx2 x", "xoxoxox/oxoxoxo/7/7/7/7 x", "44534455", "d d e c", "4,4,5,3"];
    garbage::feed_text(1, &samples, TOTAL, |text| {
        if let Ok(position) = read(text) {
            assert_eq!(read(&position.position_text()), Ok(position));
        }
    });
}

#[test]
fn garbage_never_breaks_the_reading_of_moves_sizes_and_records() {
    let position = read("4453").expect("legal moves");
    garbage::feed_text(2, &["a", "g", "1", "7", "h", "d4"], TOTAL, |text| {
        if let Ok(m) = position.parse_move(text) {
            assert!(position.is_legal(m));
        }
    });
    garbage::feed_text(3, &["7x6", "8X7", "21x2"], TOTAL, |text| {
        if let Ok(rules) = text.parse::<Rules>() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
    });
    let samples: [&[u8]; 2] = [
        b"[Event \"A\"]\n[FEN \"7/7/7/7/3o3/2oxx2 x\"]\n\n1. d {centre} d $1 (1... a 2. b) 2. e c *\n",
        b"1. d d 2. e c 3. b e 4. f 1-0\n\n1. a b *\n",
    ];
    garbage::feed(4, &samples, TOTAL, |bytes| {
        let _ = ConnectFour::read_records(&Rules::default(), bytes);
    });
}
