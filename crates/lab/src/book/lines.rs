//! The lines of play that a book knows, as lists of moves.

use std::collections::HashSet;

use outplay_core::Move;
use outplay_engine::{Session, SessionError};
use outplay_search::Score;

use super::{KnownMove, OpenBook};

/// Which lines are wanted.
#[derive(Clone, Copy, Debug)]
pub struct LineChoice {
    /// Of the moves that a search has judged, those within so many hundredths of the best one; `None` for all.
    pub margin: Option<i32>,
    /// No line is longer.
    pub plies: usize,
    /// No more lines than this.
    pub most: usize,
}

/// The lines that begin where a session stands, what the book prefers first. A position that several lines lead to, itself or an image of it, is gone on from
/// once: the other lines end there.
pub fn book_lines(
    book: &mut OpenBook,
    session: &mut dyn Session,
    choice: &LineChoice,
) -> Result<Vec<Vec<String>>, SessionError> {
    let mut walk = Walk { book, choice, seen: HashSet::new(), lines: Vec::new(), line: Vec::new() };
    walk.go_on(session)?;
    Ok(walk.lines)
}

struct Walk<'a> {
    book: &'a mut OpenBook,
    choice: &'a LineChoice,
    /// The keys of the positions that were gone on from.
    seen: HashSet<u64>,
    lines: Vec<Vec<String>>,
    line: Vec<String>,
}

impl Walk<'_> {
    fn go_on(&mut self, session: &mut dyn Session) -> Result<(), SessionError> {
        let is_new = self.line.len() < self.choice.plies && self.seen.insert(session.folded().key);
        let moves = if is_new { self.moves(session) } else { Vec::new() };
        if moves.is_empty() && !self.line.is_empty() {
            self.lines.push(self.line.clone());
        }
        for m in moves {
            if self.lines.len() >= self.choice.most {
                break;
            }
            self.line.extend(session.plain_line_text(&[m]));
            session.play(m)?;
            self.go_on(session)?;
            session.undo()?;
            self.line.pop();
        }
        Ok(())
    }

    /// The moves to go on with, the best first.
    fn moves(&mut self, session: &dyn Session) -> Vec<Move> {
        let value = |known: &KnownMove| known.value.map(|value| value.score());
        let mut known = self.book.moves(session);
        let best = known.iter().filter_map(value).max();
        if let (Some(best), Some(margin)) = (best, self.choice.margin) {
            let is_near = |score: Score| best.raw() - score.raw() <= margin;
            known.retain(|known| value(known).is_some_and(is_near));
        }
        known.sort_by_key(|known| std::cmp::Reverse(value(known)));
        known.into_iter().map(|known| known.played).collect()
    }
}
