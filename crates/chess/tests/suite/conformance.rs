//! The laws that hold for every game, and those that only chess has.

use outplay_chess::{Chess, ChessRules, StartArray, from_cozy, to_cozy};
use outplay_core::conformance::{self, Effort};
use outplay_core::{Game, Move, MoveList};

use crate::{position, random_positions};

#[test]
fn standard_chess_obeys_the_laws_of_games() {
    let effort = Effort { games: 12, ..Effort::default() };
    conformance::check::<Chess>(&ChessRules::Standard, &effort).unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn chess960_obeys_the_laws_of_games() {
    for number in [0, 1, 308, 518, 742, 959] {
        let rules = ChessRules::Chess960(StartArray::new(number).unwrap());
        let effort = Effort { games: 3, seed: number.into(), ..Effort::default() };
        conformance::check::<Chess>(&rules, &effort)
            .unwrap_or_else(|broken| panic!("array {number}: {broken}"));
    }
}

#[test]
fn only_the_generated_moves_are_legal_where_every_kind_of_move_is() {
    // Castling both ways, en passant, promotions with and without capture, pins and checks.
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/8/1Ppp3r/1KR2p1k/8/4P1P1/8 w - c6 0 2",
    ] {
        let position = position(fen);
        let mut generated: Vec<Move> = position.legal_moves().each().collect();
        generated.sort_unstable();
        let legal: Vec<Move> =
            (0..Move::RESERVED_BITS).map(Move::new).filter(|&m| position.is_legal(m)).collect();
        assert_eq!(legal, generated, "{fen}");
        let listed: Vec<Move> =
            legal.iter().copied().filter(|&m| position.legal_moves().includes(m)).collect();
        assert_eq!(listed, generated, "{fen}");
    }
}

#[test]
fn a_list_holds_more_moves_than_any_game_offers() {
    let most_in_a_game = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(most_in_a_game.legal_moves().each().count(), 218);
    let many_queens = position("KQ4Q1/4Q3/Q1Q4Q/Q4Q2/3Q4/QQ4Q1/pp2Q3/knQ4Q w - - 0 1");
    assert_eq!(many_queens.legal_count(), 241);
    assert_eq!(many_queens.legal_moves().each().count(), many_queens.legal_count());
}

#[test]
fn packing_a_move_loses_nothing() {
    for position in random_positions(7, 4) {
        for m in position.legal_moves().each() {
            assert_eq!(to_cozy(m).map(from_cozy), Some(m));
        }
    }
    assert_eq!(to_cozy(Move::new(5 << 12)), None);
}

#[test]
fn the_arrays_are_numbered_as_usual() {
    use outplay_core::Notation;
    for (number, rank) in [(0, "BBQNNRKR"), (1, "BQNBNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB")] {
        let start = Chess::start(&ChessRules::Chess960(StartArray::new(number).unwrap()));
        let expected = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1", rank.to_ascii_lowercase());
        assert_eq!(start.position_text(), expected);
    }
    assert_eq!(StartArray::new(960), None);
    assert_eq!(Chess::start(&ChessRules::default()), Chess::start(&crate::CHESS960));
}
