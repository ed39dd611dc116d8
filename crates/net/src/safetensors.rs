//! The file of a network: a safetensors container, which Python's libraries read too.
//!
//! Eight bytes with the length of a header, the header in JSON (for each tensor its type, its shape and where its bytes are), then the bytes. The
//! description of the network stands in the header's free part, `__metadata__`, under `outplay`. Everything is checked before it is used, so that a file
//! from anywhere can be opened: nothing is allocated that the file does not have bytes for.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::description::Description;
use crate::half::{f16_to_f32, f32_to_f16};
use crate::network::{NetError, Network, Precision, Tensor};
use crate::open::read_file;

/// Where the description stands.
const DESCRIPTION: &str = "outplay";
/// No header is longer.
const MOST_HEADER: usize = 1 << 20;
/// No network has more weights: 4 GiB of them.
const MOST_PARAMETERS: usize = 1 << 30;

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "__metadata__", default)]
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    /// From the first byte to the one after the last, counted from the end of the header.
    data_offsets: (usize, usize),
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Header, NetError> {
        serde_json::from_slice(bytes).map_err(|error| NetError::Format(format!("its header: {error}")))
    }

    fn description(&self) -> Result<Description, NetError> {
        let text = self.metadata.get(DESCRIPTION).ok_or_else(|| {
            NetError::Format("its header has no description under __metadata__.outplay".to_string())
        })?;
        let description: Description =
            serde_json::from_str(text).map_err(|error| NetError::Description(error.to_string()))?;
        description.check()?;
        Ok(description)
    }
}

/// The length of the header, unless it cannot be one.
fn header_length(bytes: [u8; 8]) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(bytes)).ok().filter(|&length| length <= MOST_HEADER)
}

impl Description {
    /// Reads the description at the beginning of a network file, and nothing else; `None` if the file does not begin like one of ours.
    ///
    /// # Errors
    /// If the file cannot be read, or begins like a network and goes on like something else.
    pub fn peek(path: &Path) -> Result<Option<Description>, NetError> {
        let failed = |error: io::Error| NetError::File(format!("{}: {error}", path.display()));
        let mut file = File::open(path).map_err(failed)?;
        let mut length = [0; 8];
        if file.read_exact(&mut length).is_err() {
            return Ok(None);
        }
        let Some(length) = header_length(length) else { return Ok(None) };
        let mut header = Vec::new();
        file.take(length as u64).read_to_end(&mut header).map_err(failed)?;
        Header::read(&header)?.description().map(Some)
    }
}

impl Network {
    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// If they are anything else than a whole network that fits its description.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        let format = |what: &str| NetError::Format(what.to_string());
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| format("it is too short"))?;
        let length = header_length(*length).filter(|&length| length <= rest.len());
        let length = length.ok_or_else(|| format("its header is too long; expected a safetensors file"))?;
        let (header, data) = rest.split_at(length);
        let header = Header::read(header)?;
        let description = header.description()?;
        let Header { mut tensors, .. } = header;
        let parameters = description.parameters();
        if parameters > MOST_PARAMETERS {
            return Err(NetError::Description(format!(
                "it has {parameters} weights, expected {MOST_PARAMETERS} at most"
            )));
        }
        check_places(&tensors, data.len())?;
        let layers = description.layers().try_map(|spec| {
            let name = &spec.name;
            let entry =
                tensors.remove(name).ok_or_else(|| NetError::Weights(format!("{name} is missing")))?;
            if entry.shape != spec.shape {
                let (given, wanted) = (&entry.shape, &spec.shape);
                return Err(NetError::Weights(format!(
                    "{name} has the shape {given:?}, expected {wanted:?}"
                )));
            }
            let (from, to) = entry.data_offsets;
            let bytes = &data[from..to];
            let values = numbers(&entry.dtype, bytes, spec.len());
            let values = values.ok_or_else(|| {
                let (dtype, length, wanted) = (&entry.dtype, bytes.len(), spec.len());
                NetError::Weights(format!(
                    "{name} has {length} bytes of {dtype}, expected {wanted} numbers of F32 or F16"
                ))
            })?;
            Ok(Tensor { shape: spec.shape, values })
        })?;
        if let Some(name) = tensors.keys().next() {
            return Err(NetError::Weights(format!("{name} has no place in this network")));
        }
        Network::new(description, layers)
    }

    /// The bytes of a file.
    pub fn to_bytes(&self, precision: Precision) -> Vec<u8> {
        let dtype = match precision {
            Precision::Single => "F32",
            Precision::Half => "F16",
        };
        let mut tensors = BTreeMap::new();
        let mut data = Vec::new();
        for (spec, tensor) in self.description().layers().tensors().into_iter().zip(self.layers().tensors()) {
            let from = data.len();
            for &value in &tensor.values {
                match precision {
                    Precision::Single => data.extend(value.to_le_bytes()),
                    Precision::Half => data.extend(f32_to_f16(value).to_le_bytes()),
                }
            }
            let entry = Entry {
                dtype: dtype.to_string(),
                shape: spec.shape.clone(),
                data_offsets: (from, data.len()),
            };
            tensors.insert(spec.name.clone(), entry);
        }
        let description =
            serde_json::to_string(self.description()).expect("a description has nothing that JSON lacks");
        let metadata = BTreeMap::from([(DESCRIPTION.to_string(), description)]);
        let mut header =
            serde_json::to_vec(&Header { metadata, tensors }).expect("a header has nothing that JSON lacks");
        // Tensors begin at a multiple of eight bytes, as readers that map the file like it.
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header);
        file.extend(data);
        file
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file cannot be read, or is no network; the message names it.
    pub fn open(path: &Path) -> Result<Network, NetError> {
        let named = |error: NetError| NetError::File(format!("{}: {error}", path.display()));
        read_file(path).and_then(|bytes| Network::from_bytes(&bytes)).map_err(named)
    }
}

/// Whether this may be a safetensors file: the length of the header fits into four bytes, and the header is an object.
pub(crate) fn looks_like_safetensors(bytes: &[u8]) -> bool {
    bytes.get(4..9) == Some(b"\0\0\0\0{")
}

/// Whether tensors stand one after the other, from the first byte to the last. If they could share bytes, a small file could ask for much memory.
fn check_places(tensors: &BTreeMap<String, Entry>, length: usize) -> Result<(), NetError> {
    let mut places: Vec<(usize, usize, &String)> =
        tensors.iter().map(|(name, entry)| (entry.data_offsets.0, entry.data_offsets.1, name)).collect();
    places.sort_unstable();
    let mut end = 0;
    for (from, to, name) in places {
        if from != end || to < from {
            return Err(NetError::Format(format!(
                "{name} has the bytes {from} to {to}, expected some that begin at {end}"
            )));
        }
        if to > length {
            return Err(NetError::Format(format!("{name} is cut off: it ends at byte {to} of {length}")));
        }
        end = to;
    }
    match end == length {
        true => Ok(()),
        false => {
            Err(NetError::Format(format!("{} bytes after the last tensor belong to none", length - end)))
        }
    }
}

fn numbers(dtype: &str, bytes: &[u8], count: usize) -> Option<Vec<f32>> {
    let size = match dtype {
        "F32" => 4,
        "F16" => 2,
        _ => return None,
    };
    if bytes.len() != count * size {
        return None;
    }
    Some(match size {
        4 => bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect(),
        _ => bytes.chunks_exact(2).map(|two| f16_to_f32(u16::from_le_bytes([two[0], two[1]]))).collect(),
    })
}
