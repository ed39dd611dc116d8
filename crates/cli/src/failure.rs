//! What can go wrong, and with which exit code.

use std::fmt;
use std::io;

use outplay_engine::SessionError;
use outplay_protocols::serve::ServeError;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that makes no sense: exit code 2.
    Usage(anyhow::Error),
    /// It makes sense but could not be done: exit code 1.
    Failed(anyhow::Error),
    /// It was done, and the answer has an exit code of its own.
    Verdict {
        /// The exit code.
        code: u8,
        /// The answer in words.
        words: String,
    },
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Failed(_) => 1,
            Failure::Verdict { code, .. } => *code,
        }
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        let Failure::Failed(error) = self else { return false };
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// For what came with the command line: a position, a move, an option.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Failure {
        Failure::Usage(error.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Usage(error) | Failure::Failed(error) => write!(f, "{error:#}"),
            Failure::Verdict { words, .. } => write!(f, "{words}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Failed(error.into())
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        Failure::Failed(error.into())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::from(io::Error::from(error))
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        match error {
            ServeError::Io(error) => error.into(),
            ServeError::Session(error) => error.into(),
            ServeError::Command(reason) => Failure::Usage(anyhow::Error::msg(reason)),
        }
    }
}
