//! The kernel, built for a processor and held against the plain reference. It shows that indices, layouts and barriers are right; it shows nothing of a device.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use outplay_core::Rng;
use outplay_gpu::{Architecture, Program};
use outplay_net::{
    Backend, BlockKind, BoardSize, Description, Heads, Input, Network, Outputs, PolicyKind, Reference,
    ScalarKind, ValueKind, random_position,
};

/// A GPU for which only the portable kernel comes into question.
const AMPERE: (i32, i32) = (8, 0);
const HOPPER: (i32, i32) = (9, 0);

fn everything(rows: usize, columns: usize, channels: usize) -> Description {
    Description {
        game: "small".to_string(),
        board: BoardSize { rows, columns },
        input: Input { encoder: "small-3".to_string(), bit_planes: 2, constant_planes: 1 },
        channels,
        blocks: vec![
            BlockKind::Plain {},
            BlockKind::SqueezeExcitation { hidden: 3 },
            BlockKind::GlobalPooling { channels: 5 },
        ],
        heads: Heads {
            policy: PolicyKind::Convolution { kernel: 3, channels: 4, planes: 2 },
            value: ValueKind::WinDrawLoss { channels: 2, hidden: 6 },
            margin: Some(ScalarKind { channels: 4, hidden: 30 }),
            moves_left: Some(ScalarKind { channels: 3, hidden: 40 }),
            ownership: Some(3),
            reply: Some(PolicyKind::Dense { channels: 2, outputs: 24 }),
        },
        made_by: None,
    }
}

fn floats(outputs: &Outputs, position: usize) -> Vec<f32> {
    let mut all = outputs.policy_of(position).to_vec();
    all.extend(outputs.value[position]);
    all.extend(outputs.margin.get(position));
    all.extend(outputs.moves_left.get(position));
    all.extend(outputs.ownership_of(position));
    all.extend(outputs.reply_of(position));
    all
}

/// Runs a network of chance both ways. Each head alone keeps to the bound, so that no large one hides a small one.
fn compare(name: &str, description: Description, positions: usize, blocks: usize) {
    let network = Network::random(description, 7).unwrap();
    let program = Program::new(&network, AMPERE);
    for launch in 0..program.launches.len() {
        compare_launch(&format!("{name}-{launch}"), &network, &program, launch, positions, blocks);
    }
}

/// The same with the kernel for Hopper, each of whose launches is tried.
fn compare_on_hopper(name: &str, description: Description, positions: usize, blocks: usize) {
    let network = Network::random(description, 7).unwrap();
    let program = Program::new(&network, HOPPER);
    assert_eq!(program.architecture, Architecture::Hopper, "{name}");
    // The launch for the fewest boards and the one for the most; what lies between has nothing of its own.
    for launch in BTreeSet::from([0, program.launches.len() - 1]) {
        compare_launch(&format!("hopper-{name}-{launch}"), &network, &program, launch, positions, blocks);
    }
}

