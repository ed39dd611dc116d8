//! `outplay options`

use std::io::Write;

use outplay_engine::Catalogue;
use outplay_search::OptionRow;
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
    /// The game whose searches are listed.
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
    options: Vec<OptionRow>,
    /// Rows that mean nothing until another is set, such as those of an evaluation that is not the usual one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dormant: Vec<OptionRow>,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = GameArgs { game: args.game.clone() }.open(games)?;
    let mut searches = Vec::new();
    for info in session.searches() {
        session.set_option("search", info.name)?;
        let options = session.options()?.into_iter().map(|(row, _)| row).collect();
        let dormant = session.dormant_options_of(info.name)?.into_iter().map(|(row, _)| row).collect();
        searches.push(JsonSearch { search: info.name, summary: info.summary, options, dormant });
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&searches)?)?;
        return Ok(());
    }
    for JsonSearch { search, summary, options, dormant } in searches {
        writeln!(out, "{search:<10} {summary}")?;
        list(&options, out)?;
        if !dormant.is_empty() {
            writeln!(out, "  Once another option asks for them:")?;
            list(&dormant, out)?;
        }
    }
    Ok(())
}

/// Lists rows by group.
fn list(rows: &[OptionRow], out: &mut dyn Write) -> Result<(), Failure> {
    let mut group = "";
    for row in rows.iter().filter(|row| row.name != "search") {
        if row.group != group {
            group = &row.group;
            writeln!(out, "  [{}]", if group.is_empty() { "General" } else { group })?;
        }
        writeln!(out, "  {:<16} {}", row.name, row.help)?;
        let attributes: String = row.attributes.iter().map(|attribute| format!("; {attribute}")).collect();
        let alias = row.alias.as_ref().map_or(String::new(), |alias| format!("; also {alias}"));
        writeln!(out, "  {:<16} {}; default {}{alias}{attributes}", "", row.kind, row.default)?;
    }
    Ok(())
}
