//! A match: pairs of games from the same openings with the colours changed, on several threads, counted in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use outplay_core::Player;
use outplay_engine::open;
use outplay_protocols::Opponent;

use crate::stats::{Decision, GameResult, PairTally, Sprt, Summary};
use crate::{Ending, Opening, PlayedGame, PlayerError, PlayerSpec, TimeControl, play_game};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub game: String,
    /// The two players, A and B.
    pub players: [PlayerSpec; 2],
    /// What time each has.
    pub controls: [TimeControl; 2],
    /// The openings, used one after the other and then again.
    pub openings: Vec<Opening>,
    /// How many pairs of games at most.
    pub pairs: usize,
    /// A game that lasts longer is a draw.
    pub most_plies: usize,
    /// A test that may end the match sooner.
    pub sprt: Option<Sprt>,
    /// How many games are played at once.
    pub concurrency: usize,
}

/// Two games from one opening: A opens the first, B the second.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedPair {
    /// Its number, counted from 0.
    pub index: usize,
    /// The games.
    pub games: [PlayedGame; 2],
    /// The games as files of the game's own format, with what the players said in comments.
    pub texts: [String; 2],
}

impl PlayedPair {
    /// The results for A.
    pub fn results(&self) -> [GameResult; 2] {
        let [first, second] = &self.games;
        [GameResult::of(first.outcome, Player::First), GameResult::of(second.outcome, Player::Second)]
    }
}

/// Plays the pairs of a plan that are not among `finished` and returns the results of all that count.
///
/// Pairs are counted in the order of their numbers, whatever order they end in: so a match comes to the same decision
/// after the same pairs on any number of threads, and after it was interrupted and taken up again. `watch` sees each pair
/// when it is counted, with the summary so far, and may break off.
pub fn run_match(
    plan: &Plan,
    finished: BTreeMap<usize, [GameResult; 2]>,
    watch: &mut dyn FnMut(Option<&PlayedPair>, &Summary) -> ControlFlow<()>,
) -> Result<Summary, PlayerError> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let mut tally = PairTally::default();
    let mut summary = Summary::of_pairs(&tally, plan.sprt);
    let (sender, played) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.clamp(1, plan.pairs.max(1)) {
            let (sender, finished, next, stop) = (sender.clone(), &finished, &next, &stop);
            scope.spawn(move || play_pairs(plan, finished, next, stop, &sender));
        }
        drop(sender);
        // Pairs that have ended but whose turn to be counted has not come.
        let mut waiting: BTreeMap<usize, PlayedPair> = BTreeMap::new();
        for index in 0..plan.pairs {
            let (results, pair) = match finished.get(&index) {
                Some(&results) => (results, None),
                None => {
                    while !waiting.contains_key(&index) {
                        // All threads gone without the pair: one of them could not make its players.
                        let Ok(pair) = played.recv() else { return Ok(()) };
                        let pair: PlayedPair = pair?;
                        waiting.insert(pair.index, pair);
                    }
                    let Some(pair) = waiting.remove(&index) else { return Ok(()) };
                    (pair.results(), Some(pair))
                }
            };
            tally.record(results[0], results[1]);
            summary = Summary::of_pairs(&tally, plan.sprt);
            let decided = summary.decision() != Decision::Continue;
            if watch(pair.as_ref(), &summary).is_break() || decided {
                break;
            }
        }
        stop.store(true, Ordering::Relaxed);
        Ok(())
    })
    .map(|()| summary)
}

/// What a thread does: take the next pair, play it, send it.
fn play_pairs(
    plan: &Plan,
    finished: &BTreeMap<usize, [GameResult; 2]>,
    next: &AtomicUsize,
    stop: &AtomicBool,
    sender: &mpsc::Sender<Result<PlayedPair, PlayerError>>,
) {
    let mut table = Table { plan, players: [None, None] };
    while !stop.load(Ordering::Relaxed) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= plan.pairs {
            return;
        }
        if finished.contains_key(&index) {
            continue;
        }
        let pair = table.play_pair(index);
        let failed = pair.is_err();
        // Nobody listens any more once the match is decided.
        if sender.send(pair).is_err() || failed {
            stop.store(failed || stop.load(Ordering::Relaxed), Ordering::Relaxed);
            return;
        }
    }
}

/// The two players of one thread, kept from game to game; whoever has failed is started anew.
struct Table<'a> {
    plan: &'a Plan,
    players: [Option<Box<dyn Opponent>>; 2],
}

impl Table<'_> {
    fn play_pair(&mut self, index: usize) -> Result<PlayedPair, PlayerError> {
        let (first, first_text) = self.play(index, Player::First)?;
        let (second, second_text) = self.play(index, Player::Second)?;
        Ok(PlayedPair { index, games: [first, second], texts: [first_text, second_text] })
    }

    /// One game, in which A plays `side_of_a`, and its text.
    fn play(&mut self, index: usize, side_of_a: Player) -> Result<(PlayedGame, String), PlayerError> {
        let plan = self.plan;
        for (player, spec) in self.players.iter_mut().zip(&plan.players) {
            if player.is_none() {
                *player = Some(spec.make(&plan.game)?);
            }
        }
        let [Some(a), Some(b)] = &mut self.players else { unreachable!("both were just made") };
        let (a, b): (&mut dyn Opponent, &mut dyn Opponent) = (&mut **a, &mut **b);
        let (seats, controls) = match side_of_a {
            Player::First => ([a, b], [&plan.controls[0], &plan.controls[1]]),
            Player::Second => ([b, a], [&plan.controls[1], &plan.controls[0]]),
        };
        let mut board = open(&plan.game)?;
        let usual = Opening { start: None, moves: String::new() };
        let opening = plan.openings.get(index % plan.openings.len().max(1)).unwrap_or(&usual);
        board.set_game(opening.start.as_deref(), &opening.moves)?;
        let names = [seats[0].name().to_string(), seats[1].name().to_string()];
        let before = board.played().len();
        let game = play_game(&mut *board, opening.start.as_deref(), seats, controls, plan.most_plies)?;
        let times = plan.controls.iter().any(TimeControl::is_timed);
        let text = game.text(&*board, names, before, times);
        if let Ending::Fault { by, .. } = game.ending {
            self.players[if by == side_of_a { 0 } else { 1 }] = None;
        }
        Ok((game, text))
    }
}
