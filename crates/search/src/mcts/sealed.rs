//! Words in a file, with a checksum at the end.

use std::io::{self, Read, Write};

use outplay_core::mix;

use crate::TreeFileError;

/// Where words are written to or read from, with the checksum of all so far.
pub(super) struct Sealed<T> {
    inner: T,
    sum: u64,
}

impl<T> Sealed<T> {
    pub fn new(inner: T) -> Sealed<T> {
        Sealed { inner, sum: 0 }
    }

    fn add(&mut self, word: u64) {
        self.sum = mix(self.sum ^ word).wrapping_add(word);
    }
}

impl<W: Write> Sealed<W> {
    pub fn write(&mut self, word: u64) -> io::Result<()> {
        self.add(word);
        self.inner.write_all(&word.to_le_bytes())
    }

    /// Writes a length and so many bytes, one in a word: for little.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes.len() as u64)?;
        bytes.iter().try_for_each(|&byte| self.write(byte.into()))
    }

    /// Ends the file.
    pub fn seal(mut self) -> io::Result<()> {
        self.write(self.sum)?;
        self.inner.flush()
    }
}

impl<R: Read> Sealed<R> {
    pub fn read(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.inner.read_exact(&mut bytes)?;
        let word = u64::from_le_bytes(bytes);
        self.add(word);
        Ok(word)
    }

    /// Reads a number that has to be below another.
    pub fn read_below(&mut self, most: u64) -> Result<u64, TreeFileError> {
        let word = self.read()?;
        if word < most { Ok(word) } else { Err(TreeFileError::Damaged("a number is too large")) }
    }

    /// Reads what [`Sealed::write_bytes`] has written, less than so many bytes.
    pub fn read_bytes(&mut self, most: u64) -> Result<Vec<u8>, TreeFileError> {
        let length = self.read_below(most)?;
        (0..length).map(|_| Ok(self.read_below(256)? as u8)).collect()
    }

    /// Checks that the file ends here and is as it was written.
    pub fn check(mut self) -> Result<(), TreeFileError> {
        let sum = self.sum;
        if self.read()? != sum {
            return Err(TreeFileError::Damaged("its checksum is wrong"));
        }
        match self.inner.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(TreeFileError::Damaged("it goes on after its end")),
        }
    }
}
