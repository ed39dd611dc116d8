//! What iterations and counters say of a search. The definitions are in [the module above](super).

use std::ops::AddAssign;

use outplay_protocols::{Answer, Claim, Insight};
use serde::Serialize;

/// What a player said of its search on the way.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Iteration {
    /// The completed depth.
    pub depth: Option<u32>,
    /// The deepest ply looked at.
    pub selective_depth: Option<u32>,
    /// Nodes since the beginning.
    pub nodes: Option<u64>,
    /// Time since the beginning.
    pub seconds: f64,
    /// The value.
    pub score: Option<Claim>,
    /// Whether the best move, or the claim, is right; `None` if nothing is known.
    pub right: Option<bool>,
    /// Cutoffs since the beginning.
    pub cutoffs: Option<u64>,
    /// Those at the first move.
    pub first_move_cutoffs: Option<u64>,
    /// Positions looked up in a table.
    pub table_probes: Option<u64>,
    /// Positions found there.
    pub table_hits: Option<u64>,
    /// The best line.
    pub line: Vec<String>,
}

impl Iteration {
    pub(super) fn new(insight: Insight, right: Option<bool>) -> Iteration {
        Iteration {
            depth: insight.depth,
            selective_depth: insight.selective_depth,
            nodes: insight.nodes,
            seconds: insight.time.as_secs_f64(),
            score: insight.score,
            right,
            cutoffs: insight.cutoffs,
            first_move_cutoffs: insight.first_move_cutoffs,
            table_probes: insight.table_probes,
            table_hits: insight.table_hits,
            line: insight.line,
        }
    }

    fn repeats(&self, earlier: &Iteration) -> bool {
        (self.depth, &self.line, self.score) == (earlier.depth, &earlier.line, earlier.score)
    }
}

/// Leaves repetitions out.
pub(super) fn without_repetitions(iterations: Vec<Iteration>) -> Vec<Iteration> {
    let mut kept: Vec<Iteration> = Vec::new();
    for iteration in iterations {
        if !kept.last().is_some_and(|last| iteration.repeats(last)) {
            kept.push(iteration);
        }
    }
    kept
}

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Depth by depth, as far as it tells.
    Deepening,
    /// By random games.
    Sampling,
}

/// The iterations to compare with each other: the last word on each depth, or every stage.
pub(super) fn compared(iterations: &[Iteration], style: Style) -> Vec<&Iteration> {
    let mut compared: Vec<&Iteration> = Vec::new();
    for iteration in iterations {
        let again =
            style == Style::Deepening && compared.last().is_some_and(|last| last.depth == iteration.depth);
        if again {
            compared.pop();
        }
        compared.push(iteration);
    }
    compared
}

/// The logarithm of the mean growth of nodes, by ply, from one depth to another.
pub(super) fn growth(from: &Iteration, to: &Iteration) -> Option<f64> {
    let plies = to.depth?.checked_sub(from.depth?).filter(|&plies| plies > 0)?;
    let (before, after) = (from.nodes.filter(|&nodes| nodes > 0)?, to.nodes?);
    (after >= before).then(|| (after as f64 / before as f64).ln() / f64::from(plies))
}

/// How many moves two lines have in common at their beginning.
fn common_prefix(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// A quotient of sums.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Ratio {
    over: f64,
    under: f64,
}

impl Ratio {
    /// Nothing if one of the two is unknown.
    fn of(over: Option<f64>, under: Option<f64>) -> Ratio {
        over.zip(under).map_or(Ratio::default(), |(over, under)| Ratio { over, under })
    }

    fn counts(over: Option<u64>, under: Option<u64>) -> Ratio {
        Ratio::of(over.map(|count| count as f64), under.map(|count| count as f64))
    }

    fn value(self) -> Option<f64> {
        (self.under > 0.0).then(|| self.over / self.under)
    }
}

impl AddAssign for Ratio {
    fn add_assign(&mut self, other: Ratio) {
        self.over += other.over;
        self.under += other.under;
    }
}

/// What the metrics of a search, or of many, are made from.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Rates {
    speed: Ratio,
    cutoffs: Ratio,
    first_move_cutoffs: Ratio,
    table_hits: Ratio,
    /// Logarithms of branching factors by searches.
    growth: Ratio,
    /// Lengths of common beginnings by pairs of lines.
    common: Ratio,
}

impl Rates {
    pub(super) fn new(answer: &Answer, iterations: &[Iteration], style: Style) -> Rates {
        let insight = &answer.insight;
        let compared = compared(iterations, style);
        let mut rates = Rates {
            speed: Ratio::of(insight.nodes.map(|nodes| nodes as f64), Some(answer.time.as_secs_f64())),
            cutoffs: Ratio::counts(insight.cutoffs, insight.nodes),
            first_move_cutoffs: Ratio::counts(insight.first_move_cutoffs, insight.cutoffs),
            table_hits: Ratio::counts(insight.table_hits, insight.table_probes),
            ..Rates::default()
        };
        if let (Style::Deepening, [first, .., last]) = (style, compared.as_slice()) {
            rates.growth = Ratio::of(growth(first, last), Some(1.0));
        }
        for pair in compared.windows(2).filter(|pair| pair.iter().all(|one| !one.line.is_empty())) {
            let common = common_prefix(&pair[0].line, &pair[1].line);
            rates.common += Ratio { over: common as f64, under: 1.0 };
        }
        rates
    }

    /// The metrics, with the depth that goes with them.
    pub(super) fn metrics(&self, depth: Option<f64>) -> Metrics {
        Metrics {
            depth,
            nodes_per_second: self.speed.value(),
            cutoff_rate: self.cutoffs.value(),
            first_move_cutoff_rate: self.first_move_cutoffs.value(),
            table_hit_rate: self.table_hits.value(),
            branching_factor: self.growth.value().map(f64::exp),
            line_stability: self.common.value(),
        }
    }
}

