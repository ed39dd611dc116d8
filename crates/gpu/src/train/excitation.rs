//! Squeeze and excitation in a plan.

use outplay_net::Dense;
use outplay_net::train::Slot;

use super::heads::{Product, SAMPLES_OF_PART, launch_products, learns};
use super::memory::Call;
use super::plan::place::*;
use super::plan::{BOARD_COUNT, Planner, ROW_COUNT, SMALL_THREADS, TowerLayer, small_shared};

/// Numbers of calls.
const HIDDEN_COUNT: usize = 2;
const REAL_CHANNELS: usize = 3;

/// What a block has beside its convolutions: the dense layers, and for each board gates and so on, means, what is hidden, and gradients.
#[derive(Clone, Debug)]
pub(super) struct Excitation {
    squeeze: Dense<Slot>,
    excite: Dense<Slot>,
    pub gates: usize,
    means: usize,
    hidden: usize,
    of_hidden: usize,
    of_both: usize,
}

impl Excitation {
    /// Takes memory for all of it; `channels` are those of maps.
    pub fn new(
        planner: &mut Planner,
        squeeze: &Dense<Slot>,
        excite: &Dense<Slot>,
        channels: usize,
    ) -> Excitation {
        let (batch, memory) = (planner.given.batch, &mut planner.memory);
        let hidden = squeeze.weight.shape[0];
        Excitation {
            squeeze: squeeze.clone(),
            excite: excite.clone(),
            gates: memory.floats(batch * 3 * channels),
            means: memory.floats(batch * channels),
            hidden: memory.floats(batch * hidden),
            of_hidden: memory.floats(batch * hidden),
            of_both: memory.floats(batch * excite.weight.shape[0]),
        }
    }

    fn call(&self, planner: &Planner, places: &[(usize, usize)], rows: usize) -> Call {
        let at = |slot: &Slot| planner.places.values + 4 * slot.at.start;
        let mut all = vec![
            (WEIGHTS, at(&self.squeeze.weight)),
            (KEPT, at(&self.squeeze.bias)),
            (BACK_Y, at(&self.excite.weight)),
            (BACK_RECORD, at(&self.excite.bias)),
            (BACK_MAP, self.means),
            (JOINING, self.hidden),
            (OUTPUT, self.of_hidden),
            (NORM_GRADIENT, self.of_both),
            (GATES, self.gates),
        ];
        all.extend_from_slice(places);
        let [hidden, channels] = self.squeeze.weight.shape[..] else {
            unreachable!("a dense layer is a matrix")
        };
        let sizes = [
            (BOARD_COUNT, planner.given.batch),
            (ROW_COUNT, rows),
            (HIDDEN_COUNT, hidden),
            (REAL_CHANNELS, channels),
        ];
        Call::new(&all, &sizes)
    }

    fn launch(&self, planner: &mut Planner, function: &str, channels: usize, blocks: usize, call: Call) {
        let vectors = 2 * 8 * SMALL_THREADS + 4 * channels + self.squeeze.weight.shape[0];
        let entry = planner.entries.small(function, SMALL_THREADS);
        planner.launch(&entry, [blocks, 1], SMALL_THREADS, small_shared(channels) + 4 * vectors, call);
    }

    /// Gates and shifts, once the layer's output is there.
    pub fn forward(&self, planner: &mut Planner, layer: &TowerLayer) {
        let mut places = planner.normal(layer);
        places.push((INPUT, layer.y));
        let call = self.call(planner, &places, layer.rows.1);
        let blocks = planner.given.batch.min(4 * planner.given.multiprocessors);
        self.launch(planner, "excite", layer.kind.outputs, blocks, call);
    }

    /// What the way back needs of whole boards; where it leaves rows of sums for the normalisation, and how many.
    pub fn back(&self, planner: &mut Planner, layer: &TowerLayer) -> (usize, usize) {
        let (channels, blocks) =
            (layer.kind.outputs, planner.given.batch.min(2 * planner.given.multiprocessors));
        let rows = planner.memory.floats(blocks * 2 * channels);
        let places = [(INPUT, layer.of_out), (SECOND, layer.y), (RECORD, layer.record), (ROWS_OUT, rows)];
        let call = self.call(planner, &places, 0);
        self.launch(planner, "unexcite", channels, blocks, call);
        (rows, blocks)
    }

    /// The products that give the gradients of both dense layers.
    fn learns(&self, planner: &mut Planner, channels: usize, one: usize) -> [Product; 4] {
        let batch = planner.given.batch;
        let parts = batch.div_ceil(SAMPLES_OF_PART);
        let [hidden, real] = self.squeeze.weight.shape[..] else { unreachable!("a dense layer is a matrix") };
        let both = self.excite.weight.shape[0];
        let Excitation { squeeze, excite, .. } = self;
        let mut of =
            |slot: &Slot, outputs: usize, inputs: usize, gradient: usize, from: (usize, usize, usize)| {
                learns(planner, &slot.at, [outputs, inputs, batch], gradient, from, parts)
            };
        [
            of(&squeeze.weight, hidden, real, self.of_hidden, (self.means, channels, 1)),
            of(&squeeze.bias, hidden, 1, self.of_hidden, (one, 0, 0)),
            of(&excite.weight, both, hidden, self.of_both, (self.hidden, hidden, 1)),
            of(&excite.bias, both, 1, self.of_both, (one, 0, 0)),
        ]
    }
}

/// The gradients of all dense layers of blocks, in one launch.
pub(super) fn plan_learning(planner: &mut Planner, tower: &[TowerLayer]) {
    let one = planner.memory.keep(1.0_f32.to_le_bytes().to_vec());
    let mut products = Vec::new();
    for layer in tower {
        if let Some(excitation) = &layer.excitation {
            products.extend(excitation.learns(planner, layer.kind.outputs, one));
        }
    }
    launch_products(planner, &products);
}
