//! One thread of a search: it gathers batches of leaves, has them evaluated and applies them, again and again.

mod pipeline;

use std::sync::atomic::Ordering::Relaxed;

use outplay_core::Game;

use super::batch::Batch;
use super::evaluate::BatchEvaluator;
use super::playouts::{Playouts, Scratch, ThreadState};
use super::root::Steering;
use super::threads::Shared;
use pipeline::Pipeline;

/// One thread's state.
pub(super) struct Worker<'a, G: Game> {
    shared: &'a Shared<'a, G>,
    number: usize,
    own: ThreadState,
    scratch: Scratch,
    batch: Batch<G>,
    /// Who evaluates the leaves, if that is the thread itself.
    evaluator: Box<dyn BatchEvaluator<G> + 'a>,
    /// The way to those who evaluate, if it is not.
    pipeline: Option<Box<Pipeline<'a, G>>>,
    /// Playouts that this thread may begin without asking.
    reserved: u64,
    /// Batches in which something was found.
    pub batches: u64,
}

/// As many playouts as one of several threads makes before it looks up: the others are not disturbed after every single one.
const LOOK_UP_AFTER: u32 = 8;
/// One of several threads reserves no more playouts at a time than one in so many of its share of what is left.
const RESERVED_SHARE: u64 = 8;

impl<'a, G: Game> Worker<'a, G> {
    pub fn new(shared: &'a Shared<'a, G>, number: usize) -> Worker<'a, G> {
        let context = shared.run.context;
        let mut own = ThreadState::new(&context.options, shared.run.line, number as u64);
        own.steering = Steering::new(context.steered_lines, context.options.multipv_share);
        Worker {
            shared,
            number,
            own,
            scratch: Scratch::default(),
            batch: Batch::default(),
            evaluator: context.evaluator.begin(),
            pipeline: Pipeline::new(shared).map(Box::new),
            reserved: 0,
            batches: 0,
        }
    }

    /// The playouts of this thread.
    fn playouts(&mut self) -> Playouts<'_, G> {
        let run = &self.shared.run;
        let playouts = Playouts::new(run, &mut self.own, &mut self.scratch, &mut self.batch);
        match run.context.evaluates_at_once {
            true => playouts.at_once(&mut *self.evaluator),
            false => playouts,
        }
    }

    /// Has the root evaluated, if nobody has done that: before all threads begin.
    pub fn evaluate_root(&mut self) {
        if self.reserve(1) == 0 {
            return;
        }
        if !self.playouts().gather_root() {
            self.reserved += 1;
            return;
        }
        match self.pipeline.take() {
            Some(mut pipeline) => {
                pipeline.send(self);
                pipeline.take_back(self);
                self.pipeline = Some(pipeline);
            }
            None => drop(self.evaluate()),
        }
    }

    /// Runs a batch or, if there are others to be disturbed, some batches in which few playouts end. Returns how many have ended.
    pub fn run_batches(&mut self) -> u32 {
        let mut ended = self.run_batch();
        while self.shared.threads() > 1
            && (1..LOOK_UP_AFTER).contains(&ended)
            && !self.shared.stop.load(Relaxed)
        {
            match self.run_batch() {
                0 => break,
                more => ended += more,
            }
        }
        ended
    }

    /// Gathers a batch, has it evaluated and applies it; returns how many playouts have ended. If others evaluate, it is a batch
    /// that was gathered earlier, or what has come back of several.
    pub fn run_batch(&mut self) -> u32 {
        let ended = match self.pipeline.take() {
            Some(mut pipeline) => {
                let ended = pipeline.step(self);
                self.pipeline = Some(pipeline);
                ended
            }
            None if self.gather() => self.evaluate(),
            None => 0,
        };
        if ended == 0 {
            // Others may be able to begin them.
            self.shared.remaining.0.fetch_add(std::mem::take(&mut self.reserved), Relaxed);
        }
        self.batches += u64::from(ended > 0);
        ended
    }

    /// Gathers a batch of the usual size, unless no playouts are left or nothing is left to be learned.
    fn gather(&mut self) -> bool {
        let (shared, mut reserved) = (self.shared, std::mem::take(&mut self.reserved));
        let unused =
            self.playouts().gather(shared.leaves_at_once(), |wanted| shared.reserve(wanted, &mut reserved));
        self.reserved = reserved + u64::from(unused.unwrap_or(0));
        unused.is_some()
    }

    /// Takes playouts from those that are left, for this thread alone; how many.
    fn reserve(&mut self, wanted: u64) -> u32 {
        self.shared.reserve(wanted, &mut self.reserved)
    }

    /// Evaluates what was gathered, and applies it; returns how many playouts have ended.
    fn evaluate(&mut self) -> u32 {
        // Those that looked beside come on top of the batch.
        let size = self.shared.leaves_at_once() as usize;
        let (evaluator, rng) = (&mut self.evaluator, &mut self.own.rng);
        let evaluated =
            self.batch.leaves().chunks_mut(size).try_for_each(|leaves| evaluator.evaluate(leaves, rng));
        if let Err(error) = evaluated {
            self.shared.run.signs.fail(error);
        }
        let has_failed = self.shared.run.signs.has_failed();
        if !self.batch.holds_nothing() {
            let share = self.batch.whole();
            match has_failed {
                true => drop(self.playouts().discard_all(&share)),
                false => self.playouts().apply(&share),
            }
            self.batch.clear();
        }
        if has_failed {
            self.shared.stop.store(true, Relaxed);
            return 0;
        }
        let ended = self.batch.gathered.counted();
        self.count(ended);
        ended
    }

    /// Counts playouts that have ended, and lets others see what this thread has counted.
    fn count(&mut self, ended: u32) {
        self.own.counters.playouts += u64::from(ended);
        self.shared.counters.publish(self.number, &self.own.counters);
    }

    /// Takes back what others are still evaluating: the last thing that a thread does.
    pub fn finish(mut self) {
        self.take_back();
    }

    /// Waits for what others are still evaluating.
    fn take_back(&mut self) {
        if let Some(mut pipeline) = self.pipeline.take() {
            pipeline.take_back(self);
            self.pipeline = Some(pipeline);
        }
    }

    /// Waits while another thread recycles nodes.
    pub fn wait(&mut self) {
        self.let_go();
        self.shared.wait();
    }

    /// Recycles nodes of a tree that is full; false if that cannot be done.
    pub fn recycle(&mut self) -> bool {
        if !self.shared.run.context.options.ram_limit_recycles {
            return false;
        }
        self.let_go();
        self.shared.recycle()
    }

    /// Lets go of the tree: no playout is on its way, and no memory is held.
    fn let_go(&mut self) {
        self.take_back();
        self.own.grower.let_go();
    }
}

impl<G: Game> Shared<'_, G> {
    /// Takes up to `wanted` playouts from what a thread has reserved; if that is too little, it reserves more. How many.
    fn reserve(&self, wanted: u64, reserved: &mut u64) -> u32 {
        if *reserved < wanted {
            let lacking = wanted - *reserved;
            let share = |left: u64| match self.threads() {
                1 => left,
                threads => lacking.max(left / threads / RESERVED_SHARE).min(left),
            };
            let before = self.remaining.0.fetch_update(Relaxed, Relaxed, |left| Some(left - share(left)));
            *reserved += share(before.unwrap_or_else(|left| left));
        }
        let taken = wanted.min(*reserved);
        *reserved -= taken;
        taken as u32
    }
}
