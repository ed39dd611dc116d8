//! Judging as a service: leaves of several searchers are judged together, by threads that do nothing else.
//!
//! A searcher hands leaves in through its [`Client`] and goes on searching. An evaluation thread takes what waits, a batch at most,
//! has it judged and puts each leaf into the mailbox of the client that it came from. It waits for the first leaf only, never for a
//! batch to become full: while all evaluation threads are busy the next batch grows by itself, whoever its leaves come from. So
//! leaves come back in any order, and a client knows them by the tickets that it gave them.
//!
//! One lock guards everything. It is taken a few times a batch, and never held while leaves are judged. A client may only have so
//! many leaves out, which bounds what waits and what lies in mailboxes; leaves change hands and are used again, so that
//! nothing is allocated once the vectors have grown.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use outplay_core::{Game, Rng};

use super::evaluate::{Leaf, LeafEvaluator};
use super::threads::join;
use crate::BatchUse;

/// What a client knows a leaf by.
pub type Ticket = u32;

/// The service has ended: leaves are no longer taken, or those handed in will never come back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone;

/// How long to wait for leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// Not at all: what is there is taken.
    None,
    /// Until at least one has come.
    UntilFirst,
}

/// A judge and those who wait for it. Several searches may share one.
///
/// Somebody has to lend it threads: [`Service::serve`] does so, or threads of one's own call [`Service::run`].
pub struct Service<'e, G: Game> {
    evaluator: Box<dyn LeafEvaluator<G> + 'e>,
    desk: Mutex<Desk<G>>,
    /// Signalled when something waits to be judged, and when the service ends.
    work: Condvar,
}

/// What the lock guards.
struct Desk<G> {
    stage: Stage,
    /// Threads that judge.
    evaluators: usize,
    waiting: VecDeque<Letter<G>>,
    mailboxes: Vec<Mailbox<G>>,
    counted: BatchUse,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Open,
    /// No leaves are taken; those that wait are still judged.
    Closed,
    /// The evaluator has panicked.
    Broken,
}

/// A leaf on its way, with whom it comes from.
struct Letter<G> {
    leaf: Leaf<G>,
    address: Address,
}

#[derive(Clone, Copy)]
struct Address {
    mailbox: usize,
    ticket: Ticket,
}

/// Where a client finds its leaves.
struct Mailbox<G> {
    tenant: Tenant,
    judged: Vec<(Ticket, Leaf<G>)>,
    /// Leaves that wait or are being judged.
    owed: usize,
    arrived: Arc<Condvar>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tenant {
    Client,
    /// The client has left; what is still owed to it is thrown away.
    Left,
    Nobody,
}

impl<'e, G: Game> Service<'e, G> {
    /// A service without threads, in which everybody may hand in leaves already.
    pub fn new(evaluator: impl LeafEvaluator<G> + 'e) -> Service<'e, G> {
        let desk = Desk {
            stage: Stage::Open,
            evaluators: 0,
            waiting: VecDeque::new(),
            mailboxes: Vec::new(),
            counted: BatchUse::default(),
        };
        Service { evaluator: Box::new(evaluator), desk: Mutex::new(desk), work: Condvar::new() }
    }

    /// Who judges.
    pub fn evaluator(&self) -> &(dyn LeafEvaluator<G> + 'e) {
        &*self.evaluator
    }

    /// A client that may have up to `most_out` leaves with the service.
    pub fn client(&self, most_out: usize) -> Client<'_, G> {
        let mut desk = self.desk();
        let free = desk.mailboxes.iter().position(|mailbox| mailbox.tenant == Tenant::Nobody);
        let number = free.unwrap_or_else(|| {
            desk.mailboxes.push(Mailbox {
                tenant: Tenant::Nobody,
                judged: Vec::new(),
                owed: 0,
                arrived: Arc::default(),
            });
            desk.mailboxes.len() - 1
        });
        desk.mailboxes[number].tenant = Tenant::Client;
        let arrived = desk.mailboxes[number].arrived.clone();
        Client { service: self, mailbox: number, arrived, out: 0, most_out }
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

    /// Judges leaves until the service is closed and nothing waits any more. If the evaluator panics, so does this, and the service
    /// is at an end for everybody.
    pub fn run(&self, mut rng: Rng) {
        let _presence = Presence::new(self);
        let (mut leaves, mut addresses) = (Vec::new(), Vec::new());
        while self.take_batch(&mut leaves, &mut addresses) {
            self.evaluator.evaluate(&mut leaves, &mut rng);
            self.deliver(&mut leaves, &mut addresses);
        }
    }

    /// Takes no more leaves. Those handed in are still judged and given back.
    pub fn close(&self) {
        let mut desk = self.desk();
        if desk.stage == Stage::Open {
            desk.stage = Stage::Closed;
        }
        self.wake_all(&desk);
    }

    /// Whether the evaluator has panicked.
    pub fn is_broken(&self) -> bool {
        self.desk().stage == Stage::Broken
    }

    /// Leaves that wait for an evaluation thread.
    pub fn waiting(&self) -> usize {
        self.desk().waiting.len()
    }

    /// The batches that were judged so far, whoever they came from.
    pub fn counted(&self) -> BatchUse {
        self.desk().counted
    }

    /// What the lock guards is whole at every moment at which foreign code could panic.
    fn desk(&self) -> MutexGuard<'_, Desk<G>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_all(&self, desk: &Desk<G>) {
        self.work.notify_all();
        desk.mailboxes.iter().for_each(|mailbox| mailbox.arrived.notify_all());
    }

