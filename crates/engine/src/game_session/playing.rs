//! The game and its line.

use outplay_core::{Line, Move, Opening, Outcome, ParseError, Phase, Player, Records, perft};

use super::GameSession;
use super::wording::{outcome_text, walk, without_number};
use crate::picture::{Composed, Draft, Picture};
use crate::session::{Playing, SessionError};

impl<G: Records> Playing for GameSession<G> {
    fn players(&self) -> [&'static str; 2] {
        self.line.position().players()
    }

    fn set_game(&mut self, start: Option<&str>, moves: &str) -> Result<(), SessionError> {
        self.idle()?;
        let start = match start {
            Some(text) => G::parse_position(&self.rules, text)?,
            None => G::start(&self.rules),
        };
        let mut line = Line::new(start);
        let words = G::split_moves(moves).into_iter().map(without_number).filter(|word| !word.is_empty());
        for (index, word) in words.enumerate() {
            let m = line.position().parse_move(word);
            line.play(m.map_err(|error| SessionError::MoveOfList { number: index + 1, error })?);
        }
        self.line = line;
        self.loaded = None;
        Ok(())
    }

    fn pass_turn(&mut self) -> Result<(), SessionError> {
        self.idle()?;
        if let Some(ending) = self.ending() {
            return Err(SessionError::GameOver(ending));
        }
        let position = self.line.position();
        let (mover, opponent) = (position.to_move(), !position.to_move());
        let [mover, opponent] = [mover, opponent].map(|player| self.players()[player.index()]);
        let passed = position.passed().ok_or_else(|| {
            let why = match self.drawing.marks(position).check {
                Some(_) => format!("{mover} is in check"),
                None => format!("{mover} has to move"),
            };
            SessionError::NoPass(format!("{why}: what {opponent} threatens cannot be shown"))
        })?;
        self.line = Line::new(passed);
        self.loaded = None;
        Ok(())
    }

    fn play_text(&mut self, text: &str) -> Result<Move, SessionError> {
        let m = self.parse_move(text)?;
        self.play(m)?;
        Ok(m)
    }

    fn play(&mut self, m: Move) -> Result<(), SessionError> {
        self.idle()?;
        if let Some(ending) = self.ending() {
            return Err(SessionError::GameOver(ending));
        }
        if !self.line.position().is_legal(m) {
            return Err(ParseError::refused("move", &format!("{m:?}"), "not legal here").into());
        }
        self.line.play(m);
        Ok(())
    }

    fn undo(&mut self) -> Result<Option<Move>, SessionError> {
        self.idle()?;
        Ok(self.line.undo())
    }

    fn position_text(&self) -> String {
        self.line.position().position_text()
    }

    fn key(&self) -> u64 {
        self.line.position().key()
    }

    fn board(&self) -> String {
        self.line.position().board()
    }

    fn to_move(&self) -> Player {
        self.line.position().to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.line.outcome()
    }

    fn ending(&self) -> Option<String> {
        let text = outcome_text(self.line.outcome()?, self.players());
        let position = self.line.position();
        Some(match position.outcome_reason() {
            _ if position.outcome().is_none() => format!("{text}: repetition"),
            "" => text,
            reason => format!("{text}: {reason}"),
        })
    }

    fn cells(&self) -> Option<(usize, usize)> {
        self.line.position().cells()
    }

    fn phase(&self) -> Option<Phase> {
        self.line.position().phase()
    }

    fn opening(&self) -> Option<Opening> {
        self.line.positions().iter().rev().find_map(self.name_opening)
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.line.legal_moves()
    }

    fn parse_move(&self, text: &str) -> Result<Move, SessionError> {
        Ok(self.line.position().parse_move(text)?)
    }

    fn played(&self) -> Vec<(Player, String)> {
        walk(self.line.start(), self.line.moves(), |position, m| (position.to_move(), position.move_text(m)))
    }

    fn played_plain(&self) -> Vec<(Player, String)> {
        walk(self.line.start(), self.line.moves(), |position, m| {
            (position.to_move(), position.plain_move_text(&self.rules, m))
        })
    }

    fn perft(
        &self,
        depth: u32,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(String, u64)> {
        let position = self.line.position();
        let counts = perft::divide(position, depth, threads, progress);
        counts.into_iter().map(|(m, count)| (position.move_text(m), count)).collect()
    }

    fn picture(&self) -> Picture {
        Picture::new(&*self.drawing, &self.rules, &self.line)
    }

    fn compose(&self, draft: &Draft) -> Option<Composed> {
        self.drawing.compose(self.line.position(), draft)
    }
}
