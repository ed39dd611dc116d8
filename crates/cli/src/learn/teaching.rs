//! `outplay learn imitate` and `outplay learn distil`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use outplay_engine::{Catalogue, NamedGame, NetworkDevice};
use outplay_learn::{
    Course, Epoch, Folder, LargeRun, Model, Recipe, Settings, distil, games_of_file, imitate, imitate_games,
};
use outplay_search::Limits;

use super::{failed, learner};
use crate::Failure;
use crate::experiment::{interrupted, interruption, progress_bar, warn_about_cores};
use crate::inputs::{GameArgs, setting, share};

/// What both have in common.
#[derive(clap::Args)]
struct TeachingArgs {
    /// The folder of the run that begins with this network.
    #[arg(long, value_name = "FOLDER")]
    run: PathBuf,
    /// Change a setting of the run; may be given several times (see `outplay learn --options`).
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// How often each position is learned from.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// The share of games that is held out, to see what the network says of positions that it has not learned from.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    held_out: f64,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Where the network is trained: auto (a GPU that can, else the processor), cpu, cuda or cuda:N.
    #[arg(long, value_name = "DEVICE", default_value_t = NetworkDevice::Auto)]
    device: NetworkDevice,
    /// Print a line of JSON for each epoch, and nothing else.
    #[arg(long)]
    json: bool,
}

/// Let a network learn from the games of a player, or from those of a file, as the beginning of a run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay learn imitate connect4 --run four --player search=pvs,nodes=2000 --games 2000
  outplay learn imitate othello --run o --player search=pvs,nodes=5000,lines=3 --games 1000 --set blocks=4
  outplay learn imitate chess --run c --from games.pgn --recipe fast --epochs 2
  outplay learn --run four                       goes on from there, with games of its own

A player is a search with its settings (see `outplay options`), and nodes=N or depth=N for a move; lines=N has it compare the N best moves, which share the
policy by their values. Games begin with random moves. Everything is decided by the settings: threads and interruptions change nothing, and the same command goes on
after Ctrl-C. The network becomes generation 0 of the run.")]
pub struct ImitateArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The player: NAME=VALUE, joined by commas.
    #[arg(long, value_name = "SETTINGS", value_delimiter = ',', value_parser = setting, required_unless_present = "from")]
    player: Vec<(String, String)>,
    /// How many games it plays.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    games: u64,
    /// Random moves at the beginning of a game; every second game has one more.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(..=1_000))]
    random_plies: u16,
    /// The advantage, in hundredths, that is worth a value of 0.76: opinions become values by tanh.
    #[arg(long, value_name = "N", default_value_t = 400.0, value_parser = positive)]
    curve: f64,
    /// With lines=N: how much less a move may be worth than the best to get 1/e of its share.
    #[arg(long, value_name = "VALUE", default_value_t = 0.1, value_parser = positive)]
    spread: f64,
    /// Learn from the games of this file instead, with results as it has them.
    #[arg(long, value_name = "FILE", conflicts_with = "player")]
    from: Option<PathBuf>,
    /// The recipe that settings are taken from.
    #[arg(long, value_name = "R", default_value = "plain", value_parser = |text: &str| text.parse::<Recipe>())]
    recipe: Recipe,
    #[command(flatten)]
    teaching: TeachingArgs,
}

/// Let a smaller network, or a larger one, learn what the network of a run thinks, as the beginning of another run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay learn distil --from large --run small --set blocks=2 --set channels=32
  outplay learn distil --from large --run small --set blocks=2 --own 0.3 --generations 20
  outplay learn --run small                      goes on from there, with games of its own

The positions are those of the run's games; the targets are what its newest network says of them, mixed with what the games say by --own. Settings that are not
changed are those of the run. The network becomes generation 0.")]
pub struct DistilArgs {
    /// The folder of the run to learn from.
    #[arg(long, value_name = "RUN")]
    from: PathBuf,
    /// Take the games of so many of its newest generations; all by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,
    /// What share of the targets are the game's own: searches and results.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    own: f64,
    #[command(flatten)]
    teaching: TeachingArgs,
}

pub fn run_imitate(args: &ImitateArgs, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (named, name) = (args.game.named(games)?, args.game.named(games)?.to_string());
    let settings = settled(Settings::of(args.recipe), &args.teaching)?;
    let stop = interruption();
    let course = course(&args.teaching, &name, games, &settings, &stop)?;
    let mut table = Table::new(&args.teaching, out);
    let taught = match &args.from {
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
            let bytes = bytes.map_err(Failure::Failed)?;
            let mut session = named.open().map_err(Failure::usage)?;
            let (found, useless) = games_of_file(&mut *session, &bytes)
                .with_context(|| format!("in {}", path.display()))
                .map_err(Failure::Failed)?;
            if useless > 0 {
                eprintln!("outplay: {useless} games begin elsewhere or have no result, and are left out");
            }
            imitate_games(&course, &found, &mut |epoch| table.row(epoch))
        }
        None => {
            let options = options(&args.player);
            let model = model(args, &named, &options, &settings)?;
            let bar = progress_bar(args.games as usize, "games");
            let played = |count: usize| bar.set_position(count as u64);
            imitate(&course, &model, &played, &mut |epoch| table.row(epoch))
        }
    };
    table.end(taught.map_err(failed)?.is_some(), &args.teaching.run)
}

