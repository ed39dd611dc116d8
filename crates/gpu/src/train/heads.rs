//! The heads of a plan: dense layers, second convolutions, losses, and their way back.

use std::ops::Range;

use outplay_net::train::{Parameters, Slot};
use outplay_net::{Conv, Dense, NetError, Policy, Scalar, ValueKind};

use super::memory::{Call, NONE};
use super::plan::place::*;
use super::plan::{BOARD_COUNT, Planner, ROW_COUNT, SMALL_THREADS, TowerLayer, small_shared, unsupported};
use super::shape::TILE;

/// Tiles of a product of dense layers, as `heads.cu` has them.
const TILE_ROWS: usize = 64;
const TILE_COLUMNS: usize = 32;
const PRODUCT_THREADS: usize = 128;
const PRODUCT_SHARED: usize = 16 * (TILE_ROWS + TILE_COLUMNS + 8) * 4;
const LOSS_WARPS: usize = 4;
/// Samples over which one part of a gradient is summed up.
pub(super) const SAMPLES_OF_PART: usize = 256;

/// The heads as one convolution, and what follows it.
pub(super) struct HeadPlan {
    /// Channels of all heads, and the same in whole tiles.
    pub channels: usize,
    pub padded: usize,
    /// The side of the largest kernel.
    pub side: usize,
    pub convs: Vec<(usize, Conv<Slot>)>,
    heads: Vec<Head>,
}

/// A head: the first of its channels, how many it has, and what follows.
struct Head {
    first: usize,
    channels: usize,
    what: What,
    /// The number of its loss.
    loss: usize,
}

enum What {
    Dense(Dense<Slot>),
    Convolution { conv: Conv<Slot>, tanh: bool },
    Scalar { hidden: Dense<Slot>, output: Dense<Slot>, kind: i32 },
}

/// What `heads.cu` calls kinds of losses.
const DISTRIBUTION: i32 = 0;
const CELLS_OF_BOARD: i32 = 1;
const CHANCES: i32 = 2;
const ONE_VALUE: i32 = 3;
const DISTANCE: i32 = 4;

impl HeadPlan {
    pub fn of(parameters: &Parameters) -> Result<HeadPlan, NetError> {
        let (layers, description) = (&parameters.layers().heads, parameters.description());
        let mut plan = HeadPlan { channels: 0, padded: 0, side: 1, convs: Vec::new(), heads: Vec::new() };
        plan.policy(&layers.policy, 0);
        let kind = match description.heads.value {
            ValueKind::WinDrawLoss { .. } => CHANCES,
            ValueKind::Scalar { .. } => ONE_VALUE,
        };
        plan.scalar(&layers.value, kind, 1);
        layers.margin.iter().for_each(|head| plan.scalar(head, DISTANCE, 2));
        layers.moves_left.iter().for_each(|head| plan.scalar(head, DISTANCE, 3));
        if let Some((first, second)) = &layers.ownership {
            plan.head(first, What::Convolution { conv: second.clone(), tanh: true }, 4);
        }
        layers.reply.iter().for_each(|head| plan.policy(head, 5));
        plan.padded = plan.channels.next_multiple_of(TILE);
        if plan.padded > 128 {
            return Err(unsupported("heads with more than 128 channels together"));
        }
        Ok(plan)
    }

    fn head(&mut self, conv: &Conv<Slot>, what: What, loss: usize) {
        let channels = conv.weight.shape[0];
        self.side = self.side.max(conv.weight.shape[2]);
        self.convs.push((self.channels, conv.clone()));
        self.heads.push(Head { first: self.channels, channels, what, loss });
        self.channels += channels;
    }

    fn policy(&mut self, head: &Policy<Slot>, loss: usize) {
        match head {
            Policy::Convolution { first, second } => {
                self.head(first, What::Convolution { conv: second.clone(), tanh: false }, loss);
            }
            Policy::Dense { conv, dense } => self.head(conv, What::Dense(dense.clone()), loss),
        }
    }

