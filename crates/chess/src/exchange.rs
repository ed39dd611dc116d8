//! What an exchange on one square brings, if both sides take back with their least piece as long as that pays.

use cozy_chess::{
    BitBoard, Board, Color, Move as CozyMove, Piece, Rank, Square, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

// [piece], in hundredths of a pawn. The king comes last and is taken by nobody.
const WORTH: [i32; Piece::NUM] = [100, 320, 330, 500, 950, 0];

/// What a piece counts in an exchange.
#[inline]
pub(crate) fn worth(piece: Piece) -> i32 {
    WORTH[piece as usize]
}

/// The piece that a legal move takes, in passing too. Castling takes nothing.
#[inline]
pub(crate) fn victim(board: &Board, m: CozyMove) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(m.to) {
        return board.piece_on(m.to);
    }
    takes_in_passing(board, m).then_some(Piece::Pawn)
}

#[inline]
fn takes_in_passing(board: &Board, m: CozyMove) -> bool {
    m.from.file() != m.to.file()
        && board.pieces(Piece::Pawn).has(m.from)
        && !board.colors(!board.side_to_move()).has(m.to)
}

/// What a legal move wins before anything is taken back.
#[inline]
pub(crate) fn gain(board: &Board, m: CozyMove) -> i32 {
    victim(board, m).map_or(0, worth) + m.promotion.map_or(0, |piece| worth(piece) - worth(Piece::Pawn))
}

/// Whether a legal move wins at least so much. Pieces that are pinned are thought to be free to take.
pub(crate) fn wins(board: &Board, m: CozyMove, least: i32) -> bool {
    let mover = board.side_to_move();
    if board.colors(mover).has(m.to) {
        // Castling exchanges nothing.
        return least <= 0;
    }
    let Some(moved) = board.piece_on(m.from) else { return false };
    // What the side to move is ahead of what it wants, if nothing more is taken.
    let mut ahead = gain(board, m) - least;
    if ahead < 0 {
        return false;
    }
    ahead -= worth(m.promotion.unwrap_or(moved));
    if ahead >= 0 {
        return true;
    }
    let mut occupied = (board.occupied() ^ m.from.bitboard()) | m.to.bitboard();
    if takes_in_passing(board, m) {
        occupied ^= Square::new(m.to.file(), Rank::Fifth.relative_to(mover)).bitboard();
    }
    let sliders = Sliders::towards(board, m.to);
    let mut attackers =
        (steppers_at(board, m.to) | sliders.straight_at(occupied) | sliders.diagonal_at(occupied)) & occupied;
    let mut side = !mover;
    loop {
        let own = attackers & board.colors(side);
        let Some((square, piece)) = least_piece(board, own) else { break };
        if piece == Piece::King {
            // A king may only take what is not protected.
            if !(attackers & board.colors(!side)).is_empty() {
                break;
            }
            side = !side;
            break;
        }
        occupied ^= square.bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= sliders.diagonal_at(occupied);
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= sliders.straight_at(occupied);
        }
        attackers &= occupied;
        side = !side;
        // The other side is behind by what it has just lost, and gets what has just taken.
        ahead = -ahead - 1 - worth(piece);
        if ahead >= 0 {
            break;
        }
    }
    // Whoever cannot or need not take any more has come out behind.
    side != mover
}

/// The least valuable of some pieces.
#[inline]
fn least_piece(board: &Board, pieces: BitBoard) -> Option<(Square, Piece)> {
    Piece::ALL.into_iter().find_map(|piece| Some(((pieces & board.pieces(piece)).next_square()?, piece)))
}

/// The men that attack a square from where nothing can stand in between.
#[inline]
fn steppers_at(board: &Board, square: Square) -> BitBoard {
    get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn)
        | get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn)
        | get_knight_moves(square) & board.pieces(Piece::Knight)
        | get_king_moves(square) & board.pieces(Piece::King)
}

/// The sliders that would attack a square on an empty board. Mostly there are few, and looking up what a line holds takes long.
struct Sliders {
    square: Square,
    straight: BitBoard,
    diagonal: BitBoard,
}

