//! `outplay games`

use std::io::Write;

use outplay_engine::{Catalogue, NamedGame, Rating, Scale};
use serde::Serialize;

use crate::Failure;

/// List the games, with how their positions and moves are written.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay games
  outplay games chess                   and how strong its levels are
  outplay games --json")]
pub struct Args {
    /// One of them, with its levels.
    #[arg(value_name = "GAME")]
    game: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<JsonLevel>>,
}

#[derive(Serialize)]
struct JsonLevel {
    name: &'static str,
    rating: Option<Rating>,
    scale: Scale,
}

/// The levels of a game, the weakest first.
fn levels(game: &NamedGame) -> Vec<JsonLevel> {
    let scale = game.strength().scale;
    game.levels().iter().map(|level| JsonLevel { name: level.name, rating: level.rating, scale }).collect()
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut listed = Vec::new();
    let chosen = args.game.as_ref().map(|name| games.find(name).map_err(Failure::usage)).transpose()?;
    let rows = match &chosen {
        Some(named) => std::slice::from_ref(named.row()),
        None => games.rows(),
    };
    for game in rows {
        let session = games.open(game.name)?;
        listed.push(JsonGame {
            name: game.name,
            title: game.title,
            variants: game.variants.help,
            players: session.players(),
            start: session.position_text(),
            file_extension: session.file_extension(),
            levels: chosen.as_ref().map(levels),
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
        for (number, level) in (1..).zip(game.levels.iter().flatten()) {
            let rating = level.rating.map(|rating| format!("{:>5} ± {}", rating.value, rating.error));
            writeln!(out, "{:<12} level {number:>2}: {:<20} {}", "", level.name, rating.unwrap_or_default())?;
        }
        if let Some(level) = game.levels.iter().flatten().next() {
            writeln!(out, "{:<12} Ratings are {}.", "", level.scale)?;
        }
    }
    Ok(())
}
