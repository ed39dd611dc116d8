//! How convolutions of training are shared out: `convolution.cu` and `weights.cu` compute the same sizes from the same names.

use outplay_net::BoardSize;

/// Outputs of a block.
pub(super) const TILE: usize = 64;
/// Shared memory that a block can have, with numbers of 16 bits.
const SHARED_BYTES: usize = 227 * 1024;
/// Groups of eight cells whose sums are beside those of three other warpgroups in registers, and that one product takes.
const GROUPS_OF_FOUR: usize = 16;
const MOST_GROUPS: usize = 32;
/// Boards of a stage of a gradient of weights, at most.
const MOST_STAGED: usize = 4;

/// What a convolution is: channels in and out, and the side of its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Kind {
    pub inputs: usize,
    pub outputs: usize,
    pub side: usize,
}

/// A convolution as a kernel: a warpgroup has so many boards, and a block so many warpgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub boards: usize,
    pub warpgroups: usize,
    pub shared_bytes: usize,
}

/// Sizes that follow from the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    pub board: BoardSize,
    /// Bytes of eight numbers.
    pub eight: usize,
}

impl Cells {
    fn room(self) -> usize {
        SHARED_BYTES * self.eight / 16
    }

    fn pitch(self) -> usize {
        self.board.columns + 1
    }

    fn group_is_row(self) -> bool {
        self.board.columns == 8
    }

    fn distance(self) -> usize {
        if self.group_is_row() { 9 } else { 8 }
    }

    /// Groups of eight cells that so many boards have together.
    pub fn groups(self, boards: usize) -> usize {
        match self.group_is_row() {
            true => self.board.rows * boards,
            false => (self.board.rows * boards * self.pitch() - 1).div_ceil(8),
        }
    }

    /// Inputs of a convolution as kernels have them.
    pub fn padded_inputs(planes: usize) -> usize {
        planes.next_power_of_two().max(16)
    }

    /// The shape of a convolution that computes the most boards at once; `None` if not even one fits.
    pub fn shape(self, kind: Kind) -> Option<Shape> {
        let most = (1..=16).rev().find(|&boards| self.groups(boards) <= GROUPS_OF_FOUR).unwrap_or(1);
        let fitting = (1..=most).filter(|&boards| self.groups(boards) <= MOST_GROUPS).filter_map(|boards| {
            let room = if self.groups(boards) <= GROUPS_OF_FOUR { 4 } else { 2 };
            let shape = |warpgroups| self.with(kind, boards, warpgroups);
            (1..=room).rev().map(shape).find(|shape| shape.shared_bytes <= self.room())
        });
        fitting.max_by_key(|shape| (shape.boards * shape.warpgroups, shape.boards))
    }

    fn with(self, kind: Kind, boards: usize, warpgroups: usize) -> Shape {
        let Kind { inputs, side, .. } = kind;
        let first = boards * self.pitch() + 1;
        let plane = ((first + (self.groups(boards) - 1) * self.distance() + 8 + first) | 1) * self.eight;
        let map = inputs.max(TILE) / 8 * plane;
        let scratch = 128 + 3 * inputs * 4 + 4 * TILE * 4 + 2 * inputs * 4;
        let weights_at = (scratch + (128 * warpgroups).max(2 * inputs) * 4).next_multiple_of(128);
        let weights = side * side * inputs / 16 * 128 * self.eight;
        Shape { boards, warpgroups, shared_bytes: weights_at + weights + warpgroups * map }
    }

    /// Boards of a stage of the gradient of weights, and its shared memory; `None` if not even one fits.
    pub fn gradient(self, kind: Kind) -> Option<(usize, usize)> {
        let groups = if self.group_is_row() { self.board.rows } else { self.groups(1) }.next_multiple_of(2);
        let plane = ((2 * self.pitch() + 2 + (groups - 1) * self.distance() + 8) | 1) * self.eight;
        let of_board = kind.inputs.min(TILE) / 8 * plane + 8 * groups * 8 * self.eight;
        let most = (self.room() / 2 / of_board).min(MOST_STAGED);
        (most > 0).then_some((most, 2 * most * of_board))
    }

    /// Tiles of a gradient of weights: outputs by inputs.
    pub fn gradient_tiles(kind: Kind) -> usize {
        kind.outputs / TILE * (kind.inputs / kind.inputs.min(TILE))
    }
}
