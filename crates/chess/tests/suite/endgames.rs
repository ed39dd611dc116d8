//! Endgame tables against published facts, against the rules and against broken files.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;

use outplay_chess::endgame::{Census, EndgameError, EndgameTables, Ending, Stage, Verdict, Wdl};
use outplay_chess::{Chess, ChessRules, Classical};
use outplay_core::{Game, Move, MoveList, Notation};
use outplay_search::Evaluation;

use crate::position;

fn ending(name: &str) -> Ending {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Tables that are built quickly.
pub static SMALL: LazyLock<EndgameTables> = LazyLock::new(|| {
    let mut tables = EndgameTables::default();
    for name in ["KQvK", "KRvK", "KPvK", "KBBvK", "KQvKQ"] {
        tables
            .build(ending(name), &mut |_| ControlFlow::Continue(()))
            .unwrap_or_else(|error| panic!("{error}"));
    }
    tables
});

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outplay-endgames-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn bytes_of(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    SMALL.write(ending(name), &mut bytes).expect("written");
    bytes
}

fn census(name: &str, step: usize) -> Census {
    let mut census = Census::default();
    for position in ending(name).positions(step) {
        census.add(&position, SMALL.probe(&position).expect("known"));
    }
    census
}

#[test]
fn the_longest_mates_are_the_published_ones() {
    for (name, moves) in [("KQvK", 10), ("KRvK", 16), ("KPvK", 28), ("KBBvK", 19), ("KQvKQ", 13)] {
        // The first move of a mate in n is White's: it takes 2n - 1 plies, and one more if Black moves first.
        let (plies, position) = census(name, 1).longest.expect("a mate");
        assert_eq!(plies.div_ceil(2), moves, "{name} {position:?}");
    }
}

#[test]
fn with_queen_or_rook_whoever_moves_first_wins_and_with_a_pawn_not_always() {
    assert_eq!(census("KQvK", 1).white_to_move[1..], [0, 0]);
    assert_eq!(census("KRvK", 1).white_to_move[1..], [0, 0]);
    let [won, drawn, lost] = census("KPvK", 1).white_to_move;
    assert!(won > drawn && drawn > 0 && lost == 0, "{won} {drawn} {lost}");
}

#[test]
fn every_value_is_the_best_of_what_the_moves_lead_to() {
    for (name, step) in [("KQvK", 1), ("KRvK", 1), ("KPvK", 1), ("KBBvK", 97), ("KQvKQ", 97)] {
        for position in ending(name).positions(step) {
            assert_eq!(SMALL.probe(&position), SMALL.verdict_by_moves(&position), "{name} {position:?}");
        }
    }
}

#[test]
fn well_known_positions_have_their_verdicts() {
    let verdict = |fen: &str| SMALL.probe(&position(fen)).map(|verdict| (verdict.result, verdict.plies));
    // The king in front of his pawn, with and without the opposition.
    assert_eq!(verdict("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1").map(|found| found.0), Some(Wdl::Draw));
    assert_eq!(verdict("3k4/8/3K4/3P4/8/8/8/8 b - - 0 1").map(|found| found.0), Some(Wdl::Loss));
    assert_eq!(verdict("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), Some((Wdl::Win, Some(1))));
    // The same for the other side.
    assert_eq!(verdict("5q2/8/8/8/8/6k1/8/7K b - - 0 1"), Some((Wdl::Win, Some(1))));
    assert_eq!(verdict("8/8/8/8/8/6k1/6q1/7K w - - 0 1"), Some((Wdl::Loss, Some(0))));
    assert_eq!(verdict("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some((Wdl::Draw, None)));
    // Nobody can be mated.
    assert_eq!(verdict("8/8/4k3/8/8/3KB3/8/8 w - - 0 1"), Some((Wdl::Draw, None)));
    assert_eq!(verdict("8/8/4k3/8/8/3K4/8/8 b - - 0 1"), Some((Wdl::Draw, None)));
}

/// The evaluation works this ending out by itself, in another way.
#[test]
fn the_evaluation_knows_which_pawns_win() {
    let evaluation = Classical;
    for position in ending("KPvK").positions(1).filter(|position| position.outcome().is_none()) {
        let verdict = SMALL.probe(&position).expect("known");
        let value = evaluation.value(&position);
        let judged = if value.abs() <= 1_500 {
            Wdl::Draw
        } else if value > 0 {
            Wdl::Win
        } else {
            Wdl::Loss
        };
        assert_eq!(judged, verdict.result, "{position:?} {value}");
    }
}

#[test]
fn what_the_tables_do_not_have_is_not_known() {
    for fen in [
        "8/8/5k2/8/8/3KRN2/8/8 w - - 0 1",
        "8/8/5k2/8/8/3KR1NB/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(SMALL.probe(&position(fen)), None, "{fen}");
    }
    assert!(SMALL.probe(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1")).is_some());
    assert_eq!(EndgameTables::default().probe(&Chess::start(&ChessRules::Standard)), None);
    assert_eq!(SMALL.most_men(), 4);
}

#[test]
fn following_the_best_verdict_mates_in_as_many_plies_as_promised() {
    let mut board = position("8/8/8/3k4/8/8/7Q/K7 w - - 0 1");
    let promised = SMALL.probe(&board).and_then(|verdict| verdict.plies).expect("a win");
    for ply in 0..promised {
        let worth = |m: &Move| SMALL.probe(&board.after(*m)).map(Verdict::before);
        let best = board.legal_moves().each().max_by_key(worth);
        board.play(best.unwrap_or_else(|| panic!("mated after {ply} plies: {board:?}")));
    }
    assert!(!board.can_play_on() && !board.cozy().checkers().is_empty(), "{}", board.position_text());
}

#[test]
fn a_table_that_needs_others_says_so_and_building_can_be_interrupted() {
    let mut tables = EndgameTables::default();
    let missing = tables.build(ending("KPvK"), &mut |_| ControlFlow::Continue(()));
    assert!(matches!(missing, Err(EndgameError::SmallerIsMissing(_))), "{missing:?}");
    for stage in [Stage::First(0, ending("KQvK").numbers()), Stage::Plies(5)] {
        let stopped = tables.build(ending("KQvK"), &mut |now| match now == stage {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        assert!(matches!(stopped, Err(EndgameError::Interrupted)), "{stopped:?}");
    }
    assert_eq!(tables.endings().count(), 0);
}

#[test]
fn tables_read_back_say_the_same() {
    let folder = folder("round-trip");
    for name in ["KQvK", "KPvK"] {
        fs::write(EndgameTables::file(&folder, ending(name)), bytes_of(name)).expect("written");
    }
    let tables = EndgameTables::open(&folder).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tables.endings().map(|ending| ending.to_string()).collect::<Vec<_>>(), ["KQvK", "KPvK"]);
    for position in ending("KPvK").positions(1) {
        assert_eq!(tables.probe(&position), SMALL.probe(&position), "{position:?}");
    }
    fs::remove_dir_all(&folder).expect("removed");
    assert!(matches!(EndgameTables::open(&folder), Err(EndgameError::Folder { .. })));
}

#[test]
fn a_damaged_file_is_refused_and_named() {
    let folder = folder("damaged");
    let file = EndgameTables::file(&folder, ending("KQvK"));
    let whole = bytes_of("KQvK");
    let refusal = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("written");
        match EndgameTables::open(&folder) {
            Ok(_) => panic!("{} bytes are taken for a table", bytes.len()),
            Err(error) => error.to_string(),
        }
    };
    assert!(refusal(b"").ends_with("KQvK.dtm is not an endgame table"));
    assert!(refusal(&[7; 10_000]).contains("is not an endgame table"));
    assert!(refusal(&bytes_of("KRvK")).contains("is the table of another ending than KQvK"));
    let mut newer = whole.clone();
    newer[11] = 9;
    assert!(refusal(&newer).contains("has version 9 of the format, expected 1"));
    for length in [11, 12, 15, 16, 20, 40, whole.len() / 2, whole.len() - 1] {
        assert!(refusal(&whole[..length]).contains("is damaged"), "{length}");
    }
    for place in (12..whole.len()).step_by(101) {
        let mut flipped = whole.clone();
        flipped[place] ^= 0x10;
        assert!(refusal(&flipped).contains("its checksum is wrong"), "{place}");
    }
    fs::write(&file, &whole).expect("written");
    assert!(EndgameTables::open(&folder).is_ok());
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_forged_file_may_lie_but_not_crash() {
    let folder = folder("forged");
    let file = EndgameTables::file(&folder, ending("KQvK"));
    let whole = bytes_of("KQvK");
    for place in (16..whole.len()).step_by(53) {
        let mut forged = whole.clone();
        forged[place] ^= 0xff;
        let checksum = crc32fast::hash(&forged[16..]);
        forged[12..16].copy_from_slice(&checksum.to_le_bytes());
        fs::write(&file, &forged).expect("written");
        if let Ok(tables) = EndgameTables::open(&folder) {
            for position in ending("KQvK").positions(211) {
                let _lie: Option<Verdict> = tables.probe(&position);
            }
        }
    }
    fs::remove_dir_all(&folder).expect("removed");
}
