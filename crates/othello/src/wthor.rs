//! The WTHOR database: tournament games since 1977, one binary file a year, and two files of names.
//!
//! A file begins with 16 bytes: the date it was made, the number of its entries, and in a file of games the
//! year, the size of the board and from how many empty squares on the games were solved. A game is 68 bytes:
//! three numbers (tournament, Black, White), two scores, sixty squares. Numbers have their low byte first.

use outplay_core::{Game, Move, Outcome, ParseError, Player, Record, RecordVisitor};

use crate::Othello;
use crate::replay::Replay;

const LANGUAGE: &str = "WTHOR";
const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER_NAME: usize = 20;
const TOURNAMENT_NAME: usize = 26;

/// A file of games (`.wtb`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Database {
    /// The year in which the games were played.
    pub year: u16,
    /// From how many empty squares on [`StoredGame::best_black_discs`] was computed.
    pub solved_empties: u8,
    /// The games in file order.
    pub games: Vec<StoredGame>,
}

/// A game as the file has it, with numbers for names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// An index into [`Names::tournaments`].
    pub tournament: u16,
    /// Black's index into [`Names::players`].
    pub black: u16,
    /// White's index into [`Names::players`].
    pub white: u16,
    /// Black's score, from 0 to 64: the discs, with the empty squares counted for the winner.
    pub black_discs: u8,
    /// What Black would have scored had both played the end perfectly.
    pub best_black_discs: u8,
    /// The squares played on, ten times the row plus the column (both from 1), then zeros; no passes.
    pub squares: [u8; 60],
}

/// What the numbers of the database stand for.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Names {
    /// The entries of the file of players (`.JOU`).
    pub players: Vec<String>,
    /// The entries of the file of tournaments (`.TRN`).
    pub tournaments: Vec<String>,
}

/// Whether this looks like a file of the database rather than text: the first byte is a century, and the
/// file's date is a date.
pub(crate) fn is_database(bytes: &[u8]) -> bool {
    matches!(bytes, [19..=21, 0..=99, 1..=12, 1..=31, ..])
}

impl Database {
    /// Reads a file of games. Their moves are checked by [`StoredGame::record`].
    pub fn read(bytes: &[u8]) -> Result<Database, ParseError> {
        let header = header(bytes)?;
        let [.., year_low, year_high, size, _, solved_empties, _] = *header;
        // Old files leave the size out.
        if ![0, 8].contains(&size) {
            return Err(refused("the header", format!("a board of size {size}; only 8×8 is played here")));
        }
        let entries =
            entries::<GAME>(bytes, u32::from_le_bytes([header[4], header[5], header[6], header[7]]))?;
        let games = entries.iter().map(StoredGame::read).collect();
        Ok(Database { year: u16::from_le_bytes([year_low, year_high]), solved_empties, games })
    }

    /// Shows `visit` the games as records, until it breaks off.
    pub fn visit_records(&self, names: &Names, visit: &mut RecordVisitor<Othello>) -> Result<(), ParseError> {
        for (index, game) in self.games.iter().enumerate() {
            let mut record = game.record(names).map_err(|error| {
                let reason = format!("{}: {}", error.found, error.reason);
                refused(&format!("game {} of {}", index + 1, self.year), reason)
            })?;
            record.set_tag("Date", format!("{}.??.??", self.year));
            if visit(record).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl StoredGame {
    fn read(bytes: &[u8; GAME]) -> StoredGame {
        let [t0, t1, b0, b1, w0, w1, black_discs, best_black_discs, squares @ ..] = *bytes;
        StoredGame {
            tournament: u16::from_le_bytes([t0, t1]),
            black: u16::from_le_bytes([b0, b1]),
            white: u16::from_le_bytes([w0, w1]),
            black_discs,
            best_black_discs,
            squares,
        }
    }

    /// The game with its moves checked, its passes put in, and the outcome that the file gives.
    pub fn record(&self, names: &Names) -> Result<Record<Othello>, ParseError> {
        let name = |names: &[String], index: u16| match names.get(usize::from(index)) {
            Some(name) => name.clone(),
            None => format!("#{index}"),
        };
        let mut replay = Replay::new(Othello::start(&()));
        for &number in self.squares.iter().take_while(|&&number| number != 0) {
            let (row, column) = (number / 10, number % 10);
            if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
                return Err(refused(&format!("{number}"), "expected a square from 11 to 88".to_string()));
            }
            replay.pass_if_forced();
            let m = Move::new(u16::from(8 * (row - 1) + column - 1));
            let m = replay.position().refuse_unless_legal(m)?;
            replay.push(m);
        }
        if self.black_discs > 64 {
            return Err(refused(&format!("{}", self.black_discs), "a score above 64".to_string()));
        }
        replay.tag("Event", &name(&names.tournaments, self.tournament));
        replay.tag("Black", &name(&names.players, self.black));
        replay.tag("White", &name(&names.players, self.white));
        replay.set_outcome(Outcome::from_margin(2 * i16::from(self.black_discs) - 64, Player::First));
        Ok(replay.finish())
    }
}

impl Names {
    /// Reads the file of players and the file of tournaments.
    pub fn read(players: &[u8], tournaments: &[u8]) -> Result<Names, ParseError> {
        let players = names::<PLAYER_NAME>(players)?;
        Ok(Names { players, tournaments: names::<TOURNAMENT_NAME>(tournaments)? })
    }
}

/// The names in a file of names, each padded with zeros to `SIZE` bytes of Latin-1.
fn names<const SIZE: usize>(bytes: &[u8]) -> Result<Vec<String>, ParseError> {
    let header = header(bytes)?;
    let entries = entries::<SIZE>(bytes, u32::from(u16::from_le_bytes([header[8], header[9]])))?;
    let name =
        |entry: &[u8; SIZE]| entry.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as char).collect();
    Ok(entries.iter().map(name).collect())
}

fn header(bytes: &[u8]) -> Result<&[u8; HEADER], ParseError> {
    let header = bytes.first_chunk().filter(|_| is_database(bytes));
    header.ok_or_else(|| refused("the header", "expected 16 bytes that begin with a date".to_string()))
}

/// The entries after the header, which must be as many as it says.
fn entries<const SIZE: usize>(bytes: &[u8], promised: u32) -> Result<&[[u8; SIZE]], ParseError> {
    let (entries, rest) = bytes[HEADER..].as_chunks();
    if entries.len() != promised as usize || !rest.is_empty() {
        let found = entries.len();
        let reason = format!(
            "expected {promised} entries of {SIZE} bytes, found {found} and {} bytes more",
            rest.len()
        );
        return Err(refused("the file", reason));
    }
    Ok(entries)
}

fn refused(what: &str, reason: String) -> ParseError {
    ParseError { language: LANGUAGE, place: None, found: what.to_string(), reason }
}
