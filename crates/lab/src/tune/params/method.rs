//! What the methods of tuning have in common: they propose pairs of settings in groups, and learn from the results of whole groups.

use super::axis::Point;

/// The settings of two sides.
pub(super) type Proposal = [Vec<(String, String)>; 2];

/// A way to better values.
///
/// Proposals depend on what the method was made with and on the results of the groups that it has learned from, on nothing else: so results may come
/// in any order, and a course that was cut off is the same when its results are read again.
pub(super) trait Method: Send {
    /// How many groups may be proposed while others are under way: group `n` when `n - ahead` have been learned from.
    fn ahead(&self) -> usize;

    /// The settings of one pair of a group.
    fn propose(&self, group: usize, place: usize) -> Proposal;

    /// Whether all groups play the same openings, so that they can be compared with each other.
    fn compares_groups(&self) -> bool {
        false
    }

    /// Learns from a group, each the share of the points that the first side of a pair has won. Groups come in order.
    fn learn(&mut self, group: usize, shares: &[f64]);

    /// The values on the way, by the number of pairs after which they were.
    fn course(&self) -> Vec<(u64, Point)>;

    /// What each point of the course has scored, where points are tried one by one.
    fn shares(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The values that are thought best.
    fn best(&self) -> Point;
}
