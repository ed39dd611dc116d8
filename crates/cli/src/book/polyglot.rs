//! Books in the Polyglot format, for chess.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use outplay_chess::polyglot::{Book, BookBuilder, Choice, Entry, Weights, key};
use outplay_chess::{Chess, ChessRules};
use outplay_core::{Notation, Records, Rng};
use outplay_engine::Catalogue;
use serde::Serialize;

use super::{build, inspect, merge, probe};
use crate::Failure;
use crate::experiment::progress_bar;

fn open(path: &Path) -> Result<Book<File>, Failure> {
    Book::open(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::Failed)
}

fn write(path: &Path, entries: &[Entry]) -> Result<(), Failure> {
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    super::write(path, &bytes)
}

#[derive(Serialize)]
struct JsonBuilt {
    games: usize,
    entries: usize,
}

pub fn build(args: &build::Args, rules: &ChessRules, out: &mut dyn Write) -> Result<(), Failure> {
    let mut builder = BookBuilder::new(match args.weights {
        build::WeightsArg::Score => Weights::Score,
        build::WeightsArg::Games => Weights::Games,
    });
    let mut games = 0;
    let bar = progress_bar(args.files.len(), "files");
    for path in &args.files {
        bar.set_message(path.display().to_string());
        games += add_file(&mut builder, rules, path, args.plies as usize)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let entries = builder.entries(args.least);
    if entries.is_empty() {
        return Err(build::no_book(games, args.least));
    }
    write(&args.out, &entries)?;
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&JsonBuilt { games, entries: entries.len() })?)?,
        false => writeln!(out, "{} entries from {games} games in {}", entries.len(), args.out.display())?,
    }
    Ok(())
}

/// Adds the games of a file; how many there were.
fn add_file(
    builder: &mut BookBuilder,
    rules: &ChessRules,
    path: &PathBuf,
    plies: usize,
) -> Result<usize, Failure> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let mut games = 0;
    let read = Chess::visit_records(rules, &bytes.map_err(Failure::Failed)?, &mut |record| {
        builder.add_game(&record.start, record.tree.main_line(), record.outcome, plies);
        games += 1;
        ControlFlow::Continue(())
    });
    read.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)?;
    Ok(games)
}

#[derive(Serialize, Default)]
struct JsonBook {
    entries: u64,
    positions: u64,
    most_moves: u64,
    weightless: u64,
    sorted: bool,
    stray_bytes: u64,
}

pub fn inspect(args: &inspect::Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut book = open(&args.book)?;
    let mut found = JsonBook {
        entries: book.entries(),
        stray_bytes: book.stray_bytes(),
        sorted: true,
        ..JsonBook::default()
    };
    let (mut last, mut moves) = (None, 0);
    book.visit(|entry| {
        let is_new = last != Some(entry.key);
        found.sorted &= last <= Some(entry.key);
        found.positions += u64::from(is_new);
        moves = if is_new { 1 } else { moves + 1 };
        found.most_moves = found.most_moves.max(moves);
        found.weightless += u64::from(entry.weight == 0);
        last = Some(entry.key);
    })?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        let JsonBook { entries, positions, most_moves, weightless, .. } = found;
        writeln!(out, "{entries} entries, {positions} positions, at most {most_moves} moves each")?;
        writeln!(out, "{weightless} entries of weight 0, which are not played")?;
    }
    let verdict = |words: String| Err(Failure::Verdict { code: 3, words });
    match found {
        JsonBook { stray_bytes: 0, sorted: true, .. } => Ok(()),
        JsonBook { stray_bytes: 0, .. } => verdict(format!("{} is not sorted", args.book.display())),
        JsonBook { stray_bytes, .. } => {
            verdict(format!("{} ends with {stray_bytes} bytes that are no entry", args.book.display()))
        }
    }
}

pub fn merge(args: &merge::Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut builder = BookBuilder::new(Weights::Games);
    for path in &args.books {
        let mut book = open(path)?;
        if book.stray_bytes() > 0 {
            let why = "its length is no multiple of 16, so it is cut off or no book";
            return Err(Failure::Failed(anyhow!("{}: {why}", path.display())));
        }
        book.visit(|entry| builder.add_entry(entry))?;
    }
    let entries = builder.entries(1);
    write(&args.out, &entries)?;
    writeln!(out, "{} entries of {} books in {}", entries.len(), args.books.len(), args.out.display())?;
    Ok(())
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    played: String,
    weight: u16,
    percent: f64,
    learn: u32,
}

pub fn probe(
    args: &probe::Args,
    games: &Catalogue,
    rules: &ChessRules,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut session = args.game.open(games)?;
    args.position.apply(&mut *session)?;
    let position = Chess::parse_position(rules, &session.position_text()).map_err(Failure::usage)?;
    let moves = open(&args.book)?.moves(&position)?;
    let choice = args.pick.map(|pick| match pick {
        probe::Pick::Best => Choice::Best,
        probe::Pick::Weighted => Choice::Weighted,
    });
    let picked = choice.and_then(|choice| choice.pick(&moves, &mut Rng::new(args.seed)));
    let all: f64 = moves.iter().map(|found| f64::from(found.weight)).sum();
    let found = probe::Probed {
        position: position.position_text(),
        key: format!("{:016x}", key(&position)),
        picked: picked.map(|m| position.move_text(m)),
        moves: moves
            .iter()
            .map(|found| JsonMove {
                played: position.move_text(found.played),
                weight: found.weight,
                percent: 100.0 * f64::from(found.weight) / all.max(1.0),
                learn: found.learn,
            })
            .collect(),
    };
    found.tell(args.json, out, |out, JsonMove { played, weight, percent, .. }| {
        writeln!(out, "{played:7} {weight:5} {percent:5.1} %")
    })
}
