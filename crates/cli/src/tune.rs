//! `outplay tune`

mod params;
mod patterns;
mod probcut;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow};
use outplay_core::{Move, Rng};
use outplay_engine::Catalogue;
use outplay_lab::tune::{
    ChessEvaluation, Connect6Evaluation, EvaluationModel, Fit, FitOptions, GenerateError, Generation,
    KeptPosition, Play, PositionFile, fit, generate, play_othello, play_until_clear, read_positions, samples,
    start_of_chess960, start_of_connect6,
};

use crate::Failure;
use crate::experiment::{interruption, progress_bar, warn_about_cores, write_file};
use crate::inputs::{at_least_nothing, setting, share};

/// Fit the weights of an evaluation to games of our own engine, and tune settings of searches by games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay tune games games.txt --games 5000 --nodes 2000 --threads 2   play, and keep quiet positions
  outplay tune eval games.txt                                          say what fitting would gain
  outplay tune eval games.txt --write crates/chess/src/eval/weights.rs and put the weights where the program is built from
  outplay tune games six.txt --game connect6 --games 5000 --skip 0     the same for Connect6
  outplay tune eval six.txt --game connect6 --write crates/connect/src/sight/weights.rs
  outplay tune games discs.txt --game othello --games 40000 --nodes 800 --set hash=1
  outplay tune patterns discs.txt                                      Othello's weights, which are too many for `eval`
  outplay tune probcut othello                                         how well shallow searches foretell deeper ones
  outplay tune params othello --all-of futility --limit nodes=500      settings of a search, by games

All are decided by --seed. An interrupted `tune games` goes on where it was when it is given again.")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

/// A game with weights to fit.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Tuned {
    Chess,
    Chess960,
    Connect6,
    Othello,
}

#[derive(clap::Subcommand)]
enum What {
    Games(GamesArgs),
    Eval(EvalArgs),
    Patterns(patterns::PatternsArgs),
    Probcut(probcut::ProbCutArgs),
    Params(Box<params::ParamsArgs>),
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
    /// The game. Those of chess960 begin with two random arrays, one for each side; those of connect6 with stones anywhere near the middle; those of othello with up to so many random moves, and every position is kept with its margin.
    #[arg(long, value_enum, default_value_t = Tuned::Chess)]
    game: Tuned,
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
    /// Random moves at the beginning of each game, after its start if that is random; every second game has one more. Usually 8, in connect6 none, in othello up to 28.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=40))]
    random_plies: Option<u16>,
    /// Plies at the beginning of each game of which nothing is kept.
    #[arg(long, value_name = "N", default_value_t = 16)]
    skip: usize,
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
    /// The game that they are of.
    #[arg(long, value_enum, default_value_t = Tuned::Chess)]
    game: Tuned,
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
    /// The length of the first steps, in hundredths of the game's unit. Usually 3, in connect6 0.3.
    #[arg(long, value_name = "X", value_parser = at_least_nothing)]
    rate: Option<f64>,
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

pub fn run(args: &Args, catalogue: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.what {
        What::Games(args) => {
            let connect6 = Connect6Evaluation::default();
            games(args, out, &|position, best| match args.game {
                Tuned::Chess | Tuned::Chess960 => ChessEvaluation.is_worth_keeping(position, best),
                Tuned::Connect6 => connect6.is_worth_keeping(position, best),
                Tuned::Othello => true,
            })
        }
        What::Eval(args) => match args.game {
            Tuned::Chess | Tuned::Chess960 => eval(args, &ChessEvaluation, out),
            Tuned::Connect6 => eval(args, &Connect6Evaluation::default(), out),
            Tuned::Othello => {
                Err(Failure::usage(anyhow!("Othello's weights are learned by `outplay tune patterns`")))
            }
        },
        What::Patterns(args) => patterns::run(args, out),
        What::Probcut(args) => probcut::run(args, out),
        What::Params(args) => params::run(args, catalogue, out),
    }
}

fn games(
    args: &GamesArgs,
    out: &mut dyn Write,
    is_worth_keeping: &(dyn Fn(&str, Move) -> bool + Sync),
) -> Result<(), Failure> {
    warn_about_cores(args.threads as usize);
    let mut options = vec![("search".to_string(), args.search.clone())];
    options.extend(args.settings.iter().cloned());
    let (game, start, usual_random_plies, play): (_, fn(&mut Rng) -> Option<String>, _, Play) =
        match args.game {
            Tuned::Chess => ("chess", |_| None, 8, play_until_clear),
            Tuned::Chess960 => ("chess960", start_of_chess960, 8, play_until_clear),
            Tuned::Connect6 => ("connect6", start_of_connect6, 0, play_until_clear),
            Tuned::Othello => ("othello", |_| None, 28, play_othello),
        };
    let how = Generation {
        game: &outplay_engine::game(game)?,
        options: &options,
        nodes: args.nodes,
        seed: args.seed,
        games: args.games,
        random_plies: args.random_plies.unwrap_or(usual_random_plies).into(),
        skipped_plies: args.skip,
        threads: args.threads as usize,
        start,
        is_worth_keeping,
        play,
    };
    let (nodes, seed) = (how.nodes, how.seed);
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

fn eval<M: EvaluationModel>(args: &EvalArgs, model: &M, out: &mut dyn Write) -> Result<(), Failure> {
    let mut positions = Vec::new();
    for path in &args.files {
        let read = read_positions(path).with_context(|| format!("in {}", path.display()));
        let first = positions.last().map_or(0, |last: &KeptPosition| last.game + 1);
        positions.extend(read.map_err(Failure::Failed)?.into_iter().map(|mut position| {
            position.game += first;
            position
        }));
    }
    let samples = samples(model, &positions);
    drop(positions);
    if samples.is_empty() {
        let words = "there is no position to learn from: does --game name the game of the files?";
        return Err(Failure::Failed(anyhow!(words)));
    }
    let start = if args.from_guesses { model.first_guesses() } else { model.current() };
    let options = FitOptions {
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate.unwrap_or_else(|| model.usual_rate()),
        pull: args.pull,
        blend: args.blend,
        seed: args.seed,
        threads: args.threads as usize,
        ..FitOptions::default()
    };
    let bar = progress_bar(args.epochs, "epochs");
    let found = fit(model, &samples, &start, &options, &mut |step| {
        bar.inc(1);
        if !bar.is_hidden() {
            bar.set_message(format!("held-out loss {:.6}", step.losses.held_out));
        }
    });
    bar.finish_and_clear();
    report(&found, out)?;
    match &args.write {
        Some(path) => write_file(path, &model.source(&found.parameters)),
        None => Ok(()),
    }
}

fn report(found: &Fit, out: &mut dyn Write) -> Result<(), Failure> {
    let [learnt, held_out] = found.samples;
    writeln!(out, "positions   {learnt} learnt from, {held_out} held out; {} epochs", found.epochs)?;
    writeln!(
        out,
        "slope       {:.6} (a unit is worth {:.1} %)",
        found.slope,
        100.0 * unit_worth(found.slope)
    )?;
    writeln!(out, "loss        before     after")?;
    writeln!(out, "learnt      {:.6}   {:.6}", found.before.learnt, found.after.learnt)?;
    writeln!(out, "held out    {:.6}   {:.6}", found.before.held_out, found.after.held_out)?;
    Ok(())
}

/// What is to be expected with the advantage of a unit, such as a pawn.
fn unit_worth(slope: f64) -> f64 {
    1.0 / (1.0 + (-100.0 * slope).exp())
}
