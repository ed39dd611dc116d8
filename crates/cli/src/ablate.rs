//! `outplay ablate`

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::anyhow;
use outplay_core::names::{did_you_mean, meant, nearest};
use outplay_core::text;
use outplay_engine::{Catalogue, NamedGame};
use outplay_lab::{Study, TimeControl, Variant, ablation_page, ablation_text};
use serde::Serialize;

use crate::Failure;
use crate::experiment::{ExperimentArgs, interruption, match_failure, progress_bar, write_file};
use crate::fleet_args::FleetArgs;
use crate::inputs::{GameArgs, setting};

/// Find out what each technique of a search is worth: the engine against itself without it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay ablate othello                                   every search that has something to turn off
  outplay ablate connect4 --search uct --games 400         UCT's constant: 0, half and double
  outplay ablate chess --only cutoffs --html ablation.html
  outplay ablate chess --games 2000 --time 0ms --fleet nats://10.0.0.1 --db study.redb
  outplay ablate othello --search uct --vary exploration=0.3,0.6,1.5 --db study.redb

For each setting, two matches are played from the same openings, one with fixed nodes, one with fixed time; and nodes and
time to equal depth are compared. Elo above 0: the engine is better as it is. With --db, every pair is kept; after an
interruption the same command with --resume goes on.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The search; all that have anything to turn off by default.
    #[arg(long, value_name = "S")]
    search: Option<String>,
    /// A setting of the engine as it is; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting, requires = "search")]
    settings: Vec<(String, String)>,
    /// Look only at this setting; may be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Look at other values of a setting than the table suggests; may be given several times.
    #[arg(long, value_name = "NAME=VALUE,VALUE", value_parser = setting, requires = "search", conflicts_with = "only")]
    vary: Vec<(String, String)>,
    /// Nodes a move in the first match; 0 to leave it out.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// Time a move in the second match; 0ms to leave it out.
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = outplay_lab::parse_duration)]
    time: Duration,
    /// Games in each match; an odd one is not played.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Nodes of the engine as it is in the comparison of depths; 0 to leave it out.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    depth_nodes: u64,
    /// Positions in the comparison of depths.
    #[arg(long, value_name = "N", default_value_t = 20)]
    depth_positions: usize,
    #[command(flatten)]
    experiment: ExperimentArgs,
    #[command(flatten)]
    fleet: FleetArgs,
}

#[derive(Serialize)]
struct JsonStudy<'a> {
    game: String,
    findings: &'a [outplay_lab::Finding],
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    args.experiment.expect_different_files(&[])?;
    let study = study(args, games)?;
    let exactly = text::hash(&format!("{:?}{:?}", study.variants, study.limits));
    let what = format!("ablation of {}, settings {exactly:016x}", study.game);
    let store = args.experiment.store(&what, &study.openings)?;
    let players: Vec<_> = study.variants.iter().map(Variant::players).collect();
    let pairings = players.iter().map(|[full, changed]| [full, changed]);
    let crew = args.fleet.players(args.experiment.concurrency(), &what, &study.game, pairings)?;
    let interrupted = interruption();
    let bar = progress_bar(study.all_pairs(), "pairs");
    let findings = study.run(&crew, store.as_ref(), &interrupted, &mut |variant, limit, standings| {
        bar.inc(1);
        if !bar.is_hidden() {
            let (change, help) = (variant.change(), &variant.help);
            let summary = standings.summary(0);
            bar.set_message(format!("As it is against {change}, {limit}\n({help})\n{summary}"));
        }
    });
    bar.finish_and_clear();
    let findings = findings.map_err(match_failure)?;
    if let Some(path) = &args.experiment.html {
        write_file(path, &ablation_page(&study.game.to_string(), &findings))?;
    }
    match args.experiment.json {
        true => {
            let study = JsonStudy { game: study.game.to_string(), findings: &findings };
            writeln!(out, "{}", serde_json::to_string(&study)?)?;
        }
        false => write!(out, "{}", ablation_text(&findings))?,
    }
    match interrupted.load(Ordering::Relaxed) {
        true => Err(args.experiment.interrupted()),
        false => Ok(()),
    }
}

fn study(args: &Args, games: &Catalogue) -> Result<Study, Failure> {
    let game = args.game.named(games)?;
    let variants = variants(args, &game)?;
    let pairs = args.games as usize / 2;
    let positions = pairs.max(args.depth_positions);
    Ok(Study {
        variants,
        limits: limits(args),
        openings: args.experiment.openings(&game, positions)?,
        game,
        pairs,
        depth_nodes: args.depth_nodes,
        depth_positions: args.depth_positions,
    })
}

fn limits(args: &Args) -> Vec<TimeControl> {
    let by_nodes = TimeControl { nodes: Some(args.nodes), ..TimeControl::default() };
    let margin = Duration::from_secs(1);
    let by_time = TimeControl { move_time: Some(args.time), margin, ..TimeControl::default() };
    let wanted = [(args.nodes > 0, by_nodes), (!args.time.is_zero(), by_time)];
    wanted.into_iter().filter_map(|(is_wanted, limit)| is_wanted.then_some(limit)).collect()
}

fn variants(args: &Args, game: &NamedGame) -> Result<Vec<Variant>, Failure> {
    let mut session = game.open().map_err(Failure::usage)?;
    let searches: Vec<String> = match &args.search {
        Some(search) => vec![search.clone()],
        None => session.searches().iter().map(|info| info.name.to_string()).collect(),
    };
    let mut variants = Vec::new();
    for search in &searches {
        variants.extend(Variant::of_search(game, search, &args.settings).map_err(Failure::usage)?);
    }
    if let (Some(search), false) = (&args.search, args.vary.is_empty()) {
        session.set_option("search", search).map_err(Failure::usage)?;
        variants = Vec::new();
        for (name, values) in &args.vary {
            for value in values.split(',') {
                let varied = Variant::of_value(game, search, &args.settings, name, value);
                variants.push(varied.map_err(Failure::usage)?);
            }
        }
    }
    let known: Vec<&str> = variants.iter().map(|variant| &*variant.option).collect();
    if let Some(unknown) = args.only.iter().find(|name| !known.contains(&name.as_str())) {
        let question = did_you_mean(meant(unknown, &known));
        let known = nearest(unknown, known).join(", ");
        return Err(Failure::usage(anyhow!(
            "nothing is known to change about {unknown:?}: {question}expected one of {known}"
        )));
    }
    variants.retain(|variant| args.only.is_empty() || args.only.iter().any(|name| *name == variant.option));
    match variants.is_empty() {
        true => Err(Failure::usage(anyhow!(
            "search {} has nothing to turn off: see `outplay options`, or use --vary",
            searches.join(", ")
        ))),
        false => Ok(variants),
    }
}