pub fn run_distil(args: &DistilArgs, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, settings) = Folder::settings_of(&args.from).map_err(failed)?;
    let settings = settled(settings, &args.teaching)?;
    let stop = interruption();
    let course = course(&args.teaching, &game, games, &settings, &stop)?;
    let generations = args.generations.map_or(usize::MAX, |count| count as usize);
    let large = LargeRun { run: &args.from, generations, own: args.own };
    let mut table = Table::new(&args.teaching, out);
    let taught = distil(&large, &course, &mut |epoch| table.row(epoch)).map_err(failed)?;
    table.end(taught.is_some(), &args.teaching.run)
}

fn settled(mut settings: Settings, args: &TeachingArgs) -> Result<Settings, Failure> {
    for (name, value) in &args.settings {
        settings.set(name, value).map_err(Failure::usage)?;
    }
    Ok(settings)
}

fn course<'c>(
    args: &'c TeachingArgs,
    game: &'c str,
    games: &Catalogue,
    settings: &'c Settings,
    stop: &'c AtomicBool,
) -> Result<Course<'c>, Failure> {
    let threads = args.threads as usize;
    warn_about_cores(threads);
    let TeachingArgs { epochs, held_out, device, .. } = *args;
    let learner = learner(&*games.open(game).map_err(Failure::usage)?, game)?;
    Ok(Course { run: &args.run, game, learner, settings, epochs, held_out, threads, device, stop })
}

/// What a player is told beside its settings.
const LIMITS: [&str; 3] = ["nodes", "depth", "lines"];

/// The settings of a player alone.
fn options(player: &[(String, String)]) -> Vec<(String, String)> {
    player.iter().filter(|(name, _)| !LIMITS.contains(&name.as_str())).cloned().collect()
}

/// The player and how its games are played.
fn model<'m>(
    args: &ImitateArgs,
    game: &'m NamedGame,
    options: &'m [(String, String)],
    settings: &Settings,
) -> Result<Model<'m>, Failure> {
    let number = |name: &str| -> Result<Option<u64>, Failure> {
        let Some((_, value)) = args.player.iter().find(|(of, _)| of == name) else { return Ok(None) };
        let wrong = || Failure::usage(anyhow!("{name} of the player is {value:?}, expected a number from 1"));
        value.parse().ok().filter(|number| *number > 0).map(Some).ok_or_else(wrong)
    };
    let depth = number("depth")?.map(|depth| depth.min(1_000) as u32);
    let lines = number("lines")?.unwrap_or(1).min(1_000) as usize;
    let limits = Limits { nodes: number("nodes")?, depth, lines, ..Limits::default() };
    if limits.nodes.is_none() && limits.depth.is_none() {
        return Err(Failure::usage(anyhow!(
            "the player needs nodes=N or depth=N, as in --player search=pvs,nodes=2000"
        )));
    }
    Ok(Model {
        game,
        options,
        limits,
        games: args.games,
        random_plies: args.random_plies.into(),
        seed: settings.learn.seed,
        curve: args.curve,
        temperature: args.spread,
        longest: settings.play.longest_game as usize,
    })
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_string())
}

/// What is printed: a row for each epoch.
struct Table<'t> {
    out: &'t mut dyn Write,
    json: bool,
    /// What went wrong while it was printed; there is nobody to tell before the end.
    failure: Option<Failure>,
}

impl<'t> Table<'t> {
    fn new(args: &TeachingArgs, out: &'t mut dyn Write) -> Table<'t> {
        Table { out, json: args.json, failure: None }
    }

    fn row(&mut self, epoch: &Epoch) {
        let text = match self.json {
            true => serde_json::to_string(epoch).map_err(Failure::from),
            // Nothing is printed of what cannot even begin.
            false if epoch.epoch == 1 => Ok(format!("{}\n{}", heading(), row(epoch))),
            false => Ok(row(epoch)),
        };
        let written = text.and_then(|text| Ok(writeln!(self.out, "{text}").and_then(|()| self.out.flush())?));
        self.failure = self.failure.take().or(written.err());
    }

    fn end(self, is_done: bool, run: &Path) -> Result<(), Failure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if !is_done {
            return Err(interrupted("the same command goes on"));
        }
        if !self.json {
            writeln!(
                self.out,
                "The network is generation 0 of the run. To go on: outplay learn --run {}",
                run.display()
            )?;
        }
        Ok(())
    }
}

fn heading() -> String {
    format!(
        "{:>5} {:>8} {:>8} {:>8}   {:>9} {:>8} {:>10} {:>11}",
        "epoch", "steps", "policy", "value", "held out", "policy", "agreement", "value error"
    )
}

fn row(epoch: &Epoch) -> String {
    let held = epoch.held_out;
    format!(
        "{:>5} {:>8} {:>8.3} {:>8.3}   {:>9} {:>8.3} {:>9.1}% {:>11.3}",
        epoch.epoch,
        epoch.steps,
        epoch.policy_loss,
        epoch.value_loss,
        held.positions,
        held.policy_loss,
        100.0 * held.agreement,
        held.value_error
    )
}
