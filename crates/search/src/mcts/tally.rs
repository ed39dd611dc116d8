//! How often something was done and how that ended, in one word.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::state::Value;

/// A number of playouts and the sum of their results, in the view of the first player: 32 bits each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tally(u64);

/// Results are summed in steps of 1/64.
const STEPS: f32 = 64.0;
/// The bits of a [`Value`] below such a step.
const DROPPED: u32 = 24;
/// More playouts are not counted: they would change nothing, and the sum has no room for many more.
const MOST_VISITS: u32 = 1 << 24;

impl Tally {
    pub fn of(word: &AtomicU64) -> Tally {
        Tally(word.load(Relaxed))
    }

    pub fn visits(self) -> u32 {
        self.0 as u32
    }

    /// The mean result for the first player; 0 without a playout.
    pub fn mean(self) -> f32 {
        ((self.0 as i64) >> 32) as f32 / (STEPS * self.visits().max(1) as f32)
    }

    /// Whether more playouts are to be counted.
    pub fn has_room(self) -> bool {
        self.visits() < MOST_VISITS
    }

    /// What is added to a word for so many playouts with this value.
    pub fn of_playouts(value: Value, playouts: u32) -> Tally {
        let steps = (value.wl + (1 << (DROPPED - 1))) >> DROPPED;
        Tally((((steps * i64::from(playouts)) as u64) << 32).wrapping_add(u64::from(playouts)))
    }

    pub fn bits(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_the_number_of_playouts_and_their_mean() {
        let (mut word, mut sum, mut count) = (0u64, 0.0, 0);
        for (wl, playouts) in [(1.0, 3), (-1.0, 5), (0.0, 2), (-0.25, 1), (0.5, 7), (-1.0, 1000)] {
            word = word.wrapping_add(Tally::of_playouts(Value::new(wl, 0.0, 0.0), playouts).bits());
            sum += wl * playouts as f32;
            count += playouts;
            assert_eq!((Tally(word).visits(), Tally(word).mean()), (count, sum / count as f32));
        }
        assert_eq!(Tally::default().mean(), 0.0);
    }

    #[test]
    fn the_sum_of_as_many_playouts_as_are_counted_has_room() {
        for wl in [1.0, -1.0] {
            let all = Tally::of_playouts(Value::new(wl, 0.0, 0.0), MOST_VISITS + 1024);
            assert!(!all.has_room() && all.mean() == wl);
        }
    }
}
