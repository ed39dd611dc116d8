//! The machines of a fleet as a crew: pairs of games are put out, come back in any order, and are checked before they count.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use outplay_core::text::shortened;
use outplay_lab::{Crew, Experiment, MatchError, PairTask};

use crate::wire::{self, Answer, DeadJob, Done, Job, Order, PROTOCOL, RunCard, WorkerCard};
use crate::{Digest, Expected, Fleet, FleetError, Lease, Line, Name, Pointer, Space};

/// Answers taken at once.
const ANSWERS_AT_ONCE: usize = 256;
/// How long an answer is waited for before something else is looked at.
const WAIT: Duration = Duration::from_millis(300);
/// How often the machines are looked at, and told that the run goes on.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// A run whose card nobody has renewed for so long has nobody who plays it.
const SILENCE: Duration = Duration::from_secs(5);
/// Pairs put out while nobody knows how many machines there are, and at most.
const FEWEST_OUT: usize = 16;
const MOST_OUT: usize = 20_000;
/// Pairs put out for each thread of the fleet.
const OUT_PER_THREAD: usize = 4;
/// Machines that may fail with one pair before it is given up.
const MOST_FAILURES: usize = 3;
/// Pairs that a machine may fail with, one after the other, before it is no longer asked.
const MOST_IN_A_ROW: usize = 8;
/// Answers of one machine that may be refused before it is no longer asked.
const MOST_STRIKES: usize = 3;
/// How long to wait after the server could not be reached.
const PAUSE: Duration = Duration::from_millis(300);
/// How much more time the games of a pair may say they took than has passed.
const SLACK: Duration = Duration::from_secs(60);

/// A run of pairs on the machines of a fleet.
pub struct FleetCrew<'a> {
    /// Where they meet.
    pub fleet: &'a dyn Fleet,
    /// What it is, in words.
    pub what: String,
    /// How long a machine may be silent before its pair is given to another one.
    pub lease: Duration,
    /// Our build.
    pub build: String,
    /// Whether machines with other builds may take part.
    pub any_build: bool,
    /// The memory that a pair of games takes, in MiB.
    pub memory: u64,
    /// Hears what is worth telling a person.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

impl Crew for FleetCrew<'_> {
    fn play(&self, experiment: &mut dyn Experiment, stop: &AtomicBool) -> Result<(), MatchError> {
        // The same experiment has the same name, so that it is taken up again with what was played meanwhile.
        let run = Name::like(&format!("run-{:016x}", experiment.key()));
        let mut desk = Desk::new(self, run, stop);
        let Some(revision) = desk.begin()? else { return Ok(()) };
        desk.revision = revision;
        let played = desk.play(experiment);
        desk.end();
        played
    }
}

/// A pair that is out.
struct Out {
    task: PairTask,
    job: Vec<u8>,
    /// What answers to it name.
    digest: Digest,
    /// When it was last put out.
    since: Instant,
    /// Machines that have failed with it, and how often they did.
    failed: BTreeSet<Name>,
    failures: usize,
    /// Whether an answer to it was of no use.
    is_again: bool,
}

struct Desk<'a> {
    crew: &'a FleetCrew<'a>,
    stop: &'a AtomicBool,
    run: Name,
    jobs: Line,
    answers: Line,
    card: RunCard,
    revision: u64,
    out: BTreeMap<usize, Out>,
    /// What was written into `out` and not yet published.
    to_publish: BTreeSet<usize>,
    /// How many answers of a machine were refused, and how many pairs it has failed with since one of its answers counted.
    strikes: BTreeMap<Name, usize>,
    in_a_row: BTreeMap<Name, usize>,
    /// Machines that we have told to leave, and those that somebody has told us to forget: their answers do not count until the order is taken back.
    distrusted: BTreeSet<Name>,
    forgotten: BTreeSet<Name>,
    /// When we have begun, and how old the run was then.
    begun: Instant,
    age: Duration,
    most_out: usize,
    last_look: Option<Instant>,
    is_cut_off: bool,
}

/// Which command has written a run's card, if it is one.
fn life_of(found: &Pointer) -> Option<u64> {
    wire::read::<RunCard>(&found.value).ok().map(|card| card.life)
}

fn stopped(words: String) -> MatchError {
    MatchError::Crew(words)
}

