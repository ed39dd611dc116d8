//! The kernel, built for a processor and held against the plain reference. It shows that indices, layouts and barriers are right; it shows nothing of a device.

use std::path::Path;
use std::process::Command;

use outplay_gpu::Program;
use outplay_net::{Description, Network};

use crate::nets::{AMPERE, check_heads, everything, random_positions, scalar_heads};

/// Runs a network of chance both ways.
fn compare(name: &str, description: Description, positions: usize, blocks: usize) {
    let network = Network::random(description, 7).unwrap();
    let program = Program::new(&network, AMPERE);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let shown = random_positions(&network, positions);
    let write = |file: &str, bytes: Vec<u8>| std::fs::write(folder.join(file), bytes).unwrap();
    write("kernel.cu", program.source.clone().into_bytes());
    write("positions", shown.concat().iter().flat_map(|word| word.to_le_bytes()).collect());
    write("weights", program.weights.clone());
    let binary = folder.join("emulated");
    let built = Command::new("g++")
        .args(["-std=c++17", "-O1", "-fno-strict-aliasing", "-I"])
        .arg(&folder)
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
    check_heads(name, &network, &shown, &out[..positions * program.outputs]);
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
    let description = scalar_heads(everything(19, 19, 48));
    let program = Program::new(&Network::random(description.clone(), 1).unwrap(), AMPERE);
    assert!(program.launches[0].workspace_bytes > 0);
    compare("large", description, 3, 2);
}
