//! Positions, moves and rules of the Connect family as text: what is read, and what is refused and why.

use outplay_connect::{Connect, Rules};
use outplay_core::{Game, Notation, Outcome, Player, garbage};

fn read(rules: &str, text: &str) -> Result<Connect, String> {
    let rules: Rules = rules.parse().expect("valid rules");
    Connect::parse_position(&rules, text).map_err(|error| error.to_string())
}

#[test]
fn a_position_is_a_board_a_player_and_the_stones_left() {
    let start = Connect::start(&Rules::CONNECT6);
    assert_eq!(start.position_text(), format!("{}19 x 1", "19/".repeat(18)));
    let position = read("5,3,4,2,1", "a1 c2 e3 b1").expect("legal moves");
    assert_eq!(position.position_text(), "4o/2o2/xx3 x 1");
    assert_eq!(read("5,3,4,2,1", " 4O/2o02/xX3  X 1 "), Ok(position));
}

#[test]
fn the_board_is_drawn_with_its_coordinates() {
    let position = read("5,3,4,2,1", "a1 c2 e3 b1").expect("legal moves");
    assert_eq!(
        position.board(),
        " 3 . . . . o\n 2 . . o . .\n 1 x x . . .\n   a b c d e\nBlack (x) to place one stone\n"
    );
}

#[test]
fn the_letter_i_is_a_column_and_rows_count_from_the_bottom() {
    let start = Connect::start(&Rules::CONNECT6);
    for (text, index) in [("a1", 0), ("s1", 18), ("a2", 19), ("i1", 8), ("J10", 180), ("s19", 360)] {
        let m = start.parse_move(text).expect(text);
        assert_eq!(m.index(), index, "{text}");
        assert_eq!(start.move_text(m), text.to_lowercase());
    }
}

#[test]
fn a_list_of_moves_is_a_position() {
    let by_spaces = read("19,19,6,2,1", "j10 k11 l12").expect("legal moves");
    assert_eq!(read("19,19,6,2,1", "j10,k11,l12"), Ok(by_spaces.clone()));
    assert_eq!(read("19,19,6,2,1", "J10, K11,\n L12,"), Ok(by_spaces.clone()));
    assert_eq!(by_spaces.to_move(), Player::First);
    let error = read("19,19,6,2,1", "j10 k11 k11 l12").expect_err("k11 is taken");
    assert_eq!(error, "move: column 9: found \"k11\", there is a stone already");
}

