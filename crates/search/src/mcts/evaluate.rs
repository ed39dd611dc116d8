//! Who evaluates the leaves of the tree.

use outplay_core::{Game, Move, Player, Rng, mix};

use super::encode::{Encoded, LeafEncoder};
use crate::{Certainty, Evaluation, Knowledge, States};

/// A position that the tree has just grown to, and what is said of it.
pub struct Leaf<G> {
    /// The position; the game goes on there.
    pub position: G,
    /// Whether the search begins here, so that a move has to be found: then nothing is left out, and nothing is said to be certain.
    pub is_root: bool,
    /// Its legal moves, if the evaluator wants them; it may leave some out.
    pub moves: Vec<Move>,
    /// Which the evaluator has left out.
    pub left_out: LeftOut,
    /// What is said.
    pub value: LeafValue,
    /// How good each move looks, on the scale of logarithms, as [`LeafEvaluator::wants_moves`] asked for.
    pub logits: Vec<f32>,
    /// What is certain of it. If that is all that the search wants to know, nothing else has to be said.
    pub certain: Option<Certainty>,
    /// The leaf as the evaluator's encoder has written it, if it has one.
    pub encoded: Encoded,
    /// The moves by which it was played out, if it was and the search wants to know.
    pub rollout: Vec<(Player, Move)>,
}

impl<G> Leaf<G> {
    /// A leaf of which nothing is said yet.
    pub fn new(position: G) -> Leaf<G> {
        Leaf {
            position,
            is_root: false,
            moves: Vec::new(),
            left_out: LeftOut::Nothing,
            value: LeafValue::default(),
            logits: Vec::new(),
            certain: None,
            encoded: Encoded::default(),
            rollout: Vec::new(),
        }
    }
}

/// Which legal moves of a position nobody looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// All are looked at.
    Nothing,
    /// Such that lose, unless what they lead to is reached by another move too.
    Losses,
    /// Others, which may be good for all that is known.
    Moves,
}

/// What a position is worth for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeafValue {
    /// The chance to win minus the chance to lose.
    pub win_minus_loss: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// How many plies the game will still last.
    pub moves_left: f32,
}

/// Evaluates leaves, several at a time.
pub trait LeafEvaluator<G: Game>: Send + Sync {
    /// Whether it says how good the moves look, and therefore has to know them.
    fn wants_moves(&self) -> bool;

    /// Whether it says how long the game will last.
    fn tells_moves_left(&self) -> bool {
        false
    }

    /// Whether it says how likely a draw is, rather than only who is ahead.
    fn tells_draws(&self) -> bool {
        false
    }

    /// How many leaves it likes to see at once.
    fn batch_size(&self) -> usize;

    /// A key that is the same for two leaves only if the same is said of both, whenever it is asked: then it need not be asked twice. What the
    /// value depends on and [`Game::key`] does not, such as a counter of moves, has to be mixed in. The leaf has its position, its moves if they are
    /// wanted, and is encoded if there is an encoder. `None` if chance has a say.
    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        let _ = leaf;
        None
    }

    /// How leaves are encoded when they are gathered; `None` if the positions themselves are looked at.
    fn encoder(&self) -> Option<&dyn LeafEncoder<G>> {
        None
    }

    /// What a thread needs to evaluate leaves: one for each.
    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_>;
}

/// Evaluates the leaves of one thread, with whatever memory that takes.
pub trait BatchEvaluator<G: Game> {
    /// Evaluates the leaves. Chance comes from `rng` alone. After an error the search ends with what it knows.
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) -> Result<(), EvaluationError>;

    /// How many batches may be under way at once, from [`submit`](BatchEvaluator::submit) to [`collect`](BatchEvaluator::collect): 1 where the thread evaluates itself.
    fn most_in_flight(&self) -> usize {
        1
    }

    /// Begins to evaluate leaves, and need not wait until that is done. They are not touched until they are collected. After an error the search ends as
    /// after one of [`evaluate`](BatchEvaluator::evaluate).
    fn submit(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) -> Result<(), EvaluationError> {
        self.evaluate(leaves, rng)
    }

    /// Waits for the leaves that were submitted first of those not collected yet: these.
    fn collect(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), EvaluationError> {
        let _ = leaves;
        Ok(())
    }
}

/// Why leaves cannot be evaluated: a device that is lost, a file that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationError(pub String);

impl std::fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EvaluationError {}

/// A function that evaluates a batch.
impl<G: Game, F> BatchEvaluator<G> for F
where
    F: FnMut(&mut [Leaf<G>], &mut Rng) -> Result<(), EvaluationError>,
{
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) -> Result<(), EvaluationError> {
        self(leaves, rng)
    }
}

/// A function that evaluates leaf by leaf and never fails.
pub(super) fn leaf_by_leaf<'e, G: Game>(
    mut evaluator: impl FnMut(&mut Leaf<G>, &mut Rng) + 'e,
) -> Box<dyn BatchEvaluator<G> + 'e> {
    Box::new(move |leaves: &mut [Leaf<G>], rng: &mut Rng| {
        leaves.iter_mut().for_each(|leaf| evaluator(leaf, rng));
        Ok(())
    })
}

impl<G: Game, E: LeafEvaluator<G> + ?Sized> LeafEvaluator<G> for &E {
    fn wants_moves(&self) -> bool {
        (**self).wants_moves()
    }

    fn tells_moves_left(&self) -> bool {
        (**self).tells_moves_left()
    }

    fn batch_size(&self) -> usize {
        (**self).batch_size()
    }

    fn tells_draws(&self) -> bool {
        (**self).tells_draws()
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        (**self).cache_key(leaf)
    }

    fn encoder(&self) -> Option<&dyn LeafEncoder<G>> {
        (**self).encoder()
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        (**self).begin()
    }
}

