//! Margins in the Monte Carlo tree search: what it proves of them, and what it believes of those who know.

use std::sync::Arc;

use crate::common::mcts::{mcts_for, search_line};
use crate::common::{MOST, Made, Tree, TreeGame, random_tree, value_by_definition};
use outplay_core::{Game, Line, Move, Player, Rng, mix};
use outplay_search::mcts::Mcts;
use outplay_search::{
    Bound, Bundle, Certainty, Evaluation, Knowledge, Limits, Meaning, NoKnowledge, Oracle, Report, Search,
    StopReason,
};

fn margin_trees(most: i16) -> impl Iterator<Item = (u64, TreeGame)> {
    (0..150)
        .map(move |seed| (seed, TreeGame::new(random_tree(&mut Rng::new(seed), 6, 4, most))))
        .filter(|(_, tree)| tree.outcome().is_none())
}

/// The margin for the player to move at `viewer`.
fn margin<const MARGIN: i16>(position: &Made<MARGIN>, viewer: Player) -> i32 {
    let value = i32::from(value_by_definition(&position.tree));
    if viewer == Player::First { value } else { -value }
}

fn searched<K: Knowledge<TreeGame>>(search: &mut Mcts<TreeGame, K>, tree: &TreeGame) -> Report {
    let limits = Limits { nodes: Some(200_000), lines: 1_000, ..Limits::default() };
    search_line(search, &Line::new(tree.clone()), &limits)
}

/// Counts the claims of a report, all of which have to be true: exact ones, and bounds that the margin does not meet.
fn true_claims(report: &Report, tree: &TreeGame, about: &str) -> (usize, usize) {
    let (mut exact, mut loose) = (0, 0);
    for line in &report.lines {
        let truth = margin(&tree.after(line.moves[0]), tree.to_move());
        let claimed = match line.score {
            Meaning::Margin(margin) => margin,
            Meaning::Opinion(0) => 0,
            Meaning::Expected(_) => continue,
            other => panic!("{about}: {other:?} is no margin"),
        };
        let is_true = match line.bound {
            Bound::Exact => claimed == truth,
            Bound::AtLeast => 0 < claimed && claimed <= truth,
            Bound::AtMost => truth <= claimed && claimed < 0,
        };
        assert!(is_true, "{about}: {truth}, not {line:?}");
        exact += usize::from(line.bound == Bound::Exact);
        loose += usize::from(line.bound != Bound::Exact && claimed != truth);
    }
    (exact, loose)
}

const SETTINGS: [&[(&str, &str)]; 4] = [
    &[("selection", "uct")],
    &[("selection", "puct"), ("minibatch_size", "16")],
    &[("dag", "true")],
    &[("threads", "2")],
];

#[test]
fn small_games_are_solved_with_the_margin_of_the_definition() {
    for (seed, tree) in margin_trees(9) {
        let expected = match margin(&tree, tree.to_move()) {
            0 => Meaning::Opinion(0),
            margin => Meaning::Margin(margin),
        };
        for settings in SETTINGS {
            let settings = [settings, &[("solver_exact", "true")]].concat();
            let report = searched(&mut mcts_for(&settings), &tree);
            let best = &report.lines[0];
            assert_eq!(
                (report.stopped, best.score, best.bound),
                (Some(StopReason::Solved), expected, Bound::Exact),
                "seed {seed}, {settings:?}"
            );
            true_claims(&report, &tree, &format!("seed {seed}, {settings:?}"));
        }
    }
}

#[test]
fn who_wins_is_proved_with_bounds_that_hold() {
    let mut loose = 0;
    for (seed, tree) in margin_trees(9) {
        let winner = margin(&tree, tree.to_move()).signum();
        for settings in SETTINGS {
            let about = format!("seed {seed}, {settings:?}");
            let report = searched(&mut mcts_for(settings), &tree);
            assert_eq!(report.stopped, Some(StopReason::Solved), "{about}");
            assert_eq!(report.lines[0].score.score().raw().signum(), winner, "{about}");
            loose += true_claims(&report, &tree, &about).1;
        }
    }
    assert!(loose > 100, "{loose} margins that were left open");
}

