//! A game program of somebody else's, running as a process of its own.
//!
//! Nothing that it does may harm us: it may crash, fall silent, print garbage, print without end or stop reading. Its
//! lines come through a bounded channel from a thread that cuts long ones; what is sent goes through another.

use std::io::{BufReader, Write};
use std::ops::ControlFlow;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use outplay_core::text::{shell_quoted, shortened};

use crate::Situation;
use crate::lines::pass_lines;

/// Longer lines are cut: no protocol has any.
const LONGEST_LINE: usize = 64 * 1024;
/// Lines that wait to be read; a program that prints more has to wait itself.
const WAITING_LINES: usize = 4096;
/// How often somebody who waits looks whether to go on waiting.
pub const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
/// How long a program gets to end by itself when it is asked to.
const TIME_TO_END: Duration = Duration::from_millis(500);

/// How to start a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program, looked up on the path.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder to start it in; ours if `None`.
    pub folder: Option<String>,
}

/// What a program did wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It could not be started.
    #[error("cannot start {program:?}: {reason}")]
    NotStarted {
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It ended when it should not have.
    #[error("{program:?} ended ({status}) after {command:?}{last_words}")]
    Ended {
        /// The program.
        program: String,
        /// Its exit status.
        status: String,
        /// The last thing it was told.
        command: String,
        /// What it complained of at last, in words; empty if it did not.
        last_words: String,
    },
    /// It did not answer in time.
    #[error("{program:?} has not answered {command:?} for {seconds} s")]
    Silent {
        /// The program.
        program: String,
        /// The command that went unanswered.
        command: String,
        /// How long, in seconds with three decimals.
        seconds: String,
        /// A line for the shell that does it again.
        reproduction: String,
    },
    /// Somebody has lost interest in its answer; it did nothing wrong.
    #[error("{program:?} was interrupted")]
    Interrupted {
        /// The program.
        program: String,
    },
    /// It answered something that makes no sense.
    #[error("{program:?} answered {answer:?} to {command:?}: {reason}")]
    Nonsense {
        /// The program.
        program: String,
        /// The command.
        command: String,
        /// The answer, shortened.
        answer: String,
        /// What was expected.
        reason: String,
    },
}

impl Fault {
    /// A line for the shell that brings the fault about again, where there is one.
    pub fn reproduction(&self) -> Option<&str> {
        if let Fault::Silent { reproduction, .. } = self { Some(reproduction) } else { None }
    }
}

/// A running program.
pub struct Program {
    name: String,
    command: CommandLine,
    child: Child,
    to_program: Sender<String>,
    from_program: Receiver<String>,
    last_command: String,
    commanded: Instant,
    /// What was said to get it ready, and since the last exchange began.
    sent: Vec<String>,
    /// How much of that got it ready; `None` while that goes on.
    setup: Option<usize>,
    /// What the protocol says when it is over.
    farewell: &'static str,
    /// The last line of its complaints.
    last_words: Arc<Mutex<String>>,
    /// Who reads them.
    listener: JoinHandle<()>,
}

impl Program {
    /// Starts it. At the end it is told `farewell`, and ended if it does not end by itself.
    pub fn start(command: &CommandLine, farewell: &'static str) -> Result<Program, Fault> {
        Program::start_and_hear(command, farewell, &[])
    }

