//! How positions are shown to networks.

use crate::common::random_games;
use outplay_core::conformance::Effort;
use outplay_core::{Game, Notation, Player};
use outplay_othello::{Othello, OthelloEncoder, PASS};
use outplay_search::conformance::{check_encoder, check_encoder_symmetry};
use outplay_search::mcts::LeafEncoder;

fn encoded(position: &Othello) -> Vec<u64> {
    let mut words = Vec::new();
    OthelloEncoder.encode(position, &[], &mut words);
    words
}

#[test]
fn the_encoder_obeys_the_laws() {
    let effort = Effort { games: 10, ..Effort::default() };
    check_encoder(&(), &OthelloEncoder, |position: &Othello, _: &[Othello]| *position, &effort)
        .unwrap_or_else(|violation| panic!("{violation}"));
    let effort = Effort { games: 2, ..Effort::default() };
    check_encoder_symmetry::<Othello>(&(), &OthelloEncoder, &effort)
        .unwrap_or_else(|violation| panic!("{violation}"));
}

/// Reads a position back from its planes, cell by cell.
fn decoded(words: &[u64]) -> Option<Othello> {
    let planes = OthelloEncoder.planes();
    let discs = |plane| {
        (0..64)
            .filter(|&cell| planes.value(words, plane, cell) == 1.0)
            .fold(0, |discs, cell| discs | 1 << cell)
    };
    match planes.value(words, 2, 0) == 1.0 {
        true => Othello::from_discs(discs(0), discs(1), Player::First),
        false => Othello::from_discs(discs(1), discs(0), Player::Second),
    }
}

#[test]
fn planes_can_be_read_back() {
    random_games(31, 50, |position| assert_eq!(decoded(&encoded(position)), Some(*position)));
}

#[test]
fn the_first_position_looks_as_described() {
    let start = Othello::start(&());
    let square = |text: &str| 1u64 << start.parse_move(text).map_or(0, |m| m.bits());
    assert_eq!(encoded(&start), [1 << 28 | 1 << 35, 1 << 27 | 1 << 36, u64::from(1f32.to_bits())]);
    let after = start.after(start.parse_move("f5").unwrap());
    let black = 1 << 28 | 1 << 35 | 1 << 36 | square("f5");
    assert_eq!(encoded(&after), [1 << 27, black, 0]);
    assert_eq!(square("f5"), 1 << 37);
    assert_eq!(OthelloEncoder.policy_index(&start, PASS), 64);
}
