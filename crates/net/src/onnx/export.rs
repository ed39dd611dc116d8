//! Writes a network as an ONNX model: standard operators of version 13, the batch free, the input `planes`, and an output for each head.

use super::DESCRIPTION;
use crate::description::ValueKind;
use crate::layers::{Block, Conv, Dense, Policy, Scalar, pooled_scale};
use crate::network::{Network, Tensor};
use crate::protobuf::Message;

/// Which standard operators there are: those of this version are known to every program of recent years.
const OPSET: u64 = 13;
/// The version of the file format that goes with them.
const FORMAT: u64 = 7;
/// Types of numbers and of attributes, as ONNX counts them.
const FLOAT: u64 = 1;
const INT64: u64 = 7;
const INT_ATTRIBUTE: u64 = 2;
const INTS_ATTRIBUTE: u64 = 7;

impl Network {
    /// The bytes of an ONNX model that computes this network.
    ///
    /// Its input is `planes` `[N, planes, rows, columns]`. Its outputs are `policy` (logits), `value` (chances to win, draw and lose, or wins minus
    /// losses), and what else the network has of `margin`, `moves_left`, `ownership` and `reply`, each with the numbers that a [`Backend`](crate::Backend)
    /// gives. The description stands in the metadata, so that [`import_onnx`](crate::import_onnx) needs no mapping.
    pub fn to_onnx(&self) -> Vec<u8> {
        let description = self.description();
        let (board, layers) = (description.board, self.layers());
        let mut graph = Writer { graph: Message::default(), cells: board.cells(), values: 0 };
        let mut x = graph.conv("stem", &layers.stem, "planes");
        x = graph.relu(&x);
        for (number, block) in layers.blocks.iter().enumerate() {
            x = graph.block(&format!("blocks.{number}"), block, &x);
        }
        let (heads, kinds) = (&layers.heads, &description.heads);
        graph.policy("policy", &heads.policy, &x, kinds.policy.size(board));
        let value = graph.scalar("value", &heads.value, &x);
        let activation = match kinds.value {
            ValueKind::WinDrawLoss { .. } => "Softmax",
            ValueKind::Scalar { .. } => "Tanh",
        };
        graph.finish(activation, &value, "value", kinds.value.outputs());
        if let Some(head) = &heads.margin {
            let margin = graph.scalar("margin", head, &x);
            graph.finish("Identity", &margin, "margin", 1);
        }
        if let Some(head) = &heads.moves_left {
            let plies = graph.scalar("moves_left", head, &x);
            graph.finish("Relu", &plies, "moves_left", 1);
        }
        if let Some((first, second)) = &heads.ownership {
            let between = graph.conv("ownership.first", first, &x);
            let between = graph.relu(&between);
            let cells = graph.conv("ownership.second", second, &between);
            let cells = graph.flatten(&cells);
            graph.finish("Tanh", &cells, "ownership", board.cells());
        }
        if let (Some(head), Some(kind)) = (&heads.reply, kinds.reply) {
            graph.policy("reply", head, &x, kind.size(board));
        }
        let sizes = [description.input.planes(), board.rows, board.columns];
        graph.graph.bytes(2, "outplay").message(11, &port("planes", &sizes));
        let text = serde_json::to_string(description).expect("a description has nothing that JSON lacks");
        let (mut opset, mut metadata) = (Message::default(), Message::default());
        opset.bytes(1, "").number(2, OPSET);
        metadata.bytes(1, DESCRIPTION).bytes(2, text);
        let mut model = Message::default();
        model
            .number(1, FORMAT)
            .bytes(2, "outplay")
            .message(7, &graph.graph)
            .message(8, &opset)
            .message(14, &metadata);
        model.into_bytes()
    }
}

/// An input or output, with a free dimension before these.
fn port(name: &str, sizes: &[usize]) -> Message {
    let mut shape = Message::default();
    let mut batch = Message::default();
    batch.bytes(2, "N");
    shape.message(1, &batch);
    for &size in sizes {
        let mut dimension = Message::default();
        dimension.number(1, size as u64);
        shape.message(1, &dimension);
    }
    let (mut tensor, mut kind, mut port) = (Message::default(), Message::default(), Message::default());
    tensor.number(1, FLOAT).message(2, &shape);
    kind.message(1, &tensor);
    port.bytes(1, name).message(2, &kind);
    port
}

