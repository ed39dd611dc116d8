//! Test problems: a position and what is known about it.
//!
//! Every game has the form that [`visit`] reads, which is chess's EPD with the position in the game's own text: one problem
//! a line, first the position (nothing, for the usual start of the game), then what is said about it, each ended by `;`:
//!
//! ```text
//! 3/1x1/3 o 1 bm a1 a3 c1 c3; result draw; id "the centre is taken";
//! moves a1 b1 a2 b2; bm a3; dm 1; id "from the start, after four moves";
//! ```
//!
//! | operation | what it says |
//! |---|---|
//! | `moves M …` | moves that lead from the position to the problem |
//! | `bm M …` | the best moves: any one of them solves the problem |
//! | `am M …` | moves to avoid: any other one solves it |
//! | `score N` | the final margin for the player to move, in games that are counted |
//! | `result win`, `draw` or `loss` | the result for the player to move |
//! | `dm N` | the player to move wins in N moves, and not in fewer; below zero: loses in so many. `bm #N` says the same |
//! | `id "…"` | the name of the problem |
//! | `c0 "…"` | a note for people: how the position was found, say. It is passed over |
//!
//! Other operations are passed over, as EPD asks for. The position ends at the first `;` or at the first of these words.
//! Empty lines and lines that begin with `#` are skipped.

mod read;

use std::fmt;

use crate::{Game, Line, Move, Notation};

pub use read::{
    GAME_OVER, ProblemVisitor, has_operations, operations_begin, read_line, read_operations, read_start,
    visit, visit_lines,
};

/// A position and what is known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem<G: Game> {
    /// Its name, if it has one.
    pub id: Option<String>,
    /// Where the moves begin.
    pub start: G,
    /// The moves that lead to the position, which is not the end of a game.
    pub moves: Vec<Move>,
    /// What is known.
    pub known: Known,
}

/// What is known about a position. Nothing, perhaps: then there is something to search but nothing to solve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known<M = Move> {
    /// The best moves: any one of them is right. If there are none, other moves are right too.
    pub best: Vec<M>,
    /// The moves to avoid.
    pub avoid: Vec<M>,
    /// The result of perfect play.
    pub result: Option<KnownResult>,
}

/// The result of perfect play, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownResult {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
    /// A win in so many moves of the winner's, and not in fewer.
    WinIn(u32),
    /// A loss in so many moves of the winner's, which the loser can avoid no longer.
    LossIn(u32),
    /// The margin at the end, negative for a loss.
    Margin(i16),
}

impl<M> Default for Known<M> {
    fn default() -> Known<M> {
        Known { best: Vec::new(), avoid: Vec::new(), result: None }
    }
}

impl<M> Known<M> {
    /// Whether there is nothing to solve.
    pub fn is_nothing(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty() && self.result.is_none()
    }

    /// The same with the moves put in another way.
    pub fn map<T>(&self, mut say: impl FnMut(&M) -> T) -> Known<T> {
        let mut all = |moves: &[M]| moves.iter().map(&mut say).collect();
        Known { best: all(&self.best), avoid: all(&self.avoid), result: self.result }
    }
}

impl KnownResult {
    /// Whether it is a win (1), a draw (0) or a loss (-1).
    pub const fn sign(self) -> i16 {
        match self {
            KnownResult::Win | KnownResult::WinIn(_) => 1,
            KnownResult::Draw => 0,
            KnownResult::Loss | KnownResult::LossIn(_) => -1,
            KnownResult::Margin(margin) => margin.signum(),
        }
    }

    const fn is_plain(self) -> bool {
        matches!(self, KnownResult::Win | KnownResult::Draw | KnownResult::Loss)
    }

    /// What two statements say together: the more exact one, `None` if they contradict each other.
    fn and(self, other: KnownResult) -> Option<KnownResult> {
        match self.sign() == other.sign() {
            true if self == other || other.is_plain() => Some(self),
            true if self.is_plain() => Some(other),
            _ => None,
        }
    }
}

impl fmt::Display for KnownResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            KnownResult::Win => write!(f, "win"),
            KnownResult::Draw => write!(f, "draw"),
            KnownResult::Loss => write!(f, "loss"),
            KnownResult::WinIn(moves) => write!(f, "win in {moves}"),
            KnownResult::LossIn(moves) => write!(f, "loss in {moves}"),
            KnownResult::Margin(margin) => write!(f, "{margin:+}"),
        }
    }
}

impl<G: Notation> Problem<G> {
    /// A position about which nothing is known.
    pub fn new(start: G) -> Problem<G> {
        Problem { id: None, start, moves: Vec::new(), known: Known::default() }
    }

    /// The position that is asked about.
    pub fn position(&self) -> G {
        self.moves.iter().fold(self.start.clone(), |position, &m| position.after(m))
    }

    /// The problem as a line that [`read_line`] reads, without its end. `rules` say which start goes without saying.
    pub fn text(&self, rules: &G::Rules) -> String {
        let mut parts = Vec::new();
        let mut line = Line::new(self.start.clone());
        let mut moves = Vec::new();
        for &m in &self.moves {
            moves.push(line.position().move_text(m));
            line.play(m);
        }
        let words = |moves: &[Move]| moves.iter().map(|&m| line.position().move_text(m)).collect::<Vec<_>>();
        let listed = [("moves", moves), ("bm", words(&self.known.best)), ("am", words(&self.known.avoid))];
        for (opcode, words) in listed.into_iter().filter(|(_, words)| !words.is_empty()) {
            parts.push(format!("{opcode} {}", words.join(" ")));
        }
        parts.extend(self.known.result.map(|result| match result {
            KnownResult::Margin(margin) => format!("score {margin}"),
            KnownResult::WinIn(moves) => format!("dm {moves}"),
            KnownResult::LossIn(moves) => format!("dm -{moves}"),
            plain => format!("result {plain}"),
        }));
        let in_quotes = |id: &String| format!("id \"{}\"", id.replace('"', "'").replace(['\n', '\r'], " "));
        parts.extend(self.id.as_ref().map(in_quotes));
        let is_usual = self.start == G::start(rules) && !parts.is_empty();
        let position = if is_usual { String::new() } else { self.start.position_text() + " " };
        position + &parts.join("; ") + ";"
    }
}
