//! A fleet within the process.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{Depth, Digest, Expected, Fleet, FleetError, Lease, Line, Name, Pointer, Space};

/// The longest message: what a NATS server takes unless it is told otherwise, so that what works here works there.
const LONGEST_MESSAGE: usize = 1 << 20;

/// A home in memory, without threads of its own. Whoever wants to talk to others in it [enters](Local::enter) it.
#[derive(Clone)]
pub struct Local {
    name: Name,
    home: Arc<Home>,
}

#[derive(Default)]
struct Home {
    state: Mutex<State>,
    /// Something was published or given back.
    news: Condvar,
}

#[derive(Default)]
struct State {
    /// How long leases of a run last.
    runs: HashMap<Name, Duration>,
    /// By line and by age, which is what a lease is known by.
    messages: BTreeMap<(Line, u64), Message>,
    pointers: BTreeMap<(Space, Name), (Pointer, Instant)>,
    blobs: HashMap<Digest, Vec<u8>>,
    /// The last age and revision given out.
    last: u64,
}

struct Message {
    id: Name,
    from: Name,
    body: Vec<u8>,
    attempt: u64,
    is_leased: bool,
    /// Nobody gets it before.
    free_from: Instant,
}

impl Local {
    /// A new home, with somebody in it.
    pub fn new(name: Name) -> Local {
        Local { name, home: Arc::default() }
    }

