//! What a game knows beyond its rules.

use outplay_core::{Game, Move, MoveList, Outcome, Player, Rng};

use crate::{Certainty, OptionSet, Score};

/// A static evaluation of `G`, and what else a search may want to know without searching. A type beside the game, because a
/// game may have several. Only the evaluation must be written: the rest has answers that are right for every game.
///
/// All values are in hundredths of the game's natural unit (a pawn, a disc), for the player to move. Nothing here is asked
/// once the game is over.
pub trait Evaluator<G: Game>: Send + Sync {
    /// How good the position is for the player to move. Finished positions are worth their outcome, exactly.
    fn evaluate(&self, position: &G) -> i32;

    /// Its value taken apart, for people: some lines of text. `None` if there is nothing to take apart.
    fn account(&self, position: &G) -> Option<String> {
        let _ = position;
        None
    }

    /// The same at a glance: a rougher opinion that costs less, for comparing what many moves lead to.
    #[inline]
    fn glance(&self, position: &G) -> i32 {
        self.evaluate(position)
    }

    /// A legal move for a game that is played out quickly, better than chance and cheap to find; `None` to leave it to chance.
    /// Chance comes from `rng` alone.
    #[inline]
    fn playout_move(&self, position: &G, rng: &mut Rng) -> Option<Move> {
        let _ = (position, rng);
        None
    }

