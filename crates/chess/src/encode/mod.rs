//! Positions as networks are shown them: as the networks of Leela Chess Zero (lc0) are.
//!
//! `planes.rs` has the position and its past, `policy.rs` the places of moves.

mod planes;
mod policy;

use outplay_core::{Game, Move, Planes};
use outplay_search::mcts::LeafEncoder;

use crate::Chess;

/// The encoders of chess. They show the same planes and differ in the order of the policy.
///
/// The board is seen by the player to move: for Black, ranks are reversed and colours exchanged, in moves too. Files stay as they are. A cell is eight
/// times its rank plus its file, so that a1 (a8 for Black) is cell 0 and b1 is cell 1.
///
/// | planes | what |
/// |---|---|
/// | 13 i + 0 to 5 | the mover's pawns, knights, bishops, rooks, queens and king, i plies ago; i goes from 0 to 7 |
/// | 13 i + 6 to 11 | the opponent's |
/// | 13 i + 12 | all ones if that position had stood on the board before |
/// | 104, 105 | 1 if the mover may castle on the queen's side, on the king's side |
/// | 106, 107 | 1 if the opponent may |
/// | 108 | 1 if Black moves |
/// | 109 | plies since the last capture or pawn move |
/// | 110 | 0 |
/// | 111 | 1 |
///
/// Where the game is too young for a past of seven plies, the planes before its first position are empty if that was the standard array. A game that
/// begins elsewhere is continued backwards with its first position as often as needed; if a pawn can be captured in passing there, it is shown before
/// its double step. These are lc0's input format 1 and its defaults.
///
/// Castling is the king taking its own rook, as in the moves of this crate. A pawn that becomes a knight has the place of a move without promotion; the
/// other three have places of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChessEncoder {
    /// `chess-112`: the policy has 80 planes of 64 cells, of which 73 are used. A move's place is 64 times its plane plus the cell that it comes from.
    ///
    /// | planes | what |
    /// |---|---|
    /// | 7 d + n - 1 | n steps in direction d: up, up and right, right, and on clockwise to up and left |
    /// | 56 to 63 | knights' moves, clockwise from the one that goes two up and one right |
    /// | 64 to 66 | a pawn captures to the left and becomes a rook, a bishop, a queen |
    /// | 67 to 69 | the same straight on |
    /// | 70 to 72 | the same to the right |
    Convolution,
    /// `chess-112-dense`: the policy has a place for each of the 1858 moves that some piece could make. First come all pairs of a cell to come from and
    /// one to go to, ordered by the first and then by the second, between which a queen or a knight can move; then promotions to queen, rook and bishop
    /// for each pair of files that a pawn can promote between.
    Dense,
}

impl LeafEncoder<Chess> for ChessEncoder {
    fn name(&self) -> &str {
        match self {
            ChessEncoder::Convolution => "chess-112",
            ChessEncoder::Dense => "chess-112-dense",
        }
    }

    fn planes(&self) -> Planes {
        planes::PLANES
    }

    fn past_positions(&self) -> usize {
        planes::PAST
    }

    fn encode(&self, position: &Chess, past: &[Chess], words: &mut Vec<u64>) {
        planes::append(position, past, words);
    }

    fn policy_size(&self) -> usize {
        match self {
            ChessEncoder::Convolution => policy::CONVOLUTION_SIZE,
            ChessEncoder::Dense => policy::DENSE_SIZE,
        }
    }

    fn policy_index(&self, position: &Chess, m: Move) -> u16 {
        let seen = policy::Seen::by(position.to_move(), m);
        match self {
            ChessEncoder::Convolution => seen.convolution_index(),
            ChessEncoder::Dense => seen.dense_index(),
        }
    }
}
