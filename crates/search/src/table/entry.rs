//! What a table keeps of a position, in one word.

use outplay_core::Move;

use crate::Bound;

/// Searches that can be told apart; after so many the count begins again.
pub(super) const AGES: u8 = 32;

/// What is known of a position. Values are those of the player to move, distances count from the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The best move, or the one that was too good.
    pub best: Option<Move>,
    /// The value, as the search packs it.
    pub value: i16,
    /// How the value is to be taken; `None` if there is none: only a move or a static value was kept.
    pub bound: Option<Bound>,
    /// The static evaluation; `None` if it was not asked for.
    pub evaluation: Option<i16>,
    /// How many plies deep it was searched; 126 at most.
    pub depth: i8,
    /// Whether that is true however deep one looks: every line that matters was followed to its end.
    pub is_certain: bool,
}

/// No evaluation has this value.
const NO_EVALUATION: i16 = i16::MIN;

/// The same in 64 bits: the move in bits 0–15, the value above it, the evaluation, the depth, then two bits for the bound, one
/// for certainty and five for the age. Never 0, because the depth is kept with an offset.
#[derive(Clone, Copy)]
pub(super) struct Packed(pub u64);

/// Depths are kept as positive numbers.
const DEPTH_OFFSET: i16 = 129;

impl Packed {
    #[inline]
    pub fn new(found: &TableEntry, age: u8) -> Packed {
        let best = found.best.map_or(Move::RESERVED_BITS, Move::bits);
        let evaluation = found.evaluation.unwrap_or(NO_EVALUATION);
        let depth = (i16::from(found.depth) + DEPTH_OFFSET) as u8;
        let bound = match found.bound {
            None => 0,
            Some(Bound::AtMost) => 1,
            Some(Bound::AtLeast) => 2,
            Some(Bound::Exact) => 3,
        };
        let flags = bound | u8::from(found.is_certain) << 2 | age << 3;
        Packed(
            u64::from(best)
                | u64::from(found.value as u16) << 16
                | u64::from(evaluation as u16) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    #[inline]
    pub fn unpack(self) -> TableEntry {
        let evaluation = (self.0 >> 32) as i16;
        let flags = (self.0 >> 56) as u8;
        TableEntry {
            best: self.best(),
            value: (self.0 >> 16) as i16,
            bound: match flags & 3 {
                0 => None,
                1 => Some(Bound::AtMost),
                2 => Some(Bound::AtLeast),
                _ => Some(Bound::Exact),
            },
            evaluation: (evaluation != NO_EVALUATION).then_some(evaluation),
            depth: self.depth(),
            is_certain: self.is_certain(),
        }
    }

    #[inline]
    pub fn best(self) -> Option<Move> {
        let bits = self.0 as u16;
        (bits != Move::RESERVED_BITS).then(|| Move::new(bits))
    }

    #[inline]
    pub fn depth(self) -> i8 {
        (i16::from((self.0 >> 48) as u8) - DEPTH_OFFSET) as i8
    }

    #[inline]
    pub fn is_certain(self) -> bool {
        self.0 >> 58 & 1 != 0
    }

    #[inline]
    pub fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }
}
