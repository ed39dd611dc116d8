//! `outplay games`

use std::io::Write;

use outplay_engine::Catalogue;
use serde::Serialize;

use crate::Failure;

/// List the games, with how their positions and moves are written.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay games
  outplay games --json")]
pub struct Args {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonGame {
    name: &'static str,
    title: &'static str,
    variants: &'static str,
    players: [&'static str; 2],
    start: String,
    file_extension: &'static str,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut listed = Vec::new();
    for game in games.rows() {
        let session = games.open(game.name)?;
        listed.push(JsonGame {
            name: game.name,
            title: game.title,
            variants: game.variants.help,
            players: session.players(),
            start: session.position_text(),
            file_extension: session.file_extension(),
        });
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&listed)?)?;
        return Ok(());
    }
    for game in listed {
        writeln!(out, "{:<12} {}", game.name, game.title)?;
        if !game.variants.is_empty() {
            writeln!(out, "{:<12} variants: {}", "", game.variants)?;
        }
        writeln!(
            out,
            "{:<12} players: {} and {}; files: .{}",
            "", game.players[0], game.players[1], game.file_extension
        )?;
        writeln!(out, "{:<12} start: {}", "", game.start)?;
    }
    Ok(())
}
