//! `outplay endgames probe`

use std::io::Write;
use std::path::PathBuf;

use outplay_chess::endgame::{EndgameTables, Verdict, Wdl};
use outplay_chess::syzygy::{RankedMove, Syzygy, SyzygyWdl};
use outplay_chess::{Chess, ChessRules};
use outplay_core::{Game, MoveList, Notation};
use serde::Serialize;

use super::failed;
use crate::Failure;
use crate::inputs::PositionArgs;

/// Say what tables know of a position, and of each of its moves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay endgames probe tables --position \"8/8/8/8/8/2k5/8/KQ5r w - - 0 1\"
  outplay endgames probe tables --position \"8/8/8/3k4/8/3K4/3P4/8 w - - 0 1\" --moves Kc3 --json
  outplay endgames probe --syzygy 3-4-5 --position \"8/8/8/8/3k4/8/8/KBN5 w - - 60 90\"

Our tables count plies to mate; Syzygy's the plies to the next capture or pawn move, and they know the fifty-move rule.
Exit codes: 0 known; 3 not known.")]
pub struct Args {
    /// The folder of our tables.
    #[arg(value_name = "FOLDER", required_unless_present = "syzygy")]
    folder: Option<PathBuf>,
    /// A folder of Syzygy tables; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    syzygy: Vec<PathBuf>,
    #[command(flatten)]
    position: PositionArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonProbe {
    position: String,
    #[serde(flatten)]
    known: Known,
    moves: Vec<JsonMove>,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    played: String,
    #[serde(flatten)]
    known: Known,
}

/// What is known of a position, or of a move for whoever makes it.
#[derive(Serialize, Default)]
struct Known {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_mate: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    syzygy: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_zeroing: Option<u16>,
    /// Greater is better.
    #[serde(skip)]
    rank: (Option<Verdict>, Option<SyzygyWdl>),
}

impl Known {
    fn new(verdict: Option<Verdict>, ranked: Option<&RankedMove>) -> Known {
        Known {
            result: verdict.map(|verdict| match verdict.result {
                Wdl::Win => "win",
                Wdl::Draw => "draw",
                Wdl::Loss => "loss",
            }),
            plies_to_mate: verdict.and_then(|verdict| verdict.plies),
            syzygy: ranked.map(|ranked| match ranked.wdl {
                SyzygyWdl::Win => "win",
                SyzygyWdl::CursedWin => "cursed win",
                SyzygyWdl::Draw => "draw",
                SyzygyWdl::BlessedLoss => "blessed loss",
                SyzygyWdl::Loss => "loss",
            }),
            plies_to_zeroing: ranked.filter(|ranked| ranked.wdl != SyzygyWdl::Draw).map(|ranked| ranked.dtz),
            rank: (verdict, ranked.map(|ranked| ranked.wdl)),
        }
    }

    fn words(&self) -> String {
        let with_plies = |word: &str, plies: Option<u16>| match plies {
            Some(plies) => format!("{word} in {plies}"),
            None => word.to_string(),
        };
        let ours = self.result.map(|word| with_plies(word, self.plies_to_mate));
        let theirs = self.syzygy.map(|word| format!("Syzygy: {}", with_plies(word, self.plies_to_zeroing)));
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => format!("{ours:12} {theirs}"),
            (Some(words), None) | (None, Some(words)) => words,
            (None, None) => "not known".to_string(),
        }
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = outplay_engine::open("chess")?;
    args.position.apply(&mut *session)?;
    let text = session.position_text();
    let position = Chess::parse_position(&ChessRules::Standard, &text).map_err(Failure::usage)?;
    let probe = probe(args, &position)?;
    if probe.known.rank == (None, None) {
        return Err(Failure::Verdict { code: 3, words: format!("no table knows {text}") });
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&probe)?)?;
        return Ok(());
    }
    writeln!(out, "{}\n{}", position.board(), probe.known.words())?;
    for JsonMove { played, known } in &probe.moves {
        writeln!(out, "  {played:7} {}", known.words())?;
    }
    Ok(())
}

/// Asks all tables; the best moves come first.
fn probe(args: &Args, position: &Chess) -> Result<JsonProbe, Failure> {
    let ours = args.folder.as_deref().map(EndgameTables::open).transpose().map_err(failed)?;
    let verdict = |position: &Chess| ours.as_ref().and_then(|tables| tables.probe(position));
    let theirs = (!args.syzygy.is_empty()).then(|| Syzygy::open(&args.syzygy)).transpose().map_err(failed)?;
    let ranked = theirs.and_then(|tables| tables.ranked_moves(position)).unwrap_or_default();
    let mut moves: Vec<JsonMove> = Vec::new();
    for m in position.legal_moves().each() {
        let ranked = ranked.iter().find(|ranked| ranked.played == m);
        let known = Known::new(verdict(&position.after(m)).map(Verdict::before), ranked);
        moves.push(JsonMove { played: position.move_text(m), known });
    }
    moves.sort_by_key(|found| std::cmp::Reverse(found.known.rank));
    let known = Known::new(verdict(position), ranked.first());
    Ok(JsonProbe { position: position.position_text(), known, moves })
}
