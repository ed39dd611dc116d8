//! How a network's boards are shared out among the warpgroups of a block, and whether they fit at all.

use outplay_net::{Block, BoardSize, Description, Layers, Policy, Scalar, Tensor};

/// What a tile of outputs has.
pub(super) const TILE: usize = 64;
/// What a GPU has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Shared memory of a block, in bytes.
    pub shared_bytes: usize,
    /// Sums of a thread, if the stream is beside them in registers.
    pub sums_beside_stream: usize,
    /// Sums of a thread if it is not.
    pub sums_alone: usize,
}
/// Chunks of weights that lie ready: more than so many gain nothing, fewer than the second number cannot hide how long they take.
const MOST_SLOTS: usize = 16;
const FEWEST_SLOTS: usize = 3;
/// Bytes of a unit of weights: 64 outputs by 16 inputs, halves.
const UNIT_BYTES: usize = 64 * 16 * 2;

/// Sizes that all launches of a network have in common. `team.cu` computes the same from the same names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub board: BoardSize,
    /// Channels, in whole tiles.
    pub channels: usize,
    /// Planes, in whole steps of 16.
    pub inputs: usize,
    /// Places of a row of a board in a map, with its border.
    pub pitch: usize,
    /// Numbers of the longest vector that is made of a map.
    pub flat: usize,
    /// Numbers of the longest other vector.
    pub vector: usize,
    pub slots: usize,
    pub stream_in_registers: bool,
    pub shapes: Vec<Shape>,
}

/// How one launch shares out boards: so many a team, so many teams a block, and a team's cells among so many warpgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub boards: usize,
    pub teams: usize,
    pub parts: usize,
}

impl Sizes {
    /// The sizes for a network, if this kernel can run it.
    pub fn of(description: &Description, layers: &Layers<Tensor>, limits: Room) -> Option<Sizes> {
        let board = description.board;
        let channels = description.channels.next_multiple_of(TILE);
        let inputs = description.input.planes().next_multiple_of(16);
        let tiles = channels / TILE;
        let group_is_row = board.columns == 8;
        let groups = |boards: usize, pitch: usize| match group_is_row {
            true => board.rows * boards,
            false => (board.rows * boards * pitch - 1).div_ceil(8),
        };
        let sums = |boards: usize, pitch: usize| tiles * groups(boards, pitch) * 4;
        // Several boards need rows that are whole groups; one alone does not.
        let alone = board.columns + 1;
        let together = if group_is_row { alone } else { alone.next_multiple_of(8) };
        let most = (1..=8).rev().find(|&boards| {
            sums(boards, together) <= limits.sums_beside_stream && groups(boards, together) <= 32
        });
        let (pitch, stream_in_registers, shapes) = match most {
            Some(most) if most > 1 => (together, true, Shape::from_few_to_many(most)),
            _ => {
                let fits = |parts: usize, most: usize| {
                    let groups = groups(1, alone);
                    let whole = !group_is_row || groups.is_multiple_of(parts);
                    whole && groups.div_ceil(parts) <= 32 && tiles * groups.div_ceil(parts) * 4 <= most
                };
                match () {
                    () if fits(1, limits.sums_beside_stream) => (alone, true, Shape::from_few_to_many(1)),
                    () if fits(2, limits.sums_beside_stream) => {
                        (alone, true, vec![Shape { boards: 1, teams: 1, parts: 2 }])
                    }
                    () if fits(2, limits.sums_alone) => {
                        (alone, false, vec![Shape { boards: 1, teams: 1, parts: 2 }])
                    }
                    () => return None,
                }
            }
        };
        let row = if group_is_row { 8 } else { pitch };
        let flat_board = (board.rows * row).next_multiple_of(8);
        let mut widest = Widest::default();
        widest.network(layers);
        // Heads are computed in a layer's sums.
        if widest.head > channels || widest.pooled > channels {
            return None;
        }
        let mut sizes = Sizes {
            board,
            channels,
            inputs,
            pitch,
            flat: (widest.flattened * flat_board).next_multiple_of(16),
            vector: widest.vector.max(channels).next_multiple_of(16),
            slots: 0,
            stream_in_registers,
            shapes,
        };
        // Launches that leave no room for weights are left out.
        let room =
            |shape: &Shape| limits.shared_bytes.saturating_sub(sizes.shared_bytes(shape)) / sizes.chunk();
        let mut shapes = sizes.shapes.clone();
        shapes.retain(|shape| room(shape) >= FEWEST_SLOTS);
        sizes.slots = shapes.iter().map(room).min()?.min(MOST_SLOTS);
        sizes.shapes = shapes;
        Some(sizes)
    }

