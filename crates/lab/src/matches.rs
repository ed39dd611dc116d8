//! A match: pairs of games from the same openings with the colours changed, on several threads, counted in order.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use outplay_core::Player;
use outplay_engine::{NamedGame, SessionError};
use outplay_protocols::Opponent;
use serde::{Deserialize, Serialize};

use crate::referee::{Seat, forfeited_game, play_game};
use crate::stats::{Decision, GameResult, Sprt};
use crate::store::{Journal, StoreError};
use crate::{Ending, GameRules, Opening, PlayedGame, PlayerError, PlayerSpec, Standings, TimeControl};

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
    /// How many games are played at once.
    pub concurrency: usize,
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

    /// Starts every player once, and refuses what a player's protocol cannot say. What fails later is a player's fault and a result; what
    /// fails here is a mistake of whoever made the plan.
    pub fn check(&self) -> Result<(), PlayerError> {
        for Entrant { spec, control, .. } in &self.entrants {
            spec.check(&self.game, control, &self.openings)?;
            spec.make(&self.game)?;
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
}

/// Plays the pairs of a plan that the journal does not have, keeps each as soon as it has ended, and returns how the match
/// stands in the end.
///
/// Pairs are counted in the order of their numbers, whatever order they end in: so a match comes to the same decision
/// after the same pairs on any number of threads, and after it was interrupted and taken up again. `watch` sees each pair
/// when it is counted, with the standings so far, and may break off. So may whoever sets `stop`; games that have not
/// ended then are forgotten.
pub fn run_match(
    plan: &Plan,
    journal: &dyn Journal,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&PlayedPair, &Standings) -> ControlFlow<()>,
) -> Result<Standings, MatchError> {
    let names = plan.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let mut standings = Standings::new(names, plan.pairings.clone(), plan.sprt);
    let kept = journal.kept()?;
    let work = Work { plan, kept: &kept, next: AtomicUsize::new(0), stop, enough: AtomicBool::new(false) };
    let (sender, played) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.clamp(1, plan.all_pairs().max(1)) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || work.play_pairs(&sender));
        }
        drop(sender);
        let counted = count_in_order(plan, journal, &kept, played, &mut standings, watch);
        work.enough.store(true, Ordering::Relaxed);
        counted
    })?;
    Ok(standings)
}

/// Counts pairs as their turn comes, until the match is decided or broken off.
fn count_in_order(
    plan: &Plan,
    journal: &dyn Journal,
    kept: &BTreeSet<usize>,
    played: mpsc::Receiver<Result<PlayedPair, MatchError>>,
    standings: &mut Standings,
    watch: &mut dyn FnMut(&PlayedPair, &Standings) -> ControlFlow<()>,
) -> Result<(), MatchError> {
    // Pairs that have ended but whose turn to be counted has not come.
    let mut waiting: BTreeMap<usize, PlayedPair> = BTreeMap::new();
    for index in 0..plan.all_pairs() {
        let kept_pair = if kept.contains(&index) { journal.pair(index)? } else { None };
        let pair = match kept_pair {
            Some(pair) => pair,
            None => loop {
                if let Some(pair) = waiting.remove(&index) {
                    break pair;
                }
                // All threads have gone without the pair: somebody has stopped the match.
                let Ok(pair) = played.recv() else { return Ok(()) };
                let pair = pair.or_else(|error| keep_the_rest(journal, &played).and(Err(error)))?;
                journal.keep(&pair)?;
                waiting.insert(pair.index, pair);
            },
        };
        standings.record(plan.pairing_of(index), pair.results());
        if watch(&pair, standings).is_break() || standings.decision() != Decision::Continue {
            return Ok(());
        }
    }
    Ok(())
}

/// Keeps what has ended, although the match cannot go on.
fn keep_the_rest(
    journal: &dyn Journal,
    played: &mpsc::Receiver<Result<PlayedPair, MatchError>>,
) -> Result<(), MatchError> {
    played.try_iter().flatten().try_for_each(|pair| Ok(journal.keep(&pair)?))
}

/// The names in game files: those that were given or that the programs have for themselves, unless they are the same for both.
fn names_of(entrants: [&Entrant; 2], own: [&str; 2]) -> [String; 2] {
    let name = |place: usize| entrants[place].spec.name.clone().unwrap_or_else(|| own[place].to_string());
    let names = [name(0), name(1)];
    match names[0] == names[1] || names.iter().any(String::is_empty) {
        true => entrants.map(|entrant| entrant.name.clone()),
        false => names,
    }
}

