//! Asking tables. They are made for positions in which nothing can be captured and no pawn move is best: where something can, its value in them means little,
//! because captures and pawn moves are looked at anyway. They know nothing of captures in passing either.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::material::{Material, Men};
use super::table::Distance;
use super::{Sets, SyzygyWdl};

/// The mover's men that attack one of `targets`.
fn attackers(board: &Board, targets: BitBoard) -> BitBoard {
    let (mover, occupied) = (board.side_to_move(), board.occupied());
    let mut found = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for from in board.colored_pieces(mover, piece) {
            let attacked = match piece {
                Piece::Pawn => get_pawn_attacks(from, mover),
                Piece::Knight => get_knight_moves(from),
                Piece::Bishop => get_bishop_moves(from, occupied),
                Piece::Rook => get_rook_moves(from, occupied),
                Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
                Piece::King => get_king_moves(from),
            };
            if !(attacked & targets).is_empty() {
                found |= from.bitboard();
            }
        }
    }
    found
}

/// Visits the legal captures, each with whether it is one in passing, until told to stop.
fn each_capture(board: &Board, mut visit: impl FnMut(Move, bool) -> bool) {
    let mover = board.side_to_move();
    let enemies = board.colors(!mover) ^ board.colored_pieces(!mover, Piece::King);
    let passing = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(mover)));
    let targets = enemies | passing.map_or(BitBoard::EMPTY, Square::bitboard);
    if targets.is_empty() {
        return;
    }
    // Seldom any, and they are seen sooner than all moves are generated.
    let attackers = attackers(board, targets);
    if attackers.is_empty() {
        return;
    }
    board.generate_moves_for(attackers, |mut moves| {
        let of_pawn = moves.piece == Piece::Pawn;
        moves.to &= if of_pawn { targets } else { enemies };
        moves.into_iter().any(|m| visit(m, of_pawn && Some(m.to) == passing))
    });
}

fn after(board: &Board, m: Move) -> Board {
    let mut board = board.clone();
    board.play_unchecked(m);
    board
}

fn is_pawn_move(board: &Board, m: Move) -> bool {
    board.piece_on(m.from) == Some(Piece::Pawn)
}

fn is_capture(board: &Board, m: Move) -> bool {
    board.colors(!board.side_to_move()).has(m.to) || (is_pawn_move(board, m) && m.from.file() != m.to.file())
}

fn is_mate(board: &Board) -> bool {
    !board.checkers().is_empty() && !board.generate_moves(|_| true)
}

/// Who wins, and whether a capture says so.
#[derive(Clone, Copy)]
struct Found {
    wdl: SyzygyWdl,
    by_capture: bool,
}

impl Sets {
    /// Who wins.
    pub(super) fn wdl(&self, board: &Board) -> Option<SyzygyWdl> {
        self.find(board).map(|found| found.wdl)
    }

    fn find(&self, board: &Board) -> Option<Found> {
        let mut best = None;
        let mut best_passing = None;
        let mut is_unknown = false;
        each_capture(board, |m, in_passing| {
            let Some(value) = self.without_passing(&after(board, m)).map(SyzygyWdl::reversed) else {
                is_unknown = true;
                return true;
            };
            let best = if in_passing { &mut best_passing } else { &mut best };
            *best = (*best).max(Some(value));
            value == SyzygyWdl::Win
        });
        if is_unknown {
            return None;
        }
        if best.max(best_passing) == Some(SyzygyWdl::Win) {
            return Some(Found { wdl: SyzygyWdl::Win, by_capture: true });
        }
        let in_table = self.in_table(board)?;
        let without_passing = best.max(Some(in_table));
        // Where captures in passing are the only moves, the table takes the position for a stalemate.
        let must_pass =
            best_passing.is_some() && in_table == SyzygyWdl::Draw && has_only_captures_in_passing(board);
        Some(match best_passing {
            Some(wdl) if must_pass || best_passing > without_passing => Found { wdl, by_capture: true },
            _ => {
                let wdl = without_passing?;
                Found { wdl, by_capture: wdl > SyzygyWdl::Draw && [best, best_passing].contains(&Some(wdl)) }
            }
        })
    }

