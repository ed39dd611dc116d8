//! The position, and the rules that move it on.

use outplay_core::{Game, Move, Outcome, Player, Records, Symmetric, mix};

/// The side of the board.
pub const SIDE: usize = 8;
/// The pawns that a player begins with.
pub const PAWNS: u32 = 16;

/// The lowest row.
const FIRST_ROW: u64 = 0xff;
/// The highest row.
const LAST_ROW: u64 = FIRST_ROW << 56;

/// A position. Squares are numbered from 0 at the lower left, row by row; the first player goes up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakthrough {
    /// A bit for each pawn, by player.
    pawns: [u64; 2],
    to_move: Player,
}

impl Breakthrough {
    /// A position that somebody set up; `None` if no game gets there.
    pub fn from_pawns(pawns: [u64; 2], to_move: Player) -> Option<Breakthrough> {
        let position = Breakthrough { pawns, to_move };
        let is_sound = pawns[0] & pawns[1] == 0 && pawns.iter().all(|pawns| pawns.count_ones() <= PAWNS);
        // Nobody moves after a win, so that one pawn alone has arrived, of who moved last.
        let arrived = Player::BOTH.map(|player| position.arrived(player).count_ones());
        let is_ended_by_other = arrived[to_move.index()] == 0 && arrived[(!to_move).index()] <= 1;
        // Only what moved last can have captured everything.
        (is_sound && is_ended_by_other && position.pawns(!to_move) != 0).then_some(position)
    }

    /// The squares of a player's pawns, a bit each.
    pub fn pawns(&self, player: Player) -> u64 {
        self.pawns[player.index()]
    }

    /// Whose pawn stands on a square.
    pub fn pawn_at(&self, square: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.pawns(player) >> square & 1 == 1)
    }

    /// The pawns of a player that have reached the last row.
    fn arrived(&self, player: Player) -> u64 {
        self.pawns(player) & if player == Player::First { LAST_ROW } else { FIRST_ROW }
    }
}

/// The squares that a move leads from and to.
pub fn squares(m: Move) -> (usize, usize) {
    (m.index() / 64, m.index() % 64)
}

impl Game for Breakthrough {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = true;

    fn start(_: &()) -> Breakthrough {
        let two_rows = FIRST_ROW | FIRST_ROW << 8;
        Breakthrough { pawns: [two_rows, two_rows << 48], to_move: Player::First }
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        if self.outcome().is_some() {
            return moves;
        }
        let (own, other) = (self.pawns(self.to_move), self.pawns(!self.to_move));
        for from in (0..64).filter(|from| own >> from & 1 == 1) {
            let (column, row) = (from % SIDE, from / SIDE);
            let ahead = if self.to_move == Player::First { row + 1 } else { row - 1 };
            for to_column in column.saturating_sub(1)..=(column + 1).min(SIDE - 1) {
                let to = ahead * SIDE + to_column;
                // Straight ahead a pawn is stopped by anything, elsewhere by its own kind.
                let blocked = if to_column == column { own | other } else { own };
                if blocked >> to & 1 == 0 {
                    moves.push(Move::new((from * 64 + to) as u16));
                }
            }
        }
        moves
    }

    fn play(&mut self, m: Move) {
        let (from, to) = squares(m);
        self.pawns[self.to_move.index()] ^= 1 << from | 1 << to;
        self.pawns[(!self.to_move).index()] &= !(1 << to);
        self.to_move = !self.to_move;
    }

    fn outcome(&self) -> Option<Outcome> {
        // Only who moved last can have won.
        let last = !self.to_move;
        (self.arrived(last) != 0 || self.pawns(self.to_move) == 0).then_some(Outcome::win(last))
    }

    fn passed(&self) -> Option<Breakthrough> {
        Some(Breakthrough { to_move: !self.to_move, ..self.clone() })
    }

    fn key(&self) -> u64 {
        mix(self.pawns[0] ^ mix(self.pawns[1] ^ mix(self.to_move.index() as u64)))
    }
}

/// The board can be mirrored.
impl Symmetric for Breakthrough {
    fn symmetries(&self) -> usize {
        2
    }

    fn transformed(&self, index: usize) -> Breakthrough {
        // Squares of a row are the bits of a byte.
        let mirrored = |pawns: u64| u64::from_le_bytes(pawns.to_le_bytes().map(u8::reverse_bits));
        let pawns = if index == 0 { self.pawns } else { self.pawns.map(mirrored) };
        Breakthrough { pawns, ..*self }
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        // The columns are the lowest three bits of each square.
        let columns = 7 * 64 + 7;
        if index == 0 { m } else { Move::new(m.bits() ^ columns) }
    }
}

/// Game files in the manner of PGN.
impl Records for Breakthrough {}
