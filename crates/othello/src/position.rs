//! The position and the rules.

use std::fmt;

use outplay_core::{Game, Move, MoveList, Notation, Outcome, Player, Rng, zobrist};

use crate::kernels;
use crate::moves::{Moves, PASS};

/// An Othello position: 8×8, Black (the first player) begins.
///
/// The legal moves are kept with the discs: everyone who reaches a position asks for its moves, its outcome
/// or both, and so none of them computes anything. A player without a square passes. When neither has one the
/// game is over, and is won by the disc difference with the empty squares counted for the winner: a player
/// without a disc has lost by 64.
///
/// Passing stays possible when the game is over and leaves it so. Transcripts may end with such passes, and
/// the published perft numbers count them: a game that ends early is one line of play, however long.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Othello {
    mover: u64,
    opponent: u64,
    /// Where the mover may play.
    squares: u64,
    to_move: Player,
    /// Whether neither player has a square to play on.
    over: bool,
}

const _: () = assert!(size_of::<Othello>() == 32);

impl Othello {
    /// A set-up position; `None` if a square has two discs or the board has none at all.
    ///
    /// Anything else is a position that a game can go on from (or that has ended), even if no game could have
    /// led to it: fewer than four discs, or an empty centre, make good exercises.
    pub fn from_discs(black: u64, white: u64, to_move: Player) -> Option<Othello> {
        if black & white != 0 || black | white == 0 {
            return None;
        }
        let (mover, opponent) = match to_move {
            Player::First => (black, white),
            Player::Second => (white, black),
        };
        let squares = kernels::legal_moves(mover, opponent);
        Some(Othello { mover, opponent, squares, to_move, over: is_over(mover, opponent, squares) })
    }

    /// The discs of a player.
    #[inline]
    pub fn discs(&self, player: Player) -> u64 {
        if player == self.to_move { self.mover } else { self.opponent }
    }

    /// The discs of the player to move.
    #[inline]
    pub fn mover(&self) -> u64 {
        self.mover
    }

    /// The discs of the other player.
    #[inline]
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// The squares without a disc.
    #[inline]
    pub fn empty(&self) -> u64 {
        !(self.mover | self.opponent)
    }

    /// Whether the game goes on but the player to move has no square and must pass.
    #[inline]
    pub fn must_pass(&self) -> bool {
        self.squares == 0 && !self.over
    }

    /// This position with every board replaced by its image under a symmetry of the board.
    pub(crate) fn mapped(&self, map: impl Fn(u64) -> u64) -> Othello {
        let (mover, opponent, squares) = (map(self.mover), map(self.opponent), map(self.squares));
        Othello { mover, opponent, squares, ..*self }
    }

    /// How the game has ended, if it has.
    fn final_outcome(&self) -> Outcome {
        let difference = kernels::count_bits(self.mover) as i16 - kernels::count_bits(self.opponent) as i16;
        let empties = kernels::count_bits(self.empty()) as i16;
        Outcome::from_margin(difference + difference.signum() * empties, self.to_move)
    }

    /// The position after a pass. Out of line, because loops over moves otherwise compute it ahead of time
    /// for every position.
    #[cold]
    #[inline(never)]
    fn after_pass(&self) -> Othello {
        let (mover, opponent) = (self.opponent, self.mover);
        let squares = kernels::legal_moves(mover, opponent);
        Othello { mover, opponent, squares, to_move: !self.to_move, over: self.over }
    }
}

#[inline]
fn is_over(mover: u64, opponent: u64, squares: u64) -> bool {
    squares == 0 && kernels::legal_moves(opponent, mover) == 0
}

impl Game for Othello {
    type Rules = ();
    type Moves = Moves;

    // A pass is a move, so the players do take turns.
    const ALTERNATES: bool = true;
    const MAX_MARGIN: i16 = 64;

    fn start(_: &()) -> Othello {
        let (e4, d5, d4, e5) = (1 << 28, 1 << 35, 1 << 27, 1 << 36);
        let squares = kernels::legal_moves(e4 | d5, d4 | e5);
        Othello { mover: e4 | d5, opponent: d4 | e5, squares, to_move: Player::First, over: false }
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn legal_moves(&self) -> Moves {
        Moves(self.squares)
    }

    // Written field by field: assigning the whole would build it elsewhere and copy it over.
    #[inline(always)]
    fn play(&mut self, m: Move) {
        let after = self.after(m);
        self.mover = after.mover;
        self.opponent = after.opponent;
        self.squares = after.squares;
        self.to_move = after.to_move;
        self.over = after.over;
    }

    #[inline(always)]
    fn after(&self, m: Move) -> Othello {
        if m == PASS {
            return self.after_pass();
        }
        let square = u32::from(m.bits() % 64);
        let flipped = kernels::flips(self.mover, self.opponent, square);
        let (mover, opponent) = (self.opponent & !flipped, self.mover | flipped | 1 << square);
        let squares = kernels::legal_moves(mover, opponent);
        let over = is_over(mover, opponent, squares);
        Othello { mover, opponent, squares, to_move: !self.to_move, over }
    }

    fn passed(&self) -> Option<Othello> {
        Some(self.after_pass())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| self.final_outcome())
    }

    /// Computed from the boards by two wide multiplications: a move changes the colour of many discs, so that
    /// a key kept up to date disc by disc would cost more, and would cost it even where nobody asks for it.
    #[inline]
    fn key(&self) -> u64 {
        const WORDS: [u64; 4] = zobrist::table(8);
        // Whose move it is counts: each player as the mover has a word.
        let mover = self.mover ^ WORDS[self.to_move.index()];
        folded_product(folded_product(mover, self.opponent ^ WORDS[2]), WORDS[3])
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().includes(m)
    }

    fn random_end(mut self, rng: &mut Rng) -> Outcome {
        if !self.over {
            let plies;
            (self.mover, self.opponent, plies) =
                kernels::random_game(self.mover, self.opponent, self.squares, rng);
            self.to_move = if plies % 2 == 0 { self.to_move } else { !self.to_move };
        }
        self.final_outcome()
    }
}

/// Both halves of the 128-bit product, one folded onto the other.
#[inline]
const fn folded_product(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

impl fmt::Debug for Othello {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Othello({})", self.position_text())
    }
}
