//! Reviews: which turns of a game gave something away, how much, and what would have been better.
//!
//! [`Scale`] says what a value is worth, [`Mark`] from which loss on a turn is a fault, and [`Course`] which positions have to be searched for
//! that. Whoever has a search asks it what the course wants to know: the program, or the server. docs/review.md has the method and what it was
//! measured against.

mod agreement;
mod annotate;
mod course;
mod opinion;
mod players;
mod scale;
mod summary;
mod table;

use outplay_core::Player;
use outplay_search::Meaning;
use serde::{Deserialize, Serialize};

pub use agreement::Agreement;
pub use annotate::annotate;
pub use course::{Course, Question};
pub use opinion::{DEEPER, DEEPER_PLIES, Judge, Opinion};
pub use players::{Career, GROSS, add_careers};
pub use scale::{Faults, Mark, Scale, accuracy};
pub use summary::{PhaseAccuracy, Side};
pub use table::write_csv;

/// What stands before the best move in the words of a review.
const BEST: &str = "Best: ";

/// A reviewed game, or as much of it as has been reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// What a unit of the game's scores is called where losses are counted in them; empty where they are chances.
    pub unit: String,
    /// The moves, as programs exchange them.
    pub moves: Vec<String>,
    /// What the position after so many moves is worth, where it is known: at the ends of turns.
    pub values: Vec<Option<Value>>,
    /// The turns that were judged.
    pub turns: Vec<Turn>,
    /// What each player made of the game.
    pub sides: [Side; 2],
}

/// What a position is worth, as the first player sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// What the search said.
    pub score: Meaning,
    /// The chance to win, draws counting half.
    pub chance: f64,
    /// The chances to win, to draw and to lose, if the search has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[f64; 3]>,
    /// The score as comments of files have it, in `[%eval 0.31]` or `[%eval #-3]`.
    pub eval: String,
}

/// A turn that was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Moves before it.
    pub from: usize,
    /// Moves up to its end.
    pub to: usize,
    /// Whose it was.
    pub player: usize,
    /// Its number, as lists of moves have it: `12.` or `12…`.
    pub number: String,
    /// What was played.
    pub played: Vec<String>,
    /// The part of the game, in games that are divided so.
    pub phase: Option<String>,
    /// Whether there was nothing to choose.
    pub forced: bool,
    /// How much of the winning chance it gave away, from 0 to 1.
    pub loss: f64,
    /// The same in units of the score, where losses are counted in them.
    pub units: Option<f64>,
    /// What is to be said of that.
    pub mark: Option<Mark>,
    /// The same in words: `Mistake: −12 % winning chance.`
    pub words: Option<String>,
    /// What would have been best, in words: `Best: Bxf7+.`
    pub advice: Option<String>,
    /// What would have been best, and how the game would have gone on.
    pub best: MoveLine,
    /// How it is answered best: of a fault, its refutation.
    pub reply: MoveLine,
}

/// Moves that follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveLine {
    /// As people write them.
    pub text: Vec<String>,
    /// As programs exchange them.
    pub plain: Vec<String>,
}

impl Turn {
    /// What is said of a fault.
    pub fn said(&self) -> String {
        self.words.iter().chain(&self.advice).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    fn player(&self) -> Player {
        if self.player == 0 { Player::First } else { Player::Second }
    }
}
