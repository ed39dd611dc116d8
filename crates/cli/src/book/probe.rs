//! `outplay book probe`

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use outplay_book::{BookMove, near_equal, pick};
use outplay_core::{Move, Rng};
use outplay_engine::{Catalogue, FoldedPosition, Session};
use outplay_search::Meaning;
use serde::Serialize;

use super::Format;
use crate::Failure;
use crate::inputs::{GameArgs, PositionArgs};

/// Look a position up in a book.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book probe connect6 connect6.book
  outplay book probe connect6 connect6.book --moves \"j10\" --margin 30 --pick weighted --seed 7
  outplay book probe chess book.bin --position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\" --json

Exit codes: 0 found; 3 the book has no move for the position.")]
pub struct Args {
    #[command(flatten)]
    pub game: GameArgs,
    /// The book.
    #[arg(value_name = "BOOK")]
    pub book: PathBuf,
    #[command(flatten)]
    pub position: PositionArgs,
    /// Say which move to play.
    #[arg(long, value_enum)]
    pub pick: Option<Pick>,
    /// Moves within so many hundredths of the best are as good as it; not for Polyglot books.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    margin: i32,
    /// What chance comes from, with --pick weighted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Pick {
    /// The best move.
    Best,
    /// By chance, as often as the weights say.
    Weighted,
}

/// What a book of any format says of a position.
#[derive(Serialize)]
pub struct Probed<M> {
    pub position: String,
    pub key: String,
    pub moves: Vec<M>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picked: Option<String>,
}

impl<M: Serialize> Probed<M> {
    /// Says it, each move by `write_move` unless JSON is asked for.
    pub fn tell(
        &self,
        json: bool,
        out: &mut dyn Write,
        write_move: impl Fn(&mut dyn Write, &M) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
        } else {
            self.moves.iter().try_for_each(|known| write_move(out, known))?;
            if let Some(picked) = &self.picked {
                writeln!(out, "play {picked}")?;
            }
        }
        match self.moves.is_empty() {
            true => {
                let words = format!("the book does not know {}", self.position);
                Err(Failure::Verdict { code: 3, words })
            }
            false => Ok(()),
        }
    }
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    played: String,
    /// How often it is played.
    percent: f64,
    #[serde(flatten)]
    judgement: Option<JsonJudgement>,
    won: u32,
    drawn: u32,
    lost: u32,
}

#[derive(Serialize)]
struct JsonJudgement {
    value: Meaning,
    searched: Meaning,
    depth: u32,
    nodes: u64,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = args.game.open(games)?;
    if let Format::Polyglot(rules) = Format::of_file(&args.game, &args.book)? {
        return super::polyglot::probe(args, games, &rules, out);
    }
    args.position.apply(&mut *session)?;
    let book = super::open(&*session, &args.book)?;
    let folded = session.folded();
    let page = book.page(folded.key);
    let chosen = near_equal(page, if let Some(Pick::Best) = args.pick { 0 } else { args.margin }, &[]);
    let mut rng = Rng::new(args.seed);
    let picked = args.pick.and_then(|_| pick(&chosen, &mut rng)).and_then(|image| {
        let originals: Vec<Move> = originals(&folded, image).collect();
        (!originals.is_empty()).then(|| originals[rng.below(originals.len())])
    });
    let word = |m: Move| session.line_text(&[m]).concat();
    let found = Probed {
        position: session.position_text(),
        key: format!("{:016x}", folded.key),
        picked: picked.map(word),
        moves: listed(&*session, &folded, page, &chosen),
    };
    found.tell(args.json, out, write_move)
}

/// The moves of the position that a move of its image stands for.
fn originals(folded: &FoldedPosition, image: Move) -> impl Iterator<Item = Move> {
    folded.moves.iter().filter(move |(_, other)| *other == image).map(|(original, _)| *original)
}

/// What a page says of the moves of a position, the best first.
fn listed(
    session: &dyn Session,
    folded: &FoldedPosition,
    page: &[BookMove],
    chosen: &[(Move, f64)],
) -> Vec<JsonMove> {
    let all: f64 = chosen.iter().map(|(_, weight)| weight).sum();
    let mut page = page.to_vec();
    page.sort_by_key(|known| {
        std::cmp::Reverse((known.judgement.map(|judgement| judgement.score()), known.results.half_points()))
    });
    let mut moves = Vec::new();
    for known in page {
        let originals: Vec<Move> = originals(folded, known.played).collect();
        let weight = chosen.iter().find(|(m, _)| *m == known.played).map_or(0.0, |(_, weight)| *weight);
        moves.extend(originals.iter().map(|&m| JsonMove {
            played: session.line_text(&[m]).concat(),
            percent: 100.0 * weight / all.max(f64::MIN_POSITIVE) / originals.len() as f64,
            judgement: known.judgement.map(|judgement| JsonJudgement {
                value: judgement.value,
                searched: judgement.searched,
                depth: judgement.depth,
                nodes: judgement.nodes,
            }),
            won: known.results.won,
            drawn: known.results.drawn,
            lost: known.results.lost,
        }));
    }
    moves
}

fn write_move(out: &mut dyn Write, known: &JsonMove) -> io::Result<()> {
    let JsonMove { played, percent, judgement, won, drawn, lost } = known;
    let value = judgement.as_ref().map_or("-".to_string(), |judgement| judgement.value.to_string());
    write!(out, "{played:7} {value:>10} {percent:5.1} %   +{won} ={drawn} -{lost}")?;
    match judgement {
        Some(JsonJudgement { depth, nodes, .. }) => writeln!(out, "   depth {depth}, {nodes} nodes"),
        None => writeln!(out),
    }
}
