//! Test problems of the family and of Connect Four.

use outplay_connect::{Connect, ConnectFour, Rules, four};
use outplay_core::{Game, Known, KnownResult, Notation, ParseError, Player, Problem, Records, garbage};
use outplay_testing::public_data;

fn family(text: &str) -> Result<Vec<Problem<Connect>>, ParseError> {
    Connect::read_problems(&Rules::CONNECT6, text.as_bytes())
}

fn connect_four(text: &str) -> Result<Vec<Problem<ConnectFour>>, ParseError> {
    ConnectFour::read_problems(&four::Rules::default(), text.as_bytes())
}

const TABLE: &str = "\u{feff}id,stones_in_order,side_to_move,source\n\
    one,\"j10,k11 l12\",B,\"somebody, \"\"somewhere\"\"\"\ntwo,j10,W,\n";

#[test]
fn a_table_lists_positions_that_the_player_to_move_wins() {
    let problems = family(TABLE).expect("two problems");
    assert_eq!(problems.len(), 2);
    let [one, two] = problems.as_slice() else { unreachable!() };
    assert_eq!((one.id.as_deref(), one.moves.len()), (Some("one"), 3));
    assert_eq!((one.position().to_move(), two.position().to_move()), (Player::First, Player::Second));
    assert_eq!(one.known, Known { result: Some(KnownResult::Win), ..Known::default() });
}

#[test]
fn other_files_are_in_the_form_that_every_game_has() {
    let rules = Rules::TIC_TAC_TOE;
    let text = "3/1x1/3 o 1 bm a1 a3 c1 c3; result draw; id \"corners\";\nmoves a1 b1 a2 b2; bm a3; dm 1;\n";
    let problems = Connect::read_problems(&rules, text.as_bytes()).expect("two problems");
    assert_eq!(problems[0].known.best.len(), 4);
    assert_eq!(problems[0].known.result, Some(KnownResult::Draw));
    assert_eq!(problems[1].known.result, Some(KnownResult::WinIn(1)));
    for problem in problems {
        let again = Connect::read_problems(&rules, problem.text(&rules).as_bytes());
        assert_eq!(again.as_deref(), Ok(&[problem][..]));
    }
}

#[test]
fn notes_are_passed_over_whatever_they_say() {
    let line = "moves j10 k11; bm l12; id \"x\";";
    let noted = format!("{line} c0 \"bm a1; am l12; found in game 3\";");
    assert_eq!(family(&noted), family(line));
    // A note alone leaves nothing to solve.
    let error = family("moves j10 k11; c0 \"a good position\";").expect_err("nothing to solve").to_string();
    assert!(error.contains("expected bm, am, score, result or dm"), "{error}");
}

#[test]
fn malformed_tables_are_refused_with_the_line() {
    for (line, reason) in [
        ("three,j10 j10,B,", "there is a stone already"),
        ("three,j10,B,", "it is White's turn, not B's"),
        ("three,j10,W", "expected 4 fields, as the first line has, not 3"),
        ("three,\"j10,W,", "expected 4 fields"),
    ] {
        let found = family(&format!("{TABLE}{line}\n")).expect_err(line).to_string();
        assert!(found.contains("line 4, ") && found.contains(reason), "{line}: {found}");
    }
}

#[test]
fn lines_of_test_sets_of_connect_four_tell_who_wins() {
    let problems =
        connect_four("4453 2\n# comment\n4444 0\n 12  -7 \nmoves 44 5; bm c d;\n7/7/7/7/7/7 x bm d;\n4453\n")
            .expect("six problems");
    let results: Vec<Option<KnownResult>> = problems.iter().map(|problem| problem.known.result).collect();
    let [win, draw, loss] = [KnownResult::Win, KnownResult::Draw, KnownResult::Loss].map(Some);
    assert_eq!(results, [win, draw, loss, None, None, None]);
    assert_eq!(problems[0].position(), problems[5].position());
    assert_eq!((problems[3].moves.len(), problems[3].known.best.len()), (3, 2));
    for (text, reason) in [
        ("4453 2\n4459 1", "line 2, column 4: found \"9\", expected a column from a to g"),
        ("4453 2\n1111111 1", "line 2, column 7: found \"1\", the column is full"),
        ("4453 2\n4545454 1", "line 2, column 1: found \"4545454\", the game is over here"),
        ("4453 2\n4453 two", "line 2"),
    ] {
        let found = connect_four(text).expect_err(text).to_string();
        assert!(found.contains(reason), "{text}: {found}");
    }
}

#[test]
fn garbage_never_breaks_the_reading_of_problems() {
    let mut count = 0;
    let common = "moves j10 k11; bm l12 a1; result win; id \"x\";\n";
    garbage::feed_text(6, &[TABLE, common], 10_000_000, |text| {
        for problem in family(text).unwrap_or_default() {
            assert_eq!(problem.position().outcome(), None);
            count += 1;
        }
    });
    assert!(count > 100, "{count}");
    let (mut count, samples) =
        (0, ["4453 2\n4444 0\n12 -7\n", "moves 44 5; bm c d;\n7/7/7/7/7/7 x bm d; dm 3;\n"]);
    garbage::feed_text(7, &samples, 10_000_000, |text| {
        for problem in connect_four(text).unwrap_or_default() {
            let again = connect_four(&problem.text(&four::Rules::default())).expect("what was written");
            assert_eq!(again[0].position().position_text(), problem.position().position_text());
            assert_eq!(again[0].known, problem.known);
            count += 1;
        }
    });
    assert!(count > 100, "{count}");
}

#[test]
fn the_public_tables_are_read() {
    for (file, count) in [("vcdt_public.csv", 200), ("itss_5_positions.csv", 5)] {
        let Some(text) = public_data::text(&format!("connect6/{file}")) else { return };
        let problems = family(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(problems.len(), count, "{file}");
        assert!(
            problems
                .iter()
                .all(|problem| problem.id.is_some() && problem.known.result == Some(KnownResult::Win))
        );
    }
}
