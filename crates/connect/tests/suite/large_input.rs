//! Very large files that say one thing over and over.

use outplay_connect::{Connect, ConnectFour, Rules, four};
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
        // SGF
        ("", "(;)"),
        ("", "("),
        ("(;", ";"),
        ("", "(;"),
        ("", "(;B[f5]"),
        ("(;B[a1]", "(;C[x]"),
        ("(;B[a1]", "(;W[b2])"),
        ("(;", "C[a]"),
        ("(;", "A[]"),
        ("(;A", "[]"),
        ("(;AB", "[aa:ss]"),
        ("(;B[f5", "["),
        // Lists of moves
        ("", "f5"),
        ("", "f5 "),
        ("", "f5\n"),
        ("", "#\n"),
    ];
    large_input::check::<Connect>(&Rules::CONNECT6, &texts);
    let texts = [("", "* "), ("", "4 "), ("", "d "), ("d ", "(e "), ("", "{a}")];
    large_input::check::<ConnectFour>(&four::Rules::default(), &texts);
}
