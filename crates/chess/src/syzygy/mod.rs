//! Syzygy tablebases: who wins, under the fifty-move rule, and which moves make progress.
//!
//! A reader of our own, of files that may have been forged: it believes nothing that it reads, so that the worst that a file can do is to tell lies. `table.rs` says
//! what is in a file, `placement.rs` and `numbers.rs` which number a position has there, `pairs.rs` how the value with a number is found, `pages.rs` how
//! bytes come into memory, and `probe.rs` what must be done besides: captures and pawn moves.

mod material;
mod numbers;
mod pages;
mod pairs;
mod placement;
mod probe;
mod table;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use cozy_chess::{CastleRights, Color};
use outplay_core::{Game, Move, MoveList};

use crate::endgame::{Verdict, Wdl};
use crate::{Chess, to_cozy};
use material::Material;
use pages::Budget;
use table::{Kind, Table};

/// What the tables say of a position, for the side to move. Greater is better for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SyzygyWdl {
    /// It is lost.
    Loss,
    /// It would be lost, but the fifty-move rule saves it.
    BlessedLoss,
    /// Nobody can win.
    Draw,
    /// It would be won, but not before the fifty-move rule makes it a draw.
    CursedWin,
    /// It is won.
    Win,
}

/// Whether the fifty-move rule counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiftyMoves {
    /// Wins that take too long are draws.
    Count,
    /// Every win is a win.
    Ignore,
}

impl SyzygyWdl {
    /// In the order of the numbers that tables have for them.
    const ALL: [SyzygyWdl; 5] =
        [SyzygyWdl::Loss, SyzygyWdl::BlessedLoss, SyzygyWdl::Draw, SyzygyWdl::CursedWin, SyzygyWdl::Win];

    /// For the other side.
    fn reversed(self) -> SyzygyWdl {
        match self {
            SyzygyWdl::Loss => SyzygyWdl::Win,
            SyzygyWdl::BlessedLoss => SyzygyWdl::CursedWin,
            SyzygyWdl::Draw => SyzygyWdl::Draw,
            SyzygyWdl::CursedWin => SyzygyWdl::BlessedLoss,
            SyzygyWdl::Win => SyzygyWdl::Loss,
        }
    }

    /// What a distance means, its sign saying who wins, where so many plies were counted towards the fifty-move rule.
    fn of_distance(plies: i32, counted: i32) -> SyzygyWdl {
        let is_in_time = plies.abs() + counted <= 100;
        match (plies.signum(), is_in_time) {
            (0, _) => SyzygyWdl::Draw,
            (1, true) => SyzygyWdl::Win,
            (1, false) => SyzygyWdl::CursedWin,
            (_, true) => SyzygyWdl::Loss,
            (_, false) => SyzygyWdl::BlessedLoss,
        }
    }

    /// In three words instead of five. The plies to mate are not known.
    pub fn verdict(self, fifty_moves: FiftyMoves) -> Verdict {
        let result = match (self, fifty_moves) {
            (SyzygyWdl::Win, _) | (SyzygyWdl::CursedWin, FiftyMoves::Ignore) => Wdl::Win,
            (SyzygyWdl::Loss, _) | (SyzygyWdl::BlessedLoss, FiftyMoves::Ignore) => Wdl::Loss,
            _ => Wdl::Draw,
        };
        Verdict { result, plies: None }
    }
}

/// A legal move of the position at the root of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub played: Move,
    /// What it leads to, for whoever makes it, with the plies already counted towards the fifty-move rule.
    pub wdl: SyzygyWdl,
    /// Plies to the next capture or pawn move, this move included, if the winner hurries and the loser delays; may be one too few.
    pub dtz: u16,
}

/// Why tablebases cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum SyzygyError {
    /// A folder cannot be read.
    #[error("{}: cannot be read: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is not what its name says.
    #[error("{} is not a Syzygy table, or not a whole one", .0.display())]
    Damaged(PathBuf),
    /// There is no table.
    #[error("there are no Syzygy tables (.rtbw files) in these folders")]
    NoTables,
}

/// Open tablebases. Any number of threads may ask, and any number of sets can be open.
pub struct Syzygy {
    sets: Sets,
    most_men: u32,
}

/// What of the files is kept in memory at most, by all tables of a set together.
const MOST_MEMORY: u64 = 512 << 20;

