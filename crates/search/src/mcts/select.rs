//! Which moves the next playouts take from a position.

use outplay_core::Player;

use super::bounds::{Bounds, Known, Proof};
use super::options::{FpuStrategy, MctsOptions, Selection};
use super::state::State;
use super::tree::{Edge, EdgeId, Link, NodeId, Tree};
use super::utility::Outlook;

/// A move that could be taken, with what PUCT or UCT thinks of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub edge: EdgeId,
    pub link: Link,
    /// The value for the player who chooses.
    q: f32,
    /// What a first visit would be worth beyond that.
    weight: f32,
    /// Visits, those in flight included, and one.
    count: f32,
    score: f32,
    /// Playouts of this gathering that go there.
    pub sent: u32,
    /// Whether this gathering has added it: its node is not known yet.
    pub is_new: bool,
}

impl Candidate {
    /// How good it looks.
    pub fn score(&self) -> f32 {
        self.score
    }

    /// Visits, those in flight included.
    pub fn visits(&self) -> u32 {
        self.count as u32 - 1
    }

    /// Takes it out of the choice.
    pub fn give_up(&mut self) {
        self.score = f32::NEG_INFINITY;
    }

    /// Whether it is out of the choice, or certain to lose.
    pub fn is_hopeless(&self) -> bool {
        self.score == f32::NEG_INFINITY
    }
}

/// The choice at one position.
pub(super) struct Choice<'a> {
    options: &'a MctsOptions,
    outlook: Outlook<'a>,
    player: Player,
    /// What is certain about the position.
    bounds: Bounds,
    /// c √N for PUCT, c √ln N for UCT.
    exploration: f32,
    /// What a move is thought to be worth that was never tried.
    fpu: f32,
    /// The sum of the priors of tried moves.
    tried: f32,
}

/// What to do next.
pub(super) enum Pick {
    /// Send so many playouts to the candidate with this number.
    Send(usize, u32),
    /// Try a move that was never tried.
    TryNew,
}

/// What is added to the value of a move for being tried seldom.
pub(super) fn exploration_bonus(options: &MctsOptions, parent: u32, visits: u32, prior: f64) -> f64 {
    let exploration = f64::from(exploration(options, parent));
    match options.selection {
        Selection::Puct => exploration * prior / f64::from(visits + 1),
        Selection::Uct => exploration / f64::from(visits.max(1)).sqrt(),
    }
}

/// c √N for PUCT, c √ln N for UCT.
fn exploration(options: &MctsOptions, visits: u32) -> f32 {
    match options.selection {
        Selection::Puct => options.cpuct_at(visits) * (visits.max(1) as f32).sqrt(),
        Selection::Uct => options.exploration as f32 * (visits.max(1) as f32).ln().sqrt(),
    }
}

