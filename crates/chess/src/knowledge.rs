//! What chess knows about moves, whatever the evaluation: captures and exchanges, checks, passing, kinds of moves.

use cozy_chess::{
    BitBoard, Board, Color, Move as CozyMove, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
    get_rook_rays,
};
use outplay_core::{Game, Move, Rng, mix};
use outplay_search::{Bundle, NoKnowledge, Policy, Tactics};

use crate::generate::{self, Between};
use crate::moves::target;
use crate::{Chess, exchange, playouts, to_cozy};

/// Kinds of moves: a piece and the square that it goes to.
const KINDS: usize = Piece::NUM * Square::NUM;

/// All that is known of chess besides its rules, with this evaluation: what tables know, a
/// [library](crate::library::Tables) adds.
pub fn knowledge<V>(evaluation: V) -> Bundle<V, ChessTactics, NoKnowledge, ChessPolicy> {
    Bundle { evaluation, tactics: ChessTactics, oracle: NoKnowledge, policy: ChessPolicy }
}

/// What chess knows about moves, whatever the evaluation.
#[derive(Clone, Copy, Default, Debug)]
pub struct ChessTactics;

impl Tactics<Chess> for ChessTactics {
    type State = ();

    fn state(&self) {}

    #[inline]
    fn in_check(&self, position: &Chess) -> bool {
        !position.cozy().checkers().is_empty()
    }

    fn is_quiet(&self, position: &Chess) -> bool {
        playouts::is_quiet(position)
    }

    #[inline]
    fn visit_noisy(&self, position: &Chess, visit: impl FnMut(Move, usize)) {
        visit_noisy(position, visit);
    }

    #[inline]
    fn visit_quiet(&self, (): &mut (), position: &Chess, mut visit: impl FnMut(Move, usize, Option<i32>)) {
        visit_quiet(position, |m, kind| visit(m, kind, Some(0)));
    }

    #[inline]
    fn visit_checks(&self, position: &Chess, visit: impl FnMut(Move, usize)) {
        visit_checks(position, visit);
    }

    #[inline]
    fn is_noisy(&self, position: &Chess, m: Move) -> bool {
        is_noisy(position, m)
    }

    #[inline]
    fn gain(&self, position: &Chess, m: Move) -> i32 {
        to_cozy(m).map_or(0, |m| exchange::gain(position.cozy(), m))
    }

    #[inline]
    fn see_at_least(&self, position: &Chess, m: Move, threshold: i32) -> bool {
        to_cozy(m).is_some_and(|m| exchange::wins(position.cozy(), m, threshold))
    }

    /// It goes to the same square.
    #[inline]
    fn is_recapture(&self, _: &Chess, m: Move, last: Move) -> bool {
        to_cozy(m).zip(to_cozy(last)).is_some_and(|(m, last)| m.to == last.to)
    }

    /// Not in check, and not with pawns alone, where passing would often be best.
    #[inline]
    fn null_move(&self, position: &Chess) -> Option<Chess> {
        let board = position.cozy();
        let mover = board.colors(board.side_to_move());
        let pieces = mover - board.pieces(Piece::Pawn) - board.pieces(Piece::King);
        if pieces.is_empty() {
            return None;
        }
        position.passed()
    }

    #[inline]
    fn move_kinds(&self) -> usize {
        KINDS
    }

    #[inline]
    fn move_kind(&self, position: &Chess, m: Move) -> usize {
        move_kind(position, m)
    }
}

/// Moves for playouts: captures that win at first sight, and squares that are safe.
#[derive(Clone, Copy, Default, Debug)]
pub struct ChessPolicy;

impl Policy<Chess> for ChessPolicy {
    fn playout_move(&self, position: &Chess, rng: &mut Rng) -> Option<Move> {
        playouts::playout_move(position, rng)
    }
}

/// Captures, in passing too, and promotions.
#[inline]
fn visit_noisy(position: &Chess, mut visit: impl FnMut(Move, usize)) {
    let board = position.cozy();
    let (enemies, for_pawns) = noisy_targets(position);
    let king = board.king(board.side_to_move());
    // Where a king may go is the dearest question of all: it is not asked if there is nothing to take.
    let from = match get_king_moves(king).is_disjoint(enemies) {
        true => !king.bitboard(),
        false => BitBoard::FULL,
    };
    let between = Between { from, pieces_to: enemies, pawns_to: for_pawns };
    generate::visit_moves(board, between, |m, piece| visit(m, kind(piece, target(m))));
}

/// Everything else.
#[inline]
fn visit_quiet(position: &Chess, mut visit: impl FnMut(Move, usize)) {
    let (enemies, for_pawns) = noisy_targets(position);
    let between = Between { from: BitBoard::FULL, pieces_to: !enemies, pawns_to: !for_pawns };
    generate::visit_moves(position.cozy(), between, |m, piece| visit(m, kind(piece, target(m))));
}

