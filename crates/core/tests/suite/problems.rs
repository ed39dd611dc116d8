//! Test problems, on a game that is not chess and in which a player may move twice.

use outplay_core::{Game, Known, KnownResult, Move, Notation, Player, Problem, Records, garbage};

use crate::twice::Sound;

fn read(text: &str) -> Vec<Problem<Sound>> {
    Sound::read_problems(&(), text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str) -> String {
    match Sound::read_problems(&(), text.as_bytes()) {
        Ok(problems) => panic!("read {problems:?}"),
        Err(error) => error.to_string(),
    }
}

fn one(text: &str) -> Problem<Sound> {
    let mut problems = read(text);
    assert_eq!(problems.len(), 1, "{text}");
    problems.remove(0)
}

#[test]
fn a_line_is_a_position_and_what_is_known_about_it() {
    let problem = one("5,4 2 1 bm a1 b2; am a2; result win; id \"heaps; and more\"; acd 9;");
    assert_eq!(problem.start, Sound::new([5, 4], Player::Second, false));
    assert_eq!(problem.id.as_deref(), Some("heaps; and more"));
    assert_eq!(problem.known.best, [0, 3].map(Move::new));
    assert_eq!(problem.known.avoid, [Move::new(2)]);
    assert_eq!(problem.known.result, Some(KnownResult::Win));
    // With or without the semicolons that could be missed, in any order, with words in place of a text.
    for same in [
        "5,4 2 1; result win; am a2; bm a1; bm b2; id \"heaps; and more\"",
        "  5,4 2 1   am a2 ;; result WIN;bm a1 b2;id \"heaps; and more\" ;",
    ] {
        assert_eq!(one(same.trim_start()), problem, "{same}");
    }
    assert_eq!(one("5,4 2 1 bm a1; id two words").id.as_deref(), Some("two words"));
}

#[test]
fn the_usual_start_goes_without_saying_and_moves_are_played_first() {
    let problem = one("bm b1; moves a1 a2;");
    assert_eq!((problem.start.clone(), problem.moves.len()), (Sound::start(&()), 2));
    assert_eq!(problem.position(), problem.start.after(Move::new(0)).after(Move::new(2)));
    assert_eq!(problem.known.best, [Move::new(1)]);
    assert_eq!(one("; dm 3").known.result, Some(KnownResult::WinIn(3)));
    assert_eq!(one("; dm -2").known.result, Some(KnownResult::LossIn(2)));
    assert_eq!(one("bm #4;").known, one("dm 4").known);
    assert_eq!(one("result loss").known.result, Some(KnownResult::Loss));
}

#[test]
fn files_have_comments_and_positions_about_which_nothing_is_known() {
    let problems = read("\u{feff}# comment\r\n\r\n5,4 1 1\r\n5,4 2 1 bm a1;\r\n");
    assert_eq!(problems.len(), 2);
    assert!(problems[0].known.is_nothing() && problems[0].id.is_none());
    assert_eq!(problems[1].known, Known { best: vec![Move::new(0)], ..Known::default() });
    assert!(read("").is_empty() && read("# nothing\n").is_empty());
}

#[test]
fn two_results_must_agree_and_the_more_exact_one_counts() {
    assert_eq!(one("result win; dm 3").known.result, Some(KnownResult::WinIn(3)));
    assert_eq!(one("dm 3; result win; bm #3").known.result, Some(KnownResult::WinIn(3)));
    for contradiction in ["result win; result loss", "dm 3; bm #2", "dm 3; result draw"] {
        assert!(
            refusal(contradiction).contains("the line also says that the result is a win"),
            "{contradiction}"
        );
    }
}

#[test]
fn what_is_malformed_is_refused_with_its_line_and_its_place() {
    for (line, reason) in [
        ("5,4 3 1 bm a1;", "line 2, column 1: found \"5,4\", expected a player, 1 or 2"),
        ("5,4 1 1 bm a1 c9;", "line 2, column 15: found \"c9\", not legal here"),
        ("5,4 1 1 moves a1 a9; bm a1;", "line 2, column 18: found \"a9\", not legal here"),
        ("result maybe;", "line 2, column 8: found \"maybe\", expected win, draw or loss"),
        ("result win loss;", "line 2, column 1: found \"result\", expected one word after result, not 2"),
        ("result;", "expected one word after result, not 0"),
        ("dm zero;", "line 2, column 4: found \"zero\", expected a number of moves"),
        ("dm 0;", "expected a number of moves"),
        ("bm #;", "expected a number of moves"),
        ("score 1;", "there is no score in this game"),
        ("bm a1; id \"endless", "line 2, column 11: found \"\\\"endless\", expected a text that ends"),
        ("5,4 1 1; bn a1;", "line 2, column 10: found \"bn\", expected bm, am, score, result or dm"),
        ("0,0 1 1 bm a1;", "line 2, column 1: found \"0,0\", the game is over here"),
    ] {
        let found = refusal(&format!("bm a1;\n{line}\n"));
        assert!(found.contains(reason), "{line}: {found}");
    }
}

#[test]
fn what_is_written_is_read_back_and_garbage_is_read_or_refused() {
    let samples = [
        "5,4 2 1 bm a1 b2; am a2; result win; id \"heaps; and more\"; acd 9;\n",
        "moves a1 a2; bm b1; dm 3; id x\n# comment\n\n",
        "5,4 1 1\n3,3 1 2 bm #-4; result loss;\r\n",
    ];
    let mut count = 0;
    garbage::feed_text(1, &samples, 10_000_000, |text| {
        for problem in Sound::read_problems(&(), text.as_bytes()).unwrap_or_default() {
            let written = problem.text(&());
            let again = one(&written);
            assert_eq!(
                (&again.start, &again.moves, &again.known),
                (&problem.start, &problem.moves, &problem.known)
            );
            assert_eq!(again.text(&()), written);
            assert!(problem.position().outcome().is_none(), "{}", problem.position().position_text());
            count += 1;
        }
    });
    assert!(count > 1_000, "only {count} problems were read");
}
