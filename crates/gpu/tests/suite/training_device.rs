//! Training on a GPU, held against the processor's. Skipped, and says so, where there is no GPU for it.

use outplay_gpu::{GpuTrainer, devices};
use outplay_net::train::{Rule, Trainer, TrainingOptions};
use outplay_net::{BlockKind, Description};

use crate::nets::{everything, plain, scalar_heads};
use crate::training::{BRAIN_BOUNDS, begun, check_gradients, error_of, listed, plain_blocks, random_samples};

fn is_there() -> bool {
    let found = devices().map(|devices| devices.first().map(|device| device.capability));
    let is_there = matches!(found, Ok(Some((9, 0))));
    if !is_there {
        eprintln!("SKIPPED: no Hopper GPU ({found:?})");
    }
    is_there
}

fn options() -> TrainingOptions {
    TrainingOptions { average: 0.99, ..TrainingOptions::default() }
}

fn bits(trainer: &Trainer) -> Vec<u32> {
    trainer.state().into_iter().flatten().map(|value| value.to_bits()).collect()
}

/// One step both ways: losses and gradients; and twice on the GPU, in other memory: the same bits.
fn compare(name: &str, description: Description, batch: usize) {
    if !is_there() {
        return;
    }
    let samples = random_samples(&description, batch, 3);
    let host = begun(&description, options());
    let mut gpu = GpuTrainer::new(begun(&description, options()), 0, batch).unwrap();
    let losses = gpu.step(&samples, 0.01).unwrap();
    let (mut wanted_losses, wanted) = host.gradient(&samples).unwrap();
    wanted_losses.gradient = wanted.iter().map(|g| g * g).sum::<f32>().sqrt();
    eprintln!("{name}: {losses:?}, wanted {wanted_losses:?}");
    check_gradients(name, &host, &gpu.last_gradients().unwrap(), &wanted, BRAIN_BOUNDS);
    assert!(error_of(&listed(&losses), &listed(&wanted_losses)) < 1e-2, "{name}");
    let mut again = GpuTrainer::new(begun(&description, options()), 0, batch).unwrap();
    again.step(&samples, 0.01).unwrap();
    for _ in 0..3 {
        let (one, two) = (gpu.step(&samples, 0.01).unwrap(), again.step(&samples, 0.01).unwrap());
        assert_eq!(one, two, "{name}: the same losses");
    }
    assert_eq!(bits(gpu.trainer().unwrap()), bits(again.trainer().unwrap()), "{name}: the same bits");
}

#[test]
fn a_step_on_the_device_is_the_processors() {
    compare("8x8", plain_blocks(everything(8, 8, 64), 3), 200);
    compare("6x7", plain_blocks(everything(6, 7, 64), 2), 333);
    compare("8x8 of 128", plain_blocks(everything(8, 8, 128), 2), 100);
    compare("15x15", plain_blocks(everything(15, 15, 64), 1), 40);
    compare("15x15 of 128", plain_blocks(scalar_heads(everything(15, 15, 128)), 1), 20);
    compare("3x3", plain_blocks(everything(3, 3, 32), 1), 500);
    compare("5x4", plain_blocks(scalar_heads(everything(5, 4, 64)), 1), 300);
    let excited = |hidden: usize| vec![BlockKind::SqueezeExcitation { hidden }; 2];
    compare("excitation", Description { blocks: excited(16), ..everything(8, 8, 64) }, 200);
    compare("excitation of 128", Description { blocks: excited(5), ..everything(6, 7, 128) }, 60);
    compare("no blocks", plain_blocks(everything(8, 8, 20), 0), 50);
}

/// So many steps on the same samples, with rates like those of a run: losses fall together.
fn follow(name: &str, description: &Description, options: TrainingOptions, rate: f32) {
    if !is_there() {
        return;
    }
    let samples = random_samples(description, 256, 9);
    let mut host = begun(description, options);
    let mut gpu = GpuTrainer::new(begun(description, options), 0, 256).unwrap();
    let (mut first, mut last) = (0.0, 0.0);
    for step in 0..20 {
        let (wanted, found) = (host.step(&samples, rate).unwrap(), gpu.step(&samples, rate).unwrap());
        eprintln!(
            "{name}, step {step}: {:.4} on the device, {:.4} on the processor",
            found.total, wanted.total
        );
        assert!((found.total - wanted.total).abs() < 0.04 * wanted.total, "{name}, step {step}");
        if step == 0 {
            first = found.total;
        }
        last = found.total;
    }
    assert!(last < first, "{name}: it learns");
    let (trained, wanted) = (gpu.trainer().unwrap(), &host);
    assert_eq!(trained.steps(), wanted.steps());
    let [found, wanted] =
        [trained, wanted].map(|trainer| trainer.state().into_iter().map(<[f32]>::to_vec).collect::<Vec<_>>());
    for (number, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        eprintln!("{name}: state {number}: relative error {:.1e}", error_of(found, wanted));
    }
    assert!(error_of(&found[1], &wanted[1]) < 0.1, "{name}: running statistics");
}

