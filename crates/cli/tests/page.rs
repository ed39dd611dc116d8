//! The page: its types and style, its own tests, and the whole program in a browser, by the tools of `ui/`.

use std::path::Path;
use std::process::Command;

/// Runs one of the scripts of `ui/package.json`, on these files if any are named, with the packages that the build of the server has installed.
fn npm_run(script: &str, only: &[&str]) {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui");
    if std::env::var_os("OUTPLAY_WITHOUT_PAGE").is_some() || !ui.join("node_modules").exists() {
        eprintln!("SKIPPED: npm run {script}: this program was built without its page");
        return;
    }
    let output = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
        .args(["run", script, "--"])
        .args(only)
        .current_dir(ui)
        .env("OUTPLAY_PROGRAM", env!("CARGO_BIN_EXE_outplay"))
        .env("NO_COLOR", "1")
        .output()
        .expect("npm starts: it comes with Node.js");
    assert!(
        output.status.success(),
        "npm run {script} in ui/ failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn types_and_style() {
    npm_run("check", &[]);
}

#[test]
fn what_needs_no_browser() {
    npm_run("test", &[]);
}

#[test]
fn games_in_a_browser() {
    npm_run("browser", &["tests/play.test.ts", "tests/faults.test.ts"]);
}

mod heavy {
    use super::*;

    #[test]
    #[ignore = "heavy: called by name"]
    fn everything_in_a_browser() {
        npm_run("browser", &[]);
    }
}
