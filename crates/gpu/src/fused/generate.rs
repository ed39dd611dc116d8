//! Puts a Hopper kernel together: sizes, machine, layers, and then the network as calls in the order of its layers.

use std::fmt::Write;

use outplay_net::{Block, Description, Network, Policy, Scalar, Tensor, ValueKind, pooled_scale};

use super::products::{Operands, products};
use super::shape::{Room, Shape, Sizes, TILE};
use super::weights::Weights;
use crate::program::{Architecture, Launch, Program};

/// The kernel for a network, if boards and channels fit the memory of a GPU.
pub(crate) fn program(network: &Network, architecture: Architecture) -> Option<Program> {
    let (description, layers) = (network.description(), network.layers());
    let sizes = Sizes::of(description, layers, room(architecture))?;
    let mut calls = Calls::new(&sizes);
    calls.network(network);
    let outputs = calls.outputs;
    let mut source = String::new();
    let input = &description.input;
    let constants = [
        ("ROWS", sizes.board.rows),
        ("COLUMNS", sizes.board.columns),
        ("CHANNELS", sizes.channels),
        ("BIT_PLANES", input.bit_planes),
        ("CONSTANT_PLANES", input.constant_planes),
        ("PADDED_INPUTS", sizes.inputs),
        ("PADDED_PLANES", sizes.inputs.max(sizes.channels)),
        ("PITCH", sizes.pitch),
        ("FLAT_LENGTH", sizes.flat),
        ("VECTOR_LENGTH", sizes.vector),
        ("SLOTS", sizes.slots),
        ("OUTPUT", outputs),
        ("CHUNKS_OF_NETWORK", calls.weights.chunks()),
        ("WORKSPACE", sizes.shapes.iter().map(|shape| sizes.workspace_bytes(shape)).max().unwrap_or(0)),
    ];
    for (name, size) in constants {
        let _ = writeln!(source, "constexpr int {name} = {size};");
    }
    let _ = writeln!(source, "constexpr float POOLED_SCALE = {:?}f;", pooled_scale(sizes.board.cells()));
    source.push_str(include_str!("../common.cu"));
    match architecture {
        Architecture::Hopper => {
            source.push_str(include_str!("hopper.cu"));
            source.push_str(&products(widths(&sizes)));
        }
        Architecture::Ampere => source.push_str(include_str!("ampere.cu")),
    }
    source.push_str(include_str!("team.cu"));
    source.push_str(include_str!("layers.cu"));
    let _ = write!(
        source,
        r"
template <class S, class Kept>
__device__ __forceinline__ void layers(Worker<S>& w, Kept& stream, const float* bias) {{
{}}}
",
        calls.text
    );
    let mut launches = Vec::new();
    for shape in &sizes.shapes {
        let Shape { boards, teams, parts } = *shape;
        let threads = 128 * (shape.warpgroups() + 1);
        let entry = format!("run_{boards}x{teams}");
        let _ = write!(
            source,
            r#"
extern "C" __global__ void __launch_bounds__({threads}, 1)
{entry}(const plane_word* positions, int count, const unsigned char* weights, float* outputs, void* workspace) {{
    run<Shape<{boards}, {teams}, {parts}>, {}>(positions, count, weights, outputs, (Quad*)workspace);
}}
"#,
            sizes.stream_in_registers
        );
        launches.push(Launch {
            entry,
            threads,
            boards: boards * teams,
            shared_bytes: sizes.shared_bytes(shape),
            workspace_bytes: sizes.workspace_bytes(shape),
        });
    }
    Some(Program { source, architecture, weights: calls.weights.into_bytes(), outputs, launches })
}

/// What a block may ask for: on Hopper one block has a multiprocessor for itself, and warpgroups that compute take registers from the one that fetches.
fn room(architecture: Architecture) -> Room {
    match architecture {
        Architecture::Hopper => Room { shared_bytes: 227 * 1024, sums_beside_stream: 128, sums_alone: 192 },
        // What every GPU since Ampere gives to a block that asks for it.
        Architecture::Ampere => Room { shared_bytes: 99 * 1024, sums_beside_stream: 64, sums_alone: 96 },
    }
}

/// The widths of products: as many cells as a shape's warpgroup has, and the eight boards of dense layers.
fn widths(sizes: &Sizes) -> Vec<(Operands, usize)> {
    let widths = sizes.shapes.iter().map(|shape| 8 * sizes.groups(shape)).chain([8]);
    widths.map(|width| (Operands::Halves, width)).collect()
}

/// The calls as they are collected, with the weights that they use.
struct Calls<'s> {
    sizes: &'s Sizes,
    text: String,
    weights: Weights,
    outputs: usize,
    /// Whether a head has used the map for itself.
    map_is_used: bool,
}

