//! `outplay endgames probe`

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use outplay_chess::endgame::{EndgameTables, Verdict, Wdl};
use outplay_chess::{Chess, ChessRules};
use outplay_core::{Game, Line, MoveList, Notation};
use serde::Serialize;

use super::failed;
use crate::Failure;

/// Say what the tables know of a position, and of each of its moves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay endgames probe tables --position \"8/8/8/8/8/2k5/8/KQ5r w - - 0 1\"
  outplay endgames probe tables --position \"8/8/8/3k4/8/3K4/3P4/8 w - - 0 1\" --moves \"Kc3\" --json

Numbers are plies to mate. Exit codes: 0 known; 3 not known.")]
pub struct Args {
    /// The folder of the tables.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The position, as FEN.
    #[arg(long, value_name = "FEN")]
    position: String,
    /// Moves to play from there.
    #[arg(long, value_name = "M", default_value = "")]
    moves: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonProbe {
    position: String,
    #[serde(flatten)]
    verdict: JsonVerdict,
    moves: Vec<JsonMove>,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    played: String,
    #[serde(flatten)]
    verdict: Option<JsonVerdict>,
}

#[derive(Serialize)]
struct JsonVerdict {
    result: &'static str,
    plies: Option<u16>,
}

impl From<Verdict> for JsonVerdict {
    fn from(verdict: Verdict) -> JsonVerdict {
        let result = match verdict.result {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        JsonVerdict { result, plies: verdict.plies }
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let position = position(args)?;
    let tables = EndgameTables::open(&args.folder).map_err(failed)?;
    let Some(verdict) = tables.probe(&position) else {
        let words = format!("no table knows {}", position.position_text());
        return Err(Failure::Verdict { code: 3, words });
    };
    let mut moves: Vec<(Option<Verdict>, String)> = Vec::new();
    for m in position.legal_moves().each() {
        let mut after = position.clone();
        after.play(m);
        moves.push((tables.probe(&after).map(Verdict::before), position.move_text(m)));
    }
    moves.sort_by(|one, another| another.0.cmp(&one.0));
    if args.json {
        let moves = moves.into_iter();
        let moves =
            moves.map(|(verdict, played)| JsonMove { played, verdict: verdict.map(JsonVerdict::from) });
        let probe =
            JsonProbe { position: position.position_text(), verdict: verdict.into(), moves: moves.collect() };
        writeln!(out, "{}", serde_json::to_string(&probe)?)?;
        return Ok(());
    }
    writeln!(out, "{}\n{verdict}", position.board())?;
    for (verdict, played) in moves {
        writeln!(
            out,
            "  {played:7} {}",
            verdict.map_or("not known".to_string(), |verdict| verdict.to_string())
        )?;
    }
    Ok(())
}

fn position(args: &Args) -> Result<Chess, Failure> {
    let start = Chess::parse_position(&ChessRules::Standard, &args.position).map_err(Failure::usage)?;
    let mut line = Line::new(start);
    for text in Chess::split_moves(&args.moves) {
        let m = line.position().parse_move(text).map_err(Failure::usage)?;
        if line.outcome().is_some() {
            return Err(Failure::usage(anyhow!("the game is over before {text}")));
        }
        line.play(m);
    }
    Ok(line.position().clone())
}
