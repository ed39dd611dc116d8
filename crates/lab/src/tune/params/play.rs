//! Playing a run in this process: threads take comparisons from the course, make them, and tell it how they came out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use outplay_core::mix;
use outplay_engine::{NamedGame, SessionError, SuiteProblem};
use outplay_protocols::Opponent;

use super::course::{Comparison, Course, Job, Phase, Record};
use super::journal::{TuneFile, TuneFileError};
use crate::suite::{Searched, Suite, SuiteError};
use crate::{
    Ending, Entrant, GameRules, Opening, OwnPlayer, PlayedPair, PlayerKind, PlayerSpec, Seat, TimeControl,
    play_game, random_openings,
};

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// Our engine refuses a game or a setting.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A position cannot be put before a player.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A result cannot be kept.
    #[error("a result could not be kept: {0}")]
    File(#[from] TuneFileError),
    /// A game did not come to a result.
    #[error("our own engine failed with {settings}: {reason}")]
    Failed {
        /// What it was set to.
        settings: String,
        /// What happened.
        reason: String,
    },
}

/// Who makes comparisons: the one place that knows how, so that it may be another process or machine.
pub trait Compare {
    /// Makes one; `None` if `stop` has ended it.
    fn compare(&mut self, job: &Job, stop: &dyn Fn() -> bool) -> Result<Option<Comparison>, TuneError>;
}

/// What sides are compared by while values are looked for. The test in the end is always by games.
#[derive(Clone, Debug)]
pub enum Objective {
    /// Pairs of games.
    Games,
    /// Positions of a suite.
    Suite {
        /// The positions.
        problems: Vec<SuiteProblem>,
        /// What counts of them.
        measure: Measure,
    },
}

/// What counts of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Whether it is solved.
    Solved,
    /// The time until it was.
    Time,
    /// The nodes until it was.
    Nodes,
}

/// Where the games of a run begin.
#[derive(Clone, Debug)]
pub enum Openings {
    /// With these: those of the search from the beginning on, those of the test from the end, and again when all were played.
    Listed(Vec<Opening>),
    /// With so many random moves, which the number of a comparison decides.
    Random {
        /// How many.
        plies: usize,
        /// Where chance begins.
        seed: u64,
    },
}

impl Openings {
    fn of(&self, game: &NamedGame, phase: Phase, task: usize) -> Result<Opening, SessionError> {
        let found = match self {
            Openings::Listed(all) => {
                let place = task % all.len().max(1);
                let place = if phase == Phase::Test { all.len().saturating_sub(place + 1) } else { place };
                all.get(place).cloned()
            }
            Openings::Random { plies, seed } => {
                let seed = mix(seed ^ mix(2 * task as u64 + phase as u64));
                random_openings(game, 1, *plies, seed)?.pop()
            }
        };
        Ok(found.unwrap_or(Opening { start: None, moves: String::new() }))
    }
}

/// How sides meet.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The game.
    pub game: NamedGame,
    /// The settings of both sides besides what is tuned, `search` among them.
    pub settings: Vec<(String, String)>,
    /// What they have for each move, or for each position.
    pub control: TimeControl,
    /// What they have for each move of the test.
    pub test_control: TimeControl,
    /// What ends a game.
    pub rules: GameRules,
    /// Where games begin.
    pub openings: Openings,
    /// By what they are compared.
    pub objective: Objective,
}

/// One who makes comparisons on a thread of this process.
pub struct Table<'a> {
    meeting: &'a Meeting,
    players: Option<[OwnPlayer; 2]>,
}

