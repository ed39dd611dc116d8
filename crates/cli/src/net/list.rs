//! `outplay net list`

use std::io::Write;
use std::path::PathBuf;

use outplay_engine::{Catalogue, FoundNetwork, found_networks, look_for_networks_in, network_folders};
use serde::Serialize;

use crate::Failure;
use crate::data::NETWORKS_VARIABLE;

/// List the networks that are found, by the names that `network` knows them by.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net list
  outplay net list --nets my-networks --json
  OUTPLAY_NETS=my-networks outplay analyze othello --search mcts --set evaluation=net --set network=NAME")]
pub struct Args {
    /// Look in this folder instead; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    nets: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonNetwork {
    name: String,
    file: String,
    /// What it was made for; nothing where that is not seen without reading all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    games: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    if !args.nets.is_empty() {
        look_for_networks_in(args.nets.clone());
    }
    let listed = found_networks().into_iter().map(|FoundNetwork { name, place }| {
        let file =
            place.file().map_or_else(|| "in the program".to_string(), |path| path.display().to_string());
        let (description, error) = match place.peek() {
            Ok(description) => (description, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let fitting = description.as_ref().map(|description| super::games_of(description, games));
        let game = description.map(|description| description.game);
        JsonNetwork { name, file, game, games: fitting.unwrap_or_default(), error }
    });
    let listed: Vec<JsonNetwork> = listed.collect();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&listed)?)?;
        return Ok(());
    }
    if listed.is_empty() {
        let folders: Vec<String> =
            network_folders().iter().map(|folder| folder.display().to_string()).collect();
        writeln!(
            out,
            "There are no networks in {}: put some there, or name their folder by {NETWORKS_VARIABLE}.",
            folders.join(" or ")
        )?;
    }
    for JsonNetwork { name, file, games, error, .. } in listed {
        let what = match (error, games.as_slice()) {
            (Some(error), _) => error,
            (None, []) => "see `outplay net info`".to_string(),
            (None, games) => games.join(", "),
        };
        writeln!(out, "{name:24} {what:24} {file}")?;
    }
    Ok(())
}
