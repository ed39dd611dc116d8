//! Flat Monte Carlo, game by game.

use outplay_core::{Game, Line};

use super::super::playout::playout_moves;
use super::super::simulations::Recorder;
use super::super::{BackedUp, Candidate, Choice, NotRecorded, Recording, Simulation};
use super::{FlatOptions, Games};
use crate::Limits;

/// See [`Search::record`](crate::Search::record).
pub(super) fn record<G: Game>(
    line: &Line<G>,
    simulations: u64,
    most_rows: usize,
    options: FlatOptions,
) -> Result<Recording, NotRecorded> {
    let mut games = Games::new(line, &Limits::default(), options);
    let mut recorder = Recorder::new(most_rows);
    while games.played < simulations
        && let Some(turn) = games.turn()
    {
        recorder.add(games.play_recorded(turn))?;
    }
    Ok(recorder.finish(None, games.lines(usize::MAX)))
}

impl<G: Game> Games<'_, G> {
    /// What [`Games::play`] does, with notes.
    fn play_recorded(&mut self, turn: usize) -> Simulation {
        let player = self.root.to_move();
        let known = |candidate: &super::Candidate| Candidate {
            m: candidate.m,
            visits: candidate.games,
            mean: candidate.mean(),
            bound: None,
        };
        let candidates = self.candidates.iter().map(known).collect();
        let choice = Choice { player, visits: self.played, candidates, chosen: turn };
        let super::Candidate { m, ended, .. } = self.candidates[turn];
        let random_game = match ended {
            Some(_) => Vec::new(),
            None => playout_moves(self.root.after(m), self.rng.clone()),
        };
        let outcome = self.play(turn);
        let after = &self.candidates[turn];
        let reward = outcome.for_player(player).signum() as i8;
        let backed_up = BackedUp { reward, visits: after.games, mean: after.mean() };
        Simulation { choices: vec![choice], random_game, outcome, backed_up: vec![backed_up] }
    }
}
