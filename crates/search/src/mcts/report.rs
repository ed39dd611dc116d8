//! What the search says of its tree.

use std::cmp::Ordering as Order;

use outplay_core::{Game, Line, Move, Player, Rng, mix};

use super::bounds::Proof;
use super::cache::Cache;
use super::chance::Chance;
use super::counters::ThreadCounters;
use super::options::FinalMove;
use super::state::Stage;
use super::threads::Shared;
use super::tree::{EdgeId, NodeId};
use super::view::View;
use crate::{
    Bound, Control, Counters, ForcedWin, GrownMove, Meaning, PrincipalVariation, Report, Score, Solved,
};

/// How many standard errors below its mean a value is taken to be certain enough to be played.
const LOWER_BOUND_ERRORS: f64 = 1.64;

/// The report of a search that has nothing to search.
pub(super) fn nothing(control: &Control) -> Report {
    Report {
        depth: 0,
        selective_depth: 0,
        time: control.elapsed(),
        counters: Counters::default(),
        lines: Vec::new(),
        current: None,
        table_permille: None,
        stopped: control.reason(),
        failure: None,
        notice: None,
    }
}

/// The report of a search that has found a win by force before it began.
pub(super) fn won<G: Game>(win: ForcedWin, control: &Control) -> Report {
    let line = PrincipalVariation {
        score: win.score::<G>().meaning::<G>(),
        bound: Bound::Exact,
        visits: None,
        nodes: None,
        statistics: None,
        moves: win.line,
    };
    Report { depth: win.plies as u32, lines: vec![line], ..nothing(control) }
}

/// The report of a search whose root the game's solver has solved.
pub(super) fn solved<G: Game>(solved: Solved, control: &Control) -> Report {
    let of_line = |(score, moves): (Score, Vec<Move>)| PrincipalVariation {
        score: score.meaning::<G>(),
        bound: Bound::Exact,
        visits: None,
        nodes: None,
        statistics: None,
        moves,
    };
    let depth = solved.lines.first().map_or(0, |(_, line)| line.len()) as u32;
    Report { depth, lines: solved.lines.into_iter().map(of_line).collect(), ..nothing(control) }
}

/// The last report, whose first move is the one to be played: drawn by lot, if the settings say so.
pub(super) fn final_report<G: Game>(shared: &Shared<G>, control: &Control) -> Report {
    let seed = shared.run.context.options.seed;
    let (_, drawn) = final_move(&View::of(shared), shared.run.root, shared.run.line, seed);
    let failure = shared.run.signs.failure().map(|error| error.to_string());
    Report { failure, ..report_with(shared, control, drawn) }
}

/// The best move from a root at the end of a line and, if the settings say so, one that is drawn by lot and played in its place.
pub(super) fn final_move<G: Game>(
    view: &View,
    root: EdgeId,
    line: &Line<G>,
    seed: u64,
) -> (Option<EdgeId>, Option<EdgeId>) {
    let player = line.position().to_move();
    let node = view.tree.link(root).node;
    let edges = ranked(view, node, player, view.options.final_move);
    let chances: Vec<Chance> = edges
        .iter()
        .map(|&edge| {
            let key = key(view, edge, player, FinalMove::Value);
            Chance { visits: view.tree.stats(edge).visits, q: key.value, prior: f64::from(key.prior) }
        })
        .collect();
    let ply = line.moves().len();
    // Another number for each move of the game, and the same for the same.
    let mut rng = Rng::new(seed ^ mix(ply as u64));
    let is_certain = edges.first().is_some_and(|&edge| view.result(edge, player) == Some(1));
    let drawn = view.options.draw(&chances, ply, &mut rng).filter(|_| !is_certain);
    (edges.first().copied(), drawn.map(|number| edges[number]))
}

/// The state of a search.
pub(super) fn report<G: Game>(shared: &Shared<G>, control: &Control) -> Report {
    report_with(shared, control, None)
}