#[test]
fn moves_that_cannot_be_are_refused_with_the_reason() {
    let position = read("5,5,3,1,1", "a1 b2").expect("legal moves");
    for (text, reason) in [
        ("a1", "there is a stone already"),
        ("b2", "there is a stone already"),
        ("f1", "the board only has the cells from a1 to e5"),
        ("a6", "the board only has the cells from a1 to e5"),
        ("a0", "expected the letter of a column"),
        ("", "expected the letter of a column"),
        ("pass", "expected the letter of a column"),
        ("é1", "expected the letter of a column"),
        ("aa", "pairs of letters count rows from either side"),
    ] {
        let error = position.parse_move(text).expect_err(text).to_string();
        assert!(error.contains(reason), "{text:?}: {error}");
    }
    let over = read("5,5,3,1,1", "a1 a3 b1 b3 c1").expect("legal moves");
    assert!(over.parse_move("e5").expect_err("over").to_string().contains("the game is over"));
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_reason() {
    for (rules, text, reason) in [
        ("3,3,3,1,1", "", "found the end, expected a board"),
        ("3,3,3,1,1", "3/3/3", "found the end, expected whose turn it is"),
        ("3,3,3,1,1", "3/3/3 b 1", "found \"b\", expected whose turn it is"),
        ("3,3,3,1,1", "3/3/3 x", "found the end, expected how many stones"),
        ("3,3,3,1,1", "3/3/3 x one", "found \"one\", expected how many stones"),
        ("3,3,3,1,1", "3/3/3 x 1 1", "column 11: found \"1\", expected nothing more"),
        ("3,3,3,1,1", "3/4/3 x 1", "column 3: found \"4/3\", expected a row of 3 cells, not more"),
        ("3,3,3,1,1", "3/1x/3 x 1", "expected a row of 3 cells, not 2"),
        ("3,3,3,1,1", "3/xxxx/3 x 1", "expected a row of 3 cells, not more"),
        ("3,3,3,1,1", "3/99999999999999999999999/3 x 1", "expected a row of 3 cells, not more"),
        ("3,3,3,1,1", "3/1y1/3 x 1", "column 4: found \"y1/3\", expected x, o,"),
        ("3,3,3,1,1", "3/3 x 1", "expected more rows, 1 missing"),
        ("3,3,3,1,1", "3/3/3/3 x 1", "expected no more than 3 rows"),
        ("19,19,6,2,1", "3/3/3 x 1", "expected a row of 19 cells, not 3"),
        ("3,3,3,1,1", "3/1x1/3 x 1", "stones on the board: 1, so it is O's turn"),
        ("3,3,3,1,1", "3/3/3 x 2", "stones on the board: 0, so the turn has 1 left, not 2"),
        ("3,3,3,1,1", "3/3/3 x 0", "stones on the board: 0, so the turn has 1 left, not 0"),
        ("3,3,3,1,1", "3/1o1/3 x 1", "stones of X: 0, of O: 1; play would give 1 and 0"),
        ("6,6,6,2,1", "6/6/6/6/6/xooo2 x 1", "stones of Black: 1, of White: 3; play would give 2 and 2"),
        ("6,6,6,2,1", "6/6/6/6/6/xxoo2 x 2", "stones on the board: 4, so the turn has 1 left, not 2"),
        ("6,6,6,2,1", "6/6/6/6/6/xxoo2 o 1", "stones on the board: 4, so it is Black's turn"),
        ("3,3,3,1,1", "xxx/ooo/3 x 1", "both players have 3 in a row"),
        ("3,3,3,1,1", "xxx/oo1/o2 x 1", "X has 3 in a row, but O placed the last stone"),
        ("3,3,3,1,1", "ooo/xx1/x1x o 1", "O has 3 in a row, but X placed the last stone"),
        (
            "3,7,3,1,1",
            "xxx/o1o/o1o/3/3/o2/xxx o 1",
            "no single stone can have completed all of Black's rows of 3",
        ),
    ] {
        let error = read(rules, text).expect_err(text);
        assert!(error.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn a_stone_that_completes_two_rows_is_possible() {
    let position = read("5,5,3,1,1", "oo3/2oo1/2x2/2x2/xxx2 o 1").expect("c1 was the last stone");
    assert_eq!(position.outcome(), Some(Outcome::win(Player::First)));
}

#[test]
fn exactly_the_positions_that_play_reaches_are_read() {
    // All 3^9 boards of tic-tac-toe, each with both players to move.
    let mut accepted = 0;
    for board in 0..19_683 {
        let cells: Vec<char> = (0..9).map(|cell| ['x', 'o', '1'][board / 3usize.pow(cell) % 3]).collect();
        let board: Vec<String> = cells.chunks(3).map(|row| row.iter().collect()).collect();
        let board = board.join("/").replace("111", "3").replace("11", "2");
        accepted += ["x", "o"]
            .iter()
            .filter(|player| read("3,3,3,1,1", &format!("{board} {player} 1")).is_ok())
            .count();
    }
    assert_eq!(accepted, 5478);
}

const TOTAL: usize = 10_000_000;

#[test]
fn garbage_never_breaks_the_reading_of_positions() {
    let samples = [
        "19/19/19/19/19/19/19/19/10o8/9x9/8o10/19/19/19/19/19/19/19/19 x 2",
        "j10 k11 l12 a1 s19",
        "j10,k11,i11,h11,i10,j9",
        "x4xo12/oxoxoxoxoxoxoxoxoxo/1x1o1x1o",
    ];
    garbage::feed_text(1, &samples, TOTAL, |text| {
        if let Ok(position) = Connect::parse_position(&Rules::CONNECT6, text) {
            assert_eq!(Connect::parse_position(&Rules::CONNECT6, &position.position_text()), Ok(position));
        }
    });
}

#[test]
fn garbage_never_breaks_the_reading_of_moves_and_rules() {
    let position = read("19,19,6,2,1", "j10").expect("a legal move");
    garbage::feed_text(2, &["a1", "j10", "s19", "jj", "t20", "A1"], TOTAL, |text| {
        if let Ok(m) = position.parse_move(text) {
            assert!(position.is_legal(m));
        }
    });
    let samples = ["19,19,6,2,1", "19x19,6,2,1", "Connect(15,15,5,1,1)", "gomoku", "tic-tac-toe"];
    garbage::feed_text(3, &samples, TOTAL, |text| {
        if let Ok(rules) = text.parse::<Rules>() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
    });
}