    /// Somebody else in the same home.
    pub fn enter(&self, name: Name) -> Local {
        Local { name, home: self.home.clone() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is made at once: a panic elsewhere leaves nothing half done.
        self.home.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn line(&mut self, line: &Line) -> impl Iterator<Item = (&u64, &mut Message)> {
        let whole = (line.clone(), 0)..=(line.clone(), u64::MAX);
        self.messages.range_mut(whole).map(|((_, age), message)| (age, message))
    }

    fn expect_run(&self, line: &Line) -> Result<Duration, FleetError> {
        self.runs.get(line.run()).copied().ok_or_else(|| FleetError::NoRun(line.run().clone()))
    }

    /// The age of the message of a lease, unless it is gone or somebody else has it by now.
    fn age(&self, lease: &Lease) -> Option<u64> {
        let (age, attempt) = lease.receipt.split_once('/')?;
        let age = age.parse().ok()?;
        let message = self.messages.get(&(lease.line.clone(), age))?;
        (message.attempt.to_string() == attempt).then_some(age)
    }

    /// The message of a lease, likewise.
    fn leased(&mut self, lease: &Lease) -> Option<&mut Message> {
        let age = self.age(lease)?;
        self.messages.get_mut(&(lease.line.clone(), age))
    }

    fn take(&mut self, line: &Line, most: usize, now: Instant) -> Result<Vec<Lease>, FleetError> {
        let until = now + self.expect_run(line)?;
        let free = self.line(line).filter(|(_, message)| message.free_from <= now).take(most);
        let lease = |(age, message): (&u64, &mut Message)| {
            message.attempt += 1;
            (message.is_leased, message.free_from) = (true, until);
            Lease {
                line: line.clone(),
                id: message.id.clone(),
                from: message.from.clone(),
                attempt: message.attempt,
                body: message.body.clone(),
                receipt: format!("{age}/{}", message.attempt),
            }
        };
        Ok(free.map(lease).collect())
    }

    fn forget_old(&mut self, now: Instant) {
        let is_old = |set: Instant| now.duration_since(set) >= Space::TIME_TO_LIVE;
        self.pointers.retain(|(space, _), (_, set)| *space != Space::Workers || !is_old(*set));
    }
}

impl Fleet for Local {
    fn name(&self) -> &Name {
        &self.name
    }

    fn open_run(&self, run: &Name, lease: Duration) -> Result<(), FleetError> {
        self.state().runs.insert(run.clone(), lease);
        Ok(())
    }

    fn close_run(&self, run: &Name) -> Result<(), FleetError> {
        let mut state = self.state();
        state.runs.remove(run);
        state.messages.retain(|(line, _), _| line.run() != run);
        Ok(())
    }

    fn publish(&self, line: &Line, messages: &[(Name, Vec<u8>)]) -> Result<(), FleetError> {
        let mut state = self.state();
        state.expect_run(line)?;
        for (id, body) in messages {
            if body.len() > LONGEST_MESSAGE {
                return Err(FleetError::TooLong { bytes: body.len(), most: LONGEST_MESSAGE });
            }
            if state.line(line).any(|(_, message)| message.id == *id && message.from == self.name) {
                continue;
            }
            let message = Message {
                id: id.clone(),
                from: self.name.clone(),
                body: body.clone(),
                attempt: 0,
                is_leased: false,
                free_from: Instant::now(),
            };
            let age = state.next();
            state.messages.insert((line.clone(), age), message);
        }
        self.home.news.notify_all();
        Ok(())
    }

    fn lease(&self, line: &Line, most: usize, wait: Duration) -> Result<Vec<Lease>, FleetError> {
        let begun = Instant::now();
        let mut state = self.state();
        loop {
            let now = Instant::now();
            let leases = state.take(line, most, now)?;
            let left = wait.saturating_sub(now - begun);
            if !leases.is_empty() || left.is_zero() || most == 0 {
                return Ok(leases);
            }
            // The next lease that runs out is news, too.
            let next = state.line(line).map(|(_, message)| message.free_from.saturating_duration_since(now));
            let pause = next.min().unwrap_or(left).min(left);
            let waited = self.home.news.wait_timeout(state, pause);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn keep_alive(&self, lease: &Lease) -> Result<(), FleetError> {
        let mut state = self.state();
        let time = state.expect_run(&lease.line)?;
        if let Some(message) = state.leased(lease) {
            message.free_from = Instant::now() + time;
        }
        Ok(())
    }

    fn acknowledge(&self, lease: &Lease) -> Result<(), FleetError> {
        let mut state = self.state();
        if let Some(age) = state.age(lease) {
            state.messages.remove(&(lease.line.clone(), age));
        }
        Ok(())
    }

    fn give_back(&self, lease: &Lease, after: Duration) -> Result<(), FleetError> {
        let mut state = self.state();
        if let Some(message) = state.leased(lease) {
            (message.is_leased, message.free_from) = (false, Instant::now() + after);
        }
        self.home.news.notify_all();
        Ok(())
    }

    fn depth(&self, line: &Line) -> Result<Depth, FleetError> {
        let (mut state, now) = (self.state(), Instant::now());
        state.expect_run(line)?;
        let mut depth = Depth::default();
        for (_, message) in state.line(line) {
            match message.is_leased && message.free_from > now {
                true => depth.leased += 1,
                false => depth.waiting += 1,
            }
        }
        Ok(depth)
    }

    fn put_blob(&self, content: &[u8]) -> Result<Digest, FleetError> {
        let digest = Digest::of(content);
        self.state().blobs.insert(digest, content.to_vec());
        Ok(digest)
    }

    fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, FleetError> {
        Ok(self.state().blobs.get(digest).cloned())
    }

    fn pointer(&self, space: Space, name: &Name) -> Result<Option<Pointer>, FleetError> {
        let mut state = self.state();
        state.forget_old(Instant::now());
        Ok(state.pointers.get(&(space, name.clone())).map(|(pointer, _)| pointer.clone()))
    }

    fn pointers(&self, space: Space) -> Result<Vec<(Name, Pointer)>, FleetError> {
        let mut state = self.state();
        state.forget_old(Instant::now());
        let of_space = state.pointers.iter().filter(|((other, _), _)| *other == space);
        Ok(of_space.map(|((_, name), (pointer, _))| (name.clone(), pointer.clone())).collect())
    }

    fn set_pointer(
        &self,
        space: Space,
        name: &Name,
        value: &[u8],
        expected: Expected,
    ) -> Result<u64, FleetError> {
        let mut state = self.state();
        let now = Instant::now();
        state.forget_old(now);
        let key = (space, name.clone());
        let found = state.pointers.get(&key).map(|(pointer, _)| pointer.revision);
        let is_expected = match expected {
            Expected::Anything => true,
            Expected::Nothing => found.is_none(),
            Expected::Revision(revision) => found == Some(revision),
        };
        if !is_expected {
            return Err(FleetError::Changed(name.clone()));
        }
        let revision = state.next();
        state.pointers.insert(key, (Pointer { value: value.to_vec(), revision }, now));
        Ok(revision)
    }

    fn remove_pointer(&self, space: Space, name: &Name) -> Result<(), FleetError> {
        self.state().pointers.remove(&(space, name.clone()));
        Ok(())
    }
}