impl<'a> Table<'a> {
    /// Where sides meet so.
    pub fn new(meeting: &'a Meeting) -> Table<'a> {
        Table { meeting, players: None }
    }

    fn play_pair(&mut self, job: &Job, stop: &dyn Fn() -> bool) -> Result<Option<Comparison>, TuneError> {
        let Meeting { game, settings, control, test_control, rules, openings, .. } = self.meeting;
        let control = if job.phase == Phase::Test { test_control } else { control };
        let players = match &mut self.players {
            Some(players) => players,
            none => none.insert([OwnPlayer::new(game, settings)?, OwnPlayer::new(game, settings)?]),
        };
        for (player, settings) in players.iter_mut().zip(&job.settings) {
            player.set_options(settings)?;
        }
        let opening = openings.of(game, job.phase, job.task)?;
        let mut games = Vec::new();
        for (turned, round) in PlayedPair::rounds(job.number as usize).iter().enumerate() {
            let mut board = game.open()?;
            board.set_game(opening.start.as_deref(), &opening.moves)?;
            let [a, b] = &mut *players;
            let seats = if turned == 0 { [a, b] } else { [b, a] };
            let seats = seats.map(|player| Seat {
                player: player as &mut dyn Opponent,
                name: String::new(),
                control,
            });
            let Some(played) = play_game(&mut *board, opening.start.as_deref(), seats, round, rules, stop)?
            else {
                return Ok(None);
            };
            if let Ending::Fault { by, reason, .. } = &played.ending {
                let side = (by.index() + turned) % 2;
                return Err(TuneError::Failed {
                    settings: words(&job.settings[side]),
                    reason: reason.clone(),
                });
            }
            games.push(played);
        }
        let Ok(games) = <[_; 2]>::try_from(games) else { unreachable!("two games") };
        Ok(Some(Comparison::Games(PlayedPair { index: 0, games }.results())))
    }

    fn solve(
        &self,
        job: &Job,
        (problems, measure): (&[SuiteProblem], Measure),
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Comparison>, TuneError> {
        let Meeting { game, settings, control, .. } = self.meeting;
        let problem = problems[job.task % problems.len()].clone();
        let suite = Suite { game: game.clone(), problems: vec![problem], concurrency: 1 };
        let mut costs = [0.0; 2];
        for (cost, changed) in costs.iter_mut().zip(&job.settings) {
            if stop() {
                return Ok(None);
            }
            let options = settings.iter().chain(changed).cloned().collect();
            let spec = PlayerSpec { name: None, limit: None, kind: PlayerKind::Own { options } };
            let player = Entrant { name: String::new(), spec, control: control.clone() };
            let run = suite.run(&player, &|| false, &mut |_| ())?;
            let Some(searched) = run.searches.first() else { return Ok(None) };
            if let Some(reason) = &searched.fault {
                return Err(TuneError::Failed { settings: words(changed), reason: reason.clone() });
            }
            *cost = measure.cost(searched);
        }
        let [first, second] = costs;
        Ok(Some(Comparison::Share(second / (first + second))))
    }
}

fn words(settings: &[(String, String)]) -> String {
    settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// By how much more than what it has used an unsolved position is thought to need.
const UNSOLVED: f64 = 2.0;

impl Measure {
    /// What a search has cost, more than nothing.
    fn cost(self, searched: &Searched) -> f64 {
        let is_solved = searched.solution.is_some();
        let least = f64::MIN_POSITIVE;
        match (self, searched.solution) {
            // One that is solved against one that is not has all of the points; two that are alike have half each.
            (Measure::Solved, _) => {
                if is_solved {
                    least
                } else {
                    1.0
                }
            }
            (Measure::Time, Some(solution)) => solution.seconds.max(1e-6),
            (Measure::Time, None) => UNSOLVED * searched.seconds.max(1e-6),
            (Measure::Nodes, Some(solution)) => solution.nodes.unwrap_or(1).max(1) as f64,
            (Measure::Nodes, None) => UNSOLVED * searched.nodes.unwrap_or(1).max(1) as f64,
        }
    }
}

impl Compare for Table<'_> {
    fn compare(&mut self, job: &Job, stop: &dyn Fn() -> bool) -> Result<Option<Comparison>, TuneError> {
        match (job.phase, &self.meeting.objective) {
            (Phase::Search, Objective::Suite { problems, measure }) => {
                self.solve(job, (problems, *measure), stop)
            }
            _ => self.play_pair(job, stop),
        }
    }
}

/// What threads share.
struct Shared<'a> {
    course: &'a mut Course,
    file: Option<&'a mut TuneFile>,
    error: Option<TuneError>,
    watch: &'a mut (dyn FnMut(&Course) + Send),
    /// Comparisons that are being made.
    under_way: usize,
}

/// Plays a run to its end on so many threads, or until `stop` is set; `watch` sees it after every result. Each thread makes itself somebody who
/// compares.
pub fn play_course<'c, C: Compare>(
    course: &mut Course,
    file: Option<&mut TuneFile>,
    threads: usize,
    comparer: &(dyn Fn() -> C + Sync + 'c),
    stop: &AtomicBool,
    watch: &mut (dyn FnMut(&Course) + Send),
) -> Result<(), TuneError> {
    let shared = Mutex::new(Shared { course, file, error: None, watch, under_way: 0 });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| work(&shared, &changed, &mut comparer(), stop));
        }
    });
    let Shared { file, error, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = file {
        file.sync().map_err(TuneFileError::from)?;
    }
    error.map_or(Ok(()), Err)
}

/// What a thread does.
fn work(shared: &Mutex<Shared>, changed: &Condvar, comparer: &mut dyn Compare, stop: &AtomicBool) {
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let mut state = lock();
    loop {
        let over = stop.load(Ordering::Relaxed) || state.error.is_some() || state.course.phase().is_none();
        let job = if over { None } else { state.course.take() };
        let Some(job) = job else {
            // Results of others may bring new work; without any there is none to come.
            if over || state.under_way == 0 {
                changed.notify_all();
                return;
            }
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        state.under_way += 1;
        drop(state);
        // A test that has been decided meanwhile, or a fault, needs no more games.
        let compared = comparer.compare(&job, &|| {
            stop.load(Ordering::Relaxed)
                || (job.phase == Phase::Test && shared.try_lock().is_ok_and(|s| s.course.phase().is_none()))
        });
        state = lock();
        state.under_way -= 1;
        take_in(&mut state, &job, compared);
        changed.notify_all();
    }
}

fn take_in(state: &mut MutexGuard<Shared>, job: &Job, compared: Result<Option<Comparison>, TuneError>) {
    let result = match compared {
        Ok(Some(result)) => result,
        Ok(None) => return,
        Err(error) => {
            state.error.get_or_insert(error);
            return;
        }
    };
    let record = Record { phase: job.phase, number: job.number, result };
    let Shared { course, file, error, watch, .. } = &mut **state;
    let kept = file.as_mut().map_or(Ok(()), |file| file.add(&record));
    match kept {
        Ok(()) => {
            course.tell(&record);
            watch(course);
        }
        Err(failure) => {
            error.get_or_insert(TuneFileError::from(failure).into());
        }
    }
}
