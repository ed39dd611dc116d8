//! The interval of values that matter.

use crate::Score;

/// A value matters if it is above `alpha` and below `beta`, in the view of the player to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// What the mover is sure of elsewhere.
    pub alpha: Score,
    /// What the opponent is sure of elsewhere.
    pub beta: Score,
}

impl Window {
    /// Everything matters.
    pub fn open() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// Only the question matters whether the value is above `alpha`.
    #[inline]
    pub fn null_above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Only the question matters whether the value is `beta` or more.
    #[inline]
    pub fn null_below(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    #[inline]
    pub fn is_null(self) -> bool {
        self.alpha + 1 == self.beta
    }

    /// The part of it that lies within another.
    #[inline]
    pub fn within(self, other: Window) -> Window {
        Window { alpha: self.alpha.max(other.alpha), beta: self.beta.min(other.beta) }
    }

    /// The same for the other player.
    #[inline]
    pub fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What a node is for the search: a type, so that each kind has code of its own.
pub(super) trait NodeType {
    /// On the principal variation: its value is wanted exactly.
    const PV: bool;
}

/// On the principal variation.
pub(super) enum Pv {}

impl NodeType for Pv {
    const PV: bool = true;
}

/// Off the principal variation: it has only to be shown that it is no better.
pub(super) enum NonPv {}

impl NodeType for NonPv {
    const PV: bool = false;
}