/// A static evaluation as the value, and the evaluation after each move as how good the move looks.
#[derive(Clone, Copy, Debug)]
pub struct Static<K> {
    /// What the game knows, the evaluation among it.
    pub knowledge: K,
    /// An advantage of so many hundredths is worth three chances in four.
    pub scale: f32,
}

/// A thread's side of [`Static`], with the states of the knowledge.
pub(super) struct StaticStates<'k, G: Game, K: Knowledge<G>> {
    pub knowledge: &'k K,
    /// Half of the logarithm of three to one, in units of the scale.
    slope: f32,
    pub states: States<G, K>,
}

/// A finished game is worth far more than any opinion: so many times the scale.
const DECIDED: f32 = 10.0;

impl<'k, G: Game, K: Knowledge<G>> StaticStates<'k, G, K> {
    pub fn new(evaluator: &'k Static<K>) -> StaticStates<'k, G, K> {
        let slope = 3f32.ln() / 2.0 / evaluator.scale;
        StaticStates { knowledge: &evaluator.knowledge, slope, states: States::new(&evaluator.knowledge) }
    }

    /// What a position is worth for a player, by its outcome or by what `opinion` says to the player to move: on the scale of
    /// logarithms, half of that of the odds.
    fn log_odds(&self, outcome: Option<i16>, opinion: i32) -> f32 {
        match outcome {
            Some(result) => f32::from(result.signum()) * DECIDED * 3f32.ln() / 2.0,
            None => self.slope * opinion as f32,
        }
    }

    /// What a position is worth for a player.
    pub fn value(&mut self, position: &G, player: Player) -> LeafValue {
        let outcome = position.outcome().map(|outcome| outcome.for_player(player));
        let opinion = match outcome {
            Some(_) => 0,
            None => {
                let (evaluation, state) = (self.knowledge.evaluation(), &mut self.states.evaluation);
                evaluation.reset(state, position);
                seen_by(player, position, evaluation.evaluate(state, position))
            }
        };
        let win_minus_loss = self.log_odds(outcome, opinion).tanh();
        LeafValue { win_minus_loss, draw: 0.0, moves_left: 0.0 }
    }

    /// Says of each move of a leaf how good it looks, by the evaluation after it.
    pub fn rate_moves(&mut self, leaf: &mut Leaf<G>) {
        let (position, mover) = (&leaf.position, leaf.position.to_move());
        let evaluation = self.knowledge.evaluation();
        evaluation.reset(&mut self.states.evaluation, position);
        leaf.logits.clear();
        for &m in &leaf.moves {
            let after = position.after(m);
            let outcome = after.outcome().map(|outcome| outcome.for_player(mover));
            let opinion = match outcome {
                Some(_) => 0,
                None => {
                    let state = &mut self.states.evaluation;
                    evaluation.make(state, position, Some(m), &after);
                    let opinion = evaluation.evaluate_fast(state, &after);
                    evaluation.unmake(state, position);
                    seen_by(mover, &after, opinion)
                }
            };
            leaf.logits.push(self.log_odds(outcome, opinion));
        }
    }
}

/// An opinion of a position, which is its mover's, as a player sees it.
fn seen_by<G: Game>(player: Player, position: &G, opinion: i32) -> i32 {
    if position.to_move() == player { opinion } else { -opinion }
}

impl<G: Game, K: Knowledge<G>> LeafEvaluator<G> for Static<K> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        // Draws by counting are seen one move ahead.
        Some(leaf.position.key() ^ mix(leaf.position.reversible_plies() as u64))
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        let mut evaluator = StaticStates::new(self);
        leaf_by_leaf(move |leaf: &mut Leaf<G>, _| {
            evaluator.rate_moves(leaf);
            leaf.value = evaluator.value(&leaf.position, leaf.position.to_move());
        })
    }
}

/// Nothing is known: every position is even and every move as good as any other. For measuring a tree alone.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl<G: Game> LeafEvaluator<G> for Uniform {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        256
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        Some(leaf.position.key())
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        leaf_by_leaf(|leaf: &mut Leaf<G>, _| {
            leaf.logits.clear();
            leaf.logits.resize(leaf.moves.len(), 0.0);
            leaf.value = LeafValue::default();
        })
    }
}

/// Values and policies that look like chance but are a function of the position. For measuring a tree alone.
#[derive(Clone, Copy, Debug)]
pub struct HashRandom {
    /// Other seeds give other functions.
    pub seed: u64,
}

impl<G: Game> LeafEvaluator<G> for HashRandom {
    fn wants_moves(&self) -> bool {
        true
    }

    fn tells_moves_left(&self) -> bool {
        true
    }

    fn tells_draws(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        256
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        Some(leaf.position.key())
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        /// A number from 0 to 1.
        fn unit(bits: u64) -> f32 {
            (bits >> 40) as f32 / (1 << 24) as f32
        }
        leaf_by_leaf(|leaf: &mut Leaf<G>, _| {
            let hash = mix(leaf.position.key() ^ self.seed);
            let draw = unit(mix(hash ^ 1));
            leaf.value = LeafValue {
                win_minus_loss: (2.0 * unit(hash) - 1.0) * (1.0 - draw),
                draw,
                moves_left: 100.0 * unit(mix(hash ^ 2)),
            };
            leaf.logits.clear();
            leaf.logits.extend(leaf.moves.iter().map(|m| unit(mix(hash ^ u64::from(m.bits()) << 8))));
        })
    }
}

/// The value for the first player: wins minus losses.
pub(super) fn for_first(value: LeafValue, mover: Player) -> f32 {
    if mover == Player::First { value.win_minus_loss } else { -value.win_minus_loss }
}
