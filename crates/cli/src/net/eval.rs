//! `outplay net eval`

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::anyhow;
use outplay_engine::{Board, Catalogue, NetworkDevice, NetworkOpinion, Picture, Session};

use crate::Failure;
use crate::inputs::{GameArgs, PositionArgs};

/// Ask a network about a position, and nothing else: its policy as a board, its value, whose the cells will be.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net eval othello --network othello.safetensors
  outplay net eval chess --network lc0.pb.gz --position \"8/8/8/8/8/5k2/5p2/5K2 b - - 0 1\"
  outplay net eval connect4 --network NAME --moves \"4 4 3\" --arithmetic fast --json")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// The network: a file, or a name of `outplay net list`.
    #[arg(long, value_name = "NETWORK")]
    network: String,
    /// How it is computed: exact, fast or reference.
    #[arg(long, value_name = "HOW", default_value = "exact")]
    arithmetic: String,
    /// What computes it: auto (a GPU that is there and works, otherwise the processor), cpu, cuda or cuda:N.
    #[arg(long, value_name = "DEVICE", default_value_t = NetworkDevice::Auto)]
    device: NetworkDevice,
    /// List this many moves.
    #[arg(long, value_name = "N", default_value_t = 8)]
    moves_shown: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = args.game.open(games)?;
    args.position.apply(&mut *session)?;
    by_network(&mut *session, &args.network, &args.arithmetic, args.device)?;
    let opinion = session.network_opinion()?;
    let opinion = opinion.ok_or_else(|| {
        Failure::usage(anyhow!("the game is over: a network is asked about positions with moves"))
    })?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&opinion)?)?;
        return Ok(());
    }
    print(&opinion, &*session, args.moves_shown, out)
}

/// Has a session evaluate by a network.
pub fn by_network(
    session: &mut dyn Session,
    network: &str,
    arithmetic: &str,
    device: NetworkDevice,
) -> Result<(), Failure> {
    let device = device.to_string();
    let settings = [
        ("search", "policy"),
        ("evaluation", "net"),
        ("arithmetic", arithmetic),
        ("device", device.as_str()),
        ("network", network),
    ];
    for (name, value) in settings {
        session.set_option(name, value).map_err(Failure::usage)?;
    }
    Ok(())
}

fn print(
    opinion: &NetworkOpinion,
    session: &dyn Session,
    moves_shown: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let picture = session.picture();
    writeln!(out, "{}\n", session.board().trim_end())?;
    writeln!(out, "{}", opinion.network)?;
    let [win, draw, loss] = opinion.wdl.map(|chance| chance * 100.0);
    let mover = session.players()[session.to_move().index()];
    writeln!(out, "{mover} to move: {win:.1} % wins, {draw:.1} % draws, {loss:.1} % losses")?;
    if let Some(margin) = opinion.margin {
        writeln!(out, "margin {margin:+.1}")?;
    }
    if let Some(plies) = opinion.moves_left {
        writeln!(out, "{plies:.0} plies to the end")?;
    }
    let mut arriving: BTreeMap<&str, f32> = BTreeMap::new();
    for known in &opinion.policy {
        if let Some(cell) = &known.touch.to {
            *arriving.entry(cell).or_default() += known.probability;
        }
    }
    writeln!(out, "\nPolicy, in per cent by the cell that a move goes to:")?;
    let share = |cell: &str| arriving.get(cell).map(|share| format!("{:.0}", share * 100.0));
    write!(out, "{}", grid(&picture, share))?;
    for known in opinion.policy.iter().take(moves_shown) {
        writeln!(out, "  {:7} {:5.1} %", known.text, known.probability * 100.0)?;
    }
    if !opinion.ownership.is_empty() {
        let owned: BTreeMap<&str, f32> =
            opinion.ownership.iter().map(|cell| (cell.cell.as_str(), cell.value)).collect();
        writeln!(out, "\nWhose the cells will be, from -100 for the opponent to 100 for {mover}:")?;
        let value = |cell: &str| owned.get(cell).map(|value| format!("{:.0}", value * 100.0));
        write!(out, "{}", grid(&picture, value))?;
    }
    Ok(())
}

/// A board with a number in each cell, or with what stands there.
fn grid(picture: &Picture, number: impl Fn(&str) -> Option<String>) -> String {
    let Board { columns, rows, top_down, pieces, .. } = &picture.board;
    let stands: BTreeMap<&str, char> = pieces
        .iter()
        .map(|piece| {
            let letter = match piece.kind.len() {
                1 => piece.kind.chars().next().unwrap_or('?'),
                _ => ['X', 'O'][piece.player % 2],
            };
            let letter =
                if piece.player == 1 && piece.kind.len() == 1 { letter.to_ascii_lowercase() } else { letter };
            (piece.cell.as_str(), letter)
        })
        .collect();
    let mut text = String::new();
    let order: Vec<usize> = if *top_down { (0..*rows).collect() } else { (0..*rows).rev().collect() };
    for row in order {
        text.push_str(&format!("{:>3}", row + 1));
        for column in 0..*columns {
            let cell = outplay_core::text::cell_text(column, row);
            let piece = stands.get(cell.as_str()).map_or("·".to_string(), char::to_string);
            text.push_str(&format!("{:>5}", number(&cell).unwrap_or(piece)));
        }
        text.push('\n');
    }
    text.push_str("   ");
    for column in 0..*columns {
        let cell = outplay_core::text::cell_text(column, 0);
        text.push_str(&format!("{:>5}", cell.trim_end_matches('1')));
    }
    text.push('\n');
    text
}
