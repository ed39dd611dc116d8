//! Evaluation as a service: leaves of several searchers are evaluated together, by threads that do nothing else.
//!
//! A searcher hands leaves in through its [`Client`] and goes on searching. An evaluation thread takes what waits in the queue, a batch at most,
//! evaluates it and puts each leaf into the inbox of the client that it came from. It waits for the first leaf only, never for a
//! batch to become full: while all evaluation threads are busy the next batch grows by itself, whoever its leaves come from. So
//! leaves come back in any order, and a client knows them by the tickets that it gave them.
//!
//! One lock guards everything. It is taken a few times a batch, and never held while leaves are evaluated. A client may only have so
//! many leaves out, which bounds what waits and what lies in inboxes; leaves change hands and are used again, so that
//! nothing is allocated once the vectors have grown.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use outplay_core::{Game, Rng};

use super::evaluate::{EvaluationError, Leaf, LeafEvaluator};
use super::threads::join;
use crate::BatchUse;

/// What a client knows a leaf by.
pub type Ticket = u32;

/// The service has ended: leaves are no longer taken, or those handed in will never come back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone;

/// How long to wait for leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitMode {
    /// Not at all: what is there is taken.
    None,
    /// Until at least one has come.
    UntilFirst,
}

/// An evaluator and those who wait for it. Several searches may share one.
///
/// Somebody has to lend it threads: [`Service::serve`] does so, or threads of one's own call [`Service::run`].
pub struct Service<'e, G: Game> {
    evaluator: Box<dyn LeafEvaluator<G> + 'e>,
    queue: Mutex<Queue<G>>,
    /// Signalled when something waits to be evaluated, and when the service ends.
    work: Condvar,
}

/// What the lock guards: requests that wait, and where their answers go.
struct Queue<G> {
    phase: Phase,
    /// Threads that evaluate.
    evaluators: usize,
    waiting: VecDeque<Request<G>>,
    inboxes: Vec<Inbox<G>>,
    counted: BatchUse,
    failure: Option<EvaluationError>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    /// No leaves are taken; those that wait are still evaluated.
    Closed,
    /// The evaluator has panicked.
    Broken,
}

/// A leaf on its way, with whom it comes from.
struct Request<G> {
    leaf: Leaf<G>,
    address: Address,
}

#[derive(Clone, Copy)]
struct Address {
    inbox: usize,
    ticket: Ticket,
}

/// Where a client finds its leaves.
struct Inbox<G> {
    client: ClientState,
    evaluated: Vec<(Ticket, Leaf<G>)>,
    /// Leaves that wait or are being evaluated.
    owed: usize,
    arrived: Arc<Condvar>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ClientState {
    Present,
    /// It has left; what is still owed to it is thrown away.
    Left,
    /// The inbox belongs to nobody.
    None,
}

impl<'e, G: Game> Service<'e, G> {
    /// A service without threads, in which everybody may hand in leaves already.
    pub fn new(evaluator: impl LeafEvaluator<G> + 'e) -> Service<'e, G> {
        let queue = Queue {
            phase: Phase::Open,
            evaluators: 0,
            waiting: VecDeque::new(),
            inboxes: Vec::new(),
            counted: BatchUse::default(),
            failure: None,
        };
        Service { evaluator: Box::new(evaluator), queue: Mutex::new(queue), work: Condvar::new() }
    }

    /// Who evaluates.
    pub fn evaluator(&self) -> &(dyn LeafEvaluator<G> + 'e) {
        &*self.evaluator
    }

    /// A client that may have up to `most_out` leaves with the service.
    pub fn client(&self, most_out: usize) -> Client<'_, G> {
        let mut queue = self.queue();
        let free = queue.inboxes.iter().position(|inbox| inbox.client == ClientState::None);
        let number = free.unwrap_or_else(|| {
            queue.inboxes.push(Inbox {
                client: ClientState::None,
                evaluated: Vec::new(),
                owed: 0,
                arrived: Arc::default(),
            });
            queue.inboxes.len() - 1
        });
        queue.inboxes[number].client = ClientState::Present;
        let arrived = queue.inboxes[number].arrived.clone();
        Client { service: self, inbox: number, arrived, out: 0, most_out }
    }

