//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::explorer::Explorer;
use crate::games::Games;
use crate::memory::Memory;
use crate::networks::Asked;
use crate::programs::Programs;
use crate::queue::Queue;
use crate::store::Store;

/// The server's state.
pub struct App {
    /// What it was told.
    pub config: Config,
    /// What survives.
    pub store: Arc<Store>,
    /// The line of the searches.
    pub queue: Arc<Queue>,
    /// What searches hold on to while they wait.
    pub memory: Arc<Memory>,
    /// The games.
    pub games: Arc<Games>,
    /// What was played from a position before.
    pub explorer: Explorer,
    /// Programs of other people.
    pub programs: Arc<Programs>,
    /// The networks that were asked last.
    pub asked: Asked,
    sockets: Arc<AtomicUsize>,
    clients: AtomicU64,
    ending: watch::Sender<bool>,
}

/// A socket that is open; it counts until this is dropped.
pub struct SocketPlace(Arc<AtomicUsize>);

impl Drop for SocketPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl App {
    /// The state of a server that begins.
    pub fn new(config: Config, store: Store) -> ApiResult<Arc<App>> {
        let store = Arc::new(store);
        let queue = Queue::new(config.limits.cores, config.limits.searches, config.limits.slice);
        let memory = Memory::new(config.limits.waiting_mebibytes_per_client, config.limits.waiting_mebibytes);
        let programs = Programs::new(&config, store.clone())?;
        let games = Games::new(&config, store.clone(), queue.clone(), programs.clone());
        Ok(Arc::new(App {
            config,
            store,
            queue,
            memory,
            games,
            explorer: Explorer::default(),
            programs,
            asked: Asked::default(),
            sockets: Arc::default(),
            // 0 stands for the engines of games.
            clients: AtomicU64::new(1),
            ending: watch::Sender::new(false),
        }))
    }

    /// A number for a new client.
    pub fn next_client(&self) -> u64 {
        self.clients.fetch_add(1, Ordering::SeqCst)
    }

    /// Room for another socket.
    pub fn socket_place(&self) -> ApiResult<SocketPlace> {
        let place = SocketPlace(self.sockets.clone());
        if self.sockets.fetch_add(1, Ordering::SeqCst) >= self.config.limits.sockets {
            return Err(ApiError::too_many("too many pages are open: close some"));
        }
        Ok(place)
    }

    /// Tells everything that waits that the server ends.
    pub fn end(&self) {
        self.ending.send_replace(true);
        self.queue.cancel_all();
        self.programs.stop();
    }

    /// Becomes true when the server ends.
    pub fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }
}
