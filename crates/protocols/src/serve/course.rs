//! A game of Othello as a dialogue keeps it, whatever a session is shown in between.

use outplay_core::{Game, Notation, Player};
use outplay_engine::{Session, SessionError};
use outplay_othello::{Othello, PASS};
use outplay_search::Meaning;

/// Where a game began and the moves since then.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Course {
    /// `None` for the usual start.
    pub start: Option<String>,
    /// The moves as programs exchange them, passes among them.
    pub moves: Vec<String>,
}

impl Course {
    /// Shows a session all of it.
    pub fn show(&self, session: &mut dyn Session) -> Result<(), SessionError> {
        self.show_first(self.moves.len(), session)
    }

    /// Shows a session so many of its moves.
    pub fn show_first(&self, plies: usize, session: &mut dyn Session) -> Result<(), SessionError> {
        session.set_game(self.start.as_deref(), &self.moves[..plies].join(" "))
    }

    /// Where it stands; `None` if it is no game of Othello, which nobody lets in.
    pub fn position(&self) -> Option<Othello> {
        let mut position = match &self.start {
            None => Othello::start(&()),
            Some(text) => Othello::parse_position(&(), text).ok()?,
        };
        for text in &self.moves {
            position.play(position.parse_move(text).ok()?);
        }
        Some(position)
    }

    /// Adds the passes that are to be made before anybody can do something else; who made them.
    pub fn pass_if_forced(&mut self) -> Option<Player> {
        let position = self.position()?;
        position.must_pass().then(|| {
            self.moves.push(position.move_text(PASS));
            position.to_move()
        })
    }
}

/// A value in discs.
pub(crate) fn discs(value: Meaning) -> f64 {
    match value {
        Meaning::Margin(margin) => f64::from(margin),
        other => f64::from(other.score().raw()) / 100.0,
    }
}
