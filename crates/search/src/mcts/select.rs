//! Which moves the next playouts take from a position.

use outplay_core::Player;

use super::options::{FpuStrategy, MctsOptions, Selection};
use super::tree::{EdgeId, Link, NodeId, State, Tree};

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

    /// Whether something can be learned about it: its value is not certain, and its node is known.
    pub fn is_open(&self) -> bool {
        self.link.proof.is_none() && !self.is_new
    }
}

/// The choice at one position.
pub(super) struct Choice<'a> {
    options: &'a MctsOptions,
    player: Player,
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
    /// Looks at the edges of a node and puts them at the end of `candidates`. `q` is the value of the node for the first player.
    pub fn new(
        tree: &Tree,
        options: &'a MctsOptions,
        (node, state): (NodeId, State),
        (visits, q): (u32, f32),
        candidates: &mut Vec<Candidate>,
    ) -> Choice<'a> {
        let player = state.to_move();
        let exploration = exploration(options, visits);
        let own_view = |first: f32| if player == Player::First { first } else { -first };
        let mut choice = Choice { options, player, exploration, fpu: 0.0, tried: 0.0 };
        let begin = candidates.len();
        tree.for_each_edge(node, state.edges(), |edge| {
            let (link, stats) = (tree.link(edge), tree.stats(edge));
            let prior = link.prior.get();
            choice.tried += prior;
            candidates.push(Candidate {
                edge,
                link,
                // A move in flight for the first time has no value yet: it gets one below.
                q: if stats.visits == 0 { f32::NAN } else { own_view(stats.q) },
                weight: exploration * prior,
                count: 1.0 + (stats.visits + stats.in_flight) as f32,
                score: 0.0,
                sent: 0,
                is_new: false,
            });
        });
        choice.fpu = match options.fpu_strategy {
            FpuStrategy::Reduction => own_view(q) - options.fpu_value as f32 * choice.tried.sqrt(),
            FpuStrategy::Absolute => options.fpu_value as f32,
        };
        for candidate in &mut candidates[begin..] {
            if candidate.q.is_nan() {
                candidate.q = choice.fpu;
            }
            candidate.score = choice.score(candidate);
        }
        choice
    }

    fn score(&self, candidate: &Candidate) -> f32 {
        if let Some(result) = candidate.link.proof {
            let own = if self.player == Player::First { result } else { -result };
            // A certain loss is chosen last; a certain win would have decided the position.
            return if own < 0 { f32::NEG_INFINITY } else { candidate.q };
        }
        match self.options.selection {
            Selection::Puct => candidate.q + candidate.weight / candidate.count,
            Selection::Uct => candidate.q + self.exploration / (candidate.count - 1.0).max(1.0).sqrt(),
        }
    }

    /// The best thing to do with up to `budget` playouts; `next_prior` is the prior of the next move that was never tried.
    pub fn pick(&self, candidates: &[Candidate], next_prior: Option<f32>, budget: u32) -> Pick {
        let new_score = next_prior.map_or(f32::NEG_INFINITY, |prior| match self.options.selection {
            Selection::Puct => self.fpu + self.exploration * prior,
            Selection::Uct => f32::INFINITY,
        });
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
            Selection::Puct => (candidate.weight / (second - candidate.q) - candidate.count) as u32 + 1,
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
