//! `outplay tune`

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow};
use outplay_chess::tuning;
use outplay_lab::tune::{
    ChessEvaluation, Fit, FitOptions, GenerateError, Generation, PositionFile, chess_start, fit, generate,
    is_worth_keeping, read_positions,
};

use crate::Failure;
use crate::experiment::{interruption, progress_bar, warn_about_cores, write_file};
use crate::inputs::{at_least_nothing, setting, share};

/// Fit the weights of the chess evaluation to games of our own engine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay tune games games.txt --games 5000 --nodes 2000 --threads 2   play, and keep quiet positions
  outplay tune eval games.txt                                          say what fitting would gain
  outplay tune eval games.txt --write crates/chess/src/eval/weights.rs and put the weights where the program is built from

Both are decided by --seed. An interrupted `tune games` goes on where it was when it is given again.")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Games(GamesArgs),
    Eval(EvalArgs),
}

/// Play games of the engine against itself and keep quiet positions with score and result.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  outplay tune games games.txt --games 5000 --nodes 2000 --threads 2

Given again after an interruption, it goes on where it was.")]
struct GamesArgs {
    /// The file that the positions are added to.
    file: PathBuf,
    /// How many games the file is to hold.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u32,
    /// The search that plays.
    #[arg(long, value_name = "S", default_value = outplay_engine::DEFAULT_SEARCH)]
    search: String,
    /// Change a setting of the search; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random moves at the beginning of each game; every second game has one more.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=40))]
    random_plies: u16,
    /// Plies at the beginning of each game of which nothing is kept.
    #[arg(long, value_name = "N", default_value_t = 16)]
    skip: usize,
    /// Begin with two random arrays of Chess960, one for each side.
    #[arg(long)]
    chess960: bool,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

/// Fit the weights to the positions of files, and say what that gains on games that were held out.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  outplay tune eval games.txt more.txt --write crates/chess/src/eval/weights.rs")]
struct EvalArgs {
    /// Files that `outplay tune games` has made.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the weights to this file, as source.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Start from plain guesses, not from the weights in use.
    #[arg(long)]
    from_guesses: bool,
    /// How often every position is looked at, at most.
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().epochs)]
    epochs: usize,
    /// Positions for each step.
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().batch as u32, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The length of the first steps, in hundredths of a pawn.
    #[arg(long, value_name = "X", default_value_t = FitOptions::default().rate, value_parser = at_least_nothing)]
    rate: f64,
    /// How strongly weights are pulled back to where they started.
    #[arg(long, value_name = "X", default_value_t = FitOptions::default().pull, value_parser = at_least_nothing)]
    pull: f64,
    /// How much the search's score counts beside the result, 0 to 1.
    #[arg(long, value_name = "X", default_value_t = FitOptions::default().blend, value_parser = share)]
    blend: f64,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads, which change nothing but the time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.what {
        What::Games(args) => games(args, out),
        What::Eval(args) => eval(args, out),
    }
}

fn games(args: &GamesArgs, out: &mut dyn Write) -> Result<(), Failure> {
    warn_about_cores(args.threads as usize);
    let mut options = vec![("search".to_string(), args.search.clone())];
    options.extend(args.settings.iter().cloned());
    let how = Generation {
        game: if args.chess960 { "chess960" } else { "chess" },
        options: &options,
        nodes: args.nodes,
        seed: args.seed,
        games: args.games,
        random_plies: args.random_plies.into(),
        skipped_plies: args.skip,
        threads: args.threads as usize,
        start: if args.chess960 { chess_start } else { |_| None },
        is_worth_keeping,
    };
    let (game, nodes, seed) = (how.game, how.nodes, how.seed);
    let (random, skipped) = (how.random_plies, how.skipped_plies);
    let identity =
        format!("{game}, {options:?}, {nodes} nodes, {random} random plies, {skipped} skipped, seed {seed}");
    let opened = PositionFile::open(&args.file, &identity);
    let in_file = || format!("in {}", args.file.display());
    let mut file = opened.with_context(in_file).map_err(Failure::Failed)?;
    let held = file.games();
    let interrupted = interruption();
    let bar = progress_bar(args.games.saturating_sub(held) as usize, "games");
    let mut positions = 0;
    let generated = generate(&how, &mut file, &interrupted, &mut |new| {
        positions += new;
        bar.inc(1);
        if !bar.is_hidden() {
            bar.set_message(format!("{positions} new positions"));
        }
    });
    bar.finish_and_clear();
    generated.map_err(|error| match error {
        GenerateError::Session(error) => Failure::usage(error),
        GenerateError::Io(_) => Failure::Failed(anyhow!(error)),
    })?;
    writeln!(out, "{} games, {} of them new with {positions} positions", file.games(), file.games() - held)?;
    match interrupted.load(Ordering::Relaxed) {
        true => Err(Failure::Verdict { code: 4, words: "interrupted; the same command goes on".to_string() }),
        false => Ok(()),
    }
}

fn eval(args: &EvalArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let mut positions = Vec::new();
    for path in &args.files {
        let read = read_positions(path).with_context(|| format!("in {}", path.display()));
        let first = positions.last().map_or(0, |last: &outplay_lab::tune::KeptPosition| last.game + 1);
        positions.extend(read.map_err(Failure::Failed)?.into_iter().map(|mut position| {
            position.game += first;
            position
        }));
    }
    let samples = ChessEvaluation.samples(&positions);
    drop(positions);
    if samples.is_empty() {
        return Err(Failure::Failed(anyhow!("there is no position to learn from")));
    }
    let start = if args.from_guesses { tuning::first_guesses() } else { tuning::current() };
    let options = FitOptions {
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate,
        pull: args.pull,
        blend: args.blend,
        seed: args.seed,
        threads: args.threads as usize,
        ..FitOptions::default()
    };
    let bar = progress_bar(args.epochs, "epochs");
    let found = fit(&ChessEvaluation, &samples, &start, &options, &mut |step| {
        bar.inc(1);
        if !bar.is_hidden() {
            bar.set_message(format!("held-out loss {:.6}", step.losses.held_out));
        }
    });
    bar.finish_and_clear();
    report(&found, out)?;
    match &args.write {
        Some(path) => write_file(path, &tuning::source(&found.parameters)),
        None => Ok(()),
    }
}

fn report(found: &Fit, out: &mut dyn Write) -> Result<(), Failure> {
    let [learnt, held_out] = found.samples;
    writeln!(out, "positions   {learnt} learnt from, {held_out} held out; {} epochs", found.epochs)?;
    writeln!(
        out,
        "slope       {:.6} (a pawn is worth {:.1} %)",
        found.slope,
        100.0 * pawn_worth(found.slope)
    )?;
    writeln!(out, "loss        before     after")?;
    writeln!(out, "learnt      {:.6}   {:.6}", found.before.learnt, found.after.learnt)?;
    writeln!(out, "held out    {:.6}   {:.6}", found.before.held_out, found.after.held_out)?;
    Ok(())
}

/// What is to be expected with the advantage of a pawn.
fn pawn_worth(slope: f64) -> f64 {
    1.0 / (1.0 + (-100.0 * slope).exp())
}
