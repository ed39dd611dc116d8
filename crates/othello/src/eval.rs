//! First evaluations: enough to play sensibly, simple enough to see through.

use outplay_core::{Game, Move, Rng};
use outplay_search::{Bundle, Evaluation, Policy, Tactics};

use crate::{Endgames, Othello, kernels};

/// Counts discs, as a beginner does. Worth comparing with: it plays badly, because discs come and go.
#[derive(Clone, Copy, Default, Debug)]
pub struct DiscCount;

impl Evaluation<Othello> for DiscCount {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Othello) -> i32 {
        let (mover, opponent) = (position.mover(), position.opponent());
        100 * (kernels::count_bits(mover) as i32 - kernels::count_bits(opponent) as i32)
    }
}

/// What players are taught: take corners, do not give them away, and have more moves than the opponent.
#[derive(Clone, Copy, Default, Debug)]
pub struct Positional;

impl Evaluation<Othello> for Positional {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Othello) -> i32 {
        positional(position.mover(), position.opponent(), position.legal_moves().squares())
    }
}

/// What [`Positional`] says of boards on which the mover has these moves.
pub(crate) fn positional(mover: u64, opponent: u64, mobility: u64) -> i32 {
    let empty = !(mover | opponent);
    let replies = kernels::legal_moves(opponent, mover);
    worth(mover, empty, mobility) - worth(opponent, empty, replies)
}

/// All that is known of Othello besides its rules, with this evaluation.
pub fn knowledge<V>(evaluation: V) -> Bundle<V, Corners, Endgames, Corners> {
    Bundle { evaluation, tactics: Corners, oracle: Endgames, policy: Corners }
}

/// Knows that corners are what changes a game at a stroke.
#[derive(Clone, Copy, Default, Debug)]
pub struct Corners;

impl Policy<Othello> for Corners {
    /// A corner if there is one, and nothing that gives one away if there is anything else.
    #[inline]
    fn playout_move(&self, position: &Othello, rng: &mut Rng) -> Option<Move> {
        let squares = position.legal_moves().squares();
        let risky = around(CORNERS & position.empty()) & DIAGONAL_NEIGHBOURS;
        let preferred = match squares & CORNERS {
            0 => squares & !risky,
            corners => corners,
        };
        let count = kernels::count_bits(preferred) as usize;
        (count > 0).then(|| Move::new(kernels::nth_bit(preferred, rng.below(count) as u32) as u16))
    }
}

impl Tactics<Othello> for Corners {
    type State = ();

    fn state(&self) {}

    /// No corner is about to fall.
    fn is_quiet(&self, position: &Othello) -> bool {
        position.legal_moves().squares() & CORNERS == 0
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0x3C00_8181_8181_003C;
/// The squares diagonally beside the corners.
const DIAGONAL_NEIGHBOURS: u64 = 0x0042_0000_0000_4200;
/// The squares beside the corners on the edge.
const EDGE_NEIGHBOURS: u64 = 0x4281_0000_0000_8142;

// In hundredths of a disc, for each.
const CORNER: i32 = 1_000;
const EDGE: i32 = 60;
const DIAGONAL_NEIGHBOUR: i32 = -400;
const EDGE_NEIGHBOUR: i32 = -180;
const MOVE: i32 = 100;
const FRONTIER: i32 = -30;

/// What a player's discs and moves are worth.
fn worth(discs: u64, empty: u64, moves: u64) -> i32 {
    // The neighbours of a corner are a danger only as long as it is empty.
    let exposed = around(CORNERS & empty);
    let frontier = discs & around(empty);
    let count = |squares: u64| kernels::count_bits(squares) as i32;
    CORNER * count(discs & CORNERS)
        + EDGE * count(discs & EDGES)
        + DIAGONAL_NEIGHBOUR * count(discs & exposed & DIAGONAL_NEIGHBOURS)
        + EDGE_NEIGHBOUR * count(discs & exposed & EDGE_NEIGHBOURS)
        + MOVE * count(moves)
        + FRONTIER * count(frontier)
}

/// The squares beside these, and these.
fn around(squares: u64) -> u64 {
    const NOT_FIRST_COLUMN: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_LAST_COLUMN: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = squares | (squares << 1 & NOT_FIRST_COLUMN) | (squares >> 1 & NOT_LAST_COLUMN);
    row | row << 8 | row >> 8
}
