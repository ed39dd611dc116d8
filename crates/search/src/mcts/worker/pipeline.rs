//! A worker whose leaves are evaluated by others: it gathers the next batch while earlier ones are out.

use std::sync::atomic::Ordering;

use outplay_core::Game;

use super::Worker;
use crate::mcts::batch::Share;
use crate::mcts::evaluate::Leaf;
use crate::mcts::path::{Path, PendingLeaf};
use crate::mcts::service::{Client, Gone, Ticket, WaitMode};
use crate::mcts::threads::Shared;

/// What a worker has out with the evaluation service.
pub(super) struct Pipeline<'a, G: Game> {
    client: Client<'a, G>,
    /// Where the leaves that are out belong, by their tickets. Entries are used again.
    pending: Vec<PendingLeaf>,
    /// Tickets that no leaf has.
    free: Vec<Ticket>,
    /// Leaves that are to be handed in: more than there was room for, because some were found beside the batch.
    outgoing: Vec<(Ticket, Leaf<G>)>,
    /// Leaves that have come back; empty in between.
    evaluated: Vec<(Ticket, Leaf<G>)>,
    /// The last batch found less than it wanted, and another would find as little before something comes back.
    is_starved: bool,
}

impl<'a, G: Game> Pipeline<'a, G> {
    /// `None` if threads evaluate their own leaves.
    pub fn new(shared: &Shared<'a, G>) -> Option<Pipeline<'a, G>> {
        let service = shared.service?;
        let in_flight = shared.run.context.options.batches_in_flight;
        let client = service.client((shared.leaves_at_once() * in_flight) as usize);
        let (pending, free, outgoing, evaluated) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Some(Pipeline { client, pending, free, outgoing, evaluated, is_starved: false })
    }

    /// Applies what has come back, and sends another batch if there is something to be sent; otherwise waits for something to come back.
    /// Returns how many playouts have ended.
    pub fn step(&mut self, worker: &mut Worker<G>) -> u32 {
        let landed = self.land(worker, WaitMode::None);
        self.is_starved &= landed == 0;
        self.hand_in(worker);
        let size = worker.shared.leaves_at_once();
        if self.is_starved || !self.outgoing.is_empty() || (self.client.room() as u64) < size {
            self.is_starved = false;
            return landed + self.land(worker, WaitMode::UntilFirst);
        }
        if !worker.gather() {
            self.is_starved = true;
            return landed;
        }
        self.is_starved = u64::from(worker.batch.gathered.counted()) < size;
        landed + self.send(worker)
    }

    /// Sends off what was gathered, but for what is known already. Returns how many playouts have ended.
    pub fn send(&mut self, worker: &mut Worker<G>) -> u32 {
        let known = Share { cached: worker.batch.whole().cached, ..Share::default() };
        worker.playouts().apply(&known);
        let mut ended = worker.batch.gathered.counted();
        worker.batch.hand_out(|leaf, pending| {
            ended -= u32::from(pending.path.counts_at_root());
            let ticket = self.free.pop().unwrap_or_else(|| {
                let node = pending.node;
                self.pending.push(PendingLeaf { path: Path::default(), node, counts_as: None });
                self.pending.len() as Ticket - 1
            });
            // The worker gets an old one, whose memory it uses again.
            std::mem::swap(&mut self.pending[ticket as usize], pending);
            self.outgoing.push((ticket, leaf));
        });
        worker.batch.clear();
        worker.count(ended);
        self.hand_in(worker);
        ended
    }

    /// Hands in as many of the outgoing leaves as there is room for.
    fn hand_in(&mut self, worker: &mut Worker<G>) {
        if !self.outgoing.is_empty() && self.client.hand_in(&mut self.outgoing) == Err(Gone) {
            for (ticket, leaf) in self.outgoing.drain(..) {
                worker.playouts().discard(&self.pending[ticket as usize]);
                worker.batch.give_back(leaf);
                self.free.push(ticket);
            }
            worker.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until nothing is out any more.
    pub fn take_back(&mut self, worker: &mut Worker<G>) {
        while self.client.out() > 0 || !self.outgoing.is_empty() {
            self.hand_in(worker);
            self.land(worker, WaitMode::UntilFirst);
        }
    }

    /// Applies what has come back, in whatever order. Returns how many playouts have ended.
    fn land(&mut self, worker: &mut Worker<G>, wait: WaitMode) -> u32 {
        if self.client.collect(wait, &mut self.evaluated) == Err(Gone) {
            self.give_up(worker);
        }
        if self.evaluated.is_empty() {
            return 0;
        }
        let mut ended = 0;
        let mut playouts = worker.playouts();
        for (ticket, leaf) in &self.evaluated {
            let pending = &self.pending[*ticket as usize];
            playouts.receive_evaluated(leaf, pending);
            ended += u32::from(pending.path.counts_at_root());
        }
        playouts.finish_backups();
        for (ticket, leaf) in self.evaluated.drain(..) {
            self.free.push(ticket);
            worker.batch.give_back(leaf);
        }
        worker.count(ended);
        ended
    }

    /// The service has ended, and so does the search: playouts whose leaves nobody will evaluate come to nothing.
    #[cold]
    fn give_up(&mut self, worker: &mut Worker<G>) {
        let is_waiting = |ticket: &Ticket| self.outgoing.iter().any(|(waiting, _)| waiting == ticket);
        let all = 0..self.pending.len() as Ticket;
        let lost: Vec<Ticket> =
            all.filter(|ticket| !self.free.contains(ticket) && !is_waiting(ticket)).collect();
        for ticket in lost {
            worker.playouts().discard(&self.pending[ticket as usize]);
            self.free.push(ticket);
        }
        worker.shared.stop.store(true, Ordering::Relaxed);
    }
}
