//! Arguments that have to do with other machines.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, anyhow};
use outplay_core::text;
use outplay_engine::NamedGame;
use outplay_fleet::{Access, Digest, FleetCrew, FleetError, Name, Nats, memory_of};
use outplay_lab::{Crew, Experiment, MatchError, PlayerSpec, Threads, parse_duration};

use crate::Failure;

/// How a server is convinced that we may come in.
#[derive(clap::Args, Clone)]
pub struct AccessArgs {
    /// A file with the token that the server wants.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A file with the seed of the nkey that the server knows us by.
    #[arg(long, value_name = "FILE", conflicts_with = "token_file")]
    nkey_file: Option<PathBuf>,
    /// The certificate by which the server's is trusted, instead of those of the system.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl AccessArgs {
    /// The way to a server.
    pub fn to(&self, server: &str) -> Access {
        Access {
            server: server.to_string(),
            token: self.token_file.clone(),
            nkey: self.nkey_file.clone(),
            ca: self.ca.clone(),
        }
    }

    /// The same as words of a command line that may be used elsewhere.
    pub fn words(&self) -> Vec<String> {
        let files =
            [("--token-file", &self.token_file), ("--nkey-file", &self.nkey_file), ("--ca", &self.ca)];
        let given = files.into_iter().filter_map(|(name, file)| Some((name, file.as_ref()?)));
        given.flat_map(|(name, file)| [name.to_string(), absolute(file)]).collect()
    }
}

/// A path that means the same in every folder.
pub fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}

/// Who plays, if not this machine.
#[derive(clap::Args)]
pub struct FleetArgs {
    /// Let the machines of a fleet play, which meet at this NATS server (nats://HOST; see docs/fleet.md).
    #[arg(long, value_name = "SERVER")]
    fleet: Option<String>,
    #[command(flatten)]
    access: AccessArgs,
    /// Let machines with other builds of this program take part.
    #[arg(long, requires = "fleet")]
    any_build: bool,
    /// How long a machine of the fleet may be silent before its games are given to another one: from 1 s to 24 h.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = lease_time, requires = "fleet")]
    lease: Duration,
}

/// The time of a lease: too short a one runs out before it can be renewed, and a server does not take any length.
fn lease_time(text: &str) -> Result<Duration, String> {
    let time = parse_duration(text)?;
    let is_fine = (Duration::from_secs(1)..=Duration::from_secs(24 * 3600)).contains(&time);
    if is_fine { Ok(time) } else { Err("expected a time from 1 s to 24 h".to_string()) }
}

/// Why there is no fleet, with its exit code.
pub fn fleet_failure(error: FleetError) -> Failure {
    Failure::Failed(error.into())
}

/// The program that runs, by what it is made of: machines with the same one play the same games.
pub fn build() -> Result<String, Failure> {
    let path = std::env::current_exe().context("cannot find this program").map_err(Failure::Failed)?;
    let program = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()));
    let digest = Digest::of(&program.map_err(Failure::Failed)?).to_string();
    Ok(digest[..16].to_string())
}

/// What this machine is called.
pub fn machine() -> Name {
    let of_file = || std::fs::read_to_string("/etc/hostname").ok();
    let name = std::env::var("HOSTNAME").ok().or_else(of_file).filter(|name| !name.trim().is_empty());
    Name::like(name.as_deref().map_or("machine", str::trim))
}

/// Whoever plays: threads of this program, or a fleet.
pub enum Players {
    /// So many threads.
    Here(Threads),
    /// The machines of a fleet.
    There {
        /// Where they meet.
        nats: Box<Nats>,
        /// What a run is called, besides its own name.
        build: String,
        any_build: bool,
        lease: Duration,
        memory: u64,
        what: String,
    },
}

impl FleetArgs {
    /// Whoever plays an experiment, which is `what`, at this game. `pairings` are the players who meet.
    pub fn players<'a>(
        &self,
        threads: usize,
        what: &str,
        game: &NamedGame,
        pairings: impl IntoIterator<Item = [&'a PlayerSpec; 2]>,
    ) -> Result<Players, Failure> {
        let Some(server) = &self.fleet else { return Ok(Players::Here(Threads(threads))) };
        let mut memory = 0;
        for [a, b] in pairings {
            memory = memory.max(memory_of(game, a)?.saturating_add(memory_of(game, b)?));
        }
        let nats = Nats::open(&self.access.to(server), machine()).map_err(fleet_failure)?;
        Ok(Players::There {
            nats: Box::new(nats),
            build: build()?,
            any_build: self.any_build,
            lease: self.lease,
            memory,
            what: what.to_string(),
        })
    }

    /// Whether a fleet plays.
    pub fn is_asked_for(&self) -> bool {
        self.fleet.is_some()
    }
}

impl Crew for Players {
    fn play(&self, experiment: &mut dyn Experiment, stop: &AtomicBool) -> Result<(), MatchError> {
        match self {
            Players::Here(threads) => threads.play(experiment, stop),
            Players::There { nats, build, any_build, lease, memory, what } => {
                let crew = FleetCrew {
                    fleet: &**nats,
                    what: text::shortened(what),
                    lease: *lease,
                    build: build.clone(),
                    any_build: *any_build,
                    memory: *memory,
                    tell: &|words| eprintln!("outplay: {words}"),
                };
                crew.play(experiment, stop)
            }
        }
    }
}

/// A failure to do what only a server knows how to mend.
pub fn expect_server(server: &str) -> Result<&str, Failure> {
    match server.contains("://") {
        true => Ok(server),
        false => {
            Err(Failure::usage(anyhow!("expected the address of a NATS server, as in nats://{server}:4222")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_are_neither_too_short_nor_endless() {
        assert_eq!(lease_time("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(lease_time("24h"), Ok(Duration::from_secs(24 * 3600)));
        for bad in ["0", "999ms", "24.1h", "1e300", "-1", "x"] {
            assert!(lease_time(bad).is_err(), "{bad}");
        }
    }
}
