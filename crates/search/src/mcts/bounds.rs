//! What is certain about a position: the least and the most that it can be worth.
//!
//! A result is a number on one scale: the sooner the first player wins, the higher; 0 is a draw. A position whose least and most
//! lie on the same side is decided. Each position knows as much as its moves allow: the player to move gets at least the best
//! *least* of the moves that were tried and, once all were tried, at most the best *most*. So a draw is proved from both sides, and what
//! cannot change a position's bounds need not be searched (Cazenave and Saffidine 2010, with distances).

use outplay_core::{Outcome, Player};

use crate::{Certainty, Score};

/// The value of a game that is over and won by the first player.
const MOST: i16 = 2047;
/// The value of a win of which nobody can tell how far away it is.
const WIN_SOMEHOW: i16 = 1;

/// The least and the most that a position can be worth, in the view of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub low: i16,
    pub high: i16,
}

impl Bounds {
    /// Nothing is certain.
    pub const UNKNOWN: Bounds = Bounds { low: -MOST, high: MOST };

    /// What a loss is worth to the loser of which nobody can tell how far away it is: no loss is worth more.
    pub const LATEST_LOSS: i16 = -WIN_SOMEHOW;

    /// What somebody who knows says to `player`, whose turn it is.
    pub fn of(certainty: Certainty, player: Player) -> Bounds {
        let Bounds { low: least, high: most } = Bounds::UNKNOWN.one_move_before();
        let win_in = |plies: u32| MOST - plies.min((MOST - WIN_SOMEHOW) as u32) as i16;
        let value = |score: Score| match score {
            Score::INFINITE => most,
            Score::LEAST => least,
            Score::WON => WIN_SOMEHOW,
            Score::LOST => Bounds::LATEST_LOSS,
            score => match score.distance() {
                Some(plies) => win_in(plies) * score.raw().signum() as i16,
                None => 0,
            },
        };
        Bounds { low: value(certainty.least()), high: value(certainty.most()) }.seen_by(player)
    }

    /// The end of the game.
    pub fn end(outcome: Outcome) -> Bounds {
        let result = outcome.for_player(Player::First).signum() * MOST;
        Bounds { low: result, high: result }
    }

    /// The same one move earlier.
    pub fn one_move_before(self) -> Bounds {
        // A result so far away that its distance cannot be told is still a result.
        let earlier = |value: i16| if value.abs() > WIN_SOMEHOW { value - value.signum() } else { value };
        Bounds { low: earlier(self.low), high: earlier(self.high) }
    }

    /// In the view of `player`; the way back is the same.
    #[inline]
    pub fn seen_by(self, player: Player) -> Bounds {
        match player {
            Player::First => self,
            Player::Second => Bounds { low: -self.high, high: -self.low },
        }
    }

    /// What both say.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Whether there is a value within.
    pub fn is_possible(self) -> bool {
        -MOST <= self.low && self.low <= self.high && self.high <= MOST
    }

    /// The certain result for the first player, if there is one: 1, 0 or -1.
    pub fn result(self) -> Option<i8> {
        let Known(low, high) = self.known();
        (low == high).then_some(low)
    }

    /// The bounds without the distances.
    #[inline]
    pub fn known(self) -> Known {
        Known(self.low.signum() as i8, self.high.signum() as i8)
    }

    /// Plies until the game ends, if it is decided: as many as the winner needs with what is known. 0 for a draw.
    pub fn distance(self) -> u16 {
        match self.result() {
            Some(1) => (MOST - self.low).unsigned_abs(),
            Some(-1) => (MOST + self.high).unsigned_abs(),
            _ => 0,
        }
    }

    /// Whether anybody can tell how far away a decided result is.
    pub fn tells_distance(self) -> bool {
        match self.result() {
            Some(1) => self.low > WIN_SOMEHOW,
            Some(-1) => self.high < -WIN_SOMEHOW,
            _ => true,
        }
    }

    /// How much `player` likes a decided result: quick wins first, slow losses last; 0 if it is not decided.
    pub fn preference(self, player: Player) -> i32 {
        let Bounds { low, high } = self.seen_by(player);
        match self.seen_by(player).result() {
            Some(1) => i32::from(low),
            Some(-1) => i32::from(high),
            _ => 0,
        }
    }

    /// In 24 bits.
    #[inline]
    pub fn pack(self) -> u64 {
        (self.low + MOST) as u64 | ((self.high + MOST) as u64) << 12
    }

    #[inline]
    pub fn unpack(bits: u64) -> Bounds {
        let part = |shift: u32| (bits >> shift & 0xFFF) as i16 - MOST;
        Bounds { low: part(0), high: part(12) }
    }
}

/// What has to be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// Who wins.
    Result,
    /// Who wins, and how soon.
    Distance,
}

impl Proof {
    /// Whether nothing is left to prove.
    pub fn is_complete(self, bounds: Bounds) -> bool {
        match self {
            Proof::Result => bounds.result().is_some(),
            Proof::Distance => bounds.low == bounds.high,
        }
    }

