//! Playing at less than full strength, for `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A weaker player looks at fewer positions, and is content with a move that looks about as good as the best. Both follow from the
//! rating: the nodes by [`ANCHORS`], the contentment falling evenly to nothing at the top. Which of the moves it is depends on the
//! position and the rating alone, so that games can be repeated.

use outplay_core::{Rng, mix, text};
use outplay_search::{Limits, Meaning, PrincipalVariation, Report};

use super::chances;

/// Ratings and the nodes that a search of that strength may visit, by first matches against programs of known rating (`docs/uci.md`).
const ANCHORS: [(u32, u64); 8] = [
    (800, 150),
    (1_100, 280),
    (1_400, 600),
    (1_700, 1_300),
    (2_000, 2_700),
    (2_300, 5_500),
    (2_600, 11_000),
    (2_900, 25_000),
];

/// The weakest that can be asked for.
pub const LEAST_ELO: u32 = ANCHORS[0].0;
/// The strongest that can be asked for.
pub const MOST_ELO: u32 = ANCHORS[ANCHORS.len() - 1].0;
/// What is offered as a start.
pub const USUAL_ELO: u32 = 1_700;

/// How many moves a limited player compares.
const COMPARED_MOVES: usize = 4;
/// How much, in hundredths, the weakest player typically gives away without noticing.
const MOST_CARELESS: f64 = 40.0;

/// A strength to play at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    nodes: u64,
    /// Hundredths of a pawn by which a move may typically be worse than the best.
    carelessness: f64,
    seed: u64,
}

impl Level {
    /// The level for a rating, in a position.
    pub fn new(elo: u32, position: &str) -> Level {
        let elo = elo.clamp(LEAST_ELO, MOST_ELO);
        let below = ANCHORS.iter().rposition(|&(anchor, _)| anchor <= elo).unwrap_or(0);
        let (low, few) = ANCHORS[below];
        let (high, many) = ANCHORS[(below + 1).min(ANCHORS.len() - 1)];
        // Strength grows with the logarithm of the nodes.
        let part = f64::from(elo - low) / f64::from((high - low).max(1));
        let nodes = (few as f64).powf(1.0 - part) * (many as f64).powf(part);
        let weakness = f64::from(MOST_ELO - elo) / f64::from(MOST_ELO - LEAST_ELO);
        let seed = mix(text::hash(position) ^ u64::from(elo));
        Level { nodes: nodes.round() as u64, carelessness: MOST_CARELESS * weakness, seed }
    }

    /// Lets a search do no more than the level allows, and compare moves.
    pub fn limit(&self, limits: &mut Limits) {
        limits.nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
        limits.lines = limits.lines.max(COMPARED_MOVES);
    }

    /// Puts the line that the level chooses first. A move that loses `n` hundredths is `e^(n / carelessness)` times less likely
    /// than the best one; a forced win is always taken.
    pub fn choose(&self, report: &mut Report) {
        let Some(best) = report.lines.first() else { return };
        if self.carelessness <= 0.0 || matches!(best.score, Meaning::WinIn(_)) {
            return;
        }
        let best = chances::centipawns(best.score);
        let weight = |line: &PrincipalVariation| {
            (f64::from(chances::centipawns(line.score) - best) / self.carelessness).exp()
        };
        let all: f64 = report.lines.iter().map(weight).sum();
        let mut left = Rng::new(self.seed).unit() * all;
        let chosen = report.lines.iter().position(|line| {
            left -= weight(line);
            left < 0.0
        });
        report.lines[..=chosen.unwrap_or(0)].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use outplay_core::Move;
    use outplay_search::{Bound, Counters};

    use super::*;

    fn report(scores: &[Meaning]) -> Report {
        let line = |(index, &score): (usize, &Meaning)| PrincipalVariation {
            score,
            bound: Bound::Exact,
            visits: None,
            nodes: None,
            statistics: None,
            moves: vec![Move::new(index as u16)],
        };
        Report {
            depth: 1,
            selective_depth: 1,
            time: Duration::ZERO,
            counters: Counters::default(),
            lines: scores.iter().enumerate().map(line).collect(),
            current: None,
            table_permille: None,
            stopped: None,
            failure: None,
            notice: None,
        }
    }

    /// How often each move is chosen in 1,000 positions.
    fn choices(elo: u32, scores: &[Meaning]) -> Vec<usize> {
        let mut counts = vec![0; scores.len()];
        for position in 0..1_000 {
            let mut report = report(scores);
            Level::new(elo, &position.to_string()).choose(&mut report);
            counts[usize::from(report.best_move().expect("a move").bits())] += 1;
        }
        counts
    }

    #[test]
    fn more_rating_is_more_nodes_and_the_anchors_are_met() {
        for (elo, nodes) in ANCHORS {
            assert_eq!(Level::new(elo, "").nodes, nodes);
        }
        let nodes: Vec<u64> =
            (LEAST_ELO..=MOST_ELO).step_by(20).map(|elo| Level::new(elo, "").nodes).collect();
        assert!(nodes.is_sorted_by(|fewer, more| fewer < more));
        assert_eq!(Level::new(9_999, "").nodes, Level::new(MOST_ELO, "").nodes);
    }

    #[test]
    fn a_level_only_makes_limits_smaller() {
        let level = Level::new(1_700, "");
        let limited = |nodes, lines| {
            let mut limits = Limits { nodes, lines, ..Limits::default() };
            level.limit(&mut limits);
            (limits.nodes, limits.lines)
        };
        assert_eq!(limited(None, 1), (Some(level.nodes), COMPARED_MOVES));
        assert_eq!(limited(Some(5), 10), (Some(5), 10));
    }

    #[test]
    fn weak_players_choose_among_what_looks_alike_and_strong_ones_take_the_best() {
        let scores = [Meaning::Opinion(50), Meaning::Opinion(40), Meaning::Opinion(-200)];
        let weak = choices(LEAST_ELO, &scores);
        assert!(weak[0] > weak[1] && weak[1] > 300 && weak[2] < 30, "{weak:?}");
        let better = choices(1_700, &scores);
        assert!(better[0] > weak[0] && better[1] > 50 && better[2] == 0, "{better:?}");
        assert_eq!(choices(MOST_ELO, &scores), [1_000, 0, 0]);
        assert_eq!(choices(LEAST_ELO, &[Meaning::WinIn(5), Meaning::WinIn(7)]), [1_000, 0]);
        assert_eq!(choices(LEAST_ELO, &[Meaning::Opinion(-900), Meaning::LossIn(2)]), [1_000, 0]);
    }

    #[test]
    fn the_same_position_gives_the_same_choice() {
        let scores = [Meaning::Expected(0.1), Meaning::Expected(0.09)];
        assert_eq!(choices(1_000, &scores), choices(1_000, &scores));
        let mut nothing = report(&[]);
        Level::new(1_000, "").choose(&mut nothing);
        assert_eq!(nothing.lines.len(), 0);
    }
}
