//! `outplay book build`

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use outplay_book::Book;
use outplay_engine::{Catalogue, Session};
use outplay_lab::book::{Grower, Growth};
use serde::Serialize;

use super::Format;
use crate::Failure;
use crate::experiment::{how_to_go_on, interrupted, interruption, progress_bar};
use crate::inputs::{GameArgs, SearchArgs};

/// How often a book that grows is written.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// Make a book from recorded games, by our own search, or both.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book build connect6 --out connect6.book --positions 300 --nodes 20000 --moves 6 --line j10
  outplay book build connect6 --out connect6.book --positions 600 --nodes 20000 --moves 6 --resume
  outplay book build othello games.ggf --out othello.book --positions 100
  outplay book build chess games.pgn --out book.bin
  outplay book build chess 2024.pgn 2025.pgn --out book.bin --plies 30 --least 5 --weights games --json

With --positions the search begins at the start of the game and goes on where good moves lead: each position is searched for its best moves,
and next comes the one to which the least is lost on the way (see docs/books.md). An interrupted build keeps what it has; with --resume it
goes on, and becomes the book that it would have become.

Exit codes: 0 made; 1 no book, or no games; 4 interrupted.")]
pub struct Args {
    #[command(flatten)]
    pub game: GameArgs,
    /// Files of games, in the game's formats (PGN, SGF, GGF, ...).
    #[arg(value_name = "FILE", required_unless_present = "positions")]
    pub files: Vec<PathBuf>,
    /// The book to write; in the Polyglot format if the game is chess and the name ends with .bin.
    #[arg(long, value_name = "BOOK")]
    pub out: PathBuf,
    /// Plies of each game to take, and how deep the search goes.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..))]
    pub plies: u32,
    /// Leave out moves of fewer games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub least: u64,
    /// What a move's weight is in the Polyglot format.
    #[arg(long, value_enum, default_value_t = WeightsArg::Score)]
    pub weights: WeightsArg,
    /// How many positions to search, those included that the book has.
    #[arg(long, value_name = "N")]
    positions: Option<u32>,
    /// Nodes for each of them.
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "positions", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many of its best moves are judged.
    #[arg(long, value_name = "N", default_value_t = 5, requires = "positions", value_parser = clap::value_parser!(u32).range(1..=1000))]
    moves: u32,
    /// What a ply costs, in hundredths: the more, the broader and the shorter the book.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "positions", value_parser = clap::value_parser!(i32).range(1..=10_000))]
    ply_cost: i32,
    /// A line of moves that is taken for granted: positions on it are not searched, and have that one move; may be given several times.
    #[arg(long = "line", value_name = "MOVES", requires = "positions")]
    lines: Vec<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// Decides between positions that are equally worth searching.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "positions")]
    seed: u64,
    /// Go on with the book that is there; games are in it already.
    #[arg(long, requires = "positions")]
    resume: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum WeightsArg {
    /// Two for each win of the player who made it, one for each draw.
    Score,
    /// One for each game.
    Games,
}

#[derive(Serialize)]
struct JsonBuilt {
    games: usize,
    searched: usize,
    positions: usize,
    moves: usize,
    bytes: usize,
}

/// What is said if nothing is left of the games.
pub fn no_book(games: usize, least: u64) -> Failure {
    let why = format!("no move was played in {least} games or more");
    Failure::Failed(anyhow!("there is no book in {games} games: {why}"))
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = args.game.open(games)?;
    args.search.apply(&mut *session)?;
    expect_games_elsewhere(args)?;
    match (Format::of_name(&args.game, &args.out), args.positions) {
        (Format::Own, positions) => build(args, positions, &mut *session, out),
        (Format::Polyglot(rules), None) => super::polyglot::build(args, &rules, out),
        (Format::Polyglot(_), Some(_)) => Err(Failure::usage(anyhow!(
            "a Polyglot book (.bin) has no place for what a search finds: give the book another name"
        ))),
    }
}

fn expect_games_elsewhere(args: &Args) -> Result<(), Failure> {
    let is_out = |path: &PathBuf| {
        path.canonicalize().is_ok_and(|path| args.out.canonicalize().is_ok_and(|out| out == path))
    };
    let Some(path) = args.files.iter().find(|path| is_out(path)) else { return Ok(()) };
    let path = path.display();
    Err(Failure::Usage(anyhow!("--out {path} is one of the files of games: name another file for the book")))
}

fn build(
    args: &Args,
    positions: Option<u32>,
    session: &mut dyn Session,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (mut games, mut searched) = (0, 0);
    let mut book = match args.out.exists() {
        true if args.resume => super::open(session, &args.out)?,
        true if positions.is_some() => {
            let path = args.out.display();
            return Err(Failure::usage(anyhow!("{path} exists: --resume goes on with it")));
        }
        _ => {
            let mut book = Book::new(super::book_game(session)?);
            games = add_games(args, session, &mut book)?;
            book
        }
    };
    if let Some(positions) = positions {
        (book, searched) = grow(args, positions as usize, session, book)?;
    } else if book.is_empty() {
        return Err(no_book(games, args.least));
    }
    let bytes = book.to_bytes();
    super::write(&args.out, &bytes)?;
    let moves = book.pages().map(|(_, page)| page.len()).sum();
    let (positions, length) = (book.len(), bytes.len());
    if args.json {
        let built = JsonBuilt { games, searched, positions, moves, bytes: length };
        writeln!(out, "{}", serde_json::to_string(&built)?)?;
    } else {
        let path = args.out.display();
        writeln!(out, "{positions} positions with {moves} moves in {path}, {length} bytes")?;
        writeln!(out, "{games} games were read and {searched} positions are searched")?;
    }
    Ok(())
}

/// Adds the games of all files; how many there were.
fn add_games(args: &Args, session: &dyn Session, book: &mut Book) -> Result<usize, Failure> {
    let mut games = 0;
    let bar = progress_bar(args.files.len(), "files");
    for path in &args.files {
        bar.set_message(path.display().to_string());
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let added = session.add_games(book, &bytes.map_err(Failure::Failed)?, args.plies as usize);
        games += added.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    book.forget_rare(args.least);
    Ok(games)
}

/// Searches positions until there are enough, and keeps what there is on the way. How many were searched.
fn grow(
    args: &Args,
    positions: usize,
    session: &mut dyn Session,
    book: Book,
) -> Result<(Book, usize), Failure> {
    let how = Growth {
        nodes: args.nodes,
        moves: args.moves as usize,
        plies: args.plies as usize,
        ply_cost: args.ply_cost,
        seed: args.seed,
    };
    let mut grower = Grower::new(session, how, book)?;
    for line in &args.lines {
        grower.take_for_granted(line).map_err(Failure::usage)?;
    }
    let save = |grower: &mut Grower| super::write(&args.out, &grower.book().to_bytes());
    save(&mut grower)?;
    let mut saved = Instant::now();
    let flag = interruption();
    let bar = progress_bar(positions, "positions");
    bar.set_position(grower.searched() as u64);
    while grower.searched() < positions {
        if flag.load(Ordering::Relaxed) {
            bar.finish_and_clear();
            save(&mut grower)?;
            return Err(interrupted(&how_to_go_on(args.resume)));
        }
        if !grower.step()? {
            break;
        }
        bar.inc(1);
        if saved.elapsed() > SAVE_EVERY {
            save(&mut grower)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    Ok((grower.book().clone(), grower.searched()))
}
