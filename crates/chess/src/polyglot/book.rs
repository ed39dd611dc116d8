//! Looking positions up.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use outplay_core::{Move, Rng};

use super::entry::Entry;
use super::key;
use crate::Chess;

/// A book, open for reading. Nothing of it is kept in memory: a position is found by halving, in some twenty short reads.
///
/// Whatever is in the file, asking is safe: entries whose moves are not legal are skipped. A file that is not sorted is asked in vain.
#[derive(Debug)]
pub struct Book<R = File> {
    source: R,
    entries: u64,
    stray_bytes: u64,
}

/// A move of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// A legal move.
    pub played: Move,
    /// How good it is, compared with the others.
    pub weight: u16,
    /// What programs have learnt of it.
    pub learn: u32,
}

/// Which of several moves to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The one with the greatest weight; of equals the first.
    Best,
    /// By chance, each as often as its weight says.
    Weighted,
}

impl Choice {
    /// Chooses; `None` if there is nothing, or nothing but moves of weight nought, which are not to be played.
    pub fn pick(self, moves: &[BookMove], rng: &mut Rng) -> Option<Move> {
        let playable = || moves.iter().filter(|found| found.weight > 0);
        match self {
            Choice::Best => playable().rev().max_by_key(|found| found.weight).map(|found| found.played),
            Choice::Weighted => {
                let all: u64 = playable().map(|found| u64::from(found.weight)).sum();
                let mut ticket = (rng.unit() * all as f64) as u64;
                let drawn = playable().find(|found| {
                    let weight = u64::from(found.weight);
                    let is_drawn = ticket < weight;
                    ticket = ticket.saturating_sub(weight);
                    is_drawn
                });
                drawn.map(|found| found.played)
            }
        }
    }
}

impl Book<File> {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Book<File>> {
        Book::new(File::open(path)?)
    }
}

impl Book<Cursor<Vec<u8>>> {
    /// A book in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Book<Cursor<Vec<u8>>> {
        let length = bytes.len() as u64;
        Book::of_length(Cursor::new(bytes), length)
    }
}

impl<R: Read + Seek> Book<R> {
    /// A book in anything that can be read from any place.
    pub fn new(mut source: R) -> io::Result<Book<R>> {
        let length = source.seek(SeekFrom::End(0))?;
        Ok(Book::of_length(source, length))
    }

    fn of_length(source: R, length: u64) -> Book<R> {
        let size = Entry::SIZE as u64;
        Book { source, entries: length / size, stray_bytes: length % size }
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Bytes after the last whole entry: not nought if the file was cut off, or is no book.
    pub fn stray_bytes(&self) -> u64 {
        self.stray_bytes
    }

    /// The legal moves of the book in a position, the weightiest first.
    pub fn moves(&mut self, position: &Chess) -> io::Result<Vec<BookMove>> {
        let key = key(position);
        let mut moves: Vec<BookMove> = Vec::new();
        for place in self.first_of(key)?..self.entries {
            let entry = self.entry(place)?;
            if entry.key != key {
                break;
            }
            let found = entry.legal_move(position).filter(|m| moves.iter().all(|other| other.played != *m));
            moves.extend(found.map(|played| BookMove { played, weight: entry.weight, learn: entry.learn }));
        }
        moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
        Ok(moves)
    }

    /// The place of the first entry whose key is not less than this one.
    fn first_of(&mut self, key: u64) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.entry(middle)?.key < key {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }

    fn entry(&mut self, place: u64) -> io::Result<Entry> {
        let mut bytes = [0; Entry::SIZE];
        self.source.seek(SeekFrom::Start(place * Entry::SIZE as u64))?;
        self.source.read_exact(&mut bytes)?;
        Ok(Entry::from_bytes(bytes))
    }

    /// Shows all entries, in the order of the file.
    pub fn visit(&mut self, mut visit: impl FnMut(Entry)) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(0))?;
        let mut reader = io::BufReader::new(&mut self.source);
        let mut bytes = [0; Entry::SIZE];
        for _ in 0..self.entries {
            reader.read_exact(&mut bytes)?;
            visit(Entry::from_bytes(bytes));
        }
        Ok(())
    }
}
