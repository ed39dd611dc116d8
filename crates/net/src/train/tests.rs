//! Gradients against finite differences of a loss that is computed plainly, in 64 bits.

use outplay_core::Rng;

use super::parameters::Slot;
use super::*;
use crate::backend::{Backend, Outputs};
use crate::description::{
    BlockKind, BoardSize, Description, Heads, Input, PolicyKind, ScalarKind, ValueKind,
};
use crate::layers::{Block, Conv, Dense, Policy, Scalar, pooled_scale};
use crate::reference::Reference;

/// A small network with these blocks, all heads, and a policy and a value of these kinds.
fn description(blocks: Vec<BlockKind>, policy: PolicyKind, value: ValueKind) -> Description {
    Description {
        game: "none".to_string(),
        board: BoardSize { rows: 5, columns: 6 },
        input: Input { encoder: "none".to_string(), bit_planes: 2, constant_planes: 1 },
        channels: 5,
        blocks,
        heads: Heads {
            policy,
            value,
            margin: Some(ScalarKind { channels: 2, hidden: 4 }),
            moves_left: Some(ScalarKind { channels: 1, hidden: 3 }),
            ownership: Some(3),
            reply: Some(policy),
        },
        made_by: None,
    }
}

fn kinds() -> Vec<Description> {
    let dense = PolicyKind::Dense { channels: 3, outputs: 7 };
    let wdl = ValueKind::WinDrawLoss { channels: 2, hidden: 5 };
    let scalar = ValueKind::Scalar { channels: 2, hidden: 5 };
    let conv = |kernel| PolicyKind::Convolution { kernel, channels: 4, planes: 2 };
    vec![
        description(vec![], dense, wdl),
        description(vec![BlockKind::Plain {}; 2], conv(3), scalar),
        description(vec![BlockKind::SqueezeExcitation { hidden: 3 }; 2], dense, wdl),
        description(vec![BlockKind::Plain {}, BlockKind::GlobalPooling { channels: 3 }], conv(1), wdl),
    ]
}

fn unit(rng: &mut Rng) -> f32 {
    rng.unit() as f32
}

/// Positions and targets of chance, some of them unknown.
fn samples(description: &Description, count: usize, rng: &mut Rng) -> Samples {
    let (board, heads) = (description.board, &description.heads);
    let mut samples = Samples::default();
    let policy = |size: usize, rng: &mut Rng| -> Vec<f32> {
        (0..size).map(|i| if i > 0 && rng.below(4) == 0 { -1.0 } else { unit(rng).powi(6) }).collect()
    };
    for number in 0..count {
        let planes = description.planes();
        for _ in 0..planes.bits {
            samples.positions.push(rng.next_u64() & ((1 << planes.cells()) - 1));
        }
        samples.positions.push(outplay_core::Planes::constant(unit(rng)));
        samples.policy.extend(policy(heads.policy.size(board), rng));
        let [win, draw, lose] = [unit(rng), unit(rng), unit(rng)];
        samples.value.push([win, draw, lose].map(|chance| chance / (win + draw + lose)));
        samples.weight.push(0.5 + unit(rng));
        let unknown = number == 1;
        let known = |value: f32| if unknown { f32::NAN } else { value };
        samples.margin.push(known(40.0 * unit(rng) - 20.0));
        samples.moves_left.push(known(20.0 * unit(rng)));
        samples.ownership.extend((0..board.cells()).map(|_| known(2.0 * unit(rng) - 1.0)));
        let size = heads.reply.expect("a head").size(board);
        samples.reply.extend(if unknown { vec![0.0; size] } else { policy(size, rng) });
    }
    samples
}

fn parameters(description: Description, rng: &mut Rng) -> Parameters {
    let mut parameters = Parameters::new(description, rng.next_u64()).expect("a description");
    // Nothing may stand where training begins: zeros hide mistakes.
    parameters.values.iter_mut().for_each(|value| *value += 0.3 * (unit(rng) - 0.3));
    parameters
}

/// The loss by the definitions. A map is `[board][channel][cell]`.
struct Plain<'p> {
    parameters: &'p Parameters,
    values: Vec<f64>,
    rows: usize,
    columns: usize,
}

