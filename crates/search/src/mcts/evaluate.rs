//! Who judges the leaves of the tree.

use outplay_core::{Game, Move, Player, Rng, mix};

use crate::{Certainty, Evaluator};

/// A position that the tree has just grown to, and what is said of it.
pub struct Leaf<G> {
    /// The position; the game goes on there.
    pub position: G,
    /// Whether the search begins here, so that a move has to be found: then nothing is left out, and nothing is said to be certain.
    pub is_root: bool,
    /// Its legal moves, if the judge wants them; it may leave some out.
    pub moves: Vec<Move>,
    /// Which the judge has left out.
    pub left_out: LeftOut,
    /// What is said.
    pub judgement: Judgement,
    /// How good each move looks, on the scale of logarithms, as [`LeafEvaluator::wants_moves`] asked for.
    pub logits: Vec<f32>,
    /// What is certain of it. If that is all that the search wants to know, nothing else has to be said.
    pub certain: Option<Certainty>,
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
            judgement: Judgement::default(),
            logits: Vec::new(),
            certain: None,
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
pub struct Judgement {
    /// The chance to win minus the chance to lose.
    pub win_minus_loss: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// How many plies the game will still last.
    pub moves_left: f32,
}

/// Judges leaves, several at a time.
pub trait LeafEvaluator<G: Game>: Send + Sync {
    /// Whether it says how good the moves look, and therefore has to know them.
    fn wants_moves(&self) -> bool;

    /// Whether it says how long the game will last.
    fn tells_moves_left(&self) -> bool {
        false
    }

    /// How many leaves it likes to see at once.
    fn batch_size(&self) -> usize;

    /// A key that is the same for two positions only if the same is said of both, whenever it is asked: then it need not be asked twice. What the
    /// judgement depends on and [`Game::key`] does not, such as a counter of moves, has to be mixed in. `None` if chance has a say.
    fn cache_key(&self, position: &G) -> Option<u64> {
        let _ = position;
        None
    }

    /// Judges the leaves. Chance comes from `rng` alone.
    fn evaluate(&self, leaves: &mut [Leaf<G>], rng: &mut Rng);
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

    fn cache_key(&self, position: &G) -> Option<u64> {
        (**self).cache_key(position)
    }

    fn evaluate(&self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        (**self).evaluate(leaves, rng);
    }
}

/// A static evaluation as the value, and the evaluation after each move as how good the move looks.
#[derive(Clone, Copy, Debug)]
pub struct Static<E> {
    /// The evaluation.
    pub evaluator: E,
    /// An advantage of so many hundredths is worth three chances in four.
    pub scale: f32,
}

impl<E> Static<E> {
    /// What a position is worth for a player, on the scale of logarithms: half of that of the odds. A finished game is worth far more
    /// than any opinion.
    fn log_odds<G: Game>(&self, position: &G, player: Player, opinion: impl Fn(&E, &G) -> i32) -> f32 {
        // Half of the logarithm of three to one, in units of the scale.
        let slope = 3f32.ln() / 2.0 / self.scale;
        let value = match position.outcome() {
            Some(outcome) => f32::from(outcome.for_player(player).signum()) * 10.0 * self.scale,
            None if position.to_move() == player => opinion(&self.evaluator, position) as f32,
            None => -(opinion(&self.evaluator, position) as f32),
        };
        slope * value
    }

    /// What a position is worth for a player.
    pub(super) fn judgement<G: Game>(&self, position: &G, player: Player) -> Judgement
    where
        E: Evaluator<G>,
    {
        let win_minus_loss = self.log_odds(position, player, E::evaluate).tanh();
        Judgement { win_minus_loss, draw: 0.0, moves_left: 0.0 }
    }

    /// Says of each move of a leaf how good it looks.
    pub(super) fn rate_moves<G: Game>(&self, leaf: &mut Leaf<G>)
    where
        E: Evaluator<G>,
    {
        let (position, mover) = (&leaf.position, leaf.position.to_move());
        leaf.logits.clear();
        leaf.logits.extend(leaf.moves.iter().map(|&m| self.log_odds(&position.after(m), mover, E::glance)));
    }
}

impl<G: Game, E: Evaluator<G>> LeafEvaluator<G> for Static<E> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn cache_key(&self, position: &G) -> Option<u64> {
        // Draws by counting are seen one move ahead.
        Some(position.key() ^ mix(position.reversible_plies() as u64))
    }

    fn evaluate(&self, leaves: &mut [Leaf<G>], _: &mut Rng) {
        for leaf in leaves {
            self.rate_moves(leaf);
            leaf.judgement = self.judgement(&leaf.position, leaf.position.to_move());
        }
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

    fn cache_key(&self, position: &G) -> Option<u64> {
        Some(position.key())
    }

    fn evaluate(&self, leaves: &mut [Leaf<G>], _: &mut Rng) {
        for leaf in leaves {
            leaf.logits.clear();
            leaf.logits.resize(leaf.moves.len(), 0.0);
            leaf.judgement = Judgement::default();
        }
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

    fn batch_size(&self) -> usize {
        256
    }

    fn cache_key(&self, position: &G) -> Option<u64> {
        Some(position.key())
    }

    fn evaluate(&self, leaves: &mut [Leaf<G>], _: &mut Rng) {
        /// A number from 0 to 1.
        fn unit(bits: u64) -> f32 {
            (bits >> 40) as f32 / (1 << 24) as f32
        }
        for leaf in leaves {
            let hash = mix(leaf.position.key() ^ self.seed);
            let draw = unit(mix(hash ^ 1));
            leaf.judgement = Judgement {
                win_minus_loss: (2.0 * unit(hash) - 1.0) * (1.0 - draw),
                draw,
                moves_left: 100.0 * unit(mix(hash ^ 2)),
            };
            leaf.logits.clear();
            leaf.logits.extend(leaf.moves.iter().map(|m| unit(mix(hash ^ u64::from(m.bits()) << 8))));
        }
    }
}

/// The judgement for the first player: wins minus losses.
pub(super) fn for_first(judgement: Judgement, mover: Player) -> f32 {
    if mover == Player::First { judgement.win_minus_loss } else { -judgement.win_minus_loss }
}
