//! What is known of a node, in one word, and what is backed up to it.

use outplay_core::{Outcome, Player};

/// Values are summed in whole numbers of this size, so that the order of additions does not matter.
pub(super) const UNIT: f64 = (1u64 << 30) as f64;

/// Whether anything is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Its evaluation is not back yet.
    Pending,
    /// It was evaluated.
    Ready,
    /// Its value is certain: the game is over, or the rest of it is known.
    Proven,
}

/// What the state word of a node says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct State(pub u64);

impl State {
    const VISITED: u64 = 0xFFFF;
    const MOVES_SHIFT: u32 = 16;
    const DISTANCE_SHIFT: u32 = 32;
    const STAGE_SHIFT: u32 = 48;
    const RESULT_SHIFT: u32 = 50;
    /// Set while a thread adds an edge.
    pub const LOCKED: u64 = 1 << 52;
    const SORTED: u64 = 1 << 53;
    const SECOND_MOVES: u64 = 1 << 54;

    /// A node of which nothing is known but who moves.
    pub fn new(to_move: Player) -> State {
        State(if to_move == Player::First { 0 } else { State::SECOND_MOVES })
    }

    /// It was evaluated; it has so many moves, if anybody has asked.
    pub fn ready(self, moves: usize) -> State {
        State(self.0 | (moves as u64) << State::MOVES_SHIFT | 1 << State::STAGE_SHIFT)
    }

    /// Its value is certain.
    pub fn proven(self, proof: Proof) -> State {
        let fields = 3 << State::STAGE_SHIFT | 3 << State::RESULT_SHIFT | 0xFFFF << State::DISTANCE_SHIFT;
        let proven = 2 << State::STAGE_SHIFT
            | ((proof.first + 1) as u64) << State::RESULT_SHIFT
            | u64::from(proof.distance) << State::DISTANCE_SHIFT;
        State(self.0 & !fields | proven)
    }

    /// Nobody adds an edge any more, and so many were added.
    pub fn unlocked(self, added: u64) -> State {
        State((self.0 & !State::LOCKED) + added)
    }

    /// How many moves have an edge.
    #[inline]
    pub fn edges(self) -> u32 {
        (self.0 & State::VISITED) as u32
    }

    /// How many legal moves there are; 0 as long as nobody has asked.
    #[inline]
    pub fn moves(self) -> u32 {
        (self.0 >> State::MOVES_SHIFT & 0xFFFF) as u32
    }

    /// Whether the moves are there in the order of the policy.
    #[inline]
    pub fn is_sorted(self) -> bool {
        self.0 & State::SORTED != 0
    }

    #[inline]
    pub fn stage(self) -> Stage {
        match self.0 >> State::STAGE_SHIFT & 3 {
            0 => Stage::Pending,
            1 => Stage::Ready,
            _ => Stage::Proven,
        }
    }

    /// Its moves are there in the order of the policy.
    pub fn with_sorted_moves(self, moves: u32) -> State {
        let others = self.0 & !(0xFFFF << State::MOVES_SHIFT);
        State(others | u64::from(moves) << State::MOVES_SHIFT | State::SORTED)
    }

    /// Who moves.
    #[inline]
    pub fn to_move(self) -> Player {
        if self.0 & State::SECOND_MOVES == 0 { Player::First } else { Player::Second }
    }

    /// The certain result, if it is proven, with its distance in plies.
    pub fn proof(self) -> Option<Proof> {
        (self.stage() == Stage::Proven).then(|| self.result())
    }

    /// The certain result of a node that is proven.
    pub fn result(self) -> Proof {
        debug_assert!(self.stage() == Stage::Proven);
        let first = (self.0 >> State::RESULT_SHIFT & 3) as i8 - 1;
        Proof { first, distance: (self.0 >> State::DISTANCE_SHIFT & 0xFFFF) as u16 }
    }
}

/// A certain result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proof {
    /// 1 if the first player wins, -1 if they lose, 0 for a draw.
    pub first: i8,
    /// Plies until the game ends.
    pub distance: u16,
}

impl Proof {
    /// The end of the game.
    pub fn end(outcome: Outcome) -> Proof {
        Proof { first: outcome.for_player(Player::First).signum() as i8, distance: 0 }
    }

    /// The same one move earlier.
    pub fn one_move_before(self) -> Proof {
        Proof { distance: self.distance.saturating_add(1), ..self }
    }

    /// 1 for a win of `player`, -1 for a loss, 0 for a draw.
    #[inline]
    pub fn for_player(self, player: Player) -> i8 {
        if player == Player::First { self.first } else { -self.first }
    }

    /// What is backed up.
    pub fn value(self) -> Value {
        Value::new(f32::from(self.first), f32::from(self.first == 0), f32::from(self.distance))
    }

    /// How much `player` likes it: quick wins first, slow losses last.
    pub fn preference(self, player: Player) -> i32 {
        let distance = i32::from(self.distance);
        match self.for_player(player) {
            1 => 0x20000 - distance,
            0 => 0,
            _ => distance - 0x20000,
        }
    }
}

/// What a playout brings back, in the view of the first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Value {
    /// Wins minus losses.
    pub wl: i64,
    pub draws: i64,
    pub moves_left: i64,
}

impl Value {
    pub fn new(wl: f32, draws: f32, moves_left: f32) -> Value {
        let fixed = |value: f32| (f64::from(value) * UNIT) as i64;
        Value { wl: fixed(wl), draws: fixed(draws), moves_left: fixed(moves_left) }
    }
}

/// The means of what was backed up.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Means {
    /// Wins minus losses, in the view of the first player.
    pub wl: f64,
    pub draws: f64,
    pub moves_left: f64,
}
