//! Test problems: OBF, and the form that every game has.

use outplay_core::{KnownResult, Notation, ParseError, Problem, Records, garbage};
use outplay_othello::Othello;
use outplay_testing::public_data;

const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

fn read(text: &str) -> Result<Vec<Problem<Othello>>, ParseError> {
    Othello::read_problems(&(), text.as_bytes())
}

fn best_moves(problem: &Problem<Othello>) -> Vec<String> {
    problem.known.best.iter().map(|&m| problem.position().move_text(m)).collect()
}

#[test]
fn scored_moves_say_which_are_best_and_what_the_position_is_worth() {
    let text = format!("% a collection\n{BOARD}; h1:+12; G8:+18; H7:+18; % number 1\n\n{BOARD};\n{BOARD}");
    let problems = read(&text).expect("three problems");
    assert_eq!(problems.len(), 3);
    assert_eq!(best_moves(&problems[0]), ["g8", "h7"]);
    assert_eq!(problems[0].known.result, Some(KnownResult::Margin(18)));
    assert_eq!(problems[0].id.as_deref(), Some("number 1"));
    assert!(problems[1].known.is_nothing() && problems[1] == problems[2]);
}

#[test]
fn every_line_may_be_in_the_form_that_every_game_has() {
    let text = format!("{BOARD} bm g8; score 18; id \"one\";\n{BOARD}; g8:+18;\nmoves f5d6 c3; bm d3 g5;");
    let problems = read(&text).expect("three problems");
    assert_eq!(problems[0].known, problems[1].known);
    assert_eq!(
        (problems[2].moves.len(), best_moves(&problems[2]).as_slice()),
        (3, &["d3".to_string(), "g5".to_string()][..])
    );
}

#[test]
fn what_is_malformed_is_refused_with_its_line() {
    for (line, reason) in [
        (format!("{BOARD}; g8:+65"), "line 2, column 69: found \"g8:+65\", expected a score from -64 to 64"),
        (format!("{BOARD}; g8"), "line 2, column 69: found \"g8\", expected a move and its score"),
        (format!("{BOARD}; a1:+2"), "line 2, column 69: found \"a1:+2\", "),
        (format!("{BOARD} bm a1;"), "line 2, column 71: found \"a1\""),
        (format!("{BOARD} score 65;"), "expected a margin from -64 to 64"),
        ("--X X".to_string(), "line 2, column 1: found \"--X X\", expected 8×8 = 64 squares"),
        ("X".repeat(64) + " O; ", "the game is over here"),
    ] {
        let found = read(&format!("{BOARD}\n{line}\n")).expect_err(&line).to_string();
        assert!(found.contains("line 2, ") && found.contains(reason), "{line}: {found}");
    }
}

#[test]
fn problems_are_read_or_refused() {
    let scored = format!("{BOARD}; G8:+18; H1:+12; H7:+6; % no. 1\n");
    let common = format!("{BOARD} bm g8; am h1; score 18; id \"x; y\";\nmoves f5 d6; bm c3;");
    let mut count = 0;
    garbage::feed_text(8, &[&scored, &common, BOARD], 10_000_000, |text| {
        for problem in read(text).unwrap_or_default() {
            let again = read(&problem.text(&())).unwrap_or_else(|error| panic!("{error}")).remove(0);
            assert_eq!((again.position(), again.known), (problem.position(), problem.known));
            count += 1;
        }
    });
    assert!(count > 100, "{count}");
}

#[test]
fn the_fforum_problems_have_best_moves_and_scores() {
    let mut count = 0;
    for name in ["fforum-1-19.obf", "fforum-20-39.obf", "fforum-40-59.obf", "fforum-60-79.obf"] {
        let Some(text) = public_data::text(&format!("othello/{name}")) else { return };
        let problems = read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        count += problems.len();
        for problem in &problems {
            assert!(!problem.known.best.is_empty() && problem.known.avoid.is_empty());
            assert!(matches!(problem.known.result, Some(KnownResult::Margin(_))));
        }
        if name == "fforum-40-59.obf" {
            // The first of them, number 40: Black wins by 38 with a2.
            assert_eq!(best_moves(&problems[0]), ["a2"]);
            assert_eq!(problems[0].known.result, Some(KnownResult::Margin(38)));
        }
    }
    assert_eq!(count, 79);
}
