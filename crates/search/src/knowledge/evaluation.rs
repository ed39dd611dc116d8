//! What a position is worth at sight.

use outplay_core::{Game, Line, Move};

use super::{Foretelling, Knowledge};
use crate::OptionSet;

/// A static evaluation of `G`. A type beside the game, because a game may have several.
///
/// It may keep a state that follows the search from position to position, such as the accumulators of a network or the
/// counts of patterns. The state belongs to a thread, so nothing is locked; the evaluation itself is shared by all
/// threads and does not change while they search. Whoever owns a state tells it where it stands: [`Evaluation::reset`] at
/// the root, then [`Evaluation::make`] and [`Evaluation::unmake`] for each move on the way. How much work is done then,
/// and how much when a value is asked for, is the evaluation's own affair; asking again gives the same value.
///
/// An evaluation that needs no state has `()`, writes [`Evaluation::evaluate`], and costs nothing else. One that keeps a
/// state has to write [`Evaluation::reset`]; the other two do a reset unless they know better.
/// [`check_evaluation`](crate::conformance::check_evaluation) tests that they do not know worse.
///
/// All values are in hundredths of the game's natural unit (a pawn, a disc), for the player to move. Nothing is asked
/// once the game is over.
pub trait Evaluation<G: Game>: Send + Sync {
    /// What a thread keeps from one position to the next.
    type State: Send;

    /// A state that stands nowhere yet.
    fn state(&self) -> Self::State;

    /// The state stands at this position from now on, wherever it stood before: at the root of a search, or at another
    /// image of the same position that is searched in its place.
    #[inline]
    fn reset(&self, state: &mut Self::State, position: &G) {
        let _ = (state, position);
    }

    /// The same where a search begins, for evaluations that look at earlier positions of the game too.
    #[inline]
    fn begin(&self, state: &mut Self::State, line: &Line<G>) {
        self.reset(state, line.position());
    }

    /// A move was made, or none (a null move), that has led from one position to the other.
    #[inline]
    fn make(&self, state: &mut Self::State, before: &G, m: Option<Move>, after: &G) {
        let _ = (before, m);
        self.reset(state, after);
    }

    /// The last move was taken back: the state stands at the position before it again.
    #[inline]
    fn unmake(&self, state: &mut Self::State, before: &G) {
        self.reset(state, before);
    }

    /// How good the position is, at which the state stands, for the player to move.
    fn evaluate(&self, state: &mut Self::State, position: &G) -> i32;

    /// A rougher opinion that costs less, for comparing what many moves lead to.
    #[inline]
    fn evaluate_fast(&self, state: &mut Self::State, position: &G) -> i32 {
        self.evaluate(state, position)
    }

    /// The value taken apart, for people: some lines of text. `None` if there is nothing to take apart.
    fn explain(&self, position: &G) -> Option<String> {
        let _ = position;
        None
    }

    /// What a margin of 100 in the settings of a search is worth in this evaluation: as much as one unit of advantage
    /// that often decides a game.
    #[inline]
    fn unit(&self) -> i32 {
        100
    }

    /// How well searches by this evaluation foretell deeper ones in positions like this, from [`Foretelling::LEAST`] plies on: for ProbCut, as
    /// `outplay tune probcut` measures it. Empty where nobody has.
    #[inline]
    fn foretold(&self, position: &G) -> &'static [Foretelling] {
        let _ = position;
        &[]
    }

    /// Which part of the game a position belongs to, counted from 0, where searches foretell others better or worse.
    #[inline]
    fn phase(&self, position: &G) -> usize {
        let _ = position;
        0
    }

    /// A key for what lasts in a position, such as its pawns: where it is equal, the evaluation is likely to err the same
    /// way. For the correction history.
    #[inline]
    fn structure_key(&self, position: &G) -> Option<u64> {
        let _ = position;
        None
    }

    /// The settings of the evaluation.
    fn options(&self) -> &dyn OptionSet {
        &()
    }

    /// The same, to be changed; `None` if there are none.
    fn options_mut(&mut self) -> Option<&mut dyn OptionSet> {
        None
    }

    /// The value of a position by itself, with a state made for it. For people and tests: whoever asks often keeps an
    /// [`Evaluating`].
    fn value(&self, position: &G) -> i32
    where
        Self: Sized,
    {
        let mut state = self.state();
        self.reset(&mut state, position);
        self.evaluate(&mut state, position)
    }
}

/// An evaluation together with a state, for whoever asks about positions in any order and does not want to know the
/// type: the textbook searches, and people.
pub trait Evaluator<G: Game>: Send {
    /// How good a position is for the player to move.
    fn value(&mut self, position: &G) -> i32;
}

/// The [`Evaluator`] that knowledge of a game makes.
pub struct Evaluating<G: Game, K: Knowledge<G>> {
    knowledge: K,
    state: <K::Evaluation as Evaluation<G>>::State,
}

impl<G: Game, K: Knowledge<G>> Evaluating<G, K> {
    /// Asks the evaluation of this knowledge.
    pub fn new(knowledge: K) -> Evaluating<G, K> {
        Evaluating { state: knowledge.evaluation().state(), knowledge }
    }
}

impl<G: Game, K: Knowledge<G>> Evaluator<G> for Evaluating<G, K> {
    fn value(&mut self, position: &G) -> i32 {
        let evaluation = self.knowledge.evaluation();
        evaluation.reset(&mut self.state, position);
        evaluation.evaluate(&mut self.state, position)
    }
}
