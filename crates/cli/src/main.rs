//! The `outplay` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    outplay::run(std::env::args_os(), &mut std::io::stdout().lock())
}
