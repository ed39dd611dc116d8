//! The one line in which all searches wait for the cores.
//!
//! There are as many places as cores; a search takes one for each of its threads. Moves of games go before analyses, because somebody
//! waits for them; among analyses, clients take turns. A search that has run for a while makes room when others wait, and goes to the
//! end of the line: whoever runs it enters again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::cancel::Cancel;
use crate::error::{ApiError, ApiResult};

/// How long an analysis runs at least before it makes room for a move of a game.
const SHORTEST_SLICE: Duration = Duration::from_secs(1);

/// Who goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// A move of a game, or a question that is answered once.
    Game,
    /// An analysis, which may be interrupted.
    Analysis,
}

/// The line and the places.
pub struct Queue {
    state: Mutex<State>,
    places: usize,
    most: usize,
    slice: Duration,
}

struct State {
    free: usize,
    next_ticket: u64,
    waiting: Vec<Entry>,
    running: Vec<Entry>,
}

struct Entry {
    ticket: u64,
    class: Class,
    client: u64,
    threads: usize,
    /// The place in line, 0 once the search may begin.
    place: watch::Sender<usize>,
    begun: Instant,
    cancel: Arc<Cancel>,
    makes_room: Arc<AtomicBool>,
}

/// A search's place in the line or at the cores; given up when it is dropped.
pub struct Ticket {
    queue: Arc<Queue>,
    number: u64,
    place: watch::Receiver<usize>,
    makes_room: Arc<AtomicBool>,
}

impl Queue {
    /// A line for so many cores, in which `most` searches may be, and in which a search makes room after `slice`.
    pub fn new(places: usize, most: usize, slice: Duration) -> Arc<Queue> {
        let places = places.max(1);
        let state = State { free: places, next_ticket: 0, waiting: Vec::new(), running: Vec::new() };
        Arc::new(Queue { state: Mutex::new(state), places, most, slice })
    }

    /// Takes a place at the end of the line.
    pub fn enter(
        self: &Arc<Queue>,
        class: Class,
        client: u64,
        threads: usize,
        cancel: Arc<Cancel>,
    ) -> ApiResult<Ticket> {
        let mut state = self.lock();
        if state.waiting.len() + state.running.len() >= self.most {
            return Err(ApiError::too_many(format!(
                "{} searches wait or run already: try again when some have ended",
                self.most
            )));
        }
        let number = state.next_ticket;
        state.next_ticket += 1;
        let (sender, place) = watch::channel(usize::MAX);
        let makes_room = Arc::new(AtomicBool::new(false));
        state.waiting.push(Entry {
            ticket: number,
            class,
            client,
            threads: threads.clamp(1, self.places),
            place: sender,
            begun: Instant::now(),
            cancel,
            makes_room: makes_room.clone(),
        });
        state.advance();
        Ok(Ticket { queue: self.clone(), number, place, makes_room })
    }

    /// Asks the search that has run longest to make room if others wait; to be called every now and then.
    pub fn make_room(&self) {
        let state = self.lock();
        let Some(next) = state.waiting.first() else { return };
        if state.running.iter().any(|entry| entry.makes_room.load(Ordering::SeqCst)) {
            return;
        }
        let slice = if next.class == Class::Game { self.slice.min(SHORTEST_SLICE) } else { self.slice };
        let running = state.running.iter().filter(|entry| entry.class == Class::Analysis);
        if let Some(oldest) = running.min_by_key(|entry| entry.begun)
            && oldest.begun.elapsed() >= slice
        {
            oldest.makes_room.store(true, Ordering::SeqCst);
            oldest.cancel.stop_running();
        }
    }