    /// Whether the evaluation can be trusted: nothing hangs, no threat is about to be carried out.
    #[inline]
    fn is_quiet(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// What a margin of 100 in the settings of a search is worth in this evaluation: as much as one unit of advantage that
    /// often decides a game.
    #[inline]
    fn unit(&self) -> i32 {
        100
    }

    /// Visits the legal moves that change the balance at once, such as captures, each with its [kind](Evaluator::kind_of): the
    /// only ones that are looked at where the search settles what is going on before it trusts the evaluation.
    #[inline]
    fn visit_noisy(&self, position: &G, visit: impl FnMut(Move, usize))
    where
        Self: Sized,
    {
        let _ = (position, visit);
    }

    /// Visits all other legal moves, each with its kind and its *promise*: what speaks for it at sight. A search adds what it learns of
    /// moves, which is within two million either way: moves that lie further apart than that are tried in the order of their promise.
    /// At most a billion. `None` if the move loses at once and another may not, so that it need not be tried.
    #[inline]
    fn visit_quiet(&self, position: &G, mut visit: impl FnMut(Move, usize, Option<i32>))
    where
        Self: Sized,
    {
        position.legal_moves().each().for_each(|m| visit(m, self.kind_of(position, m), Some(0)));
    }

    /// How likely a quiet move that promises so much is to be the best one, for searches that want a policy: a logarithm, up to a constant that is
    /// the same for all moves of a position. `None` if promises do not tell, whatever they are.
    #[inline]
    fn likelihood(&self, promise: i32) -> Option<f32> {
        let _ = promise;
        None
    }

    /// Visits those of them after which the opponent [must answer](Evaluator::must_answer), as far as that is cheap to see.
    #[inline]
    fn visit_forcing(&self, position: &G, visit: impl FnMut(Move, usize))
    where
        Self: Sized,
    {
        let _ = (position, visit);
    }

    /// Whether a legal move is one of the noisy ones.
    #[inline]
    fn is_noisy(&self, position: &G, m: Move) -> bool {
        let _ = (position, m);
        false
    }

    /// The most that a noisy move can win at once.
    #[inline]
    fn gain(&self, position: &G, m: Move) -> i32 {
        let _ = (position, m);
        0
    }

    /// Whether a move wins at least so much (or loses no more, if that is negative) when both sides take back what they can.
    #[inline]
    fn exchange_wins(&self, position: &G, m: Move, least: i32) -> bool {
        let _ = (position, m, least);
        true
    }

    /// Whether a move takes back what the last one has taken.
    #[inline]
    fn takes_back(&self, position: &G, m: Move, last: Move) -> bool {
        let _ = (position, m, last);
        false
    }

    /// Whether the mover must answer a threat, such as a check: then nothing is judged before the answer is seen.
    #[inline]
    fn must_answer(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// The position with the other player to move, as if the mover had made no move; `None` where that is not allowed or
    /// where it may well be better than any move.
    #[inline]
    fn pass(&self, position: &G) -> Option<G> {
        let _ = position;
        None
    }

    /// How the game ends and in how many plies, where that can be seen without searching: both with best play, the winner as soon and
    /// the loser as late as possible. Asked before the table is: what takes a look-up is [`Evaluator::certain`].
    #[inline]
    fn foreseen(&self, position: &G) -> Option<(Outcome, usize)> {
        let _ = position;
        None
    }

    /// How many quiet moves are worth a try, those that promise most, in a position below which so many plies are still to be searched; `None`
    /// for all.
    #[inline]
    fn width(&self, position: &G, depth: i32) -> Option<usize> {
        let _ = (position, depth);
        None
    }

    /// A position that is worth the same and is to be searched in place of this one, such as its mirror image; `None` for this one
    /// itself, and for the position that was given for another. Not asked of games whose positions come again.
    #[inline]
    fn representative(&self, position: &G) -> Option<G> {
        let _ = position;
        None
    }

    /// How many kinds of moves [`Evaluator::kind_of`] tells apart; at least one.
    #[inline]
    fn kinds_of_moves(&self) -> usize {
        512
    }

    /// Moves of one kind resemble each other wherever they are played, such as the same piece going to the same square; what
    /// was learned of one is believed of the others.
    #[inline]
    fn kind_of(&self, position: &G, m: Move) -> usize {
        let _ = position;
        m.index() % 512
    }

    /// A key for what lasts in a position, such as its pawns: where it is equal, the evaluation is likely to err the same way.
    #[inline]
    fn structure_key(&self, position: &G) -> Option<u64> {
        let _ = position;
        None
    }

    /// What is known for certain of a position in the tree, below which so many plies are still to be searched (none at the horizon). Asked of
    /// every position: where nothing is known, say so quickly.
    #[inline]
    fn certain(&self, position: &G, depth: i32) -> Option<Certainty> {
        let _ = (position, depth);
        None
    }

    /// Whether the player to move is found to win by force, in a position below which so many plies are still to be searched; `None` if there is
    /// nothing to look for. Asked of every position that does not look good enough as it is: so a short search will do. When it is late, which
    /// may be asked every now and then, whatever has been found until then is the answer.
    #[inline]
    fn wins_by_force(&self, position: &G, depth: i32, is_late: &dyn Fn() -> bool) -> Option<bool> {
        let _ = (position, depth, is_late);
        None
    }

    /// A win by force of the player to move, looked for where a search begins, with so many nodes of whatever search that is, or until it is late:
    /// to be asked every now and then.
    fn forced_win(&self, position: &G, nodes: u64, is_late: &dyn Fn() -> bool) -> Option<ForcedWin> {
        let _ = (position, nodes, is_late);
        None
    }

    /// A best move where the distance to the end is known; for showing how the game would end.
    fn certain_move(&self, position: &G) -> Option<Move> {
        let _ = position;
        None
    }

    /// The settings of the evaluation itself, beside those of the searches that judge by it.
    fn options(&self) -> &dyn OptionSet {
        &()
    }

    /// The same, to be changed; `None` if there are none.
    fn options_mut(&mut self) -> Option<&mut dyn OptionSet> {
        None
    }

    /// A search begins on this evaluator: what may have changed since the last one is fetched now. What is certain need only be known
    /// until [`Evaluator::search_ends`].
    fn search_begins(&mut self) {}

    /// The search is over: what was fetched for it is given back.
    fn search_ends(&mut self) {}
}

/// How a win by force goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForcedWin {
    /// The moves of both sides, the first one at least, if the other side holds out as long as it can.
    pub line: Vec<Move>,
    /// Within how many plies it is won.
    pub plies: usize,
}

impl ForcedWin {
    /// The part of a move's time that may go to looking for one before the search begins.
    pub(crate) const MOST_TIME: f64 = 0.5;

