//! Which moves the next playouts take from a position.

use std::sync::atomic::AtomicU64;

use outplay_core::Player;

use super::bounds::{Bounds, Known, Proof};
use super::options::{FpuStrategy, MctsOptions, Selection};
use super::state::State;
use super::tally::Tally;
use super::tree::{Edge, EdgeId, Link, NodeId, Tree};
use super::uct::root_of_ln;
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
    /// How much a prior of 1 adds to the value of a move at its first visit.
    prior_weight: f32,
    /// What is known of each move from playouts in which it was made later.
    amaf: Option<&'a [AtomicU64]>,
    /// How many moves are considered.
    most_moves: u32,
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
    TryNew(Untried),
}

/// What to do with one playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Send it along this edge.
    Follow(EdgeId),
    /// Try the move with this number, which was never tried.
    TryNew(u32),
}

/// A move that was never tried, and how good it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Untried {
    pub number: u32,
    value: f32,
    pub score: f32,
}

/// What PUCT or UCT adds to the value of a move for being tried seldom; `parent` are the visits of the position, its own evaluation included.
pub fn exploration_bonus(options: &MctsOptions, parent: u32, visits: u32, prior: f64) -> f64 {
    let exploration = f64::from(exploration(options, parent));
    let bias = options.progressive_bias * prior / f64::from(visits + 1);
    bias + match options.selection {
        Selection::Puct => exploration * prior / f64::from(visits + 1),
        Selection::Uct => exploration / f64::from(visits.max(1)).sqrt(),
    }
}

/// c √N for PUCT, c √ln N for UCT.
fn exploration(options: &MctsOptions, visits: u32) -> f32 {
    match options.selection {
        // Of all visits the first evaluated the position itself: N in √N is the sum over its moves, in AlphaZero and in lc0.
        Selection::Puct => options.cpuct_at(visits) * (visits.saturating_sub(1).max(1) as f32).sqrt(),
        Selection::Uct => options.exploration as f32 * root_of_ln(visits),
    }
}

