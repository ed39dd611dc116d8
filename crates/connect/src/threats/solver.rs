//! The threat search as others use it: a position in, a verdict with its proof out.

use std::error::Error;
use std::fmt;

use outplay_core::{Game, Player};

use super::proof::Proof;
use super::vcst::Vcst;
use crate::position::Connect;
use crate::rules::Rules;

/// A turn of two stones is what threats are counted for.
const TURN_STONES: usize = 2;
/// In shorter rows, two turns fill a window that holds no stone yet, and positions keep no count of those.
const SHORTEST_ROW: usize = 5;

/// What each turn of the attacker has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threats {
    /// It makes two threats at least, so that the defender has no stone to spare.
    Double,
    /// It makes one threat at least, so that the defender has one stone to spare; a search for these finds those by double threats first.
    Single,
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Positions with the attacker to move.
    pub nodes: u64,
    /// Turns of the attacker, the one that completes the row among them.
    pub turns: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 200_000, turns: 30 }
    }
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The player to move wins like this.
    Win(Proof),
    /// The player to move has no win of this kind: everything was tried.
    None,
    /// The limits came first.
    Cut,
}

/// A verdict, and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// What was found.
    pub verdict: Verdict,
    /// How many positions with the attacker to move were looked at.
    pub nodes: u64,
}

/// Why there is nothing to solve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// The rules are not of the kind that the search knows.
    Rules(Rules),
    /// The position is of a game with other rules than those of the solver.
    OtherRules(Rules),
    /// The first turn has more stones left than turns that the search knows.
    LongTurn(u8),
    /// The game is over.
    GameOver(Option<Player>),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SolveError::Rules(rules) => write!(
                f,
                "wins by threats are looked for in games with two stones in a turn and five or more in a row, such as connect6, \
                 not in Connect({rules})"
            ),
            SolveError::OtherRules(rules) => {
                write!(f, "the position is one of Connect({rules}), the solver is for other rules")
            }
            SolveError::LongTurn(left) => {
                write!(f, "the turn has {left} stones left: play all but two of them first")
            }
            SolveError::GameOver(Some(Player::First)) => write!(f, "the game is over: Black has won"),
            SolveError::GameOver(Some(Player::Second)) => write!(f, "the game is over: White has won"),
            SolveError::GameOver(None) => write!(f, "the game is over: it is a draw"),
        }
    }
}

impl Error for SolveError {}

/// Looks for wins by threats in positions of one game. It keeps its memory from one position to the next, but nothing that it has learnt: the
/// same position gives the same numbers.
pub struct Solver {
    rules: Rules,
    search: Vcst,
}

impl Solver {
    /// Whether there is a solver for these rules.
    pub const fn is_for(rules: Rules) -> bool {
        rules.turn_stones() == TURN_STONES && rules.in_a_row() >= SHORTEST_ROW
    }

    /// A solver for these rules: two stones a turn, five or more in a row.
    pub fn new(rules: Rules) -> Result<Solver, SolveError> {
        if !Solver::is_for(rules) {
            return Err(SolveError::Rules(rules));
        }
        Ok(Solver { rules, search: Vcst::new(rules) })
    }

    /// Looks for a win of the player to move, who may have placed one stone of the turn already.
    pub fn solve(
        &mut self,
        position: &Connect,
        threats: Threats,
        limits: Limits,
    ) -> Result<Solution, SolveError> {
        match threats {
            Threats::Double => self.solve_until_late(position, limits, &|| false),
            Threats::Single => {
                self.check(position)?;
                let verdict = self.search.solve(position, limits, 0);
                Ok(Solution { verdict, nodes: self.search.nodes() })
            }
        }
    }

    /// Looks for a win by double threats until it is late, which it asks every few positions: what is not found by then is cut.
    pub fn solve_until_late(
        &mut self,
        position: &Connect,
        limits: Limits,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Solution, SolveError> {
        self.check(position)?;
        let double = &mut self.search.double;
        Ok(Solution { verdict: double.solve(position, limits, is_late), nodes: double.nodes })
    }

    /// Whether there is something to solve.
    fn check(&self, position: &Connect) -> Result<(), SolveError> {
        if position.rules() != self.rules {
            return Err(SolveError::OtherRules(position.rules()));
        }
        if let Some(outcome) = position.outcome() {
            return Err(SolveError::GameOver(outcome.winner()));
        }
        match position.turn().stones_left {
            left if usize::from(left) > TURN_STONES => Err(SolveError::LongTurn(left)),
            _ => Ok(()),
        }
    }
}
