//! What a server is told before it begins.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use outplay_engine::Catalogue;
use outplay_lab::PlayerSpec;

/// The port that a server listens on unless told otherwise.
pub const DEFAULT_PORT: u16 = 8088;

/// Which games there are, where to listen, where data is kept, and how much is allowed.
#[derive(Clone, Debug)]
pub struct Config {
    /// The games.
    pub games: Catalogue,
    /// Where to listen.
    pub address: SocketAddr,
    /// Whether the ports after that of `address` are tried if it is taken.
    pub try_next_ports: bool,
    /// What clients have to know; required unless the address is a loopback one.
    pub token: Option<String>,
    /// The folder of the store; made if it is not there.
    pub data: PathBuf,
    /// Where runs of learning are looked for besides `runs` in the data folder: folders of runs, or of one.
    pub runs: Vec<PathBuf>,
    /// Opening books for the explorer, besides those in `books` in the data folder.
    pub books: Vec<PathBuf>,
    /// Programs of other people that can be played against and asked; on a server for its owner alone.
    pub programs: Vec<PlayerSpec>,
    /// How much is allowed.
    pub limits: Limits,
}

impl Config {
    /// A server of our own games for this machine alone.
    pub fn local(data: PathBuf) -> Config {
        Config {
            games: Catalogue::standard(),
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), DEFAULT_PORT),
            try_next_ports: true,
            token: None,
            data,
            runs: Vec::new(),
            books: Vec::new(),
            programs: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Whether nobody but the owner of this machine comes in: other machines cannot, and no token says that others are expected.
    pub fn is_for_owner(&self) -> bool {
        self.address.ip().is_loopback() && self.token.is_none()
    }
}

/// How much clients may ask for.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request's body, and of a message on a socket.
    pub body_bytes: usize,
    /// Searches of one client that wait or run.
    pub searches_per_client: usize,
    /// Searches of all clients that wait or run.
    pub searches: usize,
    /// Sockets that are open at a time.
    pub sockets: usize,
    /// Connections that are open at a time, the sockets among them.
    pub connections: usize,
    /// How long a client may take to say what it wants, and how long it may be silent in the middle of it.
    pub patience: Duration,
    /// How long a search may run.
    pub search_time: Duration,
    /// Mebibytes of memory for the table or the tree of a search.
    pub table_mebibytes: i64,
    /// Mebibytes that analyses of one client hold on to while they wait for their next turn.
    pub waiting_mebibytes_per_client: i64,
    /// The same for all clients together.
    pub waiting_mebibytes: i64,
    /// Threads that search at the same time.
    pub cores: usize,
    /// Games that are kept.
    pub games: usize,
    /// Studies that are kept.
    pub studies: usize,
    /// Files of games that are kept for the explorer.
    pub files: usize,
    /// Bytes of such a file.
    pub file_bytes: usize,
    /// Programs of other people that are kept, and that run at a time.
    pub programs: usize,
    /// How long such a program waits for its next question before it is ended.
    pub program_rest: Duration,
    /// Moves of a game.
    pub moves: usize,
    /// How long a search runs before it makes room for others that wait.
    pub slice: Duration,
    /// The rest between two moves of a game of engines, so that people can follow it.
    pub rest_between_engines: Duration,
    /// Whether levels that play like people seem to think for a moment.
    pub natural_pauses: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 1 << 20,
            searches_per_client: 64,
            searches: 512,
            sockets: 512,
            connections: 1024,
            patience: Duration::from_secs(20),
            search_time: Duration::from_secs(600),
            table_mebibytes: 256,
            waiting_mebibytes_per_client: 512,
            waiting_mebibytes: 2048,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            games: 1000,
            studies: 1000,
            files: 32,
            file_bytes: 8 << 20,
            programs: 32,
            program_rest: Duration::from_secs(120),
            moves: 2000,
            slice: Duration::from_secs(10),
            rest_between_engines: Duration::from_millis(250),
            natural_pauses: true,
        }
    }
}
