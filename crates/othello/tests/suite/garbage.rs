//! Ten million bytes of garbage for each parser: values or errors, never a panic or a hang.

use outplay_core::garbage::{feed, feed_text};
use outplay_core::{Game, Notation, ParseError, Record, Records, collect_records};
use outplay_othello::{Othello, ggf, obf, transcript, wthor};

const TOTAL: usize = 10_000_000;
/// A feeding in which fewer inputs than this were good would not test what comes after the refusals.
const ENOUGH: usize = 100;

const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
const PROBLEM: &str =
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; H4:+0; H3:-2; F8:-2; % no. 41\n";
const TRANSCRIPT: &str = "f5d6c3d3c4f4f6f3e6e7\nF5 D6 C4\n";
const GGF: &str = "(;GM[Othello]PB[a]PW[b]RE[+12.00:r]TY[8]\
    BO[8 ---------------------------O*------*O--------------------------- *]\
    B[f5/1.5/2]W[d6]C[note]B[c3];)";
const PGN: &str = "[Black \"a\"]\n[Margin \"2\"]\n\n1. f5 d6 {note} (1... f6 2. e6) 2. c3 $1 0-1\n";

#[test]
fn positions_are_read_or_refused() {
    let mut read = 0;
    feed_text(1, &[BOARD, PROBLEM], TOTAL, |text| {
        if let Ok(position) = Othello::parse_position(&(), text) {
            assert_eq!(Othello::parse_position(&(), &position.position_text()), Ok(position));
            read += 1;
        }
    });
    assert!(read > ENOUGH, "{read}");
}

#[test]
fn moves_are_read_or_refused() {
    let positions = [Othello::start(&()), Othello::parse_position(&(), BOARD).unwrap()];
    let mut read = 0;
    feed_text(2, &["f5", "D3", "pass", "--", "h8"], TOTAL, |text| {
        for position in &positions {
            if let Ok(m) = position.parse_move(text) {
                assert!(position.is_legal(m), "{text:?}");
                read += 1;
            }
        }
    });
    assert!(read > ENOUGH, "{read}");
}

#[test]
fn problems_are_read_or_refused() {
    let mut read = 0;
    feed_text(3, &[PROBLEM, BOARD], TOTAL, |text| {
        for problem in obf::read(text).unwrap_or_default() {
            assert_eq!(obf::read(&problem.to_string()).as_deref(), Ok(&[problem][..]));
            read += 1;
        }
    });
    assert!(read > ENOUGH, "{read}");
}

#[test]
fn transcripts_are_read_or_refused() {
    let start = Othello::start(&());
    let mut read = 0;
    feed_text(4, &[TRANSCRIPT, "f5d6c3d3c4f4f6f3e6e7"], TOTAL, |text| {
        read += collect_records(|visit| transcript::visit_games(text, visit)).unwrap_or_default().len();
        if let Ok(moves) = transcript::read_moves(&start, text) {
            let written = transcript::write_moves(&start, &moves);
            assert_eq!(transcript::read_moves(&start, &written), Ok(moves), "{text:?}");
        }
    });
    assert!(read > ENOUGH, "{read}");
}

fn read_ggf(text: &str) -> Result<Vec<Record<Othello>>, ParseError> {
    collect_records(|visit| ggf::visit(text, visit))
}

#[test]
fn ggf_is_read_or_refused() {
    let two = GGF.repeat(2);
    let mut read = 0;
    feed_text(5, &[GGF, &two], TOTAL, |text| {
        for game in read_ggf(text).unwrap_or_default() {
            let written = ggf::write(&game);
            let again = read_ggf(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
            assert!(again[0].tree.main_line().eq(game.tree.main_line()), "{written}");
            assert_eq!((again[0].start, again[0].outcome), (game.start, game.outcome), "{written}");
            read += 1;
        }
    });
    assert!(read > ENOUGH, "{read}");
}

/// A database of two short games and a file of names.
fn database_samples() -> [Vec<u8>; 2] {
    let mut games = vec![20, 5, 1, 31, 2, 0, 0, 0, 0, 0, 0xCD, 0x07, 8, 0, 22, 0];
    for squares in [[56, 64, 33, 34], [56, 66, 65, 46]] {
        games.extend([3, 0, 1, 0, 2, 1, 34, 40]);
        games.extend(squares);
        games.extend([0; 56]);
    }
    let mut names = vec![20, 5, 1, 31, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
    names.extend(b"Ada\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0Somebody\0\0\0\0\0\0\0\0\0\0\0\0");
    [games, names]
}

#[test]
fn databases_are_read_or_refused() {
    let [games, names] = database_samples();
    let nobody = wthor::Names::default();
    let mut read = 0;
    feed(6, &[&games, &names], TOTAL, |bytes| {
        read += usize::from(wthor::Names::read(bytes, bytes).is_ok());
        read += wthor::Database::read(bytes)
            .and_then(|database| collect_records(|visit| database.visit_records(&nobody, visit)))
            .map_or(0, |games| games.len());
    });
    assert!(read > ENOUGH, "{read}");
}

#[test]
fn records_are_read_or_refused() {
    let [games, _] = database_samples();
    let mut read = 0;
    feed(7, &[GGF.as_bytes(), TRANSCRIPT.as_bytes(), PGN.as_bytes(), &games], TOTAL, |bytes| {
        for game in Othello::read_records(&(), bytes).unwrap_or_default() {
            let written = Othello::write_record(&(), &game);
            let again = Othello::read_records(&(), written.as_bytes());
            let same = again.is_ok_and(|again| again[0].tree.main_line().eq(game.tree.main_line()));
            assert!(same, "{written}");
            read += 1;
        }
    });
    assert!(read > ENOUGH, "{read}");
}

#[test]
fn a_game_with_very_many_properties_is_read_in_time() {
    let properties: String = (0..300_000).map(|number| format!("P{}[]", letters(number))).collect();
    let games = read_ggf(&format!("(;{properties};)")).unwrap();
    assert_eq!(games[0].tags.len(), 300_000);
}

/// A number in capital letters.
fn letters(number: usize) -> String {
    format!("{number:06}").bytes().map(|digit| (digit - b'0' + b'A') as char).collect()
}
