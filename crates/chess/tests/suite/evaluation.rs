//! The evaluation.

use outplay_chess::{Chess, ChessPolicy, ChessRules, ChessTactics, Material, MaterialAndMobility};
use outplay_core::{Game, Notation, Rng};
use outplay_search::{Evaluation, Policy, Tactics};

use crate::{position, position960, random_positions};

/// The position with the board upside down and the colours exchanged.
pub(crate) fn mirrored(position: &Chess) -> Chess {
    let text = position.position_text();
    let fields: Vec<&str> = text.split(' ').collect();
    let exchange = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(exchange).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    position960(&format!(
        "{} {side} {} {en_passant} {} {}",
        ranks.join("/"),
        exchange(fields[2]),
        fields[4],
        fields[5]
    ))
}

#[test]
fn both_colours_are_judged_alike() {
    for position in random_positions(17, 8) {
        let (here, there) = (&position, mirrored(&position));
        assert_eq!(MaterialAndMobility.value(here), MaterialAndMobility.value(&there), "{position:?}");
        assert_eq!(Material.value(here), Material.value(&there), "{position:?}");
        assert_eq!(here.legal_count(), there.legal_count());
        assert_eq!(mirrored(&there), position);
    }
}

#[test]
fn more_is_better_and_the_start_is_even() {
    assert_eq!(MaterialAndMobility.value(&Chess::start(&ChessRules::Standard)), 0);
    let value = |fen| MaterialAndMobility.value(&position(fen));
    let pawn_up = value("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((40..200).contains(&pawn_up), "{pawn_up}");
    let queen_down = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    assert!(queen_down < -700, "{queen_down}");
    let far_pawn = value("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    let near_pawn = value("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    assert!(far_pawn > near_pawn);
    let active_king = value("8/8/8/2k5/8/8/p7/7K b - - 0 1");
    let passive_king = value("k7/8/8/8/8/8/p7/7K b - - 0 1");
    assert!(active_king > passive_king);
}

#[test]
fn material_is_the_worth_of_the_men_and_nothing_else() {
    let value = |fen: &str| Material.value(&position(fen));
    assert_eq!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
    let pawn = value("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    assert_eq!(pawn, 100);
    assert_eq!(value("4k3/P7/8/8/8/8/8/6K1 w - - 0 1"), pawn, "wherever it stands");
    assert_eq!(value("4k3/8/8/8/8/8/P7/4K3 b - - 0 1"), -pawn, "for the player to move");
    let with = |piece: &str| value(&format!("4k3/8/8/8/8/8/8/{piece}3K3 w - - 0 1"));
    let (knight, bishop, rook, queen) = (with("N"), with("B"), with("R"), with("Q"));
    assert!(2 * pawn < knight && knight <= bishop && bishop < rook && rook < queen);
    assert_eq!(value("4k3/8/8/8/8/8/8/RN1QK3 w - - 0 1"), rook + knight + queen);
}

#[test]
fn playout_moves_are_legal_and_take_what_hangs() {
    let mut rng = Rng::new(23);
    for position in random_positions(19, 6) {
        if position.outcome().is_none() {
            let m = ChessPolicy.playout_move(&position, &mut rng);
            assert!(m.is_none_or(|m| position.is_legal(m)), "{position:?} {m:?}");
        }
    }
    let found = |fen: &str| {
        let position = position(fen);
        let m = ChessPolicy.playout_move(&position, &mut Rng::new(1));
        m.map(|m| position.move_text(m))
    };
    // The queen hangs; the rook is protected by a pawn.
    assert_eq!(found("4k3/2p5/1r6/8/q7/8/8/RQ2K3 w - - 0 1").as_deref(), Some("Rxa4"));
    // A protected pawn costs the queen, a free one nothing.
    assert_eq!(found("4k3/2p5/1p6/8/6p1/8/8/1Q2K1R1 w - - 0 1").as_deref(), Some("Rxg4"));
    assert_eq!(found("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1").as_deref(), Some("e8=Q"));
}

#[test]
fn a_position_is_quiet_if_nobody_is_in_check_and_nothing_hangs() {
    let is_quiet = |fen| ChessTactics.is_quiet(&position(fen));
    assert!(is_quiet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert!(is_quiet("4k3/2p5/1p6/8/8/8/8/1Q2K3 w - - 0 1"), "the pawn is protected");
    assert!(!is_quiet("4k3/8/1p6/8/8/8/8/1Q2K3 w - - 0 1"), "the pawn is not");
    assert!(!is_quiet("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"), "check");
}
