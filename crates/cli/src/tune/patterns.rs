//! `outplay tune patterns`

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use outplay_lab::tune::{
    ErrorByPhase, PHASES, PatternFitOptions, PatternSample, SOLVED, errors_by_phase, fit_patterns,
    read_pattern_samples, steepness, wthor_samples,
};
use outplay_othello::{Patterns, Positional};

use crate::Failure;
use crate::experiment::{progress_bar, write_file};
use crate::inputs::at_least_nothing;

/// Learn the weights of Othello's patterns from games of our own engine.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  outplay tune games games.txt --game othello --games 40000 --nodes 400 --set hash=1
  outplay tune patterns games.txt --wthor WTH_2010.wtb --write crates/othello/src/patterns/weights.bin

It is decided by --seed, and says how wrong the weights are about positions of games that were held out, in discs, beside those in use.")]
pub struct PatternsArgs {
    /// Files that `outplay tune games --game othello` has made.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Take the positions of this file too that were solved, whose margins are exact however badly the games were played; may be given several times.
    #[arg(long, value_name = "FILE")]
    late: Vec<PathBuf>,
    /// Write the weights to this file.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// How often every position is looked at.
    #[arg(long, value_name = "N", default_value_t = PatternFitOptions::default().epochs)]
    epochs: usize,
    /// How much of its error a position corrects at first, 0 to 1.
    #[arg(long, value_name = "X", default_value_t = f64::from(PatternFitOptions::default().rate), value_parser = at_least_nothing)]
    rate: f64,
    /// What that shrinks to.
    #[arg(long, value_name = "X", default_value_t = f64::from(PatternFitOptions::default().last_rate), value_parser = at_least_nothing)]
    last_rate: f64,
    /// Say how wrong they are about positions of this file of WTHOR, too; may be given several times.
    #[arg(long, value_name = "FILE")]
    wthor: Vec<PathBuf>,
    /// Take one game of so many from those.
    #[arg(long, value_name = "N", default_value_t = 10)]
    wthor_one_of: usize,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &PatternsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let mut samples = Vec::new();
    let whole = args.files.iter().map(|path| (path, 64));
    for (path, most_empty) in whole.chain(args.late.iter().map(|path| (path, SOLVED))) {
        let read = read_pattern_samples(path, most_empty, &mut samples);
        read.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)?;
    }
    if samples.is_empty() {
        let words = "there is no position of Othello to learn from: were the files made with --game othello?";
        return Err(Failure::Failed(anyhow!(words)));
    }
    let mut games = Vec::new();
    for path in &args.wthor {
        let in_file = || format!("in {}", path.display());
        let bytes = std::fs::read(path).with_context(in_file).map_err(Failure::Failed)?;
        wthor_samples(&bytes, args.wthor_one_of, &mut games)
            .with_context(in_file)
            .map_err(Failure::Failed)?;
    }
    let options = PatternFitOptions {
        epochs: args.epochs,
        rate: args.rate as f32,
        last_rate: args.last_rate as f32,
        seed: args.seed,
        ..PatternFitOptions::default()
    };
    let bar = progress_bar(args.epochs, "epochs");
    let found = fit_patterns(samples, &options, &mut |epoch| {
        bar.inc(1);
        if !bar.is_hidden() {
            bar.set_message(format!("held out {:.3}", epoch.held_out));
        }
    });
    bar.finish_and_clear();
    let learned = Patterns::read(found.file.clone()).map_err(|error| Failure::Failed(anyhow!(error)))?;
    writeln!(out, "positions   {} learnt from, {} held out", found.learnt, found.held_out.len())?;
    writeln!(out, "weights     {} bytes", found.file.len())?;
    writeln!(out, "steepness   {:.5}", steepness(&learned, &found.held_out))?;
    table("games held out", &learned, &found.held_out, out)?;
    if !games.is_empty() {
        table("games of WTHOR", &learned, &games, out)?;
    }
    match &args.write {
        Some(path) => write_file(path, &found.file),
        None => Ok(()),
    }
}

/// How wrong the old evaluation, the weights in use and the new ones are.
fn table(
    title: &str,
    learned: &Patterns,
    samples: &[PatternSample],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let columns = [
        errors_by_phase(&Positional, samples, true),
        errors_by_phase(&Patterns::default(), samples, false),
        errors_by_phase(learned, samples, false),
    ];
    writeln!(out, "\n{title}: error in discs, mean and root of mean square")?;
    writeln!(out, "empty    positions   positional, scaled         in use            new")?;
    let mut most = 60;
    for (phase, least) in PHASES.into_iter().enumerate() {
        let text = |error: ErrorByPhase| format!("{:.2} {:.2}", error.absolute, error.square);
        let [old, used, new] = columns.map(|column| text(column[phase]));
        let positions = columns[0][phase].positions;
        writeln!(out, "{least:>2} to {most:<2} {positions:>9} {old:>20} {used:>14} {new:>14}")?;
        most = least.saturating_sub(1);
    }
    Ok(())
}
