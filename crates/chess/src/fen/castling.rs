//! The letters of castling rights, both ways.

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square};
use outplay_core::ParseError;

use super::fields::{Field, Fields};
use crate::ChessRules;
use crate::castling::Wing;

/// The rights as X-FEN.
pub(super) fn write(board: &Board) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for wing in Wing::BOTH {
            let Some(rook) = wing.right(board.castle_rights(color)) else { continue };
            let letter = match wing {
                _ if wing.outermost_rook(board, color) != Some(rook) => rook.into(),
                Wing::Short => 'k',
                Wing::Long => 'q',
            };
            text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

/// Gives `builder` the rights that the field names. `board` holds the pieces.
pub(super) fn read(
    rules: &ChessRules,
    fields: &Fields,
    field: Field,
    board: &Board,
    builder: &mut BoardBuilder,
) -> Result<(), ParseError> {
    if field.text == "-" {
        return Ok(());
    }
    let expected = |offset| fields.expected(offset, "castling rights: - or letters such as KQkq or HAha");
    if field.text.is_empty() {
        return Err(expected(field.offset));
    }
    for (index, letter) in field.text.char_indices() {
        let offset = field.offset + index;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let named = NamedRook::parse(letter).ok_or_else(|| expected(offset))?;
        let (wing, rook) = named.find(rules, board, color).map_err(|why| fields.refused(offset, why))?;
        if wing.right_mut(builder.castle_rights_mut(color)).replace(rook).is_some() {
            return Err(fields.expected(offset, "each castling right once"));
        }
    }
    Ok(())
}

/// What one letter says about the rook that may castle.
enum NamedRook {
    /// `K` or `Q`.
    OnWing(Wing),
    /// `A` to `H`.
    OnFile(File),
}

impl NamedRook {
    fn parse(letter: char) -> Option<NamedRook> {
        match letter.to_ascii_lowercase() {
            'k' => Some(NamedRook::OnWing(Wing::Short)),
            'q' => Some(NamedRook::OnWing(Wing::Long)),
            file => File::try_from(file).ok().map(NamedRook::OnFile),
        }
    }

    /// The rook that is meant, or why it cannot castle.
    fn find(self, rules: &ChessRules, board: &Board, color: Color) -> Result<(Wing, File), String> {
        let king = board.king(color);
        let home = Rank::First.relative_to(color);
        if king.rank() != home {
            return Err(format!("a king on {king} has no castling rights"));
        }
        let (wing, rook) = match self {
            NamedRook::OnFile(rook) => (Wing::of_rook(rook, king.file()), Some(rook)),
            NamedRook::OnWing(wing) => match rules {
                ChessRules::Standard => (wing, Some(wing.standard_rook())),
                ChessRules::Chess960(_) => (wing, wing.outermost_rook(board, color)),
            },
        };
        let rook =
            rook.ok_or_else(|| format!("the king on {king} has no rook on that side to castle with"))?;
        let corner = Square::new(rook, home);
        if !board.colored_pieces(color, Piece::Rook).has(corner) {
            return Err(format!("there is no rook on {corner} to castle with"));
        }
        if *rules == ChessRules::Standard && (king.file() != File::E || rook != wing.standard_rook()) {
            let reason = "standard chess castles from the e-file with rooks in the corners";
            return Err(format!("{reason}; a king on {king} with a rook on {corner} needs Chess960"));
        }
        Ok((wing, rook))
    }
}
