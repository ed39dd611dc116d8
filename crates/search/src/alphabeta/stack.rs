//! What a thread remembers of each position on its way.

use std::ops::{Index, IndexMut};

use outplay_core::Move;

use super::histories::Played;

/// No search goes further than this from the root.
pub(super) const MAX_PLY: usize = 120;
/// Stack before the root, so that one can always look back.
const BEFORE_ROOT: usize = 4;

/// One position on the way.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The static evaluation; `None` where a threat must be answered.
    pub evaluation: Option<i32>,
    /// The move that is being tried; `None` for a pass.
    pub m: Option<Move>,
    /// Its kind.
    pub played: Option<Played>,
    /// Whether it is noisy.
    pub is_noisy: bool,
    /// A move that is left out, to see how good the others are.
    pub excluded: Option<Move>,
    /// Quiet moves that refuted another at this ply, the last first.
    pub killers: [Option<Move>; 2],
    /// The place of the move that is being tried among its siblings, from 1, and by how much deeper it is searched: only told to who watches.
    pub place: (u16, i8),
    /// How many more plies than one the moves on the way were searched deeper.
    pub doubled: u8,
}

/// All of them, the root's at ply 0.
pub(super) struct Stack(Box<[StackEntry]>);

impl Stack {
    pub fn new() -> Stack {
        Stack(vec![StackEntry::default(); BEFORE_ROOT + MAX_PLY + 4].into())
    }

    /// The moves made one, two and four plies before `ply`.
    #[inline]
    pub fn before(&self, ply: usize) -> [Option<Played>; 3] {
        [1, 2, 4].map(|plies| self.0[ply + BEFORE_ROOT - plies].played)
    }

    /// The entry of the position so many plies earlier; an empty one before the root.
    #[inline]
    pub fn back(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.0[ply + BEFORE_ROOT - plies]
    }
}

impl Index<usize> for Stack {
    type Output = StackEntry;

    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.0[ply + BEFORE_ROOT]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + BEFORE_ROOT]
    }
}
