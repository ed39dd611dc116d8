//! A position as it is drawn: what stands where, what can be clicked, what stands out.
//!
//! A game says how its positions look by a [`Drawing`]. Whoever draws a [`Picture`] reads no text of a position and knows no game.

use std::collections::BTreeMap;

use outplay_core::text::cell_text;
use outplay_core::{Line, Move, Notation, Player};
use serde::{Deserialize, Serialize};

/// Boards that are drawn, and clicked on, in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Chequered squares with pieces of a set: a move is a click on a piece and one on its target. The second player sees the board from
    /// the other side.
    Squares,
    /// Discs in the cells of a grid: a move is a click on a cell.
    Discs,
    /// Stones on the crossings of lines, or crosses and rings in cells if the board is small: a move is a click there.
    Stones,
    /// Discs that fall down: a move is a click on a column.
    Drop,
}

/// Something on a cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct Piece {
    /// Where it is: a letter for the column and a number for the row.
    pub cell: String,
    /// Whose it is, by [`Player::index`].
    pub player: usize,
    /// One of the kinds of the game's [`Style`](crate::Style).
    pub kind: String,
}

/// A board and what is on it.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Board {
    /// How it is drawn.
    pub family: Family,
    /// How many columns it has.
    pub columns: usize,
    /// How many rows it has.
    pub rows: usize,
    /// Whether rows are counted from the top.
    pub top_down: bool,
    /// What is on it.
    pub pieces: Vec<Piece>,
}

impl Board {
    /// A board whose rows are counted from below, with what `stands` says of each column and row, counted from 0.
    pub fn new(
        family: Family,
        (columns, rows): (usize, usize),
        stands: impl Fn(usize, usize) -> Option<(Player, &'static str)>,
    ) -> Board {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let pieces = cells.filter_map(|(column, row)| {
            let (player, kind) = stands(column, row)?;
            Some(Piece { cell: cell_text(column, row), player: player.index(), kind: kind.to_string() })
        });
        Board { family, columns, rows, top_down: false, pieces: pieces.collect() }
    }
}

/// The cells that a move touches.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Touch {
    /// The piece that moves, where pieces do.
    pub from: Option<String>,
    /// Where something stands afterwards; `None` in a pass.
    pub to: Option<String>,
    /// What a piece becomes, if the player has a choice.
    pub promotion: Option<String>,
    /// Other cells that mean the same move.
    pub also: Vec<String>,
}

impl Touch {
    /// A stone goes to a cell.
    pub fn on(to: String) -> Touch {
        Touch { to: Some(to), ..Touch::default() }
    }
}

/// What stands out in a position.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Marks {
    /// Where the king stands that is in check.
    pub check: Option<String>,
    /// The rows that have won the game, each from one end to the other.
    pub winning: Vec<Vec<String>>,
    /// What the opponent of the player to move threatens, where the game shows that.
    pub threats: Option<ShownThreats>,
    /// How many stones the turn has left, where turns are counted in stones.
    pub stones_left: Option<usize>,
}

/// What the opponent of the player to move threatens.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct ShownThreats {
    /// The rows of cells that one turn would fill.
    pub windows: Vec<Vec<String>>,
    /// The cells that stop them.
    pub blocks: Vec<String>,
    /// How many stones that takes.
    pub count: usize,
}

/// How positions of a game are drawn, and put together by hand.
pub trait Drawing<G: Notation>: Send + Sync {
    /// The board and what is on it.
    fn board(&self, position: &G) -> Board;

    /// The cells that a legal move touches.
    fn touch(&self, position: &G, m: Move) -> Touch;

    /// What stands out.
    fn marks(&self, position: &G) -> Marks {
        let _ = position;
        Marks::default()
    }

    /// The text of a position that was put together by hand, which may be one that the rules refuse; `before` is what it began with. `None` if
    /// the game cannot be set up so.
    fn compose(&self, before: &G, draft: &Draft) -> Option<Composed> {
        let _ = (before, draft);
        None
    }
}

/// The drawing of a game that has none: a board without pieces.
pub(crate) struct NoDrawing;