impl AddAssign for Rates {
    fn add_assign(&mut self, other: Rates) {
        self.speed += other.speed;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.table_hits += other.table_hits;
        self.growth += other.growth;
        self.common += other.common;
    }
}

/// What a search is like, or many are in total; the definitions are in [the module](crate::suite).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Metrics {
    /// The completed depth.
    pub depth: Option<f64>,
    /// Nodes per second.
    pub nodes_per_second: Option<f64>,
    /// Cutoffs by nodes.
    pub cutoff_rate: Option<f64>,
    /// Cutoffs at the first move by cutoffs.
    pub first_move_cutoff_rate: Option<f64>,
    /// Positions found in the table by positions looked up.
    pub table_hit_rate: Option<f64>,
    /// The effective branching factor.
    pub branching_factor: Option<f64>,
    /// The moves that best lines of successive depths have in common.
    pub line_stability: Option<f64>,
}

/// A metric: its name, its column in tables, how to get it, and how many decimals to show.
pub(super) struct Measure {
    pub name: &'static str,
    pub column: &'static str,
    pub get: fn(&Metrics) -> Option<f64>,
    pub decimals: usize,
    pub better: Better,
}

/// Which end of a scale is the better one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Better {
    More,
    Less,
}

/// Every metric: the one list from which tables and charts are made.
pub(super) const MEASURES: [Measure; 7] = {
    use Better::{Less, More};
    [
        Measure { name: "depth", column: "depth", get: |m| m.depth, decimals: 0, better: More },
        Measure {
            name: "nodes per second",
            column: "nps",
            get: |m| m.nodes_per_second,
            decimals: 0,
            better: More,
        },
        Measure {
            name: "cutoff rate",
            column: "cutoff_rate",
            get: |m| m.cutoff_rate,
            decimals: 3,
            better: More,
        },
        Measure {
            name: "first-move cutoff rate",
            column: "first_move_cutoff_rate",
            get: |m| m.first_move_cutoff_rate,
            decimals: 3,
            better: More,
        },
        Measure {
            name: "table hit rate",
            column: "table_hit_rate",
            get: |m| m.table_hit_rate,
            decimals: 3,
            better: More,
        },
        Measure {
            name: "branching factor",
            column: "branching_factor",
            get: |m| m.branching_factor,
            decimals: 2,
            better: Less,
        },
        Measure {
            name: "line stability",
            column: "line_stability",
            get: |m| m.line_stability,
            decimals: 2,
            better: More,
        },
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(depth: u32, nodes: u64, line: &str) -> Iteration {
        let line = line.split_whitespace().map(str::to_string).collect();
        let insight = Insight { depth: Some(depth), nodes: Some(nodes), line, ..Insight::default() };
        Iteration::new(insight, None)
    }

    fn metrics(iterations: &[Iteration], style: Style) -> Metrics {
        Rates::new(&Answer::default(), iterations, style).metrics(None)
    }

    #[test]
    fn the_branching_factor_is_the_mean_growth_by_ply() {
        let deep = [iteration(1, 10, "a"), iteration(2, 20, "a b"), iteration(4, 160, "a c d")];
        let found = metrics(&deep, Style::Deepening);
        // From 10 to 160 in three plies.
        assert!((found.branching_factor.expect("a factor") - 16f64.powf(1.0 / 3.0)).abs() < 1e-12);
        assert_eq!(found.line_stability, Some(1.0));
        assert_eq!(metrics(&deep, Style::Sampling).branching_factor, None);
        for too_little in [&deep[..1], &[], &[iteration(3, 5, "a"), iteration(3, 50, "b")]] {
            assert_eq!(metrics(too_little, Style::Deepening).branching_factor, None);
        }
        assert_eq!(
            metrics(&[iteration(1, 0, "a"), iteration(2, 9, "a")], Style::Deepening).branching_factor,
            None
        );
    }

    #[test]
    fn the_last_word_on_a_depth_counts_and_stages_all_count() {
        let words = [
            iteration(1, 10, "a b c"),
            iteration(2, 20, "x"),
            iteration(2, 40, "a b"),
            iteration(3, 40, "a b c"),
        ];
        assert_eq!(metrics(&words, Style::Deepening).line_stability, Some(2.0));
        assert_eq!(metrics(&words, Style::Deepening).branching_factor, Some(2.0));
        assert_eq!(metrics(&words, Style::Sampling).line_stability, Some(2.0 / 3.0));
    }

    #[test]
    fn a_repetition_is_no_iteration() {
        let again = iteration(2, 35, "a b");
        let kept = without_repetitions(vec![iteration(1, 10, "a"), iteration(2, 20, "a b"), again]);
        assert_eq!(kept, [iteration(1, 10, "a"), iteration(2, 20, "a b")]);
    }

    #[test]
    fn rates_come_from_sums_and_what_is_unknown_stays_so() {
        let answer = |nodes, cutoffs| {
            let insight = Insight { nodes: Some(nodes), cutoffs, ..Insight::default() };
            Answer { insight, ..Answer::default() }
        };
        let mut rates = Rates::new(&answer(100, Some(10)), &[], Style::Deepening);
        rates += Rates::new(&answer(300, Some(90)), &[], Style::Deepening);
        rates += Rates::new(&answer(1000, None), &[], Style::Deepening);
        let found = rates.metrics(None);
        assert_eq!(found.cutoff_rate, Some(0.25));
        assert_eq!(
            (found.first_move_cutoff_rate, found.table_hit_rate, found.nodes_per_second),
            (None, None, None)
        );
    }
}
