//! Many small searches on one thread, in place of one large one.

use std::sync::Arc;

use cpu_time::ProcessTime;
use outplay_chess::Chess;
use outplay_connect::four::ConnectFour;
use outplay_core::{Game, Line, Rng};
use outplay_search::OptionSet;
use outplay_search::mcts::{Batch, HashRandom, MctsOptions, Scratch, SearchContext, SearchTree, TreePool};

use crate::Failure;

/// How many games, and how they are searched.
pub struct Task<'a> {
    pub game: &'a str,
    pub games: usize,
    pub playouts_per_move: u64,
    /// Leaves of one game in a batch.
    pub leaves_per_game: u32,
    /// Leaves in a batch.
    pub batch: usize,
    /// As many playouts as are made at least.
    pub playouts: u64,
    pub settings: &'a [(String, String)],
}

/// What came of them.
pub struct Played {
    pub playouts: u64,
    pub moves: u64,
    pub cpu_seconds: f64,
    /// Bytes of all trees, at the end.
    pub bytes: u64,
}

/// Plays games, all of which are searched by one thread with a function that looks like chance as the evaluator.
pub fn play(task: &Task) -> Result<Played, Failure> {
    match task.game {
        "connect4" => play_from::<ConnectFour>(task),
        "chess" => play_from::<Chess>(task),
        _ => Err(Failure::usage(anyhow::anyhow!("--games needs --game connect4 or chess"))),
    }
}

fn play_from<G: Game<Rules: Default>>(task: &Task) -> Result<Played, Failure> {
    let mut options = MctsOptions {
        minibatch_size: task.batch as u64,
        // A small tree has few leaves to be found at a time: looking for more would cost more than a larger batch is worth.
        max_collision_visits: 2 * task.leaves_per_game,
        ..MctsOptions::default()
    };
    for (name, value) in task.settings {
        options.set(name, value).map_err(Failure::usage)?;
    }
    let evaluator = HashRandom { seed: options.seed };
    let context = SearchContext::<G>::new(&options, &evaluator);
    let mut evaluating = context.evaluator().begin();
    let start = || Line::new(G::start(&G::Rules::default()));
    let pool = Arc::new(TreePool::new());
    let new_game = |number| SearchTree::new(&context, &pool, opening(start(), number), number);
    let mut games: Vec<SearchTree<G>> = (0..task.games as u64).map(new_game).collect();
    let mut next_game = task.games as u64;
    let (mut batch, mut scratch, mut rng) = (Batch::default(), Scratch::default(), Rng::new(1));
    // Games that fill a batch are searched together to their next moves: so their trees stay in the processor's cache.
    let together = (task.batch / task.leaves_per_game.max(1) as usize).clamp(1, task.games);
    let begun = ProcessTime::now();
    let (mut playouts, mut moves, mut turn) = (0, 0, 0);
    while playouts < task.playouts {
        let group = turn % task.games..(turn % task.games + together).min(task.games);
        turn = group.end;
        let group = &mut games[group];
        let before: u64 = group.iter().map(SearchTree::playouts).sum();
        group.iter_mut().for_each(|game| game.set_budget(task.playouts_per_move));
        while group.iter().any(|game| !game.is_done()) {
            for game in group.iter_mut() {
                game.gather(&context, task.leaves_per_game, &mut batch, &mut scratch);
            }
            context.evaluate(&mut *evaluating, &mut batch, &mut rng).map_err(Failure::usage)?;
            group.iter_mut().for_each(|game| game.apply(&context, &mut batch, &mut scratch));
            batch.clear();
        }
        playouts += group.iter().map(SearchTree::playouts).sum::<u64>() - before;
        for game in group {
            if let Some(m) = game.best_move(&context) {
                game.advance(m, &mut scratch);
                moves += 1;
            }
            if game.line().outcome().is_some() {
                game.begin(opening(start(), next_game));
                next_game += 1;
            }
        }
    }
    let cpu_seconds = begun.elapsed().as_secs_f64();
    Ok(Played { playouts, moves, cpu_seconds, bytes: games.iter().map(SearchTree::bytes).sum() })
}

/// A few moves by lot, so that games differ.
fn opening<G: Game>(start: Line<G>, number: u64) -> Line<G> {
    let (mut rng, mut line) = (Rng::new(number), start);
    for _ in 0..4 {
        let moves = line.legal_moves();
        if !moves.is_empty() {
            line.play(moves[rng.below(moves.len())]);
        }
    }
    line
}
