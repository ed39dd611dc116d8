//! What machines say to each other: values, packed into bytes. Whatever comes in is taken for what it is, a stranger's bytes.

use std::io::{Read, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use outplay_engine::Catalogue;
use outplay_lab::{
    Ending, Entrant, GameRules, Opening, PairTask, PlayedPair, PlayerKind, PlayerSpec, TimeControl,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Digest, Name};

/// Raised when what is said here changes its meaning. Machines with another number have nothing to say to each other.
pub const PROTOCOL: u32 = 1;

/// The longest that a message may be when it is unpacked.
const LONGEST_UNPACKED: u64 = 16 << 20;

/// What everybody can read of a run: what it is, and who may take part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunCard {
    /// The [`PROTOCOL`] of whoever has put it out.
    pub protocol: u32,
    /// Its build.
    pub build: String,
    /// Whether other builds may take part.
    pub any_build: bool,
    /// What it is, in words.
    pub what: String,
    /// The game.
    pub game: String,
    /// Programs that a machine must have.
    pub programs: Vec<String>,
    /// The memory that a pair of games takes, in MiB.
    pub memory: u64,
    /// How long a lease lasts, in milliseconds.
    pub lease: u64,
    /// Seconds since 1970 when it was first begun.
    pub since: u64,
    /// A number that the command that has put it out has drawn, by which it knows its own card.
    #[serde(default)]
    pub life: u64,
    /// Who has put it out.
    pub from: Name,
    /// Pairs that came back, this time.
    pub done: u64,
    /// Pairs that are out.
    pub out: u64,
}

impl RunCard {
    /// The time of a lease.
    pub fn lease(&self) -> Duration {
        Duration::from_millis(self.lease.clamp(1000, 24 * 3600 * 1000))
    }
}

/// A pair of games to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The [`PROTOCOL`].
    pub protocol: u32,
    /// The build that has put it out.
    pub build: String,
    index: usize,
    game: String,
    players: [WirePlayer; 2],
    opening: Opening,
    rules: GameRules,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePlayer {
    name: String,
    given_name: Option<String>,
    kind: WireKind,
    control: TimeControl,
}

/// Who can be asked for from afar: no commands among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum WireKind {
    Own(Vec<(String, String)>),
    Perfect,
    Program(String),
}

impl Job {
    /// The job of playing a pair; or in words why nobody far away can be asked for it.
    pub fn of(task: &PairTask, build: &str) -> Result<Job, String> {
        let [a, b] = &task.entrants;
        Ok(Job {
            protocol: PROTOCOL,
            build: build.to_string(),
            index: task.index,
            game: task.game.to_string(),
            players: [WirePlayer::of(a)?, WirePlayer::of(b)?],
            opening: task.opening.clone(),
            rules: task.rules.clone(),
        })
    }

    /// The task that was meant.
    pub fn task(self, games: &Catalogue) -> Result<PairTask, String> {
        let [a, b] = self.players;
        Ok(PairTask {
            index: self.index,
            game: games.find(&self.game).map_err(|error| error.to_string())?,
            entrants: [a.entrant(), b.entrant()],
            opening: self.opening,
            rules: self.rules,
        })
    }
}

impl WirePlayer {
    fn of(entrant: &Entrant) -> Result<WirePlayer, String> {
        let kind = match &entrant.spec.kind {
            PlayerKind::Own { options } => WireKind::Own(options.clone()),
            PlayerKind::Perfect => WireKind::Perfect,
            PlayerKind::Program { name } => WireKind::Program(name.clone()),
            PlayerKind::External { command, .. } => {
                return Err(format!(
                    "no command is sent to other machines: give program=NAME instead of cmd={}, and start the workers with --programs FILE, \
                     in which NAME has its command",
                    command.program
                ));
            }
        };
        let (name, given_name) = (entrant.name.clone(), entrant.spec.name.clone());
        Ok(WirePlayer { name, given_name, kind, control: entrant.control.clone() })
    }

