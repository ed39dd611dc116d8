//! The launches of a step, in their order: what comes in, forward, back, the gradients of weights, and the update.

use outplay_net::NetError;

use super::place::*;
use super::*;

impl Planner<'_> {
    /// Planes, and copies of weights.
    pub(super) fn begin(&mut self, tower: &[TowerLayer]) {
        let (to, from, count) = (0, 1, 0);
        let (x, planes, cells) = (tower[0].x, tower[0].kind.inputs, self.cells.board.cells());
        let call = Call::new(&[(to, x), (from, self.places.positions)], &[(count, self.given.batch)]);
        let entry = self.entries.small("expand", SMALL_THREADS);
        self.launch_small(&entry, self.given.batch * planes / 8 * cells, 0, call);
        let table = std::mem::take(&mut self.packed);
        let numbers = table.len();
        let table = self.memory.words(table);
        let call =
            Call::new(&[(to, self.packed_at), (from, self.places.values), (2, table)], &[(count, numbers)]);
        let entry = self.entries.small("pack", SMALL_THREADS);
        self.launch_small(&entry, numbers / 8, 0, call);
    }

    /// The launch of a convolution that is described by a call; `last_rows` is then what it leaves.
    fn convolve(
        &mut self,
        kind: Kind,
        before: &'static str,
        after: &'static str,
        mut call: Call,
    ) -> Result<(), NetError> {
        let shape = self.cells.shape(kind).ok_or_else(|| unsupported("boards of this size"))?;
        let Shape { boards, warpgroups, shared_bytes } = shape;
        let tiles = kind.outputs / TILE;
        let blocks = self
            .given
            .batch
            .div_ceil(boards)
            .div_ceil(warpgroups)
            .min((self.given.multiprocessors / tiles).max(1));
        let rows = self.memory.floats(blocks * 2 * kind.outputs);
        call.at[ROWS_OUT] = rows as i64;
        call.n[BOARD_COUNT] = self.given.batch as i32;
        let entry = self.entries.convolution(kind, shape, before, after);
        self.launch(&entry, [blocks, tiles], 128 * warpgroups, shared_bytes, call);
        self.last_rows = (rows, blocks);
        Ok(())
    }

    /// Places that say how a layer's output is normalised.
    pub fn normal(&self, layer: &TowerLayer) -> Vec<(usize, usize)> {
        vec![
            (ROWS_IN, layer.rows.0),
            (RECORD, layer.record),
            (VALUES, self.places.values),
            (PLACES, layer.norm_places),
        ]
    }

    /// All convolutions. The one after the stem, and those that begin blocks and heads, read what came out of a block and add the stream to it.
    pub(super) fn forward(&mut self, tower: &mut [TowerLayer]) -> Result<(), NetError> {
        for number in 0..tower.len() {
            let layer = &tower[number];
            let mut places = vec![(WEIGHTS, layer.weights), (OUTPUT, layer.y)];
            let mut rows = 0;
            let before = match number.checked_sub(1).map(|last| &tower[last]) {
                None => {
                    places.push((INPUT, layer.x));
                    "AS_IT_IS"
                }
                Some(last) => {
                    rows = last.rows.1;
                    places.extend(self.normal(last));
                    places.extend([(INPUT, last.y), (KEPT, layer.x)]);
                    // An odd layer begins a block, or the heads; before it lie the two of the block before, unless it is the first.
                    if number % 2 == 1 && number > 1 {
                        places.push((SECOND, tower[number - 2].x));
                        match &last.excitation {
                            None => "JOINED",
                            Some(excitation) => {
                                places.push((GATES, excitation.gates));
                                "EXCITED"
                            }
                        }
                    } else {
                        "RECTIFIED"
                    }
                }
            };
            let call = Call::new(&places, &[(ROW_COUNT, rows)]);
            self.convolve(layer.kind, before, "COUNTED", call)?;
            tower[number].rows = self.last_rows;
            let layer = &tower[number];
            if let Some(excitation) = &layer.excitation {
                excitation.forward(self, layer);
            }
        }
        Ok(())
    }

    /// Back through all convolutions but the first, from the gradients that heads have left.
    pub(super) fn back(&mut self, tower: &mut [TowerLayer]) -> Result<(), NetError> {
        for number in (1..tower.len()).rev() {
            let layer = &tower[number];
            if let Some(excitation) = &layer.excitation {
                tower[number].rows_back = excitation.back(self, layer);
            }
            let (layer, last) = (&tower[number], &tower[number - 1]);
            let mut places = vec![
                (WEIGHTS, layer.weights_back),
                (INPUT, layer.of_out),
                (SECOND, layer.y),
                (KEPT, layer.of_y),
                (OUTPUT, last.of_out),
                (ROWS_IN, layer.rows_back.0),
                (RECORD, layer.record),
                (NORM_GRADIENT, layer.norm_gradient),
                (BACK_Y, last.y),
                (BACK_RECORD, last.record),
            ];
            let after = if number % 2 == 1 {
                places.push((BACK_MAP, layer.x));
                // The gradient of what the block gave goes past it, too.
                if number + 1 < tower.len() {
                    places.push((JOINING, tower[number + 1].of_out));
                }
                "THROUGH_STREAM"
            } else {
                "THROUGH_NORMAL"
            };
            let Kind { inputs, outputs, side } = layer.kind;
            let kind = Kind { inputs: outputs, outputs: inputs, side };
            let before = match &layer.excitation {
                None => "UNNORMALISED",
                Some(excitation) => {
                    places.push((GATES, excitation.gates));
                    "UNEXCITED"
                }
            };
            let call = Call::new(&places, &[(ROW_COUNT, layer.rows_back.1)]);
            self.convolve(kind, before, after, call)?;
            tower[number - 1].rows_back = self.last_rows;
        }
        let stem = &tower[0];
        let places = [
            (INPUT, stem.of_out),
            (SECOND, stem.y),
            (OUTPUT, stem.of_y),
            (ROWS_IN, stem.rows_back.0),
            (RECORD, stem.record),
            (NORM_GRADIENT, stem.norm_gradient),
        ];
        let call = Call::new(&places, &[(BOARD_COUNT, self.given.batch), (ROW_COUNT, stem.rows_back.1)]);
        let (channels, numbers) = (stem.kind.outputs, self.map_bytes(stem.kind.outputs) / self.cells.eight);
        let entry = self.entries.small("unnormalise", SMALL_THREADS);
        self.launch_small(&entry, numbers, small_shared(channels), call);
        plan_learning(self, tower);
        Ok(())
    }

    /// The gradients of convolutions' weights: a launch for each kind.
    pub(super) fn gradients_of_weights(&mut self, tower: &[TowerLayer]) -> Result<(), NetError> {
        let mut kinds: BTreeMap<Kind, Vec<&TowerLayer>> = BTreeMap::new();
        tower.iter().for_each(|layer| kinds.entry(layer.kind).or_default().push(layer));
        let (table, partials, parts_of_layer) = (0, 1, 1);
        for (kind, layers) in kinds {
            let (boards, shared_bytes) =
                self.cells.gradient(kind).ok_or_else(|| unsupported("boards of this size"))?;
            let (tiles, wide, taps) =
                (Cells::gradient_tiles(kind), kind.inputs.min(TILE), kind.side * kind.side);
            let parts =
                parts_of(layers.len() * tiles, self.given.multiprocessors, self.given.batch.div_ceil(boards));
            let of_tile = taps * TILE * wide;
            let out = self.memory.floats(layers.len() * parts * tiles * of_tile);
            let of_layers = self.memory.places(layers.iter().flat_map(|layer| [layer.x, layer.of_y]));
            let call = Call::new(
                &[(table, of_layers), (partials, out)],
                &[(BOARD_COUNT, self.given.batch), (parts_of_layer, parts)],
            );
            let entry = self.entries.gradient(kind, boards);
            self.launch(&entry, [layers.len() * parts, tiles], 128 * kind.side, shared_bytes, call);
            let divided = self.sources.kind(parts, tiles * of_tile);
            for (number, layer) in layers.into_iter().enumerate() {
                for (output, input, tap) in every(kind) {
                    let Some(value) = weight_at(&layer.convs, kind.side, output, input, tap) else {
                        continue;
                    };
                    let tile = output / TILE * (kind.inputs / wide) + input / wide;
                    let at = (number * parts * tiles + tile) * of_tile
                        + (tap * TILE + output % TILE) * wide
                        + input % wide;
                    self.sources.set(value, out + 4 * at, divided);
                }
            }
        }
        let alone = self.sources.kind(1, 0);
        for layer in tower {
            for (first, conv) in &layer.convs {
                let Some(norm) = &conv.bias.norm else { continue };
                self.sources.set_all(norm.scale.clone(), layer.norm_gradient + 4 * first, alone);
                self.sources.set_all(
                    conv.bias.at.clone(),
                    layer.norm_gradient + 4 * (layer.kind.outputs + first),
                    alone,
                );
            }
        }
        Ok(())
    }

    /// Adds gradients up and changes what is trained.
    pub(super) fn end(&mut self, tower: &[TowerLayer], (loss_rows, loss_row_count): (usize, usize)) {
        let parameters = self.given.parameters;
        let sources = std::mem::take(&mut self.sources);
        let list = sources.list.iter().flatten().copied();
        let list = self.memory.words(list.chain(sources.places));
        let decays = parameters.decays();
        let kinds =
            sources.kinds.iter().zip(&decays).map(|(kind, decays)| kind + if *decays { DECAYS } else { 0 });
        let kinds = self.memory.words(kinds);
        let squares = self.memory.take(8 * COLLECT_BLOCKS);
        let mut running = vec![0; parameters.running().len()];
        for layer in tower {
            for (first, conv) in &layer.convs {
                let Some(norm) = &conv.bias.norm else { continue };
                let (channels, outputs) = (norm.scale.len(), layer.kind.outputs);
                for (i, at) in norm.running.clone().enumerate() {
                    running[at] = (layer.record / 4 + i / channels * outputs + first + i % channels) as i32;
                }
            }
        }
        let running_count = running.len();
        let running = self.memory.words(running);
        let p = self.places;
        let mut places = vec![
            (0, 0),
            (1, list),
            (2, kinds),
            (3, p.gradients),
            (4, squares),
            (5, loss_rows),
            (6, p.settings),
            (7, p.results),
            (8, p.values),
            (9, p.first),
            (10, p.second),
            (12, p.running),
            (14, 0),
            (15, running),
        ];
        if self.given.options.average > 0.0 {
            places.extend([(11, p.averaged), (13, p.averaged_running)]);
        }
        let sizes = [(0, parameters.count()), (1, loss_row_count), (2, running_count)];
        let call = Call::new(&places, &sizes);
        let entry = self.entries.small("collect", SMALL_THREADS);
        self.launch(&entry, [COLLECT_BLOCKS, 1], SMALL_THREADS, 8 * SMALL_THREADS, call);
        let blocks = parameters.count().div_ceil(SMALL_THREADS).min(4 * self.given.multiprocessors);
        let entry = self.entries.small("update", SMALL_THREADS);
        self.launch(&entry, [blocks, 1], SMALL_THREADS, 8 * SMALL_THREADS, call);
    }
}
