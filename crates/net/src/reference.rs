//! Networks computed plainly: in `f64`, cell by cell, as the definitions are written. What fast kernels are held against.

use crate::backend::{Backend, Outputs, Runner};
use crate::description::{Description, ValueKind};
use crate::layers::{Block, Conv, Dense, Layers, Policy, Scalar};
use crate::network::{NetError, Network, Tensor};

/// A backend that is right and slow.
pub struct Reference(Network);

impl Reference {
    /// Runs this network.
    pub fn new(network: Network) -> Reference {
        Reference(network)
    }
}

impl Backend for Reference {
    fn description(&self) -> &Description {
        self.0.description()
    }

    fn name(&self) -> String {
        "processor, plain reference in 64 bits".to_string()
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(Plainly(&self.0))
    }
}

struct Plainly<'n>(&'n Network);

impl Runner for Plainly<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        let description = self.0.description();
        let planes = description.planes();
        outputs.resize(description, positions.len());
        for (number, words) in positions.iter().enumerate() {
            description.check_words(words)?;
            let (count, cells) = (planes.count(), planes.cells());
            let input = (0..count * cells).map(|i| f64::from(planes.value(words, i / cells, i % cells)));
            Heads { outputs, number }.write(self.0, &input.collect::<Vec<_>>());
        }
        Ok(())
    }
}

/// Where the outputs of a position go.
struct Heads<'o> {
    outputs: &'o mut Outputs,
    number: usize,
}

impl Heads<'_> {
    fn write(self, network: &Network, input: &[f64]) {
        let (description, Layers { stem, blocks, heads }) = (network.description(), network.layers());
        let board = Board { rows: description.board.rows, columns: description.board.columns };
        let mut x = relu(board.conv(stem, input));
        for block in blocks {
            x = board.block(block, &x);
        }
        let Heads { outputs, number } = self;
        let fill = |all: &mut Vec<f32>, values: &[f64]| {
            let place = number * values.len();
            all[place..][..values.len()].iter_mut().zip(values).for_each(|(to, &from)| *to = from as f32);
        };
        fill(&mut outputs.policy, &board.policy(&heads.policy, &x));
        let value = board.scalar(&heads.value, &x);
        outputs.value[number] = match description.heads.value {
            ValueKind::WinDrawLoss { .. } => {
                let chances = softmax(&value);
                [chances[0] as f32, chances[1] as f32, chances[2] as f32]
            }
            ValueKind::Scalar { .. } => {
                let v = value[0].tanh();
                [((1.0 + v) / 2.0) as f32, 0.0, ((1.0 - v) / 2.0) as f32]
            }
        };
        if let Some(head) = &heads.margin {
            fill(&mut outputs.margin, &board.scalar(head, &x));
        }
        if let Some(head) = &heads.moves_left {
            fill(&mut outputs.moves_left, &relu(board.scalar(head, &x)));
        }
        if let Some((first, second)) = &heads.ownership {
            let cells: Vec<f64> =
                board.conv(second, &relu(board.conv(first, &x))).into_iter().map(f64::tanh).collect();
            fill(&mut outputs.ownership, &cells);
        }
        if let Some(head) = &heads.reply {
            fill(&mut outputs.reply, &board.policy(head, &x));
        }
    }
}

/// The size of a board, and layers on it. Values are ordered by channel, then row, then column.
struct Board {
    rows: usize,
    columns: usize,
}

impl Board {
    fn cells(&self) -> usize {
        self.rows * self.columns
    }

    fn conv(&self, layer: &Conv<Tensor>, x: &[f64]) -> Vec<f64> {
        let &[outputs, inputs, side, _] = layer.weight.shape.as_slice() else {
            unreachable!("checked with the network")
        };
        let reach = side / 2;
        let mut y = vec![0.0; outputs * self.cells()];
        for output in 0..outputs {
            for row in 0..self.rows {
                for column in 0..self.columns {
                    let mut sum = f64::from(layer.bias.values[output]);
                    for input in 0..inputs {
                        for (dr, dc) in (0..side * side).map(|i| (i / side, i % side)) {
                            let (r, c) = ((row + dr).wrapping_sub(reach), (column + dc).wrapping_sub(reach));
                            if r < self.rows && c < self.columns {
                                let weight =
                                    layer.weight.values[((output * inputs + input) * side + dr) * side + dc];
                                sum += f64::from(weight) * x[input * self.cells() + r * self.columns + c];
                            }
                        }
                    }
                    y[output * self.cells() + row * self.columns + column] = sum;
                }
            }
        }
        y
    }

    fn block(&self, block: &Block<Tensor>, x: &[f64]) -> Vec<f64> {
        match block {
            Block::Plain { first, second } => {
                let z = self.conv(second, &relu(self.conv(first, x)));
                relu(add(&z, x))
            }
            Block::SqueezeExcitation { first, second, squeeze, excite } => {
                let z = self.conv(second, &relu(self.conv(first, x)));
                let s = dense(excite, &relu(dense(squeeze, &self.means(&z))));
                let (gates, shifts) = s.split_at(s.len() / 2);
                let scaled = z.iter().enumerate().map(|(i, z)| {
                    let channel = i / self.cells();
                    z / (1.0 + (-gates[channel]).exp()) + shifts[channel]
                });
                relu(add(&scaled.collect::<Vec<_>>(), x))
            }
            Block::GlobalPooling { first, pool, shift, second } => {
                let g = relu(self.conv(pool, x));
                let means = self.means(&g);
                let scale = crate::layers::pooled_scale(self.cells());
                let scaled = means.iter().map(|mean| mean * scale);
                let most = g
                    .chunks(self.cells())
                    .map(|cells| cells.iter().copied().fold(f64::NEG_INFINITY, f64::max));
                let pooled: Vec<f64> = means.iter().copied().chain(scaled).chain(most).collect();
                let p = dense(shift, &pooled);
                let y = self
                    .conv(first, x)
                    .into_iter()
                    .enumerate()
                    .map(|(i, y)| y + p[i / self.cells()])
                    .collect();
                relu(add(&self.conv(second, &relu(y)), x))
            }
        }
    }

    fn means(&self, x: &[f64]) -> Vec<f64> {
        x.chunks(self.cells()).map(|cells| cells.iter().sum::<f64>() / self.cells() as f64).collect()
    }

    fn policy(&self, head: &Policy<Tensor>, x: &[f64]) -> Vec<f64> {
        match head {
            Policy::Convolution { first, second } => self.conv(second, &relu(self.conv(first, x))),
            Policy::Dense { conv, dense: layer } => dense(layer, &relu(self.conv(conv, x))),
        }
    }

    fn scalar(&self, head: &Scalar<Tensor>, x: &[f64]) -> Vec<f64> {
        dense(&head.output, &relu(dense(&head.hidden, &relu(self.conv(&head.conv, x)))))
    }
}

fn dense(layer: &Dense<Tensor>, x: &[f64]) -> Vec<f64> {
    let rows = layer.weight.values.chunks(x.len());
    let sum = |row: &[f32]| row.iter().zip(x).map(|(&w, x)| f64::from(w) * x).sum::<f64>();
    rows.zip(&layer.bias.values).map(|(row, &bias)| sum(row) + f64::from(bias)).collect()
}

fn relu(mut x: Vec<f64>) -> Vec<f64> {
    x.iter_mut().for_each(|x| *x = x.max(0.0));
    x
}

fn add(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn softmax(x: &[f64]) -> Vec<f64> {
    let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = x.iter().map(|x| (x - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}
