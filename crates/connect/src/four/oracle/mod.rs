//! What every position of Connect Four is worth, for certain.
//!
//! A search of its own, for this game alone: bitboards, null windows only, and a table of bounds (`search.rs`, `table.rs`). What
//! makes it fast is in `follow_up.rs`: whoever can answer each stone by one above it often holds the game, or wins it, and that is seen
//! without a search. `bounds.rs` says what scores mean.
//!
//! ```
//! use outplay_connect::ConnectFour;
//! use outplay_connect::four::{Limits, Oracle, Rules};
//! use outplay_core::Notation;
//!
//! let rules = Rules::default();
//! let position = ConnectFour::parse_position(&rules, "2252576253462244111563365343671351441")?;
//! let bounds = Oracle::new(rules, Oracle::USUAL_MEBIBYTES).value(&position, &mut Limits::default())?;
//! // The opponent wins with the last stone that he has.
//! assert_eq!((bounds.exact(), bounds.plies()), (Some(-1), Some(4)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod follow_up;
mod search;
mod shape;
mod table;
#[cfg(test)]
mod tests;

pub use bounds::Bounds;

use std::fmt;
use std::ops::ControlFlow;

use outplay_core::{Game, Move, MoveList};

use super::{ConnectFour, Rules};
use search::{Board, Search};
use shape::{AnySize, Shape, Standard};
use table::Table;

/// Solves positions on one board. What it has learnt stays in its table, for all that it is asked afterwards.
pub struct Oracle {
    rules: Rules,
    table: Table,
    nodes: u64,
}

/// How long an [`Oracle`] may work on one question; without limits by default.
#[derive(Default)]
pub struct Limits<'a> {
    /// Stop after so many positions.
    pub nodes: Option<u64>,
    /// Told every million positions or so how far it has come; stops it by breaking off.
    pub watch: Option<&'a mut Watch<'a>>,
}

/// See [`Limits::watch`].
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// How far an [`Oracle`] has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions searched so far.
    pub nodes: u64,
    /// What is known of the position that it is searching: the one it was asked about, or one after a move.
    pub bounds: Bounds,
}

/// Why an [`Oracle`] has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OracleError {
    /// The game has ended.
    GameOver,
    /// The position has another board than the oracle: that one.
    OtherBoard(Rules),
}

impl fmt::Display for OracleError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OracleError::GameOver => write!(f, "the game is over here: there is nothing to solve"),
            OracleError::OtherBoard(rules) => write!(f, "this oracle is for boards of {rules} only"),
        }
    }
}

impl std::error::Error for OracleError {}

impl Oracle {
    /// Memory for the table that does for the standard board: more saves positions, but costs more than it saves where it does not fit
    /// into the processor's cache.
    pub const USUAL_MEBIBYTES: usize = 8;

    /// An oracle for one size of board with so much memory, rounded down to a power of two, but two mebibytes at least.
    pub fn new(rules: Rules, mebibytes: usize) -> Oracle {
        Oracle { rules, table: Table::new(mebibytes), nodes: 0 }
    }

    /// Forgets all that was learnt.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// How many positions were searched for the last question.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What a position is worth to the player to move; exactly, unless the limits come first.
    pub fn value(&mut self, position: &ConnectFour, limits: &mut Limits) -> Result<Bounds, OracleError> {
        self.begin(position)?;
        Ok(self.narrowed(position, limits))
    }

    /// Who wins with best play: 1 for the player to move, -1 for the opponent, 0 for nobody. Quicker than [`Oracle::value`], which also says how soon.
    pub fn result(&mut self, position: &ConnectFour) -> Result<i16, OracleError> {
        self.begin(position)?;
        let mut is_at_most = |score| self.is_at_most(position, score, &mut Limits::default());
        Ok(match (is_at_most(-1), is_at_most(0)) {
            (Some(true), _) => -1,
            (_, Some(true)) => 0,
            _ => 1,
        })
    }

