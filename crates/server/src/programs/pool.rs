//! Programs that run. One that has answered waits a while for the next question, with all that it remembers.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use outplay_engine::NamedGame;
use outplay_protocols::Opponent;

use super::Program;
use crate::error::{ApiError, ApiResult};

/// The longest that a program can keep us: a greeting that never comes, and the time to end by itself.
const LONGEST_END: Duration = Duration::from_secs(12);
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// The programs that run.
pub struct Pool {
    idle: Mutex<Vec<Running>>,
    /// All that run, those that are being asked among them.
    count: Arc<AtomicUsize>,
    most: usize,
    rest: Duration,
    is_stopped: AtomicBool,
}

/// A program that runs, and ends when this is dropped.
pub struct Running {
    /// The program itself.
    pub opponent: Box<dyn Opponent>,
    /// Whether it has answered before, and may have ended since.
    pub has_waited: bool,
    program: String,
    game: String,
    user: String,
    since: Instant,
    _place: Place,
}

/// Counts until it is dropped.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Pool {
    /// At most so many at a time; each waits so long for its next question.
    pub fn new(most: usize, rest: Duration) -> Pool {
        Pool { idle: Mutex::default(), count: Arc::default(), most, rest, is_stopped: AtomicBool::new(false) }
    }

    /// A program for somebody: the one that has worked for them, another that waits, or a new one.
    pub fn take(&self, program: &Program, game: &NamedGame, user: &str) -> ApiResult<Running> {
        let name = game.to_string();
        let waiting = {
            let mut idle = self.lock();
            let fits = |running: &Running| running.program == program.id && running.game == name;
            let own = idle.iter().position(|running| fits(running) && running.user == user);
            own.or_else(|| idle.iter().position(fits)).map(|index| idle.remove(index))
        };
        if let Some(mut running) = waiting {
            running.has_waited = true;
            let is_new = running.user != user;
            running.user = user.to_string();
            if !is_new || running.opponent.new_game().is_ok() {
                return Ok(running);
            }
        }
        self.start(program, game, user)
    }

    /// A program that has just been started.
    pub fn start(&self, program: &Program, game: &NamedGame, user: &str) -> ApiResult<Running> {
        let place = self.place()?;
        let failed = |error: String| super::asking::failure(&program.name, &error);
        let mut opponent = program.spec.make(game).map_err(|error| failed(error.to_string()))?;
        opponent.new_game().map_err(|fault| failed(fault.to_string()))?;
        Ok(Running {
            opponent,
            has_waited: false,
            program: program.id.clone(),
            game: game.to_string(),
            user: user.to_string(),
            since: Instant::now(),
            _place: place,
        })
    }

    /// Takes back a program that has answered as it should.
    pub fn give_back(&self, mut running: Running) {
        running.since = Instant::now();
        let mut idle = self.lock();
        if !self.is_stopped() {
            idle.push(running);
        }
    }

    fn place(&self) -> ApiResult<Place> {
        loop {
            let count = self.count.fetch_add(1, Ordering::SeqCst);
            let place = Place(self.count.clone());
            if self.is_stopped() {
                return Err(ApiError::conflict("ending", "the server ends"));
            }
            if count < self.most {
                return Ok(place);
            }
            drop(place);
            // Those that wait make room, the one that has waited longest first.
            let oldest = {
                let mut idle = self.lock();
                let index = (0..idle.len()).min_by_key(|&index| idle[index].since);
                index.map(|index| idle.remove(index))
            };
            if oldest.is_none() {
                return Err(ApiError::too_many(format!(
                    "{} programs run already: try again later",
                    self.most
                )));
            }
        }
    }

    /// Whether all is to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Begins the end: whoever asks a program has no answer any more.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
    }

    /// Ends the programs that have waited long enough.
    pub fn end_idle(&self) {
        self.end_if(|running| running.since.elapsed() >= self.rest);
    }

    /// Ends the processes of one program that wait.
    pub fn end_those_of(&self, program: &str) {
        self.end_if(|running| running.program == program);
    }

    /// Ends every program.
    pub fn end_all(&self) {
        self.stop();
        self.end_if(|_| true);
        let deadline = Instant::now() + LONGEST_END;
        while self.count.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    fn end_if(&self, is_over: impl Fn(&Running) -> bool) {
        let over: Vec<Running> = self.lock().extract_if(.., |running| is_over(running)).collect();
        // Each has time to say farewell, which holds nobody up who does not hold the lock.
        drop(over);
    }

    /// Nothing panics while it holds this lock.
    fn lock(&self) -> MutexGuard<'_, Vec<Running>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