/// The tables by what is on the board, with either side as White.
#[derive(Default)]
struct Sets {
    numbers: HashMap<Material, usize, BuildHasherDefault<Mixed>>,
    endings: Vec<Files>,
}

#[derive(Default)]
struct Files {
    wdl: Option<Table>,
    dtz: Option<Table>,
}

/// A hash of one number.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = outplay_core::mix(self.0 ^ number);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }
}

impl Sets {
    #[inline]
    fn tables(&self, material: Material) -> Option<&Files> {
        self.numbers.get(&material).map(|&number| &self.endings[number])
    }

    fn tables_mut(&mut self, material: Material) -> &mut Files {
        let number = *self.numbers.entry(material).or_insert(self.endings.len());
        if number == self.endings.len() {
            self.numbers.insert(material.mirrored(), number);
            self.endings.push(Files::default());
        }
        &mut self.endings[number]
    }

    /// Adds the tables in a folder to those that are there. Of two with one name the first stays.
    fn add(&mut self, folder: &Path, budget: &Arc<Budget>) -> Result<(), SyzygyError> {
        let unreadable = |error| SyzygyError::Folder { folder: folder.to_path_buf(), error };
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let text = |part: Option<&std::ffi::OsStr>| {
                part.and_then(|part| part.to_str()).unwrap_or_default().to_string()
            };
            let named =
                (Kind::of_extension(&text(path.extension())), Material::parse(&text(path.file_stem())));
            let (Some(kind), Some(material)) = named else { continue };
            let files = self.tables_mut(material);
            let table = match kind {
                Kind::Wdl => &mut files.wdl,
                Kind::Dtz => &mut files.dtz,
            };
            if table.is_none() {
                let opened = Table::open(&path, kind, material, budget.clone());
                *table = Some(opened.ok_or(SyzygyError::Damaged(path))?);
            }
        }
        Ok(())
    }
}

impl Syzygy {
    /// Opens all tables in these folders. All are looked into, but for their values.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Result<Syzygy, SyzygyError> {
        let mut sets = Sets::default();
        let budget = Arc::new(Budget::new(MOST_MEMORY));
        for folder in folders {
            sets.add(folder.as_ref(), &budget)?;
        }
        let with_results = sets.numbers.iter().filter(|&(_, &number)| sets.endings[number].wdl.is_some());
        match with_results.map(|(material, _)| material.men()).max() {
            None => Err(SyzygyError::NoTables),
            Some(most_men) => Ok(Syzygy { sets, most_men: most_men as u32 }),
        }
    }

    /// No position with more men is known.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// Who wins, if the count of the fifty-move rule begins here: trust it where [`Game::reversible_plies`] is nought. `None` if there is
    /// no table for the position or what comes of it by captures, or if somebody may still castle.
    pub fn wdl(&self, position: &Chess) -> Option<SyzygyWdl> {
        if !self.may_know(position) {
            return None;
        }
        self.sets.wdl(position.cozy())
    }

    /// All legal moves, the best first: those that keep the result, and among them those that win soonest or lose latest, counted to the
    /// next capture or pawn move. Whoever plays the first of them at every turn keeps what is his. `None` if a table is missing.
    pub fn ranked_moves(&self, position: &Chess) -> Option<Vec<RankedMove>> {
        if !self.may_know(position) {
            return None;
        }
        let rank = |played| {
            let plies = self.sets.dtz_of_move(position.cozy(), to_cozy(played)?)?;
            let wdl = SyzygyWdl::of_distance(plies, position.reversible_plies() as i32);
            Some(RankedMove { played, wdl, dtz: plies.unsigned_abs().min(u16::MAX.into()) as u16 })
        };
        let mut moves: Vec<RankedMove> = position.legal_moves().each().map(rank).collect::<Option<_>>()?;
        moves.sort_by_key(|ranked| {
            let dtz = i32::from(ranked.dtz);
            std::cmp::Reverse((ranked.wdl, if ranked.wdl > SyzygyWdl::Draw { -dtz } else { dtz }))
        });
        Some(moves)
    }

    fn may_know(&self, position: &Chess) -> bool {
        let board = position.cozy();
        let may_castle =
            Color::ALL.into_iter().any(|color| *board.castle_rights(color) != CastleRights::EMPTY);
        board.occupied().len() <= self.most_men() && !may_castle
    }
}