#[test]
fn losses_of_twenty_steps_follow_the_processors() {
    follow("8x8", &plain_blocks(everything(8, 8, 64), 3), options(), 0.002);
    follow("6x7", &plain_blocks(everything(6, 7, 64), 2), options(), 0.002);
    let momentum = TrainingOptions { rule: Rule::Momentum { momentum: 0.9 }, ..options() };
    follow("momentum", &plain_blocks(everything(8, 8, 64), 1), momentum, 0.01);
}

#[test]
fn a_trainer_goes_back_and_forth_between_devices_and_sizes_of_batches() {
    if !is_there() {
        return;
    }
    let description = plain_blocks(everything(6, 7, 64), 1);
    let mut gpu = GpuTrainer::new(begun(&description, options()), 0, 64).unwrap();
    for batch in [64, 100, 64] {
        gpu.step(&random_samples(&description, batch, 1), 0.001).unwrap();
    }
    let bytes = gpu.trainer().unwrap().to_bytes();
    assert_eq!(gpu.steps(), 6);
    let host = Trainer::from_bytes(description.clone(), options(), &bytes).unwrap();
    let mut again = GpuTrainer::new(host, 0, 64).unwrap();
    assert_eq!(again.trainer().unwrap().to_bytes(), bytes);
    let samples = random_samples(&description, 64, 2);
    // Two under way say what they say one by one.
    again.begin(&samples, 0.001).unwrap();
    again.begin(&samples, 0.002).unwrap();
    let both = [again.finish().unwrap(), again.finish().unwrap()];
    assert_eq!(both, [gpu.step(&samples, 0.001).unwrap(), gpu.step(&samples, 0.002).unwrap()]);
    assert_eq!(bits(gpu.trainer().unwrap()), bits(again.trainer().unwrap()));
}

#[test]
fn what_diverges_is_an_error_and_changes_nothing() {
    if !is_there() {
        return;
    }
    let description = plain_blocks(everything(6, 7, 64), 1);
    let mut gpu = GpuTrainer::new(begun(&description, options()), 0, 64).unwrap();
    let before = bits(gpu.trainer().unwrap());
    let mut samples = random_samples(&description, 64, 1);
    samples.weight[5] = f32::INFINITY;
    let error = gpu.step(&samples, 0.001).unwrap_err().to_string();
    assert!(error.contains("diverged"), "{error}");
    assert_eq!(bits(gpu.trainer().unwrap()), before);
    assert_eq!(gpu.steps(), 3);
}

/// Not a test but a table: `--ignored --nocapture training_speeds`.
#[test]
#[ignore = "measures"]
fn training_speeds() {
    if !is_there() {
        return;
    }
    let plain_blocks = |blocks: usize| vec![BlockKind::Plain {}; blocks];
    let networks = [
        ("6x64 on 8x8", plain((8, 8), plain_blocks(6), 64), vec![1024, 2048, 8192]),
        ("4x64 on 6x7", plain((6, 7), plain_blocks(4), 64), vec![1024, 2048, 8192]),
        ("6x64 on 6x7", plain((6, 7), plain_blocks(6), 64), vec![2048]),
        ("6x128 on 8x8", plain((8, 8), plain_blocks(6), 128), vec![2048]),
        (
            "6x64 with squeeze and excitation",
            plain((8, 8), vec![BlockKind::SqueezeExcitation { hidden: 16 }; 6], 64),
            vec![2048],
        ),
        ("6x64 on 15x15", plain((15, 15), plain_blocks(6), 64), vec![512]),
    ];
    for (name, description, batches) in networks {
        for batch in batches {
            let samples = random_samples(&description, batch, 3);
            let mut gpu = GpuTrainer::new(begun(&description, options()), 0, batch).unwrap();
            gpu.step(&samples, 1e-4).unwrap();
            let times = 60;
            let begun = std::time::Instant::now();
            for step in 0..=times {
                if step < times {
                    gpu.begin(&samples, 1e-4).unwrap();
                }
                if step > 0 {
                    gpu.finish().unwrap();
                }
            }
            let fresh = begun.elapsed().as_secs_f64();
            let (replayed, kernels) = gpu.measure(times).unwrap();
            let rate = |seconds: f64| (times * batch) as f64 / seconds / 1e3;
            println!(
                "{name}, batches of {batch}: {:.0} k samples/s with fresh samples, {:.0} k replayed ({:.0} µs a step); {:.0} µs in kernels alone",
                rate(fresh),
                rate(replayed),
                replayed / times as f64 * 1e6,
                kernels.iter().map(|(_, time)| time).sum::<f32>()
            );
            for (kernel, time) in kernels {
                println!("    {time:7.1} µs  {kernel}");
            }
        }
    }
}
