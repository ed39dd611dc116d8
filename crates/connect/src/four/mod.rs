//! Connect Four: stones drop to the lowest empty cell of a column, four in a row win.
//!
//! Small boards are solved in seconds and their values are known, which makes this game the ground truth for
//! solvers and for learning.

mod encode;
mod eval;
mod labels;
mod notation;
mod oracle;
mod problems;
mod rules;
mod tactics;

pub use encode::ConnectFourEncoder;
pub use eval::{FoursAtSight, OpenFours, knowledge};
pub use labels::OracleLabels;
pub use oracle::{Bounds, Limits, Oracle, OracleError, Progress, Watch};
pub use rules::Rules;

use std::fmt;

use outplay_core::problem::ProblemVisitor;
use outplay_core::{Game, Move, Notation, Outcome, ParseError, Player, Records, SquareMoves, Symmetric, mix};

/// A position of Connect Four. A move is a column, counted from 0 at the left.
///
/// Each player's stones are a word of bits: column by column from the left, in a column from the bottom up,
/// and above each column one more bit that never holds a stone. That bit keeps lines from running over the
/// top of one column into the next.
#[derive(Clone, PartialEq)]
pub struct ConnectFour {
    stones: [u64; 2],
    rules: Rules,
    to_move: Player,
    outcome: Option<Outcome>,
}

// Copied at every move.
const _: () = assert!(size_of::<ConnectFour>() <= 24);

impl ConnectFour {
    /// The rules of this game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whose stone is in this cell of the board, counted from 0 at the lower left.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn stone_at(&self, column: usize, row: usize) -> Option<Player> {
        assert!(column < self.rules.columns() && row < self.rules.rows(), "no cell {column}, {row}");
        let cell = self.rules.cell(column, row);
        Player::BOTH.into_iter().find(|player| self.stones[player.index()] & cell != 0)
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The cell in which a stone comes to rest.
    #[inline]
    fn landing_cell(&self, m: Move) -> u64 {
        let occupied = self.occupied();
        // Adding a column's lowest bit to its stones carries into its lowest empty cell.
        (occupied + self.rules.cell(m.index(), 0)) & !occupied
    }
}

/// A bit for each place where four in a row begin in a direction, given as the distance of neighbouring bits.
#[inline]
fn fours(stones: u64, direction: usize) -> u64 {
    let pairs = stones & stones >> direction;
    pairs & pairs >> (2 * direction)
}

#[inline]
fn has_four(stones: u64, rules: Rules) -> bool {
    rules.directions().into_iter().fold(0, |found, direction| found | fours(stones, direction)) != 0
}

impl Game for ConnectFour {
    type Rules = Rules;
    type Moves = SquareMoves<1>;

    const ALTERNATES: bool = true;

    fn start(rules: &Rules) -> ConnectFour {
        ConnectFour { stones: [0, 0], rules: *rules, to_move: Player::First, outcome: None }
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn legal_moves(&self) -> SquareMoves<1> {
        if self.outcome.is_some() {
            return SquareMoves([0]);
        }
        let tops = !self.occupied() >> (self.rules.rows() - 1);
        let columns = 0..self.rules.columns();
        SquareMoves([
            columns.fold(0, |open, column| open | (tops >> (column * self.rules.stride()) & 1) << column)
        ])
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(self.is_legal(m));
        let occupied = self.occupied();
        let dropped = self.landing_cell(m);
        let own = &mut self.stones[self.to_move.index()];
        *own |= dropped;
        if has_four(*own, self.rules) {
            self.outcome = Some(Outcome::win(self.to_move));
        } else if occupied | dropped == self.rules.board() {
            self.outcome = Some(Outcome::DRAW);
        }
        self.to_move = !self.to_move;
    }

    fn passed(&self) -> Option<ConnectFour> {
        Some(ConnectFour { to_move: !self.to_move, ..self.clone() })
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Scrambled from a code that no two positions share: a pile of height `h`, with the mover's stones added
    /// to all of its stones, is a number from `2^h - 1` to `2^(h + 1) - 2`.
    #[inline]
    fn key(&self) -> u64 {
        mix(self.stones[self.to_move.index()] + self.occupied())
    }
}

/// Up to so many stones, mirror images are looked for: later hardly any position is reached both ways.
const MIRRORED_UP_TO: u32 = 12;

impl ConnectFour {
    /// The mirror image, if the two are to be searched as one and that is the one.
    #[inline]
    fn mirror_image_to_search(&self) -> Option<ConnectFour> {
        if self.occupied().count_ones() > MIRRORED_UP_TO {
            return None;
        }
        let mirrored = self.transformed(1);
        (mirrored.stones < self.stones).then_some(mirrored)
    }
}

/// The identity, and the mirror image that reverses the columns.
impl Symmetric for ConnectFour {
    fn symmetries(&self) -> usize {
        2
    }

    fn transformed(&self, index: usize) -> ConnectFour {
        let mirrored = |stones: u64| {
            (0..self.rules.columns()).fold(0, |mirrored, column| {
                let pile = stones >> (column * self.rules.stride()) & self.rules.column(0);
                mirrored | pile << ((self.rules.columns() - 1 - column) * self.rules.stride())
            })
        };
        match index {
            0 => self.clone(),
            _ => ConnectFour { stones: self.stones.map(mirrored), ..self.clone() },
        }
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        match index {
            0 => m,
            _ => Move::new((self.rules.columns() - 1 - m.index()) as u16),
        }
    }
}

impl Records for ConnectFour {
    fn visit_problems(
        rules: &Rules,
        bytes: &[u8],
        visit: &mut ProblemVisitor<ConnectFour>,
    ) -> Result<(), ParseError> {
        problems::visit(rules, bytes, visit)
    }
}

impl fmt::Debug for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "ConnectFour({} on {})", self.position_text(), self.rules)
    }
}
