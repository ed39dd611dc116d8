//! A machine of the fleet: takes pairs of games, plays them, delivers them.
//!
//! Four kinds of threads share a [`Bench`]: one takes jobs, as many as there are games at once play, one delivers, and the first one renews leases, tells of the machine and
//! hears what it is told. So the way to the server and back is not waited for between two games.

mod bench;
mod fit;
mod spool;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use outplay_engine::Catalogue;
use outplay_lab::{PairTask, PlayerSpec, Table};

use crate::wire::{self, Answer, Done, Job, Order, PROTOCOL, RunCard, WorkerCard};
use crate::{Digest, Expected, Fleet, FleetError, Line, Name, Space};
use bench::{Bench, Finished, InHand};
use fit::Fit;
pub use fit::Hours;
use spool::Spool;

/// How often runs and orders are looked up, and how often the machine tells of itself.
const LOOK: Duration = Duration::from_secs(2);
const TELL: Duration = Duration::from_secs(5);
/// How long a machine waits for a job before it looks elsewhere, and when there is no run at all.
const WAIT: Duration = Duration::from_millis(500);
/// How long the first thread sleeps between two looks at what is due.
const PAUSE: Duration = Duration::from_millis(100);
/// How long after the server could not be reached it is tried again.
const RETRY: Duration = Duration::from_millis(500);
/// Deliveries of a pair after which something must be wrong with the pair itself.
const MOST_ATTEMPTS: u64 = 20;

/// What a machine gives, and what it has.
pub struct WorkerOptions {
    /// Pairs of games played at once.
    pub threads: usize,
    /// The memory that all of them may take, in MiB.
    pub memory: Option<u64>,
    /// When it takes jobs.
    pub hours: Option<Hours>,
    /// Programs that may be asked for, by their names.
    pub programs: BTreeMap<String, PlayerSpec>,
    /// Where answers are kept until they are delivered.
    pub spool: Option<PathBuf>,
    /// Our build.
    pub build: String,
    /// The version of the program.
    pub version: String,
}

/// How a worker is told to end.
#[derive(Default)]
pub struct Leaving {
    /// Finish the games in hand, deliver them, go.
    pub soon: AtomicBool,
    /// Go.
    pub now: AtomicBool,
}

impl Leaving {
    fn is_soon(&self) -> bool {
        self.soon.load(Ordering::Relaxed) || self.is_now()
    }

    fn is_now(&self) -> bool {
        self.now.load(Ordering::Relaxed)
    }
}

/// Works until it is told to leave. Returns what it has done, and why it left if not because of `leaving`.
pub fn work(
    fleet: &dyn Fleet,
    games: &Catalogue,
    options: &WorkerOptions,
    leaving: &Leaving,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<WorkerCard, FleetError> {
    let spool = options.spool.as_deref().map(Spool::open).transpose().map_err(FleetError::Refused)?;
    let bench = Bench::new(options.threads);
    let worker = Worker { fleet, games, options, leaving, tell, spool, bench };
    worker.take_up_the_spool();
    std::thread::scope(|scope| {
        let slots: Vec<_> = (0..options.threads.max(1)).map(|_| scope.spawn(|| worker.play())).collect();
        let taking = scope.spawn(|| worker.take());
        let delivering = scope.spawn(|| worker.deliver());
        worker.keep_house(&|| slots.iter().all(|slot| slot.is_finished()) && taking.is_finished(), &|| {
            delivering.is_finished()
        });
    });
    drop(fleet.remove_pointer(Space::Workers, fleet.name()));
    Ok(worker.card("gone"))
}

struct Worker<'a> {
    fleet: &'a dyn Fleet,
    games: &'a Catalogue,
    options: &'a WorkerOptions,
    leaving: &'a Leaving,
    tell: &'a (dyn Fn(&str) + Sync),
    spool: Option<Spool>,
    bench: Bench,
}