/// A graph that is being written. Functions add nodes and give the name of what they compute.
struct Writer {
    graph: Message,
    cells: usize,
    values: usize,
}

impl Writer {
    fn node(&mut self, kind: &str, inputs: &[&str], attributes: &[(&str, &[i64])]) -> String {
        self.values += 1;
        let output = format!("{}.{}", kind.to_lowercase(), self.values);
        self.named_node(kind, inputs, attributes, &output);
        output
    }

    fn named_node(&mut self, kind: &str, inputs: &[&str], attributes: &[(&str, &[i64])], output: &str) {
        let mut node = Message::default();
        for input in inputs {
            node.bytes(1, input);
        }
        node.bytes(2, output).bytes(3, output).bytes(4, kind);
        for &(name, numbers) in attributes {
            let mut attribute = Message::default();
            attribute.bytes(1, name);
            match numbers {
                [number] => attribute.number(3, *number as u64).number(20, INT_ATTRIBUTE),
                numbers => {
                    for &number in numbers {
                        attribute.number(8, number as u64);
                    }
                    attribute.number(20, INTS_ATTRIBUTE)
                }
            };
            node.message(5, &attribute);
        }
        self.graph.message(1, &node);
    }

    /// An output of the model.
    fn finish(&mut self, kind: &str, input: &str, name: &str, size: usize) {
        self.named_node(kind, &[input], &[], name);
        self.graph.message(12, &port(name, &[size]));
    }

    fn constant(&mut self, name: &str, shape: &[usize], kind: u64, bytes: Vec<u8>) {
        let mut tensor = Message::default();
        for &size in shape {
            tensor.number(1, size as u64);
        }
        tensor.number(2, kind).bytes(8, name).bytes(9, bytes);
        self.graph.message(5, &tensor);
    }

    fn weights(&mut self, name: &str, shape: &[usize], numbers: &[f32]) {
        self.constant(name, shape, FLOAT, numbers.iter().flat_map(|number| number.to_le_bytes()).collect());
    }

    fn tensor(&mut self, name: &str, tensor: &Tensor) {
        self.weights(name, &tensor.shape, &tensor.values);
    }

    fn conv(&mut self, name: &str, conv: &Conv<Tensor>, x: &str) -> String {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        self.tensor(&weight, &conv.weight);
        self.tensor(&bias, &conv.bias);
        let side = conv.weight.shape[3] as i64;
        let attributes: [(&str, &[i64]); 2] = [("kernel_shape", &[side; 2]), ("pads", &[side / 2; 4])];
        self.node("Conv", &[x, &weight, &bias], &attributes)
    }

    fn dense(&mut self, name: &str, dense: &Dense<Tensor>, x: &str) -> String {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        self.tensor(&weight, &dense.weight);
        self.tensor(&bias, &dense.bias);
        self.node("Gemm", &[x, &weight, &bias], &[("transB", &[1])])
    }

    fn relu(&mut self, x: &str) -> String {
        self.node("Relu", &[x], &[])
    }

    fn flatten(&mut self, x: &str) -> String {
        self.node("Flatten", &[x], &[("axis", &[1])])
    }

    /// A number for each channel as a board of one cell, to be added to or multiplied with whole boards.
    fn as_channels(&mut self, name: &str, x: &str, channels: usize) -> String {
        let shape = format!("{name}.shape");
        let sizes = [0, channels as i64, 1, 1];
        self.constant(&shape, &[4], INT64, sizes.iter().flat_map(|size| size.to_le_bytes()).collect());
        self.node("Reshape", &[x, &shape], &[])
    }

