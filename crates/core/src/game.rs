//! The [`Game`] contract and the three small types it speaks in.

use std::fmt::{self, Debug};
use std::ops::Not;

use crate::{MoveList, Rng};

/// One of the two players. `First` is whoever opens the game: White in chess, Black in Othello and Connect6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Player {
    /// The player who opens the game.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both players, in the order of [`Player::index`].
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// 0 for `First`, 1 for `Second`: for tables with one entry a player.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

impl Not for Player {
    type Output = Player;

    #[inline]
    fn not(self) -> Player {
        self.other()
    }
}

/// A move, packed by its game into 16 bits.
///
/// One concrete type for all games keeps tables, trees, records and reports free of type parameters. What the
/// bits mean is the game's own business; a turn that needs more than 16 bits is several moves by the same
/// player (two stones a turn in Connect6). The value `0xFFFF` is never a move, so that packed tables may use
/// it for "none"; everywhere else "no move" is `Option<Move>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// The bit pattern that no game uses.
    pub const RESERVED_BITS: u16 = u16::MAX;

    /// Wraps a game's own bits.
    #[inline]
    pub const fn new(bits: u16) -> Move {
        debug_assert!(bits != Move::RESERVED_BITS);
        Move(bits)
    }

    /// The game's own bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The bits as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Move({})", self.0)
    }
}

/// How a finished game ended: who won, and by how much.
///
/// The margin is 1 in games that are only won or lost and, say, the disc difference in Othello.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome(i16);

impl Outcome {
    /// Nobody won.
    pub const DRAW: Outcome = Outcome(0);

    /// A plain win for `winner`.
    pub const fn win(winner: Player) -> Outcome {
        Outcome::from_margin(1, winner)
    }

    /// A result as seen by `player`: positive if they won by so much, negative if they lost by so much.
    pub const fn from_margin(margin: i16, player: Player) -> Outcome {
        match player {
            Player::First => Outcome(margin),
            Player::Second => Outcome(-margin),
        }
    }

    /// The utility for `player`: positive if they won by so much, negative if they lost by so much.
    #[inline]
    pub const fn for_player(self, player: Player) -> i16 {
        match player {
            Player::First => self.0,
            Player::Second => -self.0,
        }
    }

    /// The winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Player> {
        match self.0 {
            0 => None,
            1.. => Some(Player::First),
            _ => Some(Player::Second),
        }
    }

    /// By how much the winner won; 0 for a draw.
    pub const fn margin(self) -> i16 {
        self.0.abs()
    }
}

/// A position of a two-player, zero-sum game with nothing hidden, together with the rules that move it on.
///
/// The six parts of the textbook definition are the six required methods. Everything else that a search may
/// want (evaluation, undo, symmetry, text) lives in traits of its own, so that this one stays small.
///
/// A position knows nothing of the past. What depends on the past, repetition, is asked of [`crate::History`],
/// which calls back to [`Game::repeated`].
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// What is fixed before the first move: board size, length of a winning row, Chess960 array; `()` if nothing.
    type Rules: Clone + Default + PartialEq + Debug + Send + Sync;

    /// The list type that [`Game::legal_moves`] returns. `Vec<Move>` will do; see [`MoveList`] for faster ones.
    type Moves: MoveList;

    /// Whether the players strictly take turns. Leave it `false` if a player may ever move twice in a row;
    /// `true` lets the searches drop a test. A search changes sign when [`Game::to_move`] changes.
    const ALTERNATES: bool = false;

    /// The largest margin of an [`Outcome`]. Games with 1 are played for the quickest win, others for the
    /// largest margin.
    const MAX_MARGIN: i16 = 1;

    /// Whether a position can come back later in the same game. `false` lets the searches keep no history.
    const REPEATS: bool = false;

    /// The position in which a game under these rules begins.
    fn start(rules: &Self::Rules) -> Self;

    /// The player who moves now. In a finished position: the one who would.
    fn to_move(&self) -> Player;

    /// All legal moves, each once, in an order that depends on the position alone.
    ///
    /// Empty only if the game is over. The converse need not hold: a draw by a counting rule (fifty moves,
    /// insufficient material) leaves the moves where they are, and perft counts them.
    fn legal_moves(&self) -> Self::Moves;

    /// Plays a legal move. What an illegal one does is not specified, short of undefined behaviour.
    fn play(&mut self, m: Move);

    /// `None` while the game goes on, otherwise how it ended.
    fn outcome(&self) -> Option<Outcome>;

    /// A 64-bit key, equal for equal positions and different (but for chance) for different ones.
    ///
    /// Must be cheap: kept incrementally, or computed from a few words. Whose move it is counts; how the
    /// position came about, move counters included, does not.
    fn key(&self) -> u64;

    /// The position after a legal move.
    #[inline]
    #[must_use]
    fn after(&self, m: Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }

    /// Whether `m`, which may be any bit pattern, is legal here.
    fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().includes(m)
    }

    /// How many legal moves there are; worth overriding where counting is cheaper than listing.
    #[inline]
    fn legal_count(&self) -> usize {
        self.legal_moves().count()
    }

    /// Whether play can go on here: it can while there is no outcome, and also after a draw that players may or may
    /// not claim. A search that is asked about such a position finds a move.
    #[inline]
    fn can_play_on(&self) -> bool {
        self.outcome().is_none()
    }

    /// The position with the other player to move, as if the mover had passed, whether the rules allow that or not: what the opponent would do
    /// then is what he threatens. `None` where no game could go on from there, as with a king that could be taken, and where nobody has said how.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// How many plies back this position could have stood on the board before: 0 right after a move that
    /// cannot be taken back over the board.
    #[inline]
    fn reversible_plies(&self) -> usize {
        0
    }

    /// How the game ends when this position stands on the board for the `times`-th time.
    fn repeated(&self, times: usize) -> Option<Outcome> {
        let _ = times;
        None
    }

    /// A random legal move, each as likely as any other: the `n`-th, where `n` is the next number that `rng` says [below](Rng::below) their
    /// count. There has to be one.
    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Move {
        let moves = self.legal_moves();
        moves.nth(rng.below(moves.count()))
    }

    /// How the game ends if both players make [random moves](Game::random_move) from here on; repetition is not looked for.
    ///
    /// Worth overriding where a whole game can be played more quickly than move by move: by the same random numbers it has to be the
    /// same game.
    fn random_end(mut self, rng: &mut Rng) -> Outcome {
        loop {
            if let Some(outcome) = self.outcome() {
                return outcome;
            }
            self.play(self.random_move(rng));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_seen_from_both_sides() {
        let outcome = Outcome::from_margin(12, Player::Second);
        assert_eq!(outcome.winner(), Some(Player::Second));
        assert_eq!(outcome.for_player(Player::Second), 12);
        assert_eq!(outcome.for_player(Player::First), -12);
        assert_eq!(outcome.margin(), 12);
        assert_eq!(Outcome::win(Player::First).for_player(Player::Second), -1);
        assert_eq!(Outcome::DRAW.winner(), None);
    }

    #[test]
    fn a_move_is_two_bytes() {
        assert_eq!(size_of::<Move>(), 2);
    }
}
