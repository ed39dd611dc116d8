//! Programs that others wrote, run as separate processes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

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
            let mut process = Command::new(program)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .ok()?;
            let (input, output) = (process.stdin.take()?, BufReader::new(process.stdout.take()?));
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
