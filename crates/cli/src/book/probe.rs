//! `outplay book probe`

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use outplay_chess::Chess;
use outplay_chess::polyglot::{Choice, key};
use outplay_core::{Notation, Rng};
use serde::Serialize;

use super::Format;
use crate::Failure;
use crate::inputs::{GameArgs, PositionArgs};

/// Look a position up in a book.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book probe chess book.bin
  outplay book probe chess book.bin --moves \"e4 c5\" --pick weighted --seed 7
  outplay book probe chess book.bin --position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\" --json

Exit codes: 0 found; 3 the book has no move for the position.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The book.
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Say which move to play.
    #[arg(long, value_enum)]
    pick: Option<Pick>,
    /// What chance comes from, with --pick weighted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Pick {
    /// The move of greatest weight.
    Best,
    /// By chance, as often as the weights say.
    Weighted,
}

#[derive(Serialize)]
struct JsonProbe {
    position: String,
    key: String,
    moves: Vec<JsonMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picked: Option<String>,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    played: String,
    weight: u16,
    percent: f64,
    learn: u32,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let Format::Polyglot(rules) = Format::of(&args.game)?;
    let mut session = args.game.open()?;
    args.position.apply(&mut *session)?;
    let position = Chess::parse_position(&rules, &session.position_text()).map_err(Failure::usage)?;
    let moves = super::open(&args.book)?.moves(&position)?;
    let choice = args.pick.map(|pick| match pick {
        Pick::Best => Choice::Best,
        Pick::Weighted => Choice::Weighted,
    });
    let picked = choice.and_then(|choice| choice.pick(&moves, &mut Rng::new(args.seed)));
    let all: f64 = moves.iter().map(|found| f64::from(found.weight)).sum();
    let found = JsonProbe {
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
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        for JsonMove { played, weight, percent, .. } in &found.moves {
            writeln!(out, "{played:7} {weight:5} {percent:5.1} %")?;
        }
        if let Some(picked) = &found.picked {
            writeln!(out, "play {picked}")?;
        }
    }
    match found.moves.is_empty() {
        true => {
            Err(Failure::Verdict { code: 3, words: format!("the book does not know {}", found.position) })
        }
        false => Ok(()),
    }
}