    /// How many searches run and how many wait.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.lock();
        (state.running.len(), state.waiting.len())
    }

    /// Ends every search.
    pub fn cancel_all(&self) {
        let state = self.lock();
        for entry in state.running.iter().chain(&state.waiting) {
            entry.cancel.cancel();
        }
    }

    fn leave(&self, number: u64) {
        let mut state = self.lock();
        state.waiting.retain(|entry| entry.ticket != number);
        if let Some(index) = state.running.iter().position(|entry| entry.ticket == number) {
            state.free += state.running.swap_remove(index).threads;
        }
        state.advance();
    }

    /// Nothing panics while it holds the lock, so what a poisoned one guards is sound.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Puts the line in order, lets those begin for whom there is room, and tells all others where they stand.
    fn advance(&mut self) {
        loop {
            self.sort();
            let has_room = self.waiting.first().is_some_and(|entry| entry.threads <= self.free);
            if !has_room {
                break;
            }
            let mut entry = self.waiting.remove(0);
            self.free -= entry.threads;
            entry.begun = Instant::now();
            entry.place.send_replace(0);
            self.running.push(entry);
        }
        for (index, entry) in self.waiting.iter().enumerate() {
            entry.place.send_if_modified(|place| std::mem::replace(place, index + 1) != index + 1);
        }
    }

    /// By class; then clients with fewer searches before them go first; then by who came first.
    fn sort(&mut self) {
        self.waiting.sort_by_key(|entry| entry.ticket);
        let ranks: Vec<usize> = (0..self.waiting.len())
            .map(|index| {
                let client = self.waiting[index].client;
                let before = self.running.iter().chain(&self.waiting[..index]);
                before.filter(|entry| entry.client == client).count()
            })
            .collect();
        let mut ranked: Vec<(usize, Entry)> = ranks.into_iter().zip(self.waiting.drain(..)).collect();
        ranked.sort_by_key(|(rank, entry)| (entry.class, *rank, entry.ticket));
        self.waiting.extend(ranked.into_iter().map(|(_, entry)| entry));
    }
}

impl Ticket {
    /// The place in line; 0 once the search may begin.
    pub fn place(&mut self) -> usize {
        *self.place.borrow_and_update()
    }

    /// Waits until the place in line is another one.
    pub async fn moved(&mut self) {
        // The line outlives its tickets, so the channel is open.
        drop(self.place.changed().await);
    }

    /// Waits until the search may begin.
    pub async fn begun(&mut self) {
        while self.place() != 0 {
            self.moved().await;
        }
    }

    /// Whether the search was asked to make room; for its own thread.
    pub fn room_asked(&self) -> Arc<AtomicBool> {
        self.makes_room.clone()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.queue.leave(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter(queue: &Arc<Queue>, class: Class, client: u64, threads: usize) -> Ticket {
        queue.enter(class, client, threads, Cancel::new()).expect("room")
    }

    #[test]
    fn clients_take_turns_and_games_go_first() {
        let queue = Queue::new(1, 10, Duration::from_secs(10));
        let mut first = enter(&queue, Class::Analysis, 1, 1);
        let mut second = enter(&queue, Class::Analysis, 1, 1);
        let mut third = enter(&queue, Class::Analysis, 1, 1);
        let mut other = enter(&queue, Class::Analysis, 2, 1);
        assert_eq!([&mut first, &mut second, &mut third, &mut other].map(Ticket::place), [0, 2, 3, 1]);
        let mut game = enter(&queue, Class::Game, 1, 1);
        assert_eq!([&mut game, &mut other, &mut second].map(Ticket::place), [1, 2, 3]);
        drop(first);
        assert_eq!([&mut game, &mut other, &mut second, &mut third].map(Ticket::place), [0, 1, 2, 3]);
        drop(other);
        drop(game);
        assert_eq!([&mut second, &mut third].map(Ticket::place), [0, 1]);
        assert_eq!(queue.counts(), (1, 1));
    }

    #[test]
    fn a_wide_search_waits_for_all_its_places() {
        let queue = Queue::new(2, 10, Duration::from_secs(10));
        let mut narrow = enter(&queue, Class::Analysis, 1, 1);
        let mut wide = enter(&queue, Class::Analysis, 2, 8);
        let mut later = enter(&queue, Class::Analysis, 3, 1);
        assert_eq!([&mut narrow, &mut wide, &mut later].map(Ticket::place), [0, 1, 2]);
        drop(narrow);
        assert_eq!([&mut wide, &mut later].map(Ticket::place), [0, 1]);
    }

    #[test]
    fn the_line_has_an_end_and_long_searches_make_room() {
        let queue = Queue::new(1, 2, Duration::ZERO);
        let running = enter(&queue, Class::Analysis, 1, 1);
        queue.make_room();
        assert!(!running.room_asked().load(Ordering::SeqCst), "nobody waits");
        let waiting = enter(&queue, Class::Analysis, 2, 1);
        assert!(queue.enter(Class::Game, 3, 1, Cancel::new()).is_err());
        queue.make_room();
        assert!(running.room_asked().load(Ordering::SeqCst));
        assert!(!waiting.room_asked().load(Ordering::SeqCst));
    }
}
