//! Books in files.
//!
//! ```text
//! "outplayB"  version (1 byte)  length of the game's name (1 byte)  the name
//! number of positions
//! for each position, by rising keys:
//!     key (8 bytes, the lowest first)  number of moves
//!     for each move, by rising moves:
//!         move  what is known (1 byte: 1 a judgement, 2 results, 4 a value that differs from what was searched)
//!         judgement: what was searched, its value if it differs, depth, nodes
//!         results: won, drawn, lost
//! checksum of all before (8 bytes)
//! ```
//!
//! Numbers without a size are written seven bits a byte, the lowest first, with the eighth bit set where more follow. What something is
//! worth is such a number too: its two lowest bits say what it is (an opinion in hundredths, a win or a loss in so many plies, a margin),
//! the rest is the number with its sign in the lowest bit.

use outplay_core::{Move, mix, text};
use outplay_search::Meaning;

use crate::{Book, BookMove, Judgement, Results};

/// The bytes that every book begins with.
pub const MARK: [u8; 8] = *b"outplayB";
const VERSION: u8 = 1;

const JUDGED: u8 = 1;
const PLAYED: u8 = 2;
const REVALUED: u8 = 4;

/// Why a file is no book that can be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The file holds something else.
    #[error("is not an opening book of ours")]
    NotABook,
    /// The file was written by another version of the program.
    #[error("has format {found}, expected {VERSION}")]
    OtherVersion {
        /// The version of the file.
        found: u8,
    },
    /// The book is of another game, or of other rules.
    #[error("is a book of {}, expected one of {expected}", text::shortened(.found))]
    OtherGame {
        /// The game of the file.
        found: String,
        /// The game that was asked for.
        expected: String,
    },
    /// The file is not as it was written.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
}

impl Book {
    /// The book as a file has it. The same knowledge is always the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        let name = &self.game().as_bytes()[..self.game().len().min(usize::from(u8::MAX))];
        bytes.extend([VERSION, name.len() as u8]);
        bytes.extend(name);
        write_number(&mut bytes, self.len() as u64);
        for (key, page) in self.pages() {
            bytes.extend(key.to_le_bytes());
            write_number(&mut bytes, page.len() as u64);
            page.iter().for_each(|known| write_move(&mut bytes, known));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a book of any game, and believes nothing that it has not checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let Some(rest) = bytes.strip_prefix(&MARK) else { return Err(BookError::NotABook) };
        let too_short = BookError::Damaged("it ends too early");
        let Some(&version) = rest.first() else { return Err(too_short) };
        if version != VERSION {
            return Err(BookError::OtherVersion { found: version });
        }
        let Some((checked, sum)) = bytes.split_last_chunk() else { return Err(too_short) };
        if checksum(checked) != u64::from_le_bytes(*sum) {
            return Err(BookError::Damaged("its checksum is wrong: it was changed or cut off"));
        }
        let mut reader = Reader(checked.get(MARK.len() + 1..).unwrap_or(&[]));
        // Only a forged file can fail from here on.
        reader.book().ok_or(BookError::Damaged("what is in it makes no sense"))
    }

    /// The same, if it is of this game.
    pub fn of_game(bytes: &[u8], game: &str) -> Result<Book, BookError> {
        let book = Book::from_bytes(bytes)?;
        match book.game() == game {
            true => Ok(book),
            false => Err(BookError::OtherGame { found: book.game().to_string(), expected: game.to_string() }),
        }
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(bytes.len() as u64, |sum, &byte| mix(sum ^ u64::from(byte)))
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn write_move(bytes: &mut Vec<u8>, known: &BookMove) {
    let BookMove { played, judgement, results } = known;
    let is_revalued = judgement.is_some_and(|judgement| judgement.value != judgement.searched);
    let parts =
        [(JUDGED, judgement.is_some()), (PLAYED, *results != Results::default()), (REVALUED, is_revalued)];
    write_number(bytes, played.bits().into());
    bytes.push(parts.iter().filter(|(_, is_there)| *is_there).map(|(bit, _)| bit).sum());
    if let Some(Judgement { searched, value, depth, nodes }) = *judgement {
        write_number(bytes, packed(searched));
        if is_revalued {
            write_number(bytes, packed(value));
        }
        write_number(bytes, depth.into());
        write_number(bytes, nodes);
    }
    if *results != Results::default() {
        [results.won, results.drawn, results.lost].iter().for_each(|&n| write_number(bytes, n.into()));
    }
}

/// What something is worth, in one number.
fn packed(value: Meaning) -> u64 {
    let (kind, number) = match value {
        Meaning::Opinion(hundredths) => (0, i64::from(hundredths)),
        Meaning::WinIn(plies) => (1, plies.into()),
        Meaning::LossIn(plies) => (2, plies.into()),
        Meaning::Margin(margin) => (3, margin.into()),
        Meaning::Expected(_) => (0, value.score().raw().into()),
    };
    let with_sign = ((number << 1) ^ (number >> 63)) as u64;
    with_sign << 2 | kind
}

fn unpacked(number: u64) -> Option<Meaning> {
    let with_sign = number >> 2;
    let value = (with_sign >> 1) as i64 ^ -((with_sign & 1) as i64);
    Some(match number & 3 {
        0 => Meaning::Opinion(i32::try_from(value).ok()?),
        1 => Meaning::WinIn(u32::try_from(value).ok()?),
        2 => Meaning::LossIn(u32::try_from(value).ok()?),
        _ => Meaning::Margin(i32::try_from(value).ok().filter(|margin| margin.checked_abs().is_some())?),
    })
}

/// What is left of a file.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn book(&mut self) -> Option<Book> {
        let length = usize::from(self.byte()?);
        let (name, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        let mut book = Book::new(std::str::from_utf8(name).ok()?);
        for _ in 0..self.number()? {
            let (key, rest) = self.0.split_first_chunk()?;
            self.0 = rest;
            let moves = self.number()?;
            let page = (0..moves).map(|_| self.book_move()).collect::<Option<Vec<_>>>()?;
            if page.is_empty() || !book.push(u64::from_le_bytes(*key), page) {
                return None;
            }
        }
        self.0.is_empty().then_some(book)
    }

    fn book_move(&mut self) -> Option<BookMove> {
        let bits = u16::try_from(self.number()?).ok().filter(|&bits| bits != Move::RESERVED_BITS)?;
        let parts = self.byte()?;
        let judgement = match parts & (JUDGED | REVALUED) {
            0 => None,
            JUDGED => Some(self.judgement(false)?),
            REVALUED => return None,
            _ => Some(self.judgement(true)?),
        };
        let results = match parts & PLAYED {
            0 => Results::default(),
            _ => Results { won: self.small()?, drawn: self.small()?, lost: self.small()? },
        };
        let is_known = parts & !(JUDGED | PLAYED | REVALUED) == 0;
        is_known.then_some(BookMove { played: Move::new(bits), judgement, results })
    }

    fn judgement(&mut self, is_revalued: bool) -> Option<Judgement> {
        let searched = unpacked(self.number()?)?;
        let value = if is_revalued { unpacked(self.number()?)? } else { searched };
        Some(Judgement { searched, value, depth: self.small()?, nodes: self.number()? })
    }
}
