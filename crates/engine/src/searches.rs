//! The searches that every game has.

use outplay_core::Game;
use outplay_search::Search;
use outplay_search::textbook::{Algorithm, Deepening, FlatMonteCarlo, Uct};

use crate::by_evaluation::ByEvaluation;
use crate::evaluations::{AnyKnowledge, Evaluations};
use crate::session::SearchInfo;

/// The search that a new session uses.
pub const DEFAULT_SEARCH: &str = "pvs";

/// The searches that can be followed by hand node by node.
pub(crate) const EXPLAINABLE: [(&str, Algorithm); 3] =
    [("minimax", Algorithm::Minimax), ("negamax", Algorithm::Negamax), ("alphabeta", Algorithm::AlphaBeta)];

const FLAT: &str = "flat";
const UCT: &str = "uct";

/// Searches that can be followed simulation by simulation.
pub(crate) const SIMULATED: [&str; 2] = [FLAT, UCT];

/// All searches that can be followed by hand, node by node or simulation by simulation, in words.
pub fn explainable_names() -> String {
    EXPLAINABLE.iter().map(|&(name, _)| name).chain(SIMULATED).collect::<Vec<_>>().join(", ")
}

/// A search that a session can use, and how to make it.
pub struct SearchEntry<G: Game> {
    /// What it is.
    pub info: SearchInfo,
    /// Makes one with its usual settings.
    pub make: Box<dyn Fn() -> Box<dyn Search<G>> + Send>,
}

impl<G: Game> SearchEntry<G> {
    /// A search that asks for an evaluation: `make` makes it for each.
    fn evaluated<M>(info: SearchInfo, evaluations: &Evaluations<G>, make: M) -> SearchEntry<G>
    where
        M: Fn(&dyn AnyKnowledge<G>) -> Box<dyn Search<G>> + Clone + Send + 'static,
    {
        let evaluations = evaluations.clone();
        let make =
            move || -> Box<dyn Search<G>> { Box::new(ByEvaluation::new(evaluations.clone(), make.clone())) };
        SearchEntry { info, make: Box::new(make) }
    }

    fn tree(
        (name, title): (&'static str, &'static str),
        summary: &'static str,
        (algorithm, deepening): (Algorithm, Deepening),
        evaluations: &Evaluations<G>,
    ) -> SearchEntry<G> {
        let info =
            SearchInfo { name, title, for_experts: true, summary, counts_playouts: false, shows_tree: false };
        SearchEntry::evaluated(info, evaluations, move |evaluation| {
            evaluation.tree_search(algorithm, deepening)
        })
    }

    fn monte_carlo<S: Search<G> + Default + 'static>(
        (name, title): (&'static str, &'static str),
        summary: &'static str,
    ) -> SearchEntry<G> {
        let info =
            SearchInfo { name, title, for_experts: true, summary, counts_playouts: true, shows_tree: false };
        SearchEntry { info, make: Box::new(|| Box::new(S::default())) }
    }
}

/// The searches of the textbooks, in the order in which they are introduced there.
pub fn standard_searches<G: Game>(evaluations: &Evaluations<G>) -> Vec<SearchEntry<G>> {
    use Algorithm::{AlphaBeta, Minimax, Negamax};
    use Deepening::{Iterative, Once, ToSetDepth};
    let of_positions = &evaluations.static_ones();
    let tree = |names, summary, kind| SearchEntry::tree(names, summary, kind, of_positions);
    vec![
        tree(
            ("minimax", "Minimax"),
            "plain minimax, to the end of every game unless a depth is given",
            (Minimax, Once),
        ),
        tree(("negamax", "Negamax"), "minimax with one rule for both players", (Negamax, Once)),
        tree(
            ("hminimax", "Minimax to a depth"),
            "minimax to a fixed depth, with an evaluation at the cutoff",
            (Minimax, ToSetDepth),
        ),
        tree(
            ("alphabeta", "Alpha-beta"),
            "fail-soft alpha-beta, to the end of every game unless a depth is given",
            (AlphaBeta, Once),
        ),
        tree(
            ("deepening", "Iterative deepening"),
            "alpha-beta to depth 1, 2, 3 and so on until a limit stops it",
            (AlphaBeta, Iterative),
        ),
        SearchEntry::evaluated(
            SearchInfo {
                name: DEFAULT_SEARCH,
                title: "Strong and fast",
                for_experts: false,
                summary: "principal-variation search with a table, selective techniques and threads",
                counts_playouts: false,
                shows_tree: true,
            },
            of_positions,
            |evaluation| evaluation.pvs(),
        ),
        SearchEntry::monte_carlo::<FlatMonteCarlo>(
            (FLAT, "Flat Monte Carlo"),
            "flat Monte Carlo: random games after each move",
        ),
        SearchEntry::monte_carlo::<Uct>(
            (UCT, "UCT"),
            "UCT: a tree grown by random games and confidence bounds",
        ),
        SearchEntry::evaluated(
            SearchInfo {
                name: "mcts",
                title: "Monte Carlo",
                for_experts: false,
                summary: "Monte Carlo tree search: UCT or PUCT, random games or evaluations, proofs, threads",
                counts_playouts: true,
                shows_tree: true,
            },
            evaluations,
            |evaluation| evaluation.mcts(),
        ),
        SearchEntry::evaluated(
            SearchInfo {
                name: "policy",
                title: "At sight, without a search",
                for_experts: true,
                summary: "no search: the move that looks best at sight, by a network's policy or an evaluation",
                counts_playouts: false,
                shows_tree: false,
            },
            of_positions,
            |evaluation| evaluation.policy(),
        ),
    ]
}
