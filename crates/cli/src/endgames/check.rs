//! `outplay endgames check`

use std::io::Write;
use std::sync::atomic::Ordering;

use anyhow::anyhow;
use outplay_chess::endgame::{Census, EndgameTables, Ending};
use outplay_core::Notation;
use serde::Serialize;

use super::{TablesArgs, failed};
use crate::Failure;
use crate::experiment::{interruption, progress_bar};

/// Check tables by the rules: what they say of a position must be the best of what they say after its moves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay endgames check tables --every 1000
  outplay endgames check tables --endings KPvK,KQvKR --json

For each ending it counts what it sees, and shows the longest mate. Without --every all positions are checked, which takes
some minutes. Exit codes: 0 right; 3 a table is wrong; 4 interrupted.")]
pub struct Args {
    #[command(flatten)]
    tables: TablesArgs,
    /// Check every N-th position.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Print JSON, a line for each ending.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonCensus {
    ending: String,
    positions: usize,
    white_to_move: Counts,
    black_to_move: Counts,
    longest_plies: Option<u16>,
    longest_position: Option<String>,
}

#[derive(Serialize)]
struct Counts {
    win: usize,
    draw: usize,
    loss: usize,
}

impl From<[usize; 3]> for Counts {
    fn from([win, draw, loss]: [usize; 3]) -> Counts {
        Counts { win, draw, loss }
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let meant = args.tables.endings()?;
    let tables = EndgameTables::open(&args.tables.folder).map_err(failed)?;
    let endings: Vec<Ending> = tables.endings().filter(|ending| meant.contains(ending)).collect();
    if endings.is_empty() {
        return Err(failed(anyhow!("there is no such table in {}", args.tables.folder.display())));
    }
    let interrupted = interruption();
    let bar = progress_bar(endings.len(), "endings");
    for ending in endings {
        bar.set_message(ending.to_string());
        let mut census = Census::default();
        for position in ending.positions(args.every as usize) {
            let verdict = tables.probe(&position);
            if interrupted.load(Ordering::Relaxed) {
                bar.finish_and_clear();
                return Err(Failure::Verdict { code: 4, words: format!("interrupted in {ending}") });
            }
            match (verdict, tables.verdict_by_moves(&position)) {
                (Some(verdict), Some(right)) if verdict == right => census.add(&position, verdict),
                // A table without those that its captures lead to can be half checked only.
                (Some(verdict), None) => census.add(&position, verdict),
                (verdict, right) => {
                    let said = |verdict: Option<_>| {
                        verdict.map_or("nothing".to_string(), |verdict| format!("{verdict}"))
                    };
                    let position = position.position_text();
                    let words =
                        format!("{ending} is wrong: {position} is {}, not {}", said(right), said(verdict));
                    bar.finish_and_clear();
                    return Err(Failure::Verdict { code: 3, words });
                }
            }
        }
        bar.suspend(|| print(ending, &census, args.json, out))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

fn print(ending: Ending, census: &Census, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let longest = census.longest.as_ref();
    if json {
        let line = JsonCensus {
            ending: ending.to_string(),
            positions: census.positions(),
            white_to_move: census.white_to_move.into(),
            black_to_move: census.black_to_move.into(),
            longest_plies: longest.map(|(plies, _)| *plies),
            longest_position: longest.map(|(_, position)| position.position_text()),
        };
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
        return Ok(());
    }
    let longest = longest.map_or("no mate".to_string(), |(plies, position)| {
        format!("longest mate {} moves, {}", plies.div_ceil(2), position.position_text())
    });
    let [white, black] = [census.white_to_move, census.black_to_move].map(percent);
    writeln!(
        out,
        "{ending:6} {:9} positions right; White to move {white}, Black {black}; {longest}",
        census.positions()
    )?;
    Ok(())
}

/// Wins, draws and losses in percent.
fn percent(counts: [usize; 3]) -> String {
    let all = counts.iter().sum::<usize>().max(1);
    counts.map(|count| format!("{:.1}", 100.0 * count as f64 / all as f64)).join("/")
}
