//! What is learned about moves while they are searched: which ones refute, and after which.
//!
//! Threads learn together. Two that write at once may lose what one of them had to say, which does no harm: it is all a matter of habit.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI16, AtomicI32, AtomicU16};

use outplay_core::{Move, Player};

/// The largest value that a move's history takes, and the smallest with a minus.
pub(super) const MOST: i32 = 16_384;
/// Classes of what a noisy move wins, in units.
const GAINS: usize = 16;
/// Structures of which the evaluation's error is remembered; a power of two.
const STRUCTURES: usize = 16_384;
/// Errors are kept in parts of a hundredth.
const ERROR_GRAIN: i32 = 256;

/// A kind of move, made by a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played(u32);

/// The histories of all quiet moves where some were made before: for asking about many.
pub(super) struct QuietHistories<'a, const BEFORE: usize> {
    quiet: &'a [AtomicI16],
    after: [&'a [AtomicI16]; BEFORE],
}

impl<const BEFORE: usize> QuietHistories<'_, BEFORE> {
    /// What is known of a move, itself and after those before.
    #[inline]
    pub fn of(&self, played: Played) -> i32 {
        let index = played.0 as usize;
        2 * value(&self.quiet[index]) + self.after.iter().map(|after| value(&after[index])).sum::<i32>()
    }
}

/// The memory of a search.
pub(super) struct Histories {
    kinds: usize,
    // [played]
    quiet: Box<[AtomicI16]>,
    // [played][class of gain]
    noisy: Box<[[AtomicI16; GAINS]]>,
    // [played before][played]
    continuation: Box<[AtomicI16]>,
    // [played]: of a history that is not asked.
    nothing: Box<[AtomicI16]>,
    // [played before]: the bits of the quiet move that refuted it.
    counter_moves: Box<[AtomicU16]>,
    // [player][structure]: the evaluation's error.
    errors: [Box<[AtomicI32]>; 2],
}

impl Histories {
    /// An empty memory for so many kinds of moves.
    pub fn new(kinds: usize) -> Histories {
        let played = 2 * kinds;
        Histories {
            kinds,
            quiet: empty(played),
            noisy: empty(played),
            continuation: empty(played * played),
            nothing: empty(played),
            counter_moves: (0..played).map(|_| AtomicU16::new(Move::RESERVED_BITS)).collect(),
            errors: [empty(STRUCTURES), empty(STRUCTURES)],
        }
    }

    #[inline]
    pub fn played(&self, player: Player, kind: usize) -> Played {
        debug_assert!(kind < self.kinds, "kind {kind} of {}", self.kinds);
        Played((player.index() * self.kinds + kind.min(self.kinds - 1)) as u32)
    }

    #[inline]
    pub fn quiet(&self, played: Played) -> i32 {
        value(&self.quiet[played.0 as usize])
    }

    #[inline]
    pub fn noisy(&self, played: Played, gain_in_units: i32) -> i32 {
        value(&self.noisy[played.0 as usize][class(gain_in_units)])
    }

    #[inline]
    pub fn continuation(&self, before: Played, played: Played) -> i32 {
        value(&self.continuation[before.0 as usize * 2 * self.kinds + played.0 as usize])
    }

