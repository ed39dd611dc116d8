//! Networks that are open: each once in the process, however many sessions use it.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use outplay_core::{Game, mix};
use outplay_net::{Backend, Mapping, NetError, Opened, open_network};
use outplay_search::mcts::{LeafEvaluator, StandingService};

use super::device::{NetworkDevice, backend};
use super::options::NetworkArithmetic;
use super::shipped::Place;

/// A network that is ready to be run, with the services that evaluate leaves by it.
pub struct OpenNetwork {
    /// What runs it.
    pub backend: Arc<dyn Backend>,
    /// A hash of what is in the file.
    pub hash: u64,
    services: Mutex<HashMap<ServiceKey, Weak<dyn Any + Send + Sync>>>,
}

/// Leaves of one game that are shown to the network in one way.
type ServiceKey = (TypeId, u64);

/// What is open; what nobody uses any more is closed, and forgotten when something else is opened.
static OPEN: Mutex<Option<HashMap<Key, Weak<OpenNetwork>>>> = Mutex::new(None);

/// A network, and how it is run.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    source: Source,
    arithmetic: &'static str,
    device: NetworkDevice,
}

/// A file as it was, or a network in the program.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Source {
    File { path: PathBuf, written: Option<SystemTime>, bytes: u64 },
    Program(&'static str),
}

impl Source {
    fn of(place: &Place) -> io::Result<Source> {
        Ok(match place {
            Place::File(path) => {
                let metadata = std::fs::metadata(path)?;
                let (written, bytes) = (metadata.modified().ok(), metadata.len());
                Source::File { path: path.canonicalize()?, written, bytes }
            }
            Place::Program(shipped) => Source::Program(shipped.name),
        })
    }
}

impl OpenNetwork {
    /// The network in a place. It is read once: whoever asks for it while somebody else has it open, and its file has not been written since, gets the
    /// same.
    ///
    /// # Errors
    /// If the file is not there, or is no network that can be run on the device.
    pub fn open(
        place: &Place,
        arithmetic: NetworkArithmetic,
        device: NetworkDevice,
    ) -> Result<Arc<OpenNetwork>, NetError> {
        let failed = |error: io::Error| NetError::File(format!("{place}: {error}"));
        let source = Source::of(place).map_err(failed)?;
        let key = Key { source, arithmetic: arithmetic.word(), device };
        // Held while a file is read, so that nobody reads it twice.
        let mut guard = unpoisoned(&OPEN);
        let open = guard.get_or_insert_default();
        if let Some(network) = open.get(&key).and_then(Weak::upgrade) {
            return Ok(network);
        }
        let backend = backend(place.open()?, arithmetic, device)?;
        let hash = content_hash(&place.bytes().map_err(failed)?);
        let network = OpenNetwork { backend, hash, services: Mutex::default() };
        let network = Arc::new(network);
        open.retain(|_, network| network.strong_count() > 0);
        open.insert(key, Arc::downgrade(&network));
        Ok(network)
    }

    /// The service of this network for a game whose leaves are shown in the way that `shown` is a number of: the one that others use, or a new one.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub(super) fn service<G: Game, E: LeafEvaluator<G> + 'static>(
        &self,
        shown: u64,
        evaluator: impl FnOnce() -> E,
    ) -> io::Result<Arc<StandingService<G>>> {
        let mut services = unpoisoned(&self.services);
        let key = (TypeId::of::<G>(), shown);
        let running = services.get(&key).and_then(Weak::upgrade).and_then(|any| any.downcast().ok());
        if let Some(service) =
            running.filter(|service: &Arc<StandingService<G>>| !service.service().is_broken())
        {
            return Ok(service);
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.backend.serving_threads().unwrap_or_else(cores);
        let service = Arc::new(StandingService::start(evaluator(), threads, 0)?);
        let any: Arc<dyn Any + Send + Sync> = service.clone();
        services.insert(key, Arc::downgrade(&any));
        Ok(service)
    }
}

/// Opens a network file of any kind. What an ONNX model of somebody else means is said by a file of the same name that ends with `.json`.
///
/// # Errors
/// If the file is no network, or the mapping makes no sense.
pub fn open_with_mapping(path: &Path) -> Result<Opened, NetError> {
    let beside = path.with_extension("json");
    let mapping = match std::fs::read_to_string(&beside) {
        Ok(text) => {
            let named = |error| NetError::File(format!("{}: {error}", beside.display()));
            Some(Mapping::from_json(&text).map_err(named)?)
        }
        Err(_) => None,
    };
    open_network(path, mapping.as_ref())
}

/// A hash of the bytes of a file, the same everywhere.
pub fn content_hash(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| mix(hash ^ word(chunk)))
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
