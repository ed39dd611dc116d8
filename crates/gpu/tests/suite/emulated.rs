//! The kernel, built for a processor and held against the plain reference. It shows that indices, layouts and barriers are right; it shows nothing of a device.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use outplay_gpu::{Architecture, Launch, Program};
use outplay_net::{BlockKind, Description, Heads, Network, PolicyKind, ValueKind};

use crate::nets::{AMPERE, HOPPER, check_heads, everything, random_positions, scalar_heads};

/// Runs a network of chance both ways, for both kinds of GPU: the launch for the fewest boards and the one for the most, since what lies between has nothing
/// of its own. One position more than a block carries, so that one round of boards is not full.
fn compare(name: &str, description: Description, blocks: usize) {
    for capability in [AMPERE, HOPPER] {
        compare_on(capability, name, description.clone(), blocks);
    }
}

fn compare_on(capability: (i32, i32), name: &str, description: Description, blocks: usize) {
    let network = Network::random(description, 7).unwrap();
    let program = Program::new(&network, capability);
    for number in BTreeSet::from([0, program.launches.len() - 1]) {
        let launch = &program.launches[number];
        let name = format!("{:?}-{name}-{number}", program.architecture);
        compare_launch(&name, &network, &program, launch, launch.boards + 1, blocks);
    }
}

fn compare_launch(
    name: &str,
    network: &Network,
    program: &Program,
    launch: &Launch,
    positions: usize,
    blocks: usize,
) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let shown = random_positions(network, positions);
    let write = |file: &str, bytes: Vec<u8>| std::fs::write(folder.join(file), bytes).unwrap();
    write("kernel.cu", program.source.clone().into_bytes());
    write("positions", shown.concat().iter().flat_map(|word| word.to_le_bytes()).collect());
    write("weights", program.weights.clone());
    let binary = folder.join("emulated");
    let built = Command::new("g++")
        .args(["-std=c++17", "-O2", "-fno-strict-aliasing", "-I"])
        .arg(&folder)
        .args([
            format!("-D{}", if program.architecture == Architecture::Hopper { "HOPPER" } else { "AMPERE" }),
            format!("-DENTRY={}", launch.entry),
            format!("-DTHREADS_OF_BLOCK={}", launch.threads),
            format!("-DSHARED_BYTES={}", launch.shared_bytes),
            format!("-DWORKSPACE_BYTES={}", launch.workspace_bytes),
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/emulated.cpp"))
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

    assert!(
        out[positions * program.outputs..].iter().all(|x| x.to_bits() == u32::MAX),
        "nothing is written beyond"
    );
    check_heads(name, network, &shown, &out[..positions * program.outputs]);
}

#[test]
fn the_emulated_kernel_agrees_with_the_reference_on_every_block_and_head() {
    compare("othello", everything(8, 8, 96), 1);
}

#[test]
fn odd_boards_channels_and_batches_are_no_exception_for_the_emulated_kernel() {
    compare("flat", everything(6, 7, 21), 1);
    compare_on(AMPERE, "small", everything(3, 4, 5), 2);
}

#[test]
fn warpgroups_share_a_large_board_in_the_emulation() {
    let program = Program::new(&Network::random(everything(19, 19, 33), 1).unwrap(), HOPPER);
    assert_eq!((program.launches.len(), program.launches[0].threads), (1, 384));
    compare_on(HOPPER, "shared", everything(19, 19, 33), 2);
    compare_on(AMPERE, "shared", everything(15, 15, 33), 2);
}

#[test]
fn wide_networks_keep_their_stream_in_memory_in_the_emulation() {
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
    assert!(program.architecture == Architecture::Hopper && program.launches[0].workspace_bytes > 0);
    compare_on(HOPPER, "wide", description, 2);
}

#[test]
fn what_does_not_fit_into_shared_memory_works_in_global_memory_in_the_emulation() {
    let description = scalar_heads(everything(19, 19, 66));
    let program = Program::new(&Network::random(description.clone(), 1).unwrap(), AMPERE);
    assert!(program.launches[0].workspace_bytes > 0 && program.launches[0].shared_bytes == 0);
    compare_on(AMPERE, "large", description, 2);
    // And in shared memory, what is too wide for sums in registers.
    compare_on(AMPERE, "wide", scalar_heads(everything(4, 5, 300)), 2);
}