impl<'a> Choice<'a> {
    /// Looks at the edges of a node and puts them at the end of `candidates`.
    pub fn new(
        tree: &Tree,
        options: &'a MctsOptions,
        (node, state): (NodeId, State),
        outlook: Outlook<'a>,
        candidates: &mut Vec<Candidate>,
    ) -> Choice<'a> {
        let mut choice = Choice::bare(options, state, outlook);
        let begin = candidates.len();
        tree.for_each_edge(node, state.edges(), |edge| {
            let candidate = choice.candidate(edge);
            choice.tried += candidate.link.prior.get();
            candidates.push(candidate);
        });
        choice.set_fpu();
        candidates[begin..].iter_mut().for_each(|candidate| choice.finish(candidate));
        choice
    }

    #[inline]
    fn score(&self, candidate: &Candidate) -> f32 {
        let known = candidate.link.known;
        if known != Known::NOTHING && known.most(self.player) < 0 {
            // A certain loss is chosen last.
            return f32::NEG_INFINITY;
        }
        if known.is_decided() {
            return candidate.q;
        }
        match self.options.selection {
            Selection::Puct => candidate.q + candidate.weight / candidate.count,
            Selection::Uct => candidate.q + self.exploration / (candidate.count - 1.0).max(1.0).sqrt(),
        }
    }

    /// The best thing to do with one playout: an edge to follow, or `None` to try a move that was never tried. The same choice as with
    /// candidates, without keeping them.
    pub fn one(
        tree: &Tree,
        options: &MctsOptions,
        (node, state): (NodeId, State),
        outlook: Outlook,
    ) -> Option<EdgeId> {
        let has_new = state.has_new();
        if has_new && options.selection == Selection::Uct {
            return None;
        }
        let mut choice = Choice::bare(options, state, outlook);
        if options.selection == Selection::Uct && outlook.is_plain {
            return choice.most_promising(tree, node, state);
        }
        tree.for_each_edge(node, state.edges(), |edge| choice.tried += edge.link().prior.get());
        choice.set_fpu();
        let (mut best, mut best_score) = (None, f32::NEG_INFINITY);
        tree.for_each_edge(node, state.edges(), |edge| {
            let mut candidate = choice.candidate(edge);
            choice.finish(&mut candidate);
            if best.is_none() || candidate.score > best_score {
                (best, best_score) = (Some(edge.id), candidate.score);
            }
        });
        if !has_new {
            return best;
        }
        let prior = if state.is_sorted() { tree.prior(node, state, state.edges()).get() } else { 1.0 };
        best.filter(|_| best_score >= choice.new_score(prior))
    }

    /// The edge with the highest upper confidence bound: the inner loop of UCT, so it is written out. All moves have been tried, and nothing but
    /// wins and losses counts.
    fn most_promising(&self, tree: &Tree, node: NodeId, state: State) -> Option<EdgeId> {
        let sign = self.own_view(1.0);
        let (mut best, mut best_score, mut are_plain) = (None, f32::NEG_INFINITY, true);
        for edge in tree.edges_without_policy(node, state.edges()) {
            let (sum, visits, is_plain) = edge.sum_of_visits();
            are_plain &= is_plain;
            // One division for both parts of the bound: by the root of the visits.
            let root = 1.0 / visits.sqrt();
            let score = (sign * sum * root + self.exploration) * root;
            // No branch, because nobody could predict it.
            let is_better = score > best_score;
            best = if is_better { Some(edge.id) } else { best };
            best_score = if is_better { score } else { best_score };
        }
        match best.filter(|_| are_plain) {
            None => self.most_promising_of_all(tree, node, state),
            best => best,
        }
    }

    /// The same where moves have a policy or certain results, or playouts are on their way.
    fn most_promising_of_all(&self, tree: &Tree, node: NodeId, state: State) -> Option<EdgeId> {
        let (mut best, mut best_score) = (None, f32::NEG_INFINITY);
        tree.for_each_edge(node, state.edges(), |edge| {
            let mut candidate = self.candidate(edge);
            self.finish(&mut candidate);
            if best.is_none() || candidate.score > best_score {
                (best, best_score) = (Some(edge.id), candidate.score);
            }
        });
        best
    }

    fn bare(options: &'a MctsOptions, state: State, outlook: Outlook<'a>) -> Choice<'a> {
        let (player, bounds) = (state.to_move(), state.bounds());
        let exploration = exploration(options, outlook.visits);
        Choice { options, outlook, player, bounds, exploration, fpu: 0.0, tried: 0.0 }
    }

    /// Whether a move can still change what is certain about the position.
    pub fn is_open(&self, tree: &Tree, link: &Link) -> bool {
        match self.options.proof() {
            Proof::Result => link.known.most(self.player) > self.bounds.known().least(self.player),
            Proof::Distance => {
                let bounds = tree.state(link.node).bounds().one_move_before();
                bounds.seen_by(self.player).high > self.bounds.seen_by(self.player).low
            }
        }
    }

    fn own_view(&self, first: f32) -> f32 {
        if self.player == Player::First { first } else { -first }
    }

    /// An edge as a candidate; one that is in flight for the first time has no value yet.
    #[inline]
    fn candidate(&self, edge: Edge) -> Candidate {
        let (link, stats) = (edge.link(), edge.stats());
        Candidate {
            edge: edge.id,
            link,
            q: match stats.visits {
                0 => f32::NAN,
                _ => self.own_view(self.outlook.value(edge, link, stats)),
            },
            weight: self.exploration * link.prior.get(),
            count: 1.0 + (stats.visits + stats.in_flight) as f32,
            score: 0.0,
            sent: 0,
            is_new: false,
        }
    }

    fn set_fpu(&mut self) {
        self.fpu = match self.options.fpu_strategy {
            FpuStrategy::Reduction => {
                self.own_view(self.outlook.q) - self.options.fpu_value as f32 * self.tried.sqrt()
            }
            FpuStrategy::Absolute => self.options.fpu_value as f32,
        };
    }

    /// Gives a candidate its score, and a value if it has none.
    #[inline]
    fn finish(&self, candidate: &mut Candidate) {
        if candidate.q.is_nan() {
            candidate.q = self.fpu;
        }
        candidate.score = self.score(candidate);
    }

    /// What a move that was never tried is worth a try.
    pub fn new_score(&self, prior: f32) -> f32 {
        match self.options.selection {
            Selection::Puct => self.fpu + self.exploration * prior,
            Selection::Uct => f32::INFINITY,
        }
    }

    /// The best thing to do with up to `budget` playouts; `next_prior` is the prior of the next move that was never tried.
    pub fn pick(&self, candidates: &[Candidate], next_prior: Option<f32>, budget: u32) -> Pick {
        let new_score = next_prior.map_or(f32::NEG_INFINITY, |prior| self.new_score(prior));
        let (mut best, mut best_score, mut second) = (None, f32::NEG_INFINITY, new_score);
        for (number, candidate) in candidates.iter().enumerate() {
            if best.is_none() || candidate.score > best_score {
                if best.is_some() {
                    second = second.max(best_score);
                }
                (best, best_score) = (Some(number), candidate.score);
            } else {
                second = second.max(candidate.score);
            }
        }
        match best {
            Some(number) if next_prior.is_none() || best_score >= new_score => {
                Pick::Send(number, self.until_overtaken(&candidates[number], second).clamp(1, budget))
            }
            _ => Pick::TryNew,
        }
    }

    /// How many playouts the best candidate takes before another is better.
    fn until_overtaken(&self, candidate: &Candidate, second: f32) -> u32 {
        match self.options.selection {
            Selection::Uct => 1,
            Selection::Puct if second <= candidate.q => u32::MAX,
            // q + weight / (count + n) falls below the second best.
            Selection::Puct => {
                ((candidate.weight / (second - candidate.q) - candidate.count) as u32).saturating_add(1)
            }
        }
    }

    /// Notes that playouts go to a candidate.
    pub fn send(&self, candidate: &mut Candidate, playouts: u32) {
        candidate.sent += playouts;
        candidate.count += playouts as f32;
        candidate.score = self.score(candidate);
    }

    /// A move that is tried for the first time, by one playout.
    pub fn new_candidate(&self, edge: EdgeId, link: Link) -> Candidate {
        let weight = self.exploration * link.prior.get();
        let mut candidate =
            Candidate { edge, link, q: self.fpu, weight, count: 1.0, score: 0.0, sent: 0, is_new: true };
        self.send(&mut candidate, 1);
        candidate
    }
}
