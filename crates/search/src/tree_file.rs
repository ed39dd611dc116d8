//! What can go wrong with a tree in a file.

use std::fmt;
use std::io;

use outplay_core::text::shortened;

/// The bytes that every file with a tree begins with.
pub const TREE_FILE_MARK: [u8; 8] = *b"outplayT";

/// Why a tree was not saved, or not loaded.
#[derive(Debug)]
pub enum TreeFileError {
    /// The search keeps no tree.
    KeepsNoTree,
    /// There is no tree yet, or only one of a few moves.
    NothingGrown,
    /// The file could not be read or written.
    Io(io::Error),
    /// The file holds something else.
    NotATree,
    /// The file was written by another version of the program.
    OtherVersion {
        /// The version of the file.
        found: u64,
        /// The version that is read.
        expected: u64,
    },
    /// The tree belongs to another game, to a game with another start, or to another static evaluation.
    OtherGame,
    /// The tree was grown with settings that do not go with the present ones.
    OtherSettings {
        /// The setting.
        name: String,
        /// Its value when the tree was grown.
        then: String,
    },
    /// The tree is larger than the memory that it may take.
    TooLarge {
        /// Bytes of the tree.
        bytes: u64,
    },
    /// The file is not as it was written.
    Damaged(&'static str),
}

impl fmt::Display for TreeFileError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TreeFileError::KeepsNoTree => write!(f, "this search keeps no tree"),
            TreeFileError::NothingGrown => write!(f, "there is no tree of all moves to save: search first"),
            TreeFileError::Io(error) => error.fmt(f),
            TreeFileError::NotATree => write!(f, "not a file with a search tree"),
            TreeFileError::OtherVersion { found, expected } => {
                write!(f, "the tree has format {found}, expected {expected}")
            }
            TreeFileError::OtherGame => {
                write!(f, "the tree is of another game, start or evaluation")
            }
            TreeFileError::OtherSettings { name, then } => {
                let (name, then) = (shortened(name), shortened(then));
                write!(f, "the tree was grown with {name} set to {then}, expected the same setting now")
            }
            TreeFileError::TooLarge { bytes } => {
                write!(
                    f,
                    "the tree takes {} MiB, more than it may: raise ram_limit_mb",
                    bytes.div_ceil(1 << 20)
                )
            }
            TreeFileError::Damaged(how) => write!(f, "the file is damaged: {how}"),
        }
    }
}

impl std::error::Error for TreeFileError {}

impl From<io::Error> for TreeFileError {
    fn from(error: io::Error) -> TreeFileError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => TreeFileError::Damaged("it ends too early"),
            _ => TreeFileError::Io(error),
        }
    }
}
