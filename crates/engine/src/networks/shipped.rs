//! Networks that come with the program, and where a network can be.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fmt, io};

use outplay_net::{Description, NetError, Network, Opened};

use super::opened::open_with_mapping;

/// A network inside the program. Each was trained by `outplay learn`; docs/learning.md tells how, and how strong it is.
pub struct Shipped {
    /// What options call it.
    pub name: &'static str,
    bytes: &'static [u8],
    description: OnceLock<Description>,
}

/// All of them; where several fit a game, the first is the usual one.
pub static SHIPPED: [Shipped; 1] =
    [Shipped::new("connect4", include_bytes!("../../nets/connect4.safetensors"))];

impl Shipped {
    const fn new(name: &'static str, bytes: &'static [u8]) -> Shipped {
        Shipped { name, bytes, description: OnceLock::new() }
    }

    fn network(&self) -> Network {
        Network::from_bytes(self.bytes).expect("tests open every network that comes with the program")
    }

    /// What it is made of and for.
    pub fn description(&self) -> &Description {
        self.description.get_or_init(|| self.network().description().clone())
    }
}

impl fmt::Debug for Shipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shipped").field(&self.name).finish()
    }
}

/// Where a network is.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// In the program.
    Program(&'static Shipped),
}

impl Place {
    /// The file, if it is in one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Place::File(path) => Some(path),
            Place::Program(_) => None,
        }
    }

    /// The name of the file without its folder, or of the network in the program.
    pub fn short_name(&self) -> String {
        match self {
            Place::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Place::Program(shipped) => shipped.name.to_string(),
        }
    }

    /// What the network is made of and for, without reading all of it; `None` where that cannot be told.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged.
    pub fn peek(&self) -> Result<Option<Description>, NetError> {
        match self {
            Place::File(path) => Description::peek(path),
            Place::Program(shipped) => Ok(Some(shipped.description().clone())),
        }
    }

    /// Opens the network. What an ONNX model of somebody else means is said by a file of the same name that ends with `.json`.
    ///
    /// # Errors
    /// If the file is no network, or the mapping makes no sense.
    pub fn open(&self) -> Result<Opened, NetError> {
        match self {
            Place::File(path) => open_with_mapping(path),
            Place::Program(shipped) => Ok(Opened::Tower(shipped.network())),
        }
    }

    /// The bytes of the network.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn bytes(&self) -> io::Result<Cow<'static, [u8]>> {
        match self {
            Place::File(path) => std::fs::read(path).map(Cow::Owned),
            Place::Program(shipped) => Ok(Cow::Borrowed(shipped.bytes)),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => write!(f, "{}", path.display()),
            Place::Program(shipped) => write!(f, "{} (in the program)", shipped.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_in_the_program_can_be_opened_and_fits_its_game() {
        for shipped in &SHIPPED {
            let description = Network::from_bytes(shipped.bytes).expect("a network").description().clone();
            assert_eq!(&description, shipped.description());
            let mut session = crate::open(&description.game).expect("a game");
            for (name, value) in [("search", "mcts"), ("evaluation", "net"), ("network", shipped.name)] {
                session.set_option(name, value).expect("an option");
            }
            assert!(session.network_opinion().expect("idle").is_some());
        }
    }
}
