//! What is known of a node, in one word, and what is backed up to it.

use outplay_core::Player;

use super::bounds::Bounds;
use super::evaluate::LeftOut;

/// Values are summed in whole numbers of this size, so that the order of additions does not matter.
pub(super) const UNIT: f64 = (1u64 << 30) as f64;
/// And plies in numbers of this size: games may be long, and the sums are to last for as many visits as can be counted.
pub(super) const PLY: f64 = (1u64 << 20) as f64;

/// Whether anything is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Its evaluation is not back yet.
    Pending,
    /// It was evaluated.
    Ready,
    /// Nothing is left to ask: the game is over, or the rest of it is known.
    Settled,
    /// It was evaluated, but its policy and its moves were given up to make room. It is evaluated again when a playout comes.
    Forgotten,
}

/// What the state word of a node says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct State(pub u64);

/// As many moves as a node can have.
pub(super) const MOST_MOVES: usize = (1 << 12) - 1;

impl State {
    const EDGES: u64 = MOST_MOVES as u64;
    const MOVES_SHIFT: u32 = 12;
    const MOVES: u64 = (MOST_MOVES as u64) << State::MOVES_SHIFT;
    const LEFT_OUT_SHIFT: u32 = 24;
    const LEFT_OUT: u64 = 3 << State::LEFT_OUT_SHIFT;
    const BOUNDS_SHIFT: u32 = 26;
    const BOUNDS: u64 = 0xFF_FFFF << State::BOUNDS_SHIFT;
    const STAGE_SHIFT: u32 = 50;
    /// Set while a thread adds an edge.
    pub const LOCKED: u64 = 1 << 52;
    const SORTED: u64 = 1 << 53;
    const SECOND_MOVES: u64 = 1 << 54;
    /// When playouts last went through the node.
    const LAST_USED_SHIFT: u32 = 56;

    /// A node of which nothing is known but who moves.
    pub fn new(to_move: Player) -> State {
        let second_moves = if to_move == Player::First { 0 } else { State::SECOND_MOVES };
        State(second_moves | Bounds::UNKNOWN.pack() << State::BOUNDS_SHIFT)
    }

    /// It was evaluated, because the game is not over there (which says what it can be worth); it has so many moves, if anybody has asked.
    pub fn ready(self, open: Bounds, moves: usize) -> State {
        let open = self.with_bounds(self.bounds().and(open), false);
        State(open.0 | (moves as u64) << State::MOVES_SHIFT | 1 << State::STAGE_SHIFT)
    }

    /// Its policy and its moves are given up. What is certain about it is kept.
    pub fn forgotten(self) -> State {
        let bare = State(self.0 & !(State::EDGES | State::MOVES | State::LEFT_OUT | State::SORTED));
        match self.stage() {
            Stage::Settled => bare,
            _ => State(bare.0 | 3 << State::STAGE_SHIFT),
        }
    }

    /// What was forgotten is to be evaluated again.
    pub fn claimed(self) -> State {
        match self.stage() {
            Stage::Forgotten => State(self.0 & !(3 << State::STAGE_SHIFT)),
            _ => self,
        }
    }

    /// When playouts last went through the node, on the clock of the arena.
    #[inline]
    pub fn last_used(self) -> u8 {
        (self.0 >> State::LAST_USED_SHIFT) as u8
    }

    /// Playouts go through the node now.
    pub fn used_at(self, tick: u8) -> State {
        State(self.0 & !(0xFF << State::LAST_USED_SHIFT) | u64::from(tick) << State::LAST_USED_SHIFT)
    }

    /// With other bounds, which may be all that is asked.
    pub fn with_bounds(self, bounds: Bounds, is_settled: bool) -> State {
        let others = self.0 & !State::BOUNDS | bounds.pack() << State::BOUNDS_SHIFT;
        match is_settled {
            true => State(others & !(3 << State::STAGE_SHIFT) | 2 << State::STAGE_SHIFT),
            false => State(others),
        }
    }

    /// Nobody adds an edge any more, and so many were added.
    pub fn unlocked(self, added: u64) -> State {
        State((self.0 & !State::LOCKED) + added)
    }

