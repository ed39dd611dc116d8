//! The tree as people see it: values with draws, without contempt, in the numbers that they like.

use outplay_core::{Game, Player};

use super::bounds::{Bounds, Scale};
use super::options::MctsOptions;
use super::select::exploration_bonus;
use super::threads::Shared;
use super::tree::{EdgeId, Tree};
use super::utility::Utility;
use super::wdl::Rescale;
use crate::{Bound, Meaning, MoveStatistics};

/// A tree, and how its values are meant.
pub(super) struct View<'a> {
    pub tree: &'a Tree,
    pub options: &'a MctsOptions,
    utility: Utility,
    rescale: Option<Rescale>,
}

/// What is shown of a move, for one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Shown {
    /// Wins minus losses.
    wl: f64,
    draws: f64,
    /// The value of both.
    pub q: f64,
}

impl<'a> View<'a> {
    /// A tree that was grown by these settings, from evaluations that were changed like this.
    pub fn new(tree: &'a Tree, options: &'a MctsOptions, rescale: Option<Rescale>) -> View<'a> {
        View { tree, options, utility: Utility::new(options, false), rescale }
    }

    /// The tree of a search.
    pub fn of<G: Game>(shared: &Shared<'a, G>) -> View<'a> {
        View::new(shared.run.tree, &shared.run.context.options, shared.run.context.rescale)
    }

    /// The value of an edge in the tree, for `player`: what the search compares moves by.
    pub fn q(&self, edge: EdgeId, player: Player) -> f64 {
        let means = self.tree.means(edge);
        seen_by(player, self.utility.of(means.wl, means.draws))
    }

    /// The chances of an edge, and their value, for `player`, as they are shown.
    pub fn shown(&self, edge: EdgeId, player: Player) -> Shown {
        let means = self.tree.means(edge);
        let chances = (seen_by(player, means.wl), means.draws);
        let (wl, draws) = self.rescale.map_or(chances, |rescale| rescale.shown(chances, player));
        Shown { wl, draws, q: seen_by(player, self.utility.of(seen_by(player, wl), draws)) }
    }

    /// What an edge is worth for `player`: a certain result, or the mean of what came back.
    pub fn meaning(&self, edge: EdgeId, player: Player) -> Meaning {
        let (bounds, scale) = (self.bounds(edge, player), self.tree.scale);
        let plies = scale.distance(bounds).map(|plies| u32::from(plies) + 1);
        match (bounds.result(), scale, plies) {
            (None, ..) => Meaning::Expected(self.shown(edge, player).q),
            (Some(0), ..) => Meaning::Opinion(0),
            (Some(_), Scale::Margin(_), _) => Meaning::Margin(bounds.preference(Player::First)),
            (Some(1), _, Some(plies)) => Meaning::WinIn(plies),
            (Some(1), _, None) => Meaning::WON_SOMEHOW,
            (Some(_), _, Some(plies)) => Meaning::LossIn(plies),
            (Some(_), _, None) => Meaning::LOST_SOMEHOW,
        }
    }

    /// Whether an edge may be worth more or less for `player` than its meaning says: a margin that is not known exactly.
    pub fn bound(&self, edge: EdgeId, player: Player) -> Bound {
        let bounds = self.bounds(edge, player);
        match (self.tree.scale, bounds.result()) {
            (Scale::Margin(_), Some(1)) if bounds.low < bounds.high => Bound::AtLeast,
            (Scale::Margin(_), Some(-1)) if bounds.low < bounds.high => Bound::AtMost,
            _ => Bound::Exact,
        }
    }

    /// What is certain about an edge, for `player`.
    fn bounds(&self, edge: EdgeId, player: Player) -> Bounds {
        self.tree.state(self.tree.link(edge).node).bounds().seen_by(player)
    }

    /// The certain result of an edge for `player`, if there is one: 1, 0 or -1.
    pub fn result(&self, edge: EdgeId, player: Player) -> Option<i8> {
        self.bounds(edge, player).result()
    }

    /// What is known of a move, for the player who makes it, from a position with so many visits and with these settings.
    pub fn statistics(
        &self,
        options: &MctsOptions,
        edge: EdgeId,
        player: Player,
        parent: u32,
    ) -> MoveStatistics {
        let (link, stats) = (self.tree.link(edge), self.tree.stats(edge));
        let (moves_left, prior) = (self.tree.means(edge).moves_left, f64::from(link.prior.get()));
        let bounds = self.bounds(edge, player);
        if let Some(result) = bounds.result() {
            // What came back before the result was certain does not count any more.
            let (wl, draws) = (f64::from(result), f64::from(u8::from(result == 0)));
            return MoveStatistics {
                prior,
                q: seen_by(player, self.utility.of(seen_by(player, wl), draws)),
                wdl: [wl.max(0.0), draws, (-wl).max(0.0)],
                u: exploration_bonus(options, parent, stats.visits, prior),
                moves_left: self
                    .tree
                    .scale
                    .distance(bounds)
                    .filter(|_| result != 0)
                    .map(|plies| f64::from(plies) + 1.0),
                shown: None,
            };
        }
        let Shown { wl, draws, q } = self.shown(edge, player);
        MoveStatistics {
            prior,
            q: self.q(edge, player),
            wdl: [(1.0 - draws + wl) / 2.0, draws, (1.0 - draws - wl) / 2.0],
            u: exploration_bonus(options, parent, stats.visits, prior),
            // Nobody says that a game is over at once: then nobody says anything.
            moves_left: (moves_left > 0.0).then_some(moves_left + 1.0),
            shown: self.options.score_type.shown(wl, draws, q),
        }
    }
}

/// A value for the first player, seen by `player`, or the other way round.
fn seen_by(player: Player, value: f64) -> f64 {
    if player == Player::First { value } else { -value }
}