    fn scalar(&mut self, head: &Scalar<Slot>, kind: i32, loss: usize) {
        let what = What::Scalar { hidden: head.hidden.clone(), output: head.output.clone(), kind };
        self.head(&head.conv, what, loss);
    }
}

/// One of the products of a launch: see `Product` in `heads.cu`.
pub(super) struct Product {
    a: usize,
    b: usize,
    bias: Option<usize>,
    c: usize,
    /// Rows, columns, depth.
    size: [usize; 3],
    /// Strides of a (row, depth), b (depth, column) and c (row).
    strides: [usize; 5],
    parts: usize,
    is_rectified: bool,
}

impl Product {
    fn blocks(&self) -> usize {
        self.size[0].div_ceil(TILE_ROWS) * self.size[1].div_ceil(TILE_COLUMNS) * self.parts
    }

    fn bytes(&self, first_block: usize) -> Vec<u8> {
        let places =
            [self.a as i64, self.b as i64, self.bias.map_or(NONE, |bias| bias as i64), self.c as i64];
        let of_part = self.size[0] * self.strides[4];
        let rest = [self.parts, of_part, usize::from(self.is_rectified), first_block];
        let sizes = self.size.iter().chain(&self.strides).chain(&rest);
        let sizes = sizes.flat_map(|&size| (size as i32).to_le_bytes());
        places.iter().flat_map(|place| place.to_le_bytes()).chain(sizes).collect()
    }
}

pub(super) fn launch_products(planner: &mut Planner, products: &[Product]) {
    let (mut bytes, mut blocks) = (Vec::new(), 0);
    for product in products {
        bytes.extend(product.bytes(blocks));
        blocks += product.blocks();
    }
    if blocks == 0 {
        return;
    }
    let table = planner.memory.keep(bytes);
    let call = Call::new(&[(0, table)], &[(0, products.len())]);
    let entry = planner.entries.small("dense_products", PRODUCT_THREADS);
    planner.launch(&entry, [blocks, 1], PRODUCT_THREADS, PRODUCT_SHARED, call);
}

/// What is judged: see `Judged` in `heads.cu`.
struct Judged {
    out: usize,
    target: usize,
    /// What is hidden, its gradient, weights, bias.
    hidden: [usize; 4],
    kind: i32,
    size: usize,
    hidden_size: usize,
    loss: usize,
}

