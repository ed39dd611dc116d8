//! Losses and gradients, held against PyTorch's on the same weights and the same batch.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use outplay_core::Rng;
use outplay_net::train::{LossWeights, Losses, Parameters, Rule, Samples, Trainer, TrainingOptions};
use outplay_net::{
    Block, BlockKind, BoardSize, Description, Heads, Input, Layers, Policy, PolicyKind, ScalarKind, Spec,
    ValueKind, random_position,
};
use serde_json::{Value, json};

use crate::python;

/// Networks that have every kind of block and head between them.
fn descriptions() -> Vec<(&'static str, Description)> {
    let description = |board, channels, blocks, policy, value| Description {
        game: "none".to_string(),
        board,
        input: Input { encoder: "none".to_string(), bit_planes: 3, constant_planes: 1 },
        channels,
        blocks,
        heads: Heads {
            policy,
            value,
            margin: Some(ScalarKind { channels: 2, hidden: 8 }),
            moves_left: Some(ScalarKind { channels: 1, hidden: 6 }),
            ownership: Some(3),
            reply: Some(policy),
        },
        made_by: None,
    };
    let small = BoardSize { rows: 6, columns: 7 };
    let dense = PolicyKind::Dense { channels: 4, outputs: 7 };
    let conv = |kernel| PolicyKind::Convolution { kernel, channels: 8, planes: 2 };
    let wdl = ValueKind::WinDrawLoss { channels: 4, hidden: 16 };
    let scalar = ValueKind::Scalar { channels: 4, hidden: 16 };
    let excited = BlockKind::SqueezeExcitation { hidden: 6 };
    let pooled = BlockKind::GlobalPooling { channels: 8 };
    let all = [BlockKind::Plain {}, excited, pooled].repeat(2);
    vec![
        ("stem alone, dense policy, chances", description(small, 24, vec![], dense, wdl)),
        (
            "plain, 3x3 policy, one value",
            description(small, 24, vec![BlockKind::Plain {}; 3], conv(3), scalar),
        ),
        (
            "squeeze and excitation, dense policy, chances",
            description(small, 24, vec![excited; 3], dense, wdl),
        ),
        ("global pooling, 1x1 policy, one value", description(small, 24, vec![pooled; 3], conv(1), scalar)),
        (
            "all kinds of blocks, 64 wide, 9x9",
            description(BoardSize { rows: 9, columns: 9 }, 64, all, conv(1), wdl),
        ),
    ]
}

/// Positions and targets of chance, some of them unknown.
fn samples(description: &Description, count: usize, rng: &mut Rng) -> Samples {
    let (board, heads) = (description.board, &description.heads);
    let mut samples = Samples::default();
    let policy = |size: usize, rng: &mut Rng| -> Vec<f32> {
        (0..size).map(|i| if i > 0 && rng.below(4) == 0 { -1.0 } else { rng.unit().powi(6) as f32 }).collect()
    };
    for number in 0..count {
        samples.positions.extend(random_position(description.planes(), rng));
        samples.policy.extend(policy(heads.policy.size(board), rng));
        let chances = [rng.unit(), rng.unit(), rng.unit()];
        let sum: f64 = chances.iter().sum();
        samples.value.push(chances.map(|chance| (chance / sum) as f32));
        samples.weight.push((0.5 + rng.unit()) as f32);
        let unknown = number % 5 == 1;
        let known = |value: f64| if unknown { f32::NAN } else { value as f32 };
        samples.margin.push(known(40.0 * rng.unit() - 20.0));
        samples.moves_left.push(known(40.0 * rng.unit()));
        samples.ownership.extend((0..board.cells()).map(|_| known(2.0 * rng.unit() - 1.0)));
        let size = heads.reply.expect("a head").size(board);
        samples.reply.extend(if unknown { vec![0.0; size] } else { policy(size, rng) });
    }
    samples
}

