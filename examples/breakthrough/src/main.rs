//! The program with one game more.

use std::process::ExitCode;

use outplay_engine::Catalogue;

fn main() -> ExitCode {
    let games = Catalogue::standard().with(outplay_breakthrough::ROW);
    outplay::run(&games, std::env::args_os(), &mut std::io::stdout().lock())
}