    /// Who wins after a capture, when nothing can be captured in passing.
    fn without_passing(&self, board: &Board) -> Option<SyzygyWdl> {
        let mut best = SyzygyWdl::Loss;
        let mut is_unknown = false;
        each_capture(board, |m, _| {
            match self.without_passing(&after(board, m)) {
                Some(value) => best = best.max(value.reversed()),
                None => is_unknown = true,
            }
            is_unknown || best == SyzygyWdl::Win
        });
        if is_unknown {
            return None;
        }
        if best == SyzygyWdl::Win { Some(best) } else { Some(best.max(self.in_table(board)?)) }
    }

    fn in_table(&self, board: &Board) -> Option<SyzygyWdl> {
        let men = Men::of(board);
        if men.material == Material::BARE_KINGS {
            return Some(SyzygyWdl::Draw);
        }
        self.tables(men.material)?.wdl.as_ref()?.wdl(&men, mover(board))
    }

    /// Plies to the next capture or pawn move if whoever wins hurries and whoever loses delays: less than nought if the mover loses, nought for a draw.
    /// Cursed wins and blessed losses begin behind a hundred. May be one too few.
    pub(super) fn dtz(&self, board: &Board) -> Option<i32> {
        let Found { wdl, by_capture } = self.find(board)?;
        if by_capture || wdl == SyzygyWdl::Draw {
            return Some(plies_before_zeroing(wdl));
        }
        let wins = wdl > SyzygyWdl::Draw;
        let mut moves = Vec::new();
        board.generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        moves.retain(|&m| !is_capture(board, m));
        if wins {
            for &m in moves.iter().filter(|&&m| is_pawn_move(board, m)) {
                if self.wdl(&after(board, m))?.reversed() == wdl {
                    return Some(plies_before_zeroing(wdl));
                }
            }
        }
        let men = Men::of(board);
        match self.tables(men.material)?.dtz.as_ref()?.distance(&men, mover(board), wdl)? {
            Distance::Plies(plies) => {
                let plies = i32::from(plies);
                return Some(plies_before_zeroing(wdl) + if wins { plies } else { -plies });
            }
            Distance::OtherSide => {}
        }
        // Losing by a capture or a pawn move comes first, if there is nothing else to do; and so does having been mated.
        let mut best = if wins { None } else { Some(plies_before_zeroing(wdl)) };
        for &m in moves.iter().filter(|&&m| !is_pawn_move(board, m)) {
            let after = after(board, m);
            let plies = -self.dtz(&after)?;
            if plies == 1 && is_mate(&after) {
                best = Some(1);
            } else if !wins || plies > 0 {
                let plies = plies + if wins { 1 } else { -1 };
                best = Some(best.map_or(plies, |best: i32| best.min(plies)));
            }
        }
        best
    }

    /// The same for a move of a position, counted from before the move.
    pub(super) fn dtz_of_move(&self, board: &Board, m: Move) -> Option<i32> {
        let zeroes = is_capture(board, m) || is_pawn_move(board, m);
        let after = after(board, m);
        if is_mate(&after) {
            return Some(1);
        }
        if zeroes {
            return Some(plies_before_zeroing(self.wdl(&after)?.reversed()));
        }
        let plies = -self.dtz(&after)?;
        Some(plies + plies.signum())
    }
}

/// White is the first.
fn mover(board: &Board) -> usize {
    usize::from(board.side_to_move() == Color::Black)
}

/// What the next move's being a capture or a pawn move with this result counts as.
fn plies_before_zeroing(wdl: SyzygyWdl) -> i32 {
    match wdl {
        SyzygyWdl::Loss => -1,
        SyzygyWdl::BlessedLoss => -101,
        SyzygyWdl::Draw => 0,
        SyzygyWdl::CursedWin => 101,
        SyzygyWdl::Win => 1,
    }
}

fn has_only_captures_in_passing(board: &Board) -> bool {
    let mut others = false;
    board.generate_moves(|of_piece| {
        others |= of_piece.into_iter().any(|m| {
            let in_passing = of_piece.piece == Piece::Pawn && m.from.file() != m.to.file();
            !(in_passing && board.piece_on(m.to).is_none())
        });
        others
    });
    !others
}
