//! Moves in and out: algebraic notation and coordinates.

use outplay_chess::{CastlingText, Chess, ChessRules, parse_uci, uci_text};
use outplay_core::{Game, MoveList, Notation};
use outplay_testing::public_data;

use crate::{position, position960, random_positions};

const BOTH: [CastlingText; 2] = [CastlingText::KingToItsSquare, CastlingText::KingTakesRook];

/// Many queens, a capture in passing, promotions, castling: a little of everything.
const CROWDED: &str = "3k2n1/7P/Q3p3/4BPp1/Q1Q4q/8/5B2/R3K2R w KQ g6 0 1";

#[test]
fn moves_are_written_as_the_standard_says() {
    let cases = [
        (CROWDED, "h7h8q", "h8=Q"),
        (CROWDED, "h7g8r", "hxg8=R+"),
        (CROWDED, "f5g6", "fxg6"),
        (CROWDED, "e1a1", "O-O-O+"),
        (CROWDED, "e1g1", "O-O"),
        (CROWDED, "e5d4", "Bd4"),
        (CROWDED, "a4b5", "Qa4b5"),
        (CROWDED, "c4b5", "Qcb5"),
        (CROWDED, "a6c8", "Qac8+"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
        ("k7/8/8/3R3R/8/8/8/K7 w - - 0 1", "d5f5", "Rdf5"),
        ("k7/8/3R4/8/8/3R4/8/K7 w - - 0 1", "d3d5", "R3d5"),
        ("7k/8/1N3N2/8/1N6/8/8/K7 w - - 0 1", "b6d5", "Nb6d5"),
        // The other knight is pinned, so there is no doubt.
        ("4r1k1/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
    ];
    for (fen, coordinates, san) in cases {
        let position = position(fen);
        let m = parse_uci(&position, coordinates).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.move_text(m), san, "{fen}");
        assert_eq!(position.parse_move(san), Ok(m), "{fen}");
    }
}

#[test]
fn what_people_write_is_understood() {
    let cases = [
        (CROWDED, "O-O", "e1h1"),
        (CROWDED, "0-0", "e1h1"),
        (CROWDED, "o-o-o", "e1a1"),
        (CROWDED, "0-0-0+!?", "e1a1"),
        (CROWDED, "e1c1", "e1a1"),
        (CROWDED, "h8Q", "h7h8q"),
        (CROWDED, "h8=q", "h7h8q"),
        (CROWDED, "h8(N)", "h7h8n"),
        (CROWDED, "h7-h8=B", "h7h8b"),
        (CROWDED, "hxg8=R", "h7g8r"),
        (CROWDED, "hg8=R", "h7g8r"),
        (CROWDED, "h7xg8=R+", "h7g8r"),
        (CROWDED, "h7g8R", "h7g8r"),
        (CROWDED, "fxg6e.p.", "f5g6"),
        (CROWDED, "f5:g6", "f5g6"),
        (CROWDED, "Qa4b5", "a4b5"),
        (CROWDED, "Qa4-b5", "a4b5"),
        (CROWDED, "Be5d4??", "e5d4"),
        (CROWDED, " Ke2 ", "e1e2"),
        (CROWDED, "Ke2#", "e1e2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ng1f3", "g1f3"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1-f3", "g1f3"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Pe4", "e2e4"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e2e4"),
    ];
    for (fen, text, coordinates) in cases {
        let position = position(fen);
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(uci_text(&position, m, CastlingText::KingTakesRook), coordinates, "{text}");
    }
}

#[test]
fn a_move_that_is_none_is_refused_with_its_reason() {
    let cases = [
        (CROWDED, "Qb5", "ambiguous: could be Qa4b5 or Qcb5 or Q6b5"),
        (CROWDED, "h8", "ambiguous: could be h8=N or h8=B or h8=R or h8=Q"),
        (CROWDED, "h7h8", "incomplete: say what the pawn becomes"),
        (CROWDED, "h8=K", "expected a move such as"),
        (CROWDED, "Nf3", "illegal: no such knight move to f3 here"),
        (CROWDED, "Kh1", "illegal: no such king move to h1 here"),
        (CROWDED, "e4", "illegal: no such pawn move to e4 here"),
        (CROWDED, "e3e4", "illegal: e3 is empty"),
        (CROWDED, "g5g4", "illegal: the piece on g5 is not White's"),
        (CROWDED, "e1e3", "illegal: the piece on e1 cannot go to e3"),
        (CROWDED, "", "expected a move such as"),
        (CROWDED, "0000", "expected a move such as"),
        (CROWDED, "--", "expected a move such as"),
        (CROWDED, "Qé5", "expected a move such as"),
        (CROWDED, "qb5", "expected a move such as"),
        (CROWDED, "Qa44b5", "expected a move such as"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "illegal: this castling is not possible here"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "illegal: the piece on e1 cannot go to g1"),
        ("4k3/8/8/8/8/8/8/4KN1R w K - 0 1", "e1g1", "illegal: the piece on e1 cannot go to g1"),
    ];
    for (fen, text, reason) in cases {
        let error = position(fen).parse_move(text).expect_err(text);
        assert_eq!(error.language, "move");
        assert!(error.reason.contains(reason), "{text}: {error}");
    }
}

#[test]
fn castling_in_chess960_is_never_taken_for_a_step_of_the_king() {
    let position = position960("1k6/8/8/8/8/8/8/R4K1R w KQ - 0 1");
    let castling = parse_uci(&position, "f1h1").unwrap();
    assert_eq!(position.move_text(castling), "O-O");
    let step = parse_uci(&position, "f1g1").unwrap();
    assert_eq!(position.move_text(step), "Kg1");
    assert_eq!(uci_text(&position, castling, ChessRules::Standard.castling_text()), "f1g1");
    assert_eq!(uci_text(&position, castling, crate::CHESS960.castling_text()), "f1h1");
    assert_eq!(position.parse_move("O-O-O"), parse_uci(&position, "f1a1"));
    assert_eq!(
        parse_uci(&position, "f1c1"),
        parse_uci(&position, "f1a1"),
        "more than a step can only be castling"
    );
}

#[test]
fn programs_exchange_coordinates_with_castling_as_the_rules_have_it() {
    let position = position(CROWDED);
    for (san, standard, chess960) in [
        ("O-O", "e1g1", "e1h1"),
        ("O-O-O", "e1c1", "e1a1"),
        ("hxg8=R+", "h7g8r", "h7g8r"),
        ("Bd4", "e5d4", "e5d4"),
    ] {
        let m = position.parse_move(san).unwrap();
        assert_eq!(position.plain_move_text(&ChessRules::Standard, m), standard);
        assert_eq!(position.plain_move_text(&crate::CHESS960, m), chess960);
    }
}

#[test]
fn coordinates_round_trip_in_every_position() {
    for position in random_positions(3, 6) {
        let is_standard = Chess::parse_position(&ChessRules::Standard, &position.position_text()).is_ok();
        for m in position.legal_moves().each() {
            for castling in BOTH {
                // The king's way is ambiguous where king or rook stand elsewhere than in the standard game.
                if is_standard || castling == CastlingText::KingTakesRook {
                    assert_eq!(parse_uci(&position, &uci_text(&position, m, castling)), Ok(m));
                }
            }
        }
    }
}

#[test]
fn check_and_mate_are_marked_and_no_origin_is_longer_than_needed() {
    for position in random_positions(5, 6) {
        for m in position.legal_moves().each() {
            let text = position.move_text(m);
            let after = position.after(m);
            let in_check = !after.cozy().checkers().is_empty();
            assert_eq!(text.ends_with('#'), in_check && after.legal_count() == 0, "{text} in {position:?}");
            assert_eq!(text.ends_with('+'), in_check && after.legal_count() > 0, "{text} in {position:?}");
            // A piece move is a letter, the origin, perhaps an x, the target and the mark.
            let bare = text.trim_end_matches(['+', '#']).replace('x', "");
            if bare.starts_with(char::is_uppercase) && !bare.starts_with('O') {
                let (piece, target) = (&bare[..1], &bare[bare.len() - 2..]);
                for shorter in 0..bare.len() - 3 {
                    let text = format!("{piece}{}{target}", &bare[1..1 + shorter]);
                    let error = position.parse_move(&text).expect_err(&text);
                    assert!(error.reason.contains("ambiguous"), "{text} for {bare} in {position:?}: {error}");
                }
            }
        }
    }
}

#[test]
fn the_moves_of_public_puzzles_are_legal() {
    let Some(table) = public_data::text("chess/puzzles/lichess_1000_kagi.csv") else { return };
    let mut puzzles = 0;
    for row in table.lines().skip(1) {
        let mut columns = row.split(',').skip(1);
        let (Some(fen), Some(moves)) = (columns.next(), columns.next()) else { panic!("{row}") };
        let line = crate::line(position(fen), moves);
        for (position, &m) in line.positions().iter().zip(line.moves()) {
            assert_eq!(position.parse_move(&position.move_text(m)), Ok(m));
        }
        puzzles += 1;
    }
    assert!(puzzles >= 900, "only {puzzles} puzzles");
}
