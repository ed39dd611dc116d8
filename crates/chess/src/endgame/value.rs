//! What a position of an ending is worth: one byte.

use std::cmp::Ordering;

/// A draw, or a number of plies to mate. Who mates follows from the number: a win takes an odd number of plies, and a side that loses is
/// mated after an even one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value(pub u8);

impl Value {
    /// Drawn, or not known yet.
    pub const DRAW: Value = Value(0);
    /// Mated on the board. Each ply adds one.
    pub const MATED: Value = Value(1);
    /// No position.
    pub const ILLEGAL: Value = Value(u8::MAX);

    pub fn is_win(self) -> bool {
        self.0 != 0 && self.0.is_multiple_of(2)
    }

    pub fn is_loss(self) -> bool {
        !self.0.is_multiple_of(2)
    }

    /// Plies to mate; `None` for a draw.
    pub fn plies(self) -> Option<u16> {
        self.0.checked_sub(1).map(u16::from)
    }

    /// What a position is worth to its mover if the best move leads to this one.
    pub fn before(self) -> Value {
        if self == Value::DRAW { Value::DRAW } else { Value(self.0.saturating_add(1)) }
    }

    /// Greater is better for the side to move: quick wins, slow wins, draws, slow losses, quick losses.
    pub fn compare(self, other: Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }

    fn rank(self) -> i32 {
        match i32::from(self.0) {
            0 => 0,
            plies if self.is_win() => 1000 - plies,
            plies => plies - 1000,
        }
    }
}

/// The better of two for the side to move.
pub(super) fn better(one: Value, another: Value) -> Value {
    if one.compare(another).is_lt() { another } else { one }
}
