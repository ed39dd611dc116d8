//! A step of training on the GPU, run by a processor and held against the processor's own trainer: gradients of all that is trained, losses, and what a step
//! changes. Once as a device computes, with 16 bits, and once with floats, where nothing but the order of sums may differ.

use std::path::Path;
use std::process::Command;

use outplay_core::Rng;
use outplay_gpu::{Nvrtc, Plan, PlanOptions};
use outplay_net::train::{Losses, Parameters, Rule, Samples, Trainer, TrainingOptions};
use outplay_net::{BlockKind, Description, random_position};

use crate::nets::{everything, plain, scalar_heads};

/// Samples of chance, with everything that may be unknown.
pub fn random_samples(description: &Description, count: usize, seed: u64) -> Samples {
    let mut rng = Rng::new(seed);
    let (board, heads) = (description.board, &description.heads);
    let mut samples = Samples::default();
    let mut distribution = |size: usize, unknown: bool| -> Vec<f32> {
        let raw: Vec<f32> =
            (0..size).map(|_| if rng.unit() < 0.3 { -1.0 } else { rng.unit() as f32 }).collect();
        let sum: f32 = raw.iter().filter(|share| **share > 0.0).sum();
        raw.iter()
            .map(|&share| match () {
                () if unknown => 0.0,
                () if share < 0.0 || sum == 0.0 => share,
                () => share / sum,
            })
            .collect()
    };
    for number in 0..count {
        samples.policy.extend(distribution(heads.policy.size(board), false));
        if let Some(reply) = heads.reply {
            samples.reply.extend(distribution(reply.size(board), number % 5 == 3));
        }
    }
    for number in 0..count {
        samples.positions.extend(random_position(description.planes(), &mut rng));
        samples
            .value
            .push([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.25, 0.25]][number % 4]);
        samples.weight.push(if number % 3 == 0 { 0.5 } else { 1.0 });
        let unknown = number % 4 == 1;
        let mut number = |size: f32| if unknown { f32::NAN } else { size * (rng.unit() as f32 - 0.5) };
        if heads.margin.is_some() {
            samples.margin.push(number(40.0));
        }
        if heads.moves_left.is_some() {
            samples.moves_left.push(number(60.0));
        }
        if heads.ownership.is_some() {
            samples.ownership.extend((0..board.cells()).map(|_| number(2.0)));
        }
    }
    samples
}

/// A trainer that is not at its beginning: nothing is zero.
pub fn begun(description: &Description, options: TrainingOptions) -> Trainer {
    let parameters = Parameters::new(description.clone(), 11).unwrap();
    let mut trainer = Trainer::new(parameters, options);
    let mut rng = Rng::new(5);
    let decays = trainer.parameters().decays();
    let values = trainer.state_mut(3).into_iter().next().unwrap();
    for (value, is_weight) in values.iter_mut().zip(decays) {
        // Shifts and scales.
        if !is_weight {
            *value = *value * 0.5 + 0.5 + 0.4 * (rng.unit() as f32 - 0.5);
        }
    }
    trainer
}

/// What a step has left in memory.
struct After {
    memory: Vec<u8>,
}

impl After {
    fn floats(&self, place: usize, count: usize) -> Vec<f32> {
        self.memory[place..][..4 * count]
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect()
    }
}

fn put(memory: &mut [u8], place: usize, floats: &[f32]) {
    for (to, value) in memory[place..].chunks_exact_mut(4).zip(floats) {
        to.copy_from_slice(&value.to_le_bytes());
    }
}

/// Runs a step in the emulation.
fn emulate(
    name: &str,
    plan: &Plan,
    trainer: &Trainer,
    samples: &Samples,
    number_bytes: usize,
) -> Option<After> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("training-{name}-{number_bytes}"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut memory = vec![0xFF_u8; plan.bytes];
    for (place, bytes) in &plan.contents {
        memory[*place..][..bytes.len()].copy_from_slice(bytes);
    }
    plan.write_samples(samples, &mut memory);
    plan.write_settings(trainer.options(), 0.01, trainer.steps(), &mut memory);
    let p = &plan.places;
    let state = trainer.state();
    for (place, vector) in p.state().into_iter().zip(state) {
        put(&mut memory, place, vector);
    }
    memory.extend([0; 256]);
    let mut launches = Vec::new();
    let mut entries: Vec<&str> = plan.launches.iter().map(|launch| launch.entry.as_str()).collect();
    for launch in &plan.launches {
        let mut entry = launch.entry.clone().into_bytes();
        entry.resize(64, 0);
        launches.extend(entry);
        let sizes = [launch.grid[0], launch.grid[1], launch.threads as u32, launch.shared_bytes as u32];
        launches.extend(sizes.into_iter().flat_map(u32::to_le_bytes));
        launches.extend(launch.call.bytes());
    }
    entries.sort_unstable();
    entries.dedup();
    let calls: String = entries
        .iter()
        .map(|entry| format!("if (!std::strcmp(launch.entry, \"{entry}\")) return {entry}(memory, call);\n"))
        .collect();
    let write = |file: &str, bytes: &[u8]| std::fs::write(folder.join(file), bytes).unwrap();
    write("kernel.cu", plan.source.as_bytes());
    write("memory", &memory);
    write("launches", &launches);
    write("entries.inc", calls.as_bytes());
    let binary = folder.join("emulated");
    let built = Command::new("g++")
        .args(["-std=c++17", "-O2", "-fno-strict-aliasing", &format!("-DNUMBER_BYTES={number_bytes}"), "-I"])
        .arg(&folder)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/training.cpp"))
        .arg("-o")
        .arg(&binary)
        .output();
    let Ok(built) = built else {
        eprintln!("SKIPPED {name}: there is no g++ to build the kernels with");
        return None;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).arg(&folder).output().unwrap();
    assert!(run.status.success(), "{:?} {}", run.status, String::from_utf8_lossy(&run.stderr));
    Some(After { memory: std::fs::read(folder.join("after")).unwrap() })
}