impl<G: Notation> Drawing<G> for NoDrawing {
    fn board(&self, position: &G) -> Board {
        Board::new(Family::Discs, position.cells().unwrap_or((1, 1)), |_, _| None)
    }

    fn touch(&self, _: &G, _: Move) -> Touch {
        Touch::default()
    }
}

/// A legal move, in words and in clicks.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct LegalMove {
    /// As programs exchange it.
    #[serde(rename = "move")]
    pub plain: String,
    /// As people write it.
    pub text: String,
    /// The cells that it touches.
    #[serde(flatten)]
    pub touch: Touch,
}

/// A position as it is drawn.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Picture {
    /// The board.
    #[serde(flatten)]
    pub board: Board,
    /// What stands out.
    #[serde(flatten)]
    pub marks: Marks,
    /// Who moves, by [`Player::index`].
    pub to_move: usize,
    /// What can be played; nothing once the game is over.
    pub legal: Vec<LegalMove>,
    /// The cells that the last turn touched, the last move first.
    pub last: Vec<String>,
}

impl Picture {
    /// The picture of the position at the end of a line.
    pub(crate) fn new<G: Notation>(drawing: &dyn Drawing<G>, rules: &G::Rules, line: &Line<G>) -> Picture {
        let position = line.position();
        let legal = line.legal_moves().into_iter().map(|m| LegalMove {
            plain: position.plain_move_text(rules, m),
            text: position.move_text(m),
            touch: drawing.touch(position, m),
        });
        Picture {
            board: drawing.board(position),
            marks: drawing.marks(position),
            to_move: position.to_move().index(),
            legal: legal.collect(),
            last: last_cells(drawing, line),
        }
    }
}

/// The cells of the last turn: of all moves at the end of the line that the same player made.
fn last_cells<G: Notation>(drawing: &dyn Drawing<G>, line: &Line<G>) -> Vec<String> {
    let moves = line.positions().iter().zip(line.moves()).rev();
    let mover = moves.clone().next().map(|(before, _)| before.to_move());
    let turn = moves.take_while(|(before, _)| Some(before.to_move()) == mover);
    let touched = turn.map(|(before, &m)| drawing.touch(before, m));
    touched.flat_map(|touch| [touch.from, touch.to]).flatten().collect()
}

/// A position that somebody puts together by hand.
#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
pub struct Draft {
    /// What is on the board.
    pub pieces: Vec<Piece>,
    /// Who moves.
    pub to_move: usize,
    /// How many stones the turn has left, where turns are counted in stones.
    #[serde(default)]
    pub stones_left: Option<usize>,
    /// What was chosen of the [`Choices`], by name.
    #[serde(default)]
    pub switches: BTreeMap<String, bool>,
}

impl Draft {
    /// The rows of the board from the top with a slash between them, a `letter` for each piece, and numbers for empty cells.
    pub fn rows_text(&self, board: &Board, letter: impl Fn(&Piece) -> char) -> String {
        let on: BTreeMap<&str, &Piece> =
            self.pieces.iter().map(|piece| (piece.cell.as_str(), piece)).collect();
        let row_text = |row: usize| {
            let (mut text, mut empty) = (String::new(), 0);
            for column in 0..board.columns {
                match on.get(cell_text(column, row).as_str()) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&std::mem::take(&mut empty).to_string());
                        }
                        text.push(letter(piece));
                    }
                }
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        (0..board.rows).rev().map(row_text).collect::<Vec<_>>().join("/")
    }
}

/// The position that a [`Draft`] makes.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Composed {
    /// Its text.
    pub position: String,
    /// What else there is to choose.
    pub choices: Option<Choices>,
}

impl Composed {
    /// A position without anything else to choose.
    pub fn new(position: String) -> Composed {
        Composed { position, choices: None }
    }
}

/// What there is to choose of a position besides its pieces.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Choices {
    /// What it is about.
    pub title: &'static str,
    /// The choices.
    pub switches: Vec<Switch>,
}

/// One of the [`Choices`].
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Switch {
    /// What it is called.
    pub name: String,
    /// Whether it is chosen.
    pub on: bool,
    /// Whether it can be.
    pub enabled: bool,
}