    /// How many moves have an edge.
    #[inline]
    pub fn edges(self) -> u32 {
        (self.0 & State::EDGES) as u32
    }

    /// How many legal moves there are, without those that are left out; 0 as long as nobody has asked.
    #[inline]
    pub fn moves(self) -> u32 {
        ((self.0 & State::MOVES) >> State::MOVES_SHIFT) as u32
    }

    /// Whether the moves are there in the order of the policy.
    #[inline]
    pub fn is_sorted(self) -> bool {
        self.0 & State::SORTED != 0
    }

    /// Whether there is a move that was never tried.
    #[inline]
    pub fn has_new(self) -> bool {
        !self.is_sorted() || self.edges() < self.moves()
    }

    #[inline]
    pub fn stage(self) -> Stage {
        match self.0 >> State::STAGE_SHIFT & 3 {
            0 => Stage::Pending,
            1 => Stage::Ready,
            2 => Stage::Settled,
            _ => Stage::Forgotten,
        }
    }

    /// Its moves are there in the order of the policy.
    pub fn with_sorted_moves(self, moves: u32) -> State {
        State(self.0 & !State::MOVES | u64::from(moves) << State::MOVES_SHIFT | State::SORTED)
    }

    /// Some of its legal moves are not among these.
    pub fn with_left_out(self, left_out: LeftOut) -> State {
        State(self.0 & !State::LEFT_OUT | (left_out as u64) << State::LEFT_OUT_SHIFT)
    }

    /// Which of its legal moves are left out.
    #[inline]
    pub fn left_out(self) -> LeftOut {
        match (self.0 & State::LEFT_OUT) >> State::LEFT_OUT_SHIFT {
            0 => LeftOut::Nothing,
            1 => LeftOut::Losses,
            _ => LeftOut::Moves,
        }
    }

    /// Who moves.
    #[inline]
    pub fn to_move(self) -> Player {
        if self.0 & State::SECOND_MOVES == 0 { Player::First } else { Player::Second }
    }

    /// What is certain about its value.
    #[inline]
    pub fn bounds(self) -> Bounds {
        Bounds::unpack(self.0 >> State::BOUNDS_SHIFT)
    }
}

/// What a playout brings back, in the view of the first player.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Value {
    /// Wins minus losses.
    pub wl: i64,
    pub draws: i64,
    pub moves_left: i64,
}

impl Value {
    /// A draw on the spot.
    pub const DRAW: Value = Value { wl: 0, draws: UNIT as i64, moves_left: 0 };

    pub fn new(wl: f32, draws: f32, moves_left: f32) -> Value {
        let fixed = |value: f32, unit: f64| (f64::from(value) * unit) as i64;
        Value { wl: fixed(wl, UNIT), draws: fixed(draws, UNIT), moves_left: fixed(moves_left, PLY) }
    }
}

/// What some playouts bring back together.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Sum {
    playouts: u32,
    value: Value,
}

impl Sum {
    /// Playouts that all bring back the same.
    #[inline]
    pub fn of(value: Value, playouts: u32) -> Sum {
        let times = i64::from(playouts);
        let (wl, draws, moves_left) = (value.wl * times, value.draws * times, value.moves_left * times);
        Sum { playouts, value: Value { wl, draws, moves_left } }
    }

    /// How many there are.
    #[inline]
    pub fn playouts(&self) -> u32 {
        self.playouts
    }

    /// The sum of their values.
    #[inline]
    pub fn value(&self) -> Value {
        self.value
    }

    /// Takes others in.
    #[inline]
    pub fn add(&mut self, other: &Sum) {
        self.playouts += other.playouts;
        self.value.wl += other.value.wl;
        self.value.draws += other.value.draws;
        self.value.moves_left += other.value.moves_left;
    }

    /// The same one ply nearer to the root, where the game lasts a ply longer.
    #[inline]
    pub fn one_ply_up(mut self) -> Sum {
        self.value.moves_left += i64::from(self.playouts) * PLY as i64;
        self
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
