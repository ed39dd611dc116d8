//! OBF, the format of problem collections: a position and, best first, what its moves are worth.
//!
//! One problem a line: the position as [`Othello`] writes it, then `; move:score` for each move that was
//! scored (in discs, for the player to move), then perhaps `%` and a comment. Lines with nothing but a
//! comment are skipped.

use std::fmt;

use outplay_core::{Move, Notation, ParseError};

use crate::Othello;
use crate::board::read_board;

const LANGUAGE: &str = "OBF";

/// A position and what its moves are worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The position.
    pub position: Othello,
    /// Legal moves, each once, the best ones first. Not every legal move need be here.
    pub moves: Vec<ScoredMove>,
    /// What stands after the `%`.
    pub comment: String,
}

/// A move and the final disc difference that it leads to, for the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub played: Move,
    /// The disc difference, from -64 to 64.
    pub score: i16,
}

impl Problem {
    /// The moves with the highest score.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let best = self.moves.first().map(|first| first.score);
        self.moves.iter().take_while(move |scored| Some(scored.score) == best).map(|scored| scored.played)
    }

    /// The score of a move, if it has one.
    pub fn score(&self, m: Move) -> Option<i16> {
        self.moves.iter().find(|scored| scored.played == m).map(|scored| scored.score)
    }
}

/// Reads all problems of a file.
pub fn read(text: &str) -> Result<Vec<Problem>, ParseError> {
    problems(text).collect()
}

/// Reads the problems of a file one after the other.
pub(crate) fn problems(text: &str) -> impl Iterator<Item = Result<Problem, ParseError>> {
    text.lines().enumerate().filter_map(move |(index, line)| {
        let has_content = !line.split('%').next().unwrap_or("").trim().is_empty();
        has_content.then(|| read_line(line).map_err(|error| error.on_line(index + 1)))
    })
}

/// Reads the problem on a line.
pub(crate) fn read_line(line: &str) -> Result<Problem, ParseError> {
    let (content, comment) = line.split_once('%').unwrap_or((line, ""));
    let comment = comment.trim_start_matches('%').trim().to_string();
    Ok(Problem { comment, ..read_problem(content)? })
}

/// Whether the first line that says anything is a board.
pub(crate) fn is_collection(text: &str) -> bool {
    problems(text).next().is_some_and(|first| first.is_ok())
}

/// Reads a line without its comment.
fn read_problem(text: &str) -> Result<Problem, ParseError> {
    let mut fields = text.split(';');
    let board = fields.next().unwrap_or("");
    let mut offset = board.len();
    let position = read_board(LANGUAGE, text, 0, offset)?;
    let mut moves: Vec<ScoredMove> = Vec::new();
    for field in fields {
        let begin = offset + 1 + field.len() - field.trim_start().len();
        offset += 1 + field.len();
        if field.trim().is_empty() {
            continue;
        }
        let expected = |what| ParseError::syntax(LANGUAGE, text, begin, what);
        let (m, score) =
            field.trim().split_once(':').ok_or_else(|| expected("a move and its score, as in g8:+18"))?;
        let played = position.parse_move(m).map_err(|error| error.within(LANGUAGE, text, begin))?;
        let score = score.trim().parse().ok().filter(|score| (-64..=64).contains(score));
        let score = score.ok_or_else(|| expected("a score from -64 to 64 after the colon"))?;
        if moves.iter().any(|scored| scored.played == played) {
            return Err(expected("each move once"));
        }
        moves.push(ScoredMove { played, score });
    }
    moves.sort_by_key(|scored| -scored.score);
    Ok(Problem { position, moves, comment: String::new() })
}

/// Writes one line that [`read`] reads.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{};", self.position.position_text())?;
        for ScoredMove { played, score } in &self.moves {
            write!(f, " {}:{score:+};", self.position.move_text(*played))?;
        }
        if !self.comment.is_empty() {
            write!(f, " % {}", self.comment.replace(['\n', '\r'], " "))?;
        }
        Ok(())
    }
}

/// A position alone is a problem without scores.
impl From<Othello> for Problem {
    fn from(position: Othello) -> Problem {
        Problem { position, moves: Vec::new(), comment: String::new() }
    }
}
