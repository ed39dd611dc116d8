//! What a game knows beyond its rules, in four small traits, and the bundle of them that a search evaluates by.
//!
//! - [`Evaluation`]: what a position is worth at sight, kept up while the search moves from one to the next.
//! - [`Tactics`]: which moves are noisy, what exchanges bring, how moves are ordered, what a null move is.
//! - [`Oracle`]: what is certain: results at sight, tables, wins by force.
//! - [`Policy`]: moves for playouts, and priors.
//!
//! A game implements those of which it knows something and puts them together in one place, as a [`Bundle`] or as a type
//! of its own that is its own [`Knowledge`]. For the rest there is [`NoKnowledge`].

mod evaluation;
mod foretelling;
mod oracle;
mod policy;
mod tactics;

use outplay_core::Game;

pub use evaluation::{Evaluating, Evaluation, Evaluator};
pub use foretelling::Foretelling;
pub use oracle::{ForcedWin, Oracle, Solved, SolverQuestion};
pub(crate) use oracle::{SOLVER_SHARE, solver_budget};
pub use policy::Policy;
pub use tactics::Tactics;

use crate::OptionSet;

/// All that a search asks a game for beyond its rules.
pub trait Knowledge<G: Game>: Send + Sync {
    /// What positions are worth.
    type Evaluation: Evaluation<G>;
    /// What is known about moves.
    type Tactics: Tactics<G>;
    /// What is certain.
    type Oracle: Oracle<G>;
    /// Which moves are likely.
    type Policy: Policy<G>;

    /// What positions are worth.
    fn evaluation(&self) -> &Self::Evaluation;

    /// What is known about moves.
    fn tactics(&self) -> &Self::Tactics;

    /// What is certain.
    fn oracle(&self) -> &Self::Oracle;

    /// Which moves are likely.
    fn policy(&self) -> &Self::Policy;

    /// The settings, beside those of the searches that use the knowledge.
    fn options(&self) -> &dyn OptionSet {
        &()
    }

    /// The same, to be changed; `None` if there are none.
    fn options_mut(&mut self) -> Option<&mut dyn OptionSet> {
        None
    }

    /// A search begins: what depends on settings, or may have changed since the last search, is made ready.
    fn search_begins(&mut self) {}

    /// The search is over.
    fn search_ends(&mut self) {}
}

/// Whoever borrows knowledge may use it; to begin and to end searches is for the owner.
impl<G: Game, K: Knowledge<G>> Knowledge<G> for &K {
    type Evaluation = K::Evaluation;
    type Tactics = K::Tactics;
    type Oracle = K::Oracle;
    type Policy = K::Policy;

    fn evaluation(&self) -> &K::Evaluation {
        (**self).evaluation()
    }

    fn tactics(&self) -> &K::Tactics {
        (**self).tactics()
    }

    fn oracle(&self) -> &K::Oracle {
        (**self).oracle()
    }

    fn policy(&self) -> &K::Policy {
        (**self).policy()
    }
}

/// Knowledge put together from its parts.
///
/// ```
/// use outplay_search::{Bundle, Evaluation, Knowledge, NoKnowledge};
/// # use outplay_core::{Game, Move, Outcome, Player};
/// # #[derive(Clone, PartialEq, Debug)]
/// # struct Nim(u8, Player);
/// # impl Game for Nim {
/// #     type Rules = ();
/// #     type Moves = Vec<Move>;
/// #     fn start(_: &()) -> Nim { Nim(7, Player::First) }
/// #     fn to_move(&self) -> Player { self.1 }
/// #     fn legal_moves(&self) -> Vec<Move> { (1..=self.0.min(3)).map(|n| Move::new(n.into())).collect() }
/// #     fn play(&mut self, m: Move) { *self = Nim(self.0 - m.bits() as u8, !self.1) }
/// #     fn outcome(&self) -> Option<Outcome> { (self.0 == 0).then_some(Outcome::win(!self.1)) }
/// #     fn key(&self) -> u64 { u64::from(self.0) << 1 | self.1 as u64 }
/// # }
/// struct Parity;
///
/// impl Evaluation<Nim> for Parity {
///     type State = ();
///     fn state(&self) {}
///     fn evaluate(&self, (): &mut (), position: &Nim) -> i32 {
///         if position.0 % 4 == 0 { -100 } else { 100 }
///     }
/// }
///
/// let knowledge = Bundle::of(Parity);
/// assert_eq!(knowledge.evaluation().value(&Nim(4, Player::First)), -100);
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Bundle<V, T = NoKnowledge, O = NoKnowledge, P = NoKnowledge> {
    /// What positions are worth.
    pub evaluation: V,
    /// What is known about moves.
    pub tactics: T,
    /// What is certain.
    pub oracle: O,
    /// Which moves are likely.
    pub policy: P,
}

