//! Kernels on a GPU, held against the plain reference. Memory for outputs is no number before a kernel writes it, so what is not written is found.

use outplay_gpu::{GpuNetwork, KernelCache, Program, Transfer, devices};
use outplay_net::{Backend, BlockKind, Description, Network, Outputs, PolicyKind, measure};

use crate::nets::{
    AMPERE, check_heads_against, everything, plain, random_positions, reference, rows, scalar_heads, views,
};

/// The first GPU's compute capability; `None` where there is none.
fn capability() -> Option<(i32, i32)> {
    match devices() {
        Ok(devices) if !devices.is_empty() => Some(devices[0].capability),
        Ok(_) => {
            eprintln!("SKIPPED: no CUDA device");
            None
        }
        Err(error) => {
            eprintln!("SKIPPED: no CUDA device: {error}");
            None
        }
    }
}

/// The kernels that there are for a network here: that of the generator for this GPU, and the portable one.
fn programs(network: &Network, capability: (i32, i32)) -> Vec<Program> {
    let (own, portable) = (Program::new(network, capability), Program::new(network, AMPERE));
    match own.architecture == portable.architecture {
        true => vec![portable],
        false => vec![own, portable],
    }
}

/// Kernels are compiled once for all tests: they are kept where tests keep things, under names that say what they are of.
fn cache() -> KernelCache {
    KernelCache::in_folder(Some(std::env::temp_dir().join("outplay-kernels-of-tests")))
}

fn on_device(network: &Network, program: &Program, transfer: Transfer) -> GpuNetwork {
    GpuNetwork::with(network, program, 0, transfer, &cache()).unwrap()
}