    /// Lends the service so many threads while `work` runs, and closes it afterwards. A panic of the evaluator is passed on
    /// once `work` has returned, which it does because its clients are told.
    pub fn serve<R>(&self, threads: usize, seed: u64, work: impl FnOnce() -> R) -> R {
        std::thread::scope(|scope| {
            let numbers = 0..threads as u64;
            let spawn = |number| scope.spawn(move || self.run(Rng::new(!seed ^ number << 48)));
            let evaluators: Vec<_> = numbers.map(spawn).collect();
            let closing = Closing(self);
            let result = work();
            drop(closing);
            evaluators.into_iter().for_each(join);
            result
        })
    }

    /// Evaluates leaves until the service is closed and nothing waits any more. If the evaluator panics, so does this, and the service
    /// is at an end for everybody.
    pub fn run(&self, mut rng: Rng) {
        let _presence = Presence::new(self);
        let (mut leaves, mut addresses) = (Vec::new(), Vec::new());
        let mut evaluator = self.evaluator.begin();
        while self.take_batch(&mut leaves, &mut addresses) {
            if let Err(error) = evaluator.evaluate(&mut leaves, &mut rng) {
                let mut queue = self.queue();
                queue.failure.get_or_insert(error);
                queue.phase = Phase::Broken;
                return self.wake_all(&queue);
            }
            self.deliver(&mut leaves, &mut addresses);
        }
    }

    /// Takes no more leaves. Those handed in are still evaluated and given back.
    pub fn close(&self) {
        let mut queue = self.queue();
        if queue.phase == Phase::Open {
            queue.phase = Phase::Closed;
        }
        self.wake_all(&queue);
    }

    /// Why the evaluator could not go on, if it has said so.
    pub fn failure(&self) -> Option<EvaluationError> {
        self.queue().failure.clone()
    }

    /// Whether the evaluator has failed or panicked.
    pub fn is_broken(&self) -> bool {
        self.queue().phase == Phase::Broken
    }

    /// Leaves that wait for an evaluation thread.
    pub fn waiting(&self) -> usize {
        self.queue().waiting.len()
    }

    /// The batches that were evaluated so far, whoever they came from.
    pub fn counted(&self) -> BatchUse {
        self.queue().counted
    }

    /// What the lock guards is whole at every moment at which foreign code could panic.
    fn queue(&self) -> MutexGuard<'_, Queue<G>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_all(&self, queue: &Queue<G>) {
        self.work.notify_all();
        queue.inboxes.iter().for_each(|inbox| inbox.arrived.notify_all());
    }

    /// Waits for leaves and takes up to a batch of them; false if there will be none.
    fn take_batch(&self, leaves: &mut Vec<Leaf<G>>, addresses: &mut Vec<Address>) -> bool {
        let is_idle = |queue: &mut Queue<G>| queue.phase == Phase::Open && queue.waiting.is_empty();
        let guard = self.work.wait_while(self.queue(), is_idle);
        let mut queue = guard.unwrap_or_else(PoisonError::into_inner);
        if queue.waiting.is_empty() || queue.phase == Phase::Broken {
            return false;
        }
        let count = queue.waiting.len().min(self.evaluator.batch_size().max(1));
        for Request { leaf, address } in queue.waiting.drain(..count) {
            leaves.push(leaf);
            addresses.push(address);
        }
        queue.counted.batches += 1;
        queue.counted.leaves += count as u64;
        if !queue.waiting.is_empty() {
            self.work.notify_one();
        }
        true
    }

    /// Puts evaluated leaves into the inboxes that they belong to.
    fn deliver(&self, leaves: &mut Vec<Leaf<G>>, addresses: &mut Vec<Address>) {
        let mut queue = self.queue();
        for (leaf, address) in leaves.drain(..).zip(addresses.drain(..)) {
            let inbox = &mut queue.inboxes[address.inbox];
            inbox.owed -= 1;
            if inbox.client == ClientState::Present {
                inbox.evaluated.push((address.ticket, leaf));
                if inbox.evaluated.len() == 1 {
                    inbox.arrived.notify_one();
                }
            } else if inbox.owed == 0 {
                inbox.client = ClientState::None;
            }
        }
    }
}

