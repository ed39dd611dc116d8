//! Moves in 16 bits, and the list of legal ones.

use cozy_chess::{BitBoard, Piece, PieceMoves, Rank, Square};
use outplay_core::{Move, MoveList, nth_bit};

/// Where the target square begins in a move's bits; the origin stands below it.
const TARGET: u32 = 6;
/// Where the promotion begins: 0 for none, otherwise the index of the new piece, 1 (knight) to 4 (queen).
const PROMOTION: u32 = 12;

/// Packs a move: origin in bits 0–5, target in 6–11, promotion in 12–15. Castling is the king taking its own rook.
#[inline]
pub fn from_cozy(m: cozy_chess::Move) -> Move {
    packed(m.from, m.to, m.promotion.map_or(0, |piece| piece as u16))
}

/// Unpacks a move; `None` for bits that no chess move has.
#[inline]
pub fn to_cozy(m: Move) -> Option<cozy_chess::Move> {
    let promotion = match promotion(m) {
        0 => None,
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => return None,
    };
    Some(cozy_chess::Move { from: Square::index(origin(m)), to: Square::index(target(m)), promotion })
}

/// The index of the square that a move comes from.
#[inline]
pub(crate) fn origin(m: Move) -> usize {
    m.bits() as usize % Square::NUM
}

/// What a pawn becomes: 0 for nothing, otherwise the index of the new piece.
#[inline]
pub(crate) fn promotion(m: Move) -> usize {
    m.bits() as usize >> PROMOTION
}

/// The index of the square that a move goes to.
#[inline]
pub(crate) fn target(m: Move) -> usize {
    (m.bits() as usize >> TARGET) % Square::NUM
}

#[inline]
fn packed(from: Square, to: Square, promotion: u16) -> Move {
    Move::new(from as u16 | (to as u16) << TARGET | promotion << PROMOTION)
}

/// Visits the moves of one piece.
#[inline]
pub(crate) fn visit_each(moves: PieceMoves, mut visit: impl FnMut(Move)) {
    let fan = Fan::new(moves);
    for to in fan.targets {
        for promotion in fan.promotions() {
            visit(packed(fan.from, to, promotion));
        }
    }
}

/// A side has at most 16 pieces with moves, and two pawns may have an en-passant capture besides their others.
const MOST_FANS: usize = 18;

/// The legal moves of a position, kept as the generator makes them: one set of targets for each piece.
///
/// Filling and counting it touches no single move, and it holds any number of them: positions set up by hand can
/// have more than the 218 that are the most in a game.
#[derive(Clone, Debug)]
pub struct ChessMoves {
    fans: [Fan; MOST_FANS],
    len: usize,
}

/// The moves of one piece.
#[derive(Clone, Copy, Debug)]
struct Fan {
    from: Square,
    /// A pawn's targets are all on the last rank or none of them is.
    promotes: bool,
    targets: BitBoard,
}

impl Fan {
    const EMPTY: Fan = Fan { from: Square::A1, promotes: false, targets: BitBoard::EMPTY };

    #[inline]
    fn new(moves: PieceMoves) -> Fan {
        let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let promotes = moves.piece == Piece::Pawn && !moves.to.is_disjoint(last_ranks);
        Fan { from: moves.from, promotes, targets: moves.to }
    }

    #[inline]
    fn promotions(self) -> std::ops::Range<u16> {
        if self.promotes { Piece::Knight as u16..Piece::King as u16 } else { 0..1 }
    }

    #[inline]
    fn count(self) -> usize {
        self.targets.len() as usize * self.promotions().len()
    }

    #[inline]
    fn nth(self, index: usize) -> Move {
        let kinds = self.promotions();
        let target = Square::index(nth_bit(self.targets.0, (index / kinds.len()) as u32) as usize);
        packed(self.from, target, kinds.start + (index % kinds.len()) as u16)
    }
}

impl ChessMoves {
    pub(crate) const EMPTY: ChessMoves = ChessMoves { fans: [Fan::EMPTY; MOST_FANS], len: 0 };

    /// Adds the moves of one piece.
    #[inline]
    pub(crate) fn push(&mut self, moves: PieceMoves) {
        self.fans[self.len] = Fan::new(moves);
        self.len += 1;
    }

    #[inline]
    fn fans(&self) -> impl Iterator<Item = Fan> + '_ {
        self.fans[..self.len].iter().copied()
    }
}

impl MoveList for ChessMoves {
    #[inline]
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        Each { fans: self.fans[..self.len].iter(), from: Square::A1, targets: BitBoard::EMPTY, promotion: 0 }
    }

    #[inline]
    fn count(&self) -> usize {
        self.fans().map(Fan::count).sum()
    }

    #[inline]
    fn nth(&self, mut index: usize) -> Move {
        for fan in self.fans() {
            if index < fan.count() {
                return fan.nth(index);
            }
            index -= fan.count();
        }
        panic!("ChessMoves::nth: index past the end");
    }

    #[inline]
    fn includes(&self, m: Move) -> bool {
        to_cozy(m).is_some_and(|m| {
            self.fans().any(|fan| {
                fan.from == m.from && fan.targets.has(m.to) && fan.promotes == m.promotion.is_some()
            })
        })
    }
}

/// Takes the moves out of a list one by one.
struct Each<'a> {
    fans: std::slice::Iter<'a, Fan>,
    from: Square,
    /// What is left of the current piece's targets.
    targets: BitBoard,
    /// What the pawn becomes next; 0 if the piece does not promote.
    promotion: u16,
}

impl Iterator for Each<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        while self.targets.is_empty() {
            let fan = self.fans.next()?;
            (self.from, self.targets) = (fan.from, fan.targets);
            self.promotion = fan.promotions().start;
        }
        let to = self.targets.next_square()?;
        let m = packed(self.from, to, self.promotion);
        match self.promotion {
            1..=3 => self.promotion += 1,
            4 => {
                self.promotion = 1;
                self.targets ^= to.bitboard();
            }
            _ => self.targets ^= to.bitboard(),
        }
        Some(m)
    }

    /// At least so many: the promotions of the current pawn are counted once.
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let later: usize = self.fans.clone().map(|fan| fan.count()).sum();
        (self.targets.len() as usize + later, None)
    }
}
