//! `outplay book openings`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::anyhow;
use outplay_core::text::shell_quoted;
use outplay_engine::Catalogue;
use outplay_lab::{Balance, BalancedOpening, balanced_openings};

use crate::Failure;
use crate::experiment::{interrupted, interruption, progress_bar};
use crate::inputs::{GameArgs, SearchArgs};

/// Find openings that our own search judges balanced, none an image of another, for matches.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book openings connect6 --line j10 --near 3 --breadth 100 --count 200 --margin 40 --out openings.txt
  outplay book openings connect6 --line j10 --near 5 --margin 100 --games 8 --out openings.txt
  outplay book openings othello --turns 6 --breadth 4 --count 50 --out othello.txt
  outplay match connect6 --a search=pvs --b search=mcts --openings openings.txt

A turn is all that a player does in a row: two turns of Connect6 are Black's stone and White's pair.

Exit codes: 0 made; 1 there are not as many; 4 interrupted.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The file to write: one opening a line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many openings.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Moves that all openings begin with.
    #[arg(long = "line", value_name = "MOVES", default_value = "")]
    beginning: String,
    /// Turns of an opening, those of --line included.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    turns: u32,
    /// Draw each move from so many, those that the static evaluation likes best.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    breadth: u32,
    /// On boards where a move is a cell: draw only cells so near to one that was played before.
    #[arg(long, value_name = "CELLS")]
    near: Option<u32>,
    /// The most that an opening may be worth for either player, in hundredths.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(i32).range(0..=20_000))]
    margin: i32,
    /// Nodes for judging one.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Play so many games from each, and keep those of which either player makes a third of the points.
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u32,
    /// Nodes for a move of the first of these games, and a tenth more in each of the next.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    game_nodes: u64,
    #[command(flatten)]
    search: SearchArgs,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = args.game.open(games)?;
    args.search.apply(&mut *session)?;
    let how = Balance {
        count: args.count as usize,
        beginning: &args.beginning,
        turns: args.turns as usize,
        breadth: args.breadth as usize,
        near: args.near.map(|near| near as usize),
        margin: args.margin,
        nodes: args.nodes,
        games: args.games as usize,
        game_nodes: args.game_nodes,
        seed: args.seed,
    };
    let flag = interruption();
    let bar = progress_bar(how.count, "openings");
    let mut judged = 0;
    let found = balanced_openings(&mut *session, &how, &mut |found, all| {
        bar.set_position(found as u64);
        judged = all;
        if flag.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let found = found?;
    if found.len() < how.count && flag.load(Ordering::Relaxed) {
        return Err(interrupted("no file is written; the same command finds the same openings"));
    }
    if found.len() < how.count {
        let (count, most) = (found.len(), args.margin);
        let in_games = if args.games > 0 { " and even in games" } else { "" };
        let why = format!("only {count} of {judged} openings are worth at most {most} hundredths{in_games}");
        return Err(Failure::Failed(anyhow!("{why}: allow a greater --margin, --breadth or more --turns")));
    }
    super::write(&args.out, text(args, &found, judged).as_bytes())?;
    writeln!(out, "{} openings of {judged} that were judged, in {}", found.len(), args.out.display())?;
    Ok(())
}

/// The file: how it was made, and the openings, the most even first.
fn text(args: &Args, found: &[BalancedOpening], judged: usize) -> String {
    let Args { game, count, turns, margin, nodes, games, .. } = args;
    let in_games = match games {
        0 => String::new(),
        _ => format!(
            "# Of {games} games that the search played against itself from each, either player won a third.\n"
        ),
    };
    let mut openings = found.to_vec();
    openings.sort_by_key(|opening| opening.value.abs());
    let mut text = format!(
        "# {count} openings of {game} with {turns} turns, none an image of another, the most even first. Each is worth at most\n\
         # {margin} hundredths for either player by a search of {nodes} nodes; {judged} positions were judged.\n\
         {in_games}# Made by {command}\n",
        game = game.game,
        command = command(args),
    );
    for opening in &openings {
        text += &opening.moves.join(" ");
        text.push('\n');
    }
    text
}

/// The command that makes the same openings.
fn command(args: &Args) -> String {
    let Args { game, beginning, count, turns, breadth, near, margin, nodes, games, game_nodes, seed, .. } =
        args;
    let mut words = vec![format!("outplay book openings {}", shell_quoted(&game.game))];
    if !beginning.is_empty() {
        words.push(format!("--line {}", shell_quoted(beginning)));
    }
    words.extend(near.map(|near| format!("--near {near}")));
    words.push(format!("--turns {turns} --breadth {breadth} --margin {margin} --nodes {nodes}"));
    if *games > 0 {
        words.push(format!("--games {games} --game-nodes {game_nodes}"));
    }
    let settings = args.search.options();
    words.extend(
        settings.iter().map(|(name, value)| format!("--set {}", shell_quoted(&format!("{name}={value}")))),
    );
    words.push(format!("--seed {seed} --count {count}"));
    words.join(" ")
}