    /// What it is worth to the winner.
    pub fn score<G: Game>(&self) -> Score {
        Score::decided::<G>(Outcome::win(Player::First), Player::First, self.plies)
    }
}

/// Writes the methods of an [`Evaluator`] that ask another one: all but what is certain, which is for the outer one to say.
///
/// `forward_evaluation!(Chess: self => self.evaluator)`
#[macro_export]
macro_rules! forward_evaluation {
    ($game:ty: $this:ident => $inner:expr) => {
        #[inline]
        fn evaluate(&$this, position: &$game) -> i32 {
            $inner.evaluate(position)
        }

        fn account(&$this, position: &$game) -> Option<String> {
            $inner.account(position)
        }

        #[inline]
        fn glance(&$this, position: &$game) -> i32 {
            $inner.glance(position)
        }

        #[inline]
        fn playout_move(&$this, position: &$game, rng: &mut outplay_core::Rng) -> Option<outplay_core::Move> {
            $inner.playout_move(position, rng)
        }

        #[inline]
        fn is_quiet(&$this, position: &$game) -> bool {
            $inner.is_quiet(position)
        }

        #[inline]
        fn unit(&$this) -> i32 {
            $inner.unit()
        }

        #[inline]
        fn visit_noisy(&$this, position: &$game, visit: impl FnMut(outplay_core::Move, usize)) {
            $inner.visit_noisy(position, visit);
        }

        #[inline]
        fn visit_quiet(&$this, position: &$game, visit: impl FnMut(outplay_core::Move, usize, Option<i32>)) {
            $inner.visit_quiet(position, visit);
        }

        #[inline]
        fn likelihood(&$this, promise: i32) -> Option<f32> {
            $inner.likelihood(promise)
        }

        #[inline]
        fn visit_forcing(&$this, position: &$game, visit: impl FnMut(outplay_core::Move, usize)) {
            $inner.visit_forcing(position, visit);
        }

        #[inline]
        fn is_noisy(&$this, position: &$game, m: outplay_core::Move) -> bool {
            $inner.is_noisy(position, m)
        }

        #[inline]
        fn gain(&$this, position: &$game, m: outplay_core::Move) -> i32 {
            $inner.gain(position, m)
        }

        #[inline]
        fn exchange_wins(&$this, position: &$game, m: outplay_core::Move, least: i32) -> bool {
            $inner.exchange_wins(position, m, least)
        }

        #[inline]
        fn takes_back(&$this, position: &$game, m: outplay_core::Move, last: outplay_core::Move) -> bool {
            $inner.takes_back(position, m, last)
        }

        #[inline]
        fn must_answer(&$this, position: &$game) -> bool {
            $inner.must_answer(position)
        }

        #[inline]
        fn pass(&$this, position: &$game) -> Option<$game> {
            $inner.pass(position)
        }

        #[inline]
        fn foreseen(&$this, position: &$game) -> Option<(outplay_core::Outcome, usize)> {
            $inner.foreseen(position)
        }

        #[inline]
        fn width(&$this, position: &$game, depth: i32) -> Option<usize> {
            $inner.width(position, depth)
        }

        #[inline]
        fn representative(&$this, position: &$game) -> Option<$game> {
            $inner.representative(position)
        }

        #[inline]
        fn kinds_of_moves(&$this) -> usize {
            $inner.kinds_of_moves()
        }

        #[inline]
        fn kind_of(&$this, position: &$game, m: outplay_core::Move) -> usize {
            $inner.kind_of(position, m)
        }

        #[inline]
        fn structure_key(&$this, position: &$game) -> Option<u64> {
            $inner.structure_key(position)
        }
    };
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for &E {
    forward_evaluation!(G: self => (**self));

    #[inline]
    fn certain(&self, position: &G, depth: i32) -> Option<Certainty> {
        (**self).certain(position, depth)
    }

    #[inline]
    fn wins_by_force(&self, position: &G, depth: i32, is_late: &dyn Fn() -> bool) -> Option<bool> {
        (**self).wins_by_force(position, depth, is_late)
    }

    fn forced_win(&self, position: &G, nodes: u64, is_late: &dyn Fn() -> bool) -> Option<ForcedWin> {
        (**self).forced_win(position, nodes, is_late)
    }

    fn certain_move(&self, position: &G) -> Option<Move> {
        (**self).certain_move(position)
    }
}

/// The evaluation that knows nothing: for exact searches, and for games without knowledge.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoKnowledge;

impl<G: Game> Evaluator<G> for NoKnowledge {
    fn evaluate(&self, _: &G) -> i32 {
        0
    }
}
