//! A match: pairs of games from the same openings with the colours changed, counted in order, whoever plays them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use outplay_core::{Player, text};
use outplay_engine::{NamedGame, SessionError};
use serde::{Deserialize, Serialize};

use crate::stats::{Decision, GameResult, Sprt};
use crate::store::{Journal, StoreError};
use crate::{
    Crew, Experiment, GameRules, Opening, PairTask, PlayedGame, PlayerError, PlayerSpec, Standings,
    TimeControl,
};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub game: NamedGame,
    /// The players.
    pub entrants: Vec<Entrant>,
    /// Who meets whom, by their numbers.
    pub pairings: Vec<[usize; 2]>,
    /// The openings, used one after the other and then again. All pairings play the same ones.
    pub openings: Vec<Opening>,
    /// How many pairs of games each pairing plays at most.
    pub pairs: usize,
    /// What ends a game.
    pub rules: GameRules,
    /// A test between the players of the first pairing, which may end the match sooner.
    pub sprt: Option<Sprt>,
}

/// A player of a match.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The name in tables, different from all others.
    pub name: String,
    /// Who it is.
    pub spec: PlayerSpec,
    /// What time it has.
    pub control: TimeControl,
}

/// Two games from one opening: the first player of the pairing opens the first, the other one the second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedPair {
    /// Its number in the match, counted from 0.
    pub index: usize,
    /// The games.
    pub games: [PlayedGame; 2],
    /// The machine that played it, if it was not this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl PlayedPair {
    /// What the games of a pair are called in files.
    pub fn rounds(index: usize) -> [String; 2] {
        [1, 2].map(|game| format!("{}.{game}", index + 1))
    }

    /// The results for the first player of the pairing.
    pub fn results(&self) -> [GameResult; 2] {
        let [first, second] = &self.games;
        [GameResult::of(first.outcome, Player::First), GameResult::of(second.outcome, Player::Second)]
    }
}

/// Why a match could not go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A pair could not be kept, or read again.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Whoever plays cannot go on.
    #[error("{0}")]
    Crew(String),
    /// What a machine has played does not count any more: the match is to be counted anew, from what is kept.
    #[error("what {worker} has played ({pairs} pairs) was taken out: play the match again")]
    Forgotten {
        /// The machine.
        worker: String,
        /// How many pairs were taken out.
        pairs: usize,
    },
}

impl From<SessionError> for MatchError {
    fn from(error: SessionError) -> MatchError {
        MatchError::Player(error.into())
    }
}

impl Plan {
    /// Makes entrants of players: those without a limit get `limit`, and names that occur twice are numbered.
    pub fn entrants(players: Vec<PlayerSpec>, limit: &TimeControl) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for spec in players {
            let label = spec.label();
            let taken = |name: &String| entrants.iter().any(|other| other.name == *name);
            let numbered = (2..).map(|number| format!("{label} #{number}"));
            let name = std::iter::once(label.clone()).chain(numbered).find(|name| !taken(name));
            let control = spec.limit.clone().unwrap_or_else(|| limit.clone());
            entrants.push(Entrant { name: name.unwrap_or(label), spec, control });
        }
        entrants
    }

    /// Starts every player once that can be started here, and refuses what a player's protocol cannot say. What fails later is a player's fault and a result; what
    /// fails here is a mistake of whoever made the plan.
    pub fn check(&self) -> Result<(), PlayerError> {
        for Entrant { spec, control, .. } in &self.entrants {
            spec.check(&self.game, control, &self.openings)?;
            if spec.program().is_none() {
                spec.make(&self.game)?;
            }
        }
        Ok(())
    }

    /// How many pairs there are in all.
    pub fn all_pairs(&self) -> usize {
        self.pairs * self.pairings.len()
    }

    /// Which pairing plays a pair: they take turns, so that a match broken off has played all of them about equally often.
    pub fn pairing_of(&self, index: usize) -> usize {
        index % self.pairings.len().max(1)
    }

    /// Who sits where in the two games of a pair, by their numbers.
    pub fn seats_of(&self, index: usize) -> [[usize; 2]; 2] {
        let [a, b] = self.pairings[self.pairing_of(index)];
        [[a, b], [b, a]]
    }

    /// The opening of a pair.
    pub fn opening_of(&self, index: usize) -> Opening {
        let round = index / self.pairings.len().max(1);
        let opening = self.openings.get(round % self.openings.len().max(1));
        opening.cloned().unwrap_or(Opening { start: None, moves: String::new() })
    }

    /// All that has to be known to play a pair.
    pub fn task(&self, index: usize) -> PairTask {
        let players = self.pairings[self.pairing_of(index)];
        PairTask {
            index,
            game: self.game.clone(),
            entrants: players.map(|player| self.entrants[player].clone()),
            opening: self.opening_of(index),
            rules: self.rules.clone(),
        }
    }
}

