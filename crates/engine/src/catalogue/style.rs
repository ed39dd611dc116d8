//! What positions and scores of a game look like to people.

use serde::Serialize;

/// What is the same in all positions of a game.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Style {
    /// The kinds of its pieces, in the order in which a board is set up with them.
    pub kinds: &'static [PieceKind],
    /// How scores are written.
    pub scores: ScoreStyle,
    /// What is shown beside the board of how the players stand.
    pub standing: Option<Standing>,
    /// Whether a player may have to pass.
    pub passes: bool,
    /// With so many empty cells or fewer, a search is asked how the game ends to the last disc.
    pub endgame_cells: Option<usize>,
}

impl Style {
    /// A game in which stones of one kind are placed.
    pub const STONES: Style = Style {
        kinds: &[PieceKind { kind: "disc", name: "stone", worth: 0 }],
        scores: ScoreStyle { digits: 1, unit: "", full_moves: false },
        standing: None,
        passes: false,
        endgame_cells: None,
    };
}

/// A kind of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct PieceKind {
    /// Its name in pictures. Page and drawing share a set of pieces: `K`, `Q`, `R`, `B`, `N`, `P`.
    pub kind: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// What it is worth, as players count.
    pub worth: u32,
}

/// How scores of a game are written.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct ScoreStyle {
    /// Digits after the point.
    pub digits: usize,
    /// What a unit is called, if it has a name.
    pub unit: &'static str,
    /// Whether moves of both players count as one: in numbers of moves, and in how far a win is away.
    pub full_moves: bool,
}

/// What is shown beside the board of how the players stand.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// What a player has more of than the other.
    Material,
    /// How many pieces each player has.
    Count,
}

/// The small picture of a game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Icon {
    /// A piece of the set.
    Piece(&'static str),
    /// Discs on a grid.
    Discs,
    /// Stones on lines: so many of the first player's.
    Stones(usize),
    /// Crosses and rings.
    Crosses,
    /// Discs in a rack.
    Drop,
}
