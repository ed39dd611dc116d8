//! `outplay why`

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::anyhow;
use outplay_engine::{Catalogue, Session};
use outplay_lab::why::{self, WhyError};
use outplay_search::Limits;

use crate::Failure;
use crate::experiment::{interruption, progress_bar};
use crate::inputs::TaskArgs;

/// Find out why the engine does not play a move: which technique hides it, and where in its tree.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay why chess --position \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\" --move Rd8
  outplay why chess --file game.pgn --from 41 --nodes 1000000
  outplay why othello --moves f5d6c3 --move d3 --depth 10 --json
  outplay why connect6 --file game.sgf --from 9 --move K10

The search is run as it is, with more nodes, and once without each technique that leaves something out at sight. Said are those without which it
finds the move, at which depth and after how many nodes, and what the search as it is did with the moves that follow. With --from, the move is the one that was
played in the game at that ply. Without a limit, 200,000 nodes.
Exit codes: 0 done, 4 interrupted.")]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,
    /// The move that should have been found.
    #[arg(long = "move", value_name = "MOVE", required_unless_present = "from", allow_hyphen_values = true)]
    wanted: Option<String>,
    /// Go back in the game to before this ply, counted from 1; the move that was played then is meant, unless another is named.
    #[arg(long, value_name = "PLY", value_parser = clap::value_parser!(u32).range(1..))]
    from: Option<u32>,
    /// How many times as many nodes, or as much time, the searches have that do without a technique.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1000))]
    factor: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const DEFAULT_NODES: u64 = 200_000;

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut session, mut limits) = args.task.open(games, Duration::ZERO)?;
    if limits.move_time == Some(Duration::ZERO) {
        limits = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
    }
    let played = match args.from {
        None => None,
        Some(ply) => Some(go_back(&mut *session, ply)?),
    };
    let wanted = args.wanted.as_ref().or(played.as_ref()).map_or("", String::as_str);
    let wanted = session.parse_move(wanted).map_err(Failure::usage)?;
    let interrupted = interruption();
    let bar = progress_bar(0, "searches");
    let answer = why::why(&mut *session, wanted, &limits, args.factor, &mut |done, most, what| {
        bar.set_length(most as u64);
        bar.set_position(done as u64);
        bar.set_message(what.to_string());
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let answer = answer.map_err(|error| match error {
        WhyError::Session(error) => Failure::usage(error),
        error @ WhyError::NothingToTurnOff(_) => Failure::usage(error),
    })?;
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?,
        false => write!(out, "{}", why::why_text(&answer))?,
    }
    match interrupted.load(Ordering::Relaxed) {
        true => Err(Failure::Verdict {
            code: 4,
            words: "interrupted; some techniques were not tried".to_string(),
        }),
        false => Ok(()),
    }
}

/// Takes a game back to before a ply; gives the move that was played there.
fn go_back(session: &mut dyn Session, ply: u32) -> Result<String, Failure> {
    let played = session.played_plain();
    let Some((_, text)) = played.get(ply as usize - 1) else {
        let count = played.len();
        return Err(Failure::usage(anyhow!(
            "the game has {count} plies: --from must be one of them, and {ply} is not"
        )));
    };
    for _ in ply as usize - 1..played.len() {
        session.undo().map_err(Failure::usage)?;
    }
    Ok(text.clone())
}
