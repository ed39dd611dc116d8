//! `outplay learn`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use outplay_engine::Catalogue;
use outplay_learn::{Event, Folder, Generation, Recipe, Run, RunError, Settings};

use crate::Failure;
use crate::experiment::{interruption, progress_bar, warn_about_cores};
use crate::inputs::setting;

/// Let a network learn a game by playing against itself, from random play on.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  outplay learn tictactoe --run ttt --generations 10 --set blocks=1 --set channels=16 --set games=200
  outplay learn connect4 --run four --recipe fast --threads 2
  outplay learn --run four                       go on with a run; so after Ctrl-C, kill -9 or a full disk
  outplay learn --options                        all settings, with their values in both recipes
  outplay play connect4 --search mcts --set evaluation=net --set network=four/nets/0010.safetensors

The newest network plays its games, is trained on the window of the newest samples, and plays again. Everything is in the folder: settings, networks, games,
figures. The settings decide the result, bit for bit; threads and interruptions change nothing."
)]
pub struct Args {
    /// The game; not needed to go on with a run.
    #[arg(value_name = "GAME", required_unless_present_any = ["run", "options"])]
    game: Option<String>,
    /// The folder of the run: a new one, or one to go on with.
    #[arg(long, value_name = "FOLDER", required_unless_present = "options")]
    run: Option<PathBuf>,
    /// The recipe that settings are taken from: plain (AlphaZero as in the textbook) or fast.
    #[arg(long, value_name = "R", default_value = "plain", value_parser = |text: &str| text.parse::<Recipe>())]
    recipe: Recipe,
    /// Change a setting; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// Until there are so many generations; without it, until Ctrl-C.
    #[arg(long, value_name = "N")]
    generations: Option<u32>,
    /// Threads that play and train.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Print a line of JSON for each generation, and nothing else.
    #[arg(long)]
    json: bool,
    /// Print all settings with their values in both recipes.
    #[arg(long)]
    options: bool,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    if args.options {
        return print_options(out);
    }
    let path = args
        .run
        .as_deref()
        .ok_or_else(|| Failure::usage(anyhow!("name the folder of the run with --run")))?;
    let (game, settings) = settled(args, path)?;
    warn_about_cores(args.threads as usize);
    let session = games.find(&game).and_then(|game| game.open()).map_err(Failure::usage)?;
    let learner = session.learner().ok_or_else(|| {
        Failure::usage(anyhow!(
            "{game} shows its positions to no network: it needs an encoder (see CONTRIBUTING.md)"
        ))
    })?;
    let stop = interruption();
    let mut run = Run::open(path, &game, learner, settings, args.threads as usize).map_err(failed)?;
    if !args.json {
        let generation = run.generation();
        let begins = if generation == 0 {
            "begins".to_string()
        } else {
            format!("goes on at generation {generation}")
        };
        writeln!(out, "The run in {} {begins}. Ctrl-C ends it; the same command goes on.", path.display())?;
        writeln!(out, "{}", heading())?;
    }
    while args.generations.is_none_or(|most| run.generation() < most) {
        let bar = progress_bar(0, "of this step");
        bar.set_message("self-play");
        let see = |event: Event| match event {
            Event::Game { games, of, .. } => {
                bar.set_length(of as u64);
                bar.set_position(games as u64);
            }
            Event::Step { steps, of, .. } => {
                bar.set_message("training");
                bar.set_length(of);
                bar.set_position(steps);
            }
            Event::Generation(_) => {}
        };
        let figures = run.advance(&stop, &see).map_err(failed)?;
        bar.finish_and_clear();
        let Some(figures) = figures else { break };
        match args.json {
            true => writeln!(out, "{}", serde_json::to_string(&figures)?)?,
            false => writeln!(out, "{}", line(&figures))?,
        }
        out.flush()?;
    }
    if !args.json {
        writeln!(out, "The newest network: {}", run.folder().net(run.generation()).display())?;
    }
    Ok(())
}

fn failed(error: RunError) -> Failure {
    Failure::Failed(error.into())
}

/// The game and the settings: those of the run that is there, or new ones.
fn settled(args: &Args, path: &Path) -> Result<(String, Settings), Failure> {
    let known = Folder::settings_of(path).ok();
    let (game, mut settings) = match (&args.game, known) {
        (None, Some(known)) => known,
        (Some(game), Some((known, settings))) if *game == known => (known, settings),
        (Some(game), _) => (game.clone(), Settings::of(args.recipe)),
        (None, None) => {
            let path = path.display();
            return Err(Failure::usage(anyhow!(
                "{path} holds no run yet: name the game, as in outplay learn connect4 --run {path}"
            )));
        }
    };
    for (name, value) in &args.settings {
        settings.set(name, value).map_err(Failure::usage)?;
    }
    Ok((game, settings))
}

fn heading() -> String {
    format!(
        "{:>10} {:>7} {:>9} {:>8} {:>7} {:>6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "generation",
        "games",
        "positions",
        "window",
        "length",
        "first",
        "draws",
        "entropy",
        "policy",
        "value",
        "evals/s",
        "time"
    )
}

/// A generation in figures: means of the games, losses of policy and value.
fn line(figures: &Generation) -> String {
    let rate = figures.evaluations as f64 / figures.play_seconds.max(1e-9);
    let time = Duration::from_secs_f64(figures.play_seconds + figures.train_seconds);
    format!(
        "{:>10} {:>7} {:>9} {:>8} {:>7.1} {:>5.0}% {:>5.0}% {:>8.2} {:>8.3} {:>8.3} {:>9.0} {:>8.1}s",
        figures.generation,
        figures.games,
        figures.positions,
        figures.window,
        figures.length,
        100.0 * figures.first_wins,
        100.0 * figures.draws,
        figures.entropy,
        figures.policy_loss,
        figures.value_loss,
        rate,
        time.as_secs_f64()
    )
}

fn print_options(out: &mut dyn Write) -> Result<(), Failure> {
    let (plain, fast) = (Settings::of(Recipe::Plain).rows(), Settings::of(Recipe::Fast).rows());
    writeln!(out, "{:<20} {:>10} {:>10}", "setting", "plain", "fast")?;
    for ((row, plain), (_, fast)) in plain.into_iter().zip(fast) {
        writeln!(out, "{:<20} {:>10} {:>10}  {}", row.name, plain.to_string(), fast.to_string(), row.help)?;
    }
    Ok(())
}
