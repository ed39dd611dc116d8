//! The static evaluation by itself.

use outplay_core::Records;

use super::GameSession;
use crate::by_evaluation::EVALUATION_OPTION;
use crate::evaluations::AnyKnowledge;

impl<G: Records> GameSession<G> {
    /// What the evaluation of the chosen search says of the position, or the usual one where that search has none; nothing once the game
    /// is over.
    pub(super) fn evaluated(&mut self) -> Option<i32> {
        // A network is open in the search that was told of its file.
        if self.line.outcome().is_none()
            && let Some(Ok(opinion)) = self.searches[self.chosen].search().opinion(&self.line)
        {
            return Some(opinion.score);
        }
        self.ask_evaluation(|evaluation, position| evaluation.value(position))
    }

    /// And why, if it can tell.
    pub(super) fn accounted(&mut self) -> Option<String> {
        self.ask_evaluation(|evaluation, position| evaluation.explain_value(position)).flatten()
    }

    fn ask_evaluation<T>(&mut self, ask: impl FnOnce(&dyn AnyKnowledge<G>, &G) -> T) -> Option<T> {
        if self.line.outcome().is_some() {
            return None;
        }
        let options = self.searches[self.chosen].search().options();
        let row = options.rows().iter().position(|row| row.name == EVALUATION_OPTION);
        let name = row.map(|index| options.value(index).to_string());
        let named = name.and_then(|name| self.evaluations.named(&name));
        Some(ask(named.unwrap_or(self.evaluations.usual()), self.line.position()))
    }
}