/// Quiet moves that give check, but for castling.
#[inline]
fn visit_checks(position: &Chess, mut visit: impl FnMut(Move, usize)) {
    let board = position.cozy();
    let (mover, occupied) = (board.side_to_move(), board.occupied());
    let king = board.king(!mover);
    let (straight, diagonal) = (get_rook_moves(king, occupied), get_bishop_moves(king, occupied));
    // [piece]: from where it gives check.
    let from_there = [
        get_pawn_attacks(king, !mover),
        get_knight_moves(king),
        diagonal,
        straight,
        straight | diagonal,
        BitBoard::EMPTY,
    ];
    let uncovering = uncovering(board, king, straight | diagonal);
    let any = from_there.into_iter().fold(BitBoard::EMPTY, |all, squares| all | squares);
    let (enemies, for_pawns) = noisy_targets(position);
    let to = if uncovering.is_empty() { any } else { BitBoard::FULL };
    let from = match uncovering.has(board.king(mover)) {
        true => BitBoard::FULL,
        false => !board.king(mover).bitboard(),
    };
    let between = Between { from, pieces_to: to - enemies - board.colors(mover), pawns_to: to - for_pawns };
    generate::visit_moves(board, between, |m, piece| {
        let Some(CozyMove { from, to, .. }) = to_cozy(m) else { return };
        let uncovers = uncovering.has(from) && !get_line_rays(king, from).has(to);
        if from_there[piece as usize].has(to) || uncovers {
            visit(m, kind(piece, to as usize));
        }
    });
}

/// The mover's men that alone stand between one of its sliders and the enemy king, among those that the king sees.
#[inline]
fn uncovering(board: &Board, king: Square, seen: BitBoard) -> BitBoard {
    let mover = board.colors(board.side_to_move());
    let screens = seen & mover;
    if screens.is_empty() {
        return BitBoard::EMPTY;
    }
    let queens = board.pieces(Piece::Queen);
    let sliders = get_rook_rays(king) & (board.pieces(Piece::Rook) | queens)
        | get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens);
    let mut uncovering = BitBoard::EMPTY;
    for slider in sliders & mover {
        let between = get_between_rays(slider, king) & board.occupied();
        if between.len() == 1 {
            uncovering |= between & screens;
        }
    }
    uncovering
}

/// The squares that a move is noisy to: for pieces, and for pawns.
#[inline]
fn noisy_targets(position: &Chess) -> (BitBoard, BitBoard) {
    let board = position.cozy();
    let mover = board.side_to_move();
    let enemies = board.colors(!mover);
    let passing = board
        .en_passant()
        .map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(mover)).bitboard());
    // No pawn steps straight onto the square behind the one that has just passed: that one stands in its way.
    (enemies, enemies | passing | Rank::Eighth.relative_to(mover).bitboard())
}

#[inline]
fn is_noisy(position: &Chess, m: Move) -> bool {
    to_cozy(m).is_some_and(|m| m.promotion.is_some() || exchange::victim(position.cozy(), m).is_some())
}

#[inline]
fn move_kind(position: &Chess, m: Move) -> usize {
    let Some(m) = to_cozy(m) else { return 0 };
    let piece = position.cozy().piece_on(m.from).unwrap_or(Piece::Pawn);
    kind(piece, m.to as usize)
}

#[inline]
fn kind(piece: Piece, to: usize) -> usize {
    piece as usize * Square::NUM + to
}

/// A key of the pawns alone.
#[inline]
pub(crate) fn pawn_key(position: &Chess) -> u64 {
    let pawns = |color| position.cozy().colored_pieces(color, Piece::Pawn).0;
    mix(pawns(Color::White)) ^ mix(!pawns(Color::Black))
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, MoveList, Rng};

    use super::*;
    use crate::ChessRules;

    /// The positions of some random games.
    fn positions() -> Vec<Chess> {
        let mut rng = Rng::new(9);
        let mut positions = Vec::new();
        for _ in 0..40 {
            let mut position = Chess::start(&ChessRules::Standard);
            while position.outcome().is_none() && positions.len() < 6_000 {
                positions.push(position.clone());
                let moves = position.legal_moves();
                position.play(moves.nth(rng.below(moves.count())));
            }
        }
        positions
    }

    fn sorted(mut moves: Vec<(Move, usize)>) -> Vec<(Move, usize)> {
        moves.sort_by_key(|(m, _)| m.bits());
        moves
    }

    #[test]
    fn every_legal_move_is_either_noisy_or_quiet_and_has_its_kind() {
        for position in positions() {
            let (mut noisy, mut quiet) = (Vec::new(), Vec::new());
            visit_noisy(&position, |m, kind| noisy.push((m, kind)));
            visit_quiet(&position, |m, kind| quiet.push((m, kind)));
            assert!(noisy.iter().all(|&(m, _)| is_noisy(&position, m)), "{position:?}");
            assert!(!quiet.iter().any(|&(m, _)| is_noisy(&position, m)), "{position:?}");
            let all = position.legal_moves().each().map(|m| (m, move_kind(&position, m))).collect();
            assert_eq!(sorted([noisy, quiet].concat()), sorted(all), "{position:?}");
        }
    }

    #[test]
    fn the_quiet_moves_that_give_check_are_all_found_but_for_castling() {
        let mut checks_seen = 0;
        for position in positions() {
            let (mut checks, mut expected) = (Vec::new(), Vec::new());
            visit_checks(&position, |m, kind| checks.push((m, kind)));
            let own = position.cozy().colors(position.cozy().side_to_move());
            visit_quiet(&position, |m, kind| {
                let castles = to_cozy(m).is_some_and(|m| own.has(m.to));
                if !castles && !position.after(m).cozy().checkers().is_empty() {
                    expected.push((m, kind));
                }
            });
            checks_seen += checks.len();
            assert_eq!(sorted(checks), sorted(expected), "{position:?}");
        }
        assert!(checks_seen > 2_000, "{checks_seen}");
    }
}
