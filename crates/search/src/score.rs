//! The value of a position: a guess, or a result with its distance or margin.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use outplay_core::{Game, Outcome, Player};
use serde::{Deserialize, Serialize};

/// A value as seen by one player, in hundredths of the game's unit, or a decided result beyond all of those.
///
/// Decided results are ordered as players want them. In games that are only won or lost, a win in fewer plies is
/// better and a loss in more plies is less bad; in games with margins (Othello's discs) the margin alone counts.
/// All values fit into 16 bits, so that tables may store them so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// Above every value.
    pub const INFINITE: Score = Score(32_000);
    /// Below every value.
    pub const LEAST: Score = Score(-32_000);
    /// An even position, and the value of a draw.
    pub const DRAW: Score = Score(0);
    /// The best that an evaluation may say; larger numbers are cut to this.
    pub const MOST_HEURISTIC: Score = Score(20_000);
    /// A win of which only that is known, on the spot: below every win whose distance or margin is known. `n` plies from the root it is
    /// `n` less, and still above every opinion.
    const WIN_SOMEHOW: i32 = 21_000;
    /// A win on the spot; a win in `n` plies is `n` less.
    const WIN_NOW: i32 = 31_000;
    /// A win by no margin at all; a win by `n` is `n` more.
    const WIN_BY_NOTHING: i32 = 21_000;

    /// The least that a won position is worth on the spot: a win of which only that is known.
    pub const WON: Score = Score(Self::WIN_SOMEHOW);
    /// The most that a lost position is worth on the spot.
    pub const LOST: Score = Score(-Self::WIN_SOMEHOW);

    /// An evaluation's opinion.
    #[inline]
    pub fn heuristic(value: i32) -> Score {
        Score(value.clamp(-Self::MOST_HEURISTIC.0, Self::MOST_HEURISTIC.0))
    }

    /// A result for `player`, reached `ply` plies from now.
    #[inline]
    pub fn decided<G: Game>(outcome: Outcome, player: Player, ply: usize) -> Score {
        let utility = i32::from(outcome.for_player(player));
        let size = match utility.abs() {
            0 => return Score::DRAW,
            _ if G::MAX_MARGIN == 1 => Self::win_in(ply).0,
            _ => return Self::by_margin(outcome.for_player(player)),
        };
        Score(if utility > 0 { size } else { -size })
    }

    /// A win by this margin, a loss if it is negative, in games with margins.
    #[inline]
    pub fn by_margin(margin: i16) -> Score {
        let size = Self::WIN_BY_NOTHING + i32::from(margin).abs().min(9_999);
        Score(size * i32::from(margin.signum()))
    }

    /// A win in so many plies, in games that are won or lost.
    #[inline]
    pub fn win_in(plies: usize) -> Score {
        Score(Self::WIN_NOW - plies.min(9_999) as i32)
    }

    /// A win of which is known, `ply` plies from now, that it is one, and no more.
    #[inline]
    pub fn win_known_at(ply: usize) -> Score {
        Score(Self::WIN_SOMEHOW - ply.min(999) as i32)
    }

    /// The number itself, for tables and printing; [`Score::from_raw`] reads it back.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// A score from its number.
    #[inline]
    pub const fn from_raw(raw: i32) -> Score {
        Score(raw)
    }

    /// The value of `owner` as `viewer` sees it: this is where, and why, a search changes sign.
    #[inline]
    #[must_use]
    pub fn seen_by(self, viewer: Player, owner: Player) -> Score {
        if viewer == owner { self } else { -self }
    }

    /// Whether this is a win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Self::MOST_HEURISTIC.0
    }

    /// Whether this is a loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MOST_HEURISTIC.0
    }

    /// The score as seen from `ply` plies further on: a win is so much nearer there. [`Score::seen_from_root`] turns it back.
    #[inline]
    #[must_use]
    pub fn seen_from_ply<G: Game>(self, ply: usize) -> Score {
        self.with_distance_changed::<G>(ply as i32)
    }

    /// The score of a position `ply` plies from the root, as seen from there, in the view of the root.
    #[inline]
    #[must_use]
    pub fn seen_from_root<G: Game>(self, ply: usize) -> Score {
        self.with_distance_changed::<G>(-(ply as i32))
    }

    #[inline]
    fn with_distance_changed<G: Game>(self, nearer: i32) -> Score {
        if G::MAX_MARGIN == 1 && self.is_decided() { Score(self.0 + self.0.signum() * nearer) } else { self }
    }

    /// Whether this is a win or a loss, not an opinion (or a draw, which looks like an even opinion).
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Self::MOST_HEURISTIC.0
    }

    /// What is claimed, in words that a report can carry.
    pub fn meaning<G: Game>(self) -> Meaning {
        match self.0.abs() {
            size if size <= Self::MOST_HEURISTIC.0 => Meaning::Opinion(self.0),
            size if size <= Self::WIN_SOMEHOW => {
                let above_opinions = Self::WIN_SOMEHOW - Self::MOST_HEURISTIC.0;
                Meaning::Opinion((size - above_opinions) * self.0.signum())
            }
            size if G::MAX_MARGIN == 1 => {
                let plies = (Self::WIN_NOW - size) as u32;
                if self.0 > 0 { Meaning::WinIn(plies) } else { Meaning::LossIn(plies) }
            }
            size => Meaning::Margin((size - Self::WIN_BY_NOTHING) * self.0.signum()),
        }
    }
}

/// What a [`Score`] says.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    /// An evaluation, in hundredths of the game's unit; 0 may also be a proven draw, and 200 units less the plies to it a win whose
    /// distance nobody knows.
    #[serde(rename = "centi")]
    Opinion(i32),
    /// A forced win, so many plies away.
    WinIn(u32),
    /// A forced loss, so many plies away.
    LossIn(u32),
    /// A forced result with this margin, negative for a loss.
    Margin(i32),
    /// The mean result of many games: 1 if all were won, -1 if all were lost.
    Expected(f64),
}

impl Meaning {
    /// A win of which only that is known.
    pub const WON_SOMEHOW: Meaning = Meaning::Opinion(Score::MOST_HEURISTIC.raw());
    /// A loss of which only that is known.
    pub const LOST_SOMEHOW: Meaning = Meaning::Opinion(-Score::MOST_HEURISTIC.raw());

    /// A score that compares as this does with others of the same game. A mean result of 1 counts as ten units.
    pub fn score(self) -> Score {
        match self {
            Meaning::Opinion(value) => Score::heuristic(value),
            Meaning::WinIn(plies) => Score::win_in(plies as usize),
            Meaning::LossIn(plies) => -Score::win_in(plies as usize),
            Meaning::Margin(margin) => Score::by_margin(margin.clamp(-9_999, 9_999) as i16),
            Meaning::Expected(mean) => Score::heuristic((1_000.0 * mean) as i32),
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Meaning::Opinion(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Meaning::WinIn(plies) => write!(f, "win in {plies}"),
            Meaning::LossIn(plies) => write!(f, "loss in {plies}"),
            Meaning::Margin(margin) if *margin > 0 => write!(f, "win by {margin}"),
            Meaning::Margin(margin) => write!(f, "loss by {}", -margin),
            Meaning::Expected(mean) => write!(f, "{:.1} %", 50.0 + 50.0 * mean),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// A score so much higher: for margins and windows.
impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, hundredths: i32) -> Score {
        Score(self.0 + hundredths)
    }
}

/// A score so much lower.
impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, hundredths: i32) -> Score {
        Score(self.0 - hundredths)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Score({})", self.0)
    }
}