    /// Bytes of the weights that come at once.
    pub fn chunk(&self) -> usize {
        self.units() * UNIT_BYTES
    }

    /// Units of weights that come at once: 64 outputs by 16 inputs each.
    pub fn units(&self) -> usize {
        4 * self.channels / TILE
    }

    /// Groups of eight cells that a warpgroup computes.
    pub fn groups(&self, shape: &Shape) -> usize {
        let BoardSize { rows, columns } = self.board;
        let all = if columns == 8 {
            rows * shape.boards
        } else {
            (rows * shape.boards * self.pitch - 1).div_ceil(8)
        };
        all.div_ceil(shape.parts)
    }

    /// Shared memory of a block, in bytes.
    pub fn shared_bytes(&self, shape: &Shape) -> usize {
        let distance = if self.board.columns == 8 { 9 } else { 8 };
        let first = shape.boards * self.pitch + 1;
        let plane = (first + (shape.parts * self.groups(shape) - 1) * distance + 8 + first) * 16;
        let map = plane * self.channels.max(self.inputs) / 8;
        let flat = shape.boards * self.flat * 2 + 256;
        let totals = shape.parts * self.channels * shape.boards * 2 * 4;
        let of_team = (map + flat + totals).next_multiple_of(128);
        let of_warpgroup = 2 * (shape.boards * self.vector * 2 + 256) + 256;
        1024 + self.slots * self.chunk() + shape.teams * of_team + shape.warpgroups() * of_warpgroup
    }

    /// Global memory of a block, in bytes.
    pub fn workspace_bytes(&self, shape: &Shape) -> usize {
        let pairs = self.groups(shape).div_ceil(2);
        if self.stream_in_registers {
            0
        } else {
            shape.warpgroups() * self.channels / TILE * pairs * 128 * 16
        }
    }
}

impl Shape {
    /// One board a block first, so that few boards use the whole chip; then more and more until registers are full.
    fn from_few_to_many(most: usize) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = [(1, 1), (1, 2), (most / 2, 2), (most, 2)]
            .into_iter()
            .map(|(boards, teams)| Shape { boards: boards.max(1), teams, parts: 1 })
            .collect();
        shapes.dedup();
        shapes
    }

    /// Warpgroups that compute.
    pub fn warpgroups(&self) -> usize {
        self.teams * self.parts
    }
}

/// The largest of what a network's layers ask for.
#[derive(Default)]
struct Widest {
    /// Channels of a convolution that begins a head.
    head: usize,
    /// Channels of one whose cells become a vector.
    flattened: usize,
    /// Channels that are pooled.
    pooled: usize,
    /// Numbers of a vector that does not come from cells.
    vector: usize,
}

impl Widest {
    fn network(&mut self, layers: &Layers<Tensor>) {
        for block in &layers.blocks {
            match block {
                Block::Plain { .. } => (),
                Block::SqueezeExcitation { squeeze, .. } => {
                    self.vector = self.vector.max(outputs(&squeeze.weight))
                }
                Block::GlobalPooling { pool, .. } => {
                    self.pooled = self.pooled.max(outputs(&pool.weight));
                    self.vector = self.vector.max(3 * outputs(&pool.weight));
                }
            }
        }
        let heads = &layers.heads;
        for policy in std::iter::once(&heads.policy).chain(&heads.reply) {
            match policy {
                Policy::Convolution { first, .. } => self.head = self.head.max(outputs(&first.weight)),
                Policy::Dense { conv, .. } => self.flatten(&conv.weight),
            }
        }
        for Scalar { conv, hidden, .. } in
            std::iter::once(&heads.value).chain(&heads.margin).chain(&heads.moves_left)
        {
            self.flatten(&conv.weight);
            self.vector = self.vector.max(outputs(&hidden.weight));
        }
        if let Some((first, _)) = &heads.ownership {
            self.head = self.head.max(outputs(&first.weight));
        }
    }

    fn flatten(&mut self, weight: &Tensor) {
        self.head = self.head.max(outputs(weight));
        self.flattened = self.flattened.max(outputs(weight));
    }
}

fn outputs(weight: &Tensor) -> usize {
    weight.shape[0]
}
