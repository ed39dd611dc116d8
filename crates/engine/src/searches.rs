//! The searches by name.

use outplay_core::Game;
use outplay_search::textbook::{Algorithm, Deepening, FlatMonteCarlo, TreeSearch, Uct};
use outplay_search::{Evaluator, Search};

/// A search that every game has.
#[derive(Clone, Copy, Debug)]
pub struct SearchInfo {
    /// Its name in options and on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Tree(Algorithm, Deepening),
    Flat,
    Uct,
}

/// Every search, in the order in which a textbook introduces them.
pub const SEARCHES: [SearchInfo; 7] = [
    SearchInfo {
        name: "minimax",
        summary: "plain minimax, to the end of every game unless a depth is given",
        kind: Kind::Tree(Algorithm::Minimax, Deepening::Once),
    },
    SearchInfo {
        name: "negamax",
        summary: "minimax with one rule for both players",
        kind: Kind::Tree(Algorithm::Negamax, Deepening::Once),
    },
    SearchInfo {
        name: "hminimax",
        summary: "minimax to a fixed depth, with an evaluation at the cutoff",
        kind: Kind::Tree(Algorithm::Minimax, Deepening::ToSetDepth),
    },
    SearchInfo {
        name: "alphabeta",
        summary: "fail-soft alpha-beta, to the end of every game unless a depth is given",
        kind: Kind::Tree(Algorithm::AlphaBeta, Deepening::Once),
    },
    SearchInfo {
        name: "deepening",
        summary: "alpha-beta to depth 1, 2, 3 and so on until a limit stops it",
        kind: Kind::Tree(Algorithm::AlphaBeta, Deepening::Iterative),
    },
    SearchInfo { name: "flat", summary: "flat Monte Carlo: random games after each move", kind: Kind::Flat },
    SearchInfo {
        name: "uct",
        summary: "UCT: a tree grown by random games and confidence bounds",
        kind: Kind::Uct,
    },
];

impl SearchInfo {
    /// The search with this name.
    pub fn named(name: &str) -> Option<SearchInfo> {
        SEARCHES.into_iter().find(|search| search.name == name)
    }

    /// Whether its nodes are random games.
    pub fn plays_random_games(self) -> bool {
        matches!(self.kind, Kind::Flat | Kind::Uct)
    }

    /// Makes the search for a game that `evaluator` judges.
    pub(crate) fn make<G: Game, E: Evaluator<G> + Clone + 'static>(
        self,
        evaluator: &E,
    ) -> Box<dyn Search<G>> {
        match self.kind {
            Kind::Tree(algorithm, deepening) => {
                Box::new(TreeSearch::new(algorithm, deepening, evaluator.clone()))
            }
            Kind::Flat => Box::new(FlatMonteCarlo::default()),
            Kind::Uct => Box::new(Uct::default()),
        }
    }

    /// The recursion behind the search, if it can be followed by hand.
    pub(crate) fn algorithm(self) -> Option<Algorithm> {
        match self.kind {
            Kind::Tree(algorithm, _) => Some(algorithm),
            Kind::Flat | Kind::Uct => None,
        }
    }
}