/// The relative error of numbers, norm over norm.
pub fn error_of(numbers: &[f32], wanted: &[f32]) -> f64 {
    let square = |x: f32| f64::from(x) * f64::from(x);
    let error: f64 = numbers.iter().zip(wanted).map(|(&x, &y)| square(x - y)).sum();
    let norm: f64 = wanted.iter().map(|&y| square(y)).sum();
    (error / norm.max(1e-30)).sqrt()
}

pub fn listed(losses: &Losses) -> [f32; 8] {
    let Losses { total, policy, value, margin, moves_left, ownership, reply, gradient } = *losses;
    [total, policy, value, margin, moves_left, ownership, reply, gradient]
}

/// Bounds of errors with 16 bits: of all gradients, of a tensor's, and how small a tensor's share of all may be before it counts for more. Most of it comes
/// from numbers near zero that a rectifier lets pass or not.
pub const BRAIN_BOUNDS: [f64; 3] = [0.1, 0.3, 0.05];

/// The gradients, all together and tensor by tensor; those that are next to nothing compared to all count as if they had so much (`floor`).
pub fn check_gradients(
    name: &str,
    trainer: &Trainer,
    found: &[f32],
    wanted: &[f32],
    [bound, bound_of_one, floor]: [f64; 3],
) {
    let specs = trainer.parameters().description().layers();
    let names = specs.tensors();
    let slots = trainer.parameters().layers().tensors();
    let norm = |numbers: &[f32]| numbers.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    let all = norm(wanted);
    let mut worst = (0.0, String::new());
    for (slot, spec) in slots.into_iter().zip(names) {
        let ranges =
            std::iter::once(slot.at.clone()).chain(slot.norm.as_ref().map(|norm| norm.scale.clone()));
        for range in ranges {
            let (x, y) = (&found[range.clone()], &wanted[range]);
            let error = error_of(x, y) * norm(y) / norm(y).max(floor * all);
            if error > worst.0 || error.is_nan() {
                worst = (error, spec.name.clone());
            }
        }
    }
    let error = error_of(found, wanted);
    eprintln!("{name}: gradients {error:.1e} in all, at worst {:.1e} ({})", worst.0, worst.1);
    assert!(
        error <= bound && worst.0 <= bound_of_one,
        "{name}: gradients are wrong, worst that of {}",
        worst.1
    );
}

fn compare(name: &str, description: Description, batch: usize, options: TrainingOptions) {
    let samples = random_samples(&description, batch, 3);
    for (number_bytes, bound, loss_bound) in [(4, [1e-4, 1e-3, 1e-4], 1e-5), (2, BRAIN_BOUNDS, 1e-2)] {
        let mut trainer = begun(&description, options);
        let plan = Plan::new(&PlanOptions {
            parameters: trainer.parameters(),
            options: &options,
            batch,
            multiprocessors: 2,
            number_bytes,
        })
        .unwrap();
        let Some(after) = emulate(name, &plan, &trainer, &samples, number_bytes) else { return };
        let (_, wanted) = trainer.gradient(&samples).unwrap();
        let found = after.floats(plan.places.gradients, wanted.len());
        let name = format!("{name} with {number_bytes} bytes");
        let losses = after.floats(plan.places.results, 8);
        let before = trainer.state().into_iter().map(<[f32]>::to_vec).collect::<Vec<_>>();
        let wanted_losses = listed(&trainer.step(&samples, 0.01).unwrap());
        eprintln!("{name}: losses {losses:?}, wanted {wanted_losses:?}");
        check_gradients(&name, &trainer, &found, &wanted, bound);
        assert!(error_of(&losses, &wanted_losses) < loss_bound);
        // What the step has changed. Adam divides by the size of gradients: where there is next to none, their noise is all.
        let p = &plan.places;
        let places = p.state();
        for (number, ((place, wanted), before)) in
            places.into_iter().zip(trainer.state()).zip(before).enumerate()
        {
            let found = after.floats(place, wanted.len());
            let change = |now: &[f32]| -> Vec<f32> { now.iter().zip(&before).map(|(a, b)| a - b).collect() };
            let error = error_of(&change(&found), &change(wanted));
            eprintln!("{name}: state {number}: error of the change {error:.1e}");
            assert!(
                wanted.is_empty() || error < if number_bytes == 4 { 0.02 } else { 0.4 },
                "{name}: state {number}: {error}"
            );
        }
    }
}

