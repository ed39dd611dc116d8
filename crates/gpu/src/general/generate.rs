//! The kernel for any network: sizes before `kernel.cu`, calls in the order of the layers after it, and weights as those calls read them.

use std::fmt::Write;

use outplay_net::{
    Block, Conv, Dense, Description, Layers, Network, Policy, Scalar, Tensor, ValueKind, f32_to_f16,
};

use crate::program::{Architecture, Blob, Launch, Program};

/// The name of the kernel.
const ENTRY: &str = "run";
/// Threads of a block.
const THREADS: usize = 128;
/// Channels come in tiles of so many.
const TILE: usize = 16;
/// Cells for which a block is given boards until it has so many: 32 tiles of 8.
const CELLS_OF_BLOCK: usize = 256;
/// Shared memory that every GPU since Ampere gives to a block that asks for it, in bytes.
const SHARED_BYTES: usize = 99 * 1024;

fn padded(channels: usize) -> usize {
    channels.next_multiple_of(TILE)
}

/// The kernel for a network, on any GPU since Ampere.
pub(crate) fn program(network: &Network) -> Program {
    let (description, layers) = (network.description(), network.layers());
    let mut calls = Calls { cells: description.board.cells(), ..Calls::default() };
    calls.network(description, layers);
    let board = description.board;
    let column = calls.widest + 8;
    let of_board = 3 * (board.rows + 2) * (board.columns + 1) + 3;
    let bytes = |boards: usize| boards * (of_board * column * 2 + 2 * calls.vector * 4) + 32;
    let wanted = (CELLS_OF_BLOCK / board.cells()).max(1);
    let boards = (1..=wanted).rev().find(|&boards| bytes(boards) <= SHARED_BYTES).unwrap_or(1);
    let workspace = bytes(boards).next_multiple_of(16);
    let shared = workspace <= SHARED_BYTES;
    let mut weights = Blob::default();
    let halves = |values: &[u16]| values.iter().flat_map(|half| half.to_le_bytes()).collect::<Vec<_>>();
    let tiles_at = weights.section(halves(&calls.tiles));
    let dense_at = weights.section(halves(&calls.dense));
    let biases_at = weights.section(calls.biases.iter().flat_map(|bias| bias.to_le_bytes()));
    let input = &description.input;
    let sizes = [
        ("ROWS", board.rows),
        ("COLUMNS", board.columns),
        ("BOARDS", boards),
        ("COLUMN", column),
        ("VECTOR", calls.vector),
        ("OUTPUT", calls.outputs),
        ("BIT_PLANES", input.bit_planes),
        ("CONSTANT_PLANES", input.constant_planes),
        ("PADDED_PLANES", padded(input.planes())),
        ("THREADS", THREADS),
        ("WARP_M", 2),
        ("WARP_N", 4),
        ("WORKSPACE", workspace),
        ("TILES_AT", tiles_at),
        ("DENSE_AT", dense_at),
        ("BIASES_AT", biases_at),
    ];
    let mut source = String::new();
    for (name, size) in sizes {
        let _ = writeln!(source, "constexpr int {name} = {size};");
    }
    source.push_str(include_str!("../common.cu"));
    source.push_str(include_str!("kernel.cu"));
    let memory = if shared { "block_memory" } else { "(Quad*)workspace + blockIdx.x * (WORKSPACE / 16)" };
    let _ = write!(
        source,
        r#"
extern "C" __global__ void __launch_bounds__(THREADS)
{ENTRY}(const plane_word* positions, int count, const unsigned char* weights, float* all, void* workspace) {{
    extern __shared__ Quad block_memory[];
    const Quad* tiles = (const Quad*)(weights + TILES_AT);
    const half_bits* dense = (const half_bits*)(weights + DENSE_AT);
    const float* biases = (const float*)(weights + BIASES_AT);
    half_bits* memory = (half_bits*)({memory});
    float* vectors = (float*)(memory + (3 * MAP + 7) / 8 * 8);
    Workspace w = {{memory, memory + MAP, memory + 2 * MAP, vectors, vectors + BOARDS * VECTOR}};
    clear(memory, WORKSPACE / 2);
    for (int first = blockIdx.x * BOARDS; first < count; first += gridDim.x * BOARDS) {{
        const int boards = count - first < BOARDS ? count - first : BOARDS;
        float* outputs = all + (long long)first * OUTPUT;
        unpack(positions + (long long)first * (BIT_PLANES * divided_up(CELLS, 64) + CONSTANT_PLANES), boards, w.inner);
{}    }}
}}
"#,
        calls.text
    );
    Program {
        source,
        architecture: Architecture::Ampere,
        weights: weights.into_bytes(),
        outputs: calls.outputs,
        launches: vec![Launch {
            entry: ENTRY.to_string(),
            threads: THREADS,
            boards,
            shared_bytes: if shared { workspace } else { 0 },
            workspace_bytes: if shared { 0 } else { workspace },
        }],
    }
}

