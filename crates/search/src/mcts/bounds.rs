//! What is certain about a position: the least and the most that it can be worth.
//!
//! A result is a number on the game's scale: the sooner the first player wins, or the larger the margin, the higher; 0 is a draw. A
//! position whose least and most lie on the same side is decided. Each position knows as much as its moves allow: the player to move gets at least the best
//! *least* of the moves that were tried and, once all were tried, at most the best *most*. So a draw is proved from both sides, and what
//! cannot change a position's bounds need not be searched (Cazenave and Saffidine 2010, with distances).

use outplay_core::{Game, Outcome, Player};

use crate::{Certainty, Meaning, Score};

/// The value of a game that is over and won by the first player; no value is larger.
const MOST: i16 = 2047;
/// The value of a win of which only that is known.
const WIN_SOMEHOW: i16 = 1;

/// What the size of a value tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scale {
    /// How soon the game is over: each ply takes one off.
    Distance,
    /// By how much it is won, which may be so much at most.
    Margin(i16),
}

impl Scale {
    /// The scale of a game.
    pub const fn of<G: Game>() -> Scale {
        match G::MAX_MARGIN {
            1 => Scale::Distance,
            most if most < MOST => Scale::Margin(most),
            // Larger margins are all the same: they are certain, and no more is known of them.
            _ => Scale::Margin(MOST),
        }
    }

    /// What is certain of any position where the game goes on.
    pub fn open(self) -> Bounds {
        match self {
            Scale::Distance => Bounds::UNKNOWN.one_move_before(self),
            Scale::Margin(most) => Bounds { low: -most, high: most },
        }
    }

    /// Plies until the game ends, if they can be told: as many as the winner needs with what is known, 0 for a draw.
    pub fn distance(self, bounds: Bounds) -> Option<u16> {
        match (bounds.result()?, self) {
            (0, _) => Some(0),
            (1, Scale::Distance) => (bounds.low > WIN_SOMEHOW).then_some((MOST - bounds.low).unsigned_abs()),
            (_, Scale::Distance) => {
                (bounds.high < -WIN_SOMEHOW).then_some((MOST + bounds.high).unsigned_abs())
            }
            (_, Scale::Margin(_)) => None,
        }
    }
}

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
    pub fn of<G: Game>(certainty: Certainty, player: Player) -> Bounds {
        let Bounds { low: least, high: most } = Scale::of::<G>().open();
        let win_in = |plies: u32| MOST - plies.min((MOST - WIN_SOMEHOW) as u32) as i16;
        let value = |score: Score| match score {
            Score::INFINITE => most,
            Score::LEAST => least,
            score => match score.meaning::<G>() {
                Meaning::WinIn(plies) => win_in(plies),
                Meaning::LossIn(plies) => -win_in(plies),
                Meaning::Margin(margin) => margin.clamp(least.into(), most.into()) as i16,
                // A draw, or a result of which only that is known.
                _ => score.raw().signum() as i16 * WIN_SOMEHOW,
            },
        };
        Bounds { low: value(certainty.least()), high: value(certainty.most()) }.seen_by(player)
    }

    /// The end of the game.
    pub fn end<G: Game>(outcome: Outcome) -> Bounds {
        let margin = outcome.for_player(Player::First);
        let result = match Scale::of::<G>() {
            Scale::Distance => margin.signum() * MOST,
            Scale::Margin(most) => margin.clamp(-most, most),
        };
        Bounds { low: result, high: result }
    }

    /// The same one move earlier.
    #[inline]
    pub fn one_move_before(self, scale: Scale) -> Bounds {
        let earlier = |value: i16| match scale {
            // A result so far away that its distance cannot be told is still a result.
            Scale::Distance if value.abs() > WIN_SOMEHOW => value - value.signum(),
            _ => value,
        };
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

    /// The bounds without distances or margins.
    #[inline]
    pub fn known(self) -> Known {
        Known(self.low.signum() as i8, self.high.signum() as i8)
    }

    /// How much `player` likes a decided result: quick or high wins first, quick or high losses last; 0 if it is not decided.
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
    /// Who wins, and how soon or by how much.
    Exact,
}

impl Proof {
    /// Whether nothing is left to prove.
    pub fn is_complete(self, bounds: Bounds) -> bool {
        match self {
            Proof::Result => bounds.result().is_some(),
            Proof::Exact => bounds.low == bounds.high,
        }
    }

    /// Whether something has been learned.
    pub fn is_progress(self, before: Bounds, now: Bounds) -> bool {
        match self {
            Proof::Result => before.known() != now.known(),
            Proof::Exact => before != now,
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
    use crate::mcts::tests::Walk;

    #[test]
    fn results_keep_their_distance_and_their_order() {
        let scale = Scale::of::<Walk>();
        let win = Bounds::end::<Walk>(Outcome::win(Player::First));
        let draw = Bounds::end::<Walk>(Outcome::DRAW);
        let loss = Bounds::end::<Walk>(Outcome::win(Player::Second));
        let before =
            |bounds: Bounds, plies: u16| (0..plies).fold(bounds, |bounds, _| bounds.one_move_before(scale));
        for plies in [0, 1, 5, 100] {
            let seen = |bounds| (before(bounds, plies).result(), scale.distance(before(bounds, plies)));
            assert_eq!(seen(win), (Some(1), Some(plies)));
            assert_eq!(seen(loss), (Some(-1), Some(plies)));
            assert_eq!(seen(draw), (Some(0), Some(0)));
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
            let of = |certainty| Bounds::of::<Walk>(certainty, player).seen_by(player);
            let distance = |bounds| Scale::Distance.distance(bounds).map(u32::from);
            for plies in [1, 2, 7, 100] {
                let (win, loss) = (of(Certainty::win_in(plies)), of(Certainty::loss_in(plies)));
                assert_eq!((win.result(), distance(win)), (Some(1), Some(plies)));
                assert_eq!((loss.result(), distance(loss)), (Some(-1), Some(plies)));
                assert!(Proof::Exact.is_complete(win) && Proof::Exact.is_complete(loss));
                // Of two wins the one is liked best that is known to be near.
                assert!(win.preference(Player::First) > of(Certainty::WIN).preference(Player::First));
                assert!(loss.preference(Player::First) < of(Certainty::LOSS).preference(Player::First));
            }
            for (certainty, result) in [(Certainty::WIN, 1), (Certainty::DRAW, 0), (Certainty::LOSS, -1)] {
                assert_eq!(of(certainty).result(), Some(result));
                assert_eq!(of(certainty).one_move_before(Scale::Distance).result(), Some(result));
                assert_eq!(distance(of(certainty)), (result == 0).then_some(0));
                assert_eq!(Proof::Exact.is_complete(of(certainty)), result == 0);
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