/// Plans all of it; where losses lie, and how many rows of them.
pub(super) fn plan_heads(
    planner: &mut Planner,
    plan: &HeadPlan,
    tower: &mut [TowerLayer],
) -> Result<(usize, usize), NetError> {
    let (batch, cells) = (planner.given.batch, planner.cells.board.cells());
    let (values, all) = (planner.places.values, plan.channels * cells);
    let features = planner.memory.floats(batch * all);
    let of_features = planner.memory.floats(batch * all);
    let one = planner.memory.keep(1.0_f32.to_le_bytes().to_vec());
    let layer = tower.last().expect("the heads are the last layer");
    let mut places = planner.normal(layer);
    places.extend([(INPUT, layer.y), (OUTPUT, features)]);
    let entry = planner.entries.small("features", SMALL_THREADS);
    let call = Call::new(&places, &[(BOARD_COUNT, batch), (ROW_COUNT, layer.rows.1)]);
    planner.launch_small(&entry, batch * all.div_ceil(8), small_shared(plan.padded), call);

    let (mut forward, mut back, mut judged) = (Vec::new(), Vec::new(), Vec::new());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let parts = batch.div_ceil(SAMPLES_OF_PART);
    for head in &plan.heads {
        let at = |region: usize| region + 4 * head.first * cells;
        let target = target_of(planner, head.loss);
        // A dense layer from features: forward, and back to features and weights.
        let mut dense =
            |planner: &mut Planner, layer: &Dense<Slot>, out: usize, gradient: usize, is_rectified: bool| {
                let [outputs, inputs] = layer.weight.shape[..] else { return };
                let weights = values + 4 * layer.weight.at.start;
                let size = [batch, outputs, inputs];
                let bias = Some(values + 4 * layer.bias.at.start);
                let strides = [all, 1, 1, inputs, outputs];
                forward.push(Product {
                    a: at(features),
                    b: weights,
                    bias,
                    c: out,
                    size,
                    strides,
                    parts: 1,
                    is_rectified,
                });
                let size = [batch, inputs, outputs];
                let strides = [outputs, 1, inputs, 1, all];
                back.push(Product {
                    a: gradient,
                    b: weights,
                    bias: None,
                    c: at(of_features),
                    size,
                    strides,
                    parts: 1,
                    is_rectified: false,
                });
                back.push(learns(
                    planner,
                    &layer.weight.at,
                    [outputs, inputs, batch],
                    gradient,
                    (at(features), all, 1),
                    parts,
                ));
                back.push(learns(planner, &layer.bias.at, [outputs, 1, batch], gradient, (one, 0, 0), parts));
            };
        match &head.what {
            What::Dense(layer) => {
                let size = layer.weight.shape[0];
                let out = planner.memory.floats(batch * size);
                dense(planner, layer, out, out, false);
                judged.push(Judged {
                    out,
                    target,
                    hidden: [0; 4],
                    kind: DISTRIBUTION,
                    size,
                    hidden_size: 0,
                    loss: head.loss,
                });
            }
            What::Scalar { hidden, output, kind } => {
                let (hidden_size, size) = (hidden.weight.shape[0], output.weight.shape[0]);
                let [shown, of_shown] = [0; 2].map(|_| planner.memory.floats(batch * hidden_size));
                dense(planner, hidden, shown, of_shown, true);
                let out = planner.memory.floats(batch * size);
                back.push(learns(
                    planner,
                    &output.weight.at,
                    [size, hidden_size, batch],
                    out,
                    (shown, hidden_size, 1),
                    parts,
                ));
                back.push(learns(planner, &output.bias.at, [size, 1, batch], out, (one, 0, 0), parts));
                let hidden =
                    [shown, of_shown, values + 4 * output.weight.at.start, values + 4 * output.bias.at.start];
                judged.push(Judged { out, target, hidden, kind: *kind, size, hidden_size, loss: head.loss });
            }
            What::Convolution { conv, tanh } => {
                let (planes, side) = (conv.weight.shape[0], conv.weight.shape[2]);
                let size = planes * cells;
                let out = planner.memory.floats(batch * size);
                let numbers = conv.weight.at.len() + planes;
                let learned = planner.memory.floats(numbers);
                let places = |gradient: usize| {
                    [
                        (0, features),
                        (1, values + 4 * conv.weight.at.start),
                        (2, values + 4 * conv.bias.at.start),
                        (3, out),
                        (4, gradient),
                    ]
                };
                let sizes = [(BOARD_COUNT, batch), (1, head.first), (2, head.channels), (3, planes)];
                let entries = &mut planner.entries;
                let mut entry = |name: &str| entries.small(&format!("{name}<{side}>"), SMALL_THREADS);
                before.push((entry("second_convolution"), batch * size, Call::new(&places(0), &sizes)));
                let back_entry = entry("second_convolution_back");
                after.push((
                    back_entry,
                    batch * head.channels * cells,
                    Call::new(&places(of_features), &sizes),
                ));
                // A block for each plane and channel.
                let blocks = planes * head.channels;
                let learns_entry = entry("second_convolution_learns");
                after.push((learns_entry, blocks * SMALL_THREADS, Call::new(&places(learned), &sizes)));
                let alone = planner.sources.kind(1, 0);
                planner.sources.set_all(conv.weight.at.clone(), learned, alone);
                planner.sources.set_all(conv.bias.at.clone(), learned + 4 * conv.weight.at.len(), alone);
                let kind = if *tanh { CELLS_OF_BOARD } else { DISTRIBUTION };
                judged.push(Judged {
                    out,
                    target,
                    hidden: [0; 4],
                    kind,
                    size,
                    hidden_size: 0,
                    loss: head.loss,
                });
            }
        }
    }
    launch_products(planner, &forward);
    for (entry, numbers, call) in before {
        planner.launch_small(&entry, numbers, 8 * SMALL_THREADS, call);
    }
    let losses = judge(planner, &judged);
    launch_products(planner, &back);
    for (entry, numbers, call) in after {
        let blocks = match entry.contains("learns") {
            true => numbers / SMALL_THREADS,
            false => numbers.div_ceil(SMALL_THREADS).min(8 * planner.given.multiprocessors),
        };
        planner.launch(&entry, [blocks, 1], SMALL_THREADS, 8 * SMALL_THREADS, call);
    }
    let layer = tower.last_mut().expect("the heads are the last layer");
    let blocks = (batch * cells).div_ceil(SMALL_THREADS / 8).min(2 * planner.given.multiprocessors);
    let rows = planner.memory.floats(blocks * 2 * plan.padded);
    layer.rows_back = (rows, blocks);
    let places = [
        (OUTPUT, layer.of_out),
        (ROWS_OUT, rows),
        (RECORD, layer.record),
        (BACK_Y, layer.y),
        (BACK_MAP, features),
        (JOINING, of_features),
    ];
    let call = Call::new(&places, &[(BOARD_COUNT, batch)]);
    let entry = planner.entries.small("features_back", SMALL_THREADS);
    let scratch = SMALL_THREADS / 32 * 128 * 4;
    planner.launch(&entry, [blocks, plan.padded / TILE], SMALL_THREADS, scratch, call);
    Ok(losses)
}

