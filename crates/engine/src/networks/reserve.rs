//! A device that may fail, and something to go on with when it does.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use outplay_net::{Backend, Description, NetError, Outputs, Runner};

use super::evaluator::are_finite;

/// A backend with another in reserve. After the first error of the device nobody asks it any more: what it was to evaluate, and all that comes after, the
/// reserve does.
pub struct WithReserve {
    first: Arc<dyn Backend>,
    make: Box<MakeReserve>,
    /// Made when the first fails.
    reserve: OnceLock<Result<Arc<dyn Backend>, NetError>>,
    /// Why, until somebody was told.
    notice: Mutex<Option<String>>,
}

/// Makes the backend to go on with.
pub type MakeReserve = dyn Fn() -> Result<Arc<dyn Backend>, NetError> + Send + Sync;

impl WithReserve {
    /// Goes on with what `make` makes when the first has failed.
    pub fn new(first: Arc<dyn Backend>, make: Box<MakeReserve>) -> WithReserve {
        WithReserve { first, make, reserve: OnceLock::new(), notice: Mutex::new(None) }
    }

    /// The reserve, from now on.
    fn retreat(&self, error: &NetError) -> Result<&dyn Backend, NetError> {
        let reserve = self.reserve.get_or_init(|| {
            let reserve = (self.make)();
            if let Ok(reserve) = &reserve {
                let notice = format!("{error}; it goes on with the {}", reserve.name());
                *self.notice.lock().unwrap_or_else(PoisonError::into_inner) = Some(notice);
            }
            reserve
        });
        reserve.as_ref().map(|backend| &**backend).map_err(NetError::clone)
    }

    /// Who evaluates now.
    fn current(&self) -> &dyn Backend {
        match self.reserve.get() {
            Some(Ok(reserve)) => &**reserve,
            _ => &*self.first,
        }
    }
}

impl Backend for WithReserve {
    fn description(&self) -> &Description {
        self.first.description()
    }

    fn name(&self) -> String {
        self.current().name()
    }

    fn batch_size(&self) -> usize {
        self.current().batch_size()
    }

    fn serving_threads(&self) -> Option<usize> {
        self.current().serving_threads()
    }

    fn take_notice(&self) -> Option<String> {
        self.notice.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(RunnerWithReserve {
            backend: self,
            first: self.first.begin(),
            reserve: None,
            under_way: VecDeque::new(),
            free: Vec::new(),
        })
    }
}

struct RunnerWithReserve<'b> {
    backend: &'b WithReserve,
    first: Box<dyn Runner + 'b>,
    reserve: Option<Box<dyn Runner + 'b>>,
    /// Batches that were submitted and not collected yet, the first one first.
    under_way: VecDeque<UnderWay>,
    /// Copies that are used again.
    free: Vec<Vec<u64>>,
}

/// A batch that was submitted.
enum UnderWay {
    /// On the device: its positions one after the other, should they be needed again, and how many there are.
    OnDevice { words: Vec<u64>, positions: usize },
    /// Evaluated by the reserve.
    Done,
}

impl<'b> RunnerWithReserve<'b> {
    /// Whether the device has failed, whoever noticed.
    fn has_failed(&self) -> bool {
        self.backend.reserve.get().is_some()
    }

    /// Runs a batch by the reserve.
    fn run_by_reserve(
        &mut self,
        error: &NetError,
        positions: &[&[u64]],
        outputs: &mut Outputs,
    ) -> Result<(), NetError> {
        let backend = self.backend.retreat(error)?;
        self.reserve.get_or_insert_with(|| backend.begin()).run(positions, outputs)
    }

    /// What the reserve is made for, where it is made already.
    fn known() -> NetError {
        NetError::Device("the device has failed before".to_string())
    }
}

/// An error unless all outputs are numbers: the half precision of a GPU does not suffice for every network that the processor runs.
fn check(outputs: &Outputs) -> Result<(), NetError> {
    match are_finite(outputs) {
        true => Ok(()),
        false => Err(NetError::Device("its outputs are not all finite numbers".to_string())),
    }
}

impl Runner for RunnerWithReserve<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        if self.has_failed() {
            return self.run_by_reserve(&RunnerWithReserve::known(), positions, outputs);
        }
        match self.first.run(positions, outputs).and_then(|()| check(outputs)) {
            Err(error @ NetError::Device(_)) => self.run_by_reserve(&error, positions, outputs),
            other => other,
        }
    }

    fn most_in_flight(&self) -> usize {
        self.first.most_in_flight()
    }

    fn submit(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        if !self.has_failed() {
            match self.first.submit(positions, outputs) {
                Ok(()) => {
                    let mut words = self.free.pop().unwrap_or_default();
                    words.clear();
                    positions.iter().for_each(|position| words.extend_from_slice(position));
                    self.under_way.push_back(UnderWay::OnDevice { words, positions: positions.len() });
                    return Ok(());
                }
                Err(error @ NetError::Device(_)) => self.run_by_reserve(&error, positions, outputs)?,
                Err(error) => return Err(error),
            }
        } else {
            self.run_by_reserve(&RunnerWithReserve::known(), positions, outputs)?;
        }
        self.under_way.push_back(UnderWay::Done);
        Ok(())
    }

    fn collect(&mut self, outputs: &mut Outputs) -> Result<(), NetError> {
        let (words, positions) = match self.under_way.pop_front() {
            Some(UnderWay::OnDevice { words, positions }) => (words, positions),
            Some(UnderWay::Done) => return Ok(()),
            None => return Err(NetError::Device("no batch is under way".to_string())),
        };
        let collected = match self.first.collect(outputs).and_then(|()| check(outputs)) {
            Err(error @ NetError::Device(_)) => {
                let each = words.len().checked_div(positions).unwrap_or(0).max(1);
                let again: Vec<&[u64]> = words.chunks(each).collect();
                self.run_by_reserve(&error, &again, outputs)
            }
            other => other,
        };
        self.free.push(words);
        collected
    }
}
