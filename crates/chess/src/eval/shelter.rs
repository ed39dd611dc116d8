//! The king behind its pawns: where it stands, and what is left before it.

use cozy_chess::{BitBoard, Board, Color, File, Piece};

use super::side::{Side, fill_up, from_edge, rank_of, seen_by};
use super::sink::Sink;
use super::terms::*;

/// The king's square, and the pawns of both sides on its file and beside it. Returns how many of the files have no own pawn.
#[inline(always)]
pub(super) fn shelter<S: Side, T: Sink>(board: &Board, sink: &mut T) -> usize {
    let king = board.king(S::COLOR);
    sink.add::<S>(KING_ON.at(seen_by::<S>(king)), 1);
    let before = fill_up::<S>(king.rank().bitboard());
    let own = board.colored_pieces(S::COLOR, Piece::Pawn) & before;
    let enemy = board.colored_pieces(!S::COLOR, Piece::Pawn) & before;
    let middle = (king.file() as usize).clamp(1, 6);
    let mut open_files = 0;
    for file in middle - 1..=middle + 1 {
        let line = File::index(file).bitboard();
        let (ours, theirs) = (nearest_rank::<S>(own & line), nearest_rank::<S>(enemy & line));
        sink.add::<S>(SHELTER.at(from_edge(file) * 8 + ours), 1);
        if ours != 0 && theirs == ours + 1 {
            sink.add::<S>(BLOCKED_STORM.at(theirs), 1);
        } else {
            sink.add::<S>(STORM.at(from_edge(file) * 8 + theirs), 1);
        }
        open_files += usize::from(ours == 0);
    }
    open_files
}

/// The rank of the pawn nearest to the side's own first rank; 0 if there is none.
#[inline(always)]
fn nearest_rank<S: Side>(pawns: BitBoard) -> usize {
    let nearest = match S::COLOR {
        Color::White => pawns.next_square(),
        Color::Black => pawns.flip_ranks().next_square().map(|square| square.flip_rank()),
    };
    nearest.map_or(0, rank_of::<S>)
}
