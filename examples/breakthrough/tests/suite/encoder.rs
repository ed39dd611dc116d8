//! How positions are shown to networks.

use outplay_breakthrough::{Breakthrough, BreakthroughEncoder};
use outplay_core::conformance::Effort;
use outplay_core::{Game, Notation, Player};
use outplay_search::conformance::{check_encoder, check_encoder_symmetry};
use outplay_search::mcts::LeafEncoder;

#[test]
fn the_encoder_obeys_the_laws() {
    let shown = |position: &Breakthrough, _: &[Breakthrough]| {
        (Player::BOTH.map(|player| position.pawns(player)), position.to_move())
    };
    let effort = Effort { games: 5, ..Effort::default() };
    check_encoder(&(), &BreakthroughEncoder, shown, &effort)
        .and_then(|()| check_encoder_symmetry::<Breakthrough>(&(), &BreakthroughEncoder, &effort))
        .unwrap_or_else(|violation| panic!("{violation}"));
}

#[test]
fn both_players_see_their_pawns_go_up() {
    let start = Breakthrough::start(&());
    let m = start.parse_move("a2b3").unwrap();
    let reply = start.after(m).parse_move("a7b6").unwrap();
    let place = |position: &Breakthrough, m| BreakthroughEncoder.policy_index(position, m);
    assert_eq!([place(&start, m), place(&start.after(m), reply)], [2 * 64 + 8; 2]);
    let mut words = Vec::new();
    BreakthroughEncoder.encode(&start, &[], &mut words);
    assert_eq!(words, [0xFFFF, 0xFFFF << 48, u64::from(1f32.to_bits())]);
}
