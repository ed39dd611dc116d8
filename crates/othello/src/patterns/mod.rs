//! The evaluation by patterns: what stands on lines, edges, corners and diagonals, how many moves there are, and in how many quadrants the
//! last move would be the mover's, all by the number of empty squares.
//!
//! Read `shapes.rs` for which squares are looked at together, `following.rs` for how a search thread keeps up what stands there, `weights.rs` for
//! what it is worth. That was learned from our own games; docs/othello.md says how.

mod following;
mod foretold;
mod shapes;
mod weights;

pub mod tuning;

use std::fmt;
use std::fmt::Write;
use std::sync::Arc;

use outplay_core::{Game, Move, ParseError};
use outplay_search::{Evaluation, Foretelling};

use crate::Othello;
use crate::kernels::{count_bits, legal_moves, look_up};
pub use following::Following;
use following::Standing;
use shapes::{PLACES, SHAPES};
use weights::{COUNTED_MOVES, Stage, Weights};

/// What patterns are worth, in hundredths of a disc of the final margin.
#[derive(Clone)]
pub struct Patterns(Source);

#[derive(Clone)]
enum Source {
    BuiltIn,
    File(Arc<Weights>),
}

static BUILT_IN: Weights = Weights::built_in(include_bytes!("weights.bin"));

/// No margin is larger.
const MOST: i32 = 6_400;

impl Default for Patterns {
    /// With the weights that are a part of the program.
    fn default() -> Patterns {
        Patterns(Source::BuiltIn)
    }
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self.0 {
            Source::BuiltIn => "Patterns(built in)",
            Source::File(_) => "Patterns(from a file)",
        })
    }
}

impl Patterns {
    /// With the weights of a file.
    pub fn read(file: Vec<u8>) -> Result<Patterns, ParseError> {
        Weights::read(file).map(|weights| Patterns(Source::File(Arc::new(weights))))
    }

    #[inline]
    fn stage(&self, position: &Othello) -> &Stage {
        let empties = count_bits(position.empty());
        match &self.0 {
            Source::BuiltIn => BUILT_IN.stage(empties),
            Source::File(weights) => weights.stage(empties),
        }
    }
}

impl Evaluation<Othello> for Patterns {
    type State = Following;

    fn state(&self) -> Following {
        Following::new()
    }

    fn reset(&self, following: &mut Following, position: &Othello) {
        following.jump(position);
    }

    #[inline]
    fn make(&self, following: &mut Following, before: &Othello, m: Option<Move>, after: &Othello) {
        following.make(before, m, after);
    }

    #[inline]
    fn unmake(&self, following: &mut Following, before: &Othello) {
        following.unmake(before);
    }

    #[inline]
    fn evaluate(&self, following: &mut Following, position: &Othello) -> i32 {
        let stage = self.stage(position);
        let numbers = following.here().seen_by(position.to_move());
        let sum = look_up(&stage.tables, &numbers) + Counts::of(position).worth(stage).iter().sum::<i32>();
        sum.clamp(-MOST, MOST)
    }

    /// Searches that look ahead often change their mind by as much.
    #[inline]
    fn unit(&self) -> i32 {
        300
    }

    #[inline]
    fn foretold(&self, position: &Othello) -> &'static [Foretelling] {
        foretold::FORETOLD.get(self.phase(position)).copied().unwrap_or(&[])
    }

    /// The opening, the middle game and the way into the end.
    #[inline]
    fn phase(&self, position: &Othello) -> usize {
        match count_bits(position.empty()) {
            41.. => 0,
            31..=40 => 1,
            21..=30 => 2,
            ..=20 => 3,
        }
    }

    fn explain(&self, position: &Othello) -> Option<String> {
        let stage = self.stage(position);
        let numbers = Standing::of(position).seen_by(position.to_move());
        let mut text = String::new();
        let mut line = |name: &str, worth: i32| {
            writeln!(text, "{name:<28}{:+7.2}", f64::from(worth) / 100.0).expect("a string takes everything");
        };
        for (shape, about) in SHAPES.iter().enumerate() {
            let of_shape = (0..PLACES.count).filter(|&slot| PLACES.shape[slot] == shape);
            line(about.name, of_shape.map(|slot| i32::from(stage.tables.entry(slot, &numbers))).sum());
        }
        let [moves, replies, odd_quadrants] = Counts::of(position).worth(stage);
        line("moves", moves);
        line("moves of the opponent", replies);
        line("odd quadrants", odd_quadrants);
        line("in all, for who moves", self.value(position));
        Some(text)
    }
}

/// What is counted beside patterns.
struct Counts {
    moves: usize,
    replies: usize,
    odd_quadrants: usize,
}

impl Counts {
    #[inline]
    fn of(position: &Othello) -> Counts {
        let replies = legal_moves(position.opponent(), position.mover());
        let count = |squares: u64| (count_bits(squares) as usize).min(COUNTED_MOVES - 1);
        Counts {
            moves: count(position.legal_moves().squares()),
            replies: count(replies),
            odd_quadrants: odd_quadrants(position.empty()),
        }
    }

    #[inline]
    fn worth(&self, stage: &Stage) -> [i32; 3] {
        let worth =
            [stage.moves[self.moves], stage.replies[self.replies], stage.odd_quadrants[self.odd_quadrants]];
        worth.map(i32::from)
    }
}

/// How many quadrants have an odd number of empty squares.
#[inline]
fn odd_quadrants(empty: u64) -> usize {
    // The sums of bits two by two, four by four and so on, of which only the lowest bit matters: exclusive or.
    let rows = empty ^ empty >> 1;
    let rows = rows ^ rows >> 2;
    let squares = rows ^ rows >> 8;
    let squares = squares ^ squares >> 16;
    count_bits(squares & 0x0000_0011_0000_0011) as usize
}

#[cfg(test)]
mod tests {
    use outplay_core::conformance::Effort;
    use outplay_search::conformance::check_evaluation;

    use super::*;

    #[test]
    fn what_a_thread_keeps_up_is_what_it_works_out_from_scratch() {
        let effort = Effort { games: 60, ..Effort::default() };
        check_evaluation(&(), &Patterns::default(), |_| None, &effort).expect("the law holds");
    }

    #[test]
    fn odd_quadrants_are_counted() {
        let mut rng = outplay_core::Rng::new(3);
        for _ in 0..1000 {
            let empty = rng.next_u64();
            let quadrants = [0x0F0F_0F0Fu64, 0xF0F0_F0F0, 0x0F0F_0F0F << 32, 0xF0F0_F0F0 << 32];
            let odd = quadrants.iter().filter(|&quadrant| (empty & quadrant).count_ones() % 2 == 1).count();
            assert_eq!(odd_quadrants(empty), odd, "{empty:#x}");
        }
    }
}
