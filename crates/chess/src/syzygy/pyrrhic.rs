//! The probing crate, and nothing else of it.

use std::sync::{Mutex, PoisonError};

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use pyrrhic_rs::{DtzProbeValue, DtzResult, EngineAdapter, TBError, TableBases, WdlProbeResult};

use super::{RankedMove, SyzygyError, SyzygyWdl};
use crate::{Chess, from_cozy};

pub(super) struct Prober {
    tables: TableBases<Attacks>,
    /// Held while moves are ranked, which the crate wants to be done by one thread at a time.
    ranking: Mutex<()>,
}

/// Tells the crate how men move.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::index(index as usize % Square::NUM)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        get_pawn_attacks(square(from), color).0
    }

    fn knight_attacks(from: u64) -> u64 {
        get_knight_moves(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        get_bishop_moves(square(from), BitBoard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        get_rook_moves(square(from), BitBoard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Attacks::bishop_attacks(from, occupied) | Attacks::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        get_king_moves(square(from)).0
    }
}

/// A position in the words of the crate.
struct Words {
    // White, Black, then the pieces from king to pawn.
    sets: [u64; 8],
    /// Nought if there is none.
    en_passant: u32,
    is_whites_move: bool,
}

impl Words {
    fn of(position: &Chess) -> Words {
        let board = position.cozy();
        let pieces = |piece| board.pieces(piece).0;
        Words {
            sets: [
                board.colors(Color::White).0,
                board.colors(Color::Black).0,
                pieces(Piece::King),
                pieces(Piece::Queen),
                pieces(Piece::Rook),
                pieces(Piece::Bishop),
                pieces(Piece::Knight),
                pieces(Piece::Pawn),
            ],
            en_passant: position.en_passant_square().map_or(0, |square| square as u32),
            is_whites_move: board.side_to_move() == Color::White,
        }
    }
}

impl Prober {
    /// Folders are separated by colons.
    pub fn open(folders: &str) -> Result<Prober, SyzygyError> {
        let tables = TableBases::new(folders).map_err(|error| match error {
            TBError::AlreadyInitialized | TBError::NotSingleton => SyzygyError::AlreadyOpen,
            TBError::BadPath | TBError::InitFailed | TBError::ProbeFailed => SyzygyError::NoTables,
        })?;
        Ok(Prober { tables, ranking: Mutex::new(()) })
    }

    pub fn wdl(&self, position: &Chess) -> Option<SyzygyWdl> {
        let Words {
            sets: [white, black, kings, queens, rooks, bishops, knights, pawns],
            en_passant,
            is_whites_move,
        } = Words::of(position);
        let found = self.tables.probe_wdl(
            white,
            black,
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            en_passant,
            is_whites_move,
        );
        found.ok().map(wdl)
    }

    /// The legal moves, in the crate's order.
    pub fn moves(&self, position: &Chess) -> Option<Vec<RankedMove>> {
        let Words {
            sets: [white, black, kings, queens, rooks, bishops, knights, pawns],
            en_passant,
            is_whites_move,
        } = Words::of(position);
        let _one_at_a_time = self.ranking.lock().unwrap_or_else(PoisonError::into_inner);
        let found = self.tables.probe_root(
            white,
            black,
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            position.cozy().halfmove_clock().into(),
            en_passant,
            is_whites_move,
        );
        let found = found.ok()?;
        let moves = found.moves[..found.num_moves].iter();
        Some(
            moves
                .filter_map(|value| {
                    if let DtzProbeValue::DtzResult(result) = value { Some(ranked(result)) } else { None }
                })
                .collect(),
        )
    }
}

fn ranked(result: &DtzResult) -> RankedMove {
    let promotion = match result.promotion {
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    };
    let (from, to) = (square(result.from_square.into()), square(result.to_square.into()));
    RankedMove {
        played: from_cozy(cozy_chess::Move { from, to, promotion }),
        wdl: wdl(result.wdl),
        dtz: result.dtz,
    }
}

fn wdl(found: WdlProbeResult) -> SyzygyWdl {
    match found {
        WdlProbeResult::Loss => SyzygyWdl::Loss,
        WdlProbeResult::BlessedLoss => SyzygyWdl::BlessedLoss,
        WdlProbeResult::Draw => SyzygyWdl::Draw,
        WdlProbeResult::CursedWin => SyzygyWdl::CursedWin,
        WdlProbeResult::Win => SyzygyWdl::Win,
    }
}
