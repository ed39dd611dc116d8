//! `outplay worker`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, anyhow};
use outplay_core::text::shell_quoted;
use outplay_engine::Catalogue;
use outplay_fleet::{FleetError, Hours, Leaving, Name, Nats, WorkerOptions, work};
use outplay_lab::{PlayerKind, PlayerSpec};

use crate::Failure;
use crate::doctor::number_of_cores;
use crate::fleet_args::{AccessArgs, absolute, build, expect_server, fleet_failure, machine};

/// Play for a fleet: take pairs of games from a NATS server, play them, deliver them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay worker nats://10.0.0.1 --token-file token
  outplay worker tls://fleet.example.org --nkey-file worker.nk --ca ca.pem --threads 8 --spool /var/lib/outplay
  outplay worker nats://10.0.0.1 --hours 22-6 --memory 4096 --programs programs.toml
  outplay worker nats://10.0.0.1 --token-file /etc/outplay/token --unit > /etc/systemd/system/outplay-worker.service

Ctrl-C or SIGTERM: games in hand are finished and delivered. A second one: they are given back at once.
The file of --programs has a table [[player]] for each program that may be asked for, with its name and cmd, as `outplay match` reads them.")]
pub struct Args {
    /// The server: nats://HOST:PORT or tls://HOST:PORT; several joined by commas.
    #[arg(value_name = "SERVER")]
    server: String,
    #[command(flatten)]
    access: AccessArgs,
    /// What this machine is called; by default its own name and a number.
    #[arg(long, value_name = "NAME")]
    name: Option<Name>,
    /// Games at once; by default one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Memory in MiB that the searches of all games together may take; for each run by itself, if there are several at once.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Take jobs only between these hours of the day, in universal time.
    #[arg(long, value_name = "FROM-TO")]
    hours: Option<Hours>,
    /// Programs of this machine that matches may ask for.
    #[arg(long, value_name = "FILE")]
    programs: Option<PathBuf>,
    /// Keep in this folder what could not be delivered, and deliver it next time.
    #[arg(long, value_name = "DIR")]
    spool: Option<PathBuf>,
    /// Print a systemd unit that starts this worker, and do nothing else.
    #[arg(long, conflicts_with = "containerfile")]
    unit: bool,
    /// Print a container file for this worker, and do nothing else.
    #[arg(long)]
    containerfile: bool,
}

/// How long to wait before a server that could not be reached is tried again.
const PATIENCE: Duration = Duration::from_secs(3);

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let server = expect_server(&args.server)?;
    if args.unit {
        return Ok(write!(out, "{}", args.unit_text())?);
    }
    if args.containerfile {
        return Ok(write!(out, "{}", args.container_text())?);
    }
    let options = WorkerOptions {
        threads: args.threads.map_or_else(number_of_cores, |threads| threads as usize),
        memory: args.memory,
        hours: args.hours,
        programs: args.programs.as_deref().map(programs).transpose()?.unwrap_or_default(),
        spool: args.spool.clone(),
        build: build()?,
        version: env!("CARGO_PKG_VERSION").to_string(),
    };
    let name =
        args.name.clone().unwrap_or_else(|| Name::like(&format!("{}-{}", machine(), std::process::id())));
    let leaving = leaving();
    let access = args.access.to(server);
    let tell = |words: &str| eprintln!("outplay: {words}");
    let mut has_told = false;
    let nats = loop {
        match Nats::join(&access, name.clone()) {
            Ok(nats) => break nats,
            // A machine may be up before its server is.
            Err(FleetError::Unavailable(words)) => {
                if !std::mem::replace(&mut has_told, true) {
                    tell(&format!("{words}; trying again"));
                }
            }
            Err(error) => return Err(fleet_failure(error)),
        }
        if leaving.soon.load(Ordering::Relaxed) {
            return Ok(());
        }
        std::thread::sleep(PATIENCE);
    };
    tell(&format!(
        "{name} works for {server} (nats-server {}), {} games at once, build {}",
        nats.server_version(),
        options.threads,
        options.build
    ));
    let card = work(&nats, games, &options, &leaving, &tell).map_err(fleet_failure)?;
    tell(&format!("{} pairs played", card.pairs));
    Ok(())
}

