//! The file of a tuning run: text to which a line is added for each comparison that has ended. Every line has its checksum. What a crash has cut off
//! or damaged is dropped when the file is opened again, and only those comparisons are made anew.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::course::{Comparison, Phase, Record};
use crate::stats::GameResult;

/// What the first line of every file begins with.
const MAGIC: &str = "# outplay tuning 1: ";
/// No line is longer.
const MOST_BYTES: u64 = 1 << 16;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TuneFileError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("expected a file of `outplay tune params`, with {MAGIC:?} at its start")]
    SomethingElse,
    /// The file belongs to another run.
    #[error("the file holds another run ({held}): choose another file, or go on with that run")]
    AnotherRun {
        /// What it holds.
        held: String,
    },
}

/// The file of a run.
pub struct TuneFile {
    file: File,
    dropped: usize,
}

impl TuneFile {
    /// Opens the file of a run that is described in one line, or begins it. Returns what it holds, each comparison once.
    pub fn open(path: &Path, run: &str) -> Result<(TuneFile, Vec<Record>), TuneFileError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let header = format!("{MAGIC}{run}\n");
        let mut lines = BufReader::new(&file);
        let (mut records, mut dropped, mut at, mut whole) = (Vec::new(), 0, 0u64, 0u64);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut lines).take(MOST_BYTES).read_until(b'\n', &mut line)? as u64;
            if read == 0 {
                break;
            }
            let ends = line.last() == Some(&b'\n');
            if at == 0 && line != header.as_bytes() {
                let cut_off = !ends && header.as_bytes().starts_with(&line);
                if cut_off {
                    break;
                }
                let held = String::from_utf8_lossy(&line);
                let held = held.trim_end().strip_prefix(MAGIC).ok_or(TuneFileError::SomethingElse)?;
                return Err(TuneFileError::AnotherRun { held: held.to_string() });
            }
            if at > 0 {
                match std::str::from_utf8(&line).ok().filter(|_| ends).and_then(read_line) {
                    Some(record) => records.push(record),
                    None => dropped += 1,
                }
            }
            at += read;
            whole = if ends { at } else { whole };
        }
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        if whole == 0 {
            file.write_all(header.as_bytes())?;
        }
        Ok((TuneFile { file, dropped }, records))
    }

    /// How many lines were damaged.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Adds a comparison.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        self.file.write_all(written(record).as_bytes())
    }

    /// Makes sure that what was added survives a failure of power.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

fn letter(result: GameResult) -> char {
    match result {
        GameResult::Loss => 'L',
        GameResult::Draw => 'D',
        GameResult::Win => 'W',
    }
}

fn result_of(letter: char) -> Option<GameResult> {
    [GameResult::Loss, GameResult::Draw, GameResult::Win]
        .into_iter()
        .find(|&result| self::letter(result) == letter)
}

/// A line: the phase, the number, the result, the checksum of all that.
fn written(record: &Record) -> String {
    let result = match record.result {
        Comparison::Games(results) => results.map(letter).iter().collect(),
        // The shortest text that is the same number again.
        Comparison::Share(share) => share.to_string(),
    };
    let text = format!("{} {} {result}", record.phase.word(), record.number);
    format!("{text} {:08x}\n", crc32fast::hash(text.as_bytes()))
}

fn read_line(line: &str) -> Option<Record> {
    let (text, checksum) = line.strip_suffix('\n')?.rsplit_once(' ')?;
    if u32::from_str_radix(checksum, 16).ok()? != crc32fast::hash(text.as_bytes()) {
        return None;
    }
    let mut words = text.split(' ');
    let (phase, number, result) = (words.next()?, words.next()?, words.next()?);
    let letters: Vec<char> = result.chars().collect();
    let result = match letters[..] {
        [first, second] if !first.is_ascii_digit() => {
            Comparison::Games([result_of(first)?, result_of(second)?])
        }
        _ => Comparison::Share(result.parse().ok().filter(|share| (0.0..=1.0).contains(share))?),
    };
    Some(Record { phase: Phase::of_word(phase)?, number: number.parse().ok()?, result })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64, result: Comparison) -> Record {
        Record { phase: Phase::Search, number, result }
    }

    #[test]
    fn lines_are_read_again_as_they_were_and_damage_is_seen() {
        use GameResult::{Draw, Loss, Win};
        let results =
            [Comparison::Games([Win, Loss]), Comparison::Games([Draw, Win]), Comparison::Share(0.1 + 0.2)];
        for (number, result) in results.into_iter().enumerate() {
            let record = record(number as u64, result);
            let line = written(&record);
            assert_eq!(read_line(&line), Some(record));
            for at in 0..line.len() {
                let mut damaged = line.clone().into_bytes();
                damaged[at] ^= 1;
                let read = String::from_utf8(damaged).ok().and_then(|text| read_line(&text));
                assert_eq!(read, None, "{line}");
            }
        }
        let forged = "search 1 1.5";
        assert_eq!(read_line(&format!("{forged} {:08x}\n", crc32fast::hash(forged.as_bytes()))), None);
    }

    #[test]
    fn a_file_that_was_cut_off_anywhere_holds_what_is_whole() {
        let folder = std::env::temp_dir().join(format!("outplay-tuning-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("run.txt");
        let records: Vec<Record> = (0..5).map(|n| record(n, Comparison::Share(n as f64 / 8.0))).collect();
        let (mut file, held) = TuneFile::open(&path, "a run").expect("a new file");
        assert!(held.is_empty());
        records.iter().for_each(|record| file.add(record).expect("room"));
        let whole = std::fs::read(&path).expect("our own file");
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).expect("our own file");
            let (mut file, held) = TuneFile::open(&path, "a run").expect("the same run");
            assert_eq!(held, records[..held.len()], "{length}");
            records[held.len()..].iter().for_each(|record| file.add(record).expect("room"));
            assert_eq!(std::fs::read(&path).expect("our own file"), whole, "{length}");
        }
        // A line in the middle is damaged: only that is lost.
        let mut damaged = whole.clone();
        let middle = whole.iter().position(|&byte| byte == b'\n').expect("a header") + 3;
        damaged[middle] = b'\0';
        std::fs::write(&path, &damaged).expect("our own file");
        let (file, held) = TuneFile::open(&path, "a run").expect("the same run");
        assert_eq!((file.dropped(), held.as_slice()), (1, &records[1..]));
        assert!(matches!(TuneFile::open(&path, "another run"), Err(TuneFileError::AnotherRun { .. })));
        std::fs::write(&path, "garbage\n").expect("our own file");
        assert!(matches!(TuneFile::open(&path, "a run"), Err(TuneFileError::SomethingElse)));
        assert_eq!(std::fs::read(&path).expect("our own file"), b"garbage\n", "what is not ours stays");
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
