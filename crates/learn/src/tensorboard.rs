//! Figures as TensorBoard reads them: a file of records, each a protobuf message `Event` with scalars.
//!
//! A record is the length of its message (8 bytes), a checksum of these, the message, and a checksum of that; a checksum is a CRC-32C, masked, lest the checksum
//! of something that holds checksums be a special number. All numbers are little-endian.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use crate::folder::{Folder, RunError};

/// An open file of events.
///
/// It is written anew from the files of the run whenever one begins to write, and appended to from then on: so it always has all figures, and none twice.
pub struct EventFile {
    path: PathBuf,
    file: File,
}

/// TensorBoard looks for files whose names have this in them.
const NAME: &str = "events.out.tfevents.0.outplay";
/// What the first event of a file says.
const VERSION: &str = "brain.Event:2";

impl EventFile {
    /// The file in the folder of a run, with all figures that the run has so far.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(folder: &Folder) -> Result<EventFile, RunError> {
        let path = folder.path().join("tensorboard").join(NAME);
        let parent = path.parent().unwrap_or(Path::new("."));
        let file = fs::create_dir_all(parent).and_then(|()| File::create(&path));
        let file = file.map_err(|error| RunError::File(path.clone(), error))?;
        let mut events = EventFile { path, file };
        events.write(&version())?;
        for figures in [folder.metrics(), folder.ratings()] {
            for line in folder.read_lines(&figures, |_| true)? {
                events.add_value(&line)?;
            }
        }
        Ok(events)
    }

    /// Adds the figures of a generation, or a rating.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, figures: &impl Serialize) -> Result<(), RunError> {
        // By way of text, as they stand in the files of the run: then they are the same to the last bit when they are read from there.
        let text = serde_json::to_string(figures).unwrap_or_default();
        self.add_value(&serde_json::from_str(&text).unwrap_or_default())
    }

    fn add_value(&mut self, line: &Value) -> Result<(), RunError> {
        let step = line["generation"].as_i64().unwrap_or(0);
        let seconds = line["seconds"].as_f64().unwrap_or_else(|| {
            ["play_seconds", "train_seconds"].iter().filter_map(|name| line[name].as_f64()).sum()
        });
        let scalars = scalars(line);
        self.write(&event(seconds, step, &scalars))
    }

    fn write(&mut self, event: &[u8]) -> Result<(), RunError> {
        let written = self.file.write_all(&record(event));
        written.map_err(|error| RunError::File(self.path.clone(), error))
    }
}

/// The figures of a line by their names; a rating's by its opponent.
fn scalars(line: &Value) -> Vec<(String, f32)> {
    let rated = line["opponent"].as_str();
    let all = line.as_object().into_iter().flatten();
    let numbers = all.filter_map(|(name, value)| Some((name.as_str(), value.as_f64()? as f32)));
    let named = numbers.filter_map(|(name, value)| match (rated, name) {
        (_, "generation") => None,
        (None, name) if name.contains("loss") => Some((format!("loss/{name}"), value)),
        (None, name) => Some((format!("run/{name}"), value)),
        (Some(opponent), "score" | "elo" | "elo_error") => Some((format!("{name}/{opponent}"), value)),
        (Some(_), _) => None,
    });
    named.collect()
}

/// The event that a file begins with.
fn version() -> Vec<u8> {
    let mut event = Vec::new();
    number(&mut event, 1, 0.0);
    bytes(&mut event, 3, VERSION.as_bytes());
    event
}

/// An event: when it was, at which step, and scalars by their tags.
fn event(seconds: f64, step: i64, scalars: &[(String, f32)]) -> Vec<u8> {
    let mut summary = Vec::new();
    for (tag, scalar) in scalars {
        let mut value = Vec::new();
        bytes(&mut value, 1, tag.as_bytes());
        // Field 2, four bytes.
        value.push(2 << 3 | 5);
        value.extend(scalar.to_le_bytes());
        bytes(&mut summary, 1, &value);
    }
    let mut event = Vec::new();
    number(&mut event, 1, seconds);
    // Field 2, a varint.
    event.push(2 << 3);
    varint(&mut event, step as u64);
    bytes(&mut event, 5, &summary);
    event
}

/// A field of eight bytes.
fn number(to: &mut Vec<u8>, field: u8, number: f64) {
    to.push(field << 3 | 1);
    to.extend(number.to_le_bytes());
}

/// A field of any length.
fn bytes(to: &mut Vec<u8>, field: u8, content: &[u8]) {
    to.push(field << 3 | 2);
    varint(to, content.len() as u64);
    to.extend(content);
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn varint(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// A message in its frame.
fn record(message: &[u8]) -> Vec<u8> {
    let length = (message.len() as u64).to_le_bytes();
    [&length, &masked_crc(&length).to_le_bytes()[..], message, &masked_crc(message).to_le_bytes()].concat()
}

fn masked_crc(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xA282_EAD8)
}

/// The cyclic redundancy check with Castagnoli's polynomial, bit by bit: there is little to check.
fn crc32c(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0x82F6_3B78 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // RFC 3720, appendix B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
        assert_eq!(crc32c(&[0xFF; 32]), 0x62A8_AB43);
        assert_eq!(crc32c(&std::array::from_fn::<u8, 32, _>(|i| i as u8)), 0x46DD_794E);
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
    }

    #[test]
    fn a_record_is_what_the_format_says_byte_by_byte() {
        let message = event(1.5, 300, &[("a".to_string(), 0.5)]);
        let by_hand = [
            // Field 1, eight bytes: 1.5.
            &[0x09, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F][..],
            // Field 2, a varint: 300.
            &[0x10, 0xAC, 0x02],
            // Field 5, ten bytes: the summary.
            &[0x2A, 0x0A],
            // In it field 1, eight bytes: a value.
            &[0x0A, 0x08],
            // In it field 1, one byte: the tag; and field 2, four bytes: 0.5.
            &[0x0A, 0x01, b'a', 0x15, 0, 0, 0, 0x3F],
        ]
        .concat();
        assert_eq!(message, by_hand);
        let record = record(&message);
        assert_eq!(record[..8], [24, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(record[12..36], by_hand);
        let unmask = |at: usize| {
            let masked = u32::from_le_bytes(std::array::from_fn(|i| record[at + i]));
            masked.wrapping_sub(0xA282_EAD8).rotate_left(15)
        };
        assert_eq!((unmask(8), unmask(36)), (crc32c(&record[..8]), crc32c(&by_hand)));
        assert_eq!(record.len(), 40);
    }

    #[test]
    fn figures_have_tags_by_what_they_are() {
        let line = serde_json::json!({ "generation": 3, "policy_loss": 1.0, "games": 5 });
        let named = |line: &Value| {
            let mut named = scalars(line);
            named.sort_by(|a, b| a.0.cmp(&b.0));
            named
        };
        assert_eq!(named(&line), [("loss/policy_loss".to_string(), 1.0), ("run/games".to_string(), 5.0)]);
        let rating = serde_json::json!({ "generation": 3, "opponent": "flat", "elo": 7.0, "wins": 5 });
        assert_eq!(named(&rating), [("elo/flat".to_string(), 7.0)]);
    }
}