fn compare_launch(
    name: &str,
    network: &Network,
    program: &Program,
    launch: usize,
    positions: usize,
    blocks: usize,
) {
    let launch = &program.launches[launch];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let mut rng = Rng::new(3);
    let shown: Vec<Vec<u64>> =
        (0..positions).map(|_| random_position(network.description().planes(), &mut rng)).collect();
    let write = |file: &str, bytes: Vec<u8>| std::fs::write(folder.join(file), bytes).unwrap();
    write("kernel.cu", program.source.clone().into_bytes());
    write("positions", shown.concat().iter().flat_map(|word| word.to_le_bytes()).collect());
    write("weights", program.weights.clone());
    let binary = folder.join("emulated");
    let built = Command::new("g++")
        .args(["-std=c++17", "-O2", "-fno-strict-aliasing", "-I"])
        .arg(&folder)
        .args([
            format!("-DENTRY={}", launch.entry),
            format!("-DTHREADS_OF_BLOCK={}", launch.threads),
            format!("-DSHARED_BYTES={}", launch.shared_bytes),
            format!("-DWORKSPACE_BYTES={}", launch.workspace_bytes),
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emulated.cpp"))
        .arg("-o")
        .arg(&binary)
        .output();
    let Ok(built) = built else {
        eprintln!("SKIPPED {name}: there is no g++ to build the kernel with");
        return;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary)
        .arg(&folder)
        .args([positions.to_string(), blocks.to_string()])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let out = std::fs::read(folder.join("outputs")).unwrap();
    let out: Vec<f32> = out.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();

    let mut wanted = Outputs::default();
    let shown: Vec<&[u64]> = shown.iter().map(Vec::as_slice).collect();
    let description = network.description().clone();
    Reference::new(network.clone()).begin().run(&shown, &mut wanted).unwrap();
    assert!(
        out[positions * program.outputs..].iter().all(|x| x.to_bits() == u32::MAX),
        "nothing is written beyond"
    );
    let [policy, chances, margin, moves_left, ownership, reply] = Program::sections(&description);
    // Single numbers count together: one alone may be next to nothing, the difference of large ones.
    let sizes = [policy, chances + margin + moves_left, ownership, reply];
    assert_eq!(sizes.iter().sum::<usize>(), program.outputs);
    let mut first = 0;
    for size in sizes.into_iter().filter(|&size| size > 0) {
        let (mut error, mut norm) = (0.0_f64, 0.0_f64);
        for position in 0..positions {
            let row = &out[position * program.outputs + first..][..size];
            for (&x, &y) in row.iter().zip(&floats(&wanted, position)[first..][..size]) {
                error += f64::from(x - y).powi(2);
                norm += f64::from(y).powi(2);
            }
        }
        let relative = (error / norm).sqrt();
        eprintln!("{name}: outputs {first} to {}: relative error {relative:.1e}", first + size);
        assert!(relative <= 3e-3, "{name}: outputs from {first}: {relative}");
        first += size;
    }
}

#[test]
fn the_emulated_kernel_agrees_with_the_reference_on_every_block_and_head() {
    compare("othello", everything(8, 8, 32), 7, 1);
}

#[test]
fn odd_boards_channels_and_batches_are_no_exception_for_the_emulated_kernel() {
    compare("flat", everything(6, 7, 21), 13, 2);
    compare("small", everything(3, 4, 5), 1, 1);
}

#[test]
fn a_network_beyond_shared_memory_works_in_global_memory_in_the_emulation() {
    let description = Description {
        heads: Heads {
            policy: PolicyKind::Dense { channels: 3, outputs: 9 },
            value: ValueKind::Scalar { channels: 1, hidden: 4 },
            reply: Some(PolicyKind::Convolution { kernel: 1, channels: 3, planes: 1 }),
            ..Heads::default()
        },
        blocks: vec![BlockKind::Plain {}],
        ..everything(19, 19, 48)
    };
    let program = Program::new(&Network::random(description.clone(), 1).unwrap(), AMPERE);
    assert!(program.launches[0].workspace_bytes > 0);
    compare("large", description, 3, 2);
}

#[test]
fn the_emulated_hopper_kernel_agrees_with_the_reference_on_every_block_and_head() {
    compare_on_hopper("othello", everything(8, 8, 64), 5, 1);
}

#[test]
fn odd_boards_channels_and_batches_are_no_exception_for_the_emulated_hopper_kernel() {
    compare_on_hopper("flat", everything(6, 7, 21), 11, 1);
    compare_on_hopper("small", everything(3, 4, 5), 3, 2);
}

#[test]
fn two_warpgroups_share_a_large_board_in_the_emulated_hopper_kernel() {
    compare_on_hopper("large", everything(19, 19, 33), 2, 1);
}

#[test]
fn wide_networks_keep_their_stream_in_memory_in_the_emulated_hopper_kernel() {
    let description = Description {
        heads: Heads {
            policy: PolicyKind::Dense { channels: 2, outputs: 362 },
            value: ValueKind::Scalar { channels: 1, hidden: 70 },
            ..Heads::default()
        },
        blocks: vec![BlockKind::Plain {}],
        ..everything(19, 19, 128)
    };
    let program = Program::new(&Network::random(description.clone(), 1).unwrap(), HOPPER);
    assert!(program.launches[0].workspace_bytes > 0);
    compare_on_hopper("wide", description, 2, 1);
}
