//! `outplay options`

use std::io::Write;

use outplay_engine::SEARCHES;
use serde::Serialize;

use crate::Failure;
use crate::inputs::GameArgs;

/// List the searches and their settings, from the one table that all of the program reads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay options                  every search with its settings
  outplay options chess --json     the same for a script
  outplay analyze othello --search uct --set exploration=0.7")]
pub struct Args {
    /// The game whose sessions are asked; the settings are the same for all of them today.
    #[arg(value_name = "GAME", default_value = "othello")]
    game: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonSearch {
    search: &'static str,
    summary: &'static str,
    options: Vec<JsonOption>,
}

#[derive(Serialize)]
struct JsonOption {
    name: &'static str,
    default: String,
    expected: String,
    help: &'static str,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = GameArgs { game: args.game.clone() }.open()?;
    let mut searches = Vec::new();
    for search in SEARCHES {
        session.set_option("search", search.name)?;
        let options = session.options()?.into_iter().map(|(row, _)| JsonOption {
            name: row.name,
            default: row.default.to_string(),
            expected: row.kind.to_string(),
            help: row.help,
        });
        searches.push(JsonSearch {
            search: search.name,
            summary: search.summary,
            options: options.collect(),
        });
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&searches)?)?;
        return Ok(());
    }
    for search in searches {
        writeln!(out, "{:<10} {}", search.search, search.summary)?;
        for option in search.options.iter().filter(|option| option.name != "search") {
            writeln!(out, "  {:<14} {}", option.name, option.help)?;
            writeln!(out, "  {:<14} {}; default {}", "", option.expected, option.default)?;
        }
    }
    Ok(())
}