impl<V> Bundle<V> {
    /// An evaluation, and nothing else.
    pub fn of(evaluation: V) -> Bundle<V> {
        Bundle { evaluation, tactics: NoKnowledge, oracle: NoKnowledge, policy: NoKnowledge }
    }
}

impl<V: Clone> Bundle<V, V, V, V> {
    /// One that knows all of it.
    pub fn whole(knows: V) -> Bundle<V, V, V, V> {
        let [evaluation, tactics, oracle] = [knows.clone(), knows.clone(), knows.clone()];
        Bundle { evaluation, tactics, oracle, policy: knows }
    }
}

impl<G: Game, V: Evaluation<G>, T: Tactics<G>, O: Oracle<G>, P: Policy<G>> Knowledge<G>
    for Bundle<V, T, O, P>
{
    type Evaluation = V;
    type Tactics = T;
    type Oracle = O;
    type Policy = P;

    fn evaluation(&self) -> &V {
        &self.evaluation
    }

    fn tactics(&self) -> &T {
        &self.tactics
    }

    fn oracle(&self) -> &O {
        &self.oracle
    }

    fn policy(&self) -> &P {
        &self.policy
    }

    fn options(&self) -> &dyn OptionSet {
        self.evaluation.options()
    }

    fn options_mut(&mut self) -> Option<&mut dyn OptionSet> {
        self.evaluation.options_mut()
    }

    fn search_begins(&mut self) {
        self.oracle.search_begins();
    }

    fn search_ends(&mut self) {
        self.oracle.search_ends();
    }
}

/// The states of all parts of a thread's knowledge.
pub struct States<G: Game, K: Knowledge<G>> {
    /// The evaluation's.
    pub evaluation: <K::Evaluation as Evaluation<G>>::State,
    /// The tactics'.
    pub tactics: <K::Tactics as Tactics<G>>::State,
    /// The oracle's.
    pub oracle: <K::Oracle as Oracle<G>>::State,
}

impl<G: Game, K: Knowledge<G>> States<G, K> {
    /// Fresh ones.
    pub fn new(knowledge: &K) -> States<G, K> {
        States {
            evaluation: knowledge.evaluation().state(),
            tactics: knowledge.tactics().state(),
            oracle: knowledge.oracle().state(),
        }
    }
}

/// Knows nothing: every position is even, every move is like any other. For exact searches, and for games of which
/// nobody has written more than the rules.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoKnowledge;

impl<G: Game> Evaluation<G> for NoKnowledge {
    type State = ();

    fn state(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _: &G) -> i32 {
        0
    }
}

impl<G: Game> Tactics<G> for NoKnowledge {
    type State = ();

    fn state(&self) {}
}

impl<G: Game> Oracle<G> for NoKnowledge {
    type State = ();

    fn state(&self) {}
}

impl<G: Game> Policy<G> for NoKnowledge {}

impl<G: Game> Knowledge<G> for NoKnowledge {
    type Evaluation = NoKnowledge;
    type Tactics = NoKnowledge;
    type Oracle = NoKnowledge;
    type Policy = NoKnowledge;

    fn evaluation(&self) -> &NoKnowledge {
        self
    }

    fn tactics(&self) -> &NoKnowledge {
        self
    }

    fn oracle(&self) -> &NoKnowledge {
        self
    }

    fn policy(&self) -> &NoKnowledge {
        self
    }
}
