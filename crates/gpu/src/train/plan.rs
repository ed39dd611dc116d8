//! The plan of a step: what lies where, and (`plan/passes.rs`) what is launched in which order.

mod passes;

use std::collections::BTreeMap;

use outplay_net::train::{Parameters, Rule, Slot, TrainingOptions};
use outplay_net::{Block, Conv, NetError};

use super::excitation::{Excitation, plan_learning};
use super::heads::{HeadPlan, plan_heads};
use super::memory::{Call, Memory, StepLaunch};
use super::shape::{Cells, Kind, Shape, TILE};
use super::source::{Entries, source};

/// Places of calls, as the kernels' sources number them.
pub(super) mod place {
    pub const WEIGHTS: usize = 0;
    pub const INPUT: usize = 1;
    pub const SECOND: usize = 2;
    pub const KEPT: usize = 3;
    pub const OUTPUT: usize = 4;
    pub const ROWS_OUT: usize = 5;
    pub const ROWS_IN: usize = 6;
    pub const RECORD: usize = 7;
    pub const VALUES: usize = 8;
    pub const PLACES: usize = 9;
    pub const NORM_GRADIENT: usize = 10;
    pub const BACK_Y: usize = 11;
    pub const BACK_RECORD: usize = 12;
    pub const BACK_MAP: usize = 13;
    pub const JOINING: usize = 14;
    pub const GATES: usize = 15;
}

/// Numbers of calls.
pub(super) const BOARD_COUNT: usize = 0;
pub(super) const ROW_COUNT: usize = 1;
/// Threads of small kernels.
pub(super) const SMALL_THREADS: usize = 256;
/// Blocks that add gradients up.
const COLLECT_BLOCKS: usize = 256;
/// Numbers of a record of a normalisation, for each channel.
const OF_NORMAL: usize = 5;
/// Floats that are set anew for each step, with some to spare.
pub(super) const SETTINGS: usize = 16;
/// What a step says: the sum of losses, six losses, and the length of the gradient.
pub(super) const RESULTS: usize = 8;
/// In the table of kinds: this number is pulled to zero.
const DECAYS: i32 = 1 << 16;

/// What is trained how, on what: all that a plan follows from.
pub struct PlanOptions<'p> {
    /// The network.
    pub parameters: &'p Parameters,
    /// How it is trained.
    pub options: &'p TrainingOptions,
    /// Samples of a step.
    pub batch: usize,
    /// How many blocks of a kernel that fills a multiprocessor run at once.
    pub multiprocessors: usize,
    /// Bytes of a number of a map: 2 on a device. Tests that run kernels on a processor may have 4.
    pub number_bytes: usize,
}

/// A step of training on a Hopper GPU.
#[derive(Clone, Debug)]
pub struct Plan {
    /// CUDA C++ that needs no headers, for `sm_90a`.
    pub source: String,
    /// The memory that it needs.
    pub bytes: usize,
    /// What has to lie in it before the first step, and where.
    pub contents: Vec<(usize, Vec<u8>)>,
    /// What is launched, one after the other.
    pub launches: Vec<StepLaunch>,
    /// Where it reads and leaves what the host gives and takes.
    pub places: Places,
}

/// Where the host finds things in a trainer's memory, in bytes.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    missing_docs,
    reason = "settings and samples by their names, in the order in which they lie, then what is trained as a trainer has it"
)]
pub struct Places {
    pub settings: usize,
    pub positions: usize,
    pub policy: usize,
    pub value: usize,
    pub weight: usize,
    pub margin: usize,
    pub moves_left: usize,
    pub ownership: usize,
    pub reply: usize,
    /// Where what the host gives for a step ends.
    pub samples_end: usize,
    pub values: usize,
    pub running: usize,
    pub first: usize,
    pub second: usize,
    pub averaged: usize,
    pub averaged_running: usize,
    pub gradients: usize,
    pub results: usize,
}

impl Places {
    /// Where the vectors of a trainer's state lie, in its order.
    pub fn state(&self) -> [usize; 6] {
        [self.values, self.running, self.first, self.second, self.averaged, self.averaged_running]
    }
}

