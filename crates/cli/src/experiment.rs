//! What the commands have in common that play many games: openings, a file to resume from, a page, Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use outplay_core::text::shell_quoted;
use outplay_engine::NamedGame;
use outplay_lab::{MatchError, Opening, PlayerError, PlayerSpec, Store};

use crate::Failure;
use crate::doctor::number_of_cores;
use crate::opening_args::OpeningArgs;

/// How an experiment begins, where it is kept and what is printed of it.
#[derive(clap::Args)]
pub struct ExperimentArgs {
    #[command(flatten)]
    openings: OpeningArgs,
    /// Games at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Keep every pair of games in this file.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Go on with what is in the file.
    #[arg(long, requires = "db")]
    resume: bool,
    /// Write a page with plots to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl ExperimentArgs {
    /// How many games to play at once; warns if the machine has not as many cores.
    pub fn concurrency(&self) -> usize {
        let games = self.concurrency as usize;
        warn_about_cores(games);
        games
    }

    /// The openings of the file, or so many random ones.
    pub fn openings(&self, game: &NamedGame, count: usize) -> Result<Vec<Opening>, Failure> {
        self.openings.read(game, count)
    }

    /// The file that keeps the experiment, if one is wanted. `what` has to say everything that has a say in the games besides
    /// the openings, but not how many games there are.
    pub fn store(&self, what: &str, openings: &[Opening]) -> Result<Option<Store>, Failure> {
        let Some(path) = &self.db else { return Ok(None) };
        let openings = self.openings.identity(openings);
        let identity = format!("{what}, openings {openings}");
        let store = Store::open(path, &identity, self.resume);
        Ok(Some(store.with_context(|| format!("cannot use {}", path.display())).map_err(Failure::Failed)?))
    }

    /// Refuses to write two things, these among them, to one file.
    pub fn expect_different_files(&self, others: &[&Option<PathBuf>]) -> Result<(), Failure> {
        let all = others.iter().copied().chain([&self.html, &self.db]);
        let named: Vec<&PathBuf> = all.flatten().collect();
        match named.iter().enumerate().find(|(place, path)| named[..*place].contains(path)) {
            None => Ok(()),
            Some((_, path)) => {
                let path = path.display();
                Err(Failure::usage(anyhow!("{path} is to be written twice: give each its own file")))
            }
        }
    }

    /// What is said after Ctrl-C: the command that goes on.
    pub fn interrupted(&self) -> Failure {
        match self.db {
            None => interrupted("without --db FILE it has to begin anew"),
            Some(_) => interrupted(&how_to_go_on(self.resume)),
        }
    }
}

/// What is said after Ctrl-C.
pub fn interrupted(how: &str) -> Failure {
    Failure::Verdict { code: 4, words: format!("interrupted; {how}") }
}

/// The command that goes on, if this one can be gone on with.
pub fn how_to_go_on(is_resumed: bool) -> String {
    format!("to go on: {}{}", command_line(), if is_resumed { "" } else { " --resume" })
}

/// The command line of this program, to be typed again.
fn command_line() -> String {
    std::env::args_os().map(|word| shell_quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Writes a file whole.
pub fn write_file(path: &Path, content: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
    let written = std::fs::write(path, content);
    written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::Failed)
}

/// The player that a text describes, or the players of a file.
pub fn read_players(text: &str, game: &NamedGame) -> Result<Vec<PlayerSpec>, Failure> {
    let read = PlayerSpec::read(text).map_err(Failure::usage)?;
    read.into_iter().map(|player| player.at_level(game).map_err(Failure::usage)).collect()
}

/// Why there is no such player, with its exit code.
pub fn player_failure(error: PlayerError) -> Failure {
    match error {
        PlayerError::External(fault) => {
            let again = fault.reproduction().map(|line| format!("\n  to see it again: {line}"));
            Failure::Failed(anyhow!("{fault}{}", again.unwrap_or_default()))
        }
        error => Failure::usage(error),
    }
}

/// Why a match could not go on, with its exit code.
pub fn match_failure(error: MatchError) -> Failure {
    match error {
        MatchError::Player(error) => player_failure(error),
        error @ (MatchError::Crew(_) | MatchError::Forgotten { .. }) => Failure::Failed(error.into()),
        MatchError::Store(_) => Failure::Failed(anyhow!(error).context("a pair could not be kept")),
    }
}

/// Warns if so many games, or searches, at once are more than the machine has cores.
pub fn warn_about_cores(at_once: usize) {
    let cores = number_of_cores();
    if at_once > cores {
        eprintln!("outplay: {at_once} searches at once on {cores} cores: clocks and speeds will suffer");
    }
}

/// What Ctrl-C sets; the second time it ends the program.
pub fn interruption() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // Where the system refuses, Ctrl-C ends the program as it always does.
    drop(ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("outplay: ending what is under way (once more to end at once)");
    }));
    interrupted
}

/// Shows how far an experiment has come, if anybody looks.
pub fn progress_bar(count: usize, of_what: &str) -> indicatif::ProgressBar {
    let template = format!("{{msg}}\n{{wide_bar}} {{pos}}/{{len}} {of_what}, {{eta}} left");
    indicatif::ProgressBar::new(count as u64).with_style(
        indicatif::ProgressStyle::with_template(&template)
            .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()),
    )
}
