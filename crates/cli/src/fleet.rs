//! `outplay fleet`

use std::fmt::Write as _;
use std::io::Write;

use anyhow::anyhow;
use outplay_fleet::wire::{self, DeadJob, Order, RunCard, WorkerCard};
use outplay_fleet::{Depth, Expected, Fleet, FleetError, Line, Name, Nats, Space};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Failure;
use crate::fleet_args::{AccessArgs, expect_server, fleet_failure, machine};

/// See and steer the machines of a fleet.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay fleet status nats://10.0.0.1                     machines, runs and queues
  outplay fleet status nats://10.0.0.1 --prometheus        the same as metrics
  outplay fleet drain nats://10.0.0.1 lab7-4242            let a machine finish and leave; --undo lets it come back
  outplay fleet forget nats://10.0.0.1 lab7-4242           what it has played does not count, and is played again
  outplay fleet dead nats://10.0.0.1                       pairs that were given up, and why
  outplay fleet end nats://10.0.0.1 run-0123456789abcdef   throw away what is left of a run that nobody goes on with")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Show the machines, the runs and the queues.
    Status {
        #[command(flatten)]
        server: ServerArgs,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        /// Print metrics for Prometheus.
        #[arg(long, conflicts_with = "json")]
        prometheus: bool,
    },
    /// Tell a machine to finish what it has in hand, and to leave.
    Drain {
        #[command(flatten)]
        server: ServerArgs,
        /// The machine.
        worker: Name,
        /// Let it come back.
        #[arg(long)]
        undo: bool,
        /// Why: the machine shows it.
        #[arg(long, value_name = "WORDS", default_value = "")]
        reason: String,
    },
    /// Take out what a machine has played, play it again, and let the machine go.
    Forget {
        #[command(flatten)]
        server: ServerArgs,
        /// The machine.
        worker: Name,
        /// Let what it plays from now on count again, and let it come back.
        #[arg(long)]
        undo: bool,
    },
    /// Show the pairs that were given up.
    Dead {
        #[command(flatten)]
        server: ServerArgs,
        /// Forget them.
        #[arg(long)]
        clear: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Throw away what is left of a run.
    End {
        #[command(flatten)]
        server: ServerArgs,
        /// The run.
        run: Name,
    },
}

#[derive(clap::Args)]
struct ServerArgs {
    /// The server: nats://HOST:PORT or tls://HOST:PORT.
    #[arg(value_name = "SERVER")]
    server: String,
    #[command(flatten)]
    access: AccessArgs,
}

impl ServerArgs {
    fn open(&self) -> Result<Nats, Failure> {
        let access = self.access.to(expect_server(&self.server)?);
        Nats::open(&access, machine()).map_err(fleet_failure)
    }
}

/// How a fleet stands.
#[derive(Serialize)]
struct Status {
    server: String,
    workers: Vec<Named<WorkerCard>>,
    runs: Vec<Run>,
}

#[derive(Serialize)]
struct Named<T> {
    name: Name,
    #[serde(flatten)]
    card: T,
}

#[derive(Serialize)]
struct Run {
    name: Name,
    #[serde(flatten)]
    card: RunCard,
    jobs: Depth,
    answers: Depth,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.command {
        Command::Status { server, json, prometheus } => {
            let status = Status::of(&server.open()?).map_err(fleet_failure)?;
            match (json, prometheus) {
                (true, _) => writeln!(out, "{}", serde_json::to_string(&status)?)?,
                (_, true) => write!(out, "{}", status.metrics())?,
                _ => write!(out, "{}", status.table())?,
            }
            Ok(())
        }
        Command::Drain { server, worker, undo, reason } => {
            let order = Order { drain: true, forget: false, reason: reason.clone() };
            tell(&server.open()?, worker, &order, *undo)
        }
        Command::Forget { server, worker, undo } => {
            let reason = "what it has played does not count".to_string();
            tell(&server.open()?, worker, &Order { drain: true, forget: true, reason }, *undo)
        }
        Command::Dead { server, clear, json } => dead(&server.open()?, *clear, *json, out),
        Command::End { server, run } => {
            let nats = server.open()?;
            if nats.pointer(Space::Runs, run).map_err(fleet_failure)?.is_none() {
                return Err(Failure::Failed(anyhow!("there is no run {run}: see `outplay fleet status`")));
            }
            nats.remove_pointer(Space::Runs, run).and_then(|()| nats.close_run(run)).map_err(fleet_failure)
        }
    }
}

fn tell(nats: &Nats, worker: &Name, order: &Order, undo: bool) -> Result<(), Failure> {
    let told = match undo {
        true => nats.remove_pointer(Space::Orders, worker),
        false => nats.set_pointer(Space::Orders, worker, &wire::written(order), Expected::Anything).map(drop),
    };
    told.map_err(fleet_failure)
}

fn dead(nats: &Nats, clear: bool, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let dead = cards::<DeadJob>(nats, Space::Dead).map_err(fleet_failure)?;
    if json {
        writeln!(out, "{}", serde_json::to_string(&dead)?)?;
    } else {
        for Named { card, .. } in &dead {
            let [run, worker, reason] = [&card.run, &card.worker, &card.reason].map(|text| plain(text));
            writeln!(out, "{run}, pair {}, {worker}: {reason}", card.pair)?;
        }
    }
    if clear {
        for Named { name, .. } in &dead {
            nats.remove_pointer(Space::Dead, name).map_err(fleet_failure)?;
        }
    }
    Ok(())
}

