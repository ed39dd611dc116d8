//! A worker whose leaves are judged by others: it gathers the next batch while earlier ones are out.

use std::sync::atomic::Ordering;

use outplay_core::Game;

use super::Worker;
use crate::mcts::evaluate::Leaf;
use crate::mcts::service::{Client, Gone, Patience, Ticket};
use crate::mcts::shared::{Flight, Route, Shared};

/// What a worker has out with the evaluation service.
pub(super) struct Pipeline<'a, G: Game> {
    client: Client<'a, G>,
    /// Where the leaves that are out belong, by their tickets. Entries are used again.
    flights: Vec<Flight>,
    /// Tickets that no leaf has.
    free: Vec<Ticket>,
    /// Leaves that are to be handed in: more than there was room for, because some were found beside the batch.
    parcel: Vec<(Ticket, Leaf<G>)>,
    /// Leaves that have come back; empty in between.
    judged: Vec<(Ticket, Leaf<G>)>,
    /// The last batch found less than it wanted, and another would find as little before something comes back.
    is_starved: bool,
}

impl<'a, G: Game> Pipeline<'a, G> {
    /// `None` if threads judge their own leaves.
    pub fn new(shared: &Shared<'a, G>) -> Option<Pipeline<'a, G>> {
        let service = shared.service?;
        let size = shared.leaves_at_once;
        let client = service.client((size * shared.options.batches_in_flight) as usize);
        let (flights, free, parcel, judged) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Some(Pipeline { client, flights, free, parcel, judged, is_starved: false })
    }

    /// Backs up what has come back, and sends another batch if there is something to be sent; otherwise waits for something to come back.
    /// Returns how many playouts have ended.
    pub fn step(&mut self, worker: &mut Worker<G>) -> u32 {
        let landed = self.land(worker, Patience::None);
        self.is_starved &= landed == 0;
        self.hand_in(worker);
        let size = worker.shared.leaves_at_once;
        if self.is_starved || !self.parcel.is_empty() || (self.client.room() as u64) < size {
            self.is_starved = false;
            return landed + self.land(worker, Patience::UntilFirst);
        }
        if !worker.gather_batch() {
            self.is_starved = true;
            return landed;
        }
        self.is_starved = u64::from(worker.ended()) < size;
        landed + self.send(worker)
    }

    /// Sends off what was gathered, but for what is known already. Returns how many playouts have ended.
    pub fn send(&mut self, worker: &mut Worker<G>) -> u32 {
        let (leaves, flights) = (std::mem::take(&mut worker.leaves), std::mem::take(&mut worker.flights));
        (0..worker.known).for_each(|number| worker.receive(&leaves[number], &flights[number]));
        (worker.leaves, worker.flights) = (leaves, flights);

        let (mut ended, sent) = (worker.ended(), worker.known..worker.gathered);
        let Worker { leaves, flights, .. } = &mut *worker;
        for (flight, leaf) in flights[sent.clone()].iter_mut().zip(leaves.drain(sent)) {
            ended -= u32::from(flight.route.counts_at_root());
            let ticket = self.free.pop().unwrap_or_else(|| {
                self.flights.push(Flight { route: Route::default(), node: flight.node, counts_as: None });
                self.flights.len() as Ticket - 1
            });
            // The worker gets an old one, whose memory it uses again.
            std::mem::swap(&mut self.flights[ticket as usize], flight);
            self.parcel.push((ticket, leaf));
        }
        worker.gathered = 0;
        worker.shared.playouts.fetch_add(u64::from(ended), Ordering::Relaxed);
        self.hand_in(worker);
        ended
    }

    /// Hands in as much of the parcel as there is room for.
    fn hand_in(&mut self, worker: &Worker<G>) {
        if !self.parcel.is_empty() && self.client.hand_in(&mut self.parcel) == Err(Gone) {
            self.parcel.clear();
            give_up(worker.shared);
        }
    }

    /// Waits until nothing is out any more.
    pub fn take_back(&mut self, worker: &mut Worker<G>) {
        while self.client.out() > 0 || !self.parcel.is_empty() {
            self.hand_in(worker);
            self.land(worker, Patience::UntilFirst);
        }
    }

    /// Backs up what has come back, in whatever order. Returns how many playouts have ended.
    fn land(&mut self, worker: &mut Worker<G>, patience: Patience) -> u32 {
        if self.client.collect(patience, &mut self.judged) == Err(Gone) {
            give_up(worker.shared);
        }
        worker.shared.judged.fetch_add(self.judged.len() as u64, Ordering::Relaxed);
        let mut ended = 0;
        for (ticket, leaf) in self.judged.drain(..) {
            let flight = &self.flights[ticket as usize];
            worker.receive_judged(&leaf, flight);
            ended += u32::from(flight.route.counts_at_root());
            self.free.push(ticket);
            worker.leaves.push(leaf);
        }
        worker.shared.playouts.fetch_add(u64::from(ended), Ordering::Relaxed);
        ended
    }
}

/// The service has ended, and so does the search. Playouts whose leaves nobody will judge stay in flight in a tree that nobody will use.
#[cold]
fn give_up<G: Game>(shared: &Shared<G>) {
    shared.abandoned.store(true, Ordering::Relaxed);
    shared.stop.store(true, Ordering::Relaxed);
}
