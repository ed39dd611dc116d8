//! Very large files that say one thing over and over.

use outplay_othello::Othello;
use outplay_testing::{large_input, own_process};

#[test]
fn large_files_are_read_or_refused_in_linear_time_and_memory() {
    own_process::run(
        "large_input::large_files_are_read_or_refused_in_linear_time_and_memory",
        read_large_files,
    );
}

fn read_large_files() {
    let texts = [
        // GGF
        ("", "(;)"),
        ("", "(;;)"),
        ("", "(;"),
        ("", "(;B[f5]"),
        ("", "(;B[f5];)"),
        ("(;", "C[a]"),
        ("(;", "A[]"),
        ("(;B[f5", "["),
        // Transcripts
        ("", "f5"),
        ("", "f5\n"),
        ("", "f5d6c3d3c4\n"),
        ("f5", "\n"),
        // PGN
        ("", "* "),
        ("", "("),
        ("", ";"),
        ("f5 ", "(d3 "),
        // A database of no games, as its header says
        ("\u{14}\u{5}\u{1}\u{1f}", "\0"),
    ];
    large_input::check::<Othello>(&(), &texts);
}
