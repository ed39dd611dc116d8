//! `outplay agreement`

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use outplay_engine::{Catalogue, NamedGame};
use outplay_lab::{
    AgreementError, Entrant, GamePosition, Plan, PlayerSpec, Reference, TimeControl, agreement_text,
    likeness, positions_of,
};

use crate::Failure;
use crate::experiment::{player_failure, progress_bar, read_players};
use crate::inputs::GameArgs;

/// How often players choose the moves that others choose, on positions from games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay agreement chess games.pgn --levels --with name=maia,search=policy,evaluation=net,network=maia-1500.pb.gz
  outplay agreement chess games.pgn --player level=3 --player cmd=stockfish,limit.nodes=2000 --with level=12
  outplay agreement othello WTH_2004.wtb --levels --most 500

Every so many plies a position of each game is put before the players, and their moves are compared with the next move of
the game and with those of the players after --with, which have to be searches of ours; a network's policy also says how
likely each move is. A player is written as for `outplay match`.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Files of games, in the game's formats.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A player; may be given several times.
    #[arg(long = "player", value_name = "PLAYER", required_unless_present = "levels")]
    players: Vec<String>,
    /// The levels of the game are players, too.
    #[arg(long)]
    levels: bool,
    /// Whose moves are compared with; may be given several times.
    #[arg(long = "with", value_name = "PLAYER")]
    with: Vec<String>,
    /// What players who have no limit of their own have for each position.
    #[arg(long, value_name = "LIMIT", default_value = "nodes=10000")]
    limit: TimeControl,
    /// Plies of each game that are left out as its opening.
    #[arg(long, value_name = "N", default_value_t = 6)]
    after: u16,
    /// From there on a position every so many plies.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    /// Positions at most.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.named(games)?;
    if args.limit.base.is_some() {
        return Err(Failure::usage(anyhow!(
            "positions come one by one: give time, nodes or depth instead of tc"
        )));
    }
    let mut specs =
        if args.levels { game.levels().iter().map(PlayerSpec::of_level).collect() } else { Vec::new() };
    specs.extend(read_all(&args.players, &game)?);
    let entrants = Plan::entrants(specs, &args.limit);
    let references = Plan::entrants(read_all(&args.with, &game)?, &args.limit);
    for Entrant { spec, control, .. } in entrants.iter().chain(&references) {
        spec.check(&game, control, &[]).map_err(player_failure)?;
    }
    let positions = positions(args, &game)?;
    let bar = progress_bar(positions.len() * (entrants.len() + references.len()), "positions");
    let mut compared = Vec::new();
    for entrant in &references {
        let mut reference = Reference::new(&game, entrant).map_err(failure)?;
        for position in &positions {
            reference.look_at(position).map_err(failure)?;
            bar.inc(1);
        }
        compared.push(reference);
    }
    let mut all = Vec::new();
    for entrant in &entrants {
        bar.set_message(entrant.name.clone());
        all.push(likeness(&game, entrant, &positions, &compared, &mut || bar.inc(1)).map_err(failure)?);
    }
    bar.finish_and_clear();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&all)?)?,
        false => write!(out, "{}", agreement_text(&all))?,
    }
    Ok(())
}

fn read_all(texts: &[String], game: &NamedGame) -> Result<Vec<PlayerSpec>, Failure> {
    let read = texts.iter().map(|text| read_players(text, game)).collect::<Result<Vec<_>, _>>()?;
    Ok(read.into_iter().flatten().collect())
}

/// The positions of all files, as many as are wanted, from the whole of each.
fn positions(args: &Args, game: &NamedGame) -> Result<Vec<GamePosition>, Failure> {
    let session = game.open().map_err(Failure::usage)?;
    let mut positions = Vec::new();
    for path in &args.files {
        let of_file = || format!("in {}", path.display());
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let listed = session.list_games(&bytes.map_err(Failure::Failed)?, usize::MAX);
        let listed = listed.with_context(of_file).map_err(Failure::Failed)?;
        let found = positions_of(game, &listed, args.after.into(), args.every.into());
        positions.extend(found.with_context(of_file).map_err(Failure::Failed)?);
    }
    if positions.is_empty() {
        return Err(Failure::Failed(anyhow!("the files hold no game of more than {} plies", args.after)));
    }
    // Evenly from all games, not the first ones alone.
    let most = args.most as usize;
    let count = positions.len();
    let wanted = |&(index, _): &(usize, GamePosition)| {
        (index + 1) * most.min(count) / count > index * most.min(count) / count
    };
    Ok(positions.into_iter().enumerate().filter(wanted).map(|(_, position)| position).collect())
}

fn failure(error: AgreementError) -> Failure {
    match error {
        AgreementError::Player(error) => player_failure(error),
        AgreementError::Fault(fault) => player_failure(fault.into()),
        error => Failure::usage(error),
    }
}