/// Plain blocks with all heads that there are.
pub fn plain_blocks(description: Description, blocks: usize) -> Description {
    Description { blocks: vec![BlockKind::Plain {}; blocks], ..description }
}

fn averaging() -> TrainingOptions {
    TrainingOptions { average: 0.99, ..TrainingOptions::default() }
}

#[test]
fn an_emulated_step_of_plain_blocks_is_the_processors() {
    compare("8x8", plain_blocks(everything(8, 8, 64), 2), 5, averaging());
    compare("6x7", plain_blocks(everything(6, 7, 40), 1), 9, TrainingOptions::default());
}

#[test]
fn an_emulated_step_of_blocks_with_squeeze_and_excitation_is_the_processors() {
    // Of few hidden numbers, one that a rectifier lets pass or not is a large share.
    let blocks =
        vec![BlockKind::SqueezeExcitation { hidden: 24 }, BlockKind::SqueezeExcitation { hidden: 17 }];
    compare("excitation", Description { blocks, ..scalar_heads(everything(5, 4, 40)) }, 23, averaging());
    let blocks = vec![BlockKind::Plain {}, BlockKind::SqueezeExcitation { hidden: 16 }];
    compare(
        "excitation of 128",
        Description { blocks, ..scalar_heads(everything(3, 8, 128)) },
        3,
        averaging(),
    );
}

#[test]
fn other_boards_widths_and_rules_are_no_exception_for_an_emulated_step() {
    let momentum =
        TrainingOptions { rule: Rule::Momentum { momentum: 0.9 }, longest_gradient: 0.01, ..averaging() };
    compare("5x4", plain_blocks(scalar_heads(everything(5, 4, 64)), 1), 15, momentum);
    compare("3x3", plain_blocks(everything(3, 3, 5), 0), 37, averaging());
    compare("128", plain_blocks(scalar_heads(everything(5, 8, 128)), 1), 3, averaging());
    compare("15x15", plain_blocks(everything(15, 15, 20), 1), 2, averaging());
}

#[test]
fn every_network_compiles_and_products_are_not_serialised() {
    let Ok(nvrtc) = Nvrtc::find() else {
        eprintln!("SKIPPED: there is no NVRTC");
        return;
    };
    let networks = [
        ("6x64 on 8x8", plain((8, 8), vec![BlockKind::Plain {}; 6], 64)),
        ("all heads on 6x7", plain_blocks(everything(6, 7, 64), 2)),
        ("of 128 on 8x8", plain_blocks(everything(8, 8, 128), 2)),
        ("15x15", plain_blocks(scalar_heads(everything(15, 15, 64)), 1)),
        (
            "6x64 with squeeze and excitation",
            plain((8, 8), vec![BlockKind::SqueezeExcitation { hidden: 16 }; 6], 64),
        ),
        ("3x3", plain_blocks(everything(3, 3, 32), 1)),
    ];
    for (name, description) in networks {
        let options = averaging();
        let parameters = Parameters::new(description, 1).unwrap();
        let given = PlanOptions {
            parameters: &parameters,
            options: &options,
            batch: 2048,
            multiprocessors: 132,
            number_bytes: 2,
        };
        let plan = Plan::new(&given).unwrap();
        if let Ok(folder) = std::env::var("OUTPLAY_KEEP_KERNELS") {
            std::fs::write(Path::new(&folder).join(format!("{name}.cu")), &plan.source).unwrap();
        }
        let compiled = nvrtc.compile(&plan.source, "sm_90a").unwrap();
        for code in ["C7510", "C7512", "C7520"] {
            assert!(!compiled.log.contains(code), "{name}: {}", compiled.log);
        }
        if let Ok(folder) = std::env::var("OUTPLAY_KEEP_KERNELS") {
            std::fs::write(Path::new(&folder).join(format!("{name}.cubin")), &compiled.image).unwrap();
        }
    }
}
