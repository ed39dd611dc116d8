//! Test problems: EPD.

use outplay_chess::{Chess, ChessRules};
use outplay_core::{Known, KnownResult, Notation, ParseError, Problem, Records, garbage};
use outplay_testing::public_data;

use crate::position;

fn read(text: &str) -> Result<Vec<Problem<Chess>>, ParseError> {
    Chess::read_problems(&ChessRules::Standard, text.as_bytes())
}

fn one(text: &str) -> Problem<Chess> {
    read(text).unwrap_or_else(|error| panic!("{error}")).remove(0)
}

#[test]
fn a_line_of_epd_is_a_problem() {
    let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let problem =
        one(&format!("{board} bm e4 Kd2; am e3; dm 12; id \"WAC.001 \"; ce -120; hmvc 7; fmvn 31;"));
    assert_eq!(problem.start, position(&format!("{board} 7 31")));
    assert_eq!(problem.id.as_deref(), Some("WAC.001"));
    let words = problem.known.map(|&m| problem.start.move_text(m));
    let [e4, kd2, e3] = ["e4", "Kd2", "e3"].map(str::to_string);
    let known = Known { best: vec![e4, kd2], avoid: vec![e3], result: Some(KnownResult::WinIn(12)) };
    assert_eq!(words, known);
    assert_eq!(one(&format!("{board} 7 31 bm e4;")).start, problem.start);
}

#[test]
fn mates_are_counted_as_collections_of_them_do() {
    let board = "8/1k1K4/8/8/6R1/8/8/8 w - -";
    for (operation, result) in [("bm #4;", KnownResult::WinIn(4)), ("bm #-3", KnownResult::LossIn(3))] {
        let known = one(&format!("{board} {operation}")).known;
        assert_eq!(known, Known { result: Some(result), ..Known::default() });
    }
}

#[test]
fn moves_from_the_start_lead_to_a_problem() {
    let problem = one("moves e4 e5 Nf3; bm Nc6;");
    assert_eq!(problem.moves.len(), 3);
    assert_eq!(problem.position().move_text(problem.known.best[0]), "Nc6");
}

#[test]
fn what_is_malformed_is_refused_with_its_line() {
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;";
    for (line, reason) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;", "line 2, column 32: found \"e5\", illegal: no such pawn move"),
        ("4k3/8/8/8/8/8/4P3 w - - bm e5;", "line 2"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - D1 5;", "expected bm, am, score, result or dm"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - bm Kh8;", "the game is over here"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - score 5;", "there is no score in this game"),
    ] {
        let found = read(&format!("{good}\n{line}\n{good}")).expect_err(line).to_string();
        assert!(found.contains("line 2, column ") && found.contains(reason), "{line}: {found}");
    }
}

#[test]
fn problems_survive_garbage() {
    let samples: [&[u8]; 3] = [
        b"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 Rae1; id \"WAC.001\"; ce -120;",
        b"8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - am Rxb2; c0 \"text; more\"; hmvc 3; fmvn 40;\n# comment\n",
        b"8/1k1K4/8/8/6R1/8/8/8 w - - bm #4;\r\nmoves e4 e5; bm Nf3 d4; dm 30",
    ];
    let mut count = 0;
    garbage::feed(5, &samples, 10_000_000, |bytes| {
        for problem in Chess::read_problems(&ChessRules::Standard, bytes).unwrap_or_default() {
            let again = one(&problem.text(&ChessRules::Standard));
            assert_eq!((again.start, again.known), (problem.start, problem.known));
            count += 1;
        }
    });
    assert!(count > 100, "only {count} problems were read");
}

#[test]
fn every_line_of_the_public_suites_is_a_problem_with_a_solution() {
    for (file, count) in [
        ("suites/wac.epd", 300),
        ("suites/STS1-STS15_LAN_v6.epd", 1188),
        ("suites/fortresses.epd", 108),
        ("suites/arasan21.epd", 200),
        ("suites/bratko-kopec.epd", 24),
        ("mate/KRvK1000.epd", 1000),
        ("mate/classic280.epd", 280),
        ("mate/mates2000.epd", 2000),
    ] {
        let Some(text) = public_data::text(&format!("chess/{file}")) else { return };
        let problems = read(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(problems.len(), count, "{file}");
        assert!(problems.iter().all(|problem| !problem.known.is_nothing()), "{file}");
        let with_distance = problems.iter().filter(|problem| problem.known.result.is_some()).count();
        assert_eq!(with_distance, if file.starts_with("mate/") { count } else { 0 }, "{file}");
    }
}
