//! Where the terms of an evaluation go: into a sum in play, into a record of what was counted for tuning and for people.

use cozy_chess::Color;

use super::pair::Pair;
use super::side::Side;
use super::terms::WEIGHT_COUNT;
use super::weights::WEIGHTS;

/// Hears what the evaluation finds. The evaluation is written once, for any of them: so no two can disagree.
pub(super) trait Sink {
    /// Something that counts for this side, so many times.
    fn add<S: Side>(&mut self, weight: usize, times: i32);

    /// Something that puts the king of this side in danger.
    fn endanger<S: Side>(&mut self, weight: usize, times: i32);
}

/// Adds everything up.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    /// What counts for White, less what counts for Black.
    pub score: Pair,
    /// The danger of the kings. [colour]
    pub danger: [Pair; Color::NUM],
}

impl Sink for Sum {
    #[inline(always)]
    fn add<S: Side>(&mut self, weight: usize, times: i32) {
        match S::COLOR {
            Color::White => self.score += WEIGHTS[weight] * times,
            Color::Black => self.score -= WEIGHTS[weight] * times,
        }
    }

    #[inline(always)]
    fn endanger<S: Side>(&mut self, weight: usize, times: i32) {
        self.danger[S::COLOR as usize] += WEIGHTS[weight] * times;
    }
}

/// Counts how often each weight is used.
pub(super) struct Counts {
    /// For each side. [colour][weight]
    pub sides: [[i16; WEIGHT_COUNT]; Color::NUM],
    /// For the danger of each side's king. [colour][weight]
    pub danger: [[i16; WEIGHT_COUNT]; Color::NUM],
}

impl Counts {
    pub fn new() -> Box<Counts> {
        Box::new(Counts { sides: [[0; WEIGHT_COUNT]; 2], danger: [[0; WEIGHT_COUNT]; 2] })
    }
}

impl Sink for Counts {
    fn add<S: Side>(&mut self, weight: usize, times: i32) {
        self.sides[S::COLOR as usize][weight] += times as i16;
    }

    fn endanger<S: Side>(&mut self, weight: usize, times: i32) {
        self.danger[S::COLOR as usize][weight] += times as i16;
    }
}
