//! `outplay options`

use std::io::Write;

use anyhow::anyhow;
use outplay_core::names::{did_you_mean, meant};
use outplay_engine::Catalogue;
use outplay_search::OptionRow;
use serde::Serialize;

use crate::Failure;
use crate::inputs::GameArgs;
use crate::words::{width, wrapped};

/// List the searches and their settings, from the one table that all of the program reads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay options                  every search with its settings
  outplay options chess pvs        those of one search
  outplay options chess pvs null   those that have to do with null moves
  outplay options chess --json     the same for a script
  outplay analyze othello --search uct --set exploration=0.7")]
pub struct Args {
    /// The game whose searches are listed.
    #[arg(value_name = "GAME", default_value = "othello")]
    game: String,
    /// Only this search (its name), and only settings with all of these words in their name, group or meaning.
    #[arg(value_name = "WORD")]
    words: Vec<String>,
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
    let infos = session.searches();
    let names: Vec<&str> = infos.iter().map(|info| info.name).collect();
    let (chosen, words): (Vec<&String>, Vec<&String>) =
        args.words.iter().partition(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)));
    let is_chosen =
        |name: &str| chosen.is_empty() || chosen.iter().any(|word| name.eq_ignore_ascii_case(word));
    let mut searches = Vec::new();
    for info in infos.iter().filter(|info| is_chosen(info.name)) {
        session.set_option("search", info.name)?;
        let fits = |row: &OptionRow| words.iter().all(|word| has_word(row, word));
        let options = session.options()?.into_iter().map(|(row, _)| row).filter(fits).collect::<Vec<_>>();
        let dormant = session.dormant_options_of(info.name)?.into_iter().map(|(row, _)| row).filter(fits);
        let dormant = dormant.collect::<Vec<_>>();
        if words.is_empty() || !options.is_empty() || !dormant.is_empty() {
            searches.push(JsonSearch { search: info.name, summary: info.summary, options, dormant });
        }
    }
    if searches.is_empty() {
        let meant = did_you_mean(words.iter().find_map(|word| meant(word, &names)));
        let words: Vec<&str> = words.iter().map(|word| word.as_str()).collect();
        return Err(Failure::usage(anyhow!(
            "no setting has to do with {:?}: {meant}leave words out, or name a search: {}",
            words.join(" "),
            names.join(", ")
        )));
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&searches)?)?;
        return Ok(());
    }
    let width = width();
    for JsonSearch { search, summary, options, dormant } in searches {
        writeln!(out, "{}", wrapped(&format!("{search}: {summary}"), 0, width))?;
        list(&options, width, out)?;
        if !dormant.is_empty() {
            writeln!(out, "\n  Once another setting asks for them:")?;
            list(&dormant, width, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Whether a row has to do with a word.
fn has_word(row: &OptionRow, word: &str) -> bool {
    let word = word.to_lowercase();
    let alias = row.alias.as_deref().unwrap_or_default();
    [&*row.name, &row.name.replace('_', " "), &*row.group, &*row.help, alias]
        .iter()
        .any(|text| text.to_lowercase().contains(&word))
}

/// Lists rows by group.
fn list(rows: &[OptionRow], width: usize, out: &mut dyn Write) -> Result<(), Failure> {
    let mut group = "";
    for row in rows.iter().filter(|row| row.name != "search") {
        if row.group != group {
            group = &row.group;
            writeln!(out, "\n  {}", if group.is_empty() { "General" } else { group })?;
        }
        let attributes: String = row.attributes.iter().map(|attribute| format!("; {attribute}")).collect();
        let alias = row.alias.as_ref().map_or(String::new(), |alias| format!("; also {alias}"));
        let values = format!("{} = {}  ({}{alias}{attributes})", row.name, row.default, row.kind);
        let mut values = wrapped(&values, 8, width).trim_start().to_string();
        values.insert_str(0, "    ");
        writeln!(out, "{values}\n{}", wrapped(&row.help, 8, width))?;
    }
    Ok(())
}
