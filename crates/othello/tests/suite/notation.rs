//! Positions, moves, drawn boards, transcripts and OBF.

use outplay_core::{Game, Line, Notation, ParseError, Player, Record, collect_records};
use outplay_othello::{Othello, PASS, obf, transcript};

fn start() -> Othello {
    Othello::start(&())
}

fn refusal(text: &str) -> String {
    match Othello::parse_position(&(), text) {
        Ok(position) => panic!("{text:?} was read as {position:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn boards_are_read_in_every_common_spelling() {
    let usual = start().position_text();
    let spellings = [
        usual.replace('X', "*"),
        usual.replace('X', "B").replace('O', "W"),
        usual.to_lowercase().replace('-', "."),
        format!("  {usual}\n"),
        format!("{usual}; f5:+0; d3:+0;"),
        format!("{usual} % the start"),
        "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\nX".to_string(),
    ];
    for spelling in spellings {
        assert_eq!(Othello::parse_position(&(), &spelling), Ok(start()), "{spelling}");
    }
}

#[test]
fn odd_set_ups_are_played_and_an_empty_board_is_refused() {
    for odd in
        [format!("{}X O", "-".repeat(63)), format!("{} X", "X".repeat(64)), format!("OX{} O", "-".repeat(62))]
    {
        let position = Othello::parse_position(&(), &odd).unwrap();
        assert_eq!(position.position_text(), odd);
    }
    let reason = refusal(&format!("{} X", "-".repeat(64)));
    assert!(reason.ends_with("no move can ever be made on an empty board"), "{reason}");
}

#[test]
fn a_bad_board_is_refused_with_its_place_and_reason() {
    let cells = |count: usize| "-".repeat(count - 1) + "X";
    let reasons = [
        (String::new(), "OBF \"\": expected 8×8 = 64 squares and the side to move, not 0 signs"),
        (cells(64), "expected 8×8 = 64 squares and the side to move, not 64 signs"),
        (format!("{} X", cells(100)), "expected 8×8 = 64 squares and the side to move, not 101 signs"),
        (format!("{} -", cells(64)), "column 66: found \"-\", expected the side to move, X or O"),
        (
            format!("--------\n--?-----\n{} X", cells(48)),
            "line 2, column 3: found \"?-----\", expected X, O or - for a square",
        ),
    ];
    for (text, reason) in reasons {
        let refusal = refusal(&text);
        assert!(refusal.ends_with(reason), "{refusal:?} for {text:?}");
    }
}

#[test]
fn moves_are_read_in_every_common_spelling_and_refused_with_a_reason() {
    let f5 = start().parse_move("f5").unwrap();
    assert_eq!(start().parse_move(" F5 "), Ok(f5));
    assert_eq!(start().move_text(f5), "f5");

    let must_pass = Othello::parse_position(&(), &format!("OX{} X", "-".repeat(62))).unwrap();
    for pass in ["pass", "PASS", "ps", "pa", "PA", "--"] {
        assert_eq!(must_pass.parse_move(pass), Ok(PASS), "{pass}");
    }

    let over = Othello::parse_position(&(), &format!("X{} X", "-".repeat(63))).unwrap();
    for (position, text, reason) in [
        (start(), "d4", "move \"d4\": the square is taken"),
        (start(), "a1", "move \"a1\": Black would turn no disc there"),
        (start(), "pass", "move \"pass\": Black has a move and may not pass"),
        (must_pass, "a2", "move \"a2\": Black has no move and must pass"),
        (over, "a2", "move \"a2\": the game is over"),
        (start(), "i9", "move: column 1: found \"i9\", expected a square from a1 to h8, or pass"),
        (start(), "", "move: column 1: found the end, expected a square from a1 to h8, or pass"),
    ] {
        assert_eq!(position.parse_move(text).unwrap_err().to_string(), reason);
    }
}

#[test]
fn a_board_is_drawn_with_its_coordinates_moves_and_state() {
    let expected = "  a b c d e f g h
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - - · - - - - 3
4 - - · O X - - - 4
5 - - - X O · - - 5
6 - - - - · - - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  a b c d e f g h
Black X 2, White O 2: Black to move
";
    assert_eq!(start().board(), expected);
    for (signs, state) in [("OX X", "Black must pass"), ("X O", "Black wins by 64"), ("X-O O", "a draw")] {
        let (row, side) = signs.split_once(' ').unwrap();
        let text = format!("{row}{} {side}", "-".repeat(64 - row.len()));
        let board = Othello::parse_position(&(), &text).unwrap().board();
        assert!(board.trim_end().ends_with(state), "{board}");
    }
}

/// The first position of random games in which someone must pass, as the moves that lead there.
fn line_to_a_pass() -> Line<Othello> {
    let mut rng = outplay_core::Rng::new(11);
    loop {
        let mut line = Line::new(start());
        while line.outcome().is_none() {
            let moves = line.legal_moves();
            line.play(moves[rng.below(moves.len())]);
            if line.moves().last() == Some(&PASS) {
                return line;
            }
        }
    }
}

#[test]
fn passes_in_transcripts_may_be_written_or_left_out() {
    let mut line = line_to_a_pass();
    let with_final_pass = transcript::write_moves(line.start(), line.moves());
    assert!(with_final_pass.ends_with("pass"), "{with_final_pass}");
    assert_eq!(transcript::read_moves(&start(), &with_final_pass).as_deref(), Ok(line.moves()));

    line.play(line.legal_moves()[0]);
    let without = transcript::write_moves(line.start(), line.moves());
    assert!(!without.contains("pass"), "{without}");
    let every = |pass: &str, space: &str| -> String {
        let word =
            |(&m, p): (_, &Othello)| if m == PASS { pass.to_string() } else { p.move_text(m).to_uppercase() };
        line.moves().iter().zip(line.positions()).map(word).collect::<Vec<_>>().join(space)
    };
    for text in [without, every("pass", ""), every("--", " "), every("PS", "\n"), every("pa", "")] {
        assert_eq!(transcript::read_moves(&start(), &text).as_deref(), Ok(line.moves()), "{text}");
    }
}

fn read_games(text: &str) -> Result<Vec<Record<Othello>>, ParseError> {
    collect_records(|visit| transcript::visit_games(text, visit))
}

#[test]
fn a_bad_transcript_is_refused_with_its_place_and_reason() {
    for (text, reason) in [
        ("f5d6c3\nf5f5", "transcript: line 2, column 3: found \"f5\", the square is taken"),
        ("f5 d", "transcript: column 4: found \"d\", expected a square from a1 to h8, or pass"),
    ] {
        let refusal = read_games(text).unwrap_err().to_string();
        assert!(refusal.ends_with(reason), "{refusal}");
    }
    assert_eq!(read_games("\nf5d6\n\nf5d6c3\r\n").unwrap().len(), 2);
}

#[test]
fn lists_of_moves_come_apart_with_and_without_spaces() {
    for (text, moves) in [
        ("f5d6c3", &["f5", "d6", "c3"][..]),
        ("f5 d6,C3\n", &["f5", "d6", "C3"]),
        ("f5passd6PSc3--", &["f5", "pass", "d6", "PS", "c3", "--"]),
        ("f5 pass d6", &["f5", "pass", "d6"]),
        // What is no list of moves is left for the error to name.
        ("f5d6x", &["f5d6x"]),
        ("hello f5é", &["hello", "f5é"]),
        (" ,", &[]),
    ] {
        assert_eq!(Othello::split_moves(text), moves, "{text}");
    }
}

#[test]
fn a_problem_survives_its_text() {
    let text =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18; h1:+12; b1:-4; % no. 1";
    let [problem] = &obf::read(text).unwrap()[..] else { panic!("one problem") };
    assert_eq!(problem.position.to_move(), Player::First);
    assert_eq!(problem.best_moves().collect::<Vec<_>>(), [problem.position.parse_move("g8").unwrap()]);
    assert_eq!(problem.score(problem.position.parse_move("b1").unwrap()), Some(-4));
    assert_eq!(problem.comment, "no. 1");
    assert_eq!(problem.to_string(), text);
    assert_eq!(obf::read(&obf::Problem::from(start()).to_string()).unwrap(), [start().into()]);
}

#[test]
fn problems_are_sorted_and_comment_lines_skipped() {
    let text = format!("% a collection\n\n{}; d3:-2; f5:0; C4:+0\n", start().position_text());
    let [problem] = &obf::read(&text).unwrap()[..] else { panic!("one problem") };
    let best: Vec<String> = problem.best_moves().map(|m| problem.position.move_text(m)).collect();
    assert_eq!(best, ["f5", "c4"]);
}

#[test]
fn a_bad_problem_is_refused_with_its_place_and_reason() {
    for (fields, reason) in [
        ("a1:+2", "OBF: line 2, column 69: found \"a1:+2\", Black would turn no disc there"),
        ("f5", "expected a move and its score, as in g8:+18"),
        ("f5:65", "expected a score from -64 to 64 after the colon"),
        ("f5:x", "expected a score from -64 to 64 after the colon"),
        ("f5:0; F5:1", "line 2, column 75: found \"F5:1\", expected each move once"),
    ] {
        let text = format!("% bad\n{}; {fields}\n", start().position_text());
        let refusal = obf::read(&text).unwrap_err().to_string();
        assert!(refusal.ends_with(reason), "{refusal}");
    }
}
