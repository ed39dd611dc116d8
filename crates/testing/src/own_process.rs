//! Tests of a crate share one program; a test that measures its process gets one to itself.

use std::process::Command;

/// Tells a program which of its tests it was started for.
const TEST: &str = "OUTPLAY_TEST_IN_OWN_PROCESS";

/// Runs `body` alone in a process of its own: `test`, the name of the calling test as `cargo test` prints it, is started
/// a second time by itself.
///
/// # Panics
/// If `body` does, with all that it printed, or if there is no test of that name.
pub fn run(test: &str, body: impl FnOnce()) {
    if std::env::var(TEST).is_ok_and(|started| started == test) {
        return body();
    }
    let output = Command::new(std::env::current_exe().expect("our own name"))
        .args(["--exact", test, "--include-ignored", "--nocapture"])
        .env(TEST, test)
        .output()
        .expect("the test itself");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{errors}");
}
