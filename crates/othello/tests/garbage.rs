//! Ten million bytes of garbage for each parser: values or errors, never a panic or a hang.

use outplay_core::garbage::{feed, feed_text};
use outplay_core::{Game, Notation, Records};
use outplay_othello::{Othello, ggf, obf, transcript, wthor};

const TOTAL: usize = 10_000_000;

const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
const PROBLEM: &str =
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; H4:+0; H3:-2; F8:-2; % no. 41\n";
const TRANSCRIPT: &str = "f5d6c3d3c4f4f6f3e6e7\nF5 D6 C4 pass -- ps pa\n";
const GGF: &str = "(;GM[Othello]PB[a]PW[b]RE[+12.00:r]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5/1.5/2]W[d6]C[note]B[PA];)";
const PGN: &str = "[Black \"a\"]\n[Margin \"2\"]\n\n1. f5 d6 {note} (1... f6 2. e6) 2. c3 $1 0-1\n";

#[test]
fn positions_are_read_or_refused() {
    feed_text(1, &[BOARD, PROBLEM], TOTAL, |text| {
        if let Ok(position) = Othello::parse_position(&(), text) {
            assert_eq!(Othello::parse_position(&(), &position.position_text()), Ok(position));
        }
    });
}

#[test]
fn moves_are_read_or_refused() {
    let positions = [Othello::start(&()), Othello::parse_position(&(), BOARD).unwrap()];
    feed_text(2, &["f5", "D3", "pass", "--", "h8"], TOTAL, |text| {
        for position in &positions {
            assert!(
                position.parse_move(text).is_ok_and(|m| position.is_legal(m))
                    || position.parse_move(text).is_err()
            );
        }
    });
}

#[test]
fn problems_are_read_or_refused() {
    feed_text(3, &[PROBLEM, BOARD], TOTAL, |text| {
        for problem in obf::read(text).unwrap_or_default() {
            assert_eq!(obf::read(&problem.to_string()).as_deref(), Ok(&[problem][..]));
        }
    });
}

#[test]
fn transcripts_are_read_or_refused() {
    feed_text(4, &[TRANSCRIPT], TOTAL, |text| {
        let _ = transcript::read_games(text);
        let start = Othello::start(&());
        if let Ok(moves) = transcript::read_moves(&start, text) {
            let written = transcript::write_moves(&start, &moves);
            assert_eq!(transcript::read_moves(&start, &written), Ok(moves), "{text:?}");
        }
    });
}

#[test]
fn ggf_is_read_or_refused() {
    let two = GGF.repeat(2);
    feed_text(5, &[GGF, &two], TOTAL, |text| {
        for game in ggf::read(text).unwrap_or_default() {
            let written = ggf::write(&game);
            let again = ggf::read(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
            assert!(again[0].tree.main_line().eq(game.tree.main_line()), "{written}");
        }
    });
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
    let all = wthor::Names::default();
    feed(6, &[&games, &names], TOTAL, |bytes| {
        let _ = wthor::Names::read(bytes, bytes);
        if let Ok(database) = wthor::Database::read(bytes) {
            let _ = database.records(&all);
        }
    });
}

#[test]
fn records_are_read_or_refused() {
    let [games, _] = database_samples();
    let samples = [GGF.as_bytes(), TRANSCRIPT.as_bytes(), PGN.as_bytes(), &games];
    feed(7, &samples, TOTAL, |bytes| {
        for game in Othello::read_records(&(), bytes).unwrap_or_default() {
            let written = Othello::write_record(&(), &game);
            assert!(Othello::read_records(&(), written.as_bytes()).is_ok(), "{written}");
        }
    });
}
