//! The `outplay` program.

use std::process::ExitCode;

use outplay_engine::Catalogue;

fn main() -> ExitCode {
    outplay::run(&Catalogue::standard(), std::env::args_os(), &mut std::io::stdout().lock())
}
