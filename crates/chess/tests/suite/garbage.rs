//! Ten million bytes of nonsense for each parser: values or errors, nothing else.

use outplay_chess::{Chess, ChessRules, Epd, parse_uci};
use outplay_core::garbage::{feed, feed_text};
use outplay_core::{Game, Notation, Records};

use crate::{CHESS960, position};

const BYTES: usize = 10_000_000;

const FENS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 31",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
];

/// A position that was accepted must be one that can be played and written.
fn use_position(position: &Chess) {
    assert!(position.legal_count() > 0 || position.outcome().is_some());
    assert_eq!(Chess::parse_position(&CHESS960, &position.position_text()).as_ref(), Ok(position));
}

#[test]
fn fen_survives_garbage() {
    let mut accepted = 0;
    feed_text(1, &FENS, BYTES, |text| {
        for rules in [ChessRules::Standard, CHESS960] {
            match Chess::parse_position(&rules, text) {
                Ok(position) => {
                    accepted += 1;
                    use_position(&position);
                }
                // This would be a reason that the generator found and the reader did not.
                Err(error) => assert!(!error.reason.contains("invalid"), "{text:?}: {error}"),
            }
        }
    });
    assert!(accepted > 100, "only {accepted} texts were accepted: they are too mutilated to test much");
}

#[test]
fn epd_survives_garbage() {
    let samples: [&[u8]; 4] = [
        b"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 Rae1; id \"WAC.001\"; ce -120;",
        b"8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - am Rxb2; c0 \"text; more\"; hmvc 3; fmvn 40;\n# comment\n",
        b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039",
        b"8/1k1K4/8/8/6R1/8/8/8 w - - bm #4;\r\n",
    ];
    feed(2, &samples, BYTES, |bytes| {
        for epd in Epd::read_lines(&ChessRules::Standard, bytes).into_iter().flatten() {
            let _ = (epd.best_moves(), epd.avoid_moves(), epd.id(), epd.number("ce"));
            let written = epd.to_string();
            assert_eq!(Epd::parse(&ChessRules::Standard, &written).map(|epd| epd.to_string()), Ok(written));
        }
    });
}

#[test]
fn moves_survive_garbage() {
    let position = position("3k2n1/7P/Q3p3/4BPp1/Q1Q4q/8/5B2/R3K2R w KQ g6 0 1");
    let samples = [
        "O-O-O+",
        "0-0",
        "e1g1",
        "h7g8r",
        "hxg8=R+",
        "Q4b5",
        "Nb6xd5#",
        "fxg6e.p.",
        "h7-h8=Q!?",
        "Bd4",
        "Ke1-e2",
    ];
    feed_text(3, &samples, BYTES, |text| {
        for read in [position.parse_move(text), parse_uci(&position, text)].into_iter().flatten() {
            assert!(position.is_legal(read), "{text:?} was read as {read:?}");
        }
    });
}

#[test]
fn pgn_survives_garbage() {
    let samples: [&[u8]; 3] = [
        b"[Event \"A \\\"B\\\"\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 $1 {good} (2. f4 exf4 (2... d5 3. exd5)) 2... Nc6 1-0\n",
        b"[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20\"]\n\n20... O-O 21. O-O-O ; rest\n% escape\nRf6 1/2-1/2\n",
        b"[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. O-O *",
    ];
    feed(4, &samples, BYTES, |bytes| {
        for rules in [ChessRules::Standard, CHESS960] {
            for record in Chess::read_records(&rules, bytes).into_iter().flatten() {
                let written = Chess::write_record(&rules, &record);
                let read = Chess::read_records(&rules, written.as_bytes());
                assert!(matches!(read.as_deref(), Ok([again]) if again.start == record.start), "{written}");
            }
        }
    });
}
