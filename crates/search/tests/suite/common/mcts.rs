//! The Monte Carlo tree search on trees made to order.

use std::sync::Arc;

use outplay_core::{Game, Line, Player};
use outplay_search::mcts::Mcts;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Knowledge, Limits, NoKnowledge, Report, Search};

use crate::common::{Order, WinGame, ordered_tree};

pub type TreeMcts = Mcts<WinGame, NoKnowledge>;

pub fn mcts(settings: &[(&str, &str)]) -> TreeMcts {
    mcts_for(settings)
}

/// The same for any game.
pub fn mcts_for<G: Game>(settings: &[(&str, &str)]) -> Mcts<G, NoKnowledge> {
    let mut search = Mcts::new(NoKnowledge);
    for (name, value) in settings {
        Search::<G>::options_mut(&mut search).set(name, value).expect("an option");
    }
    search
}

pub fn search_line<G: Game, K: Knowledge<G>>(
    search: &mut Mcts<G, K>,
    line: &Line<G>,
    limits: &Limits,
) -> Report {
    let signals = Arc::new(Signals::default());
    // Every playout is made, whether or not it can still matter.
    let options = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
    let mut sink = |_| ();
    let mut control = Control::new(line.position().to_move(), limits, &options, &signals, &mut sink);
    search.search(line, &mut control)
}

pub fn search(settings: &[(&str, &str)], tree: &WinGame, nodes: u64) -> Report {
    let limits = Limits { nodes: Some(nodes), lines: 1000, ..Limits::default() };
    search_line(&mut mcts(settings), &Line::new(tree.clone()), &limits)
}

/// Large enough not to be exhausted.
pub fn big_tree() -> WinGame {
    WinGame::new(ordered_tree(Order::BestLast, Player::First, 3, 6))
}