impl<'a> Choice<'a> {
    /// Looks at the edges of a node and puts them at the end of `candidates`.
    pub fn new(
        tree: &'a Tree,
        options: &'a MctsOptions,
        (node, state): (NodeId, State),
        outlook: Outlook<'a>,
        candidates: &mut Vec<Candidate>,
    ) -> Choice<'a> {
        let mut choice = Choice::bare(tree, options, (node, state), outlook);
        let begin = candidates.len();
        tree.for_each_edge(node, state.edges(), |edge| {
            let candidate = choice.candidate(edge);
            choice.tried += candidate.link.prior.get();
            candidates.push(candidate);
        });
        choice.set_fpu();
        let all = (0..).zip(&mut candidates[begin..]);
        match choice.amaf {
            None => all.for_each(|(number, candidate)| choice.finish::<false>(candidate, number)),
            Some(_) => all.for_each(|(number, candidate)| choice.finish::<true>(candidate, number)),
        }
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
            Selection::Uct => {
                let tried = (candidate.count - 1.0).max(1.0);
                candidate.q + self.exploration / tried.sqrt() + candidate.weight / candidate.count
            }
        }
    }

    /// The best thing to do with one playout: the same choice as with candidates, without keeping them.
    pub fn one(tree: &Tree, options: &MctsOptions, (node, state): (NodeId, State), outlook: Outlook) -> Step {
        let mut choice = Choice::bare(tree, options, (node, state), outlook);
        tree.for_each_edge(node, state.edges(), |edge| choice.tried += edge.link().prior.get());
        choice.set_fpu();
        let best = match choice.amaf {
            None => choice.best_edge::<false>(tree, node, state),
            Some(_) => choice.best_edge::<true>(tree, node, state),
        };
        match (best, choice.next_new(tree, node, state)) {
            (Some((edge, _)), None) => Step::Follow(edge),
            (Some((edge, score)), Some(new)) if score >= new.score => Step::Follow(edge),
            (_, new) => Step::TryNew(new.map_or(0, |new| new.number)),
        }
    }

    /// The edge with the best score. Whether playouts count in which moves were made later is asked once, not for each of them.
    #[inline]
    fn best_edge<const AMAF: bool>(&self, tree: &Tree, node: NodeId, state: State) -> Option<(EdgeId, f32)> {
        let (mut best, mut number) = (None, 0);
        tree.for_each_edge(node, state.edges(), |edge| {
            let mut candidate = self.candidate(edge);
            self.finish::<AMAF>(&mut candidate, number);
            number += 1;
            if best.is_none_or(|(_, score)| candidate.score > score) {
                best = Some((edge.id, candidate.score));
            }
        });
        best
    }

    fn bare(
        tree: &'a Tree,
        options: &'a MctsOptions,
        (node, state): (NodeId, State),
        outlook: Outlook<'a>,
    ) -> Choice<'a> {
        let exploration = exploration(options, outlook.visits);
        let bias = options.progressive_bias as f32;
        Choice {
            options,
            outlook,
            player: state.to_move(),
            bounds: state.bounds(),
            exploration,
            prior_weight: if options.selection == Selection::Puct { exploration + bias } else { bias },
            amaf: tree.amaf(node, state),
            most_moves: options.most_moves(outlook.visits),
            fpu: 0.0,
            tried: 0.0,
        }
    }

    /// Whether a move can still change what is certain about the position.
    pub fn is_open(&self, tree: &Tree, link: &Link) -> bool {
        match self.options.proof() {
            Proof::Result => link.known.most(self.player) > self.bounds.known().least(self.player),
            Proof::Exact => {
                let bounds = tree.state(link.node).bounds().one_move_before(tree.scale);
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
            weight: self.prior_weight * link.prior.get(),
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

    /// Gives a candidate, the one with this number, its score, and a value if it has none.
    #[inline]
    fn finish<const AMAF: bool>(&self, candidate: &mut Candidate, number: u32) {
        if candidate.q.is_nan() {
            candidate.q = self.fpu;
        }
        if AMAF && !candidate.link.known.is_decided() {
            candidate.q = self.with_amaf(candidate.q, candidate.count - 1.0, number).unwrap_or(candidate.q);
        }
        candidate.score = self.score(candidate);
    }

    /// The value of a move with so many visits, if playouts in which it was made later count; `None` if none does.
    fn with_amaf(&self, q: f32, visits: f32, number: u32) -> Option<f32> {
        let tally = Tally::of(self.amaf?.get(number as usize)?);
        let share = self.options.rave_share(visits);
        (tally.visits() > 0 && share > 0.0).then(|| (1.0 - share) * q + share * self.own_view(tally.mean()))
    }

    /// The move that was never tried and is most worth a try; `None` if there is none, or none that may be considered yet.
    #[inline]
    pub fn next_new(&self, tree: &Tree, node: NodeId, state: State) -> Option<Untried> {
        let next = state.edges();
        if !state.has_new() || next >= self.most_moves {
            return None;
        }
        if !state.is_sorted() {
            // There must be a first one.
            return Some(self.untried(next, 1.0));
        }
        let untried = |number| self.untried(number, tree.prior(node, state, number).get());
        let first = untried(next);
        if self.amaf.is_none() {
            return Some(first);
        }
        let others = (next + 1..state.moves().min(self.most_moves)).map(untried);
        Some(others.fold(first, |best, other| if other.score > best.score { other } else { best }))
    }

    /// How good a move looks that was never tried.
    #[inline]
    pub fn untried(&self, number: u32, prior: f32) -> Untried {
        let known = self.with_amaf(self.fpu, 0.0, number);
        let value = known.unwrap_or(self.fpu);
        let score = match self.options.selection {
            Selection::Puct => value + self.prior_weight * prior,
            // All are tried once, unless something is known of them.
            Selection::Uct if known.is_some() => value + self.exploration + self.prior_weight * prior,
            Selection::Uct => f32::INFINITY,
        };
        Untried { number, value, score }
    }

    /// The best thing to do with up to `budget` playouts, if there is anything to do; `new` is the best move that was never tried.
    pub fn pick(&self, candidates: &[Candidate], new: Option<Untried>, budget: u32) -> Option<Pick> {
        let new_score = new.map_or(f32::NEG_INFINITY, |new| new.score);
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
            Some(number) if new.is_none() || best_score >= new_score => {
                let playouts = self.until_overtaken(&candidates[number], second).clamp(1, budget);
                Some(Pick::Send(number, playouts))
            }
            _ => new.map(Pick::TryNew),
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
    pub fn new_candidate(&self, edge: EdgeId, link: Link, new: Untried) -> Candidate {
        let weight = self.prior_weight * link.prior.get();
        let mut candidate =
            Candidate { edge, link, q: new.value, weight, count: 1.0, score: 0.0, sent: 0, is_new: true };
        self.send(&mut candidate, 1);
        candidate
    }
}
