//! Programs that others wrote, run as separate processes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use outplay_connect::Connect;
use outplay_core::{Game, Line, Player};

/// Starts a program that takes lines and gives lines.
fn talking(command: &mut Command) -> Option<(Child, ChildStdin, BufReader<ChildStdout>)> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().ok()?;
    let (input, output) = (process.stdin.take()?, BufReader::new(process.stdout.take()?));
    Some((process, input, output))
}

/// A Stockfish that counts for us.
pub struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    /// Starts the one on the path, or where Debian puts it.
    pub fn start() -> Option<Stockfish> {
        ["stockfish", "/usr/games/stockfish"].iter().find_map(|program| {
            let (process, input, output) = talking(&mut Command::new(program))?;
            let mut stockfish = Stockfish { process, input, output };
            stockfish.say("isready")?;
            stockfish.wait_for("readyok").map(|_| stockfish)
        })
    }

    fn say(&mut self, line: &str) -> Option<()> {
        writeln!(self.input, "{line}").ok()
    }

    fn wait_for(&mut self, start: &str) -> Option<String> {
        (&mut self.output).lines().map_while(Result::ok).find(|line| line.starts_with(start))
    }

    /// Perft of a position: nodes and the time from command to answer.
    pub fn perft(&mut self, fen: &str, depth: u32) -> Option<(u64, Duration)> {
        self.say(&format!("position fen {fen}"))?;
        self.say("isready")?;
        self.wait_for("readyok")?;
        let (begun, wall) = (self.processor_time(), Instant::now());
        self.say(&format!("go perft {depth}"))?;
        let line = self.wait_for("Nodes searched")?;
        let nodes = line.rsplit(' ').next()?.parse().ok()?;
        // Where the system does not tell a process's time, the wall clock has to do.
        let spent = self.processor_time().zip(begun).map(|(now, begun)| now.saturating_sub(begun));
        Some((nodes, spent.unwrap_or_else(|| wall.elapsed())))
    }

    /// The processor time that the program has used so far, all of its threads together.
    fn processor_time(&self) -> Option<Duration> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).ok()?;
        let of_task = |task: std::fs::DirEntry| {
            let statistics = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            statistics.split(' ').next()?.parse().ok().map(Duration::from_nanos)
        };
        tasks.map(|task| task.ok().and_then(of_task)).sum()
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // It ends by itself when its input closes; if not, it is ours to end.
        if self.say("quit").is_none() {
            drop(self.process.kill());
        }
        drop(self.process.wait());
    }
}

/// Cloudict, which plays Connect6: the program that `OUTPLAY_CLOUDICT` names, started in its folder.
pub struct Cloudict {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Cloudict {
    pub fn start() -> Option<Cloudict> {
        let program = std::path::PathBuf::from(std::env::var_os("OUTPLAY_CLOUDICT")?);
        let (process, input, output) = talking(Command::new(&program).current_dir(program.parent()?))?;
        Some(Cloudict { process, input, output })
    }

    /// Searches a position to this depth without looking for wins by force first: nodes and processor time, by its own count.
    pub fn search(&mut self, line: &Line<Connect>, depth: u32) -> Option<(u64, Duration)> {
        writeln!(self.input, "unvcf\ndepth {depth}").ok()?;
        let answer = self.answer(line)?;
        Some((
            number(&answer, "Node")? as u64,
            Duration::try_from_secs_f64(number(&answer, "AB Time")?).ok()?,
        ))
    }

    /// Whether it finds a win by force, and the processor time for that, by its own count.
    pub fn look_for_win(&mut self, line: &Line<Connect>) -> Option<(bool, Duration)> {
        writeln!(self.input, "vcf\ndepth 1").ok()?;
        let answer = self.answer(line)?;
        let is_won = answer.iter().any(|line| line.starts_with("Win by VCF"));
        Some((is_won, Duration::try_from_secs_f64(number(&answer, "VCF time")?).ok()?))
    }

    /// What it says until it moves in a position.
    fn answer(&mut self, line: &Line<Connect>) -> Option<Vec<String>> {
        writeln!(self.input, "new white").ok()?;
        let mut position = line.start().clone();
        let mut turn = String::new();
        for &m in line.moves() {
            let player = position.to_move();
            let (column, row) =
                (m.index() % position.rules().columns(), m.index() / position.rules().columns());
            turn.extend([column, row].map(|place| char::from(b'A' + place as u8)));
            position.play(m);
            if position.to_move() != player {
                let colour = if player == Player::First { "black" } else { "white" };
                writeln!(self.input, "{colour} {}", std::mem::take(&mut turn)).ok()?;
            }
        }
        writeln!(self.input, "next").ok()?;
        let mut said = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if line.starts_with("move") {
                return Some(said);
            }
            said.push(line);
        }
    }
}

impl Drop for Cloudict {
    fn drop(&mut self) {
        if writeln!(self.input, "quit").is_err() {
            drop(self.process.kill());
        }
        drop(self.process.wait());
    }
}

/// The number after a colon in the line that begins with these words.
fn number(lines: &[String], words: &str) -> Option<f64> {
    let line = lines.iter().find(|line| line.starts_with(words))?;
    line.split_once(':')?.1.trim().parse().ok()
}

/// OpenSpiel's Monte Carlo tree search at Othello's start: `simulations`, each valued by `rollouts` random games.
/// Its processor time is measured inside the program, so that starting Python costs nothing.
pub fn open_spiel(simulations: u32, rollouts: u32) -> Option<Duration> {
    const PROGRAM: &str = "
import sys, time, pyspiel
simulations, rollouts = int(sys.argv[1]), int(sys.argv[2])
game = pyspiel.load_game('othello')
evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)
begun = time.process_time()
bot.step(game.new_initial_state())
print(time.process_time() - begun)
";
    let python = std::env::var("OUTPLAY_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let arguments = ["-c", PROGRAM, &simulations.to_string(), &rollouts.to_string()];
    let output = Command::new(python).args(arguments).stderr(Stdio::null()).output().ok()?;
    let seconds: f64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}
