//! A search on a thread of its own.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use outplay_core::{Game, Line, Records};
use outplay_search::stop::{Signals, StopOptions, TimeManager, Turn};
use outplay_search::trace::{TraceOptions, Watcher};
use outplay_search::{Control, Limits, Report, Search};

use super::wording::PositionWording;
use crate::session::ReportSink;
use crate::trace::Outbox;
use crate::variety::Choose;

/// Room for the recursion of a search through a game of a thousand moves.
const STACK: usize = 256 << 20;

/// What a search needs for one run.
pub struct Task<G: Game> {
    pub search: Box<dyn Search<G>>,
    /// The answer, if it is known without a search.
    pub known: Option<Report>,
    /// Chance among the moves that are found, where it has a say.
    pub choice: Option<Box<dyn Choose>>,
    pub line: Line<G>,
    pub limits: Limits,
    pub options: StopOptions,
    pub time: TimeManager,
    pub wording: PositionWording<G>,
    pub sink: ReportSink,
    /// Who watches, if anybody does: what is wanted, and where it goes.
    pub watched: Option<(TraceOptions, Outbox)>,
}

/// The search and the time manager, with all that they have learned, and the final report.
pub struct Finished<G: Game> {
    pub search: Box<dyn Search<G>>,
    pub time: TimeManager,
    pub report: Report,
}

/// A search that has been started.
pub struct Running<G: Game> {
    signals: Arc<Signals>,
    /// Set before the final report is sent, so that whoever gets it can go on at once. The report itself travels by the
    /// sink and the join; nothing is published through this.
    answered: Arc<AtomicBool>,
    /// `None` only while it is being joined.
    thread: Option<JoinHandle<Finished<G>>>,
}

/// Makes the thread of a search.
pub type Spawn<G> = fn(Builder, Work<G>) -> io::Result<JoinHandle<Finished<G>>>;

/// What the thread does.
pub type Work<G> = Box<dyn FnOnce() -> Finished<G> + Send>;

/// The usual way to make a thread.
pub fn spawn_thread<G: Game>(builder: Builder, work: Work<G>) -> io::Result<JoinHandle<Finished<G>>> {
    builder.spawn(work)
}

impl<G: Records> Running<G> {
    /// Starts a search; without a thread for it the task comes back, with all that its search has learned.
    pub fn start(
        task: Task<G>,
        signals: &Arc<Signals>,
        spawn: Spawn<G>,
    ) -> Result<Running<G>, (Box<Task<G>>, io::Error)> {
        let answered = Arc::new(AtomicBool::new(false));
        let (on_thread, tell) = (signals.clone(), answered.clone());
        // A thread that cannot be made takes with it what it was given, so the task is left where both can take it.
        let left = Arc::new(Mutex::new(Some(Box::new(task))));
        let taken = left.clone();
        let work = move || match take(&taken) {
            Some(task) => run(*task, &on_thread, &tell),
            None => unreachable!("the task is taken back only if there is no thread"),
        };
        let builder = Builder::new().name("search".to_string()).stack_size(STACK);
        match spawn(builder, Box::new(work)) {
            Ok(thread) => Ok(Running { signals: signals.clone(), answered, thread: Some(thread) }),
            Err(error) => match take(&left) {
                Some(task) => Err((task, error)),
                None => unreachable!("a thread that was not made takes nothing"),
            },
        }
    }
}

fn take<T>(left: &Mutex<Option<T>>) -> Option<T> {
    left.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl<G: Game> Running<G> {
    /// Whether the final report is still to come.
    pub fn is_searching(&self) -> bool {
        !self.answered.load(Ordering::Relaxed)
            && self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Waits for the thread to end.
    pub fn join(mut self) -> Finished<G> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            // A search that panicked is a bug to be seen, not hidden.
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => unreachable!("a search is joined once"),
        }
    }
}

/// Ends the thread of a search that nobody waits for any more.
impl<G: Game> Drop for Running<G> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.signals.stop();
            // A search that panicked has said so; there is nothing left to do for it here.
            drop(thread.join());
        }
    }
}

fn run<G: Records>(task: Task<G>, signals: &Arc<Signals>, answered: &AtomicBool) -> Finished<G> {
    let Task { mut search, known, mut choice, line, limits, options, mut time, wording, mut sink, watched } =
        task;
    // Whoever listens knows the last report by its reason; a search that was told to stop may still have something to say before that.
    let mut reports = |report: Report| {
        let shown = match &mut choice {
            Some(choice) => choice.heard(report),
            None => report,
        };
        sink(&Report { stopped: None, ..shown }, &wording);
    };
    let turn = Turn { mover: line.position().to_move(), ply: line.moves().len() };
    let clock = limits.clock.filter(|_| !limits.infinite);
    let budget = clock.map(|clock| time.budget(&clock, turn, &options));
    let mut control = Control::within(budget, &limits, &options, signals, &mut reports);
    let mut see = |event| {
        if let Some((_, outbox)) = &watched {
            outbox.send(event);
        }
    };
    control.watcher = watched.as_ref().map(|&(options, _)| Watcher { options, sink: &mut see });
    let found = known.unwrap_or_else(|| search.search(&line, &mut control));
    let spent = control.spent(found.counters.nodes);
    let last = match choice {
        Some(choice) => choice.made(found),
        None => found,
    };
    if let Some(spent) = spent {
        time.finished(turn.mover, &spent, &options);
    }
    if !signals.answer_is_due(limits.infinite) {
        // The search has found all there is before it may answer: show it, without the final word.
        sink(&Report { stopped: None, ..last.clone() }, &wording);
        signals.wait_until_answer_is_due(limits.infinite);
    }
    if let Some((_, outbox)) = watched {
        outbox.end(last.clone());
    }
    answered.store(true, Ordering::Relaxed);
    sink(&last, &wording);
    Finished { search, time, report: last }
}