/// A convolution of the tower, and the maps around it. Heads' first convolutions are one together.
#[derive(Clone, Debug)]
pub(super) struct TowerLayer {
    pub kind: Kind,
    /// The convolutions in it, each with the first of its outputs.
    pub convs: Vec<(usize, Conv<Slot>)>,
    pub weights: usize,
    pub weights_back: usize,
    /// Its input, after normalisation and rectifier; its output; the gradient of its output.
    pub x: usize,
    pub y: usize,
    pub of_y: usize,
    /// The gradient of its output after normalisation and rectifier.
    pub of_out: usize,
    pub record: usize,
    pub norm_places: usize,
    pub norm_gradient: usize,
    /// Statistics: where their rows lie, and how many there are; then the same for the way back.
    pub rows: (usize, usize),
    pub rows_back: (usize, usize),
    /// What the block has after this layer, its second.
    pub excitation: Option<Excitation>,
}

/// Gradients as kernels leave them: where the first part of each number lies (in floats), in how many parts, how far apart.
#[derive(Default)]
pub(super) struct Sources {
    places: Vec<i32>,
    kinds: Vec<i32>,
    list: Vec<[i32; 2]>,
}

impl Sources {
    fn new(count: usize) -> Sources {
        Sources { places: vec![0; count], kinds: vec![0; count], list: Vec::new() }
    }

    /// A way to be divided, by its number.
    pub fn kind(&mut self, parts: usize, distance: usize) -> i32 {
        let wanted = [parts as i32, distance as i32];
        let known = self.list.iter().position(|kind| *kind == wanted);
        known.unwrap_or_else(|| {
            self.list.push(wanted);
            self.list.len() - 1
        }) as i32
    }

    /// Says where the gradient of a number is; `place` in bytes.
    pub fn set(&mut self, value: usize, place: usize, kind: i32) {
        self.places[value] = (place / 4) as i32;
        self.kinds[value] = kind;
    }

    /// Says where the gradients of numbers are that lie one after the other.
    pub fn set_all(&mut self, values: std::ops::Range<usize>, place: usize, kind: i32) {
        values.enumerate().for_each(|(i, value)| self.set(value, place + 4 * i, kind));
    }
}

/// A plan as it is made.
pub(super) struct Planner<'p> {
    pub given: &'p PlanOptions<'p>,
    pub cells: Cells,
    pub memory: Memory,
    pub launches: Vec<StepLaunch>,
    pub places: Places,
    pub sources: Sources,
    pub entries: Entries,
    /// Which number stands where in the copies of weights, and where these begin.
    packed: Vec<i32>,
    packed_at: usize,
    /// Rows of sums that the last convolution leaves.
    last_rows: (usize, usize),
}

impl Plan {
    /// Plans the steps of a trainer.
    ///
    /// # Errors
    /// If there are no kernels for such a network; the message says what is in the way.
    pub fn new(given: &PlanOptions) -> Result<Plan, NetError> {
        let description = given.parameters.description();
        let cells = Cells { board: description.board, eight: 8 * given.number_bytes };
        let mut planner = Planner {
            given,
            cells,
            memory: Memory::default(),
            launches: Vec::new(),
            places: Places::default(),
            sources: Sources::new(given.parameters.count()),
            entries: Entries::default(),
            packed: Vec::new(),
            packed_at: 0,
            last_rows: (0, 0),
        };
        planner.plan()
    }
}

pub(super) fn unsupported(what: &str) -> NetError {
    NetError::Device(format!("training on the GPU does not know {what} yet: train on the processor"))
}

