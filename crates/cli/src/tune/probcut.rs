//! `outplay tune probcut`

use std::io::Write;
use std::path::PathBuf;

use outplay_chess::{ChessRules, Classical};
use outplay_connect::{Rules, ThreatSight};
use outplay_lab::tune::{Measured, ProbCutOptions, measure_foretelling, source_of_foretelling};
use outplay_othello::Patterns;
use outplay_search::Foretelling;

use crate::Failure;
use crate::experiment::{progress_bar, write_file};

/// Measure how well shallow searches foretell deeper ones, for Multi-ProbCut.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  outplay tune probcut othello --positions 3000 --depth 10 --write crates/othello/src/patterns/foretold.rs

The deeper value is SLOPE times the shallower one and OFFSET more, and errs by DEVIATION; of positions that were kept apart, so many of a hundred err
by more than 1, 1.5 and 2 of it (32, 13 and 5 of errors that are spread normally).")]
pub struct ProbCutArgs {
    /// The game: chess, othello or connect6, each with its usual evaluation.
    #[arg(value_enum)]
    game: Measurable,
    /// How many positions are searched.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    positions: usize,
    /// How deep.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..=30))]
    depth: u32,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write what was found to this file, as source.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Measurable {
    Chess,
    Othello,
    Connect6,
}

pub fn run(args: &ProbCutArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let options = ProbCutOptions { positions: args.positions, depth: args.depth as i32, seed: args.seed };
    let bar = progress_bar(args.positions, "positions");
    let mut watch = || bar.inc(1);
    let (game, phases) = match args.game {
        Measurable::Chess => {
            let knowledge = outplay_chess::knowledge(Classical);
            ("chess", measure_foretelling(&ChessRules::Standard, &knowledge, &options, &mut watch))
        }
        Measurable::Othello => {
            let knowledge = outplay_othello::knowledge(Patterns::default());
            ("othello", measure_foretelling(&(), &knowledge, &options, &mut watch))
        }
        Measurable::Connect6 => {
            let knowledge = ThreatSight::new(Rules::CONNECT6);
            ("connect6", measure_foretelling(&Rules::CONNECT6, &knowledge, &options, &mut watch))
        }
    };
    bar.finish_and_clear();
    writeln!(out, "phase depth from  slope  offset deviation  positions  fresh  beyond 1, 1.5, 2")?;
    for (phase, rows) in phases.iter().enumerate() {
        for Measured { row, positions, fresh, beyond } in rows {
            let Foretelling { depth, slope, offset, deviation } = row;
            let shallower = Foretelling::shallower(*depth);
            let [one, more, two] = beyond.map(|share| 100.0 * share);
            writeln!(
                out,
                "{phase:>5} {depth:>5} {shallower:>4} {slope:>6.3} {offset:>7.1} {deviation:>9.1} {positions:>10} {fresh:>6}    {one:>4.1} {more:>4.1} {two:>4.1}"
            )?;
        }
    }
    let ProbCutArgs { positions, depth, seed, .. } = args;
    let command =
        format!("outplay tune probcut {game} --positions {positions} --depth {depth} --seed {seed}");
    match &args.write {
        Some(path) => write_file(path, &source_of_foretelling(&phases, &command)),
        None => Ok(()),
    }
}
