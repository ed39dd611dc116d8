//! Positions in and out.

use outplay_chess::{Chess, ChessRules};
use outplay_core::{Game, Notation};

use crate::{CHESS960, position, position960, random_positions};

#[test]
fn a_standard_position_is_written_as_it_was_read() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 31",
        "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "8/8/8/8/8/4k3/8/4K2R w - - 100 65535",
    ] {
        assert_eq!(position(fen).position_text(), fen);
        assert_eq!(position960(fen).position_text(), fen, "X-FEN extends FEN");
    }
}

#[test]
fn both_players_castling_rights_follow_the_game() {
    let after = crate::line(Chess::start(&ChessRules::Standard), "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O Rg8");
    let text = after.position().position_text();
    assert_eq!(text, "rnbqk1r1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w q - 6 5");
}

#[test]
fn shredder_and_x_fen_mean_the_same_in_chess960() {
    let placement = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w";
    let shredder = position960(&format!("{placement} HFhf - 2 9"));
    assert_eq!(shredder, position960(&format!("{placement} KQkq - 2 9")));
    assert_eq!(shredder.position_text(), format!("{placement} KQkq - 2 9"));
    assert_eq!(position("r3k3/8/8/8/8/8/8/4K2R w Ha - 0 1"), position("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"));
}

#[test]
fn an_inner_rook_that_castles_is_written_by_its_file() {
    // White castles with the rook on f1, not with the one on h1; the mirror image for Black.
    let inner = position960("r1r1k3/8/8/8/8/8/8/4KR1R w Fc - 0 1");
    assert_eq!(inner.position_text(), "r1r1k3/8/8/8/8/8/8/4KR1R w Fc - 0 1");
    let outer = position960("r1r1k3/8/8/8/8/8/8/4KR1R w Ha - 0 1");
    assert_eq!(outer.position_text(), "r1r1k3/8/8/8/8/8/8/4KR1R w Kq - 0 1");
    assert_ne!(inner.key(), outer.key());
}

#[test]
fn an_en_passant_square_is_written_only_where_a_capture_is_legal() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(position(fen).position_text(), fen.replace("e3", "-"));
    // A queen beside the pawn can go to the square but does not capture in passing.
    let queen = "4k3/8/8/8/4Pq2/8/8/4K3 b - e3 0 1";
    assert_eq!(position(queen).position_text(), queen.replace("e3", "-"));
    assert_eq!(position(queen), position(&queen.replace("e3", "-")));
}

#[test]
fn counters_may_be_missing_or_sloppy() {
    let whole = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for text in [
        "4k3/8/8/8/8/8/8/4K2R w K -",
        "4k3/8/8/8/8/8/8/4K2R w K - 0",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 0",
        "  4k3/8/8/8/8/8/8/4K2R   w K\t- 0 1\r\n",
        "4k3/8/8/8/8/8/8/4K11R w K - 0 1",
    ] {
        assert_eq!(position(text), whole, "{text:?}");
    }
    // The game is drawn at 100 plies, so a larger clock says nothing more.
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w K - 131 90"), position("4k3/8/8/8/8/8/8/4K2R w K - 100 90"));
}

#[test]
fn what_is_no_position_is_refused_with_place_and_reason() {
    let cases = [
        ("", 1, "expected 8 ranks of 8 squares"),
        ("8/8", 4, "expected 8 ranks of 8 squares"),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", 20, "expected no more than 8 ranks"),
        ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", 10, "expected 8 squares in the rank, not 7"),
        ("4k3/8/8/8p/8/8/8/4K3 w - - 0 1", 10, "expected no more than 8 squares in the rank"),
        ("4k3/8/8/54/8/8/8/4K3 w - - 0 1", 10, "expected no more than 8 squares in the rank"),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", 9, "expected one of PNBRQKpnbrqk, 1 to 8 or /"),
        ("4k3/8/8/8/8/8/8/4K3", 20, "expected the side to move: w or b"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", 21, "expected the side to move: w or b"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", 18, "Black has no king"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", 18, "White has no king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", 19, "a second king for White"),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", 4, "a pawn cannot stand on h8"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", 17, "a pawn cannot stand on a1"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", 1, "the kings stand next to each other"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", 23, "Black is in check, but it is White's move"),
        ("k7/pp6/PPPPPPPP/P7/8/8/8/4K3 w - - 0 1", 1, "White has 9 pawns, at most 8 are possible"),
        ("k7/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", 1, "White has 17 pieces, at most 16 are possible"),
        ("R3k3/8/3N4/7B/8/8/8/K7 b - - 0 1", 1, "Black is in check from 3 pieces"),
        ("4k3/8/8/8/8/8/8/4K3 w", 22, "expected castling rights: - or letters such as KQkq or HAha"),
        ("4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", 25, "expected castling rights"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", 25, "expected each castling right once"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", 25, "expected each castling right once"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", 24, "there is no rook on a1 to castle with"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", 24, "a king on e2 has no castling rights"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", 24, "a king on d1 with a rook on h1 needs Chess960"),
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", 25, "a king on e1 with a rook on g1 needs Chess960"),
        ("4k3/8/8/8/4P3/8/8/4K3 b -", 26, "expected the en-passant square"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e 0 1", 27, "expected the en-passant square"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e6 0 1", 27, "with Black to move, a square of rank 3"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - d3 0 1", 27, "no pawn of White on d4"),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", 29, "past e2, which is not empty"),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", 29, "past e3, which is not empty"),
        ("4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1", 30, "the check from f6 was there before"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", 27, "expected nothing after the move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", 27, "expected a number from 0 to 65535"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 65536", 29, "expected a number from 0 to 65535"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", 31, "expected nothing after the move number"),
    ];
    for (fen, column, reason) in cases {
        let error = Chess::parse_position(&ChessRules::Standard, fen).expect_err(fen);
        assert_eq!(error.language, "FEN");
        assert_eq!(error.place.map(|place| place.column), Some(column), "{fen}: {error}");
        assert!(error.reason.contains(reason), "{fen}: {error}");
    }
}

#[test]
fn chess960_rights_need_their_rooks_too() {
    for (fen, reason) in [
        ("4k3/8/8/8/8/8/8/R2K4 w K - 0 1", "the king on d1 has no rook on that side to castle with"),
        ("4k3/8/8/8/8/8/8/R2K4 w B - 0 1", "there is no rook on b1 to castle with"),
        ("4k3/8/8/8/8/8/3K4/R7 w A - 0 1", "a king on d2 has no castling rights"),
    ] {
        let error = Chess::parse_position(&CHESS960, fen).unwrap_err();
        assert!(error.reason.contains(reason), "{fen}: {error}");
    }
}

#[test]
fn the_generator_reads_its_own_text_the_same_way() {
    for position in random_positions(11, 10) {
        let shredder = format!("{:#}", position.cozy());
        assert_eq!(position960(&shredder), position, "{shredder}");
        assert_eq!(position.position_text().split(' ').next(), shredder.split(' ').next());
        assert_eq!(position960(&position.position_text()), position);
    }
}

#[test]
fn the_board_is_drawn_with_rank_8_on_top() {
    let drawing = "\
8  r n b q k b n r
7  p p p p p p p p
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  P P P P P P P P
1  R N B Q K B N R

   a b c d e f g h
White to move
";
    assert_eq!(Chess::start(&ChessRules::Standard).board(), drawing);
}