impl Planner<'_> {
    fn plan(&mut self) -> Result<Plan, NetError> {
        let parameters = self.given.parameters;
        let description = parameters.description();
        self.take_samples();
        self.take_state();
        let heads = HeadPlan::of(parameters)?;
        let mut tower = self.take_tower(&heads)?;
        self.begin(&tower);
        self.forward(&mut tower)?;
        let partials = plan_heads(self, &heads, &mut tower)?;
        self.back(&mut tower)?;
        self.gradients_of_weights(&tower)?;
        let source_kinds = self.sources.list.len();
        self.end(&tower, partials);
        let source = source(description, self.given.options, &heads, &self.entries, source_kinds);
        let memory = std::mem::take(&mut self.memory);
        Ok(Plan {
            source,
            bytes: memory.bytes,
            contents: memory.contents,
            launches: std::mem::take(&mut self.launches),
            places: self.places,
        })
    }

    /// Settings and samples, one after the other, so that one copy brings them.
    fn take_samples(&mut self) {
        let (description, n) = (self.given.parameters.description(), self.given.batch);
        let (heads, board, memory) = (&description.heads, description.board, &mut self.memory);
        let one = |has: bool| if has { n } else { 0 };
        let p = &mut self.places;
        p.settings = memory.floats(SETTINGS);
        p.positions = memory.take(8 * n * description.planes().words());
        p.policy = memory.floats(n * heads.policy.size(board));
        p.value = memory.floats(3 * n);
        p.weight = memory.floats(n);
        p.margin = memory.floats(one(heads.margin.is_some()));
        p.moves_left = memory.floats(one(heads.moves_left.is_some()));
        p.ownership = memory.floats(one(heads.ownership.is_some()) * board.cells());
        p.reply = memory.floats(n * heads.reply.map_or(0, |reply| reply.size(board)));
        p.samples_end = memory.bytes;
    }

    /// What is trained, and what the optimiser remembers.
    fn take_state(&mut self) {
        let (parameters, options) = (self.given.parameters, self.given.options);
        let (count, running, memory) = (parameters.count(), parameters.running().len(), &mut self.memory);
        let p = &mut self.places;
        p.values = memory.floats(count);
        p.running = memory.floats(running);
        p.first = memory.floats(count);
        p.second = memory.floats(if matches!(options.rule, Rule::AdamW { .. }) { count } else { 0 });
        p.averaged = memory.floats(if options.average > 0.0 { count } else { 0 });
        p.averaged_running = memory.floats(if options.average > 0.0 { running } else { 0 });
        p.gradients = memory.floats(count);
        p.results = memory.floats(RESULTS);
    }

    /// The bytes of a map with so many channels.
    pub fn map_bytes(&self, channels: usize) -> usize {
        self.given.batch * channels / 8 * self.cells.board.cells() * self.cells.eight
    }

    fn take_tower(&mut self, heads: &HeadPlan) -> Result<Vec<TowerLayer>, NetError> {
        let parameters = self.given.parameters;
        let (description, layers) = (parameters.description(), parameters.layers());
        let channels = description.channels.next_multiple_of(TILE);
        if channels > 128 {
            return Err(unsupported("more than 128 channels"));
        }
        let planes = Cells::padded_inputs(description.input.planes());
        if planes > 128 {
            return Err(unsupported("more than 128 planes"));
        }
        let mut tower = Vec::new();
        tower.push(self.take_layer(
            Kind { inputs: planes, outputs: channels, side: 3 },
            vec![(0, layers.stem.clone())],
            true,
        ));
        for block in &layers.blocks {
            let (first, second) = match block {
                Block::Plain { first, second } | Block::SqueezeExcitation { first, second, .. } => {
                    (first, second)
                }
                Block::GlobalPooling { .. } => return Err(unsupported("blocks with global pooling")),
            };
            for conv in [first, second] {
                let kind = Kind { inputs: channels, outputs: channels, side: 3 };
                tower.push(self.take_layer(kind, vec![(0, conv.clone())], false));
            }
            if let (Block::SqueezeExcitation { squeeze, excite, .. }, Some(last)) = (block, tower.last_mut())
            {
                last.excitation = Some(Excitation::new(self, squeeze, excite, channels));
            }
        }
        let kind = Kind { inputs: channels, outputs: heads.padded, side: heads.side };
        tower.push(self.take_layer(kind, heads.convs.clone(), false));
        self.packed_at = self.memory.take(self.packed.len() / 8 * self.cells.eight);
        for layer in &mut tower {
            layer.weights += self.packed_at;
            layer.weights_back += self.packed_at;
        }
        Ok(tower)
    }

    fn take_layer(&mut self, kind: Kind, convs: Vec<(usize, Conv<Slot>)>, is_stem: bool) -> TowerLayer {
        let Kind { inputs, outputs, side } = kind;
        let weights = self
            .pack(outputs, inputs, side, |output, input, tap| weight_at(&convs, side, output, input, tap));
        let weights_back = match is_stem {
            true => 0,
            false => self.pack(inputs, outputs, side, |input, output, tap| {
                weight_at(&convs, side, output, input, side * side - 1 - tap)
            }),
        };
        let mut norm_places = vec![-1; 2 * outputs];
        for (first, conv) in &convs {
            let norm = conv.bias.norm.as_ref();
            for (channel, scale) in norm.into_iter().flat_map(|norm| norm.scale.clone()).enumerate() {
                norm_places[first + channel] = scale as i32;
                norm_places[outputs + first + channel] = (conv.bias.at.start + channel) as i32;
            }
        }
        let (x, y, of_y, of_out) = (
            self.map_bytes(inputs),
            self.map_bytes(outputs),
            self.map_bytes(outputs),
            self.map_bytes(outputs),
        );
        let memory = &mut self.memory;
        TowerLayer {
            kind,
            convs,
            weights,
            weights_back,
            x: memory.take(x),
            y: memory.take(y),
            of_y: memory.take(of_y),
            of_out: memory.take(of_out),
            record: memory.floats(OF_NORMAL * outputs),
            norm_places: memory.words(norm_places),
            norm_gradient: memory.floats(2 * outputs),
            rows: (0, 0),
            rows_back: (0, 0),
            excitation: None,
        }
    }

    /// Weights as a convolution reads them, `[64 outputs][tap][16 inputs][8 inputs][output][8 numbers]`: where in the copies.
    fn pack(
        &mut self,
        outputs: usize,
        inputs: usize,
        side: usize,
        at: impl Fn(usize, usize, usize) -> Option<usize>,
    ) -> usize {
        let place = self.packed.len() / 8 * self.cells.eight;
        for tile in 0..outputs / TILE {
            for tap in 0..side * side {
                for eight in 0..inputs / 8 {
                    for output in 0..TILE {
                        for input in 0..8 {
                            let value = at(tile * TILE + output, eight * 8 + input, tap);
                            self.packed.push(value.map_or(-1, |value| value as i32));
                        }
                    }
                }
            }
        }
        place
    }

    pub fn launch(&mut self, entry: &str, grid: [usize; 2], threads: usize, shared_bytes: usize, call: Call) {
        let grid = [grid[0] as u32, grid[1] as u32];
        self.launches.push(StepLaunch { entry: entry.to_string(), grid, threads, shared_bytes, call });
    }

    /// A kernel that goes through so many numbers with as many blocks as pay.
    pub fn launch_small(&mut self, entry: &str, numbers: usize, shared_bytes: usize, call: Call) {
        let blocks = numbers.div_ceil(SMALL_THREADS).min(8 * self.given.multiprocessors);
        self.launch(entry, [blocks, 1], SMALL_THREADS, shared_bytes, call);
    }
}

