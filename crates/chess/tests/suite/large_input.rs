//! Very large files that say one thing over and over.

use outplay_chess::{Chess, ChessRules};
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
        ("", "* "),
        ("", "1. "),
        ("", "1 "),
        ("", "$1 "),
        ("", "("),
        ("", "{"),
        ("", "["),
        ("", ";"),
        ("", "{} "),
        ("", "{a}"),
        ("", "% "),
        ("", "[A \"\"]"),
        ("", "[A \"\"] e4 * "),
        ("", "[A \"\"] e4 "),
        ("", "Nf3 Nf6 Ng1 Ng8 "),
        ("e4 ", "!"),
        ("e4 ", "$1"),
        ("e4 ", "(d4 "),
        ("e4 ", "(d4)"),
        ("e4 (", "{a} $1 "),
        ("e4 (Z0 ", "(d4 "),
        ("* ", "{a}"),
    ];
    large_input::check::<Chess>(&ChessRules::Standard, &texts);
}