    /// What is known of every quiet move after these, and of itself if `on_its_own`.
    #[inline]
    pub fn of_quiet<const BEFORE: usize>(
        &self,
        on_its_own: bool,
        before: [Option<Played>; BEFORE],
    ) -> QuietHistories<'_, BEFORE> {
        // All of one size that is checked once.
        let size = 2 * self.kinds;
        let quiet = if on_its_own { &self.quiet[..size] } else { &self.nothing[..size] };
        let after = before.map(|before| match before {
            Some(before) => &self.continuation[before.0 as usize * size..][..size],
            None => &self.nothing[..size],
        });
        QuietHistories { quiet, after }
    }

    #[inline]
    pub fn counter_move(&self, before: Played) -> Option<Move> {
        let bits = self.counter_moves[before.0 as usize].load(Relaxed);
        (bits != Move::RESERVED_BITS).then(|| Move::new(bits))
    }

    pub fn update_quiet(&self, played: Played, bonus: i32) {
        learn(&self.quiet[played.0 as usize], bonus);
    }

    pub fn update_noisy(&self, played: Played, gain_in_units: i32, bonus: i32) {
        learn(&self.noisy[played.0 as usize][class(gain_in_units)], bonus);
    }

    pub fn update_continuation(&self, before: Played, played: Played, bonus: i32) {
        learn(&self.continuation[before.0 as usize * 2 * self.kinds + played.0 as usize], bonus);
    }

    pub fn set_counter_move(&self, before: Played, m: Move) {
        self.counter_moves[before.0 as usize].store(m.bits(), Relaxed);
    }

    /// What to add to the evaluation of a position with this structure.
    #[inline]
    pub fn correction(&self, player: Player, structure: u64) -> i32 {
        self.errors[player.index()][structure as usize % STRUCTURES].load(Relaxed) / ERROR_GRAIN
    }

    /// A search so deep has come to another value than the evaluation, by this difference; `most` is the largest correction.
    pub fn update_correction(
        &self,
        (player, structure): (Player, u64),
        difference: i32,
        depth: i32,
        most: i32,
    ) {
        let error = &self.errors[player.index()][structure as usize % STRUCTURES];
        let weight = (depth + 1).min(16);
        let target = difference.clamp(-4 * most, 4 * most) * ERROR_GRAIN;
        let most = most * ERROR_GRAIN;
        let old = error.load(Relaxed);
        error.store(((old * (256 - weight) + target * weight) / 256).clamp(-most, most), Relaxed);
    }
}

/// Moves a value towards a bonus; the nearer it is to its end, the less.
#[inline]
fn learn(history: &AtomicI16, bonus: i32) {
    let bonus = bonus.clamp(-MOST, MOST);
    let old = value(history);
    history.store((old + bonus - old * bonus.abs() / MOST) as i16, Relaxed);
}

#[inline]
fn value(history: &AtomicI16) -> i32 {
    history.load(Relaxed).into()
}

fn empty<T: Default>(size: usize) -> Box<[T]> {
    (0..size).map(|_| T::default()).collect()
}

#[inline]
fn class(gain_in_units: i32) -> usize {
    gain_in_units.clamp(0, GAINS as i32 - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_stays_within_its_bounds_and_forgets_slowly() {
        let history = AtomicI16::default();
        for _ in 0..1_000 {
            learn(&history, 2_000);
            assert!(value(&history) <= MOST);
        }
        assert!(value(&history) > MOST - 100);
        learn(&history, -2_000);
        assert!(value(&history) > 0);
        for _ in 0..1_000 {
            learn(&history, -MOST);
        }
        assert_eq!(value(&history), -MOST);
    }

    #[test]
    fn players_and_kinds_do_not_share_their_histories() {
        let histories = Histories::new(10);
        let (mine, theirs) = (histories.played(Player::First, 3), histories.played(Player::Second, 3));
        histories.update_quiet(mine, 500);
        histories.update_continuation(mine, theirs, 700);
        assert!(histories.quiet(mine) > 0);
        assert_eq!(histories.quiet(theirs), 0);
        assert!(histories.continuation(mine, theirs) > 0);
        assert_eq!(histories.continuation(theirs, mine), 0);
    }

    #[test]
    fn an_evaluation_that_is_always_off_is_corrected() {
        let histories = Histories::new(1);
        for _ in 0..1_000 {
            histories.update_correction((Player::First, 77), 30, 8, 48);
        }
        assert!((25..=30).contains(&histories.correction(Player::First, 77)));
        assert_eq!(histories.correction(Player::Second, 77), 0);
        assert_eq!(histories.correction(Player::First, 78), 0);
    }
}