impl Sliders {
    #[inline]
    fn towards(board: &Board, square: Square) -> Sliders {
        let queens = board.pieces(Piece::Queen);
        Sliders {
            square,
            straight: get_rook_rays(square) & (board.pieces(Piece::Rook) | queens),
            diagonal: get_bishop_rays(square) & (board.pieces(Piece::Bishop) | queens),
        }
    }

    /// Those that attack the square along files and ranks if these squares are occupied.
    #[inline]
    fn straight_at(&self, occupied: BitBoard) -> BitBoard {
        match self.straight.is_disjoint(occupied) {
            true => BitBoard::EMPTY,
            false => get_rook_moves(self.square, occupied) & self.straight,
        }
    }

    /// Those that attack it along diagonals.
    #[inline]
    fn diagonal_at(&self, occupied: BitBoard) -> BitBoard {
        match self.diagonal.is_disjoint(occupied) {
            true => BitBoard::EMPTY,
            false => get_bishop_moves(self.square, occupied) & self.diagonal,
        }
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, MoveList, Notation, Rng};

    use super::*;
    use crate::{Chess, ChessRules, to_cozy};

    /// All pieces that attack a square if these squares are occupied.
    fn attackers_of(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
        let queens = board.pieces(Piece::Queen);
        steppers_at(board, square)
            | get_bishop_moves(square, occupied) & (board.pieces(Piece::Bishop) | queens)
            | get_rook_moves(square, occupied) & (board.pieces(Piece::Rook) | queens)
    }

    /// What a side wins by taking on a square with its least piece, or not, while the other does likewise.
    fn best_taking(board: &Board, square: Square, side: Color, on_square: Piece, occupied: BitBoard) -> i32 {
        let attackers = attackers_of(board, square, occupied) & occupied;
        let Some((from, piece)) = least_piece(board, attackers & board.colors(side)) else { return 0 };
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            return 0;
        }
        let occupied = occupied ^ from.bitboard();
        (worth(on_square) - best_taking(board, square, !side, piece, occupied)).max(0)
    }

    fn value(board: &Board, m: CozyMove) -> i32 {
        let mover = board.side_to_move();
        let mut occupied = (board.occupied() ^ m.from.bitboard()) | m.to.bitboard();
        if takes_in_passing(board, m) {
            occupied ^= Square::new(m.to.file(), Rank::Fifth.relative_to(mover)).bitboard();
        }
        let moved = m.promotion.or(board.piece_on(m.from)).unwrap();
        gain(board, m) - best_taking(board, m.to, !mover, moved, occupied)
    }

    #[test]
    fn an_exchange_wins_what_taking_back_and_forth_wins() {
        let mut rng = Rng::new(5);
        let (mut compared, mut negative) = (0, 0);
        for _ in 0..60 {
            let mut position = Chess::start(&ChessRules::Standard);
            while position.outcome().is_none() && compared < 40_000 {
                let board = position.cozy();
                for m in position.legal_moves().each().filter_map(to_cozy) {
                    if board.colors(board.side_to_move()).has(m.to) {
                        assert!(wins(board, m, 0) && !wins(board, m, 1), "{board} {m}");
                        continue;
                    }
                    let value = value(board, m);
                    for least in [value - 1, value, value + 1, 0, -100, 100] {
                        assert_eq!(wins(board, m, least), value >= least, "{board} {m} {value} {least}");
                    }
                    compared += 1;
                    negative += u32::from(value < 0);
                }
                let moves = position.legal_moves();
                position.play(moves.nth(rng.below(moves.count())));
            }
        }
        assert!(compared > 10_000 && negative > 1_000, "{compared} {negative}");
    }

    #[test]
    fn textbook_exchanges_come_out_as_expected() {
        for (fen, m, won) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -220),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
            ("3r3k/2P5/8/8/8/8/8/K7 w - - 0 1", "cxd8=Q+", 1350),
        ] {
            let position = Chess::parse_position(&ChessRules::Standard, fen).unwrap();
            let m = to_cozy(position.parse_move(m).unwrap()).unwrap();
            assert_eq!(value(position.cozy(), m), won, "{fen}");
        }
    }
}
