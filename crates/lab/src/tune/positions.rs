//! Files of positions to learn from: text, one position a line, game after game.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// What the first line of every file begins with.
const MAGIC: &str = "# outplay positions 1: ";
/// What the line that ends a game begins with.
const END_OF_GAME: &str = "# game ";

/// A position to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptPosition {
    /// The position as text.
    pub position: String,
    /// What a search thought of it, for the first player, in hundredths.
    pub score: i32,
    /// How the game ended for the first player: 1, 0.5 or 0.
    pub result: f32,
    /// Which game it comes from, counted from 0.
    pub game: u32,
}

/// Why a file of positions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PositionFileError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("expected a file of positions, with {MAGIC:?} at its start")]
    NotPositions,
    /// The file holds games that were made otherwise.
    #[error("the file holds other games ({held}): choose another file, or go on with those")]
    OtherGames {
        /// How they were made.
        held: String,
    },
    /// A line that cannot be read.
    #[error("line {line}: expected POSITION;SCORE;RESULT, not {text:?}")]
    BadLine {
        /// Its number, counted from 1.
        line: usize,
        /// The line.
        text: String,
    },
}

/// A file that grows game by game. What is left of a game that was cut off is dropped when the file is opened again.
pub struct PositionFile {
    file: File,
    games: u32,
}

impl PositionFile {
    /// Opens a file for games that are made as `how` says in one line, or begins it.
    pub fn open(path: &Path, how: &str) -> Result<PositionFile, PositionFileError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let header = format!("{MAGIC}{how}\n");
        let (mut games, mut whole, mut at) = (0, 0, 0);
        let mut lines = BufReader::new(&file);
        let mut line = String::new();
        loop {
            line.clear();
            let read = (&mut lines).take(1 << 16).read_line(&mut line).map_err(not_text)?;
            if read == 0 || !line.ends_with('\n') {
                break;
            }
            if at == 0 && line != header {
                let held = line.trim_end().strip_prefix(MAGIC).ok_or(PositionFileError::NotPositions)?;
                return Err(PositionFileError::OtherGames { held: held.to_string() });
            }
            at += read as u64;
            if line.starts_with(END_OF_GAME) {
                games += 1;
                whole = at;
            } else if whole == 0 {
                whole = at;
            }
        }
        if at == 0 {
            if !line.is_empty() && !header.starts_with(line.as_str()) {
                return Err(PositionFileError::NotPositions);
            }
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(header.as_bytes())?;
        } else {
            // Only the header is whole if no game is.
            let whole = if games == 0 { header.len() as u64 } else { whole };
            file.set_len(whole)?;
            file.seek(SeekFrom::Start(whole))?;
        }
        Ok(PositionFile { file, games })
    }

    /// How many games it holds.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds the next game: its positions with their scores, and its result.
    pub fn add_game(&mut self, positions: &[(String, i32)], result: f32) -> io::Result<()> {
        let mut text = String::new();
        for (position, score) in positions {
            text += &format!("{position};{score};{result}\n");
        }
        text += &format!("{END_OF_GAME}{}\n", self.games);
        self.file.write_all(text.as_bytes())?;
        self.games += 1;
        Ok(())
    }
}

/// Text that is none is not ours.
fn not_text(error: io::Error) -> PositionFileError {
    match error.kind() {
        io::ErrorKind::InvalidData => PositionFileError::NotPositions,
        _ => error.into(),
    }
}

/// Reads the whole games of a file.
pub fn read_positions(path: &Path) -> Result<Vec<KeptPosition>, PositionFileError> {
    let mut all = Vec::new();
    visit_games(path, &mut |game| all.extend(game))?;
    Ok(all)
}

/// Shows `visit` the positions of each whole game of a file.
pub(super) fn visit_games(
    path: &Path,
    visit: &mut dyn FnMut(Vec<KeptPosition>),
) -> Result<(), PositionFileError> {
    let (mut this_game, mut game) = (Vec::new(), 0);
    for (index, line) in BufReader::new(File::open(path)?).lines().enumerate() {
        let line = line.map_err(not_text)?;
        if index == 0 {
            if !line.starts_with(MAGIC) {
                return Err(PositionFileError::NotPositions);
            }
        } else if line.starts_with(END_OF_GAME) {
            visit(std::mem::take(&mut this_game));
            game += 1;
        } else {
            let bad =
                || PositionFileError::BadLine { line: index + 1, text: line.chars().take(120).collect() };
            this_game.push(parse(&line, game).ok_or_else(bad)?);
        }
    }
    Ok(())
}

fn parse(line: &str, game: u32) -> Option<KeptPosition> {
    let mut fields = line.rsplitn(3, ';');
    let result: f32 = fields.next()?.parse().ok()?;
    let score = fields.next()?.parse().ok()?;
    let position = fields.next()?.to_string();
    [0.0, 0.5, 1.0].contains(&result).then_some(KeptPosition { position, score, result, game })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("outplay-{name}-{}", std::process::id()))
    }

    fn game(text: &str) -> Vec<(String, i32)> {
        vec![(text.to_string(), 12), (format!("{text} later"), -7)]
    }

    #[test]
    fn a_game_that_was_cut_off_is_made_again_and_others_stay() {
        let path = path("positions-cut");
        let mut file = PositionFile::open(&path, "seed 1").expect("a new file");
        file.add_game(&game("a"), 1.0).expect("room");
        file.add_game(&game("b"), 0.5).expect("room");
        drop(file);
        let whole = std::fs::read(&path).expect("our own file");
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).expect("our own file");
            let mut file = PositionFile::open(&path, "seed 1").expect("ours");
            for (index, (name, result)) in [("a", 1.0), ("b", 0.5)].into_iter().enumerate() {
                if file.games() as usize == index {
                    file.add_game(&game(name), result).expect("room");
                }
            }
            drop(file);
            assert_eq!(std::fs::read(&path).expect("our own file"), whole, "cut at {length}");
        }
        let read = read_positions(&path).expect("positions");
        let expected = KeptPosition { position: "b later".to_string(), score: -7, result: 0.5, game: 1 };
        assert_eq!((read.len(), &read[3]), (4, &expected));
        std::fs::remove_file(&path).expect("our own file");
    }

    #[test]
    fn files_of_something_else_are_left_alone() {
        let path = path("positions-other");
        for content in [&b"hello"[..], b"hello\n", b"\xFF\xFE\n", b"# outplay positions 1: seed 2\n"] {
            std::fs::write(&path, content).expect("our own file");
            assert!(PositionFile::open(&path, "seed 1").is_err(), "{content:?}");
            assert_eq!(std::fs::read(&path).expect("our own file"), content);
        }
        std::fs::write(&path, "# outplay positions 1: seed 1\nx;1;2\n").expect("our own file");
        let error = read_positions(&path).expect_err("no result is 2").to_string();
        assert!(error.contains("line 2") && error.contains("x;1;2"), "{error}");
        std::fs::remove_file(&path).expect("our own file");
    }
}