/// The vectors of a trainer: weights, running statistics, what the optimiser keeps.
fn vectors(trainer: &Trainer) -> Vec<Vec<f32>> {
    let bytes = trainer.to_bytes();
    let mut rest = &bytes[16..bytes.len() - 8];
    let mut vectors = Vec::new();
    while let Some((length, others)) = rest.split_first_chunk::<8>() {
        let (numbers, others) = others.split_at(4 * u64::from_le_bytes(*length) as usize);
        let four = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        vectors.push(numbers.chunks_exact(4).map(four).collect());
        rest = others;
    }
    vectors
}

/// The convolutions that are normalised, by their names, in the order in which their scales follow the tensors.
fn normalised(layers: &Layers<Spec>) -> Vec<&Spec> {
    let mut all = vec![&layers.stem.bias];
    for block in &layers.blocks {
        match block {
            Block::Plain { first, second } | Block::SqueezeExcitation { first, second, .. } => {
                all.extend([&first.bias, &second.bias]);
            }
            Block::GlobalPooling { first, pool, second, .. } => {
                all.extend([&first.bias, &pool.bias, &second.bias]);
            }
        }
    }
    let heads = &layers.heads;
    for policy in std::iter::once(&heads.policy).chain(&heads.reply) {
        let (Policy::Convolution { first: conv, .. } | Policy::Dense { conv, .. }) = policy;
        all.push(&conv.bias);
    }
    let scalars = std::iter::once(&heads.value).chain(&heads.margin).chain(&heads.moves_left);
    all.extend(scalars.map(|head| &head.conv.bias));
    all.extend(heads.ownership.as_ref().map(|(first, _)| &first.bias));
    all
}

/// Where each weight stands in the vector of all, and its shape.
fn weights(description: &Description) -> BTreeMap<String, Vec<usize>> {
    let layers = description.layers();
    let (mut weights, mut start) = (BTreeMap::new(), 0);
    let mut add = |name: String, shape: &[usize]| {
        weights.insert(name, [&[start], shape].concat());
        start += shape.iter().product::<usize>();
    };
    layers.tensors().into_iter().for_each(|spec| add(spec.name.clone(), &spec.shape));
    for bias in normalised(&layers) {
        add(bias.name.replace(".bias", ".scale"), &bias.shape);
    }
    weights
}

/// Writes what PyTorch is to know.
fn tell(folder: &Path, description: &Description, values: &[f32], samples: &Samples, counts: &LossWeights) {
    let (planes, n, board) = (description.planes(), samples.len(), description.board);
    let shown = samples.positions.chunks(planes.words()).flat_map(|words| {
        (0..planes.count() * planes.cells())
            .map(move |i| planes.value(words, i / planes.cells(), i % planes.cells()))
    });
    let mut numbers: Vec<f32> = Vec::new();
    let mut arrays = BTreeMap::new();
    let mut add = |name: &'static str, array: &[f32], shape: &[usize]| {
        arrays.insert(name, [&[numbers.len()], shape].concat());
        numbers.extend(array);
    };
    let reply = description.heads.reply.expect("a head").size(board);
    add("values", values, &[values.len()]);
    add("planes", &shown.collect::<Vec<f32>>(), &[n, planes.count(), board.rows, board.columns]);
    add("policy", &samples.policy, &[n, description.heads.policy.size(board)]);
    add("value", samples.value.as_flattened(), &[n, 3]);
    add("weight", &samples.weight, &[n]);
    add("margin", &samples.margin, &[n]);
    add("moves_left", &samples.moves_left, &[n]);
    add("ownership", &samples.ownership, &[n, board.cells()]);
    add("reply", &samples.reply, &[n, reply]);
    let LossWeights { policy, value, margin, moves_left, ownership, reply } = counts;
    let told = json!({
        "description": description,
        "arrays": arrays,
        "weights": weights(description),
        "counts": {
            "policy": policy, "value": value, "margin": margin, "moves_left": moves_left, "ownership": ownership, "reply": reply,
        },
    });
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("numbers.f32"), bytes).expect("a file");
    std::fs::write(folder.join("told.json"), told.to_string()).expect("a file");
}