/// The calls as they are collected, with the weights that they read.
#[derive(Default)]
struct Calls {
    text: String,
    /// Weights of convolutions in tiles, halves.
    tiles: Vec<u16>,
    /// Weights of dense layers, halves.
    dense: Vec<u16>,
    /// All biases.
    biases: Vec<f32>,
    cells: usize,
    widest: usize,
    vector: usize,
    outputs: usize,
}

impl Calls {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "        {text}");
    }

    fn network(&mut self, description: &Description, layers: &Layers<Tensor>) {
        let board = description.board;
        self.conv(&layers.stem, "RELU", "w.inner", "w.stream");
        for block in &layers.blocks {
            self.block(block);
        }
        let heads = &layers.heads;
        self.policy(&heads.policy, description.heads.policy.size(board));
        let finish = match description.heads.value {
            ValueKind::WinDrawLoss { .. } => "chances_of_logits(logits, to)",
            ValueKind::Scalar { .. } => "chances_of_value(logits, to)",
        };
        self.scalar(&heads.value, 3, finish);
        if let Some(head) = &heads.margin {
            self.scalar(head, 1, "to[0] = logits[0]");
        }
        if let Some(head) = &heads.moves_left {
            self.scalar(head, 1, "to[0] = fmaxf(logits[0], 0.0f)");
        }
        if let Some((first, second)) = &heads.ownership {
            self.conv(first, "RELU", "w.stream", "w.inner");
            self.emit(second, "EMIT_TANH");
        }
        if let (Some(head), Some(kind)) = (&heads.reply, description.heads.reply) {
            self.policy(head, kind.size(board));
        }
    }

    fn block(&mut self, block: &Block<Tensor>) {
        match block {
            Block::Plain { first, second } => {
                self.conv(first, "RELU", "w.stream", "w.inner");
                self.conv(second, "RESIDUAL_RELU", "w.inner", "w.stream");
            }
            Block::SqueezeExcitation { first, second, squeeze, excite } => {
                let channels = second.weight.shape[0];
                self.conv(first, "RELU", "w.stream", "w.inner");
                self.conv(second, "STORE", "w.inner", "w.aside");
                self.vector = self.vector.max(channels);
                self.line(&format!("pool<false>(w.aside, {channels}, 0.0f, w.pooled);"));
                self.dense_of_vector(squeeze, "w.pooled", "w.hidden", true);
                self.dense_of_vector(excite, "w.hidden", "w.pooled", false);
                self.line(&format!("excite(w.aside, w.pooled, {channels}, w.stream);"));
            }
            Block::GlobalPooling { first, pool, shift, second } => {
                let channels = pool.weight.shape[0];
                // As KataGo has it: a tenth of what the side of the board has more than 14.
                let scale = ((self.cells as f64).sqrt() - 14.0) / 10.0;
                self.conv(pool, "RELU", "w.stream", "w.aside");
                self.vector = self.vector.max(3 * channels);
                self.line(&format!("pool<true>(w.aside, {channels}, {scale:?}f, w.pooled);"));
                self.dense_of_vector(shift, "w.pooled", "w.hidden", false);
                // Outputs that only pad are shifted too.
                self.vector = self.vector.max(padded(first.weight.shape[0]));
                self.conv(first, "SHIFT_RELU", "w.stream", "w.inner");
                self.conv(second, "RESIDUAL_RELU", "w.inner", "w.stream");
            }
        }
    }

    fn policy(&mut self, head: &Policy<Tensor>, size: usize) {
        match head {
            Policy::Convolution { first, second } => {
                self.conv(first, "RELU", "w.stream", "w.inner");
                self.emit(second, "EMIT");
            }
            Policy::Dense { conv, dense } => {
                self.conv(conv, "RELU", "w.stream", "w.inner");
                let put = format!(
                    "if (board < boards) outputs[board * OUTPUT + {} + output] = value;",
                    self.outputs
                );
                self.dense_of_map(dense, conv.weight.shape[0], &put);
                self.outputs += size;
            }
        }
    }

    fn scalar(&mut self, head: &Scalar<Tensor>, numbers: usize, finish: &str) {
        self.conv(&head.conv, "RELU", "w.stream", "w.inner");
        self.vector = self.vector.max(head.hidden.weight.shape[0]);
        self.dense_of_map(
            &head.hidden,
            head.conv.weight.shape[0],
            "w.hidden[board * VECTOR + output] = fmaxf(value, 0.0f);",
        );
        self.dense_of_vector(&head.output, "w.hidden", "w.pooled", false);
        self.line("for (int board = threadIdx.x; board < boards; board += THREADS) {");
        self.line(&format!(
            "    const float* logits = w.pooled + board * VECTOR; float* to = outputs + board * OUTPUT + {};",
            self.outputs
        ));
        self.line(&format!("    {finish};"));
        self.line("}");
        self.line("__syncthreads();");
        self.outputs += numbers;
    }

    fn conv(&mut self, conv: &Conv<Tensor>, after: &str, from: &str, to: &str) {
        let arguments = format!("{from}, {to}, w.hidden, outputs, 0, boards");
        self.convolution(conv, after, &arguments);
    }

    /// A last convolution, from the inner map to the outputs.
    fn emit(&mut self, conv: &Conv<Tensor>, after: &str) {
        let planes = conv.weight.shape[0];
        let arguments = format!("w.inner, w.aside, w.hidden, outputs + {}, {planes}, boards", self.outputs);
        self.convolution(conv, after, &arguments);
        self.outputs += planes * self.cells;
    }

    fn convolution(&mut self, conv: &Conv<Tensor>, after: &str, arguments: &str) {
        let [outputs, inputs, side, _] = conv.weight.shape[..] else {
            unreachable!("a network checks its shapes")
        };
        let (m, k) = (padded(outputs), padded(inputs));
        self.widest = self.widest.max(m).max(k);
        let (tiles, biases) = (self.tiles.len() / 8, self.biases.len());
        self.line(&format!(
            "convolve<{side}, {k}, {m}, {after}>(tiles + {tiles}, biases + {biases}, {arguments});"
        ));
        let taps = side * side;
        for tile in 0..m / TILE {
            for tap in 0..taps {
                for step in 0..k / TILE {
                    // A lane's eight weights: outputs l/4 and l/4 + 8, inputs l%4*2 and the next, then those plus 8.
                    for i in 0..32 * 8 {
                        let (lane, pair, odd) = (i / 8, i / 2 % 4, i % 2);
                        let output = tile * TILE + lane / 4 + pair % 2 * 8;
                        let input = step * TILE + lane % 4 * 2 + pair / 2 * 8 + odd;
                        let weight = match output < outputs && input < inputs {
                            true => conv.weight.values[(output * inputs + input) * taps + tap],
                            false => 0.0,
                        };
                        self.tiles.push(f32_to_f16(weight));
                    }
                }
            }
        }
        self.bias(&conv.bias, m);
    }

    fn bias(&mut self, bias: &Tensor, padded: usize) {
        self.biases.extend(&bias.values);
        self.biases.extend(std::iter::repeat_n(0.0, padded - bias.values.len()));
    }

    fn dense_of_map(&mut self, layer: &Dense<Tensor>, channels: usize, put: &str) {
        let (cells, outputs) = (self.cells, layer.weight.shape[0]);
        self.line(&format!(
            "dense_of_map(dense + {}, biases + {}, w.inner, {channels}, {outputs}, [&](int board, int output, float value) {{ {put} }});",
            self.dense.len(),
            self.biases.len()
        ));
        for row in layer.weight.values.chunks(cells * channels) {
            let by_cell = (0..cells * channels).map(|i| row[i % channels * cells + i / channels]);
            self.dense.extend(by_cell.map(f32_to_f16));
        }
        self.bias(&layer.bias, outputs);
    }

    fn dense_of_vector(&mut self, layer: &Dense<Tensor>, from: &str, to: &str, relu: bool) {
        let [outputs, inputs] = layer.weight.shape[..] else { unreachable!("a network checks its shapes") };
        self.vector = self.vector.max(outputs).max(inputs);
        let value = if relu { "fmaxf(value, 0.0f)" } else { "value" };
        self.line(&format!(
            "dense_of_vector(dense + {}, biases + {}, {from}, {inputs}, {outputs}, [&](int board, int output, float value) {{ {to}[board * VECTOR + output] = {value}; }});",
            self.dense.len(),
            self.biases.len()
        ));
        self.dense.extend(layer.weight.values.iter().copied().map(f32_to_f16));
        self.bias(&layer.bias, outputs);
    }
}