/// Where the targets of a loss lie.
fn target_of(planner: &Planner, loss: usize) -> usize {
    let p = &planner.places;
    [p.policy, p.value, p.margin, p.moves_left, p.ownership, p.reply][loss]
}

/// The product that gives the gradient of a dense layer's weights, `[outputs, inputs, samples]`: of the gradients of outputs with inputs, which lie by two strides.
pub(super) fn learns(
    planner: &mut Planner,
    values: &Range<usize>,
    size: [usize; 3],
    gradient: usize,
    (inputs, of_sample, of_input): (usize, usize, usize),
    parts: usize,
) -> Product {
    let [outputs, columns, _] = size;
    let c = planner.memory.floats(parts * outputs * columns);
    let kind = planner.sources.kind(parts, outputs * columns);
    planner.sources.set_all(values.clone(), c, kind);
    let strides = [1, outputs, of_sample, of_input, columns];
    Product { a: gradient, b: inputs, bias: None, c, size, strides, parts, is_rectified: false }
}

fn judge(planner: &mut Planner, judged: &[Judged]) -> (usize, usize) {
    let mut bytes = Vec::new();
    for head in judged {
        let places = [head.out, head.target].into_iter().chain(head.hidden);
        bytes.extend(places.flat_map(|place| (place as i64).to_le_bytes()));
        let sizes = [head.kind, head.size as i32, head.hidden_size as i32, head.loss as i32];
        bytes.extend(sizes.into_iter().flat_map(i32::to_le_bytes));
    }
    let table = planner.memory.keep(bytes);
    let blocks = planner.given.batch.div_ceil(LOSS_WARPS).min(4 * planner.given.multiprocessors);
    let rows = planner.memory.floats(6 * blocks);
    let places = [(0, table), (1, planner.places.weight), (2, planner.places.settings), (3, rows)];
    let call = Call::new(&places, &[(0, planner.given.batch), (1, judged.len())]);
    let entry = planner.entries.small("judge", 32 * LOSS_WARPS);
    planner.launch(&entry, [blocks, 1], 32 * LOSS_WARPS, 4 * LOSS_WARPS, call);
    (rows, blocks)
}
