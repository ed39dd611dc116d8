//! What the host asks of NVIDIA's driver, answered by a library of our own: all calls as they are made on a device, and everything that can be wrong with a driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use outplay_gpu::{GpuNetwork, KernelCache, Nvrtc, Program, Transfer, cuda_version, devices};
use outplay_net::{Backend, NetError, Network, Outputs};

use crate::nets::{AMPERE, everything, random_positions, rows, views};

/// Tells a process of this binary that it is the child, and where to say how it went.
const CHILD: &str = "OUTPLAY_FAKE_DRIVER_SAYS";

fn network() -> Network {
    Network::random(everything(3, 4, 5), 7).unwrap()
}

/// Builds the driver, with all of its functions or without one; `None` where nothing is built.
fn build(folder: &Path, flag: &str) -> Option<PathBuf> {
    std::fs::create_dir_all(folder).unwrap();
    let built = Command::new("g++")
        .args(["-std=c++17", "-O1", "-shared", "-fPIC", flag, "-o"])
        .arg(folder.join("libcuda.so"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/fake_driver.cpp"))
        .output();
    let Ok(built) = built else {
        eprintln!("SKIPPED: there is no g++ to build a driver with");
        return None;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(folder.to_path_buf())
}

/// What a process says that finds the driver in this folder.
fn said(folder: &Path, fault: &str) -> String {
    let answer = folder.join(format!("said-{}", fault.replace(' ', "-")));
    let network = network();
    let numbers: usize = Program::sections(network.description()).iter().sum();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "driver::every_kind_of_driver_is_used_or_refused_in_words"])
        .env("LD_LIBRARY_PATH", folder)
        .env("FAKE_FAULT", fault)
        .env("FAKE_WORDS", network.description().planes().words().to_string())
        .env("FAKE_OUTPUTS", numbers.to_string())
        .env(CHILD, &answer)
        .output()
        .unwrap();
    assert!(child.status.success(), "{fault}: {}", String::from_utf8_lossy(&child.stdout));
    std::fs::read_to_string(answer).unwrap()
}

/// Runs batches on the GPU that is none, and says how it went. The kernel, which nobody runs, is compiled once for all.
fn drive(kernels: &Path) -> Result<String, NetError> {
    let (network, version) = (network(), cuda_version()?);
    let found = devices()?;
    let program = Program::new(&network, AMPERE);
    let cache = KernelCache::in_folder(Some(kernels.to_path_buf()));
    let mut done = 0;
    for transfer in [Transfer::Copied, Transfer::Mapped] {
        let gpu = GpuNetwork::with(&network, &program, 1, transfer, &cache)?;
        let mut runner = gpu.begin();
        let batches: Vec<_> = [1, 7, 300, 64].map(|size| random_positions(&network, size)).into();
        let mut outputs = [Outputs::default(), Outputs::default()];
        for i in 0..=batches.len() {
            if let Some(batch) = batches.get(i) {
                runner.submit(&views(batch), &mut outputs[i % 2])?;
            }
            if i == 0 {
                continue;
            }
            let ours = &mut outputs[(i - 1) % 2];
            runner.collect(ours)?;
            let wanted = batches[i - 1].iter().flat_map(|position| {
                let number = |i: usize| position[i % position.len()] % 1000 * 1000 + i as u64;
                (0..program.outputs).map(move |i| (number(i) + u64::from(program_weight(i))) as f32)
            });
            assert_eq!(rows(ours), wanted.collect::<Vec<_>>());
            done += 1;
        }
    }
    Ok(format!("CUDA {version}, {} of {}, {done} batches", found[0].name, found.len()))
}

/// A byte of the weights, which have to be on the device before a kernel is.
fn program_weight(i: usize) -> u8 {
    static WEIGHTS: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    WEIGHTS.get_or_init(|| Program::new(&network(), AMPERE).weights)[i]
}

#[test]
#[cfg(target_os = "linux")]
fn every_kind_of_driver_is_used_or_refused_in_words() {
    if let Some(answer) = std::env::var_os(CHILD) {
        let kernels = Path::new(&answer).with_file_name("kernels");
        let text = drive(&kernels).unwrap_or_else(|error| error.to_string());
        return std::fs::write(answer, text).unwrap();
    }
    let tests = std::env::temp_dir().join(format!("outplay-fake-driver-{}", std::process::id()));
    let Some(whole) = build(&tests.join("whole"), "-DWHOLE") else { return };
    let refused = [
        ("none", "knows no GPU here"),
        ("version", "too old, it knows CUDA 11.4: install release 525 or newer"),
        ("old GPU", "it has compute capability 7.0, and kernels need 8.0"),
    ];
    for (fault, words) in refused {
        let said = said(&whole, fault);
        assert!(said.contains(words), "{fault}: {said}");
    }
    let old = build(&tests.join("old"), "-DWITHOUT_A_FUNCTION").expect("it was built above");
    assert!(said(&old, "").contains("it has no cuGetErrorString: install release 525 or newer"));
    if let Err(error) = Nvrtc::find() {
        eprintln!("SKIPPED the rest: {error}");
        return;
    }
    assert_eq!(said(&whole, ""), "CUDA 13.0, Fake 1 of 2, 8 batches");
    for (fault, words) in [
        ("memory", "too little memory"),
        ("module", "the driver cannot load what NVRTC has compiled"),
        ("occupancy", "needs more registers or shared memory"),
        ("launch", "a kernel has failed"),
        (
            "lost",
            "the GPU is lost or does not answer: nvidia-smi tells more (CUDA_ERROR_UNKNOWN, in the words",
        ),
    ] {
        let said = said(&whole, fault);
        assert!(said.contains(words), "{fault}: {said}");
    }
    std::fs::remove_dir_all(&tests).unwrap();
}
