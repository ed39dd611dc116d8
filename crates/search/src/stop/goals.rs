//! Stoppers that are content with what was found.

use super::{Hints, Statistics, Stopper};
use crate::{Meaning, StopReason};

/// So many plies: of an iteration, or of a tree on average.
pub struct DepthLimit(pub u32);

impl Stopper for DepthLimit {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        let progress = &statistics.progress;
        let completed = progress.completed.is_some_and(|completed| completed.depth >= self.0);
        let on_average = progress.average_depth.is_some_and(|depth| depth >= f64::from(self.0));
        (completed || on_average).then_some(StopReason::Depth)
    }
}

/// A win in fewer plies than this.
pub struct WinWithin {
    plies: u32,
}

impl WinWithin {
    /// A win in so many moves of the winner, two plies a move.
    pub fn moves(moves: u32) -> WinWithin {
        WinWithin { plies: moves.saturating_mul(2) }
    }
}

impl Stopper for WinWithin {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        let progress = &statistics.progress;
        if progress.shortest_win.is_some_and(|plies| plies < self.plies) {
            return Some(StopReason::Mate);
        }
        let completed = progress.completed?;
        match completed.value {
            Meaning::WinIn(plies) if plies < self.plies => Some(StopReason::Mate),
            // All that could be such a win has been looked at.
            _ if completed.wins_seen + 1 >= self.plies => Some(StopReason::NoMate),
            _ => None,
        }
    }
}

/// An exact value.
pub struct NothingLeft;

impl Stopper for NothingLeft {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        statistics.progress.completed.filter(|completed| completed.exact).map(|_| StopReason::Solved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::{Completed, Granularity, Progress};

    fn ask(mut stopper: impl Stopper, granularity: Granularity, progress: Progress) -> Option<StopReason> {
        stopper.stop(&Statistics { progress, granularity, ..Statistics::default() }, &mut Hints::default())
    }

    fn completed(depth: u32, value: Meaning, exact: bool) -> Progress<'static> {
        Progress {
            completed: Some(Completed { depth, wins_seen: depth, value, exact, patience: 1.0 }),
            ..Progress::default()
        }
    }

    #[test]
    fn a_depth_is_reached_by_an_iteration_or_on_average() {
        let even = Meaning::Opinion(0);
        assert_eq!(
            ask(DepthLimit(4), Granularity::Iterations, completed(4, even, false)),
            Some(StopReason::Depth)
        );
        assert_eq!(ask(DepthLimit(4), Granularity::Iterations, completed(3, even, false)), None);
        let on_average = |depth| Progress { average_depth: Some(depth), ..Progress::default() };
        assert_eq!(ask(DepthLimit(4), Granularity::Steps, on_average(4.0)), Some(StopReason::Depth));
        assert_eq!(ask(DepthLimit(4), Granularity::Steps, on_average(3.9)), None);
        assert_eq!(ask(DepthLimit(4), Granularity::Steps, Progress::default()), None);
    }

    #[test]
    fn a_win_in_two_moves_takes_three_plies() {
        let two_moves = || WinWithin::moves(2);
        for (plies, reason) in [(1, Some(StopReason::Mate)), (3, Some(StopReason::Mate)), (5, None)] {
            let proven = Progress { shortest_win: Some(plies), ..Progress::default() };
            assert_eq!(ask(two_moves(), Granularity::Steps, proven), reason);
            assert_eq!(
                ask(two_moves(), Granularity::Iterations, completed(2, Meaning::WinIn(plies), false)),
                reason
            );
        }
        let no_win = completed(3, Meaning::Opinion(900), false);
        assert_eq!(ask(two_moves(), Granularity::Iterations, no_win), Some(StopReason::NoMate));
        let stage = no_win.completed.map(|completed| Completed { wins_seen: 2, ..completed });
        let selective = Progress { completed: stage, ..no_win };
        assert_eq!(
            ask(two_moves(), Granularity::Iterations, selective),
            None,
            "a depth says nothing of all lines"
        );
    }

    #[test]
    fn an_exact_value_ends_the_search() {
        let even = Meaning::Opinion(0);
        assert_eq!(ask(NothingLeft, Granularity::AtOnce, completed(9, even, true)), Some(StopReason::Solved));
        assert_eq!(ask(NothingLeft, Granularity::AtOnce, completed(9, even, false)), None);
    }
}