type Maps = Vec<Vec<Vec<f64>>>;

impl Plain<'_> {
    fn at(&self, slot: &Slot) -> &[f64] {
        &self.values[slot.at.clone()]
    }

    fn conv(&self, conv: &Conv<Slot>, x: &Maps) -> Maps {
        let &[outputs, inputs, side, _] = conv.weight.shape.as_slice() else { panic!("a convolution") };
        let (weights, bias) = (self.at(&conv.weight), self.at(&conv.bias));
        let cells = self.rows * self.columns;
        let mut y: Maps = x.iter().map(|_| vec![vec![0.0; cells]; outputs]).collect();
        for (board, y) in x.iter().zip(&mut y) {
            for (o, i, cell) in
                (0..outputs * inputs * cells).map(|n| (n / cells / inputs, n / cells % inputs, n % cells))
            {
                for (dr, dc) in (0..side * side).map(|n| (n / side, n % side)) {
                    let r = (cell / self.columns + dr).wrapping_sub(side / 2);
                    let c = (cell % self.columns + dc).wrapping_sub(side / 2);
                    if r < self.rows && c < self.columns {
                        y[o][cell] += weights[((o * inputs + i) * side + dr) * side + dc]
                            * board[i][r * self.columns + c];
                    }
                }
            }
        }
        let Some(norm) = &conv.bias.norm else {
            y.iter_mut()
                .for_each(|y| y.iter_mut().zip(bias).for_each(|(y, b)| y.iter_mut().for_each(|y| *y += b)));
            return y;
        };
        for o in 0..outputs {
            let all: Vec<f64> = y.iter().flat_map(|board| board[o].iter().copied()).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let variance = all.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / all.len() as f64;
            let deviation = (variance + f64::from(super::parameters::EPSILON)).sqrt();
            let scale = self.values[norm.scale.start + o];
            y.iter_mut()
                .flat_map(|board| &mut board[o])
                .for_each(|y| *y = scale * (*y - mean) / deviation + bias[o]);
        }
        y
    }

    fn dense(&self, layer: &Dense<Slot>, x: &[f64]) -> Vec<f64> {
        let rows = self.at(&layer.weight).chunks(x.len()).zip(self.at(&layer.bias));
        rows.map(|(row, bias)| bias + row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>()).collect()
    }

    fn block(&self, block: &Block<Slot>, x: &Maps) -> Maps {
        let added = |z: Maps| -> Maps { relu(combine(&z, x, |z, x| z + x)) };
        match block {
            Block::Plain { first, second } => added(self.conv(second, &relu(self.conv(first, x)))),
            Block::SqueezeExcitation { first, second, squeeze, excite } => {
                let mut z = self.conv(second, &relu(self.conv(first, x)));
                for board in &mut z {
                    let means: Vec<f64> = board.iter().map(|cells| mean(cells)).collect();
                    let s = self.dense(excite, &rectified(self.dense(squeeze, &means)));
                    for (c, cells) in board.iter_mut().enumerate() {
                        let (gate, shift) = (1.0 / (1.0 + (-s[c]).exp()), s[s.len() / 2 + c]);
                        cells.iter_mut().for_each(|z| *z = *z * gate + shift);
                    }
                }
                added(z)
            }
            Block::GlobalPooling { first, pool, shift, second } => {
                let g = relu(self.conv(pool, x));
                let mut y = self.conv(first, x);
                for (g, y) in g.iter().zip(&mut y) {
                    let means: Vec<f64> = g.iter().map(|cells| mean(cells)).collect();
                    let scale = pooled_scale(self.rows * self.columns);
                    let scaled: Vec<f64> = means.iter().map(|mean| mean * scale).collect();
                    let most: Vec<f64> = g
                        .iter()
                        .map(|cells| cells.iter().copied().fold(f64::NEG_INFINITY, f64::max))
                        .collect();
                    let p = self.dense(shift, &[means, scaled, most].concat());
                    y.iter_mut().zip(p).for_each(|(y, p)| y.iter_mut().for_each(|y| *y += p));
                }
                added(self.conv(second, &relu(y)))
            }
        }
    }

    fn policy(&self, head: &Policy<Slot>, x: &Maps) -> Vec<Vec<f64>> {
        match head {
            Policy::Convolution { first, second } => self
                .conv(second, &relu(self.conv(first, x)))
                .into_iter()
                .map(|board| board.concat())
                .collect(),
            Policy::Dense { conv, dense } => {
                let maps = relu(self.conv(conv, x));
                maps.into_iter().map(|board| self.dense(dense, &board.concat())).collect()
            }
        }
    }

    fn scalar(&self, head: &Scalar<Slot>, x: &Maps) -> Vec<Vec<f64>> {
        let maps = relu(self.conv(&head.conv, x));
        let hidden = maps.into_iter().map(|board| rectified(self.dense(&head.hidden, &board.concat())));
        hidden.map(|hidden| self.dense(&head.output, &hidden)).collect()
    }

    fn loss(&self, samples: &Samples, weights: &LossWeights) -> f64 {
        let description = self.parameters.description();
        let planes = description.planes();
        let show = |words: &[u64]| -> Vec<Vec<f64>> {
            let cells =
                |plane| (0..planes.cells()).map(move |cell| f64::from(planes.value(words, plane, cell)));
            (0..planes.count()).map(|plane| cells(plane).collect()).collect()
        };
        let layers = &self.parameters.layers;
        let input: Maps = samples.positions.chunks(planes.words()).map(show).collect();
        let mut x = relu(self.conv(&layers.stem, &input));
        for block in &layers.blocks {
            x = self.block(block, &x);
        }
        let n = samples.len();
        let total = |weight: f32, losses: Vec<f64>| {
            let sum: f64 = losses.iter().zip(&samples.weight).map(|(loss, &w)| loss * f64::from(w)).sum();
            f64::from(weight) * sum / n as f64
        };
        let entropy = |logits: Vec<Vec<f64>>, targets: &[f32]| -> Vec<f64> {
            logits.iter().zip(targets.chunks(targets.len() / n)).map(|(l, t)| cross_entropy(l, t)).collect()
        };
        let distance = |said: f64, target: f32| match ((said - f64::from(target)) / 8.0).abs() {
            error if error.is_nan() => 0.0,
            error if error > 1.0 => 2.0 * error - 1.0,
            error => error * error,
        };
        let heads = &layers.heads;
        let mut sum = total(weights.policy, entropy(self.policy(&heads.policy, &x), &samples.policy));
        let value = self.scalar(&heads.value, &x);
        sum += match description.heads.value {
            ValueKind::WinDrawLoss { .. } => {
                total(weights.value, entropy(value, samples.value.as_flattened()))
            }
            ValueKind::Scalar { .. } => {
                let error = |v: &Vec<f64>, [w, _, l]: &[f32; 3]| (v[0].tanh() - f64::from(w - l)).powi(2);
                total(weights.value, value.iter().zip(&samples.value).map(|(v, t)| error(v, t)).collect())
            }
        };
        let margin = self.scalar(heads.margin.as_ref().expect("a head"), &x);
        sum += total(
            weights.margin,
            margin.iter().zip(&samples.margin).map(|(m, &t)| distance(m[0], t)).collect(),
        );
        let left = self.scalar(heads.moves_left.as_ref().expect("a head"), &x);
        let left = left.iter().zip(&samples.moves_left).map(|(m, &t)| distance(m[0], t));
        sum += total(weights.moves_left, left.collect());
        sum += total(
            weights.reply,
            entropy(self.policy(heads.reply.as_ref().expect("a head"), &x), &samples.reply),
        );
        let (first, second) = heads.ownership.as_ref().expect("a head");
        let owned = self.conv(second, &relu(self.conv(first, &x)));
        let of_board = |cells: &[f64], targets: &[f32]| {
            let errors = cells.iter().zip(targets).filter(|(_, t)| !t.is_nan());
            errors.map(|(o, &t)| (o.tanh() - f64::from(t)).powi(2)).sum::<f64>() / cells.len() as f64
        };
        let cells = planes.cells();
        sum + total(
            weights.ownership,
            owned
                .iter()
                .zip(samples.ownership.chunks(cells))
                .map(|(board, t)| of_board(&board[0], t))
                .collect(),
        )
    }
}

