//! `outplay learn games`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use outplay_engine::selfplay::GameRecord;
use outplay_engine::{Catalogue, Session};
use outplay_learn::{Folder, GameInWords, Kept, exported, games_there_are, in_words, kept_games};

use super::failed;
use crate::{Failure, files};

/// List the games of a run, or write them to a file of the game's own format.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay learn games four                                the newest games of the run in the folder four
  outplay learn games four --generation 3 --last 1000
  outplay learn games four --last 5 --export games.pgn    what the searches thought stands in comments
  outplay learn games four --last 5 --export - --format moves
  outplay learn games four --json                         a line of JSON for each game, with all that was found out
  outplay analyze connect4 --file games.pgn --game-number 2")]
pub struct Args {
    /// The folder of the run.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Only games that the network of this generation has played.
    #[arg(long, value_name = "N")]
    generation: Option<u32>,
    /// The games that the first network was taught by, instead.
    #[arg(long, conflicts_with = "generation")]
    taught: bool,
    /// So many of the newest games; 20 by default for a list, all of them to write or to print as JSON.
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    /// Write them to this file; - to print them.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    export: Option<PathBuf>,
    /// In which format: the game's own (pgn, sgf, ggf: see `outplay games`), or moves, a line for each game.
    #[arg(long, value_name = "F", requires = "export")]
    format: Option<String>,
    /// Print a line of JSON for each game.
    #[arg(long)]
    json: bool,
}

/// Games of a list if nobody says how many.
const LISTED: usize = 20;

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, _) = Folder::settings_of(&args.run).map_err(failed)?;
    let mut session = games.open(&game).map_err(Failure::usage)?;
    let is_list = args.export.is_none() && !args.json;
    let last = args.last.unwrap_or(if is_list { LISTED } else { usize::MAX });
    let chosen = chosen(args, last)?;
    if let Some(path) = &args.export {
        return export(args, path, &mut *session, &chosen, out);
    }
    if is_list {
        writeln!(out, "{:>10} {:>10} {:>5}  ending", "number", "generation", "moves")?;
    }
    for (which, game) in &chosen {
        let words = in_words(&mut *session, *which, game).map_err(failed)?;
        match args.json {
            true => writeln!(out, "{}", serde_json::to_string(&words)?)?,
            false => writeln!(out, "{}", line(&words))?,
        }
    }
    Ok(())
}

/// The games that were asked for, oldest first.
fn chosen(args: &Args, last: usize) -> Result<Vec<(Kept, GameRecord)>, Failure> {
    let from = match (args.generation, args.taught) {
        (Some(generation), _) => vec![Kept::Generation(generation)],
        (None, true) => vec![Kept::Taught],
        (None, false) => games_there_are(&args.run).map_err(failed)?,
    };
    let mut newest_first = Vec::new();
    for which in from.into_iter().rev() {
        if newest_first.len() == last {
            break;
        }
        let mut games = kept_games(&args.run, which).map_err(failed)?;
        while let Some(game) = games.pop_if(|_| newest_first.len() < last) {
            newest_first.push((which, game));
        }
    }
    newest_first.reverse();
    Ok(newest_first)
}

fn export(
    args: &Args,
    path: &Path,
    session: &mut dyn Session,
    chosen: &[(Kept, GameRecord)],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let own = session.file_extension();
    let format = args.format.as_deref().unwrap_or(own);
    if format != own && format != "moves" {
        return Err(Failure::usage(anyhow!("this game is written as {own} or as moves, not as {format:?}")));
    }
    let folder = args.run.canonicalize().unwrap_or_else(|_| args.run.clone());
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut write = |to: &mut dyn Write| -> anyhow::Result<()> {
        for (which, game) in chosen {
            match format {
                "moves" => writeln!(to, "{}", in_words(session, *which, game)?.moves.join(" "))?,
                _ => writeln!(to, "{}", exported(session, &name, *which, game)?)?,
            }
        }
        Ok(())
    };
    if path == Path::new("-") {
        return write(out).map_err(Failure::Failed);
    }
    let written = files::replace(path, write).with_context(|| format!("cannot write {}", path.display()));
    written.map_err(Failure::Failed)?;
    writeln!(out, "{} games in {}", chosen.len(), path.display())?;
    Ok(())
}

fn line(words: &GameInWords) -> String {
    let generation = words.generation.map_or_else(|| "taught".to_string(), |number| number.to_string());
    format!("{:>10} {generation:>10} {:>5}  {}", words.number, words.moves.len(), words.ending)
}
