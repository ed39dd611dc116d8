//! Endgame tables of our own: for every position of three or four men who wins, and in how many plies.
//!
//! [`Ending`] names what is on the board, [`EndgameTables`] builds, keeps and asks the tables. `lead.rs` and `layout.rs` number the
//! positions, `men.rs` moves the men to and fro, `generate.rs` has the method, `table.rs` the file.

mod catalogue;
mod ending;
mod generate;
mod layout;
mod lead;
mod men;
mod survey;
mod table;
mod tables;
mod value;

use std::cmp::Ordering;
use std::fmt;

pub use ending::Ending;
pub use generate::{Progress, Stage};
pub use survey::Census;
pub use table::TableError;
pub use tables::{EndgameError, EndgameTables};

/// What is known for certain of a position, for the side to move. Greater is better for it: quick wins, slow wins, draws, slow losses,
/// quick losses; of two wins, one whose length is not known is the lesser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who wins.
    pub result: Wdl,
    /// Plies to mate if both sides play their best, where that is known; never for a draw.
    pub plies: Option<u16>,
}

/// Win, draw or loss for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// It is lost.
    Loss,
    /// Nobody can win.
    Draw,
    /// It is won.
    Win,
}

impl Verdict {
    /// Nobody can win.
    pub const DRAW: Verdict = Verdict { result: Wdl::Draw, plies: None };
    /// The side to move is mated.
    pub const MATED: Verdict = Verdict { result: Wdl::Loss, plies: Some(0) };

    /// What a position is worth to its mover if the best move leads to one with this verdict.
    #[must_use]
    pub fn before(self) -> Verdict {
        let result = match self.result {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        };
        Verdict { result, plies: self.plies.map(|plies| plies.saturating_add(1)) }
    }
}

impl Ord for Verdict {
    fn cmp(&self, other: &Verdict) -> Ordering {
        let rank = |verdict: &Verdict| {
            let plies = i32::from(verdict.plies.unwrap_or(u16::MAX));
            (verdict.result, if verdict.result == Wdl::Win { -plies } else { plies })
        };
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for Verdict {
    fn partial_cmp(&self, other: &Verdict) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As in `win in 5`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = match self.result {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        match self.plies {
            Some(plies) => write!(f, "{word} in {plies}"),
            None => write!(f, "{word}"),
        }
    }
}

impl From<value::Value> for Verdict {
    fn from(value: value::Value) -> Verdict {
        let result = match value {
            value if value.is_win() => Wdl::Win,
            value if value.is_loss() => Wdl::Loss,
            _ => Wdl::Draw,
        };
        Verdict { result, plies: value.plies() }
    }
}
