//! What is trained on: the newest samples.

use std::collections::VecDeque;

use outplay_core::Rng;
use outplay_engine::selfplay::Sample;
use outplay_net::Description;
use outplay_net::train::Samples;

/// A replay window: samples in the order in which they came; the oldest go first.
pub struct Window {
    samples: VecDeque<Sample>,
    most: usize,
    /// What share of the value to learn is what the search thought.
    search_value: f32,
}

impl Window {
    /// A window of so many samples.
    pub fn new(most: usize, search_value: f32) -> Window {
        Window { samples: VecDeque::new(), most, search_value }
    }

    /// Adds a sample, and lets the oldest go if there are too many.
    pub fn push(&mut self, sample: Sample) {
        if self.samples.len() == self.most {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// So many of them by lot, each as likely as any other every time.
    pub fn draw(&self, count: usize, description: &Description, rng: &mut Rng) -> Samples {
        let (heads, board) = (&description.heads, description.board);
        let mut batch = Samples::default();
        for _ in 0..count {
            let sample = &self.samples[rng.below(self.samples.len())];
            batch.positions.extend(&sample.words);
            spread(&sample.policy, heads.policy.size(board), &mut batch.policy);
            batch.value.push(self.value(sample));
            batch.weight.push(1.0);
            if heads.margin.is_some() {
                batch.margin.push(sample.margin);
            }
            if heads.moves_left.is_some() {
                batch.moves_left.push(sample.moves_left);
            }
            if let Some(reply) = heads.reply {
                spread(&sample.reply, reply.size(board), &mut batch.reply);
            }
        }
        batch
    }

    /// Chances to win, draw and lose: by the end of the game, and by what the search thought, which takes draws for half a win.
    fn value(&self, sample: &Sample) -> [f32; 3] {
        let ended = [sample.result == 1.0, sample.result == 0.0, sample.result == -1.0];
        let thought = [(1.0 + sample.value) / 2.0, 0.0, (1.0 - sample.value) / 2.0];
        std::array::from_fn(|i| {
            let ended = f32::from(u8::from(ended[i]));
            ended + self.search_value * (thought[i] - ended)
        })
    }
}

/// Writes a policy of so many numbers: shares of legal moves, and below zero for all others. If nothing is known, all are zero.
pub(crate) fn spread(policy: &[(u16, f32)], size: usize, to: &mut Vec<f32>) {
    let from = to.len();
    to.resize(from + size, if policy.is_empty() { 0.0 } else { -1.0 });
    for &(index, share) in policy {
        to[from + usize::from(index)] = share;
    }
}
