//! Opens network files of every kind, by what is in them.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::backend::Backend;
use crate::description::Description;
use crate::graph::GraphNetwork;
use crate::lc0::{import_lc0, looks_like_lc0};
use crate::network::{NetError, Network};
use crate::onnx::{Mapping, import_onnx, looks_like_onnx};
use crate::safetensors::looks_like_safetensors;

/// No file is larger, packed or unpacked.
const MOST_BYTES: u64 = 1 << 30;
/// Weights are so irregular that no packed file is longer by more.
const MOST_RATIO: u64 = 64;
/// What a file packed by gzip begins with.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// A network from a file.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there are a few of them, and they are moved once")]
pub enum Opened {
    /// A network of our family, for any backend.
    Tower(Network),
    /// A network of another shape, which runs itself.
    Graph(GraphNetwork),
}

impl Opened {
    /// What it plays and what comes out of it.
    pub fn description(&self) -> &Description {
        match self {
            Opened::Tower(network) => network.description(),
            Opened::Graph(graph) => graph.description(),
        }
    }

    /// What was found, in words: "chess network, 64 channels, 6 blocks, imported from a file of lc0".
    pub fn summary(&self) -> String {
        let Description { game, channels, blocks, made_by, .. } = self.description();
        let shape = match self {
            Opened::Tower(_) => format!("{channels} channels, {} blocks", blocks.len()),
            Opened::Graph(graph) => format!("a graph of {} operations, which runs slowly", graph.steps()),
        };
        let origin = made_by.as_ref().map_or(String::new(), |made_by| format!(", {made_by}"));
        format!("{game} network, {shape}{origin}")
    }
}

/// Opens a network file of our own, of lc0 or in ONNX, packed by gzip or plain. The mapping is for ONNX networks that others made.
///
/// # Errors
/// If the file cannot be read, or is no network that this program knows; the message names it and says why.
pub fn open_network(path: &Path, mapping: Option<&Mapping>) -> Result<Opened, NetError> {
    let named = |error: NetError| NetError::File(format!("{}: {error}", path.display()));
    read_file(path).and_then(|bytes| network_from_bytes(&bytes, mapping)).map_err(named)
}

/// As [`open_network`], for the bytes of a file.
///
/// # Errors
/// If they are no network that this program knows.
pub fn network_from_bytes(bytes: &[u8], mapping: Option<&Mapping>) -> Result<Opened, NetError> {
    if bytes.starts_with(&GZIP) {
        let most = (bytes.len() as u64 * MOST_RATIO + (1 << 20)).min(MOST_BYTES);
        let bytes = bounded(MultiGzDecoder::new(bytes), most)
            .map_err(|error| NetError::Format(format!("it cannot be unpacked: {error}")))?;
        // Packed once, not twice: so the work is bounded too.
        return plain_network(&bytes, mapping);
    }
    plain_network(bytes, mapping)
}

fn plain_network(bytes: &[u8], mapping: Option<&Mapping>) -> Result<Opened, NetError> {
    if looks_like_lc0(bytes) {
        import_lc0(bytes).map(Opened::Tower)
    } else if looks_like_safetensors(bytes) {
        Network::from_bytes(bytes).map(Opened::Tower)
    } else if looks_like_onnx(bytes) {
        import_onnx(bytes, mapping)
    } else {
        Err(NetError::Format(
            "expected a safetensors file of this program, a network of lc0 or an ONNX model".to_string(),
        ))
    }
}

/// Reads a whole file, unless it is too large for a network.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, NetError> {
    let file = std::fs::File::open(path);
    file.and_then(|file| bounded(file, MOST_BYTES)).map_err(|error| NetError::File(error.to_string()))
}

fn bounded(from: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it is longer than {most} bytes, which no such network is");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}
