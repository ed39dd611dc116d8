//! Moves as coordinates, the way UCI and its kin write them: `e2e4`, `e7e8q`.

use cozy_chess::util::display_uci_move;
use cozy_chess::{Piece, Square, get_king_moves};
use outplay_core::{Game, Move, Notation, ParseError};

use crate::castling::Wing;
use crate::{CastlingText, Chess, from_cozy, to_cozy};

/// Writes a legal move of `position`. Chess960 needs [`CastlingText::KingTakesRook`].
pub fn uci_text(position: &Chess, m: Move, castling: CastlingText) -> String {
    match (to_cozy(m), castling) {
        (Some(m), CastlingText::KingToItsSquare) => display_uci_move(position.cozy(), m).to_string(),
        (Some(m), CastlingText::KingTakesRook) => m.to_string(),
        (None, _) => format!("{m:?}"),
    }
}

/// Reads a legal move of `position`, with castling written either way.
///
/// No switch is needed: a king that takes its own rook castles, and so does one that goes more than a step to
/// where castling would take it. A single step is a step, in Chess960 too.
pub fn parse_uci(position: &Chess, text: &str) -> Result<Move, ParseError> {
    match parse_coordinates(text) {
        Some(coordinates) => coordinates.legal_move(position, text),
        None => Err(ParseError::syntax("move", text, 0, "a move such as e2e4 or e7e8q")),
    }
}

/// Two squares and perhaps a promotion: what coordinates say before the position is asked.
pub(crate) struct Coordinates {
    from: Square,
    to: Square,
    promotion: Option<Piece>,
}

/// Reads `e2e4`, `e7e8q`, and with a sign between the squares or before the promotion `e2-e4`, `d7xe8=Q`.
pub(crate) fn parse_coordinates(text: &str) -> Option<Coordinates> {
    let (from, rest) = text.split_at_checked(2)?;
    let (to, promotion) = rest.strip_prefix(['-', 'x']).unwrap_or(rest).split_at_checked(2)?;
    let promotion = match promotion.strip_prefix('=').unwrap_or(promotion) {
        "" => None,
        letter => Some(parse_promotion(letter)?),
    };
    Some(Coordinates { from: from.parse().ok()?, to: to.parse().ok()?, promotion })
}

/// The piece that a pawn becomes.
pub(crate) fn parse_promotion(letter: &str) -> Option<Piece> {
    match letter {
        "n" | "N" => Some(Piece::Knight),
        "b" | "B" => Some(Piece::Bishop),
        "r" | "R" => Some(Piece::Rook),
        "q" | "Q" => Some(Piece::Queen),
        _ => None,
    }
}

impl Coordinates {
    /// The move that is meant, if it is legal. `text` is what was read, for the error.
    pub fn legal_move(self, position: &Chess, text: &str) -> Result<Move, ParseError> {
        let Coordinates { from, to, promotion } = self;
        let legal = |to, promotion| {
            Some(from_cozy(cozy_chess::Move { from, to, promotion })).filter(|&m| position.is_legal(m))
        };
        if let Some(m) = legal(self.castling_rook(position).unwrap_or(to), promotion) {
            return Ok(m);
        }
        let board = position.cozy();
        let reason = match board.piece_on(from) {
            None => format!("illegal: {from} is empty"),
            Some(_) if !board.colors(board.side_to_move()).has(from) => {
                format!("illegal: the piece on {from} is not {}'s", Chess::player_name(position.to_move()))
            }
            Some(Piece::Pawn) if promotion.is_none() && legal(to, Some(Piece::Queen)).is_some() => {
                "incomplete: say what the pawn becomes, as in e7e8q".to_string()
            }
            Some(_) => format!("illegal: the piece on {from} cannot go to {to}"),
        };
        Err(ParseError::refused("move", text, reason))
    }

    /// The rook's square, if this is castling written as the way of the king.
    fn castling_rook(&self, position: &Chess) -> Option<Square> {
        let board = position.cozy();
        let mover = board.side_to_move();
        let is_way = self.from == board.king(mover)
            && self.from.rank() == self.to.rank()
            && !get_king_moves(self.from).has(self.to)
            && !board.colors(mover).has(self.to);
        let wing = Wing::BOTH.into_iter().find(|wing| is_way && wing.king_target() == self.to.file())?;
        let rook = wing.right(board.castle_rights(mover))?;
        Some(Square::new(rook, self.from.rank()))
    }
}