impl Calls<'_> {
    fn new(sizes: &Sizes) -> Calls<'_> {
        let weights = Weights::new(sizes.units(), sizes.channels / TILE);
        Calls { sizes, text: String::new(), weights, outputs: 0, map_is_used: false }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    fn network(&mut self, network: &Network) {
        let (description, layers) = (network.description(), network.layers());
        self.line("stem(w, stream, bias);");
        self.weights.conv(&layers.stem, self.sizes.inputs);
        // Blocks of one kind are a loop: their weights come by themselves.
        let mut blocks = &layers.blocks[..];
        while let Some(first) = blocks.first() {
            let alike = blocks.iter().take_while(|block| kind(block) == kind(first)).count();
            let (hidden, pooled) = kind(first);
            self.line(&format!("blocks<{hidden}, {pooled}>(w, stream, bias, {alike});"));
            for block in &blocks[..alike] {
                self.block(block);
            }
            blocks = &blocks[alike..];
        }
        self.heads(description, network);
    }

    fn block(&mut self, block: &Block<Tensor>) {
        let channels = self.sizes.channels;
        match block {
            Block::Plain { first, second } => {
                self.weights.conv(first, channels);
                self.weights.conv(second, channels);
            }
            Block::SqueezeExcitation { first, second, squeeze, excite } => {
                self.weights.conv(first, channels);
                self.weights.conv(second, channels);
                // The mean over the board is of padded channels, whose weights are zero.
                self.weights.dense_padded(squeeze, channels);
                self.weights.excitation(excite, second.weight.shape[0]);
            }
            Block::GlobalPooling { first, pool, shift, second } => {
                self.weights.conv(pool, channels);
                self.weights.shifts(shift);
                self.weights.conv(first, channels);
                self.weights.conv(second, channels);
            }
        }
    }

    fn heads(&mut self, description: &Description, network: &Network) {
        let (heads, board) = (&network.layers().heads, description.board);
        self.policy(&heads.policy, description.heads.policy.size(board));
        let finish = match description.heads.value {
            ValueKind::WinDrawLoss { .. } => "CHANCES_OF_LOGITS",
            ValueKind::Scalar { .. } => "CHANCES_OF_VALUE",
        };
        self.scalar(&heads.value, 3, finish);
        if let Some(head) = &heads.margin {
            self.scalar(head, 1, "AS_IT_IS");
        }
        if let Some(head) = &heads.moves_left {
            self.scalar(head, 1, "AT_LEAST_ZERO");
        }
        if let Some((first, second)) = &heads.ownership {
            self.convolutional([first, second], true);
        }
        if let (Some(head), Some(kind)) = (&heads.reply, description.heads.reply) {
            self.policy(head, kind.size(board));
        }
    }

    fn policy(&mut self, head: &Policy<Tensor>, size: usize) {
        match head {
            Policy::Convolution { first, second } => self.convolutional([first, second], false),
            Policy::Dense { conv, dense } => {
                self.begin_head();
                let channels = conv.weight.shape[0];
                self.line(&format!("dense_policy<{channels}, {size}>(w, bias, {});", self.outputs));
                self.weights.conv(conv, self.sizes.channels);
                self.dense_of_map(dense);
                self.outputs += size;
            }
        }
    }

    fn convolutional(&mut self, [first, second]: [&outplay_net::Conv<Tensor>; 2], tanh: bool) {
        self.begin_head();
        let [channels, _, side, _] = first.weight.shape[..] else {
            unreachable!("a network checks its shapes")
        };
        let planes = second.weight.shape[0];
        self.line(&format!(
            "convolutional_head<{side}, {channels}, {planes}, {tanh}>(w, stream, bias, {});",
            self.outputs
        ));
        self.weights.conv(first, self.sizes.channels);
        self.weights.conv(second, channels.next_multiple_of(16));
        self.outputs += planes * self.sizes.board.cells();
        self.map_is_used = true;
    }

    fn scalar(&mut self, head: &Scalar<Tensor>, numbers: usize, finish: &str) {
        self.begin_head();
        let (channels, hidden) = (head.conv.weight.shape[0], head.hidden.weight.shape[0]);
        self.line(&format!("scalar_head<{channels}, {hidden}, {finish}>(w, bias, {});", self.outputs));
        self.weights.conv(&head.conv, self.sizes.channels);
        self.dense_of_map(&head.hidden);
        self.weights.plain(&head.output);
        self.outputs += numbers;
    }

    fn begin_head(&mut self) {
        if std::mem::take(&mut self.map_is_used) {
            self.line("restore(w, stream);");
        }
    }

    fn dense_of_map(&mut self, dense: &outplay_net::Dense<Tensor>) {
        let board = self.sizes.board;
        let row = if board.columns == 8 { 8 } else { self.sizes.pitch };
        let places = (board.rows * row).next_multiple_of(8);
        self.weights.dense_of_map(dense, board.cells(), places, |place| {
            let (r, c) = (place / row, place % row);
            (r < board.rows && c < board.columns).then_some(r * board.columns + c)
        });
    }
}

/// How wide the vector of a block with squeeze and excitation is, and how many channels one with global pooling pools.
fn kind(block: &Block<Tensor>) -> (usize, usize) {
    match block {
        Block::Plain { .. } => (0, 0),
        Block::SqueezeExcitation { squeeze, .. } => (squeeze.weight.shape[0], 0),
        Block::GlobalPooling { pool, .. } => (0, pool.weight.shape[0]),
    }
}
