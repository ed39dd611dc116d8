//! Whoever plays the pairs of an experiment: threads of this program, or machines elsewhere.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

use outplay_engine::NamedGame;

use crate::table::Table;
use crate::{Entrant, GameRules, MatchError, Opening, PlayedPair};

/// A pair of games that is to be played, with all that has a say in it: two games from one opening, the colours changed.
#[derive(Clone, Debug)]
pub struct PairTask {
    /// Its number in the experiment, different from all others: what the games that come back are known by.
    pub index: usize,
    /// The game.
    pub game: NamedGame,
    /// The players; the first opens the first game.
    pub entrants: [Entrant; 2],
    /// Where both games begin.
    pub opening: Opening,
    /// What ends a game.
    pub rules: GameRules,
}

/// An experiment, as a crew sees it: it hands out pairs and takes them in, all on one thread.
pub trait Experiment {
    /// The same number whenever this experiment is taken up, and another one for every other.
    fn key(&self) -> u64;

    /// The next pair to be played; `None` if there is none as long as nothing else comes back.
    fn next(&mut self) -> Option<PairTask>;

    /// Takes in a pair that was played, in whatever order they end; says whether enough has been played.
    fn done(&mut self, pair: PlayedPair) -> Result<ControlFlow<()>, MatchError>;

    /// What this machine has played is not to count, and is played again. An experiment that cannot take anything back says so with an error.
    fn forget(&mut self, worker: &str) -> Result<(), MatchError>;
}

/// Whoever plays the pairs of an experiment. It asks for them a few ahead of time, so that nobody is idle.
pub trait Crew: Sync {
    /// Plays until the experiment has enough, has nothing left, or somebody sets `stop`; what has not ended then is forgotten.
    fn play(&self, experiment: &mut dyn Experiment, stop: &AtomicBool) -> Result<(), MatchError>;
}

/// So many threads of this program.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

/// Tasks handed out for each thread: while one is played, the next one waits, however long the other end takes to keep what was played.
const TASKS_PER_THREAD: usize = 2;

impl Crew for Threads {
    fn play(&self, experiment: &mut dyn Experiment, stop: &AtomicBool) -> Result<(), MatchError> {
        let enough = AtomicBool::new(false);
        let is_over = || stop.load(Ordering::Relaxed) || enough.load(Ordering::Relaxed);
        let (tasks, waiting) = mpsc::channel();
        let waiting = Mutex::new(waiting);
        let (sender, ended) = mpsc::channel();
        std::thread::scope(|scope| {
            let threads = self.0.max(1);
            for _ in 0..threads {
                let (sender, waiting) = (sender.clone(), &waiting);
                scope.spawn(move || play_tasks(waiting, &is_over, &sender));
            }
            drop(sender);
            // With what it owns, the other end of the threads' channels: they end with it.
            let desk = Desk { experiment, tasks, ended, most: threads * TASKS_PER_THREAD, enough: &enough };
            let played = desk.hand_out_and_take_in(&is_over);
            enough.store(true, Ordering::Relaxed);
            played
        })
    }
}

/// What comes back of a task: the pair, or nothing if the end came before its own.
type Ended = Result<Option<PlayedPair>, MatchError>;

/// What a thread does: take the next task, play it, tell.
fn play_tasks(
    waiting: &Mutex<mpsc::Receiver<PairTask>>,
    is_over: &dyn Fn() -> bool,
    ended: &mpsc::Sender<Ended>,
) {
    let mut table = Table::default();
    loop {
        // Another thread that panicked has left the channel as it was.
        let task = waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv();
        let Ok(task) = task else { return };
        let pair = match is_over() {
            true => Ok(None),
            false => {
                let played = catch_unwind(AssertUnwindSafe(|| table.play_pair(&task, is_over)));
                played.unwrap_or_else(|panic| {
                    // Nobody is to wait for this task.
                    drop(ended.send(Ok(None)));
                    resume_unwind(panic)
                })
            }
        };
        if ended.send(pair).is_err() {
            return;
        }
    }
}

/// Where tasks are handed out and pairs come in.
struct Desk<'a> {
    experiment: &'a mut dyn Experiment,
    tasks: mpsc::Sender<PairTask>,
    ended: mpsc::Receiver<Ended>,
    most: usize,
    /// Set when no more is to be played.
    enough: &'a AtomicBool,
}

impl Desk<'_> {
    fn hand_out_and_take_in(self, is_over: &dyn Fn() -> bool) -> Result<(), MatchError> {
        // Tasks of which nothing has come back.
        let mut out = 0;
        let mut failure = Ok(());
        loop {
            while out < self.most && !is_over() {
                let Some(task) = self.experiment.next() else { break };
                // Nobody takes it if all threads have panicked, which whoever waits for them will hear of.
                drop(self.tasks.send(task));
                out += 1;
            }
            if out == 0 {
                return failure;
            }
            let Ok(ended) = self.ended.recv() else { return failure };
            out -= 1;
            match ended {
                Ok(Some(pair)) => {
                    if self.experiment.done(pair)?.is_break() {
                        return failure;
                    }
                }
                Ok(None) => self.enough.store(true, Ordering::Relaxed),
                // What the others have played is still taken in.
                Err(error) => {
                    self.enough.store(true, Ordering::Relaxed);
                    failure = failure.and(Err(error));
                }
            }
        }
    }
}