/// What the threads of a match share.
struct Work<'a> {
    plan: &'a Plan,
    kept: &'a BTreeSet<usize>,
    next: AtomicUsize,
    /// Somebody outside wants an end.
    stop: &'a AtomicBool,
    /// The match is decided.
    enough: AtomicBool,
}

impl Work<'_> {
    /// What a thread does: take the next pair, play it, send it.
    fn play_pairs(&self, sender: &mpsc::Sender<Result<PlayedPair, MatchError>>) {
        let mut table = Table { plan: self.plan, seated: BTreeMap::new() };
        while !self.is_over() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.plan.all_pairs() {
                return;
            }
            if self.kept.contains(&index) {
                continue;
            }
            let pair = table.play_pair(index, self);
            if pair.is_err() {
                self.enough.store(true, Ordering::Relaxed);
            }
            let Some(pair) = pair.transpose() else { return };
            // Nobody listens any more once the match is decided.
            if sender.send(pair).is_err() {
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed)
    }
}

/// The players of one thread, by their numbers, kept from game to game; whoever has failed is started anew.
struct Table<'a> {
    plan: &'a Plan,
    seated: BTreeMap<usize, Box<dyn Opponent>>,
}

impl Table<'_> {
    /// `None` if the match ends before the pair does.
    fn play_pair(&mut self, index: usize, work: &Work) -> Result<Option<PlayedPair>, MatchError> {
        let [[a, b], turned] = self.plan.seats_of(index);
        // A tournament of many programs need not have all of them running on every thread.
        self.seated.retain(|&player, _| player == a || player == b);
        let opening = self.plan.opening_of(index);
        let [first_round, second_round] = PlayedPair::rounds(index);
        let number = 2 * index as u64;
        let Some(first) = self.play(&opening, [a, b], (number, &first_round), work)? else { return Ok(None) };
        let Some(second) = self.play(&opening, turned, (number + 1, &second_round), work)? else {
            return Ok(None);
        };
        Ok(Some(PlayedPair { index, games: [first, second] }))
    }

    /// One game of these players, in the order of [`Player::index`], with its number in the match and in files.
    fn play(
        &mut self,
        opening: &Opening,
        players: [usize; 2],
        (game, round): (u64, &str),
        work: &Work,
    ) -> Result<Option<PlayedGame>, MatchError> {
        let mut board = self.plan.game.open()?;
        board.set_game(opening.start.as_deref(), &opening.moves)?;
        let entrants = players.map(|number| &self.plan.entrants[number]);
        let mut opponents = Vec::new();
        for (by, number) in Player::BOTH.into_iter().zip(players) {
            match self.take(number, game) {
                Ok(opponent) => opponents.push(opponent),
                Err(PlayerError::External(fault)) => {
                    let names = entrants.map(|entrant| entrant.name.clone());
                    return Ok(Some(forfeited_game(&*board, names, round, by, &fault)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let names = names_of(entrants, [opponents[0].name(), opponents[1].name()]);
        let seats = opponents.iter_mut().zip(entrants).zip(names).map(|((player, entrant), name)| Seat {
            player: &mut **player,
            name,
            control: &entrant.control,
        });
        let Ok(seats) = <[Seat; 2]>::try_from(seats.collect::<Vec<_>>()) else { unreachable!("two players") };
        let (start, rules) = (opening.start.as_deref(), &self.plan.rules);
        let game = play_game(&mut *board, start, seats, round, rules, &|| work.is_over())?;
        let failed = match game.as_ref().map(|game| &game.ending) {
            Some(Ending::Fault { by, .. }) => Some(by.index()),
            _ => None,
        };
        for (place, player) in opponents.into_iter().enumerate() {
            if failed != Some(place) {
                self.seated.insert(players[place], player);
            }
        }
        Ok(game)
    }

    /// A player of this thread for a game of the match, started if it is not there.
    fn take(&mut self, number: usize, game: u64) -> Result<Box<dyn Opponent>, PlayerError> {
        let mut player = match self.seated.remove(&number) {
            Some(player) => player,
            None => self.plan.entrants[number].spec.make(&self.plan.game)?,
        };
        player.draw_lots(game)?;
        Ok(player)
    }
}
