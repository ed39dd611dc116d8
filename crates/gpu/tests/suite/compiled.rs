//! The source compiles for the GPUs that it is for, wherever there is a compiler. No GPU is needed.

use outplay_gpu::{Architecture, Nvrtc, Program};
use outplay_net::{BlockKind, Description, Network};

use crate::nets::{everything, plain, scalar_heads};

fn compiler() -> Option<&'static Nvrtc> {
    let found = Nvrtc::find();
    if let Err(error) = &found {
        eprintln!("SKIPPED: {error}");
    }
    found.ok()
}

/// Compiles the kernels of a network, without a word of the compiler about speed.
fn compile(name: &str, description: Description, capabilities: &[(i32, i32)]) {
    let Some(nvrtc) = compiler() else { return };
    let (major, minor) = nvrtc.version();
    eprintln!("NVRTC {major}.{minor}, {}", nvrtc.place());
    let network = Network::random(description, 7).unwrap();
    for &capability in capabilities {
        let program = Program::new(&network, capability);
        let target = nvrtc.target(program.architecture, capability).unwrap();
        let compiled = nvrtc.compile(&program.source, &target).unwrap();
        assert!(compiled.image.starts_with(b"\x7FELF"), "{name} for {target}");
        // What ptxas says where it runs one wgmma after the other.
        for code in ["C7510", "C7512", "C7520"] {
            assert!(!compiled.log.contains(code), "{name} for {target}: {}", compiled.log);
        }
    }
}

#[test]
fn kernels_compile_for_the_gpus_that_they_are_for_without_a_word_about_speed() {
    compile("odd", everything(3, 4, 5), &[(8, 0), (8, 6), (12, 0)]);
    compile("6x64", plain((8, 8), vec![BlockKind::Plain {}; 6], 64), &[(9, 0)]);
}

/// What takes a minute.
mod heavy {
    use super::*;

    #[test]
    #[ignore = "compiles for a minute"]
    fn every_kind_of_network_compiles_without_a_word_about_speed() {
        compile("every block and head", everything(8, 8, 32), &[(8, 0), (9, 0)]);
        compile("6x64", plain((8, 8), vec![BlockKind::Plain {}; 6], 64), &[(8, 0)]);
        compile("in global memory", scalar_heads(everything(19, 19, 66)), &[(8, 0)]);
        compile("10x128 on a large board", plain((19, 19), vec![BlockKind::Plain {}; 10], 128), &[(9, 0)]);
    }
}

#[test]
fn a_gpu_newer_than_the_compiler_gets_what_its_driver_can_compile_and_an_older_one_an_error() {
    let Some(nvrtc) = compiler() else { return };
    let program = Program::new(&Network::random(everything(3, 4, 5), 7).unwrap(), (99, 0));
    assert_eq!(program.architecture, Architecture::Ampere);
    let target = nvrtc.target(Architecture::Ampere, (99, 0)).unwrap();
    assert!(target.starts_with("compute_"), "{target}");
    let compiled = nvrtc.compile(&program.source, &target).unwrap();
    assert!(String::from_utf8_lossy(&compiled.image).contains(".visible .entry"));
    let error = nvrtc.target(Architecture::Ampere, (7, 9)).unwrap_err().to_string();
    assert!(error.contains("compute capability 7.9"), "{error}");
}

#[test]
fn what_the_compiler_refuses_is_told_with_its_first_complaint() {
    let Some(nvrtc) = compiler() else { return };
    let error = nvrtc
        .compile("constexpr int x = 1;\nconstexpr int y = unheard_of;\n", "sm_80")
        .unwrap_err()
        .to_string();
    assert!(error.contains("kernel.cu(2)") && error.contains("unheard_of"), "{error}");
    let error = nvrtc.compile("a \0 b", "sm_80").unwrap_err().to_string();
    assert!(error.contains("zero"), "{error}");
}
