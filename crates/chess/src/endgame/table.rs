//! The table of one ending: blocks of values, compressed, and the file that holds them.
//!
//! ```text
//! "OutplayDTM\n"  the version (1 byte)  a checksum of all that follows (CRC-32)
//! the ending's name (16 bytes, padded with zeros)  values (u32)  values a block (u32)
//! the length of each compressed block (u32 each), then the blocks (deflate)
//! ```
//! Numbers are little-endian. A value is a byte: 0 for a draw, otherwise the plies to mate plus one.

use std::io::{self, Write};
use std::sync::OnceLock;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::ending::Ending;
use super::layout::Layout;
use super::value::Value;

const MAGIC: &[u8; 11] = b"OutplayDTM\n";
const VERSION: u8 = 1;
const NAME: usize = 16;
/// Where the part begins that the checksum is of.
const CHECKED: usize = MAGIC.len() + 1 + 4;
/// Where the lengths of the blocks begin.
const LENGTHS: usize = CHECKED + NAME + 4 + 4;
/// Values that are compressed together: a tenth of a millisecond to decompress.
const BLOCK: usize = 1 << 15;
/// The best that the compressor can do without taking much longer for little.
const LEVEL: u8 = 9;

/// Why a file is no table of an ending.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is something else.
    #[error("is not an endgame table")]
    NotATable,
    /// It is a table of another version of the format.
    #[error("has version {0} of the format, expected {VERSION}")]
    OtherVersion(u8),
    /// Its bytes are not those that were written.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
    /// It is the table of another ending than its name says.
    #[error("is the table of another ending than {0}")]
    OtherEnding(Ending),
}

/// The values of an ending, compressed. A block is decompressed when it is first asked for, and kept.
pub(super) struct Table {
    compressed: Vec<u8>,
    /// Where each block ends.
    ends: Vec<usize>,
    values: usize,
    // A block that cannot be decompressed is empty.
    blocks: Box<[OnceLock<Box<[u8]>>]>,
}

impl Table {
    /// Compresses the values of an ending. What is no position takes the value before it, which costs least.
    pub fn new(values: &[Value]) -> Table {
        let mut bytes: Vec<u8> = values.iter().map(|value| value.0).collect();
        let mut last = Value::DRAW.0;
        for byte in &mut bytes {
            match *byte {
                illegal if illegal == Value::ILLEGAL.0 => *byte = last,
                value => last = value,
            }
        }
        let (mut compressed, mut ends) = (Vec::new(), Vec::new());
        for block in bytes.chunks(BLOCK) {
            compressed.extend_from_slice(&compress_to_vec(block, LEVEL));
            ends.push(compressed.len());
        }
        Table::of_blocks(compressed, ends, values.len())
    }

    fn of_blocks(compressed: Vec<u8>, ends: Vec<usize>, values: usize) -> Table {
        let blocks = ends.iter().map(|_| OnceLock::new()).collect();
        Table { compressed, ends, values, blocks }
    }

    /// The value with this number.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Value> {
        let block = self.blocks.get(index / BLOCK)?.get_or_init(|| self.decompressed(index / BLOCK));
        block.get(index % BLOCK).copied().map(Value)
    }

    #[cold]
    fn decompressed(&self, number: usize) -> Box<[u8]> {
        let begin = if number == 0 { 0 } else { self.ends[number - 1] };
        let size = BLOCK.min(self.values - number * BLOCK);
        let compressed = &self.compressed[begin..self.ends[number]];
        // Only a forged file can fail here: a damaged one does not have its checksum.
        decompress_to_vec_with_limit(compressed, size).unwrap_or_default().into_boxed_slice()
    }

    /// Writes the file of an ending.
    pub fn write(&self, ending: Ending, out: &mut dyn Write) -> io::Result<()> {
        let mut checked = vec![0; NAME];
        checked[..ending.to_string().len()].copy_from_slice(ending.to_string().as_bytes());
        let begins = std::iter::once(&0).chain(&self.ends);
        let lengths = self.ends.iter().zip(begins).map(|(end, begin)| end - begin);
        for number in [self.values, BLOCK].into_iter().chain(lengths) {
            let number = u32::try_from(number).map_err(io::Error::other)?;
            checked.extend_from_slice(&number.to_le_bytes());
        }
        checked.extend_from_slice(&self.compressed);
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        out.write_all(&crc32fast::hash(&checked).to_le_bytes())?;
        out.write_all(&checked)
    }

    /// Reads the file of the ending with this layout.
    pub fn read(layout: &Layout, bytes: &[u8]) -> Result<Table, TableError> {
        if !bytes.starts_with(MAGIC) {
            return Err(TableError::NotATable);
        }
        let cut_off = TableError::Damaged("it is cut off");
        match bytes.get(MAGIC.len()) {
            Some(&VERSION) => {}
            Some(&other) => return Err(TableError::OtherVersion(other)),
            None => return Err(cut_off),
        }
        let word = |at: usize| {
            let bytes = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        let (Some(checksum), Some(checked)) = (word(MAGIC.len() + 1), bytes.get(CHECKED..)) else {
            return Err(cut_off);
        };
        if crc32fast::hash(checked) != checksum {
            return Err(TableError::Damaged("its checksum is wrong"));
        }
        let name = layout.ending.to_string();
        let is_this_ending = checked.starts_with(name.as_bytes()) && checked.get(name.len()) == Some(&0);
        if !is_this_ending || word(CHECKED + NAME) != u32::try_from(layout.len()).ok() {
            return Err(TableError::OtherEnding(layout.ending));
        }
        if word(CHECKED + NAME + 4) != u32::try_from(BLOCK).ok() {
            return Err(TableError::Damaged("its blocks have an unknown size"));
        }
        let count = layout.len().div_ceil(BLOCK);
        let lengths: Option<Vec<usize>> =
            (0..count).map(|block| word(LENGTHS + 4 * block).map(|length| length as usize)).collect();
        let mut end = 0;
        let ends: Vec<usize> = lengths
            .ok_or(cut_off)?
            .into_iter()
            .map(|length| {
                end += length;
                end
            })
            .collect();
        let compressed = bytes[LENGTHS + 4 * count..].to_vec();
        if compressed.len() != end {
            return Err(TableError::Damaged("its blocks do not fill it"));
        }
        Ok(Table::of_blocks(compressed, ends, layout.len()))
    }
}