/// Has a crew play the pairs of a plan that the journal does not have, keeps each as soon as it has ended, and returns how the match
/// stands in the end.
///
/// Pairs are counted in the order of their numbers, whatever order they end in: so a match comes to the same decision
/// after the same pairs, whoever plays them, and after it was interrupted and taken up again. `watch` sees each pair
/// when it is counted, with the standings so far, and may break off. So may whoever sets `stop`; games that have not
/// ended then are forgotten.
pub fn run_match(
    plan: &Plan,
    crew: &dyn Crew,
    journal: &dyn Journal,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&PlayedPair, &Standings) -> ControlFlow<()>,
) -> Result<Standings, MatchError> {
    let names = plan.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let standings = Standings::new(names, plan.pairings.clone(), plan.sprt);
    let kept = journal.kept()?;
    let waiting = BTreeMap::new();
    let mut count = Count { plan, journal, kept, handed_out: 0, counted: 0, waiting, standings, watch };
    if count.count_in_order()?.is_continue() {
        crew.play(&mut count, stop)?;
    }
    Ok(count.standings)
}

/// A match while it is played.
struct Count<'a> {
    plan: &'a Plan,
    journal: &'a dyn Journal,
    /// What the journal had in the beginning.
    kept: BTreeSet<usize>,
    /// All pairs below this number were handed out or kept.
    handed_out: usize,
    /// All pairs below this number were counted.
    counted: usize,
    /// Pairs that have ended but whose turn to be counted has not come.
    waiting: BTreeMap<usize, PlayedPair>,
    standings: Standings,
    watch: &'a mut dyn FnMut(&PlayedPair, &Standings) -> ControlFlow<()>,
}

impl Experiment for Count<'_> {
    fn key(&self) -> u64 {
        let Plan { game, entrants, pairings, openings, rules, .. } = self.plan;
        text::hash(&format!("{game} {entrants:?} {pairings:?} {openings:?} {rules:?}"))
    }

    fn next(&mut self) -> Option<PairTask> {
        let index = (self.handed_out..self.plan.all_pairs()).find(|index| !self.kept.contains(index))?;
        self.handed_out = index + 1;
        Some(self.plan.task(index))
    }

    fn done(&mut self, pair: PlayedPair) -> Result<ControlFlow<()>, MatchError> {
        self.journal.keep(&pair)?;
        self.waiting.insert(pair.index, pair);
        self.count_in_order()
    }

    fn forget(&mut self, worker: &str) -> Result<(), MatchError> {
        match self.journal.forget(worker)? {
            0 => Ok(()),
            // What was counted cannot be taken back from whoever has seen it.
            pairs => Err(MatchError::Forgotten { worker: worker.to_string(), pairs }),
        }
    }
}

impl Count<'_> {
    /// Counts pairs as far as their turn has come, until the match is decided or broken off.
    fn count_in_order(&mut self) -> Result<ControlFlow<()>, MatchError> {
        while self.counted < self.plan.all_pairs() {
            let index = self.counted;
            let kept = if self.kept.contains(&index) { self.journal.pair(index)? } else { None };
            let Some(pair) = kept.or_else(|| self.waiting.remove(&index)) else {
                return Ok(ControlFlow::Continue(()));
            };
            self.counted += 1;
            self.standings.record(self.plan.pairing_of(index), pair.results());
            if (self.watch)(&pair, &self.standings).is_break()
                || self.standings.decision() != Decision::Continue
            {
                break;
            }
        }
        Ok(ControlFlow::Break(()))
    }
}
