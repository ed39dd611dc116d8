//! A position as the terms of the evaluation want to see it: who attacks what, and where kings and pawns are.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_king_moves};

use super::side::{Side, double_pawn_attacks, down, pawn_attacks, rank, up};

/// Everything that several terms ask for. The attacks of pieces are filled in by the terms of pieces, which come first.
pub(super) struct Scene<'a> {
    pub board: &'a Board,
    pub occupied: BitBoard,
    /// What the men of each kind attack. [colour][kind]
    by: [[BitBoard; Piece::NUM]; Color::NUM],
    /// What anything attacks. [colour]
    all: [BitBoard; Color::NUM],
    /// What is attacked more than once. [colour]
    twice: [BitBoard; Color::NUM],
    /// The surroundings of the king. [colour]
    ring: [BitBoard; Color::NUM],
}

impl<'a> Scene<'a> {
    /// The scene with the attacks of pawns and kings.
    #[inline(always)]
    pub fn new(board: &'a Board) -> Scene<'a> {
        let mut scene = Scene {
            board,
            occupied: board.occupied(),
            by: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            all: [BitBoard::EMPTY; Color::NUM],
            twice: [BitBoard::EMPTY; Color::NUM],
            ring: [BitBoard::EMPTY; Color::NUM],
        };
        scene.begin::<super::side::White>();
        scene.begin::<super::side::Black>();
        scene
    }

    #[inline(always)]
    fn begin<S: Side>(&mut self) {
        let pawns = self.own::<S>(Piece::Pawn);
        let (by_pawns, by_two_pawns) = (pawn_attacks::<S>(pawns), double_pawn_attacks::<S>(pawns));
        let king = self.king::<S>();
        let by_king = get_king_moves(king);
        let side = S::COLOR as usize;
        self.by[side][Piece::Pawn as usize] = by_pawns;
        self.by[side][Piece::King as usize] = by_king;
        self.all[side] = by_pawns | by_king;
        self.twice[side] = by_two_pawns | by_pawns & by_king;
        // Squares that two pawns protect are no weakness.
        self.ring[side] = RING[king as usize] - by_two_pawns;
    }

    /// Notes what a piece attacks.
    #[inline(always)]
    pub fn note<S: Side>(&mut self, piece: Piece, attacked: BitBoard) {
        let side = S::COLOR as usize;
        self.by[side][piece as usize] |= attacked;
        self.twice[side] |= self.all[side] & attacked;
        self.all[side] |= attacked;
    }

    /// The men of one kind.
    #[inline(always)]
    pub fn own<S: Side>(&self, piece: Piece) -> BitBoard {
        self.board.colored_pieces(S::COLOR, piece)
    }

    /// All men of a side.
    #[inline(always)]
    pub fn men<S: Side>(&self) -> BitBoard {
        self.board.colors(S::COLOR)
    }

    #[inline(always)]
    pub fn king<S: Side>(&self) -> Square {
        self.board.king(S::COLOR)
    }

    /// What the men of one kind attack.
    #[inline(always)]
    pub fn by<S: Side>(&self, piece: Piece) -> BitBoard {
        self.by[S::COLOR as usize][piece as usize]
    }

    /// What anything of this side attacks.
    #[inline(always)]
    pub fn all<S: Side>(&self) -> BitBoard {
        self.all[S::COLOR as usize]
    }

    /// What this side attacks more than once.
    #[inline(always)]
    pub fn twice<S: Side>(&self) -> BitBoard {
        self.twice[S::COLOR as usize]
    }

    /// The surroundings of the king.
    #[inline(always)]
    pub fn ring<S: Side>(&self) -> BitBoard {
        self.ring[S::COLOR as usize]
    }

    /// Where it is worth something to reach: not where an enemy pawn takes, not where the own king or a pawn stands that cannot move away.
    #[inline(always)]
    pub fn worth_reaching<S: Side>(&self) -> BitBoard {
        let pawns = self.own::<S>(Piece::Pawn);
        let blocked = pawns & down::<S>(self.occupied);
        let at_home = pawns & (rank::<S>(Rank::Second) | rank::<S>(Rank::Third));
        !(self.by::<S::Enemy>(Piece::Pawn) | blocked | at_home | self.own::<S>(Piece::King))
    }

    /// Where pawns can step, once or twice.
    #[inline(always)]
    pub fn pawn_steps<S: Side>(&self) -> BitBoard {
        let one = up::<S>(self.own::<S>(Piece::Pawn)) - self.occupied;
        one | (up::<S>(one & rank::<S>(Rank::Third)) - self.occupied)
    }
}

/// The three by three squares around a king, taken from the edge of the board to the line beside it. [king]
static RING: [BitBoard; Square::NUM] = {
    let mut rings = [BitBoard::EMPTY; Square::NUM];
    let mut king = 0;
    while king < Square::NUM {
        let (file, rank) = (inside(king % 8), inside(king / 8));
        let mut square = 0;
        while square < Square::NUM {
            if (square % 8).abs_diff(file) <= 1 && (square / 8).abs_diff(rank) <= 1 {
                rings[king].0 |= 1 << square;
            }
            square += 1;
        }
        king += 1;
    }
    rings
};

/// A line that has one on either side.
const fn inside(line: usize) -> usize {
    match line {
        0 => 1,
        7 => 6,
        _ => line,
    }
}
