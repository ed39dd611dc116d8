//! Playing a run: games by a crew, positions of a suite by threads of this process. They take comparisons from the course, make them, and tell it how
//! they came out.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use outplay_core::{mix, text};
use outplay_engine::{NamedGame, SessionError, SuiteProblem};

use super::course::{Comparison, Course, Job, Phase, Record};
use super::journal::{TuneFile, TuneFileError};
use crate::suite::{Searched, Suite, SuiteError};
use crate::{
    Crew, Ending, Entrant, Experiment, GameRules, MatchError, Opening, PairTask, PlayedPair, PlayerKind,
    PlayerSpec, TimeControl, random_openings,
};

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// Our engine refuses a game or a setting.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The crew cannot go on.
    #[error(transparent)]
    Match(MatchError),
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

/// Who makes comparisons one by one, on a thread.
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

impl Meeting {
    /// What a crew plays for a comparison.
    fn task(&self, job: &Job) -> Result<PairTask, SessionError> {
        let control = if job.phase == Phase::Test { &self.test_control } else { &self.control };
        let names = ["first side", "second side"].map(str::to_string);
        let entrants = [0, 1].map(|side| Entrant {
            name: names[side].clone(),
            spec: self.player(&names[side], &job.settings[side]),
            control: control.clone(),
        });
        Ok(PairTask {
            index: index_of(job.phase, job.number),
            game: self.game.clone(),
            entrants,
            opening: self.openings.of(&self.game, job.phase, job.task)?,
            rules: self.rules.clone(),
        })
    }

    fn player(&self, name: &str, changed: &[(String, String)]) -> PlayerSpec {
        let options = self.settings.iter().chain(changed).cloned().collect();
        PlayerSpec { name: Some(name.to_string()), limit: None, kind: PlayerKind::Own { options } }
    }
}

/// The number of a comparison among those of both parts of a run.
fn index_of(phase: Phase, number: u64) -> usize {
    2 * number as usize + phase as usize
}

/// What [`index_of`] was made of.
fn place_of(index: usize) -> (Phase, u64) {
    let phase = if index % 2 == Phase::Test as usize { Phase::Test } else { Phase::Search };
    (phase, index as u64 / 2)
}

/// A run as a crew sees it, that plays its games.
struct Games<'a> {
    run: Run<'a>,
    meeting: &'a Meeting,
    /// What went wrong, if something did.
    error: Option<TuneError>,
}

impl Games<'_> {
    fn fail(&mut self, error: TuneError) -> ControlFlow<()> {
        self.error.get_or_insert(error);
        ControlFlow::Break(())
    }
}

impl Experiment for Games<'_> {
    fn key(&self) -> u64 {
        text::hash(&format!("{:?}", self.meeting))
    }

    fn next(&mut self) -> Option<PairTask> {
        let job = if self.error.is_none() { self.run.course.take()? } else { return None };
        match self.meeting.task(&job) {
            Ok(task) => Some(task),
            Err(error) => {
                let _ = self.fail(error.into());
                None
            }
        }
    }

    fn done(&mut self, pair: PlayedPair) -> Result<ControlFlow<()>, MatchError> {
        for (place, game) in pair.games.iter().enumerate() {
            // Our own engine has no faults: a setting has brought it down, and no number says how bad that is.
            if let Ending::Fault { by, reason, .. } = &game.ending {
                let side = if (by.index() + place) % 2 == 0 { "first side" } else { "second side" };
                let (phase, number) = place_of(pair.index);
                let settings = format!("the {side} of {} {number}", phase.word());
                return Ok(self.fail(TuneError::Failed { settings, reason: reason.clone() }));
            }
        }
        let (phase, number) = place_of(pair.index);
        let record = Record { phase, number, result: Comparison::Games(pair.results()) };
        Ok(match self.run.take_in(&record) {
            Ok(()) if self.run.course.phase().is_none() => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        })
    }

    fn forget(&mut self, _: &str) -> Result<(), MatchError> {
        // A step that was made cannot be taken back. Errors of single pairs are noise that later ones outweigh, and the test in the end is made of games of its own.
        Ok(())
    }
}

/// Has a crew play the games of a run to its end, or until `stop` is set; `watch` sees it after every result.
pub fn play_games(
    course: &mut Course,
    file: Option<&mut TuneFile>,
    meeting: &Meeting,
    crew: &dyn Crew,
    stop: &AtomicBool,
    watch: &mut (dyn FnMut(&Course) + Send),
) -> Result<(), TuneError> {
    let mut games = Games { run: Run { course, file, watch }, meeting, error: None };
    let played = crew.play(&mut games, stop);
    games.run.sync()?;
    games.error.map_or(played.map_err(TuneError::Match), Err)
}

