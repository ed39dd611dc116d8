//! The keys of positions, by which tables know them.

use serde::Serialize;

use super::Lesson;
use crate::{Session, SessionError};

/// The keys on the way to a position, by two orders of moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Keys {
    /// The key where the moves begin, in sixteen digits.
    pub start: String,
    /// Both ways.
    pub ways: [Way; 2],
    /// Whether they lead to the same key.
    pub meet: bool,
}

/// The keys along some moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Way {
    /// The moves as they are played.
    pub moves: Vec<String>,
    /// A step for each.
    pub steps: Vec<KeyStep>,
}

/// What a move does to the key.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KeyStep {
    /// Who moves.
    pub by: &'static str,
    /// The move as people write it.
    pub text: String,
    /// The key before and the key after, by exclusive or: all that the move changes.
    pub change: String,
    /// The key after it.
    pub key: String,
}

/// Plays the moves of a lesson, and the same in another order, and notes the keys.
pub(super) fn keys(session: &mut dyn Session, lesson: &Lesson, other: &[&str]) -> Result<Keys, SessionError> {
    session.set_game(lesson.start, "")?;
    let start = session.key();
    let mut way = |moves: &[&str]| {
        session.set_game(lesson.start, "")?;
        let mut steps = Vec::new();
        for text in moves {
            let (before, by) = (session.key(), session.players()[session.to_move().index()]);
            let m = session.parse_move(text)?;
            let text = session.line_text(&[m]).concat();
            session.play(m)?;
            let key = session.key();
            steps.push(KeyStep { by, text, change: digits(before ^ key), key: digits(key) });
        }
        let moves = moves.iter().map(ToString::to_string).collect();
        Ok::<_, SessionError>(Way { moves, steps })
    };
    let ways = [way(lesson.moves)?, way(other)?];
    let end = |way: &Way| way.steps.last().map(|step| step.key.clone());
    let meet = end(&ways[0]) == end(&ways[1]);
    Ok(Keys { start: digits(start), ways, meet })
}

fn digits(key: u64) -> String {
    format!("{key:016x}")
}