    /// Whether something has been learned.
    pub fn is_progress(self, before: Bounds, now: Bounds) -> bool {
        match self {
            Proof::Result => before.known() != now.known(),
            Proof::Distance => before != now,
        }
    }
}

/// The least and the most results for the first player: 1, 0 or -1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known(i8, i8);

impl Known {
    /// Nothing is certain.
    pub const NOTHING: Known = Known(-1, 1);
    /// It is a draw.
    pub const DRAW: Known = Known(0, 0);

    /// Four bits, all 0 if nothing is certain; whatever is learned sets more of them.
    #[inline]
    pub fn pack(self) -> u8 {
        /// One bit for each step.
        fn steps(steps: i8) -> u8 {
            (1 << steps) - 1
        }
        steps(self.0 + 1) | steps(1 - self.1) << 2
    }

    #[inline]
    pub fn unpack(bits: u8) -> Known {
        Known((bits & 3).count_ones() as i8 - 1, 1 - (bits >> 2 & 3).count_ones() as i8)
    }

    /// The worst result that `player` can have.
    #[inline]
    pub fn least(self, player: Player) -> i8 {
        if player == Player::First { self.0 } else { -self.1 }
    }

    /// The best result that `player` can have.
    #[inline]
    pub fn most(self, player: Player) -> i8 {
        if player == Player::First { self.1 } else { -self.0 }
    }

    /// Whether there is only one result.
    #[inline]
    pub fn is_decided(self) -> bool {
        self.0 == self.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_distance_and_their_order() {
        let win = Bounds::end(Outcome::win(Player::First));
        let draw = Bounds::end(Outcome::DRAW);
        let loss = Bounds::end(Outcome::win(Player::Second));
        let before =
            |bounds: Bounds, plies: u16| (0..plies).fold(bounds, |bounds, _| bounds.one_move_before());
        for plies in [0, 1, 5, 100] {
            assert_eq!((before(win, plies).result(), before(win, plies).distance()), (Some(1), plies));
            assert_eq!((before(loss, plies).result(), before(loss, plies).distance()), (Some(-1), plies));
            assert_eq!((before(draw, plies).result(), before(draw, plies).distance()), (Some(0), 0));
        }
        let liked = [win, before(win, 3), draw, before(loss, 3), loss].map(|b| b.preference(Player::First));
        assert!(liked.is_sorted_by(|a, b| a > b), "{liked:?}");
        let liked = [win, before(win, 3), draw, before(loss, 3), loss].map(|b| b.preference(Player::Second));
        assert!(liked.is_sorted_by(|a, b| a < b), "{liked:?}");
        assert_eq!(before(win, 5000).result(), Some(1), "too far to tell, but won");
    }

    #[test]
    fn what_is_said_to_a_player_is_what_the_player_gets() {
        for player in Player::BOTH {
            let of = |certainty| Bounds::of(certainty, player).seen_by(player);
            for plies in [1, 2, 7, 100] {
                let (win, loss) = (of(Certainty::win_in(plies)), of(Certainty::loss_in(plies)));
                assert_eq!((win.result(), u32::from(win.distance())), (Some(1), plies));
                assert_eq!((loss.result(), u32::from(loss.distance())), (Some(-1), plies));
                assert!(win.tells_distance() && loss.tells_distance());
                assert!(Proof::Distance.is_complete(win) && Proof::Distance.is_complete(loss));
                // Of two wins the one is liked best that is known to be near.
                assert!(win.preference(Player::First) > of(Certainty::WIN).preference(Player::First));
                assert!(loss.preference(Player::First) < of(Certainty::LOSS).preference(Player::First));
            }
            for (certainty, result) in [(Certainty::WIN, 1), (Certainty::DRAW, 0), (Certainty::LOSS, -1)] {
                assert_eq!(of(certainty).result(), Some(result));
                assert_eq!(of(certainty).one_move_before().result(), Some(result));
                assert_eq!(of(certainty).tells_distance(), result == 0);
                assert_eq!(Proof::Distance.is_complete(of(certainty)), result == 0);
            }
            for certainty in [Certainty::NOT_LOST, Certainty::NOT_WON] {
                assert_eq!(of(certainty).result(), None);
            }
        }
    }

    #[test]
    fn bounds_survive_packing_and_both_views() {
        for low in [-MOST, -MOST + 7, -1, 0, 1, MOST] {
            for high in [-MOST, -1, 0, 1, MOST - 7, MOST] {
                let bounds = Bounds { low, high };
                assert_eq!(Bounds::unpack(bounds.pack()), bounds);
                assert_eq!(Known::unpack(bounds.known().pack()), bounds.known());
                assert_eq!(bounds.seen_by(Player::Second).seen_by(Player::Second), bounds);
                assert_eq!(bounds.known().most(Player::Second), -bounds.known().least(Player::First));
            }
        }
        assert_eq!(Bounds::UNKNOWN.known(), Known::NOTHING);
        assert_eq!(Known::NOTHING.pack(), 0);
    }
}