/// The state of a search, with this move first if it is given.
fn report_with<G: Game>(shared: &Shared<G>, control: &Control, first: Option<EdgeId>) -> Report {
    let ThreadCounters { playouts, evaluated, plies, deepest, .. } = shared.counters.sum();
    let player = shared.run.line.position().to_move();
    let (view, node) = (View::of(shared), shared.run.tree.link(shared.run.root).node);
    let mut ranked = ranked(&view, node, player, shared.run.context.options.final_move);
    if let Some(place) = first.and_then(|first| ranked.iter().position(|&edge| edge == first)) {
        ranked[..=place].rotate_right(1);
    }
    let root_visits = shared.run.tree.stats(shared.run.root).visits;
    let lines = ranked.iter().take(control.limits.lines.max(1)).map(|&edge| PrincipalVariation {
        score: view.meaning(edge, player),
        bound: view.bound(edge, player),
        visits: Some(u64::from(shared.run.tree.stats(edge).visits)),
        nodes: shared.run.context.options.per_pv_counters.then(|| shared.run.tree.stats(edge).visits.into()),
        statistics: Some(view.statistics(&shared.run.context.root_options, edge, player, root_visits)),
        moves: main_line(&view, edge, shared.run.context.options.final_move),
    });
    let mut lines: Vec<PrincipalVariation> = lines.collect();
    if lines.is_empty() {
        // Nothing has been tried yet: any move will do.
        lines.extend(shared.root_moves.first().map(|&m| PrincipalVariation {
            score: Meaning::Expected(0.0),
            bound: Bound::Exact,
            visits: Some(0),
            nodes: shared.run.context.options.per_pv_counters.then_some(0),
            statistics: None,
            moves: vec![m],
        }));
    }
    Report {
        depth: (plies as f64 / playouts.max(1) as f64).round() as u32,
        selective_depth: deepest as u32,
        time: control.elapsed(),
        counters: Counters {
            nodes: playouts,
            leaves: evaluated,
            cache: shared.cache_use(),
            batches: shared.service.map(|service| service.counted().since(shared.counted_before)),
            ..Counters::default()
        },
        lines,
        current: None,
        table_permille: shared.run.context.cache.map(Cache::permille),
        stopped: control.reason(),
        failure: None,
        notice: None,
    }
}

/// The top of the tree below an edge.
pub(super) fn grown_tree(view: &View, root: EdgeId, plies: usize, least_visits: u64) -> GrownMove {
    let tree = view.tree;
    let node = tree.link(root).node;
    let player = tree.state(node).to_move();
    let visits = tree.stats(root).visits;
    let mut replies = Vec::new();
    if plies > 0 {
        for edge in ranked(view, node, player, FinalMove::Visits) {
            let tried = tree.stats(edge).visits;
            if tried > 0 && u64::from(tried) >= least_visits {
                let below = grown_tree(view, edge, plies - 1, least_visits);
                let statistics = Some(view.statistics(view.options, edge, player, visits));
                let score = view.meaning(edge, player);
                replies.push(GrownMove { m: Some(tree.link(edge).m), score, statistics, ..below });
            }
        }
    }
    let score = Meaning::Expected(view.shown(root, player).q);
    GrownMove { m: None, visits: visits.into(), score, statistics: None, replies }
}

/// What the stoppers want to know of the root.
pub(super) struct RootSummary {
    /// The visits of each move, 0 for those not tried yet.
    pub visits: Vec<u64>,
    /// How many are proven to lose.
    pub losing: usize,
    /// Whether one is proven to win.
    pub winning: bool,
    /// The plies of the quickest proven win, if anybody can tell.
    pub shortest_win: Option<u32>,
    /// Whether the most visited move is not the one with the best value.
    pub disputed: bool,
    /// What the best move is worth.
    pub value: Meaning,
}

