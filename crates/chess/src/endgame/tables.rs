//! All tables that there are, and what they say of a position.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cozy_chess::{Color, Piece};
use outplay_core::{Game, MoveList};

use super::Verdict;
use super::catalogue::{CATALOGUE, Place, Scene};
use super::ending::{Ending, MOST_MEN};
use super::generate::{Generator, Progress, Unfinished};
use super::layout::Man;
use super::table::{Table, TableError};
use super::value::{Value, better};
use crate::{Chess, to_cozy};

/// The extension of a table's file, whose name is the ending's: `KQvKR.dtm`.
const EXTENSION: &str = "dtm";

/// Endgame tables in memory, compressed; what is asked for is decompressed and kept. Any number of threads may ask.
pub struct EndgameTables {
    /// In the order of [`Ending::all`].
    tables: Vec<Option<Table>>,
    most_men: u32,
}

/// Why tables cannot be opened or made.
#[derive(Debug, thiserror::Error)]
pub enum EndgameError {
    /// The folder cannot be read.
    #[error("{}: cannot be read: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is no table in a folder.
    #[error("{}: there are no endgame tables (.dtm files) in this folder", .0.display())]
    NoTables(PathBuf),
    /// A file is not what its name says.
    #[error("{} {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: TableError,
    },
    /// A table needs others that are not there.
    #[error("{0} cannot be built before the endings that its captures and promotions lead to")]
    SmallerIsMissing(Ending),
    /// Progress was told to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Default for EndgameTables {
    fn default() -> EndgameTables {
        EndgameTables { tables: CATALOGUE.layouts.iter().map(|_| None).collect(), most_men: 0 }
    }
}

impl EndgameTables {
    /// Opens whatever tables are in a folder. A file that bears the name of an ending and is not its table is an error: it is better to
    /// know.
    pub fn open(folder: &Path) -> Result<EndgameTables, EndgameError> {
        let unreadable = |error| EndgameError::Folder { folder: folder.to_path_buf(), error };
        fs::read_dir(folder).map_err(unreadable)?;
        let mut tables = EndgameTables::default();
        for ending in Ending::all() {
            tables.load(folder, ending)?;
        }
        Ok(tables)
    }

    /// Opens the table of an ending; whether there was one.
    pub fn load(&mut self, folder: &Path, ending: Ending) -> Result<bool, EndgameError> {
        let file = EndgameTables::file(folder, ending);
        let number = number_of(ending);
        let read = match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => Err(TableError::from(error)),
            Ok(bytes) => Table::read(&CATALOGUE.layouts[number], &bytes),
        };
        self.set(ending, read.map_err(|error| EndgameError::File { file, error })?);
        Ok(true)
    }

    /// The file of an ending.
    pub fn file(folder: &Path, ending: Ending) -> PathBuf {
        folder.join(format!("{ending}.{EXTENSION}"))
    }

    /// Makes the table of an ending from those that are there, and adds it. Takes seconds, and some twenty megabytes for a while.
    pub fn build(&mut self, ending: Ending, progress: &mut Progress) -> Result<(), EndgameError> {
        let layout = &CATALOGUE.layouts[number_of(ending)];
        let values = Generator::run(layout, self, progress).map_err(|why| match why {
            Unfinished::Interrupted => EndgameError::Interrupted,
            Unfinished::SmallerIsMissing => EndgameError::SmallerIsMissing(ending),
        })?;
        self.set(ending, Table::new(&values));
        Ok(())
    }

    /// Writes the file of an ending, if its table is there.
    pub fn write(&self, ending: Ending, out: &mut dyn Write) -> io::Result<()> {
        match &self.tables[number_of(ending)] {
            Some(table) => table.write(ending, out),
            None => Err(io::Error::other(format!("there is no table of {ending}"))),
        }
    }

    fn set(&mut self, ending: Ending, table: Table) {
        self.tables[number_of(ending)] = Some(table);
        self.most_men = self.most_men.max(ending.men() as u32);
    }

    /// The endings whose tables are there.
    pub fn endings(&self) -> impl Iterator<Item = Ending> {
        let layouts = CATALOGUE.layouts.iter().zip(&self.tables);
        layouts.filter(|(_, table)| table.is_some()).map(|(layout, _)| layout.ending)
    }

    /// No position with more men is known.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// What a position is worth if both sides play their best, with the plies to mate.
    ///
    /// `None` if there is no table for it, or if somebody may still castle. The fifty-move rule is not taken into account: some wins take
    /// longer than it allows when the count does not begin at nought.
    #[inline]
    pub fn probe(&self, position: &Chess) -> Option<Verdict> {
        let board = position.cozy();
        if board.occupied().len() > self.most_men {
            return None;
        }
        self.probe_few(position)
    }

    fn probe_few(&self, position: &Chess) -> Option<Verdict> {
        let board = position.cozy();
        if Color::ALL.into_iter().any(|color| *board.castle_rights(color) != cozy_chess::CastleRights::EMPTY)
        {
            return None;
        }
        self.value(&scene_of(position)?)
            .and_then(|value| match position.en_passant_square() {
                None => Some(value),
                Some(square) => self.with_capture_in_passing(position, square, value),
            })
            .map(Verdict::from)
    }

    /// The tables know nothing of captures in passing: they are tried, and the better of both counts.
    #[cold]
    fn with_capture_in_passing(
        &self,
        position: &Chess,
        square: cozy_chess::Square,
        without: Value,
    ) -> Option<Value> {
        let (mut best, mut has_other_moves) = (None, false);
        for m in position.legal_moves().each() {
            let is_in_passing = to_cozy(m)
                .is_some_and(|m| m.to == square && position.cozy().piece_on(m.from) == Some(Piece::Pawn));
            has_other_moves |= !is_in_passing;
            if is_in_passing {
                let value = self.value(&scene_of(&position.after(m))?)?.before();
                best = Some(best.map_or(value, |best| better(best, value)));
            }
        }
        match best {
            Some(best) if has_other_moves => Some(better(best, without)),
            Some(best) => Some(best),
            None => Some(without),
        }
    }

    /// What a scene is worth to its mover.
    #[inline]
    pub(super) fn value(&self, scene: &Scene) -> Option<Value> {
        match CATALOGUE.find(scene)? {
            Place::AlwaysDrawn => Some(Value::DRAW),
            Place::Table { number, index } => self.tables[number].as_ref()?.get(index),
        }
    }
}

/// The men of a position; `None` if there are too many.
pub(super) fn scene_of(position: &Chess) -> Option<Scene> {
    let board = position.cozy();
    let mut scene = Scene::new(board.side_to_move());
    if board.occupied().len() as usize > MOST_MEN {
        return None;
    }
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                scene.push(Man { color, piece }, square);
            }
        }
    }
    Some(scene)
}

/// The place of an ending in the catalogue.
pub(super) fn number_of(ending: Ending) -> usize {
    CATALOGUE.layouts.iter().position(|layout| layout.ending == ending).unwrap_or(0)
}
