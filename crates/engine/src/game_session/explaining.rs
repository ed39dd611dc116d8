//! What is known of the current position without a search, or by one that is small enough to follow.

use std::sync::Arc;

use outplay_core::Records;
use outplay_search::textbook::NotRecorded;

use super::GameSession;
use crate::explanation::Explanation;
use crate::networks::{EncoderInfo, NetworkOpinion};
use crate::proving::Proven;
use crate::searches::{EXPLAINABLE, SIMULATED};
use crate::selfplay::Learner;
use crate::session::{Explaining, SessionError};
use crate::simulations::ExplainedSimulations;

impl<G: Records> Explaining for GameSession<G> {
    fn evaluate(&mut self) -> Result<Option<i32>, SessionError> {
        self.idle().map(|()| self.evaluated())
    }

    fn account(&mut self) -> Result<Option<String>, SessionError> {
        self.idle().map(|()| self.accounted())
    }

    fn network_opinion(&mut self) -> Result<Option<NetworkOpinion>, SessionError> {
        self.idle()?;
        // A draw by counting does not stop the moves, and a network may be asked about them.
        if !self.line.position().can_play_on() {
            return Ok(None);
        }
        let opinion = self.searches[self.chosen].search().opinion(&self.line).transpose()?;
        Ok(opinion.map(|opinion| NetworkOpinion::new(&opinion, &self.line, &self.rules, &*self.drawing)))
    }

    fn learner(&self) -> Option<Arc<dyn Learner>> {
        self.evaluations.learner(&self.rules)
    }

    fn encoders(&self) -> Vec<EncoderInfo> {
        self.evaluations.encoders()
    }

    fn explain(&self, search: &str, depth: u32, most_nodes: usize) -> Result<Explanation, SessionError> {
        let found = EXPLAINABLE.iter().find(|(name, _)| name.eq_ignore_ascii_case(search));
        let &(_, algorithm) =
            found.ok_or_else(|| not_explainable(search, &EXPLAINABLE.map(|(name, _)| name)))?;
        let recorded = self.evaluations.usual().explain(&self.line, algorithm, depth as usize, most_nodes);
        let (trace, counters) = recorded.ok_or(SessionError::TooLarge(most_nodes))?;
        Ok(Explanation::new(&self.line, &trace, counters))
    }

    fn explain_simulations(
        &mut self,
        simulations: u64,
        most_rows: usize,
    ) -> Result<ExplainedSimulations, SessionError> {
        self.idle()?;
        let chosen = &mut self.searches[self.chosen];
        let recording =
            chosen.search().record(&self.line, simulations, most_rows).map_err(|error| match error {
                NotRecorded::NoSimulations => not_explainable(chosen.entry.info.name, &SIMULATED),
                NotRecorded::TooLong => SessionError::TooManyRows(most_rows),
            })?;
        Ok(ExplainedSimulations::new(&self.line, &recording))
    }

    fn proves_wins(&self) -> bool {
        self.prover.is_some()
    }

    fn prove_win(&self, nodes: u64, is_late: &dyn Fn() -> bool) -> Option<Result<Proven, SessionError>> {
        let position = self.line.position();
        let prove = self.prover.as_ref()?;
        Some(prove(position, nodes, is_late).map_err(SessionError::NotProvable))
    }
}

fn not_explainable(search: &str, known: &[&str]) -> SessionError {
    SessionError::NotExplainable { name: search.to_string(), known: known.join(", ") }
}