impl RootSummary {
    pub fn new<G: Game>(shared: &Shared<G>) -> RootSummary {
        let (tree, player) = (shared.run.tree, shared.run.line.position().to_move());
        let (view, node) = (View::of(shared), tree.link(shared.run.root).node);
        let by = |rule| ranked(&view, node, player, rule);
        let (by_visits, by_value) = (by(FinalMove::Visits), by(FinalMove::Value));
        let meanings: Vec<Meaning> = by_visits.iter().map(|&edge| view.meaning(edge, player)).collect();
        let mut visits: Vec<u64> = Vec::with_capacity(shared.root_moves.len());
        tree.for_each_edge(node, tree.state(node).edges(), |edge| visits.push(edge.stats().visits.into()));
        visits.resize(shared.root_moves.len().max(visits.len()), 0);
        let win = |meaning: &Meaning| if let Meaning::WinIn(plies) = meaning { Some(*plies) } else { None };
        let ending_in =
            |result| by_visits.iter().filter(|&&edge| view.result(edge, player) == Some(result)).count();
        RootSummary {
            visits,
            losing: ending_in(-1),
            winning: ending_in(1) > 0,
            shortest_win: meanings.iter().filter_map(win).min(),
            disputed: by_visits.first() != by_value.first(),
            value: meanings.first().copied().unwrap_or(Meaning::Expected(0.0)),
        }
    }
}

/// The tried moves of a node, best first: certain wins, then by the rule, then certain losses.
pub(super) fn ranked(view: &View, node: NodeId, player: Player, rule: FinalMove) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let tree = view.tree;
    tree.for_each_edge(node, tree.state(node).edges(), |edge| edges.push(edge.id));
    let state = tree.state(node);
    let (is_settled, is_exact) = (state.stage() == Stage::Settled, Proof::Exact.is_complete(state.bounds()));
    let mut keys: Vec<(EdgeId, Key)> =
        edges.into_iter().map(|edge| (edge, key(view, edge, player, rule))).collect();
    for (edge, key) in &mut keys {
        // Where the result is certain, or its size too, only a move that brings it about will do.
        let bounds = tree.state(tree.link(*edge).node).bounds();
        if is_settled && (is_exact || bounds.result().is_none()) {
            key.proof = bounds.seen_by(player).low.into();
        }
    }
    keys.sort_by(|(_, a), (_, b)| b.compare(a));
    keys.into_iter().map(|(edge, _)| edge).collect()
}

/// What moves are ranked by, in this order.
struct Key {
    /// Above 0 for certain wins, below for certain losses, the quicker or the larger the further.
    proof: i32,
    by_rule: f64,
    value: f64,
    prior: f32,
}

impl Key {
    fn compare(&self, other: &Key) -> Order {
        self.proof
            .cmp(&other.proof)
            .then(self.by_rule.total_cmp(&other.by_rule))
            .then(self.value.total_cmp(&other.value))
            .then(self.prior.total_cmp(&other.prior))
    }
}

fn key(view: &View, edge: EdgeId, player: Player, rule: FinalMove) -> Key {
    let tree = view.tree;
    let (link, stats) = (tree.link(edge), tree.stats(edge));
    let value = view.q(edge, player);
    let visits = f64::from(stats.visits);
    let proof = tree.state(link.node).bounds().preference(player);
    let by_rule = match rule {
        _ if stats.visits == 0 => f64::NEG_INFINITY,
        FinalMove::Visits => visits,
        FinalMove::Value => value,
        FinalMove::LowerBound => {
            // Wins and losses without draws have the largest spread that values between -1 and 1 can have.
            value - LOWER_BOUND_ERRORS * ((1.0 - value * value).max(0.0) / visits).sqrt() - 1.0 / visits
        }
    };
    Key { proof, by_rule, value, prior: link.prior.get() }
}

/// The best move of each position, from an edge on.
fn main_line(view: &View, mut edge: EdgeId, rule: FinalMove) -> Vec<Move> {
    let tree = view.tree;
    let mut moves = Vec::new();
    loop {
        let link = tree.link(edge);
        moves.push(link.m);
        let next = ranked(view, link.node, tree.state(link.node).to_move(), rule).into_iter().next();
        match next.filter(|&next| tree.stats(next).visits > 0) {
            Some(next) => edge = next,
            None => return moves,
        }
    }
}
