//! Many small searches in place of one large one.

use std::time::Instant;

use anyhow::anyhow;
use cpu_time::ProcessTime;
use outplay_engine::{Catalogue, LeafSource, ManySearches, NetworkOptions};
use outplay_search::OptionSet;
use outplay_search::mcts::MctsOptions;
use serde::Serialize;

use super::{Args, NET};
use crate::Failure;
use crate::inputs::GameArgs;

/// What came of them.
#[derive(Serialize)]
pub struct Measured {
    pub playouts: u64,
    pub moves: u64,
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub playouts_per_second: f64,
    pub playouts_per_cpu_second: f64,
    pub evaluations_per_second: f64,
    pub mean_batch: f64,
    /// The share of the time of all threads in which they wait for the evaluator, or evaluate themselves where it is none beside them.
    pub waiting: f64,
    pub bytes_per_game: u64,
}

/// Plays games, each with a search of its own; the leaves of the games of a thread are evaluated together.
pub fn measure(args: &Args, catalogue: &Catalogue, games: u32) -> Result<Measured, Failure> {
    let session = GameArgs { game: args.game.clone() }.open(catalogue)?;
    let nothing = || {
        Failure::usage(anyhow!("--games needs a game that networks can be shown, which {} is not", args.game))
    };
    let learner = session.learner().ok_or_else(nothing)?;
    let mut options = MctsOptions {
        minibatch_size: args.minibatch.unwrap_or(0).into(),
        // A small tree has few leaves to be found at a time: looking for more would cost more than a larger batch is worth.
        max_collision_visits: 2 * args.leaves_per_game,
        ..MctsOptions::default()
    };
    let mut network =
        NetworkOptions { network: args.network.clone().unwrap_or_default(), ..NetworkOptions::default() };
    for (name, value) in &args.settings {
        let is_of_network = args.evaluator == NET && network.rows().iter().any(|row| row.is_named(name));
        let set: &mut dyn OptionSet = if is_of_network { &mut network } else { &mut options };
        set.set(name, value).map_err(Failure::usage)?;
    }
    let source = match args.evaluator.as_str() {
        "random" => LeafSource::Random,
        NET if network.network.as_os_str().is_empty() => {
            return Err(Failure::usage(anyhow!("say which network with --network")));
        }
        NET => LeafSource::network(&network).map_err(|error| Failure::Failed(error.into()))?,
        _ => return Err(Failure::usage(anyhow!("--games needs --evaluator random or net"))),
    };
    let task = ManySearches {
        options: &options,
        games: games as usize,
        threads: args.threads.into(),
        playouts_per_move: args.playouts_per_move,
        leaves_per_game: args.leaves_per_game,
        batch: args.minibatch.map(usize::from),
        playouts: args.playouts(),
    };
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let searched = learner.search_many(&source, &task).map_err(|error| Failure::Failed(error.into()))?;
    let [seconds, cpu_seconds] = [begun.elapsed(), cpu.elapsed()].map(|time| time.as_secs_f64().max(1e-9));
    let (playouts, asked) = (searched.playouts as f64, searched.asked);
    Ok(Measured {
        playouts: searched.playouts,
        moves: searched.moves,
        seconds,
        cpu_seconds,
        playouts_per_second: playouts / seconds,
        playouts_per_cpu_second: playouts / cpu_seconds,
        evaluations_per_second: asked.evaluations as f64 / seconds,
        mean_batch: asked.evaluations as f64 / asked.batches.max(1) as f64,
        waiting: asked.waited.as_secs_f64() / (seconds * f64::from(args.threads)),
        bytes_per_game: searched.bytes / u64::from(games),
    })
}