    fn block(&mut self, name: &str, block: &Block<Tensor>, x: &str) -> String {
        let part = |part: &str| format!("{name}.{part}");
        let sum = match block {
            Block::Plain { first, second } => {
                let y = self.conv(&part("first"), first, x);
                let y = self.relu(&y);
                self.conv(&part("second"), second, &y)
            }
            Block::SqueezeExcitation { first, second, squeeze, excite } => {
                let y = self.conv(&part("first"), first, x);
                let y = self.relu(&y);
                let z = self.conv(&part("second"), second, &y);
                let pooled = self.node("GlobalAveragePool", &[&z], &[]);
                let pooled = self.flatten(&pooled);
                let squeezed = self.dense(&part("squeeze"), squeeze, &pooled);
                let squeezed = self.relu(&squeezed);
                // Scale and shift are layers of their own, which needs no operator to split them.
                let [gate, shift] = halves(excite);
                let gate = self.dense(&part("scale"), &gate, &squeezed);
                let gate = self.node("Sigmoid", &[&gate], &[]);
                let channels = second.bias.values.len();
                let gate = self.as_channels(&part("scale"), &gate, channels);
                let shift = self.dense(&part("shift"), &shift, &squeezed);
                let shift = self.as_channels(&part("shift"), &shift, channels);
                let scaled = self.node("Mul", &[&z, &gate], &[]);
                self.node("Add", &[&scaled, &shift], &[])
            }
            Block::GlobalPooling { first, pool, shift, second } => {
                let board = self.conv(&part("pool"), pool, x);
                let board = self.relu(&board);
                let mean = self.node("GlobalAveragePool", &[&board], &[]);
                let mean = self.flatten(&mean);
                let scale = part("scale");
                self.weights(&scale, &[1], &[pooled_scale(self.cells) as f32]);
                let scaled = self.node("Mul", &[&mean, &scale], &[]);
                let most = self.node("GlobalMaxPool", &[&board], &[]);
                let most = self.flatten(&most);
                let pooled = self.node("Concat", &[&mean, &scaled, &most], &[("axis", &[1])]);
                let shifts = self.dense(&part("shift"), shift, &pooled);
                let shifts = self.as_channels(&part("shift"), &shifts, first.bias.values.len());
                let y = self.conv(&part("first"), first, x);
                let y = self.node("Add", &[&y, &shifts], &[]);
                let y = self.relu(&y);
                self.conv(&part("second"), second, &y)
            }
        };
        let sum = self.node("Add", &[&sum, x], &[]);
        self.relu(&sum)
    }

    fn policy(&mut self, name: &str, policy: &Policy<Tensor>, x: &str, size: usize) {
        let part = |part: &str| format!("{name}.{part}");
        let logits = match policy {
            Policy::Convolution { first, second } => {
                let between = self.conv(&part("first"), first, x);
                let between = self.relu(&between);
                let planes = self.conv(&part("second"), second, &between);
                self.flatten(&planes)
            }
            Policy::Dense { conv, dense } => {
                let between = self.conv(&part("conv"), conv, x);
                let between = self.relu(&between);
                let between = self.flatten(&between);
                self.dense(&part("dense"), dense, &between)
            }
        };
        self.finish("Identity", &logits, name, size);
    }

    fn scalar(&mut self, name: &str, head: &Scalar<Tensor>, x: &str) -> String {
        let between = self.conv(&format!("{name}.conv"), &head.conv, x);
        let between = self.relu(&between);
        let between = self.flatten(&between);
        let between = self.dense(&format!("{name}.hidden"), &head.hidden, &between);
        let between = self.relu(&between);
        self.dense(&format!("{name}.output"), &head.output, &between)
    }
}

/// A layer as two that each have half of its outputs.
fn halves(dense: &Dense<Tensor>) -> [Dense<Tensor>; 2] {
    let (outputs, inputs) = (dense.weight.shape[0] / 2, dense.weight.shape[1]);
    [0, 1].map(|half| Dense {
        weight: Tensor {
            shape: vec![outputs, inputs],
            values: dense.weight.values[half * outputs * inputs..][..outputs * inputs].to_vec(),
        },
        bias: Tensor {
            shape: vec![outputs],
            values: dense.bias.values[half * outputs..][..outputs].to_vec(),
        },
    })
}
