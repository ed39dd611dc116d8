//! The evaluation as those see it who learn its weights.

use outplay_core::Game;

use super::Counts;
use super::following::Standing;
use super::shapes::PLACES;
use super::weights::{ANCHORS, Shared, encode, mixture};
use crate::Othello;

/// How many weights have a say in a position.
pub const TERMS: usize = 61;

/// How many sets of weights there are, for different numbers of empty squares.
pub const SETS: usize = ANCHORS.len();

/// How many weights are in a set.
pub fn weights() -> usize {
    Shared::get().all()
}

/// The weights whose sum is the value of a position, for the player to move.
pub fn terms(position: &Othello) -> [u32; TERMS] {
    let numbers = Standing::of(position).seen_by(position.to_move());
    let (shared, layout) = (Shared::get(), &PLACES.layout);
    let counts = Counts::of(position);
    let mut terms = [0; TERMS];
    for (slot, term) in terms[..PLACES.count].iter_mut().enumerate() {
        *term = shared.of_number[layout.begins[slot] as usize + usize::from(numbers.0[slot])];
    }
    let counted = [
        shared.of_moves(counts.moves),
        shared.of_replies(counts.replies),
        shared.of_odd_quadrants(counts.odd_quadrants),
    ];
    terms[PLACES.count..].copy_from_slice(&counted.map(|at| at as u32));
    terms
}

/// The sets that the weights of a position are mixed from: the first of two that follow one another, and what share the second has.
pub fn sets(position: &Othello) -> (usize, f32) {
    mixture(position.empty().count_ones())
}

/// The file with these sets of weights, in hundredths of a disc.
pub fn file(sets: &[Vec<f32>]) -> Vec<u8> {
    encode(sets)
}