/// Shared memory of small kernels that begin with totals of so many channels.
pub(super) fn small_shared(channels: usize) -> usize {
    (5 * channels + SMALL_THREADS.max(2 * channels)) * 4
}

/// Which of the numbers that are trained is this weight of the convolutions that are one here; `None` where there is none. A kernel of one cell stands in
/// the middle of one of nine.
fn weight_at(
    convs: &[(usize, Conv<Slot>)],
    side: usize,
    output: usize,
    input: usize,
    tap: usize,
) -> Option<usize> {
    convs.iter().find_map(|(first, conv)| {
        let Slot { at, shape, .. } = &conv.weight;
        let [outputs, inputs, own, _] = shape[..] else { return None };
        let output = output.checked_sub(*first).filter(|&output| output < outputs)?;
        let tap = match own == side {
            true => tap,
            false if tap == 4 => 0,
            false => return None,
        };
        (input < inputs).then_some(at.start + (output * inputs + input) * own * own + tap)
    })
}

fn every(Kind { inputs, outputs, side }: Kind) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..outputs).flat_map(move |output| {
        (0..inputs).flat_map(move |input| (0..side * side).map(move |tap| (output, input, tap)))
    })
}

/// Among how many blocks each of so many pieces of work is shared out, so that multiprocessors are idle least.
fn parts_of(pieces: usize, multiprocessors: usize, most: usize) -> usize {
    let rounds = |parts: usize| (pieces * parts).div_ceil(multiprocessors) as f64 / parts as f64;
    // More parts are more to add up, which costs about so much.
    let cost = |parts: usize| rounds(parts) * (1.0 + 0.005 * parts as f64);
    let most = most.min(multiprocessors).max(1);
    (1..=most).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(1)
}