/// How long the difference is beside the vector itself.
fn relative(found: &[f32], wanted: &[f64]) -> f64 {
    let difference: f64 = found.iter().zip(wanted).map(|(&a, b)| (f64::from(a) - b).powi(2)).sum();
    (difference / wanted.iter().map(|b| b * b).sum::<f64>()).sqrt()
}

#[test]
fn losses_and_gradients_are_those_of_pytorch() {
    let Some(python) = python::with_modules(&["numpy", "torch"]) else { return };
    let python = python.get_program().to_owned();
    let counts =
        LossWeights { policy: 1.0, value: 1.3, margin: 0.7, moves_left: 0.6, ownership: 0.8, reply: 0.9 };
    let options = |momentum: f32| TrainingOptions {
        rule: Rule::Momentum { momentum },
        decay: 0.0,
        longest_gradient: if momentum > 0.0 { 1.0 } else { f32::MAX },
        weights: counts,
        ..TrainingOptions::default()
    };
    let mut rng = Rng::new(9);
    for (name, description) in descriptions() {
        // Some steps away from where training begins: zeros hide mistakes.
        let parameters = Parameters::new(description.clone(), rng.next_u64()).expect("a description");
        let mut trainer = Trainer::new(parameters, options(0.9));
        for _ in 0..15 {
            trainer.step(&samples(&description, 16, &mut rng), 0.05).expect("samples that fit");
        }
        // Without momentum the optimiser keeps the last gradient, and a step of size zero changes no weight.
        let bytes = trainer.to_bytes();
        let mut trainer =
            Trainer::from_bytes(description.clone(), options(0.0), &bytes).expect("our own bytes");
        let values = vectors(&trainer).swap_remove(0);
        let batch = samples(&description, 24, &mut rng);
        let losses = trainer.step(&batch, 0.0).expect("samples that fit");
        let gradients = vectors(&trainer).swap_remove(2);
        assert_eq!(
            (gradients.len(), values.len()),
            (trainer.parameters().count(), trainer.parameters().count())
        );

        let folder = python::scratch(&format!("gradients-{}", description.blocks.len()));
        tell(&folder, &description, &values, &batch, &counts);
        let mut python = Command::new(&python);
        python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/gradients.py")).arg(&folder);
        let said: Value = serde_json::from_str(&python::output(python.arg("float32"))).expect("JSON");
        for (head, loss) in by_name(&losses) {
            let wanted = said[head].as_f64().expect("a loss");
            let error = (f64::from(loss) - wanted).abs();
            assert!(error <= 1e-4 * wanted.abs(), "{name}, {head}: {loss} {wanted}");
        }
        let bytes = std::fs::read(folder.join("gradients.f64")).expect("what was written");
        let eight = |eight: &[u8]| f64::from_le_bytes(eight.try_into().expect("eight bytes"));
        let wanted: Vec<f64> = bytes.chunks_exact(8).map(eight).collect();
        assert_eq!(wanted.len(), gradients.len());
        let error = relative(&gradients, &wanted);
        println!("{name}: {error:.1e}");
        assert!(error <= 1e-4, "{name}: {error}");
        for (tensor, place) in weights(&description) {
            let at = place[0]..place[0] + place[1..].iter().product::<usize>();
            let length = wanted[at.clone()].iter().map(|g| g * g).sum::<f64>().sqrt();
            assert!(length > 0.0, "{name}: nothing is learned of {tensor}");
            let error = relative(&gradients[at.clone()], &wanted[at]);
            // A tensor that hardly matters has the rounding errors of those that do.
            assert!(error <= 2e-3, "{name}, {tensor}: {error} of {length}");
        }
    }
}

fn by_name(losses: &Losses) -> [(&'static str, f32); 7] {
    let Losses { total, policy, value, margin, moves_left, ownership, reply, .. } = *losses;
    [
        ("total", total),
        ("policy", policy),
        ("value", value),
        ("margin", margin),
        ("moves_left", moves_left),
        ("ownership", ownership),
        ("reply", reply),
    ]
}