/// What a machine says of itself, without what a terminal would obey, and no longer than somebody would read.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The cards of a space; what is no card is left out.
fn cards<T: DeserializeOwned>(nats: &Nats, space: Space) -> Result<Vec<Named<T>>, FleetError> {
    let pointers = nats.pointers(space)?.into_iter();
    Ok(pointers
        .filter_map(|(name, found)| Some(Named { name, card: wire::read(&found.value).ok()? }))
        .collect())
}

impl Status {
    fn of(nats: &Nats) -> Result<Status, FleetError> {
        let mut runs = Vec::new();
        for Named { name, card } in cards::<RunCard>(nats, Space::Runs)? {
            // A run may end while we look.
            let depth = |line: Line| match nats.depth(&line) {
                Err(FleetError::NoRun(_)) => Ok(Depth::default()),
                other => other,
            };
            let jobs = depth(Line::Jobs(name.clone()))?;
            let answers = depth(Line::Answers(name.clone()))?;
            runs.push(Run { name, card, jobs, answers });
        }
        Ok(Status { server: nats.server_version(), workers: cards(nats, Space::Workers)?, runs })
    }

    fn table(&self) -> String {
        let mut text = format!("nats-server {}\n", self.server);
        let threads = self.workers.iter().map(|worker| worker.card.threads).fold(0, usize::saturating_add);
        let _ = writeln!(text, "{} machines, {threads} games at once", self.workers.len());
        for Named { name, card } in &self.workers {
            let rate =
                card.pairs as f64 * 2.0 * 3600.0 / (wire::now().saturating_sub(card.since)).max(1) as f64;
            let _ = writeln!(
                text,
                "  {name}: {}, {} of {} playing on {} cores, {} pairs, {rate:.0} games an hour, {} to deliver, version {} build {}",
                plain(&card.state),
                card.playing,
                card.threads,
                card.cores,
                card.pairs,
                card.spooled,
                plain(&card.version),
                plain(&card.build)
            );
            if !card.trouble.is_empty() {
                let _ = writeln!(text, "    {}", plain(&card.trouble));
            }
        }
        let _ = writeln!(text, "{} runs", self.runs.len());
        for Run { name, card, jobs, answers } in &self.runs {
            let _ = writeln!(
                text,
                "  {name}: {}\n    {} pairs done, {} waiting, {} on lease, {} to be taken in; begun by {} with build {}",
                plain(&card.what),
                card.done,
                jobs.waiting,
                jobs.leased,
                answers.waiting + answers.leased,
                card.from,
                plain(&card.build)
            );
        }
        text
    }

    /// The text format of Prometheus. Names hold no character that it would not.
    fn metrics(&self) -> String {
        let mut text = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, rows: Vec<(String, f64)>| {
            let _ = writeln!(text, "# HELP outplay_{name} {help}\n# TYPE outplay_{name} {kind}");
            for (labels, value) in rows {
                let _ = writeln!(text, "outplay_{name}{{{labels}}} {value}");
            }
        };
        let of_workers = |value: fn(&WorkerCard) -> f64| {
            let row = |Named { name, card }: &Named<WorkerCard>| (format!("worker=\"{name}\""), value(card));
            self.workers.iter().map(row).collect::<Vec<_>>()
        };
        metric("worker_threads", "gauge", "Games at once.", of_workers(|card| card.threads as f64));
        metric("worker_playing", "gauge", "Pairs under way.", of_workers(|card| card.playing as f64));
        metric("worker_spooled", "gauge", "Pairs to be delivered.", of_workers(|card| card.spooled as f64));
        metric("worker_pairs_total", "counter", "Pairs delivered.", of_workers(|card| card.pairs as f64));
        metric("worker_nodes_total", "counter", "Nodes searched.", of_workers(|card| card.nodes as f64));
        metric(
            "worker_busy_seconds_total",
            "counter",
            "Seconds of play of all threads.",
            of_workers(|card| card.busy),
        );
        let of_runs = |value: fn(&Run) -> f64| {
            self.runs.iter().map(|run| (format!("run=\"{}\"", run.name), value(run))).collect::<Vec<_>>()
        };
        metric("run_pairs_total", "counter", "Pairs that came back.", of_runs(|run| run.card.done as f64));
        metric("run_jobs_waiting", "gauge", "Pairs that nobody has.", of_runs(|run| run.jobs.waiting as f64));
        metric("run_jobs_leased", "gauge", "Pairs on lease.", of_runs(|run| run.jobs.leased as f64));
        metric(
            "run_answers_waiting",
            "gauge",
            "Pairs to be taken in.",
            of_runs(|run| run.answers.waiting as f64),
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_cannot_write_to_our_terminal() {
        let card = WorkerCard {
            state: "\u{1b}[2Jgone\u{9b}\r\n".to_string(),
            trouble: "x".repeat(10_000),
            threads: usize::MAX,
            ..WorkerCard::default()
        };
        let worker = |name: &str| Named { name: Name::like(name), card: card.clone() };
        let status =
            Status { server: "2".to_string(), workers: vec![worker("a"), worker("b")], runs: Vec::new() };
        let table = status.table();
        assert!(table.contains("  a: [2Jgone, ") && table.len() < 1000, "{table}");
        assert!(table.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
