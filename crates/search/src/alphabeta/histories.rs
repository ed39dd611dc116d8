//! What a thread learns about moves while it searches: which ones refute, and after which.

use outplay_core::{Move, Player};

/// The largest value that a move's history takes, and the smallest with a minus.
pub(super) const MOST: i32 = 16_384;
/// Classes of what a noisy move wins, in units.
const GAINS: usize = 16;
/// Structures of which the evaluation's error is remembered; a power of two.
const STRUCTURES: usize = 16_384;
/// Errors are kept in parts of a hundredth.
const ERROR_GRAIN: i32 = 256;
/// No correction is larger than this.
const MOST_ERROR: i32 = 48;

/// A kind of move, made by a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played(u32);

/// The histories of all quiet moves where some were made before: for asking about many.
pub(super) struct QuietHistories<'a, const BEFORE: usize> {
    quiet: &'a [i16],
    after: [&'a [i16]; BEFORE],
}

impl<const BEFORE: usize> QuietHistories<'_, BEFORE> {
    /// What is known of a move, itself and after those before.
    #[inline]
    pub fn of(&self, played: Played) -> i32 {
        let index = played.0 as usize;
        2 * i32::from(self.quiet[index]) + self.after.iter().map(|after| i32::from(after[index])).sum::<i32>()
    }
}

/// The memory of one thread.
pub(super) struct Histories {
    kinds: usize,
    // [played]
    quiet: Vec<i16>,
    // [played][class of gain]
    noisy: Vec<[i16; GAINS]>,
    // [played before][played]
    after: Vec<i16>,
    // [played]: of a history that is not asked.
    nothing: Vec<i16>,
    // [played before]: the quiet move that refuted it.
    answers: Vec<Option<Move>>,
    // [player][structure]: the evaluation's error.
    errors: [Vec<i32>; 2],
}

impl Histories {
    /// An empty memory for so many kinds of moves.
    pub fn new(kinds: usize) -> Histories {
        let played = 2 * kinds;
        Histories {
            kinds,
            quiet: vec![0; played],
            noisy: vec![[0; GAINS]; played],
            after: vec![0; played * played],
            nothing: vec![0; played],
            answers: vec![None; played],
            errors: [vec![0; STRUCTURES], vec![0; STRUCTURES]],
        }
    }

    #[inline]
    pub fn played(&self, player: Player, kind: usize) -> Played {
        debug_assert!(kind < self.kinds, "kind {kind} of {}", self.kinds);
        Played((player.index() * self.kinds + kind.min(self.kinds - 1)) as u32)
    }

    #[inline]
    pub fn quiet(&self, played: Played) -> i32 {
        self.quiet[played.0 as usize].into()
    }

    #[inline]
    pub fn noisy(&self, played: Played, gain_in_units: i32) -> i32 {
        self.noisy[played.0 as usize][class(gain_in_units)].into()
    }

    #[inline]
    pub fn after(&self, before: Played, played: Played) -> i32 {
        self.after[before.0 as usize * 2 * self.kinds + played.0 as usize].into()
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
            Some(before) => &self.after[before.0 as usize * size..][..size],
            None => &self.nothing[..size],
        });
        QuietHistories { quiet, after }
    }

    #[inline]
    pub fn answer(&self, before: Played) -> Option<Move> {
        self.answers[before.0 as usize]
    }

    pub fn learn_quiet(&mut self, played: Played, bonus: i32) {
        learn(&mut self.quiet[played.0 as usize], bonus);
    }

    pub fn learn_noisy(&mut self, played: Played, gain_in_units: i32, bonus: i32) {
        learn(&mut self.noisy[played.0 as usize][class(gain_in_units)], bonus);
    }

    pub fn learn_after(&mut self, before: Played, played: Played, bonus: i32) {
        learn(&mut self.after[before.0 as usize * 2 * self.kinds + played.0 as usize], bonus);
    }

    pub fn set_answer(&mut self, before: Played, m: Move) {
        self.answers[before.0 as usize] = Some(m);
    }

    /// What to add to the evaluation of a position with this structure.
    #[inline]
    pub fn correction(&self, player: Player, structure: u64) -> i32 {
        self.errors[player.index()][structure as usize % STRUCTURES] / ERROR_GRAIN
    }

    /// A search so deep has come to another value than the evaluation, by this difference.
    pub fn learn_error(&mut self, player: Player, structure: u64, difference: i32, depth: i32) {
        let error = &mut self.errors[player.index()][structure as usize % STRUCTURES];
        let weight = (depth + 1).min(16);
        let most = MOST_ERROR * ERROR_GRAIN;
        let target = difference.clamp(-4 * MOST_ERROR, 4 * MOST_ERROR) * ERROR_GRAIN;
        *error = ((*error * (256 - weight) + target * weight) / 256).clamp(-most, most);
    }
}

/// Moves a value towards a bonus; the nearer it is to its end, the less.
#[inline]
fn learn(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MOST, MOST);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MOST) as i16;
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
        let mut value = 0;
        for _ in 0..1_000 {
            learn(&mut value, 2_000);
            assert!(i32::from(value) <= MOST);
        }
        assert!(i32::from(value) > MOST - 100);
        learn(&mut value, -2_000);
        assert!(value > 0);
        for _ in 0..1_000 {
            learn(&mut value, -MOST);
        }
        assert_eq!(i32::from(value), -MOST);
    }

    #[test]
    fn players_and_kinds_do_not_share_their_histories() {
        let mut histories = Histories::new(10);
        let (mine, theirs) = (histories.played(Player::First, 3), histories.played(Player::Second, 3));
        histories.learn_quiet(mine, 500);
        histories.learn_after(mine, theirs, 700);
        assert!(histories.quiet(mine) > 0);
        assert_eq!(histories.quiet(theirs), 0);
        assert!(histories.after(mine, theirs) > 0);
        assert_eq!(histories.after(theirs, mine), 0);
    }

    #[test]
    fn an_evaluation_that_is_always_off_is_corrected() {
        let mut histories = Histories::new(1);
        for _ in 0..1_000 {
            histories.learn_error(Player::First, 77, 30, 8);
        }
        assert!((25..=30).contains(&histories.correction(Player::First, 77)));
        assert_eq!(histories.correction(Player::Second, 77), 0);
        assert_eq!(histories.correction(Player::First, 78), 0);
    }
}