fn run(backend: &dyn Backend, positions: &[Vec<u64>]) -> Vec<f32> {
    let mut outputs = Outputs::default();
    backend.begin().run(&views(positions), &mut outputs).unwrap();
    rows(&outputs)
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// Holds networks against the reference, all at the same time, with batches of several sizes, each in fresh memory, and twice: the same bits.
fn compare(cases: Vec<(String, Description, &[usize])>) {
    let Some(capability) = capability() else { return };
    std::thread::scope(|scope| {
        for (name, description, sizes) in cases {
            scope.spawn(move || compare_one(&name, description, sizes, capability));
        }
    });
}

fn compare_one(name: &str, description: Description, sizes: &[usize], capability: (i32, i32)) {
    let network = Network::random(description, 7).unwrap();
    let most = *sizes.iter().max().unwrap();
    let positions = random_positions(&network, most);
    let wanted = reference(&network, &positions);
    let all = wanted.len() / most;
    for program in programs(&network, capability) {
        let how = program.architecture;
        for transfer in [Transfer::Copied, Transfer::Mapped] {
            let gpu = on_device(&network, &program, transfer);
            for &size in sizes {
                let name = format!("{name}, {how:?}, {transfer:?}, batch of {size}");
                // Several batches where one has few positions: of a single one, a number may be next to nothing.
                let tried = most.min(size.max(FEWEST)) / size * size;
                let out: Vec<f32> =
                    positions[..tried].chunks(size).flat_map(|batch| run(&gpu, batch)).collect();
                check_heads_against(&name, &network, &wanted[..tried * all], &out);
                let again = bits(&run(&gpu, &positions[..size]));
                assert_eq!(bits(&out[..size * all]), again, "{name}: the same bits");
            }
        }
    }
}

const SIZES: &[usize] = &[1, 7, 64, 600];
/// Positions over which errors are measured, at least.
const FEWEST: usize = 16;

#[test]
fn every_block_and_head_is_right_on_the_device() {
    compare(vec![
        ("8x8 of 32".to_string(), everything(8, 8, 32), SIZES),
        ("8x8 of 64".to_string(), everything(8, 8, 64), SIZES),
        ("8x8 of 96".to_string(), everything(8, 8, 96), &[1, 64]),
        ("8x8 of 128".to_string(), everything(8, 8, 128), &[1, 7, 300]),
        ("8x8, a single value".to_string(), scalar_heads(everything(8, 8, 64)), &[7, 300]),
    ]);
}

#[test]
fn every_kind_of_block_alone_is_right_on_the_device() {
    let kinds = [
        BlockKind::Plain {},
        BlockKind::SqueezeExcitation { hidden: 16 },
        BlockKind::GlobalPooling { channels: 16 },
    ];
    let sizes: &[usize] = &[1, 133, 265];
    let of_kind = |kind: BlockKind| {
        [64, 128].map(|channels| {
            (format!("{kind:?} of {channels}"), plain((8, 8), vec![kind; 2], channels), sizes)
        })
    };
    let mut cases: Vec<_> = kinds.into_iter().flat_map(of_kind).collect();
    let around_changes: &[usize] = &[1, 132, 133, 264, 265, 528, 529];
    cases.push(("6x64".to_string(), plain((8, 8), vec![BlockKind::Plain {}; 6], 64), around_changes));
    compare(cases);
}

#[test]
fn odd_boards_and_channels_are_right_on_the_device() {
    compare(vec![
        ("6x7".to_string(), everything(6, 7, 64), SIZES),
        ("6x7 of 32".to_string(), everything(6, 7, 32), &[7, 300]),
        ("3x4".to_string(), everything(3, 4, 5), SIZES),
        ("15x15".to_string(), everything(15, 15, 64), &[1, 7, 150]),
        ("19x19".to_string(), everything(19, 19, 32), &[1, 5, 140]),
        ("19x19 of 128".to_string(), scalar_heads(everything(19, 19, 128)), &[1, 3, 140]),
    ]);
}

#[test]
fn two_batches_under_way_and_two_threads_say_what_one_says_alone() {
    let Some(capability) = capability() else { return };
    let network = Network::random(everything(8, 8, 64), 7).unwrap();
    let positions = random_positions(&network, 1000);
    for program in programs(&network, capability) {
        let gpu = &on_device(&network, &program, Transfer::Copied);
        let batches: Vec<&[Vec<u64>]> = [10, 300, 1, 64, 500, 7, 118]
            .iter()
            .scan(0, |first, size| {
                let batch = &positions[*first..*first + size];
                *first += size;
                Some(batch)
            })
            .collect();
        let alone: Vec<_> = batches.iter().map(|batch| bits(&run(gpu, batch))).collect();
        let (batches, alone) = (&batches, &alone);
        std::thread::scope(|scope| {
            for thread in 0..2 {
                scope.spawn(move || {
                    let mut runner = gpu.begin();
                    let mut outputs = [Outputs::default(), Outputs::default()];
                    let rounds = 40 * batches.len() + thread;
                    let number = |round: usize| (round + thread * 3) % batches.len();
                    for round in 0..=rounds {
                        if round < rounds {
                            let batch = views(batches[number(round)]);
                            runner.submit(&batch, &mut outputs[round % 2]).unwrap();
                        }
                        if round > 0 {
                            let ours = &mut outputs[(round - 1) % 2];
                            runner.collect(ours).unwrap();
                            assert_eq!(bits(&rows(ours)), alone[number(round - 1)], "round {round}");
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn a_compiled_kernel_is_kept_and_garbage_in_its_place_is_not_believed() {
    if capability().is_none() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("outplay-kept-{}", std::process::id()));
    let cache = KernelCache::in_folder(Some(folder.clone()));
    let network = Network::random(everything(3, 4, 5), 7).unwrap();
    let (program, positions) = (Program::new(&network, AMPERE), random_positions(&network, 9));
    let out = || {
        let gpu = GpuNetwork::with(&network, &program, 0, Transfer::Copied, &cache).unwrap();
        bits(&run(&gpu, &positions))
    };
    let first = out();
    let files = || std::fs::read_dir(&folder).unwrap().flatten().map(|file| file.path());
    assert_eq!(files().count(), 1);
    assert_eq!(out(), first);
    for garbage in [&b""[..], b"outplay kernel 1 and nothing else that is of any use"] {
        files().for_each(|file| std::fs::write(file, garbage).unwrap());
        assert_eq!(out(), first);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_device_that_is_not_there_and_memory_that_is_not_there_are_errors_in_words() {
    let network = Network::random(everything(3, 4, 5), 7).unwrap();
    let error = GpuNetwork::new(&network, 99).err().expect("there are not so many").to_string();
    eprintln!("{error}");
    assert!(error.contains("install") || error.contains("GPU 99") || error.contains("no GPU"), "{error}");
    if capability().is_none() {
        return;
    }
    // More outputs than any memory has room for: the runner says so, and goes on with fewer.
    let mut wide = everything(3, 4, 5);
    wide.heads.reply = Some(PolicyKind::Dense { channels: 1, outputs: 1 << 16 });
    let network = Network::random(wide, 7).unwrap();
    let gpu = GpuNetwork::new(&network, 0).unwrap();
    let positions = random_positions(&network, 1);
    let many = vec![&positions[0][..]; 1 << 20];
    let (mut runner, mut outputs) = (gpu.begin(), Outputs::default());
    let error = runner.run(&many, &mut outputs).unwrap_err().to_string();
    eprintln!("{error}");
    assert!(error.contains("memory"), "{error}");
    runner.run(&many[..5], &mut outputs).unwrap();
    assert_eq!(outputs.positions, 5);
}

/// Not a test but a table: `--ignored --nocapture speeds`.
#[test]
#[ignore = "measures"]
fn speeds() {
    let Some(capability) = capability() else { return };
    let networks = [
        ("6x64 on 8x8", plain((8, 8), vec![BlockKind::Plain {}; 6], 64)),
        (
            "6x64 with squeeze and excitation on 8x8",
            plain((8, 8), vec![BlockKind::SqueezeExcitation { hidden: 16 }; 6], 64),
        ),
        ("6x64 on 6x7", plain((6, 7), vec![BlockKind::Plain {}; 6], 64)),
        ("10x128 on 8x8", plain((8, 8), vec![BlockKind::Plain {}; 10], 128)),
        ("10x128 on 15x15", plain((15, 15), vec![BlockKind::Plain {}; 10], 128)),
        ("10x128 on 19x19", plain((19, 19), vec![BlockKind::Plain {}; 10], 128)),
    ];
    for (name, description) in networks {
        let network = Network::random(description, 7).unwrap();
        for program in programs(&network, capability) {
            for transfer in [Transfer::Copied, Transfer::Mapped] {
                let gpu = on_device(&network, &program, transfer);
                for batch in [1, 64, 256, 1024, 4224] {
                    for (threads, in_flight) in [(1, 1), (1, 2)] {
                        let load = outplay_net::Load { batch, threads, in_flight, seconds: 0.25 };
                        let rate = measure(&gpu, &load).unwrap();
                        println!(
                            "{name}, {}, {transfer:?}, {threads} threads, {in_flight} under way, batches of {batch:4}: {:8.3} M/s",
                            gpu.name(),
                            rate / 1e6
                        );
                    }
                }
            }
        }
    }
}