    /// What each legal move is worth to the player who makes it. A move that the limits left no time for has wide bounds.
    pub fn move_values(
        &mut self,
        position: &ConnectFour,
        limits: &mut Limits,
    ) -> Result<Vec<(Move, Bounds)>, OracleError> {
        self.begin(position)?;
        let mut is_stopped = false;
        let value = |m: Move| {
            let next = position.after(m);
            let bounds = match next.outcome() {
                Some(outcome) => Bounds::of_outcome(outcome, &next),
                None if is_stopped => Bounds::of_anything(&next),
                None => self.narrowed(&next, limits),
            };
            is_stopped |= bounds.exact().is_none();
            (m, bounds.before_move())
        };
        Ok(position.legal_moves().each().map(value).collect())
    }

    /// The moves that are worth as much as the position, which a win that takes longer is not; `None` if the limits came first.
    pub fn best_moves(
        &mut self,
        position: &ConnectFour,
        limits: &mut Limits,
    ) -> Result<Option<Vec<Move>>, OracleError> {
        let Some(value) = self.value(position, limits)?.exact() else { return Ok(None) };
        let mut best = Vec::new();
        for m in position.legal_moves().each() {
            let next = position.after(m);
            let is_best = match next.outcome() {
                Some(outcome) => Bounds::of_outcome(outcome, &next).before_move().least() >= value,
                // One question to the opponent's side is enough.
                None => match self.is_at_most(&next, -value, limits) {
                    Some(answer) => answer,
                    None => return Ok(None),
                },
            };
            if is_best {
                best.push(m);
            }
        }
        Ok(Some(best))
    }

    /// The moves that keep the result, a win, a draw or a loss, however long it takes, with that result as a sign; `None` if the limits came first. In a
    /// lost position these are all.
    pub fn keeping_moves(
        &mut self,
        position: &ConnectFour,
        limits: &mut Limits,
    ) -> Result<Option<(i32, Vec<Move>)>, OracleError> {
        self.begin(position)?;
        let Some(is_no_win) = self.is_at_most(position, 0, limits) else { return Ok(None) };
        let is_loss = if is_no_win { self.is_at_most(position, -1, limits) } else { Some(false) };
        let Some(is_loss) = is_loss else { return Ok(None) };
        let sign = i32::from(!is_no_win) - i32::from(is_loss);
        let mut keeping = Vec::new();
        for m in position.legal_moves().each() {
            let next = position.after(m);
            let keeps = match next.outcome() {
                _ if is_loss => true,
                Some(outcome) => Bounds::of_outcome(outcome, &next).before_move().least().signum() >= sign,
                None => match self.is_at_most(&next, -sign, limits) {
                    Some(answer) => answer,
                    None => return Ok(None),
                },
            };
            if keeps {
                keeping.push(m);
            }
        }
        Ok(Some((sign, keeping)))
    }

    fn begin(&mut self, position: &ConnectFour) -> Result<(), OracleError> {
        self.nodes = 0;
        match position.outcome() {
            _ if position.rules != self.rules => Err(OracleError::OtherBoard(self.rules)),
            Some(_) => Err(OracleError::GameOver),
            None => Ok(()),
        }
    }

    fn narrowed(&mut self, position: &ConnectFour, limits: &mut Limits) -> Bounds {
        if self.rules == Rules::default() {
            self.with_search(Standard, position, limits, |search, board| search.narrow(board))
        } else {
            let shape = AnySize::new(self.rules);
            self.with_search(shape, position, limits, |search, board| search.narrow(board))
        }
    }

    fn is_at_most(&mut self, position: &ConnectFour, score: i32, limits: &mut Limits) -> Option<bool> {
        let bounds = if self.rules == Rules::default() {
            self.with_search(Standard, position, limits, |search, board| search.compare(board, score))
        } else {
            let shape = AnySize::new(self.rules);
            self.with_search(shape, position, limits, |search, board| search.compare(board, score))
        };
        match bounds {
            _ if bounds.most() <= score => Some(true),
            _ if bounds.least() > score => Some(false),
            _ => None,
        }
    }

    fn with_search<S: Shape>(
        &mut self,
        shape: S,
        position: &ConnectFour,
        limits: &mut Limits,
        ask: impl FnOnce(&mut Search<S>, Board),
    ) -> Bounds {
        let mut search =
            Search::new(shape, &mut self.table, limits, self.nodes, Bounds::of_anything(position));
        ask(&mut search, Board::of(position));
        let (nodes, bounds) = (search.nodes(), search.bounds());
        self.nodes = nodes;
        bounds
    }
}