    fn entrant(self) -> Entrant {
        let kind = match self.kind {
            WireKind::Own(options) => PlayerKind::Own { options },
            WireKind::Perfect => PlayerKind::Perfect,
            WireKind::Program(name) => PlayerKind::Program { name },
        };
        Entrant {
            name: self.name,
            spec: PlayerSpec { name: self.given_name, limit: None, kind },
            control: self.control,
        }
    }
}

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The [`PROTOCOL`].
    pub protocol: u32,
    /// The build that has done it.
    pub build: String,
    /// The digest of the job that it answers, as it was sent.
    pub job: Digest,
    /// What was done.
    pub result: Done,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// The pair was played. Its files are not sent: whoever takes it in writes them anew.
    Played(Box<PlayedPair>),
    /// It cannot be played, for this reason.
    Failed(String),
}

/// Why a pair is no result: in one of its games a program did not start, which says something of the machine and nothing of the program.
pub fn not_started(pair: &PlayedPair) -> Option<&str> {
    pair.games.iter().find_map(|game| match &game.ending {
        // Who has begun has a name.
        Ending::Fault { reason, .. } if game.moves.is_empty() && game.names.iter().all(String::is_empty) => {
            Some(reason.as_str())
        }
        _ => None,
    })
}

/// What a machine tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerCard {
    /// The [`PROTOCOL`].
    pub protocol: u32,
    /// Its build.
    pub build: String,
    /// The version of the program.
    pub version: String,
    /// Cores of the machine.
    pub cores: usize,
    /// Games at once.
    pub threads: usize,
    /// What it does: working, waiting, leaving, out of hours.
    pub state: String,
    /// Seconds since 1970 when it began.
    pub since: u64,
    /// Pairs delivered.
    pub pairs: u64,
    /// Nodes that its searches have counted in these.
    pub nodes: u64,
    /// Seconds in which games were played, of all threads together.
    pub busy: f64,
    /// Pairs that wait to be delivered.
    pub spooled: u64,
    /// Pairs under way.
    pub playing: u64,
    /// What went wrong last, or why it takes no part in something.
    pub trouble: String,
}

/// What a machine was told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Order {
    /// To finish what it has in hand, and leave.
    pub drain: bool,
    /// Nothing that it has delivered is to count.
    pub forget: bool,
    /// Why.
    pub reason: String,
}

/// Something that could not be done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeadJob {
    /// The run.
    pub run: String,
    /// The number of its pair, counted from 1.
    pub pair: u64,
    /// The machine that said so last.
    pub worker: String,
    /// What it said.
    pub reason: String,
    /// Seconds since 1970.
    pub at: u64,
}

/// Packs a value.
pub fn pack(value: &impl Serialize) -> Vec<u8> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
    // Into memory, and of types that are all text, numbers and lists: neither can fail.
    let text = serde_json::to_vec(value).unwrap_or_default();
    drop(packed.write_all(&text));
    packed.finish().unwrap_or_default()
}

/// Unpacks a value that somebody has sent.
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let mut text = Vec::new();
    let read = DeflateDecoder::new(bytes).take(LONGEST_UNPACKED + 1).read_to_end(&mut text);
    read.map_err(|error| format!("it cannot be unpacked: {error}"))?;
    if text.len() as u64 > LONGEST_UNPACKED {
        return Err(format!("it is longer than {LONGEST_UNPACKED} bytes"));
    }
    serde_json::from_slice(&text).map_err(|error| format!("it makes no sense: {error}"))
}

/// Reads a pointer's value: these are plain JSON, so that people can read them with other tools.
pub fn read<T: DeserializeOwned>(value: &[u8]) -> Result<T, String> {
    serde_json::from_slice(value).map_err(|error| error.to_string())
}

/// Writes one.
pub fn written(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

/// Seconds since 1970.
pub fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
