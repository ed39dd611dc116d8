//! `outplay learn`

mod games;
mod live;
mod pack;
mod rate;
mod teaching;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use outplay_engine::selfplay::Learner;
use outplay_engine::{Catalogue, NetworkDevice, Session};
use outplay_learn::{EventFile, Folder, Needs, RatingJob, Recipe, Run, RunError, Settings, is_rated};

use crate::Failure;
use crate::experiment::{interruption, warn_about_cores};
use crate::inputs::setting;
use live::{Live, heading, row};

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
  outplay learn games four                       its games; pack and unpack put the run into a file, see --help of each
  outplay learn imitate connect4 --run f --player search=pvs,nodes=2000   begins with what another player knows; so does distil
  outplay learn --run four --rate                how strong the newest network is; --rate 0-20 rates others, --set rate_every=5 does it on the way
  outplay learn --options                        all settings, with their values in both recipes
  outplay play connect4 --search mcts --set evaluation=net --set network=four/nets/0010.safetensors

The newest network plays its games, is trained on the window of the newest samples, and plays again. Everything is in the folder: settings, networks, games,
figures. The settings decide the result, bit for bit; threads and interruptions change nothing. A GPU rounds in its own way: with --device cpu the games are
the same on every machine."
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
    /// What plays and trains: auto (a GPU that is there and works, otherwise the processor; for each of the two), cpu, cuda or cuda:N.
    #[arg(long, value_name = "DEVICE", default_value_t = NetworkDevice::Auto)]
    device: NetworkDevice,
    /// Do not learn, but rate networks of the run against fixed opponents: the newest, or generations such as 4,8,10-20, or all.
    #[arg(long, value_name = "GENERATIONS", num_args = 0..=1, default_missing_value = "newest", requires = "run")]
    rate: Option<rate::Which>,
    /// Also write the figures for TensorBoard, into the folder tensorboard of the run.
    #[arg(long)]
    tensorboard: bool,
    /// Print a line of JSON for each generation and each rating, and nothing else.
    #[arg(long)]
    json: bool,
    /// Print all settings with their values in both recipes.
    #[arg(long)]
    options: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What else can be done with runs.
#[derive(clap::Subcommand)]
enum Command {
    Games(games::Args),
    Pack(pack::Args),
    Unpack(pack::UnpackArgs),
    Imitate(teaching::ImitateArgs),
    Distil(teaching::DistilArgs),
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(command) = &args.command {
        return match command {
            Command::Games(args) => games::run(args, games, out),
            Command::Pack(args) => pack::run(args, out),
            Command::Unpack(args) => pack::unpack(args, out),
            Command::Imitate(args) => teaching::run_imitate(args, games, out),
            Command::Distil(args) => teaching::run_distil(args, games, out),
        };
    }
    if args.options {
        return print_options(out);
    }
    let path = args
        .run
        .as_deref()
        .ok_or_else(|| Failure::usage(anyhow!("name the folder of the run with --run")))?;
    let (game, settings) = settled(args, path)?;
    warn_about_cores(args.threads as usize);
    let named = games.find(&game).map_err(Failure::usage)?;
    let session = named.open().map_err(Failure::usage)?;
    if let Some(which) = &args.rate {
        return rate::run(args, which, path, &named, &settings, out);
    }
    let learner = learner(&*session, &game)?;
    let stop = interruption();
    let needs = needs(args, path, &game, &*session, &*learner, &settings);
    let rating = settings.rating;
    let run = Run::open(path, &game, learner, settings, args.threads as usize).map_err(failed)?;
    let mut run = run.playing_on(args.device).training_on(args.device).map_err(failed)?;
    let mut events = args.tensorboard.then(|| EventFile::create(run.folder())).transpose().map_err(failed)?;
    if !args.json {
        let generation = run.generation();
        let begins = if generation == 0 {
            "begins".to_string()
        } else {
            format!("goes on at generation {generation}")
        };
        writeln!(out, "The run in {} {begins}. Ctrl-C ends it; the same command goes on.", path.display())?;
        writeln!(out, "It needs {needs}.")?;
        writeln!(out, "{}", heading())?;
    }
    loop {
        let generation = run.generation();
        if is_rated(&rating, generation) {
            let threads = args.threads as usize;
            let job =
                RatingJob { folder: run.folder(), game: &named, options: &rating, threads, stop: &stop };
            if !rate::show(&job, generation, args.json, events.as_mut(), out)? {
                break;
            }
        }
        if args.generations.is_some_and(|most| generation >= most) {
            break;
        }
        let live = Live::new(generation + 1);
        let figures = run.advance(&stop, &|event| live.show(&event)).map_err(failed)?;
        live.finish();
        let Some(figures) = figures else { break };
        if let Some(events) = &mut events {
            events.add(&figures).map_err(failed)?;
        }
        match args.json {
            true => writeln!(out, "{}", serde_json::to_string(&figures)?)?,
            false => writeln!(out, "{}", row(&figures))?,
        }
        out.flush()?;
    }
    if !args.json {
        writeln!(out, "The newest network: {}", run.folder().net(run.generation()).display())?;
    }
    Ok(())
}

/// The game as networks learn it.
fn learner(session: &dyn Session, game: &str) -> Result<Arc<dyn Learner>, Failure> {
    session.learner().ok_or_else(|| {
        Failure::usage(anyhow!(
            "{game} shows its positions to no network: it needs an encoder (see CONTRIBUTING.md)"
        ))
    })
}

/// What the run needs, in words; says what of it is not there.
fn needs(
    args: &Args,
    path: &Path,
    game: &str,
    session: &dyn Session,
    learner: &dyn Learner,
    settings: &Settings,
) -> String {
    // How long a run without an end lasts nobody knows; warnings are for the next while.
    const NEXT: u32 = 100;
    let Some(encoder) = learner.encoders().into_iter().next() else { return "an encoder".to_string() };
    let description = settings.network(game, &encoder);
    // Later in games there are often more moves than in the beginning.
    let moves = 2 * session.legal_moves().len();
    let generations = args.generations.unwrap_or(NEXT);
    let needs = Needs::new(settings, &description, args.threads as usize, moves, generations);
    for warning in needs.warnings(path, generations) {
        eprintln!("outplay: {warning}");
    }
    needs.in_words()
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

fn print_options(out: &mut dyn Write) -> Result<(), Failure> {
    let (plain, fast) = (Settings::of(Recipe::Plain).rows(), Settings::of(Recipe::Fast).rows());
    writeln!(out, "{:<20} {:>10} {:>10}", "setting", "plain", "fast")?;
    for ((row, plain), (_, fast)) in plain.into_iter().zip(fast) {
        writeln!(out, "{:<20} {:>10} {:>10}  {}", row.name, plain.to_string(), fast.to_string(), row.help)?;
    }
    Ok(())
}
