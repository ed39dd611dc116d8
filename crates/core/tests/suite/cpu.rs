//! What the processor can do, and what it is not asked to.

use std::process::Command;

use outplay_core::cpu::{PORTABLE, is_x86_64_v3};

/// The answer is found once a process, so the question is put in one of its own.
#[test]
fn the_portable_kernels_can_be_asked_for() {
    if std::env::var_os(PORTABLE).is_some() {
        return assert!(!is_x86_64_v3());
    }
    let mut this = Command::new(std::env::current_exe().expect("our own name"));
    let child = this.args(["--exact", "cpu::the_portable_kernels_can_be_asked_for"]).env(PORTABLE, "1");
    let said = child.output().expect("the test itself").stdout;
    assert!(String::from_utf8_lossy(&said).contains("1 passed"));
}