fn cross_entropy(logits: &[f64], targets: &[f32]) -> f64 {
    let legal = || logits.iter().zip(targets).filter(|(_, t)| **t >= 0.0);
    let sum = legal().map(|(l, _)| l.exp()).sum::<f64>().ln();
    let known: f64 = legal().map(|(_, &t)| f64::from(t)).sum();
    if known == 0.0 { 0.0 } else { legal().map(|(l, &t)| f64::from(t) / known * (sum - l)).sum() }
}

fn mean(cells: &[f64]) -> f64 {
    cells.iter().sum::<f64>() / cells.len() as f64
}

fn rectified(x: Vec<f64>) -> Vec<f64> {
    x.into_iter().map(|x| x.max(0.0)).collect()
}

fn relu(maps: Maps) -> Maps {
    maps.into_iter().map(|board| board.into_iter().map(rectified).collect()).collect()
}

fn combine(a: &Maps, b: &Maps, f: impl Fn(f64, f64) -> f64) -> Maps {
    let cells = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect();
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(cells).collect()).collect()
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let mut rng = Rng::new(3);
    for description in kinds() {
        let parameters = parameters(description.clone(), &mut rng);
        let samples = samples(&description, 7, &mut rng);
        let weights =
            LossWeights { policy: 1.0, value: 1.3, margin: 0.7, moves_left: 0.6, ownership: 0.8, reply: 0.9 };
        let trainer =
            Trainer::new(parameters.clone(), TrainingOptions { weights, ..TrainingOptions::default() });
        let Gradients { losses, gradients, .. } = trainer.gradients(&samples).expect("samples that fit");
        let values: Vec<f64> = parameters.values.iter().map(|&value| f64::from(value)).collect();
        let BoardSize { rows, columns } = description.board;
        let plainly = |values: Vec<f64>| {
            Plain { parameters: &parameters, values, rows, columns }.loss(&samples, &weights)
        };
        let loss = plainly(values.clone());
        assert!((loss - f64::from(losses.total)).abs() < 1e-4 * loss, "{loss} {losses:?}");
        let longest = gradients.iter().fold(0f32, |most, g| most.max(g.abs()));
        // Some numbers of each tensor.
        let starts = parameters.layers.tensors();
        let tensors = starts.iter().flat_map(|slot| {
            let norm = slot.norm.as_ref().map(|norm| norm.scale.clone());
            std::iter::once(slot.at.clone()).chain(norm)
        });
        let mut differ = 0;
        for at in tensors {
            for _ in 0..4 {
                let i = at.start + rng.below(at.len());
                let step = 1e-5;
                let moved = |by: f64| {
                    let mut values = values.clone();
                    values[i] += by;
                    plainly(values)
                };
                let slope = (moved(step) - moved(-step)) / (2.0 * step);
                let error = (slope - f64::from(gradients[i])).abs();
                assert!(
                    error < 1e-3 * slope.abs() + 2e-5 * f64::from(longest),
                    "{:?} at {i} in {at:?}: {slope} {}",
                    description.blocks,
                    gradients[i]
                );
                differ += usize::from(slope.abs() > 1e-6);
            }
        }
        assert!(differ > 100, "most gradients are not zero: {differ}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut rng = Rng::new(4);
    for description in kinds() {
        let parameters = parameters(description.clone(), &mut rng);
        let samples: Vec<Samples> = (0..3).map(|_| samples(&description, 21, &mut rng)).collect();
        let train = |threads: usize| {
            let workers = Workers::new(threads);
            let options = TrainingOptions { workers, average: 0.9, ..TrainingOptions::default() };
            let mut trainer = Trainer::new(parameters.clone(), options);
            samples.iter().for_each(|samples| {
                trainer.step(samples, 1e-2).expect("samples that fit");
            });
            (trainer.parameters.clone(), trainer.network().expect("a network"))
        };
        assert!(train(1) == train(3));
    }
}

#[test]
fn training_learns_what_it_is_shown_and_play_says_it() {
    let mut rng = Rng::new(5);
    for description in kinds() {
        let samples = samples(&description, 16, &mut rng);
        for rule in [Rule::AdamW { beta1: 0.9, beta2: 0.99 }, Rule::Momentum { momentum: 0.9 }] {
            let parameters = Parameters::new(description.clone(), 1).expect("a description");
            let mut trainer =
                Trainer::new(parameters, TrainingOptions { rule, decay: 0.0, ..TrainingOptions::default() });
            let first = trainer.step(&samples, 0.0).expect("samples that fit").total;
            let rate = if matches!(rule, Rule::AdamW { .. }) { 0.01 } else { 0.2 };
            let mut last = first;
            for step in 0..120 {
                // Statistics of play follow the last batches: weights have to come to rest.
                let rate = rate * (1.0 - step as f32 / 80.0).max(0.0);
                last = trainer.step(&samples, rate).expect("samples that fit").total;
            }
            assert!(last < first - 0.2, "{first} {last}");
            // The running statistics have followed, so the network for play says what training says.
            let backend = Reference::new(trainer.network().expect("a network"));
            let words = description.planes().words();
            let positions: Vec<&[u64]> = samples.positions.chunks(words).collect();
            let mut outputs = Outputs::default();
            backend.begin().run(&positions, &mut outputs).expect("positions that fit");
            let size = description.heads.policy.size(description.board);
            let played: f64 = (0..16)
                .map(|i| {
                    let logits: Vec<f64> = outputs.policy_of(i).iter().map(|&l| f64::from(l)).collect();
                    f64::from(samples.weight[i]) * cross_entropy(&logits, &samples.policy[i * size..][..size])
                })
                .sum::<f64>()
                / 16.0;
            let trained = trainer.gradients(&samples).expect("samples that fit").losses.policy;
            assert!((played - f64::from(trained)).abs() < 0.1 * played, "{rule:?}: {played} {trained}");
        }
    }
}

#[test]
fn samples_that_do_not_fit_and_runaway_training_are_refused() {
    let mut rng = Rng::new(6);
    let description = kinds().remove(0);
    let whole = samples(&description, 4, &mut rng);
    let mut trainer = Trainer::new(parameters(description, &mut rng), TrainingOptions::default());
    let before = trainer.parameters.clone();
    let mut short = whole.clone();
    short.policy.pop();
    assert!(trainer.step(&short, 0.1).unwrap_err().to_string().contains("numbers of policy"));
    let mut wild = whole.clone();
    wild.value[0] = [f32::NAN; 3];
    wild.weight[0] = f32::INFINITY;
    assert!(trainer.step(&wild, 0.1).unwrap_err().to_string().contains("lower learning rate"));
    assert!(trainer.parameters == before);
    trainer.step(&whole, 0.1).expect("it goes on");
}

#[test]
fn a_trainer_goes_on_from_its_bytes_and_damage_is_noticed() {
    let mut rng = Rng::new(7);
    let description = kinds().remove(2);
    let batches: Vec<Samples> = (0..4).map(|_| samples(&description, 8, &mut rng)).collect();
    let options = TrainingOptions { average: 0.9, ..TrainingOptions::default() };
    let mut trainer = Trainer::new(parameters(description.clone(), &mut rng), options);
    let learn = |trainer: &mut Trainer, batches: &[Samples]| {
        batches.iter().for_each(|batch| {
            trainer.step(batch, 0.01).expect("samples that fit");
        });
    };
    learn(&mut trainer, &batches[..2]);
    let bytes = trainer.to_bytes();
    let mut resumed = Trainer::from_bytes(description.clone(), options, &bytes).expect("a trainer");
    learn(&mut trainer, &batches[2..]);
    learn(&mut resumed, &batches[2..]);
    assert!(trainer.to_bytes() == resumed.to_bytes());
    for place in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert!(Trainer::from_bytes(description.clone(), options, &damaged).is_err());
        assert!(Trainer::from_bytes(description.clone(), options, &bytes[..place]).is_err());
    }
    let other = Trainer::from_bytes(kinds().remove(0), options, &bytes);
    assert!(other.err().expect("another network").to_string().contains("another network"));
    assert!(Trainer::from_bytes(description, TrainingOptions::default(), &bytes).is_err());
}
