//! `outplay endgames build`

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use outplay_chess::endgame::{EndgameError, EndgameTables, Ending, Stage};

use super::{TablesArgs, failed};
use crate::experiment::interruption;
use crate::{Failure, files};

/// Build the tables that are not there yet: all of them take some two minutes and 26 MB.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay endgames build tables
  outplay endgames build tables --endings KQvK,KRvK,KPvK

Each table is written as soon as it is finished; after an interruption the same command goes on with the next.
Exit codes: 0 done; 4 interrupted.")]
pub struct Args {
    #[command(flatten)]
    tables: TablesArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = &args.tables.folder;
    let endings = args.tables.endings()?;
    let created = std::fs::create_dir_all(folder);
    created.with_context(|| format!("cannot make {}", folder.display())).map_err(Failure::Failed)?;
    let mut tables = EndgameTables::open(folder).map_err(failed)?;
    let there: Vec<Ending> = tables.endings().collect();
    let missing: Vec<Ending> = endings.iter().copied().filter(|ending| !there.contains(ending)).collect();
    let interrupted = interruption();
    let bar = bar(&missing);
    for &ending in &missing {
        let begun = Instant::now();
        let before = bar.position();
        let built = tables.build(ending, &mut |stage| {
            show(&bar, before, ending, stage);
            match interrupted.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if let Err(EndgameError::Interrupted) = built {
            bar.finish_and_clear();
            let words = format!("interrupted; the same command goes on with {ending}");
            return Err(Failure::Verdict { code: 4, words });
        }
        built.map_err(failed)?;
        bar.set_position(before + ending.numbers() as u64);
        let file = EndgameTables::file(folder, ending);
        let written = files::replace(&file, |file| Ok(tables.write(ending, file)?));
        written.with_context(|| format!("cannot write {}", file.display())).map_err(Failure::Failed)?;
        bar.suspend(|| writeln!(out, "{ending} built in {:.1} s", begun.elapsed().as_secs_f64()))?;
    }
    bar.finish_and_clear();
    let there = endings.len() - missing.len();
    writeln!(out, "{} built, {there} there already, in {}", missing.len(), folder.display())?;
    Ok(())
}

/// Counts numbers of positions, of which an ending has few or many.
fn bar(endings: &[Ending]) -> ProgressBar {
    let all: usize = endings.iter().map(|ending| ending.numbers()).sum();
    let style = ProgressStyle::with_template("{msg}\n{wide_bar} {percent}%, {eta} left");
    ProgressBar::new(all as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The first look at all positions is taken for half of the work; the rest is not known beforehand.
fn show(bar: &ProgressBar, before: u64, ending: Ending, stage: Stage) {
    match stage {
        Stage::First(done, all) => {
            bar.set_message(format!("{ending}: {} % of the positions seen", 100 * done / all.max(1)));
            bar.set_position(before + done as u64 / 2);
        }
        Stage::Plies(plies) => bar.set_message(format!("{ending}: {plies} plies from mate")),
    }
}
