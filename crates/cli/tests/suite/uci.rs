//! `outplay uci` as board programs start it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use super::{outplay, text};

/// A moment, on a machine that does other things too.
const SOON: Duration = Duration::from_secs(2);

/// The program, with a pipe to it and one from it.
struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn start(arguments: &[&str]) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_outplay"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Talk { child, input, output }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    /// Reads up to a line that begins so.
    fn until(&mut self, begin: &str) -> String {
        let mut line = String::new();
        while !line.starts_with(begin) {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).expect("text"), 0, "it ended before {begin}");
        }
        line
    }

    /// Waits for the end, which has to come soon.
    fn assert_ends_well_within(mut self, time: Duration) {
        let begun = Instant::now();
        drop(self.input);
        while begun.elapsed() < time {
            if let Some(status) = self.child.try_wait().expect("a child") {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().expect("a child");
        panic!("it goes on");
    }
}

#[test]
fn a_command_may_be_given_as_arguments() {
    let said = text(&["uci", "go", "depth", "3"], "");
    assert!(said.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{said}");
    assert!(text(&["uci", "d"], "").contains("Fen: rnbqkbnr/pppppppp"));
}

#[test]
fn the_protocol_is_recognised_from_the_first_line_without_any_argument() {
    let greeted = text(&[], "uci\nisready\n");
    assert!(greeted.starts_with("id name Outplay ") && greeted.ends_with("uciok\nreadyok\n"), "{greeted}");
    assert!(text(&[], "position startpos\nd\n").contains("rnbqkbnr/pppppppp"));
    for other in ["", "\n", "hello\nuci\n", "\u{0}"] {
        let output = outplay(&[], other);
        assert_eq!(output.status.code(), Some(2), "{other:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("outplay play othello"), "{other:?}");
    }
}

#[test]
fn a_search_hears_what_comes_while_it_runs_and_the_end_as_well() {
    for arguments in [&["uci"][..], &[]] {
        let mut talk = Talk::start(arguments);
        talk.send("uci");
        talk.until("uciok");
        talk.send("go infinite");
        talk.until("info depth 2");
        talk.send("isready");
        talk.until("readyok");
        talk.send("stop");
        talk.until("bestmove ");
        talk.send("go ponder wtime 1000 btime 1000");
        talk.until("info depth 2");
        talk.assert_ends_well_within(SOON);
    }
}

#[test]
fn somebody_who_hangs_up_ends_the_program() {
    let mut talk = Talk::start(&["uci"]);
    talk.send("go infinite");
    talk.until("info depth 1");
    let Talk { mut child, mut input, output } = talk;
    drop(output);
    let begun = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it goes on");
        // It may have closed its ears already.
        drop(writeln!(input, "isready"));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().expect("a child").success());
}

#[test]
fn the_benchmark_can_be_run_by_protocol_and_gives_the_same_signature() {
    let signature =
        |printed: &str| printed.lines().find(|line| line.starts_with("Signature: ")).map(str::to_string);
    let by_argument = text(&["bench", "chess"], "");
    let mut talk = Talk::start(&["uci"]);
    talk.send("bench");
    let line = talk.until("Signature: ");
    assert_eq!(Some(line.trim_end().to_string()), signature(&by_argument));
    talk.until("Bench: ");
    talk.send("quit");
    talk.assert_ends_well_within(SOON);
}