    /// Waits for leaves and takes up to a batch of them; false if there will be none.
    fn take_batch(&self, leaves: &mut Vec<Leaf<G>>, addresses: &mut Vec<Address>) -> bool {
        let is_idle = |desk: &mut Desk<G>| desk.stage == Stage::Open && desk.waiting.is_empty();
        let guard = self.work.wait_while(self.desk(), is_idle);
        let mut desk = guard.unwrap_or_else(PoisonError::into_inner);
        if desk.waiting.is_empty() || desk.stage == Stage::Broken {
            return false;
        }
        let count = desk.waiting.len().min(self.evaluator.batch_size().max(1));
        for Letter { leaf, address } in desk.waiting.drain(..count) {
            leaves.push(leaf);
            addresses.push(address);
        }
        desk.counted.batches += 1;
        desk.counted.leaves += count as u64;
        if !desk.waiting.is_empty() {
            self.work.notify_one();
        }
        true
    }

    /// Puts judged leaves into the mailboxes that they belong to.
    fn deliver(&self, leaves: &mut Vec<Leaf<G>>, addresses: &mut Vec<Address>) {
        let mut desk = self.desk();
        for (leaf, address) in leaves.drain(..).zip(addresses.drain(..)) {
            let mailbox = &mut desk.mailboxes[address.mailbox];
            mailbox.owed -= 1;
            if mailbox.tenant == Tenant::Client {
                mailbox.judged.push((address.ticket, leaf));
                if mailbox.judged.len() == 1 {
                    mailbox.arrived.notify_one();
                }
            } else if mailbox.owed == 0 {
                mailbox.tenant = Tenant::Nobody;
            }
        }
    }
}

impl<G> Desk<G> {
    /// Whether nothing will come back any more.
    fn is_dead(&self) -> bool {
        match self.stage {
            Stage::Open => false,
            Stage::Closed => self.evaluators == 0,
            Stage::Broken => true,
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

/// Counts a thread among those that judge. One that ends by a panic takes the service with it.
struct Presence<'s, 'e, G: Game>(&'s Service<'e, G>);

impl<'s, 'e, G: Game> Presence<'s, 'e, G> {
    fn new(service: &'s Service<'e, G>) -> Presence<'s, 'e, G> {
        service.desk().evaluators += 1;
        Presence(service)
    }
}

impl<G: Game> Drop for Presence<'_, '_, G> {
    fn drop(&mut self) {
        let mut desk = self.0.desk();
        desk.evaluators -= 1;
        if std::thread::panicking() {
            desk.stage = Stage::Broken;
        }
        self.0.wake_all(&desk);
    }
}

/// One searcher's way to a [`Service`]. It may leave at any time.
pub struct Client<'s, G: Game> {
    service: &'s Service<'s, G>,
    mailbox: usize,
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
        let mut desk = self.service.desk();
        if desk.stage != Stage::Open {
            return Err(Gone);
        }
        let mailbox = self.mailbox;
        desk.mailboxes[mailbox].owed += count;
        let letters = leaves.drain(..count);
        let letters = letters.map(|(ticket, leaf)| Letter { leaf, address: Address { mailbox, ticket } });
        desk.waiting.extend(letters);
        self.out += count;
        self.service.work.notify_one();
        Ok(())
    }

    /// Moves the leaves that have come back to the end of `judged`, in the order in which they came. Nothing is waited for if nothing is out.
    /// Where the service has ended, what was judged is given back first; then all that is still out is given up.
    pub fn collect(&mut self, patience: Patience, judged: &mut Vec<(Ticket, Leaf<G>)>) -> Result<(), Gone> {
        if self.out == 0 {
            return Ok(());
        }
        let mut desk = self.service.desk();
        loop {
            let arrived = &mut desk.mailboxes[self.mailbox].judged;
            if !arrived.is_empty() {
                self.out -= arrived.len();
                judged.append(arrived);
                return Ok(());
            }
            if desk.is_dead() {
                self.out = 0;
                return Err(Gone);
            }
            if patience == Patience::None {
                return Ok(());
            }
            desk = self.arrived.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<G: Game> Drop for Client<'_, G> {
    fn drop(&mut self) {
        let mut desk = self.service.desk();
        let before = desk.waiting.len();
        desk.waiting.retain(|letter| letter.address.mailbox != self.mailbox);
        let withdrawn = before - desk.waiting.len();
        let mailbox = &mut desk.mailboxes[self.mailbox];
        mailbox.judged.clear();
        mailbox.owed -= withdrawn;
        mailbox.tenant = if mailbox.owed == 0 { Tenant::Nobody } else { Tenant::Left };
    }
}
