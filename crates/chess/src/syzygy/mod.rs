//! Syzygy tablebases: who wins, under the fifty-move rule, and which moves make progress.
//!
//! The probing is done by the crate `pyrrhic-rs`, a translation of C code with one global state, so one [`Syzygy`] can be open at a time.
//! It believes what it reads: files are looked at before it sees them, but a forged table can still make it fail. It compiles on x86-64
//! only, and the feature `syzygy` takes it out; then nothing can be opened.

#[cfg(all(feature = "syzygy", target_arch = "x86_64"))]
#[path = "pyrrhic.rs"]
mod prober;
#[cfg(not(all(feature = "syzygy", target_arch = "x86_64")))]
#[path = "absent.rs"]
mod prober;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use outplay_core::{Game, Move};

use crate::Chess;
use crate::endgame::{Verdict, Wdl};

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
    /// The name of a folder cannot be used.
    #[error("{}: the names of Syzygy folders must be Unicode, without a colon", .0.display())]
    Name(PathBuf),
    /// Others are open.
    #[error("other Syzygy tables are open already")]
    AlreadyOpen,
    /// This program was built without them.
    #[error("this program was built without Syzygy probing")]
    Unsupported,
}

/// Open tablebases. Any number of threads may ask.
pub struct Syzygy {
    prober: prober::Prober,
    // Counted here, as the crate takes tables for present that are not.
    most_men: u32,
}

impl Syzygy {
    /// Opens all tables in these folders.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Result<Syzygy, SyzygyError> {
        let mut most_men = 0;
        let mut names = Vec::new();
        for folder in folders.iter().map(AsRef::as_ref) {
            let name = folder.to_str().filter(|name| !name.is_empty() && !name.contains([':', '\0']));
            names.push(name.ok_or_else(|| SyzygyError::Name(folder.to_path_buf()))?);
            most_men = most_men.max(most_men_in(folder)?);
        }
        if most_men == 0 {
            return Err(SyzygyError::NoTables);
        }
        Ok(Syzygy { prober: prober::Prober::open(&names.join(":"))?, most_men })
    }

    /// No position with more men is known.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// Who wins, if the count of the fifty-move rule begins here: trust it where [`Game::reversible_plies`] is nought. `None` if there is
    /// no table for the position, or if somebody may still castle.
    #[inline]
    pub fn wdl(&self, position: &Chess) -> Option<SyzygyWdl> {
        if !self.may_know(position) {
            return None;
        }
        self.prober.wdl(position)
    }

    /// All legal moves, the best first: those that keep the result, and among them those that win soonest or lose latest, counted to the
    /// next capture or pawn move. Whoever plays the first of them at every turn keeps what is his. `None` if a table is missing. Asked
    /// by several threads it answers one after the other.
    pub fn ranked_moves(&self, position: &Chess) -> Option<Vec<RankedMove>> {
        if !self.may_know(position) {
            return None;
        }
        let mut moves = self.prober.moves(position)?;
        moves.retain(|ranked| position.is_legal(ranked.played));
        moves.sort_by_key(|ranked| {
            let dtz = i32::from(ranked.dtz);
            std::cmp::Reverse((ranked.wdl, if ranked.wdl > SyzygyWdl::Draw { -dtz } else { dtz }))
        });
        (moves.len() == position.legal_count()).then_some(moves)
    }

    fn may_know(&self, position: &Chess) -> bool {
        let board = position.cozy();
        let may_castle = cozy_chess::Color::ALL
            .into_iter()
            .any(|color| *board.castle_rights(color) != cozy_chess::CastleRights::EMPTY);
        board.occupied().len() <= self.most_men() && !may_castle
    }
}

/// What files of each kind begin with.
const MAGICS: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xe8, 0x23, 0x5d]), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5])];

/// The most men that a win-draw-loss table in a folder has, if nothing in it is obviously damaged; nought if there is none.
fn most_men_in(folder: &Path) -> Result<u32, SyzygyError> {
    let unreadable = |error| SyzygyError::Folder { folder: folder.to_path_buf(), error };
    let mut most_men = 0;
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let extension = path.extension().unwrap_or_default();
        let Some((kind, magic)) = MAGICS.into_iter().find(|(kind, _)| extension == *kind) else { continue };
        if !is_sound(&path, magic).unwrap_or(false) {
            return Err(SyzygyError::Damaged(path));
        }
        if kind == "rtbw" {
            most_men = most_men.max(men_of(&path));
        }
    }
    Ok(most_men)
}

/// How many men the table with this name has: as many as the name has letters, as in `KQvKR.rtbw`. Nought for any other name.
fn men_of(path: &Path) -> u32 {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_side =
        |side: &str| side.starts_with('K') && side[1..].chars().all(|letter| "QRBNP".contains(letter));
    match name.split_once('v') {
        Some((one, another)) if is_side(one) && is_side(another) => (name.len() - 1) as u32,
        _ => 0,
    }
}

/// Whether a file begins as it should, and has a length that whole files have: 16 bytes more than a multiple of 64.
fn is_sound(path: &Path, magic: [u8; 4]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut begin = [0; 4];
    file.read_exact(&mut begin)?;
    Ok(begin == magic && file.metadata()?.len() % 64 == 16)
}
