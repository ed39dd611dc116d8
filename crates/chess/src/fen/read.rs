//! Reading positions, and refusing those that no game can begin from.

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square, get_between_rays, get_king_moves};
use outplay_core::{Notation, ParseError};

use super::castling;
use super::fields::{Field, Fields};
use crate::position::player;
use crate::{Chess, ChessRules};

/// Reads four fields and, if numbers follow, the two counters.
pub(crate) fn read_position(rules: &ChessRules, fields: &mut Fields) -> Result<Chess, ParseError> {
    let mut builder = BoardBuilder::empty();
    let placement = fields.take();
    read_placement(fields, placement, &mut builder)?;
    let side = fields.take();
    builder.side_to_move = match side.text {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(fields.expected(side.offset, "the side to move: w or b")),
    };
    let pieces = check_pieces(fields, placement, side, &builder)?;
    let rights = fields.take();
    castling::read(rules, fields, rights, &pieces, &mut builder)?;
    let en_passant = fields.take();
    builder.en_passant = read_en_passant(fields, en_passant, &pieces)?;
    // Everything that the builder refuses has been refused above with its reason.
    let board = builder.build().map_err(|error| fields.refused(placement.offset, error.to_string()))?;
    let mut position = Chess::from_checked(board);
    if let Some(plies) = read_number(fields)? {
        position.set_halfmove_clock(plies);
    }
    if let Some(number) = read_number(fields)? {
        position.set_move_number(number);
    }
    Ok(position)
}

fn read_placement(fields: &Fields, field: Field, builder: &mut BoardBuilder) -> Result<(), ParseError> {
    let (mut rank, mut file) = (Rank::Eighth as usize, 0);
    let mut kings = [false; Color::NUM];
    for (index, letter) in field.text.char_indices() {
        let offset = field.offset + index;
        match letter {
            '/' if file == File::NUM && rank > 0 => (rank, file) = (rank - 1, 0),
            '/' if file == File::NUM => return Err(fields.expected(offset, "no more than 8 ranks")),
            '/' => return Err(fields.expected(offset, format!("8 squares in the rank, not {file}"))),
            '1'..='8' => file += letter as usize - '0' as usize,
            _ => {
                let piece = Piece::try_from(letter.to_ascii_lowercase())
                    .map_err(|_| fields.expected(offset, "one of PNBRQKpnbrqk, 1 to 8 or /"))?;
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let Some(square) = File::try_index(file).map(|file| Square::new(file, Rank::index(rank)))
                else {
                    return Err(fields.expected(offset, "no more than 8 squares in the rank"));
                };
                if piece == Piece::King && std::mem::replace(&mut kings[color as usize], true) {
                    return Err(fields.refused(offset, format!("a second king for {}", name(color))));
                }
                if piece == Piece::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth) {
                    return Err(fields.refused(offset, format!("a pawn cannot stand on {square}")));
                }
                *builder.square_mut(square) = Some((piece, color));
                file += 1;
            }
        }
        if file > File::NUM {
            return Err(fields.expected(offset, "no more than 8 squares in the rank"));
        }
    }
    let end = field.offset + field.text.len();
    if rank > 0 || file < File::NUM {
        return Err(fields.expected(end, "8 ranks of 8 squares"));
    }
    for color in Color::ALL {
        if !kings[color as usize] {
            return Err(fields.refused(end, format!("{} has no king", name(color))));
        }
    }
    Ok(())
}

/// The pieces as a board without rights, if they can stand so with that side to move.
fn check_pieces(
    fields: &Fields,
    placement: Field,
    side: Field,
    builder: &BoardBuilder,
) -> Result<Board, ParseError> {
    for color in Color::ALL {
        let pieces = || builder.board.iter().flatten().filter(|(_, owner)| *owner == color);
        let pawns = pieces().filter(|(piece, _)| *piece == Piece::Pawn);
        for (count, most, what) in [(pieces().count(), 16, "pieces"), (pawns.count(), 8, "pawns")] {
            if count > most {
                let reason = format!("{} has {count} {what}, at most {most} are possible", name(color));
                return Err(fields.refused(placement.offset, reason));
            }
        }
    }
    let (mover, waiting) = (builder.side_to_move, !builder.side_to_move);
    let king = |color| builder.board.iter().position(|&piece| piece == Some((Piece::King, color)));
    if let [Some(white), Some(black)] = Color::ALL.map(king)
        && get_king_moves(Square::index(white)).has(Square::index(black))
    {
        return Err(fields.refused(placement.offset, "the kings stand next to each other"));
    }
    // All else that the builder could refuse has been ruled out.
    let board = builder.build().map_err(|_| {
        let (mover, waiting) = (name(mover), name(waiting));
        fields.refused(side.offset, format!("{waiting} is in check, but it is {mover}'s move"))
    })?;
    if board.checkers().len() > 2 {
        let reason = format!("{} is in check from {} pieces", name(mover), board.checkers().len());
        return Err(fields.refused(placement.offset, reason));
    }
    Ok(board)
}

/// The square that a pawn has just passed over, if it can have done so.
fn read_en_passant(fields: &Fields, field: Field, board: &Board) -> Result<Option<Square>, ParseError> {
    if field.text == "-" {
        return Ok(None);
    }
    let mover = board.side_to_move();
    let rank = Rank::Sixth.relative_to(mover);
    let square =
        (field.text.parse::<Square>().ok()).filter(|square| square.rank() == rank).ok_or_else(|| {
            let what =
                format!("the en-passant square: - or, with {} to move, a square of rank {rank}", name(mover));
            fields.expected(field.offset, what)
        })?;
    let refused =
        |reason: String| fields.refused(field.offset, format!("impossible en-passant square: {reason}"));
    let origin = Square::new(square.file(), Rank::Seventh.relative_to(mover));
    let pawn = Square::new(square.file(), Rank::Fifth.relative_to(mover));
    if let Some(blocked) = [origin, square].into_iter().find(|&square| board.occupied().has(square)) {
        return Err(refused(format!("no pawn can have come past {blocked}, which is not empty")));
    }
    if !board.colored_pieces(!mover, Piece::Pawn).has(pawn) {
        return Err(refused(format!("no pawn of {} on {pawn}", name(!mover))));
    }
    // The double step must be what gives check: with the pawn itself or by opening a line.
    let king = board.king(mover);
    let unexplained = |&checker: &Square| checker != pawn && !get_between_rays(checker, king).has(origin);
    if let Some(checker) = board.checkers().iter().find(unexplained) {
        return Err(refused(format!("the check from {checker} was there before the pawn's double step")));
    }
    Ok(Some(square))
}

/// A number, if the next field begins like one.
pub(crate) fn read_number(fields: &mut Fields) -> Result<Option<u16>, ParseError> {
    if !fields.rest().starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Ok(None);
    }
    let field = fields.take();
    let number = field.text.parse().map_err(|_| fields.expected(field.offset, "a number from 0 to 65535"))?;
    Ok(Some(number))
}

fn name(color: Color) -> &'static str {
    Chess::player_name(player(color))
}