impl<'a> Desk<'a> {
    fn new(crew: &'a FleetCrew<'a>, run: Name, stop: &'a AtomicBool) -> Desk<'a> {
        let card = RunCard {
            protocol: PROTOCOL,
            build: crew.build.clone(),
            any_build: crew.any_build,
            what: crew.what.clone(),
            game: String::new(),
            programs: Vec::new(),
            memory: crew.memory,
            lease: crew.lease.as_millis() as u64,
            since: wire::now(),
            life: RandomState::new().hash_one(wire::now()),
            from: crew.fleet.name().clone(),
            done: 0,
            out: 0,
        };
        Desk {
            crew,
            stop,
            jobs: Line::Jobs(run.clone()),
            answers: Line::Answers(run.clone()),
            run,
            card,
            revision: 0,
            out: BTreeMap::new(),
            to_publish: BTreeSet::new(),
            strikes: BTreeMap::new(),
            in_a_row: BTreeMap::new(),
            distrusted: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            begun: Instant::now(),
            age: Duration::ZERO,
            most_out: FEWEST_OUT,
            last_look: None,
            is_cut_off: false,
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn tell(&self, words: &str) {
        (self.crew.tell)(words);
    }

    /// Does something with the server until it is done, or somebody stops us: then there is nothing.
    fn insist<T>(&mut self, what: impl Fn() -> Result<T, FleetError>) -> Result<Option<T>, MatchError> {
        loop {
            match what() {
                Ok(done) => {
                    if std::mem::take(&mut self.is_cut_off) {
                        self.tell("the server is there again");
                    }
                    return Ok(Some(done));
                }
                Err(FleetError::Unavailable(words)) => {
                    if !std::mem::replace(&mut self.is_cut_off, true) {
                        self.tell(&format!("{words}; trying again"));
                    }
                }
                Err(error) => return Err(stopped(error.to_string())),
            }
            if self.is_over() {
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Takes the run for ourselves; the revision of its card.
    fn begin(&mut self) -> Result<Option<u64>, MatchError> {
        let (fleet, run) = (self.crew.fleet, &self.run.clone());
        let mut expected = Expected::Nothing;
        let Some(found) = self.insist(|| fleet.pointer(Space::Runs, run))? else { return Ok(None) };
        let is_new = found.is_none();
        if let Some(found) = found {
            // Whoever plays it renews the card; whoever was killed does not.
            self.tell("this was begun before: looking whether somebody else is at it");
            let begun = Instant::now();
            while begun.elapsed() < SILENCE && !self.is_over() {
                std::thread::sleep(PAUSE);
            }
            let again = self.insist(|| fleet.pointer(Space::Runs, run))?.flatten();
            if again.as_ref().is_some_and(|again| again.revision != found.revision) {
                return Err(stopped(format!(
                    "another command plays {run} on this fleet: wait for it, or end it first"
                )));
            }
            if let Some(again) = again {
                expected = Expected::Revision(again.revision);
                if let Ok(card) = wire::read::<RunCard>(&again.value) {
                    self.age = Duration::from_secs(self.card.since.saturating_sub(card.since));
                    self.card.since = card.since.min(self.card.since);
                }
            }
        }
        // The card comes first, and nobody fits it yet: so of two commands one goes no further, and has touched nothing.
        let (card, life) = (wire::written(&self.card), self.card.life);
        let begun = self.insist(|| match fleet.set_pointer(Space::Runs, run, &card, expected) {
            // The server's answer to our first try was lost.
            Err(FleetError::Changed(_)) => match fleet.pointer(Space::Runs, run)? {
                Some(found) if life_of(&found) == Some(life) => Ok(found.revision),
                _ => Err(FleetError::Refused(format!(
                    "another command has just begun {run} on this fleet: wait for it, or end it first"
                ))),
            },
            other => other,
        })?;
        let Some(revision) = begun else { return Ok(None) };
        let lease = self.crew.lease;
        let opened = self.insist(|| {
            if is_new {
                // Left behind by a command that could not reach the server in the end.
                fleet.close_run(run)?;
            }
            fleet.open_run(run, lease)
        })?;
        Ok(opened.map(|()| revision))
    }

    /// Leaves nothing behind, unless it is somebody else's by now.
    fn end(&mut self) {
        let (fleet, run) = (self.crew.fleet, &self.run.clone());
        let Ok(found) = fleet.pointer(Space::Runs, run) else { return };
        if found.as_ref().and_then(life_of).is_some_and(|life| life != self.card.life) {
            return;
        }
        drop(fleet.remove_pointer(Space::Runs, run));
        drop(fleet.close_run(run));
    }

    fn play(&mut self, experiment: &mut dyn Experiment) -> Result<(), MatchError> {
        loop {
            if self.is_over() {
                return Ok(());
            }
            if self.last_look.is_none_or(|last| last.elapsed() >= HEARTBEAT) {
                self.look(experiment)?;
                self.last_look = Some(Instant::now());
            }
            self.hand_out(experiment)?;
            if self.out.is_empty() {
                return Ok(());
            }
            if self.take_in(experiment)?.is_break() {
                return Ok(());
            }
        }
    }

    /// Puts out as many pairs as the fleet can use.
    fn hand_out(&mut self, experiment: &mut dyn Experiment) -> Result<(), MatchError> {
        while self.out.len() < self.most_out {
            let Some(task) = experiment.next() else { break };
            let job = Job::of(&task, &self.crew.build).map_err(stopped)?;
            self.describe(&task)?;
            let index = task.index;
            let job = wire::pack(&job);
            let digest = Digest::of(&job);
            self.out.insert(
                index,
                Out {
                    task,
                    job,
                    digest,
                    since: Instant::now(),
                    failed: BTreeSet::new(),
                    failures: 0,
                    is_again: false,
                },
            );
            self.to_publish.insert(index);
        }
        if self.to_publish.is_empty() {
            return Ok(());
        }
        let wanted = self.to_publish.iter().filter_map(|index| Some((index, self.out.get(index)?)));
        let messages: Vec<(Name, Vec<u8>)> =
            wanted.map(|(index, out)| (Name::like(&index.to_string()), out.job.clone())).collect();
        let (fleet, jobs) = (self.crew.fleet, self.jobs.clone());
        if self.insist(|| fleet.publish(&jobs, &messages))?.is_some() {
            for index in std::mem::take(&mut self.to_publish) {
                if let Some(out) = self.out.get_mut(&index) {
                    out.since = Instant::now();
                }
            }
        }
        Ok(())
    }

    /// Writes on the card what a machine needs for a pair.
    fn describe(&mut self, task: &PairTask) -> Result<(), MatchError> {
        let programs = task.entrants.iter().filter_map(|entrant| entrant.spec.program());
        let mut changed = self.card.game.is_empty();
        for program in programs {
            if !self.card.programs.iter().any(|known| known == program) {
                self.card.programs.push(program.to_string());
                changed = true;
            }
        }
        if changed {
            self.card.game = task.game.to_string();
            self.renew()?;
        }
        Ok(())
    }

    /// Renews the card, which says that we are still there.
    fn renew(&mut self) -> Result<(), MatchError> {
        self.card.out = self.out.len() as u64;
        let (fleet, run) = (self.crew.fleet, &self.run.clone());
        let (card, life, revision) = (wire::written(&self.card), self.card.life, self.revision);
        let renewed = self.insist(|| {
            match fleet.set_pointer(Space::Runs, run, &card, Expected::Revision(revision)) {
                Err(FleetError::Changed(_)) => {
                    // An answer that was lost on its way leaves our own card with a newer revision.
                    match fleet.pointer(Space::Runs, run)? {
                        Some(found) if found.value == card => Ok(found.revision),
                        Some(found) if life_of(&found).is_some_and(|other| other != life) => {
                            Err(FleetError::Refused(format!(
                                "another command has taken over {run}, because nothing was heard of this one for {} s: \
                                 let that one finish, or end it and begin this one again with --resume",
                                SILENCE.as_secs()
                            )))
                        }
                        // Ours from before, or none: a server that has lost it, or whose disk was exchanged.
                        _ => fleet.set_pointer(Space::Runs, run, &card, Expected::Anything),
                    }
                }
                other => other,
            }
        })?;
        self.revision = renewed.unwrap_or(revision);
        Ok(())
    }

    /// Looks at the machines and at what somebody has told them.
    fn look(&mut self, experiment: &mut dyn Experiment) -> Result<(), MatchError> {
        let fleet = self.crew.fleet;
        self.renew()?;
        let Some(workers) = self.insist(|| fleet.pointers(Space::Workers))? else { return Ok(()) };
        let cards = workers.iter().filter_map(|(_, pointer)| wire::read::<WorkerCard>(&pointer.value).ok());
        let threads = cards.map(|card| card.threads).fold(0, usize::saturating_add);
        self.most_out = OUT_PER_THREAD.saturating_mul(threads).clamp(FEWEST_OUT, MOST_OUT);
        let Some(orders) = self.insist(|| fleet.pointers(Space::Orders))? else { return Ok(()) };
        let mut ordered = BTreeMap::new();
        for (worker, order) in orders {
            let is_forgotten = wire::read::<Order>(&order.value).is_ok_and(|order| order.forget);
            if is_forgotten && self.forgotten.insert(worker.clone()) {
                experiment.forget(worker.as_str())?;
            }
            ordered.insert(worker, is_forgotten);
        }
        // Whose order was taken back begins anew.
        self.forgotten.retain(|worker| ordered.get(worker).is_some_and(|is_forgotten| *is_forgotten));
        for worker in self.distrusted.extract_if(.., |worker| !ordered.contains_key(worker)) {
            self.strikes.remove(&worker);
            self.in_a_row.remove(&worker);
        }
        // A pair of which nothing was heard for long may be lost with a server's disk, or with a machine that has taken it and said it was done.
        // And one that was put out again may have been taken for the old one, which its machine had not yet said was done.
        let long = (4 * self.crew.lease).max(Duration::from_secs(20));
        let patience = |out: &Out| if out.is_again { HEARTBEAT } else { long };
        self.to_publish.extend(
            self.out.iter().filter(|(_, out)| out.since.elapsed() > patience(out)).map(|(index, _)| *index),
        );
        Ok(())
    }

    fn take_in(&mut self, experiment: &mut dyn Experiment) -> Result<ControlFlow<()>, MatchError> {
        let (fleet, answers, run) = (self.crew.fleet, self.answers.clone(), &self.run.clone());
        let leased = self.insist(|| match fleet.lease(&answers, ANSWERS_AT_ONCE, WAIT) {
            Err(FleetError::NoRun(_)) => Ok(None),
            leased => leased.map(Some),
        })?;
        let Some(leased) = leased else { return Ok(ControlFlow::Continue(())) };
        let Some(leased) = leased else {
            // A server that has lost what it had: everything is put out again.
            let lease = self.crew.lease;
            self.insist(|| fleet.open_run(run, lease))?;
            self.to_publish.extend(self.out.keys().copied());
            return Ok(ControlFlow::Continue(()));
        };
        for lease in leased {
            let taken = self.take(&lease, experiment)?;
            // Only now, when it is kept: what is not acknowledged comes again, and is known by its number.
            drop(fleet.acknowledge(&lease));
            if taken.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes in one answer, if it is one.
    fn take(
        &mut self,
        lease: &Lease,
        experiment: &mut dyn Experiment,
    ) -> Result<ControlFlow<()>, MatchError> {
        let worker = &lease.from;
        let index = lease.id.as_str().parse::<usize>().ok();
        let Some((index, out)) = index.and_then(|index| Some((index, self.out.get_mut(&index)?))) else {
            // Somebody else was faster, or it was never asked for.
            return Ok(ControlFlow::Continue(()));
        };
        if self.distrusted.contains(worker) || self.forgotten.contains(worker) {
            out.is_again = true;
            self.to_publish.insert(index);
            return Ok(ControlFlow::Continue(()));
        }
        let answer = wire::unpack::<Answer>(&lease.body);
        if answer.as_ref().is_ok_and(|answer| answer.job != out.digest) {
            // It answers another question: one of an earlier life of this run.
            return Ok(ControlFlow::Continue(()));
        }
        let answer = answer.and_then(|answer| {
            match answer.protocol == PROTOCOL && (self.crew.any_build || answer.build == self.crew.build) {
                true => Ok(answer.result),
                false => Err(format!(
                    "it comes from build {} of protocol {}",
                    shortened(&answer.build),
                    answer.protocol
                )),
            }
        });
        let refused = match answer {
            Ok(Done::Played(mut pair)) => {
                let elapsed = (self.age + self.begun.elapsed() + SLACK).as_secs();
                let claimed: f64 = pair
                    .games
                    .iter()
                    .flat_map(|game| &game.moves)
                    .map(|played| played.answer.time.as_secs_f64())
                    .sum();
                pair.by = Some(worker.to_string());
                if claimed > elapsed as f64 {
                    // An honest machine may have played it for an earlier life of this run, and kept it till now.
                    out.is_again = true;
                    self.to_publish.insert(index);
                    self.tell(&format!(
                        "what {worker} says of pair {} does not count, and it is played again: \
                         its games took {claimed:.0} s, and only {elapsed} s have passed since they were asked for",
                        index + 1
                    ));
                    return Ok(ControlFlow::Continue(()));
                }
                // An honest machine says itself that it cannot play it.
                if let Some(reason) = wire::not_started(&pair) {
                    let reason = format!("a program did not start there: {}", shortened(reason));
                    self.refuse(index, worker, &reason);
                    return Ok(ControlFlow::Continue(()));
                }
                match out.task.check(&pair)? {
                    Ok(pair) => {
                        self.out.remove(&index);
                        self.to_publish.remove(&index);
                        self.in_a_row.remove(worker);
                        self.card.done += 1;
                        return experiment.done(pair);
                    }
                    Err(reason) => reason,
                }
            }
            Ok(Done::Failed(reason)) => {
                out.failed.insert(worker.clone());
                out.failures += 1;
                out.is_again = true;
                let reason = shortened(&reason);
                self.to_publish.insert(index);
                self.tell(&format!("{worker} cannot play pair {}: {reason}", index + 1));
                let in_a_row = self.in_a_row.entry(worker.clone()).or_default();
                *in_a_row += 1;
                // A machine that can play nothing fails with many pairs before it fails with one of them again.
                let is_too_many = *in_a_row >= MOST_IN_A_ROW;
                if self.is_hopeless(index, is_too_many)? {
                    return Err(self.give_up(index, worker, &reason));
                }
                if is_too_many {
                    self.dismiss(worker, &format!("it can play nothing: {reason}"));
                }
                return Ok(ControlFlow::Continue(()));
            }
            Err(reason) => reason,
        };
        self.refuse(index, worker, &refused);
        Ok(ControlFlow::Continue(()))
    }

    /// What a machine has sent does not count; who does that again and again is not asked any more.
    fn refuse(&mut self, index: usize, worker: &Name, reason: &str) {
        self.to_publish.insert(index);
        if let Some(out) = self.out.get_mut(&index) {
            out.is_again = true;
        }
        let strikes = self.strikes.entry(worker.clone()).or_default();
        *strikes += 1;
        let is_too_many = *strikes >= MOST_STRIKES;
        self.tell(&format!("what {worker} says of pair {} does not count: {reason}", index + 1));
        if is_too_many {
            self.dismiss(worker, &format!("its answers were refused: {reason}"));
        }
    }

    /// Tells a machine to leave. It is distrusted when the order is set: if it cannot be set now, its next bad answer is an occasion.
    fn dismiss(&mut self, worker: &Name, reason: &str) {
        let order = wire::written(&Order { drain: true, forget: false, reason: reason.to_string() });
        if self.crew.fleet.set_pointer(Space::Orders, worker, &order, Expected::Anything).is_ok() {
            self.distrusted.insert(worker.clone());
            self.tell(&format!(
                "{worker} is not asked any more, because {reason}; \
                 `outplay fleet forget` takes out what it has played before, `outplay fleet drain --undo` lets it come back"
            ));
        }
    }

    /// Whether nobody can play a pair: several machines have failed with it, or all that there are, again and again or with `many` pairs.
    fn is_hopeless(&mut self, index: usize, many: bool) -> Result<bool, MatchError> {
        let Some(out) = self.out.get(&index) else { return Ok(false) };
        if out.failed.len() >= MOST_FAILURES {
            return Ok(true);
        }
        if out.failures < MOST_FAILURES && !many {
            return Ok(false);
        }
        let (fleet, failed) = (self.crew.fleet, out.failed.clone());
        let Some(there) = self.insist(|| fleet.pointers(Space::Workers))? else { return Ok(false) };
        let mut there =
            there.iter().filter(|(_, found)| wire::read::<WorkerCard>(&found.value).is_ok()).peekable();
        // Who has just come may not have told of itself yet.
        let is_anybody_there = there.peek().is_some();
        Ok(is_anybody_there && there.all(|(name, _)| failed.contains(name) || self.distrusted.contains(name)))
    }

    fn give_up(&self, index: usize, worker: &Name, reason: &str) -> MatchError {
        let run = &self.run;
        let dead = DeadJob {
            run: run.to_string(),
            pair: index as u64 + 1,
            worker: worker.to_string(),
            reason: reason.to_string(),
            at: wire::now(),
        };
        let name = Name::like(&format!("{}-{}", index + 1, run));
        drop(self.crew.fleet.set_pointer(Space::Dead, &name, &wire::written(&dead), Expected::Anything));
        let failed = self.out.get(&index).map_or(0, |out| out.failed.len());
        let who = match failed >= MOST_FAILURES {
            true => format!("{failed} machines"),
            false => "all the machines that there are".to_string(),
        };
        stopped(format!(
            "pair {} was given up after {who} failed with it, {worker} with: {reason}",
            index + 1
        ))
    }
}