    /// The same with words that count as a line though the program does not end it.
    pub(crate) fn start_and_hear(
        command: &CommandLine,
        farewell: &'static str,
        unended: &'static [&'static str],
    ) -> Result<Program, Fault> {
        let not_started = |reason: String| Fault::NotStarted { program: command.program.clone(), reason };
        let mut process = Command::new(&command.program);
        process.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            process.current_dir(folder);
        }
        // A group of its own, so that what a wrapper script has started ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process.spawn().map_err(|error| not_started(error.to_string()))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut input), Some(output), Some(complaints)) = pipes else {
            return Err(not_started("its input and output are not there".to_string()));
        };
        let last_words = Arc::new(Mutex::new(String::new()));
        let heard = last_words.clone();
        let listener = std::thread::spawn(move || {
            pass_lines(BufReader::new(complaints), LONGEST_LINE, &[], &mut |line| {
                *heard.lock().unwrap_or_else(PoisonError::into_inner) = line;
                ControlFlow::Continue(())
            });
        });
        let (to_program, commands) = mpsc::channel::<String>();
        std::thread::spawn(move || {
            for command in commands {
                // A program that is gone is noticed when its answer is waited for.
                if input.write_all(command.as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        let (lines, from_program) = mpsc::sync_channel(WAITING_LINES);
        std::thread::spawn(move || {
            pass_lines(BufReader::new(output), LONGEST_LINE, unended, &mut |line| match lines.send(line) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
        });
        let (last_command, commanded) = ("start".to_string(), Instant::now());
        Ok(Program {
            name: command.program.clone(),
            command: command.clone(),
            child,
            to_program,
            from_program,
            last_command,
            commanded,
            sent: Vec::new(),
            setup: None,
            farewell,
            last_words,
            listener,
        })
    }

    /// Whatever was said until the first call got the program ready; from each call on, something begins that does not
    /// depend on what was said after that.
    pub fn begin_exchange(&mut self) {
        let setup = *self.setup.get_or_insert(self.sent.len());
        self.sent.truncate(setup);
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        // If the writer has ended, so has the program, which the next wait for an answer finds out.
        let _ = self.to_program.send(format!("{line}\n"));
        self.last_command = line.to_string();
        self.sent.push(line.to_string());
        self.commanded = Instant::now();
    }

    /// Lets the program know that nothing more will be sent.
    pub(crate) fn end_input(&mut self) {
        // The thread that writes ends when all is written, and closes the input.
        self.to_program = mpsc::channel().0;
    }

    /// Counts a line as sent that the program has heard in an earlier exchange, because this one depends on it.
    pub(crate) fn recall(&mut self, line: &str) {
        self.sent.push(line.to_string());
    }

    /// Waits until `deadline` for a line of which `pick` makes something.
    pub fn wait_for<T>(
        &mut self,
        deadline: Instant,
        pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        self.wait_unless(deadline, None, pick)
    }

    /// The same, unless `stop` says that nobody waits any more.
    pub fn wait_unless<T>(
        &mut self,
        deadline: Instant,
        stop: Option<&dyn Fn() -> bool>,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        loop {
            // A program that talks without end is as late as one that is silent.
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.silent());
            }
            let slice = if stop.is_some() { left.min(BETWEEN_LOOKS) } else { left };
            match self.from_program.recv_timeout(slice) {
                Ok(line) => {
                    if let Some(found) = pick(&line) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if stop.is_some_and(|stop| stop()) {
                        return Err(Fault::Interrupted { program: self.name.clone() });
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// Forgets what the program has said without being asked, so that it is not taken for an answer.
    pub fn forget_talk(&mut self) {
        while self.from_program.try_recv().is_ok() {}
    }

    /// Refuses a game from another start, for protocols that know only the usual one.
    pub(crate) fn expect_usual_start(&self, situation: &Situation) -> Result<(), Fault> {
        match &situation.start {
            None => Ok(()),
            Some(start) => Err(self.nonsense(start, "this protocol knows only games from the usual start")),
        }
    }

    /// The fault of an answer that makes no sense.
    pub fn nonsense(&self, answer: &str, reason: impl Into<String>) -> Fault {
        Fault::Nonsense {
            program: self.name.clone(),
            command: self.last_command.clone(),
            answer: answer.chars().take(200).collect(),
            reason: reason.into(),
        }
    }

    fn silent(&self) -> Fault {
        let waited = self.commanded.elapsed();
        Fault::Silent {
            program: self.name.clone(),
            command: self.last_command.clone(),
            seconds: format!("{:.3}", waited.as_secs_f64()),
            reproduction: self.reproduction(waited),
        }
    }

    /// A line for the shell that says all of this to the program again and waits as long for an answer.
    fn reproduction(&self, waited: Duration) -> String {
        let lines: Vec<String> = self.sent.iter().flat_map(|text| text.lines()).map(shell_quoted).collect();
        let program: Vec<String> = std::iter::once(&self.command.program)
            .chain(&self.command.arguments)
            .map(|word| shell_quoted(word))
            .collect();
        let folder = self.command.folder.as_ref();
        let folder = folder.map_or(String::new(), |folder| format!("cd {} && ", shell_quoted(folder)));
        let seconds = waited.as_secs() + 1;
        format!("{folder}(printf '%s\\n' {}; sleep {seconds}) | {}", lines.join(" "), program.join(" "))
    }

    fn ended(&mut self) -> Fault {
        let status = match self.wait(TIME_TO_END) {
            Some(status) => status,
            None => "its output is closed".to_string(),
        };
        // What it said last may still be on its way. Something that it has started may hold the pipe open, so that it is not waited for forever.
        let deadline = Instant::now() + TIME_TO_END;
        while !self.listener.is_finished() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let last_words = match last_words.trim() {
            "" => String::new(),
            words => format!("; its last words: {}", shortened(words)),
        };
        Fault::Ended { program: self.name.clone(), status, command: self.last_command.clone(), last_words }
    }

    /// Waits for the process to end; `None` if it does not.
    fn wait(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A program that can end by itself may have something to put in order.
        self.send(self.farewell);
        self.wait(TIME_TO_END);
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            let _ = nix::sys::signal::killpg(
                nix::unistd::Pid::from_raw(group),
                nix::sys::signal::Signal::SIGKILL,
            );
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Program {
        let arguments = vec!["-c".to_string(), script.to_string()];
        let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
        Program::start(&command, "quit").expect("a shell")
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn lines_go_back_and_forth() {
        let mut program = shell("while read line; do echo \"got $line\"; done");
        program.send("one");
        program.send("two");
        assert_eq!(
            program.wait_for(soon(), |line| line.strip_prefix("got t").map(str::to_string)),
            Ok("wo".to_string())
        );
    }

    #[test]
    fn a_program_may_end_by_itself_and_is_not_waited_for_in_vain() {
        let folder = std::env::temp_dir().join(format!("outplay-farewell-{}", std::process::id()));
        let file = folder.display();
        let polite =
            shell(&format!("while read line; do [ $line = quit ] && echo $line > {file} && exit; done"));
        drop(polite);
        assert_eq!(std::fs::read_to_string(&folder).expect("its last words"), "quit\n");
        std::fs::remove_file(&folder).expect("our own file");

        let mut program = shell("sleep 60");
        let begun = Instant::now();
        let fault = program.wait_unless(soon(), Some(&|| true), |_| None::<()>).expect_err("nobody waits");
        assert!(matches!(fault, Fault::Interrupted { .. }) && begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_crash_is_told_with_its_status_and_the_last_command() {
        let mut program = shell("read line; exit 3");
        program.send("go");
        let fault = program.wait_for(soon(), |_| None::<()>).expect_err("it ends");
        assert_eq!(fault.to_string(), "\"sh\" ended (exit status: 3) after \"go\"");
    }

    #[test]
    fn silence_is_told_with_the_command_and_the_time() {
        let mut program = shell("sleep 60");
        program.send("go infinite");
        let deadline = Instant::now() + Duration::from_millis(50);
        let fault = program.wait_for(deadline, |_| None::<()>).expect_err("it is silent").to_string();
        assert!(fault.contains("\"go infinite\" for 0.0"), "{fault}");
    }

    #[test]
    #[cfg(unix)]
    fn silence_can_be_brought_about_again() {
        let mut program = shell("while read line; do echo \"got $line\"; done");
        program.send("set it's up");
        program.begin_exchange();
        program.send("forgotten");
        program.begin_exchange();
        program.send("one\ntwo");
        let deadline = Instant::now() + Duration::from_millis(50);
        let fault = program.wait_for(deadline, |_| None::<()>).expect_err("nothing was picked");
        let again = Command::new("sh").arg("-c").arg(fault.reproduction().expect("a line")).output();
        let said = String::from_utf8(again.expect("a shell").stdout).expect("text");
        assert_eq!(said, "got set it's up\ngot one\ngot two\n");
    }

    #[test]
    fn endless_lines_and_endless_output_need_no_memory() {
        let mut long = shell("head -c 10000000 /dev/zero | tr '\\0' x; echo; echo end");
        let length = long.wait_for(soon(), |line| Some(line.len())).expect("a line");
        assert_eq!(length, LONGEST_LINE);
        assert!(long.wait_for(soon(), |line| (line == "end").then_some(())).is_ok());
        let mut flood = shell("yes");
        assert!(flood.wait_for(soon(), |line| (line == "y").then_some(())).is_ok());
        let deadline = Instant::now() + Duration::from_millis(200);
        let fault = flood.wait_for(deadline, |_| None::<()>).expect_err("nothing is ever right");
        assert!(matches!(fault, Fault::Silent { .. }), "{fault}");
        assert!(deadline.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_program_that_does_not_read_cannot_block_us() {
        let mut deaf = shell("sleep 60");
        for _ in 0..10_000 {
            deaf.send(&"x".repeat(1000));
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_a_wrapper_has_started_ends_with_it() {
        let mut wrapper = shell("sleep 1000 & echo $!; wait");
        let pid: i32 = wrapper.wait_for(soon(), |line| line.parse().ok()).expect("a process");
        drop(wrapper);
        let alive = || nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), None).is_ok();
        let deadline = soon();
        while alive() && !is_zombie(pid) {
            assert!(Instant::now() < deadline, "{pid} lives on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether a process has ended and waits for its parent to notice.
    fn is_zombie(pid: i32) -> bool {
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "))
    }

    #[test]
    fn what_is_not_there_cannot_be_started() {
        let command = CommandLine { program: "no-such-program".to_string(), arguments: vec![], folder: None };
        assert!(matches!(Program::start(&command, "quit"), Err(Fault::NotStarted { .. })));
    }
}
