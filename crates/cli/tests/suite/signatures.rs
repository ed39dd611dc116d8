//! The signatures of the searches, as they are committed.

use std::process::Command;

const COMMITTED: &str = include_str!("../signatures.txt");

/// What the bench prints, by the kernels for this processor or by the portable ones.
fn signatures(is_portable: bool) -> String {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_outplay"));
    bench.args(["bench", "--signature"]).env_remove("OUTPLAY_PORTABLE");
    if is_portable {
        bench.env("OUTPLAY_PORTABLE", "1");
    }
    let output = bench.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A change of behaviour renews the file, as CONTRIBUTING.md says.
#[test]
fn the_kernels_of_this_processor_give_the_committed_signatures() {
    assert_eq!(signatures(false), COMMITTED, "crates/cli/tests/signatures.txt differs");
}

#[test]
fn the_portable_kernels_give_the_same_signatures() {
    assert_eq!(signatures(true), COMMITTED, "crates/cli/tests/signatures.txt differs");
}