/// Plays positions of a suite on a thread of this process.
pub struct Solving<'a> {
    meeting: &'a Meeting,
    problems: &'a [SuiteProblem],
    measure: Measure,
}

impl<'a> Solving<'a> {
    /// Compares by these positions.
    pub fn new(meeting: &'a Meeting, problems: &'a [SuiteProblem], measure: Measure) -> Solving<'a> {
        Solving { meeting, problems, measure }
    }
}

impl Compare for Solving<'_> {
    fn compare(&mut self, job: &Job, stop: &dyn Fn() -> bool) -> Result<Option<Comparison>, TuneError> {
        let Meeting { game, control, .. } = self.meeting;
        let problem = self.problems[job.task % self.problems.len()].clone();
        let suite = Suite { game: game.clone(), problems: vec![problem], concurrency: 1 };
        let mut costs = [0.0; 2];
        for (cost, changed) in costs.iter_mut().zip(&job.settings) {
            if stop() {
                return Ok(None);
            }
            let spec = self.meeting.player("", changed);
            let player = Entrant { name: String::new(), spec, control: control.clone() };
            let run = suite.run(&player, &|| false, &mut |_| ())?;
            let Some(searched) = run.searches.first() else { return Ok(None) };
            if let Some(reason) = &searched.fault {
                return Err(TuneError::Failed { settings: words(changed), reason: reason.clone() });
            }
            *cost = self.measure.cost(searched);
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

/// A run under way, and where its results go.
struct Run<'a> {
    course: &'a mut Course,
    file: Option<&'a mut TuneFile>,
    watch: &'a mut (dyn FnMut(&Course) + Send),
}

impl Run<'_> {
    /// Keeps and counts a result, unless it is known already.
    fn take_in(&mut self, record: &Record) -> Result<(), TuneError> {
        if self.course.tell(record) {
            if let Some(file) = &mut self.file {
                file.add(record).map_err(TuneFileError::from)?;
            }
            (self.watch)(self.course);
        }
        Ok(())
    }

    /// Makes sure that everything is kept, even if the power fails.
    fn sync(&self) -> Result<(), TuneError> {
        let synced = self.file.as_ref().map_or(Ok(()), |file| file.sync());
        Ok(synced.map_err(TuneFileError::from)?)
    }
}

/// What threads share.
struct Shared<'a> {
    run: Run<'a>,
    error: Option<TuneError>,
    /// Comparisons that are being made.
    under_way: usize,
}

/// Plays a run on so many threads until the phase after `last` begins, or until `stop` is set; `watch` sees it after every result. Each thread makes
/// itself somebody who compares.
pub fn play_course<'c, C: Compare>(
    course: &mut Course,
    file: Option<&mut TuneFile>,
    (threads, last): (usize, Phase),
    comparer: &(dyn Fn() -> C + Sync + 'c),
    stop: &AtomicBool,
    watch: &mut (dyn FnMut(&Course) + Send),
) -> Result<(), TuneError> {
    let run = Run { course, file, watch };
    let shared = Mutex::new(Shared { run, error: None, under_way: 0 });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| work(&shared, &changed, last, &mut comparer(), stop));
        }
    });
    let Shared { run, error, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    run.sync()?;
    error.map_or(Ok(()), Err)
}

/// What a thread does.
fn work(
    shared: &Mutex<Shared>,
    changed: &Condvar,
    last: Phase,
    comparer: &mut dyn Compare,
    stop: &AtomicBool,
) {
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let mut state = lock();
    loop {
        let is_wanted = state.run.course.phase().is_some_and(|phase| phase <= last);
        let over = stop.load(Ordering::Relaxed) || state.error.is_some() || !is_wanted;
        let job = if over { None } else { state.run.course.take() };
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
        let compared = comparer.compare(&job, &|| stop.load(Ordering::Relaxed));
        state = lock();
        state.under_way -= 1;
        let taken = compared.and_then(|result| match result {
            Some(result) => state.run.take_in(&Record { phase: job.phase, number: job.number, result }),
            None => Ok(()),
        });
        if let Err(error) = taken {
            state.error.get_or_insert(error);
        }
        changed.notify_all();
    }
}
