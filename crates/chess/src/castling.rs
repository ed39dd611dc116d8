//! The two ways to castle.

use cozy_chess::{Board, CastleRights, Color, File, Piece, Square};

/// The side of the king on which the castling rook stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wing {
    /// `O-O`: the king goes to the g-file.
    Short,
    /// `O-O-O`: the king goes to the c-file.
    Long,
}

impl Wing {
    pub const BOTH: [Wing; 2] = [Wing::Short, Wing::Long];

    /// The file that the king goes to, wherever it comes from.
    pub const fn king_target(self) -> File {
        match self {
            Wing::Short => File::G,
            Wing::Long => File::C,
        }
    }

    /// The file on which the rook stands in the standard game.
    pub const fn standard_rook(self) -> File {
        match self {
            Wing::Short => File::H,
            Wing::Long => File::A,
        }
    }

    /// The wing on which a rook stands.
    pub fn of_rook(rook: File, king: File) -> Wing {
        if rook > king { Wing::Short } else { Wing::Long }
    }

    /// The file of the rook that may castle on this wing.
    pub const fn right(self, rights: &CastleRights) -> Option<File> {
        match self {
            Wing::Short => rights.short,
            Wing::Long => rights.long,
        }
    }

    /// The same, to be changed.
    pub const fn right_mut(self, rights: &mut CastleRights) -> &mut Option<File> {
        match self {
            Wing::Short => &mut rights.short,
            Wing::Long => &mut rights.long,
        }
    }

    /// The file of the rook furthest from the king on the king's own rank.
    pub fn outermost_rook(self, board: &Board, color: Color) -> Option<File> {
        let king = board.king(color);
        let rooks = board.colored_pieces(color, Piece::Rook) & king.rank().bitboard();
        let mut files = rooks.iter().map(Square::file);
        match self {
            Wing::Short => files.filter(|&file| file > king.file()).last(),
            Wing::Long => files.find(|&file| file < king.file()),
        }
    }
}