#[test]
fn the_largest_margin_ends_the_proof_and_those_beyond_the_scale_are_still_won() {
    // One move wins by as much as can be won: what lies behind the others does not matter.
    let mut rng = Rng::new(3);
    let deep = (0..9).map(|_| Arc::new(random_tree(&mut rng, 12, 4, MOST)));
    let best = std::iter::once(Arc::new(Tree::Leaf(-MOST)));
    let tree = TreeGame::new(Tree::Branch(Player::Second, deep.chain(best).collect()));
    let report = searched(&mut mcts_for(&[("solver_exact", "true")]), &tree);
    assert_eq!((report.stopped, report.best_move()), (Some(StopReason::Solved), Some(Move::new(9))));
    assert!(report.counters.nodes < 100, "{}", report.counters.nodes);
    true_claims(&report, &tree, "the largest margin");

    type Far = Made<9_000>;
    let tree = Far::new(Tree::Branch(
        Player::First,
        [8_000, 9_000, -9_000].map(|value| Tree::Leaf(value).into()).into(),
    ));
    let limits = Limits { nodes: Some(1_000), lines: 3, ..Limits::default() };
    let report =
        search_line(&mut mcts_for::<Far>(&[("solver_exact", "true")]), &Line::new(tree.clone()), &limits);
    assert_eq!(report.stopped, Some(StopReason::Solved));
    assert!(margin(&tree.after(report.lines[0].moves[0]), Player::First) >= 8_000);
}

/// Knows some margins of random trees, of others two between which they lie.
#[derive(Clone, Copy)]
struct Solver {
    /// One in so many positions is known.
    blindness: u64,
}

impl Evaluation<TreeGame> for Solver {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &TreeGame) -> i32 {
        (mix(position.key()) % 200) as i32 - 100
    }
}

impl Oracle<TreeGame> for Solver {
    type State = ();

    fn state(&self) {}

    fn probe(&self, position: &TreeGame, _: i32) -> Option<Certainty> {
        let truth = margin(position, position.to_move()) as i16;
        let chance = mix(position.key());
        let off = |shift: u32| (chance >> shift) as i16 & 3;
        chance.is_multiple_of(self.blindness).then(|| match chance >> 20 & 3 {
            0 => Certainty::by_margin(truth),
            1 if truth > 0 => Certainty::WIN,
            1 if truth < 0 => Certainty::LOSS,
            _ => Certainty::between_margins(truth - off(30), truth + off(40)),
        })
    }
}

#[test]
fn margins_of_those_who_know_are_believed() {
    let (mut exact, mut nodes, mut alone) = (0, 0, 0);
    for (seed, tree) in margin_trees(20) {
        for aim in ["false", "true"] {
            for dag in ["false", "true"] {
                let about = format!("seed {seed}, exact {aim}, graph {dag}");
                let settings = [("evaluator", "static"), ("solver_exact", aim), ("dag", dag)];
                let solver = Solver { blindness: 3 };
                let mut search: Mcts<TreeGame, _> = Mcts::new(Bundle {
                    evaluation: solver,
                    tactics: NoKnowledge,
                    oracle: solver,
                    policy: NoKnowledge,
                });
                for (name, value) in settings {
                    Search::<TreeGame>::options_mut(&mut search).set(name, value).expect("an option");
                }
                let report = searched(&mut search, &tree);
                assert_eq!(report.stopped, Some(StopReason::Solved), "{about}");
                exact += true_claims(&report, &tree, &about).0;
                nodes += report.counters.nodes;
                alone += searched(&mut mcts_for(&settings), &tree).counters.nodes;
            }
        }
    }
    assert!(exact > 100, "{exact}");
    assert!(nodes * 3 < alone * 2, "who is told needs fewer playouts: {nodes} against {alone}");
}
