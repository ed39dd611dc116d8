//! Going back through a game, a search for each position: what was known late helps with what came before.

use outplay_core::Player;
use outplay_engine::SessionError;

use super::course::{Course, discs};
use super::desk::{Desk, Thought};
use super::level::limits_of_depth;

/// A game on its way back.
pub(crate) struct Retrograde {
    course: Course,
    /// How many moves lead to the position that is looked at.
    plies: usize,
    /// How few are looked at.
    least_plies: usize,
    /// What is known of the position after that one.
    after: Option<Judged>,
}

/// What a position of the game is worth.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The number of moves that lead to it.
    pub plies: usize,
    /// Who moves.
    pub mover: Player,
    /// Its value in discs for who moves.
    pub value: f64,
    /// What is best there; `None` at the end of the game.
    pub best: Option<String>,
    /// What was played there, and its value for who played it; `None` at the end of the game.
    pub played: Option<(String, f64)>,
}

/// What a step back has come to.
pub(crate) enum Step {
    /// A search has begun.
    Thinks,
    /// The game was over, so that its result is the value.
    Known(Judged),
    /// There is nothing left.
    Done,
}

impl Retrograde {
    /// Looks at a game from its end back to where so many moves were played.
    pub fn new(course: Course, least_plies: usize) -> Retrograde {
        let plies = course.moves.len() + 1;
        Retrograde { course, plies, least_plies, after: None }
    }

    /// Goes a move back, and looks at the position there to this depth.
    pub fn step(&mut self, depth: u32, desk: &mut Desk) -> Result<Step, SessionError> {
        if self.plies <= self.least_plies {
            return Ok(Step::Done);
        }
        self.plies -= 1;
        self.course.show_first(self.plies, &mut *desk.session)?;
        let mover = desk.session.to_move();
        if let Some(outcome) = desk.session.outcome() {
            return Ok(Step::Known(self.judged(mover, f64::from(outcome.for_player(mover)), None)));
        }
        let mut limits = limits_of_depth(depth, &mut *desk.session)?;
        limits.analysis = true;
        desk.think(limits)?;
        Ok(Step::Thinks)
    }

    /// What a search of the position has found.
    pub fn conclude(&mut self, thought: &Thought, desk: &Desk) -> Judged {
        let value = thought.lines.first().map_or(0.0, |(value, _)| discs(*value));
        self.judged(desk.session.to_move(), value, thought.best.clone())
    }

    fn judged(&mut self, mover: Player, value: f64, best: Option<String>) -> Judged {
        let played = self.after.as_ref().and_then(|after| {
            let for_mover = if after.mover == mover { after.value } else { -after.value };
            Some((self.course.moves.get(self.plies)?.clone(), for_mover))
        });
        let judged = Judged { plies: self.plies, mover, value, best, played };
        self.after = Some(judged.clone());
        judged
    }
}

impl Judged {
    /// By how many discs the move that was played is worse than the best one, as far as searches tell.
    pub fn loss(&self) -> Option<f64> {
        let (played, value) = self.played.as_ref()?;
        let is_best = self.best.as_ref() == Some(played);
        Some(if is_best { 0.0 } else { (self.value - value).max(0.0) })
    }
}
