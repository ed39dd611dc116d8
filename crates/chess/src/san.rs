//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q+`.

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, File, Piece, Rank, Square};
use outplay_core::{Game, Move, MoveList, ParseError};

use crate::castling::Wing;
use crate::uci_move::{parse_coordinates, parse_promotion};
use crate::{Chess, to_cozy};

const LANGUAGE: &str = "move";

/// Writes a legal move, with the shortest origin that leaves no doubt and with `+` or `#`.
pub(crate) fn write(position: &Chess, m: Move) -> String {
    match to_cozy(m) {
        Some(cozy) if position.is_legal(m) => display_san_move(position.cozy(), cozy).to_string(),
        _ => format!("{m:?}"),
    }
}

/// Reads what people write: also `0-0`, `e8Q`, more origin than needed, no or wrong `+`, trailing `!?`, long
/// algebraic `Ng1-f3`, and plain coordinates.
pub(crate) fn read(position: &Chess, text: &str) -> Result<Move, ParseError> {
    let word = text.trim();
    let bare = without_suffix(word);
    let wanted = match (castling_wing(bare), parse_coordinates(bare), PieceMove::parse(bare)) {
        (Some(wing), _, _) => Wanted::Castling(wing),
        (None, Some(coordinates), _) => return coordinates.legal_move(position, word),
        (None, None, Some(piece_move)) => Wanted::PieceMove(piece_move),
        (None, None, None) => {
            let what = "a move such as e4, Nf3, exd5, e8=Q, O-O or e2e4";
            return Err(ParseError::syntax(LANGUAGE, word, 0, what));
        }
    };
    let fitting: Vec<Move> = position.legal_moves().each().filter(|&m| wanted.fits(position, m)).collect();
    match fitting[..] {
        [m] => Ok(m),
        [] => Err(ParseError::refused(LANGUAGE, word, wanted.why_illegal())),
        _ => {
            let candidates: Vec<String> = fitting.iter().map(|&m| write(position, m)).collect();
            let reason = format!("ambiguous: could be {}", candidates.join(" or "));
            Err(ParseError::refused(LANGUAGE, word, reason))
        }
    }
}

/// Drops what says nothing about which move it is.
fn without_suffix(word: &str) -> &str {
    let bare = word.trim_end_matches(['+', '#', '!', '?']);
    bare.strip_suffix("e.p.").unwrap_or(bare)
}

/// Reads `O-O` and `O-O-O`, in capitals, small letters or zeros.
fn castling_wing(text: &str) -> Option<Wing> {
    let says = |castling: &str| {
        text.chars().map(|c| if matches!(c, '0' | 'o') { 'O' } else { c }).eq(castling.chars())
    };
    [("O-O", Wing::Short), ("O-O-O", Wing::Long)]
        .into_iter()
        .find(|(name, _)| says(name))
        .map(|(_, wing)| wing)
}

/// What a text says about a move.
enum Wanted {
    Castling(Wing),
    PieceMove(PieceMove),
}

impl Wanted {
    fn fits(&self, position: &Chess, m: Move) -> bool {
        let Some(m) = to_cozy(m) else { return false };
        let board = position.cozy();
        let castles = board.colors(board.side_to_move()).has(m.to);
        match self {
            Wanted::Castling(wing) => castles && Wing::of_rook(m.to.file(), m.from.file()) == *wing,
            Wanted::PieceMove(wanted) => !castles && wanted.fits(board, m),
        }
    }

    fn why_illegal(&self) -> String {
        match self {
            Wanted::Castling(_) => "illegal: this castling is not possible here".to_string(),
            Wanted::PieceMove(PieceMove { piece, to, .. }) => {
                format!("illegal: no such {} move to {to} here", format!("{piece:?}").to_lowercase())
            }
        }
    }
}

/// All that algebraic notation can say of a move that is not castling.
struct PieceMove {
    piece: Piece,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl PieceMove {
    /// Reads from the end, where the target is. Whether the move captures is the position's business.
    fn parse(text: &str) -> Option<PieceMove> {
        let (text, promotion) = split_promotion(text);
        let (front, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let front = front.strip_suffix(['x', ':', '-']).unwrap_or(front);
        let piece = front.chars().next().and_then(piece_of_letter);
        let mut origin = front[usize::from(piece.is_some())..].chars().peekable();
        let from_file = origin.next_if(char::is_ascii_lowercase).map(File::try_from).transpose().ok()?;
        let from_rank = origin.next().map(Rank::try_from).transpose().ok()?;
        if origin.next().is_some() {
            return None;
        }
        let to = to.parse().ok()?;
        Some(PieceMove { piece: piece.unwrap_or(Piece::Pawn), from_file, from_rank, to, promotion })
    }

    fn fits(&self, board: &Board, m: cozy_chess::Move) -> bool {
        m.to == self.to
            && board.pieces(self.piece).has(m.from)
            && self.from_file.is_none_or(|file| file == m.from.file())
            && self.from_rank.is_none_or(|rank| rank == m.from.rank())
            && (self.promotion.is_none() || self.promotion == m.promotion)
    }
}

/// Takes `=Q`, `Q` or `(Q)` off the end.
fn split_promotion(text: &str) -> (&str, Option<Piece>) {
    let end = text.strip_suffix(')').unwrap_or(text);
    let promotion = end.char_indices().next_back().and_then(|(at, _)| {
        let (front, letter) = end.split_at(at);
        Some((front.strip_suffix(['=', '(', '/']).unwrap_or(front), parse_promotion(letter)?))
    });
    promotion.map_or((text, None), |(front, piece)| (front, Some(piece)))
}

/// The piece of a capital letter.
fn piece_of_letter(letter: char) -> Option<Piece> {
    let is_capital = letter.is_ascii_uppercase();
    Piece::try_from(letter.to_ascii_lowercase()).ok().filter(|_| is_capital)
}
