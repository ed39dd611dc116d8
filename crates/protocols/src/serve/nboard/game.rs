//! The game as a board program tells it: its moves and how long they took.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use outplay_book::Book;
use outplay_core::{Game, Notation, Player, Record};
use outplay_engine::{SaveNotes, Session};
use outplay_othello::{Othello, ggf};

use super::Refusal;
use crate::serve::course::Course;
use crate::serve::time_limits::{TimeLimits, seconds};

/// A game, and what is left on the clocks.
#[derive(Clone, Default)]
pub struct TimedGame {
    pub course: Course,
    clocks: TimeLimits,
    increment: [Duration; 2],
}

impl TimedGame {
    /// Reads a game in GGF.
    pub fn read(text: &str) -> Result<TimedGame, Refusal> {
        let mut first = None;
        ggf::visit(text, &mut |record| {
            first = Some(record);
            ControlFlow::Break(())
        })
        .map_err(|error| error.to_string())?;
        let record: Record<Othello> = first.ok_or("set game: expected a game in GGF")?;
        let mut game = TimedGame::default();
        let starts_usually = record.start == Othello::start(&());
        game.course.start = (!starts_usually).then(|| record.start.position_text());
        for player in Player::BOTH {
            let own = ["BlackTimeControl", "WhiteTimeControl"][player.index()];
            let told = record.tag(own).or(record.tag("TimeControl")).and_then(clock);
            if let Some((left, increment)) = told {
                game.clocks.left[player.index()] = Some(left);
                game.increment[player.index()] = increment;
            }
        }
        let mut position = record.start;
        for node in record.tree.main_nodes() {
            let Some(m) = record.tree.played(node) else { continue };
            game.take_time(position.to_move(), time_in_comment(record.tree.comment(node)));
            game.course.moves.push(position.move_text(m));
            position.play(m);
        }
        Ok(game)
    }

    /// Adds a move as it is told: `F5`, or `F5/1.50/2.3` with a value, which is somebody else's, and the seconds that it took.
    pub fn add_move(&mut self, told: &str) -> Result<(), Refusal> {
        let mut parts = told.split('/').map(str::trim);
        let word = parts.next().unwrap_or_default();
        let time = parts.nth(1).and_then(seconds).unwrap_or_default();
        let position = self.course.position().ok_or("there is no game")?;
        let m = position.parse_move(word).map_err(|error| error.to_string())?;
        self.take_time(position.to_move(), time);
        self.course.moves.push(position.move_text(m));
        Ok(())
    }

    fn take_time(&mut self, player: Player, time: Duration) {
        if let Some(left) = &mut self.clocks.left[player.index()] {
            *left = left.saturating_sub(time).saturating_add(self.increment[player.index()]);
        }
    }

    /// What is left on the clocks, if there are any.
    pub fn remaining(&self) -> Option<[Duration; 2]> {
        let [first, second] = self.clocks.left;
        let known = first.or(second)?;
        Some([first.unwrap_or(known), second.unwrap_or(known)])
    }

    /// What is added after each move.
    pub fn increment(&self) -> [Duration; 2] {
        self.increment
    }
}

/// A clock in GGF: what is there at first and what is added after a move, `15:00//2:00` or `5:00/0:03`. What follows a second slash is a
/// time of grace, which nobody should count on.
fn clock(text: &str) -> Option<(Duration, Duration)> {
    let mut parts = text.split('/');
    let left = time(parts.next()?)?;
    let increment = parts.next().filter(|part| !part.trim().is_empty()).map_or(Some(Duration::ZERO), time)?;
    Some((left, increment))
}

/// `SS`, `MM:SS`, `HH:MM:SS` or `DD.HH:MM:SS`.
fn time(text: &str) -> Option<Duration> {
    const SECONDS: [u64; 4] = [1, 60, 3_600, 86_400];
    let parts: Vec<&str> = text.trim().split([':', '.']).collect();
    if parts.len() > SECONDS.len() {
        return None;
    }
    let numbers =
        parts.iter().rev().zip(SECONDS).map(|(part, unit)| Some(part.parse::<u32>().ok()? as u64 * unit));
    numbers.sum::<Option<u64>>().map(Duration::from_secs)
}

/// The seconds that a move took, as a comment has them.
fn time_in_comment(comment: &str) -> Duration {
    let told = comment.split_once("[%emt ").and_then(|(_, rest)| rest.split(']').next());
    told.and_then(seconds).unwrap_or_default()
}

/// Adds the beginning of a session's game to a book in a file, which is made if it is not there.
pub fn add_to_book(path: &Path, session: &dyn Session, plies: usize) -> Result<(), Refusal> {
    let game = session.book_game().ok_or("this game has no opening books")?;
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut book = match std::fs::read(path) {
        Ok(bytes) => Book::of_game(&bytes, game).map_err(|error| failed(&error))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Book::new(game),
        Err(error) => return Err(failed(&error)),
    };
    let file = session.save(&SaveNotes::default());
    session.add_games(&mut book, file.as_bytes(), plies).map_err(|error| failed(&error))?;
    // Beside the old one first, so that a crash leaves one of the two whole.
    let new = path.with_extension("new");
    std::fs::write(&new, book.to_bytes())
        .and_then(|()| std::fs::rename(&new, path))
        .map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_what_is_left_after_the_moves_so_far() {
        let game = "(;GM[Othello]PC[NBoard]TI[1:00/0:02]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//10.5]W[D6/1.0/3]B[C3];)";
        let mut game = TimedGame::read(game).expect("a game");
        let second = Duration::from_secs(1);
        assert_eq!(game.remaining(), Some([(60 + 2 + 2) * second - 21 * second / 2, 59 * second]));
        assert_eq!((game.course.start.clone(), game.course.moves.len()), (None, 3));
        game.add_move("d3/-1.25/4").expect("a legal move");
        assert_eq!(game.remaining().expect("clocks")[1], 57 * second);
        for bad in ["", "d3", "D3/", "pass", "j9", "é5"] {
            assert!(game.add_move(bad).is_err(), "{bad}");
        }
        assert_eq!(game.course.moves, ["f5", "d6", "c3", "d3"]);
    }

    #[test]
    fn times_are_read_as_servers_write_them() {
        let second = Duration::from_secs(1);
        for (text, time) in [("15:00//2:00", 900), ("5", 5), ("1:00:01", 3_601), ("1.00:00:00", 86_400)] {
            assert_eq!(clock(text), Some((time * second, Duration::ZERO)), "{text}");
        }
        assert_eq!(clock("1:00/0:05/2:00"), Some((60 * second, 5 * second)));
        for bad in ["", "x", "1:2:3:4:5", "-1", "99999999999"] {
            assert_eq!(clock(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for bad in ["", "(;", "(;GM[Chess];)", "(;GM[Othello]BO[10 -- *];)", "(;GM[Othello]B[A1];)"] {
            assert!(TimedGame::read(bad).is_err(), "{bad}");
        }
    }
}
