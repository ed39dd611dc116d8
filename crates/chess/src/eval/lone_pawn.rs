//! King and pawn against king: every position, worked out when the first is asked for, in less than a millisecond.
//!
//! For each square of the pawn and of its king there is a set of squares: those of the other king on which it has lost. So one operation
//! asks about all squares of that king at once.

use std::sync::OnceLock;

use cozy_chess::{BitBoard, Color, File, Rank, Square, get_king_moves};

use super::side::{White, beside, pawn_attacks};

/// Pawns on the left half, from the second rank to the seventh; those on the right are their mirror images.
const PAWNS: usize = 24;

/// The squares of the lone king on which it has lost. [square of the pawn's king]
type Lost = [BitBoard; Square::NUM];

/// What is known of one pawn.
#[derive(Clone, Copy)]
struct Known {
    /// With the side of the pawn to move.
    on_move: Lost,
    /// With the lone king to move.
    waiting: Lost,
}

/// A position with king and pawn against king.
#[derive(Clone, Copy, Debug)]
pub(super) struct LonePawn {
    pub pawn: Square,
    pub king: Square,
    pub lone_king: Square,
    /// The side of the pawn.
    pub side: Color,
    pub to_move: Color,
}

impl LonePawn {
    /// Whether the pawn wins.
    pub fn wins(self) -> bool {
        static TABLE: OnceLock<Box<[Known]>> = OnceLock::new();
        let known = TABLE.get_or_init(work_out);
        let is_mirrored = self.pawn.file() as usize > File::D as usize;
        let turn = |square: Square| {
            let square = square.relative_to(self.side);
            if is_mirrored { square.flip_file() } else { square }
        };
        let Some(known) = known.get(index(turn(self.pawn))) else { return true };
        let lost = if self.to_move == self.side { &known.on_move } else { &known.waiting };
        lost[turn(self.king) as usize].has(turn(self.lone_king))
    }
}

/// The place of a white pawn: those on the seventh rank first, because the others come to theirs.
fn index(pawn: Square) -> usize {
    (Rank::Seventh as usize - pawn.rank() as usize) * 4 + pawn.file() as usize
}

fn work_out() -> Box<[Known]> {
    let mut all: Vec<Known> = Vec::with_capacity(PAWNS);
    for place in 0..PAWNS {
        let pawn = Square::new(File::index(place % 4), Rank::index(Rank::Seventh as usize - place / 4));
        let steps = Square::ALL.map(|king| after_a_step(&all, pawn, king));
        let mut known =
            Known { on_move: [BitBoard::EMPTY; Square::NUM], waiting: [BitBoard::EMPTY; Square::NUM] };
        // Wins only become more; when a round finds no new one, there is none.
        while round(&mut known, pawn, &steps) {}
        all.push(known);
    }
    all.into()
}

/// Where the lone king has lost after the pawn has moved on.
fn after_a_step(known: &[Known], pawn: Square, king: Square) -> BitBoard {
    let step = pawn.offset(0, 1);
    if king == step {
        return BitBoard::EMPTY;
    }
    if step.rank() == Rank::Eighth {
        // The new queen must not be taken.
        let guarded = get_king_moves(king).has(step);
        let takers = if guarded { BitBoard::EMPTY } else { get_king_moves(step) };
        return !takers - step.bitboard();
    }
    let after = |to: Square| known[index(to)].waiting[king as usize] - step.bitboard();
    let mut lost = after(step);
    if pawn.rank() == Rank::Second {
        let double = pawn.offset(0, 2);
        if king != double {
            lost |= after(double) - double.bitboard();
        }
    }
    lost
}

/// Looks one ply further for all positions of a pawn; says whether that has found anything.
fn round(known: &mut Known, pawn: Square, steps: &Lost) -> bool {
    let pawn_squares = pawn.bitboard();
    let guarded_by_pawn = pawn_attacks::<White>(pawn_squares);
    let mut found = false;
    for king in Square::ALL.into_iter().filter(|king| *king != pawn) {
        let guarded = get_king_moves(king) | king.bitboard();
        let possible = !(guarded | pawn_squares);
        let by_king = (get_king_moves(king) - pawn_squares)
            .into_iter()
            .fold(BitBoard::EMPTY, |lost, to| lost | known.waiting[to as usize]);
        let on_move = (by_king | steps[king as usize]) & (possible - guarded_by_pawn);
        let free = !(guarded | guarded_by_pawn);
        // Where the lone king may go without losing; an unguarded pawn is among the squares, and taking it does not lose.
        let saving = free - on_move;
        let can_move = spread(free);
        let waiting = possible & ((can_move | guarded_by_pawn) - spread(saving));
        found |= on_move != known.on_move[king as usize] || waiting != known.waiting[king as usize];
        known.on_move[king as usize] = on_move;
        known.waiting[king as usize] = waiting;
    }
    found
}

/// The squares a king's step away.
fn spread(squares: BitBoard) -> BitBoard {
    let row = squares | beside(squares);
    beside(squares) | BitBoard(row.0 << 8) | BitBoard(row.0 >> 8)
}
