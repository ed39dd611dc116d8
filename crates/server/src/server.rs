//! The server as a whole: where it listens, how it begins and how it ends.

use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use crate::app::App;
use crate::config::Config;
use crate::connections;
use crate::guard::token_fault;
use crate::routes;
use crate::store::{Store, StoreError};

/// Ports that are tried after the first.
const MORE_PORTS: u16 = 50;
/// How long requests have to end when the server does.
const GRACE: Duration = Duration::from_secs(2);
/// How often searches are asked to make room for others.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
/// Room for reading and writing games of any length.
const STACK: usize = 16 << 20;
/// Threads for work that takes time, beside those that hold searches. Few, because the memory of each stays with it.
const MOST_THREADS: usize = 16;

/// Why a server cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Other machines could come in.
    #[error("{0} can be reached from other machines: give a --token that clients have to know")]
    TokenRequired(SocketAddr),
    /// Other people could make programs of this machine run.
    #[error(
        "programs run for the owner of this machine alone: listen on a loopback address and without a token, or leave --program out"
    )]
    ProgramsForStrangers,
    /// A token that cannot be used.
    #[error("{0}")]
    BadToken(&'static str),
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}: {error}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The data folder cannot be used.
    #[error("cannot use the data folder {}: {error}", folder.display())]
    Store {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        error: StoreError,
    },
    /// The system gives no threads, or something like that.
    #[error("cannot begin: {0}")]
    System(#[from] io::Error),
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    listener: StdListener,
    address: SocketAddr,
    app: Arc<App>,
    stop: watch::Sender<bool>,
}

/// Ends a server, from any thread.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Ends it.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Opens the store and begins to listen; requests wait until [`Server::run`].
    pub fn bind(config: Config) -> Result<Server, ServerError> {
        match &config.token {
            None if !config.address.ip().is_loopback() => {
                return Err(ServerError::TokenRequired(config.address));
            }
            None => {}
            Some(token) => token_fault(token).map_or(Ok(()), |fault| Err(ServerError::BadToken(fault)))?,
        }
        if !config.programs.is_empty() && !config.is_for_owner() {
            return Err(ServerError::ProgramsForStrangers);
        }
        let listener = listen(&config)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let store = Store::open(&config.data)
            .map_err(|error| ServerError::Store { folder: config.data.clone(), error })?;
        let runtime = Builder::new_multi_thread()
            .enable_io()
            .enable_time()
            .worker_threads(config.limits.cores.clamp(2, 8))
            .max_blocking_threads(MOST_THREADS + config.limits.cores)
            .thread_stack_size(STACK)
            .thread_name("server")
            .build()?;
        Ok(Server {
            runtime,
            listener,
            address,
            app: App::new(config, store).map_err(|error| io::Error::other(error.message))?,
            stop: watch::Sender::new(false),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What its owner has to know who adds programs on the page; nothing where none can be added.
    pub fn code(&self) -> Option<&str> {
        self.app.programs.code()
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Answers until it is stopped.
    pub fn run(self) -> Result<(), ServerError> {
        let Server { runtime, listener, app, stop, .. } = self;
        let programs = app.programs.clone();
        let result = runtime.block_on(async {
            let listener = TcpListener::from_std(listener)?;
            let mut stopped = stop.subscribe();
            let ending = app.clone();
            let shutdown = async move {
                // The sender is ours: it cannot be gone.
                drop(stopped.wait_for(|is_stopped| *is_stopped).await);
                ending.end();
            };
            let room_maker = tokio::spawn(make_room(app.clone()));
            let sweeper = tokio::spawn(end_idle_programs(app.clone()));
            let serving = connections::serve(listener, routes::router(&app), &app.config.limits, shutdown);
            let mut ended = app.ending();
            tokio::select! {
                () = serving => {}
                () = async {
                    drop(ended.wait_for(|is_ending| *is_ending).await);
                    tokio::time::sleep(GRACE).await;
                } => {}
            }
            room_maker.abort();
            sweeper.abort();
            Ok(())
        });
        runtime.shutdown_timeout(GRACE);
        programs.end_all();
        result
    }
}

async fn make_room(app: Arc<App>) {
    let mut looks = tokio::time::interval(BETWEEN_LOOKS);
    loop {
        looks.tick().await;
        app.queue.make_room();
    }
}

async fn end_idle_programs(app: Arc<App>) {
    let mut looks = tokio::time::interval(BETWEEN_LOOKS);
    loop {
        looks.tick().await;
        let programs = app.programs.clone();
        // They may take their time to say farewell.
        drop(tokio::task::spawn_blocking(move || programs.end_idle()).await);
    }
}

/// Listens on the address, or on one of the next ports if it is taken and that is allowed.
fn listen(config: &Config) -> Result<StdListener, ServerError> {
    let first = config.address.port();
    let last = if config.try_next_ports { first.saturating_add(MORE_PORTS) } else { first };
    let mut result = StdListener::bind(config.address);
    for port in first..last {
        match &result {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                result = StdListener::bind(SocketAddr::new(config.address.ip(), port + 1));
            }
            _ => break,
        }
    }
    result.map_err(|error| ServerError::Address { address: config.address, error })
}
