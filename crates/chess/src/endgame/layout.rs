//! Numbers for the positions of an ending.

use std::sync::LazyLock;

use cozy_chess::{Color, Piece, Rank, Square};

use super::ending::{Ending, MOST_MEN};
use super::lead::{LeadTable, Leaders, Turn};

/// A man: whose it is, and what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Man {
    pub color: Color,
    pub piece: Piece,
}

/// Where the men of a layout stand, and who moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// In the order of the layout's men; beyond them anything.
    pub squares: [Square; MOST_MEN],
    pub mover: Color,
}

/// The men of an ending in the order in which their squares make up a number.
pub(super) struct Layout {
    pub ending: Ending,
    men: [Man; MOST_MEN],
    count: usize,
    // [colour]
    kings: [usize; 2],
    lead: &'static LeadTable,
    /// Whether both sides have the same men. Then White moves, always: otherwise the colours are exchanged.
    is_mirrored: bool,
    /// Whether the last two men are interchangeable.
    ends_in_a_pair: bool,
    /// In how many ways the men that do not lead can stand.
    rests: usize,
}

/// One table for each kind of leaders.
static LEADS: LazyLock<[LeadTable; 4]> = LazyLock::new(|| {
    [Leaders::Kings, Leaders::PawnAndKing, Leaders::PawnPair, Leaders::PawnsOfBoth].map(LeadTable::new)
});

impl Layout {
    pub fn new(ending: Ending) -> Layout {
        let man = |color, piece| Man { color, piece };
        let kings = Color::ALL.map(|color| man(color, Piece::King));
        let others = || {
            Color::ALL.into_iter().flat_map(|color| ending.army(color).map(move |piece| man(color, piece)))
        };
        let pawns: Vec<Man> = others().filter(|other| other.piece == Piece::Pawn).collect();
        let leaders = match pawns[..] {
            [] => Leaders::Kings,
            [_] => Leaders::PawnAndKing,
            [one, another, ..] if one.color == another.color => Leaders::PawnPair,
            _ => Leaders::PawnsOfBoth,
        };
        // Pawns, kings, pieces: so whoever leads comes first.
        let order =
            pawns.iter().copied().chain(kings).chain(others().filter(|other| other.piece != Piece::Pawn));
        let order: Vec<Man> = order.collect();
        let mut men = [kings[0]; MOST_MEN];
        men[..order.len()].copy_from_slice(&order);
        let ends_in_a_pair = matches!(order[2..], [one, another] if one == another);
        let free = order.len() - 2;
        Layout {
            ending,
            men,
            count: order.len(),
            kings: kings.map(|king| order.iter().position(|&man| man == king).unwrap_or(0)),
            lead: &LEADS[leaders as usize],
            is_mirrored: ending.army(Color::White).eq(ending.army(Color::Black)),
            ends_in_a_pair,
            rests: if ends_in_a_pair { 64 * 63 / 2 } else { 64usize.pow(free as u32) },
        }
    }

    pub fn men(&self) -> &[Man] {
        &self.men[..self.count]
    }

    /// Which of the men is the king of this colour.
    #[inline]
    pub fn king(&self, color: Color) -> usize {
        self.kings[color as usize]
    }

    /// How many numbers there are: some mean no position, or one that has another number too.
    pub fn len(&self) -> usize {
        let sides = if self.is_mirrored { 1 } else { 2 };
        sides * self.lead.count() * self.rests
    }

    /// The number of a position, whichever way it is turned. No two men stand on one square, kings are not neighbours and pawns stand
    /// where pawns can.
    #[inline]
    pub fn index(&self, placement: &Placement) -> usize {
        let Placement { mut squares, mut mover } = *placement;
        if self.is_mirrored && mover == Color::Black {
            // Equal men of the two sides stand side by side in the layout.
            for pair in squares.chunks_exact_mut(2) {
                pair.swap(0, 1);
            }
            squares = squares.map(Square::flip_rank);
            mover = Color::White;
        }
        let lead = self.lead.get(squares[0], squares[1]);
        let [one, another] = lead.turns;
        let mut rest = self.rest(&squares, one);
        if one != another {
            rest = rest.min(self.rest(&squares, another));
        }
        (mover as usize * self.lead.count() + usize::from(lead.number)) * self.rests + rest
    }

    #[inline]
    fn rest(&self, squares: &[Square; MOST_MEN], turn: Turn) -> usize {
        let third = turn.apply(squares[2]) as usize;
        if self.count == 3 {
            return third;
        }
        let fourth = turn.apply(squares[3]) as usize;
        if self.ends_in_a_pair {
            let (low, high) = (third.min(fourth), third.max(fourth));
            return high * (high - 1) / 2 + low;
        }
        third * 64 + fourth
    }

    /// The position with this number, which is below [`Layout::len`]; `None` if there is none, or if it has a lower number too.
    pub fn placement(&self, index: usize) -> Option<Placement> {
        let (above, rest) = (index / self.rests, index % self.rests);
        let (side, number) = (above / self.lead.count(), above % self.lead.count());
        let (first, second) = self.lead.squares(number);
        let mut squares = [first, second, Square::A1, Square::A1];
        let (third, fourth) = match () {
            () if self.count == 3 => (rest, 0),
            () if self.ends_in_a_pair => unpaired(rest),
            () => (rest / 64, rest % 64),
        };
        squares[2] = Square::index(third);
        squares[3] = Square::index(fourth);
        let placement = Placement { squares, mover: Color::ALL[side] };
        (self.is_possible(&placement) && self.index(&placement) == index).then_some(placement)
    }

    /// Whether every man has a square for himself, and one on which he can stand.
    fn is_possible(&self, placement: &Placement) -> bool {
        let squares = &placement.squares[..self.count];
        self.men().iter().zip(squares).enumerate().all(|(place, (man, square))| {
            let is_outside = matches!(square.rank(), Rank::First | Rank::Eighth);
            !(squares[..place].contains(square) || man.piece == Piece::Pawn && is_outside)
        })
    }
}

/// The two numbers of a pair, the lower one first.
fn unpaired(pair: usize) -> (usize, usize) {
    let high = (1..64).rev().find(|high| high * (high - 1) / 2 <= pair).unwrap_or(1);
    (pair - high * (high - 1) / 2, high)
}