impl Worker<'_> {
    fn say(&self, words: &str) {
        self.bench.note(words);
        (self.tell)(words);
    }

    /// Answers that an earlier worker could not deliver.
    fn take_up_the_spool(&self) {
        let kept = self.spool.as_ref().map(Spool::kept).unwrap_or_default();
        if !kept.is_empty() {
            self.say(&format!("{} pairs of last time are to be delivered", kept.len()));
        }
        for (run, id, body) in kept {
            self.bench.finished(Finished {
                run,
                id,
                body,
                lease: None,
                is_spooled: true,
                is_too_long: false,
            });
        }
    }

    fn card(&self, state: &str) -> WorkerCard {
        let mut card = self.bench.card();
        card.protocol = PROTOCOL;
        card.build = self.options.build.clone();
        card.version = self.options.version.clone();
        card.cores = std::thread::available_parallelism().map_or(1, usize::from);
        card.threads = self.options.threads;
        card.state = state.to_string();
        card
    }

    /// What the first thread does: looks, tells, renews leases; ends when all others have.
    fn keep_house(&self, have_played: &dyn Fn() -> bool, have_delivered: &dyn Fn() -> bool) {
        let (mut looked, mut told): (Option<Instant>, Option<Instant>) = (None, None);
        let is_due = |last: &mut Option<Instant>, every: Duration| {
            let is_due = last.is_none_or(|last| last.elapsed() >= every);
            if is_due {
                *last = Some(Instant::now());
            }
            is_due
        };
        loop {
            if have_played() {
                self.bench.nothing_more_comes();
                if have_delivered() {
                    return;
                }
            }
            if is_due(&mut looked, LOOK) && !self.leaving.is_now() {
                self.look();
            }
            if is_due(&mut told, TELL) && !self.leaving.is_now() {
                let card = wire::written(&self.card(self.state()));
                drop(self.fleet.set_pointer(Space::Workers, self.fleet.name(), &card, Expected::Anything));
            }
            for lease in self.bench.leases_to_renew() {
                drop(self.fleet.keep_alive(&lease));
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn is_off_duty(&self) -> bool {
        self.options.hours.is_some_and(|hours| !hours.has(wire::now()))
    }

    fn state(&self) -> &'static str {
        match (self.leaving.is_soon(), self.is_off_duty(), self.bench.is_idle()) {
            (true, ..) => "leaving",
            (_, true, _) => "out of hours",
            (_, _, true) => "waiting",
            _ => "working",
        }
    }

    /// Looks up the runs that there are, and what we were told.
    fn look(&self) {
        let orders = self.fleet.pointer(Space::Orders, self.fleet.name());
        if let Ok(Some(order)) = orders
            && let Ok(order) = wire::read::<Order>(&order.value)
            && (order.drain || order.forget)
            && !self.leaving.soon.swap(true, Ordering::Relaxed)
        {
            let why = if order.reason.is_empty() { String::new() } else { format!(" ({})", order.reason) };
            self.say(&format!(
                "told to leave{why}: `outplay fleet drain {} --undo` lets it come back",
                self.fleet.name()
            ));
        }
        match self.fleet.pointers(Space::Runs) {
            Err(error) => self.cut_off(&error),
            Ok(runs) => {
                self.bench.reached();
                let cards =
                    runs.into_iter().map(|(run, pointer)| (run, wire::read::<RunCard>(&pointer.value)));
                let cards = cards.filter_map(|(run, card)| Some((run, card.ok()?)));
                let fitting = cards.map(|(run, card)| {
                    let fit = Fit::of(&card, self.options, self.games);
                    (run, card, fit)
                });
                for words in self.bench.set_runs(fitting.collect()) {
                    self.say(&words);
                }
            }
        }
    }

    fn cut_off(&self, error: &FleetError) {
        if self.bench.cut_off() {
            self.say(&format!("{error}; trying again"));
        }
    }

    /// What the thread that takes jobs does.
    fn take(&self) {
        while !self.leaving.is_soon() {
            let room = self.bench.room();
            if room.is_empty() || self.is_off_duty() {
                self.bench.wait();
                continue;
            }
            let mut taken = 0;
            // Every run in turn, so that a long one does not shut out the others.
            for (run, most) in &room {
                taken += self.take_from(run, *most, Duration::ZERO);
            }
            if taken == 0
                && let Some((run, _)) = room.first()
            {
                self.take_from(run, 1, WAIT);
            }
        }
        for lease in self.bench.not_begun() {
            drop(self.fleet.give_back(&lease, Duration::ZERO));
        }
    }

    fn take_from(&self, run: &Name, most: usize, wait: Duration) -> usize {
        match self.fleet.lease(&Line::Jobs(run.clone()), most, wait) {
            Ok(leases) => {
                let taken = leases.len();
                for lease in leases {
                    self.bench.take(lease);
                }
                taken
            }
            // It has ended a moment ago.
            Err(FleetError::NoRun(_)) => {
                self.bench.has_ended(run);
                0
            }
            Err(error) => {
                self.cut_off(&error);
                std::thread::sleep(RETRY);
                0
            }
        }
    }

    /// What a thread that plays does.
    fn play(&self) {
        let mut table = Table::default();
        loop {
            // Whoever takes jobs gives back what nobody has begun.
            if self.leaving.is_soon() {
                return;
            }
            let Some(job) = self.bench.begin() else { continue };
            let begun = Instant::now();
            let (result, nodes) = self.result(&job, &mut table);
            let Some(result) = result else {
                drop(self.fleet.give_back(&job.lease, Duration::ZERO));
                self.bench.drop_job(&job.lease);
                continue;
            };
            self.bench.count(begun.elapsed(), nodes);
            let (protocol, build) = (PROTOCOL, self.options.build.clone());
            let answer = Answer { protocol, build, job: Digest::of(&job.lease.body), result };
            let (run, id, body) = (job.lease.line.run().clone(), job.lease.id.clone(), wire::pack(&answer));
            let spooled = self.spool.as_ref().map(|spool| spool.keep(&run, &id, &body));
            if let Some(Err(error)) = &spooled {
                self.say(&format!("{error}: what is not delivered is lost if this worker ends"));
            }
            let is_spooled = matches!(spooled, Some(Ok(())));
            self.bench.finished(Finished {
                run,
                id,
                body,
                lease: Some(job.lease),
                is_spooled,
                is_too_long: false,
            });
        }
    }

    /// What becomes of a job: nothing, if we leave before it has ended.
    fn result(&self, job: &InHand, table: &mut Table) -> (Option<Done>, u64) {
        let task = match self.task(job) {
            Ok(task) => task,
            Err(reason) => return (Some(Done::Failed(reason)), 0),
        };
        // A panic is the end of a pair, not of the machine: others may have more luck, and in the end somebody hears of it.
        let run = job.lease.line.run();
        let is_over = || self.leaving.is_now() || !self.bench.is_wanted(run);
        let played =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| table.play_pair(&task, &is_over)));
        match played {
            Ok(Ok(Some(mut pair))) => {
                if let Some(reason) = wire::not_started(&pair) {
                    return (Some(Done::Failed(format!("a program does not start there: {reason}"))), 0);
                }
                let moves = pair.games.iter().flat_map(|game| &game.moves);
                let nodes = moves.filter_map(|played| played.answer.insight.nodes).sum();
                pair.games.iter_mut().for_each(|game| game.text.clear());
                (Some(Done::Played(Box::new(pair))), nodes)
            }
            Ok(Ok(None)) => (None, 0),
            Ok(Err(error)) => (Some(Done::Failed(error.to_string())), 0),
            Err(_) => {
                *table = Table::default();
                (Some(Done::Failed("the program panicked".to_string())), 0)
            }
        }
    }

    fn task(&self, job: &InHand) -> Result<PairTask, String> {
        if job.lease.attempt > MOST_ATTEMPTS {
            return Err(format!("it was given out {} times, and nobody has finished it", job.lease.attempt));
        }
        let task = wire::unpack::<Job>(&job.lease.body)?;
        if task.protocol != PROTOCOL {
            return Err(format!("the job is of protocol {}, and we speak {PROTOCOL}", task.protocol));
        }
        let mut task = task.task(self.games)?;
        for entrant in &mut task.entrants {
            fit::prepare(&mut entrant.spec, &task.game, self.options)?;
        }
        Ok(task)
    }

    /// What the thread that delivers does.
    fn deliver(&self) {
        while let Some(finished) = self.bench.to_deliver(&|| self.leaving.is_now()) {
            let Finished { run, id, body, lease, .. } = &finished;
            // Nobody takes in what was played for a run that has ended.
            let is_wanted = self.bench.is_wanted(run);
            let delivered = match is_wanted {
                true => self.fleet.publish(&Line::Answers(run.clone()), &[(id.clone(), body.clone())]),
                false => Ok(()),
            };
            match delivered {
                Ok(()) => {
                    if let Some(lease) = lease {
                        drop(self.fleet.acknowledge(lease));
                    }
                    if let Some(spool) = &self.spool {
                        spool.forget(run, id);
                    }
                    self.bench.delivered(&finished, is_wanted);
                }
                Err(FleetError::Unavailable(words)) => {
                    self.cut_off(&FleetError::Unavailable(words));
                    let is_spooled = finished.is_spooled;
                    self.bench.not_delivered(finished);
                    if self.leaving.is_soon() && is_spooled {
                        self.say(
                            "what could not be delivered is in the spool: the next worker there delivers it",
                        );
                        return;
                    }
                    std::thread::sleep(RETRY);
                }
                Err(FleetError::TooLong { bytes, most }) if !finished.is_too_long => {
                    let reason = format!(
                        "its answer has {bytes} bytes and the server takes {most}: raise max_payload in the server's configuration"
                    );
                    self.say(&format!("a pair cannot be delivered: {reason}"));
                    self.bench.not_delivered(finished.failed(reason));
                }
                Err(error) => {
                    self.say(&format!("a pair cannot be delivered: {error}"));
                    if let Some(spool) = &self.spool {
                        spool.forget(run, id);
                    }
                    self.bench.delivered(&finished, false);
                }
            }
        }
    }
}
