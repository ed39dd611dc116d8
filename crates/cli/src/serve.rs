//! `outplay serve`

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use outplay_engine::Catalogue;
use outplay_lab::book::OpenBook;
use outplay_lab::{PlayerKind, PlayerSpec};
use outplay_server::{Config, DEFAULT_PORT, Limits, Server, ServerError};

use crate::{Failure, data};

/// The variable that may hold the token, where others can see the command line.
const TOKEN_VARIABLE: &str = "OUTPLAY_TOKEN";

/// Open the board in a browser: play, analyse, watch the search think.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay serve                                          then open the address that it prints
  outplay                                                the same
  outplay serve --address 127.0.0.1:9000 --data games
  outplay serve --runs my-runs                           shows how networks learn there, beside those in the data folder
  outplay serve --book othello.book                      shows what the book says in the opening explorer
  outplay serve --program cmd=stockfish --program engines.toml   with programs of other people to play against and to ask
  OUTPLAY_TOKEN=a-long-secret outplay serve --address 0.0.0.0:8088

Games and studies are kept in the data folder: $XDG_DATA_HOME/outplay or ~/.local/share/outplay by default. The server listens to this
machine alone; on any other address it wants a token, which the page is opened with once: http://ADDRESS/?token=TOKEN.
On a server for this machine alone the page can add programs that are installed here (UCI, xboard, GTP, Gomocup and others); it asks for
the code that the server prints, so that nobody else who can reach it makes this machine run something. Ctrl-C ends it; whatever was played is kept, however it ends.")]
pub struct Args {
    /// Where to listen: ADDRESS:PORT, or an address alone [default: 127.0.0.1:8088, or the next free port].
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    address: Option<SocketAddr>,
    /// What clients have to know, 12 letters at least; required where other machines can come in (also as OUTPLAY_TOKEN).
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// The folder in which games and studies are kept.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// A folder of a run of `outplay learn`, or one with several, to be shown on the page; may be given several times. Those in `runs` in the data folder are shown anyway.
    #[arg(long, value_name = "FOLDER")]
    runs: Vec<PathBuf>,
    /// An opening book, ours or in the Polyglot format, for the opening explorer; may be given several times. Those in `books` in the data folder are asked anyway.
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// A program of somebody else's, as `outplay match` has players: its settings, or a TOML file with one or several; may be given several times.
    #[arg(long, value_name = "PROGRAM")]
    program: Vec<String>,
    /// Threads that search at the same time; all cores by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores: Option<u16>,
    /// The longest time of a search, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().search_time.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    search_time: u64,
    /// The largest table or tree of a search, in mebibytes.
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().table_mebibytes, value_parser = clap::value_parser!(i64).range(16..=1_048_576))]
    table_memory: i64,
    /// The tables that analyses of one client hold on to while they wait for their next turn, in mebibytes; two of the largest by default.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(i64).range(0..=1_048_576))]
    waiting_memory_per_client: Option<i64>,
    /// The same for all clients together; eight of the largest by default.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(i64).range(0..=1_048_576))]
    waiting_memory: Option<i64>,
    /// Searches of all clients that wait or run.
    #[arg(long, value_name = "N", default_value_t = Limits::default().searches as u32, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    searches: u32,
    /// Searches of one client that wait or run.
    #[arg(long, value_name = "N", default_value_t = Limits::default().searches_per_client as u32, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    searches_per_client: u32,
    /// Games that are kept.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games as u32, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Studies that are kept.
    #[arg(long, value_name = "N", default_value_t = Limits::default().studies as u32, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    studies: u32,
    /// Weak levels answer at once; usually they seem to think for a second, as people do.
    #[arg(long)]
    no_pauses: bool,
}

impl Args {
    /// What stands for a command line without any.
    pub fn usual() -> Args {
        let limits = Limits::default();
        Args {
            address: None,
            token: None,
            data: None,
            runs: Vec::new(),
            book: Vec::new(),
            program: Vec::new(),
            cores: None,
            search_time: limits.search_time.as_secs(),
            table_memory: limits.table_mebibytes,
            waiting_memory_per_client: None,
            waiting_memory: None,
            searches: limits.searches as u32,
            searches_per_client: limits.searches_per_client as u32,
            games: limits.games as u32,
            studies: limits.studies as u32,
            no_pauses: false,
        }
    }
}

/// Reads `127.0.0.1:8088`, or an address without a port.
fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let alone = || text.parse().map(|address: IpAddr| SocketAddr::new(address, DEFAULT_PORT));
    let address = text.replace("localhost", "127.0.0.1").parse().or_else(|_| alone());
    address.map_err(|_| "expected an address and a port, as in 127.0.0.1:8088 or [::1]:8088".to_string())
}

/// The programs that the command line names.
fn read_programs(texts: &[String]) -> Result<Vec<PlayerSpec>, Failure> {
    let mut programs = Vec::new();
    for text in texts {
        for spec in PlayerSpec::read(text).map_err(Failure::usage)? {
            if !matches!(spec.kind, PlayerKind::External { .. }) {
                let name = spec.label();
                return Err(Failure::usage(anyhow!(
                    "{name} is no program: expected cmd=NAME, as in cmd=stockfish"
                )));
            }
            programs.push(spec);
        }
    }
    Ok(programs)
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = match &args.data {
        Some(folder) => folder.clone(),
        None => data::default_folder().ok_or_else(|| {
            Failure::usage(anyhow!("there is no home folder to keep games in: choose a folder with --data"))
        })?,
    };
    outplay_engine::look_for_networks_in(data::network_folders(Some(folder.clone())));
    let mut config = Config::local(folder);
    config.games = games.clone();
    config.runs = args.runs.clone();
    for file in &args.book {
        OpenBook::open(file).map_err(|error| Failure::usage(anyhow!("{} {error}", file.display())))?;
    }
    config.books = args.book.clone();
    config.programs = read_programs(&args.program)?;
    if let Some(address) = args.address {
        (config.address, config.try_next_ports) = (address, false);
    }
    config.token = args.token.clone().or_else(|| std::env::var(TOKEN_VARIABLE).ok());
    config.limits = Limits {
        cores: args.cores.map_or(config.limits.cores, usize::from),
        search_time: Duration::from_secs(args.search_time),
        table_mebibytes: args.table_memory,
        waiting_mebibytes_per_client: args.waiting_memory_per_client.unwrap_or(2 * args.table_memory),
        waiting_mebibytes: args.waiting_memory.unwrap_or(8 * args.table_memory),
        searches: args.searches as usize,
        searches_per_client: args.searches_per_client as usize,
        games: args.games as usize,
        studies: args.studies as usize,
        natural_pauses: !args.no_pauses,
        ..config.limits
    };
    let needs_token = config.token.is_some();
    let server = Server::bind(config).map_err(|error| match error {
        ServerError::TokenRequired(_) | ServerError::BadToken(_) | ServerError::ProgramsForStrangers => {
            Failure::usage(error)
        }
        error => Failure::Failed(error.into()),
    })?;
    let stopper = server.stopper();
    // Where the system refuses, Ctrl-C ends the program as it always does; nothing is lost by that.
    drop(ctrlc::set_handler(move || stopper.stop()));
    let hint = if needs_token { "/?token=TOKEN" } else { "" };
    writeln!(out, "Outplay is at http://{}{hint} (Ctrl-C ends it)", server.address())?;
    if let Some(code) = server.code() {
        writeln!(out, "To add programs of other people there: code {code}")?;
    }
    out.flush()?;
    server.run().map_err(|error| Failure::Failed(error.into()))
}