impl<G> Queue<G> {
    /// Whether nothing will come back any more.
    fn is_dead(&self) -> bool {
        match self.phase {
            Phase::Open => false,
            Phase::Closed => self.evaluators == 0,
            Phase::Broken => true,
        }
    }
}

/// Closes a service, whatever happens: its threads are waited for.
struct Closing<'s, 'e, G: Game>(&'s Service<'e, G>);

impl<G: Game> Drop for Closing<'_, '_, G> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Counts a thread among those that evaluate. One that ends by a panic takes the service with it.
struct Presence<'s, 'e, G: Game>(&'s Service<'e, G>);

impl<'s, 'e, G: Game> Presence<'s, 'e, G> {
    fn new(service: &'s Service<'e, G>) -> Presence<'s, 'e, G> {
        service.queue().evaluators += 1;
        Presence(service)
    }
}

impl<G: Game> Drop for Presence<'_, '_, G> {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.evaluators -= 1;
        if std::thread::panicking() {
            queue.phase = Phase::Broken;
        }
        self.0.wake_all(&queue);
    }
}

/// One searcher's way to a [`Service`]. It may leave at any time.
pub struct Client<'s, G: Game> {
    service: &'s Service<'s, G>,
    inbox: usize,
    arrived: Arc<Condvar>,
    out: usize,
    most_out: usize,
}

impl<G: Game> Client<'_, G> {
    /// Leaves handed in and not collected yet.
    pub fn out(&self) -> usize {
        self.out
    }

    /// How many more may be handed in.
    pub fn room(&self) -> usize {
        self.most_out - self.out
    }

    /// Hands leaves in, as many as there is room for, first ones first; the others stay in the vector, and all of them if the service
    /// has ended.
    pub fn hand_in(&mut self, leaves: &mut Vec<(Ticket, Leaf<G>)>) -> Result<(), Gone> {
        let count = leaves.len().min(self.room());
        let mut queue = self.service.queue();
        if queue.phase != Phase::Open {
            return Err(Gone);
        }
        let inbox = self.inbox;
        queue.inboxes[inbox].owed += count;
        let requests = leaves.drain(..count);
        let requests = requests.map(|(ticket, leaf)| Request { leaf, address: Address { inbox, ticket } });
        queue.waiting.extend(requests);
        self.out += count;
        self.service.work.notify_one();
        Ok(())
    }

    /// Moves the leaves that have come back to the end of `evaluated`, in the order in which they came. Nothing is waited for if nothing is out.
    /// Where the service has ended, what was evaluated is given back first; then all that is still out is given up.
    pub fn collect(&mut self, wait: WaitMode, evaluated: &mut Vec<(Ticket, Leaf<G>)>) -> Result<(), Gone> {
        if self.out == 0 {
            return Ok(());
        }
        let mut queue = self.service.queue();
        loop {
            let arrived = &mut queue.inboxes[self.inbox].evaluated;
            if !arrived.is_empty() {
                self.out -= arrived.len();
                evaluated.append(arrived);
                return Ok(());
            }
            if queue.is_dead() {
                self.out = 0;
                return Err(Gone);
            }
            if wait == WaitMode::None {
                return Ok(());
            }
            queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<G: Game> Drop for Client<'_, G> {
    fn drop(&mut self) {
        let mut queue = self.service.queue();
        let before = queue.waiting.len();
        queue.waiting.retain(|request| request.address.inbox != self.inbox);
        let withdrawn = before - queue.waiting.len();
        let inbox = &mut queue.inboxes[self.inbox];
        inbox.evaluated.clear();
        inbox.owed -= withdrawn;
        inbox.client = if inbox.owed == 0 { ClientState::None } else { ClientState::Left };
    }
}
