//! The lessons of our own games. Tests run each, and hold what it says of its positions against what the searches do.

mod chess;
mod small_boards;

pub(super) use chess::CHESS;
pub(super) use small_boards::{CONNECT_FOUR, OTHELLO, TIC_TAC_TOE};

use crate::lessons::{Lesson, Shows, Topic};

/// A lesson from the start of its game, to be filled in.
const fn lesson(topic: Topic, name: &'static str, title: &'static str, shows: Shows) -> Lesson {
    Lesson {
        name,
        title,
        aim: "",
        attempt: "",
        topic,
        featured: false,
        variant: None,
        start: None,
        moves: &[],
        shows,
    }
}
