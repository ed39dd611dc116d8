//! The contract: what a fleet asks of the system that holds it together, in plain types.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What holds a fleet together. One implementation lives in the process, another one on a NATS server; nothing else knows which it is.
///
/// - **Messages** stand in the [`Line`] of a run. One is published with an id, and publishing it again while it is there changes nothing. Whoever takes
///   it has it on lease: after the time of the lease, unless it was kept alive, somebody else gets it. Once acknowledged it is gone. So a message is
///   delivered at least once, and whoever takes it in has to know it by its id.
/// - **Blobs** are known by the SHA-256 of what they hold.
/// - **Pointers** are small values with names, which change by compare-and-set.
pub trait Fleet: Send + Sync {
    /// Who we are. What we publish carries this name.
    fn name(&self) -> &Name;

    /// Makes the lines of a run, if they are not there. Its messages are leased for so long.
    fn open_run(&self, run: &Name, lease: Duration) -> Result<(), FleetError>;

    /// Throws all messages of a run away. Who asks for one afterwards gets none.
    fn close_run(&self, run: &Name) -> Result<(), FleetError>;

    /// Puts messages into a line, but none whose id one of ours there has already.
    fn publish(&self, line: &Line, messages: &[(Name, Vec<u8>)]) -> Result<(), FleetError>;

    /// Takes at most so many messages, those that have waited longest first; waits for the first one if there is none.
    fn lease(&self, line: &Line, most: usize, wait: Duration) -> Result<Vec<Lease>, FleetError>;

    /// Begins the time of a lease anew.
    fn keep_alive(&self, lease: &Lease) -> Result<(), FleetError>;

    /// The message is done with.
    fn acknowledge(&self, lease: &Lease) -> Result<(), FleetError>;

    /// Somebody else is to get the message, after this time.
    fn give_back(&self, lease: &Lease, after: Duration) -> Result<(), FleetError>;

    /// How many messages there are.
    fn depth(&self, line: &Line) -> Result<Depth, FleetError>;

    /// Keeps a blob.
    fn put_blob(&self, content: &[u8]) -> Result<Digest, FleetError>;

    /// The blob with this digest; `None` if nobody has kept it.
    fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, FleetError>;

    /// What a pointer points to.
    fn pointer(&self, space: Space, name: &Name) -> Result<Option<Pointer>, FleetError>;

    /// All pointers of a space, in the order of their names.
    fn pointers(&self, space: Space) -> Result<Vec<(Name, Pointer)>, FleetError>;

    /// Sets a pointer if it is as expected, and returns its new revision; [`FleetError::Changed`] if it is not.
    fn set_pointer(
        &self,
        space: Space,
        name: &Name,
        value: &[u8],
        expected: Expected,
    ) -> Result<u64, FleetError>;

    /// Forgets a pointer, whether it was there or not.
    fn remove_pointer(&self, space: Space, name: &Name) -> Result<(), FleetError>;
}

/// The name of a run, a machine, a message or a pointer: letters, digits, `-` and `_`, 64 at most.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

impl Name {
    /// The most characters.
    pub const MOST: usize = 64;

    /// What is left of a text that is to be a name: other characters become `-`, and what is too much is cut off.
    pub fn like(text: &str) -> Name {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let kept: String = text.chars().take(Name::MOST).map(|c| if fits(c) { c } else { '-' }).collect();
        Name(if kept.is_empty() { "-".to_string() } else { kept })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = FleetError;

    fn from_str(text: &str) -> Result<Name, FleetError> {
        match Name::like(text) {
            name if name.0 == text => Ok(name),
            _ => Err(FleetError::BadName(outplay_core::text::shortened(text))),
        }
    }
}

impl TryFrom<String> for Name {
    type Error = FleetError;

    fn try_from(text: String) -> Result<Name, FleetError> {
        text.parse()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where messages stand in line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    /// What a run wants done. Any number of machines take from it.
    Jobs(Name),
    /// What was done for it. The run takes from it.
    Answers(Name),
}

impl Line {
    /// Whose line it is.
    pub fn run(&self) -> &Name {
        match self {
            Line::Jobs(run) | Line::Answers(run) => run,
        }
    }
}

/// A message on lease.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The line it came from.
    pub line: Line,
    /// What it is known by.
    pub id: Name,
    /// Who published it.
    pub from: Name,
    /// How often it was leased, this time included.
    pub attempt: u64,
    /// What it says.
    pub body: Vec<u8>,
    /// What the home knows the lease by.
    pub(crate) receipt: String,
}

/// How many messages a line has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depth {
    /// Nobody has them.
    pub waiting: u64,
    /// On lease.
    pub leased: u64,
}

/// What pointers are about. Each space is its own, so that a server can say who may write where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// The runs under way, by their names.
    Runs,
    /// The machines, by their names. What nobody renews for [`Space::TIME_TO_LIVE`] is forgotten.
    Workers,
    /// What machines were told, by their names.
    Orders,
    /// What could not be done, by run and id.
    Dead,
}

impl Space {
    /// All of them.
    pub const ALL: [Space; 4] = [Space::Runs, Space::Workers, Space::Orders, Space::Dead];
    /// How long a machine is known that says nothing more.
    pub const TIME_TO_LIVE: Duration = Duration::from_secs(60);

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Space::Runs => "runs",
            Space::Workers => "workers",
            Space::Orders => "orders",
            Space::Dead => "dead",
        }
    }
}

/// A value with a revision, which is another one after every change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The value.
    pub value: Vec<u8>,
    /// Its revision.
    pub revision: u64,
}

/// What a pointer has to be for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Whatever it is.
    Anything,
    /// Not there.
    Nothing,
    /// At this revision.
    Revision(u64),
}

/// The SHA-256 of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some content.
    pub fn of(content: &[u8]) -> Digest {
        let digest = ring::digest::digest(&ring::digest::SHA256, content);
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest.as_ref());
        Digest(bytes)
    }
}

impl FromStr for Digest {
    type Err = FleetError;

    fn from_str(text: &str) -> Result<Digest, FleetError> {
        let bad = || FleetError::BadDigest(outplay_core::text::shortened(text));
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).map_err(|_| bad())?;
        }
        Ok(Digest(bytes))
    }
}

impl TryFrom<String> for Digest {
    type Error = FleetError;

    fn try_from(text: String) -> Result<Digest, FleetError> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.to_string()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FleetError {
    /// The other end cannot be reached now. It is worth trying again.
    #[error("{0}")]
    Unavailable(String),
    /// The other end does not want it, now or later.
    #[error("{0}")]
    Refused(String),
    /// A pointer is not what it was expected to be.
    #[error("somebody else has changed {0}")]
    Changed(Name),
    /// A message is longer than can be sent.
    #[error("a message of {bytes} bytes is too long: at most {most} can be sent")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// A run that nobody has opened, or that was closed.
    #[error("there is no run {0}: it has ended, or was never begun")]
    NoRun(Name),
    /// A name has other characters than it may have, or too many.
    #[error("expected a name of letters, digits, - and _, 64 at most, not {0:?}")]
    BadName(String),
    /// A digest is no digest.
    #[error("expected the 64 hexadecimal digits of a SHA-256, not {0:?}")]
    BadDigest(String),
}