/// What SIGTERM and Ctrl-C set: once to leave, twice to leave at once, three times to end the program.
fn leaving() -> Arc<Leaving> {
    let leaving = Arc::new(Leaving::default());
    let flags = leaving.clone();
    // Where the system refuses, a signal ends the program as it always does; the server gives the games to others.
    drop(ctrlc::set_handler(move || {
        if !flags.soon.swap(true, Ordering::Relaxed) {
            eprintln!("outplay: finishing the games in hand (once more to give them back at once)");
        } else if flags.now.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    }));
    leaving
}

/// The programs of a file, by their names.
fn programs(path: &Path) -> Result<BTreeMap<String, PlayerSpec>, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read {shown}"))
        .map_err(Failure::Failed)?;
    let players =
        PlayerSpec::parse_toml(&text).map_err(|reason| Failure::usage(anyhow!("{shown}: {reason}")))?;
    let mut programs = BTreeMap::new();
    for player in players {
        let label = player.label();
        let (Some(name), PlayerKind::External { .. }) = (player.name.clone(), &player.kind) else {
            return Err(Failure::usage(anyhow!(
                "{shown}: {label} is no program with a name: give each [[player]] name and cmd"
            )));
        };
        if programs.insert(name, player).is_some() {
            return Err(Failure::usage(anyhow!("{shown}: there are two programs {label}")));
        }
    }
    Ok(programs)
}

impl Args {
    /// The command line of this worker, without what prints it.
    fn words(&self) -> Vec<String> {
        let mut words = vec!["worker".to_string(), self.server.clone()];
        words.extend(self.access.words());
        let mut add = |name: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [name.to_string(), value]));
        };
        let path = |path: &Option<PathBuf>| path.as_deref().map(absolute);
        add("--name", self.name.as_ref().map(Name::to_string));
        add("--threads", self.threads.map(|threads| threads.to_string()));
        add("--memory", self.memory.map(|memory| memory.to_string()));
        add("--hours", self.hours.map(|hours| hours.to_string()));
        add("--programs", path(&self.programs));
        add("--spool", path(&self.spool));
        words
    }

    fn unit_text(&self) -> String {
        let program =
            std::env::current_exe().map_or("outplay".to_string(), |path| path.display().to_string());
        let mut words = self.words();
        if self.spool.is_none() {
            words.extend(["--spool", "/var/lib/outplay-worker"].map(str::to_string));
        }
        let words: Vec<String> = words.iter().map(|word| shell_quoted(word)).collect();
        format!(
            "[Unit]\n\
             Description=Outplay worker for {}\n\
             Wants=network-online.target\n\
             After=network-online.target\n\
             \n\
             [Service]\n\
             ExecStart={} {}\n\
             DynamicUser=yes\n\
             StateDirectory=outplay-worker\n\
             Nice=10\n\
             Restart=on-failure\n\
             RestartSec=10\n\
             # Games in hand are finished; after this time they are given back.\n\
             TimeoutStopSec=10min\n\
             NoNewPrivileges=yes\n\
             ProtectSystem=strict\n\
             ProtectHome=yes\n\
             \n\
             [Install]\n\
             WantedBy=multi-user.target\n",
            self.server,
            shell_quoted(&program),
            words.join(" ")
        )
    }

    fn container_text(&self) -> String {
        let mut words = self.words();
        if self.spool.is_none() {
            words.extend(["--spool", "/spool"].map(str::to_string));
        }
        let words: Vec<String> =
            std::iter::once("outplay".to_string()).chain(words).map(|word| format!("{word:?}")).collect();
        format!(
            "# Beside this file: the program, as `outplay`. Files that the command names are mounted where it looks for them.\n\
             FROM docker.io/library/debian:stable-slim\n\
             COPY outplay /usr/local/bin/outplay\n\
             RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*\n\
             RUN useradd --system outplay && install -d -o outplay /spool\n\
             USER outplay\n\
             VOLUME /spool\n\
             STOPSIGNAL SIGTERM\n\
             ENTRYPOINT [{}]\n",
            words.join(", ")
        )
    }
}
