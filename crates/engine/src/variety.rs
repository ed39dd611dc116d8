//! Openings that are not always the same, for whoever plays many games against an engine that is never in doubt.

use outplay_core::{Rng, seed_of};
use outplay_search::{Bound, Limits, MOST_SEED, Meaning, PrincipalVariation, Report, options};

options! {
    /// How the first moves of games are varied.
    pub struct VarietyOptions {
        group "Variety" [Play]:
        /// When it plays an opening, it chooses by chance between moves within so many hundredths of the best one's value; 0 always plays that one.
        pub variety: i32 = 0, in 0..=10_000,
        /// Up to which ply of the game.
        pub variety_plies: usize = 8, in 0..=1_000, is [Expert],
        /// With the same seed chance brings the same moves in the same positions; with 0 it never does.
        pub variety_seed: u64 = 0, in 0..=MOST_SEED, is [Seed, Expert],
    }
}

/// Moves that are compared. They share the nodes of a move, so that more of them would cost depth.
const COMPARED: usize = 3;

/// Who has the last word on the move that is played, among those that a search has compared.
pub(crate) trait Choose: Send {
    /// Hears a report on the way; what is left of it is no more than was asked for.
    fn heard(&mut self, report: Report) -> Report;

    /// Puts the move first that is to be played.
    fn made(self: Box<Self>, report: Report) -> Report;
}

/// A choice among moves that are nearly as good as the best one.
pub struct Choice {
    /// Lines that whoever listens has asked for.
    asked: usize,
    margin: i32,
    rng: Rng,
    /// The lines of the last iteration that was completed, and its depth: only there all moves were searched alike.
    completed: Option<(u32, Vec<PrincipalVariation>)>,
}

impl VarietyOptions {
    /// Widens the limits of a search at this ply of a game so that there is something to choose from, where there is to be a choice.
    pub fn widen(&self, limits: &mut Limits, ply: usize, key: u64) -> Option<Choice> {
        if self.variety == 0 || ply >= self.variety_plies {
            return None;
        }
        let asked = limits.lines.max(1);
        limits.lines = asked.max(COMPARED);
        let rng = Rng::new(seed_of(self.variety_seed) ^ key);
        Some(Choice { asked, margin: self.variety, rng, completed: None })
    }
}

impl Choose for Choice {
    fn heard(&mut self, mut report: Report) -> Report {
        if report.current.is_none() {
            self.completed = Some((report.depth, report.lines.clone()));
        }
        report.lines.truncate(self.asked);
        report
    }

    fn made(mut self: Box<Self>, mut report: Report) -> Report {
        let counts_visits = report.lines.iter().any(|line| line.visits.is_some());
        // A search that ended within an iteration has searched some moves deeper than others.
        if let Some((depth, lines)) = self.completed.take()
            && depth == report.depth
            && !counts_visits
        {
            report.lines = lines;
        }
        let chosen = self.rng.below(self.nearly_best(&report.lines).max(1));
        if chosen < report.lines.len() {
            report.lines[..=chosen].rotate_right(1);
        }
        report.lines.truncate(self.asked);
        report
    }
}

impl Choice {
    /// How many of the lines, the best of which comes first, are nearly as good as it.
    fn nearly_best(&self, lines: &[PrincipalVariation]) -> usize {
        let Some(best) = lines.first().map(|line| line.score) else { return 0 };
        let as_good = lines.iter().take_while(|line| {
            let loss = best.score().raw() - line.score.score().raw();
            line.bound == Bound::Exact && (line.score == best || is_opinion(best) && loss <= self.margin)
        });
        as_good.count()
    }
}

/// Whether a value may be mistaken: of two ways to win the nearer one is better, and nobody throws discs away.
fn is_opinion(score: Meaning) -> bool {
    matches!(score, Meaning::Opinion(_) | Meaning::Expected(_))
}

#[cfg(test)]
mod tests {
    use outplay_core::Move;
    use outplay_search::Counters;

    use super::*;

    fn report(depth: u32, scores: &[Meaning]) -> Report {
        let lines = (0..).zip(scores).map(|(m, &score)| PrincipalVariation {
            score,
            bound: Bound::Exact,
            visits: None,
            nodes: None,
            statistics: None,
            moves: vec![Move::new(m)],
        });
        Report {
            depth,
            selective_depth: depth,
            time: std::time::Duration::ZERO,
            counters: Counters::default(),
            lines: lines.collect(),
            current: None,
            table_permille: None,
            stopped: None,
            failure: None,
            notice: None,
        }
    }

    fn choice(asked: usize, seed: u64) -> Choice {
        Choice { asked, margin: 10, rng: Rng::new(seed), completed: None }
    }

    fn moves(report: &Report) -> Vec<usize> {
        report.lines.iter().map(|line| line.moves[0].index()).collect()
    }

    fn chosen(scores: &[Meaning], asked: usize, seed: u64) -> Vec<usize> {
        // Nothing is known of the depth of what was found at once.
        moves(&Box::new(choice(asked, seed)).made(report(seed as u32 % 2, scores)))
    }

    #[test]
    fn only_moves_that_are_nearly_as_good_are_chosen() {
        use Meaning::{LossIn, Opinion, WinIn};
        for (scores, expected) in [
            (vec![Opinion(25), Opinion(20), Opinion(15), Opinion(14)], vec![0, 1, 2]),
            (vec![Opinion(0), Opinion(0), LossIn(4)], vec![0, 1]),
            (vec![WinIn(3), WinIn(5), Opinion(40)], vec![0]),
            (vec![LossIn(8), LossIn(8), LossIn(6)], vec![0, 1]),
        ] {
            let mut found: Vec<usize> = (0..200).map(|seed| chosen(&scores, 1, seed)[0]).collect();
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, expected, "{scores:?}");
        }
        assert!(chosen(&[], 1, 0).is_empty(), "a game that is over has no lines");
    }

    #[test]
    fn the_other_lines_stay_in_order() {
        let scores = [9, 8, 7, 6].map(Meaning::Opinion);
        for seed in 0..20 {
            let shown = chosen(&scores, 4, seed);
            assert_eq!(shown.len(), 4);
            assert!(shown[1..].is_sorted(), "{shown:?}");
        }
        assert_eq!(chosen(&scores, 2, 0).len(), 2);
    }

    #[test]
    fn moves_are_compared_where_all_were_searched_alike() {
        use Meaning::Opinion;
        for seed in 0..20 {
            let mut choice = Box::new(choice(1, seed));
            let shown = choice.heard(report(4, &[Opinion(30), Opinion(10), Opinion(9)]));
            assert_eq!(moves(&shown), [0], "no more than was asked for");
            // The iteration that was broken off had lowered the first one.
            let last = choice.made(report(4, &[Opinion(12), Opinion(10), Opinion(9)]));
            assert_eq!(moves(&last), [0], "the others are too far behind");
        }
    }
}
