//! What a thread remembers of each position on its way.

use std::ops::{Index, IndexMut};

use outplay_core::Move;

use super::histories::Played;

/// No search goes further than this from the root.
pub(super) const MOST_PLIES: usize = 120;
/// Frames before the root, so that one can always look back.
const BEFORE_ROOT: usize = 4;

/// One position on the way.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
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
pub(super) struct Frames(Box<[Frame]>);

impl Frames {
    pub fn new() -> Frames {
        Frames(vec![Frame::default(); BEFORE_ROOT + MOST_PLIES + 4].into())
    }

    /// The moves made one, two and four plies before `ply`.
    #[inline]
    pub fn before(&self, ply: usize) -> [Option<Played>; 3] {
        [1, 2, 4].map(|plies| self.0[ply + BEFORE_ROOT - plies].played)
    }

    /// The frame of the position so many plies earlier; an empty one before the root.
    #[inline]
    pub fn earlier(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT - plies]
    }
}

impl Index<usize> for Frames {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT]
    }
}

impl IndexMut<usize> for Frames {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE_ROOT]
    }
}
