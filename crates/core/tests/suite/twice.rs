//! A game in which a side moves twice, and broken copies of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use outplay_core::{Game, Move, Notation, Outcome, ParseError, Player, Records, Rng, Symmetric};

/// How often moves were generated, for the bug that makes their order depend on it.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// What is wrong with a copy of the game.
pub mod bug {
    pub const NONE: u8 = 0;
    pub const DOUBLE_MOVE: u8 = 1;
    pub const ILLEGAL_MOVE: u8 = 2;
    pub const WRONG_COUNT: u8 = 3;
    pub const STALE_KEY: u8 = 4;
    pub const SAME_KEY: u8 = 5;
    pub const TEXT_FORGETS: u8 = 8;
    pub const NO_END: u8 = 9;
    pub const SKEWED: u8 = 10;
    pub const NO_OUTCOME: u8 = 11;
    pub const CLAIMS_TO_ALTERNATE: u8 = 12;
    pub const MOVE_TEXT_LIES: u8 = 13;
    pub const DRIFTING_KEY: u8 = 14;
    pub const COARSE_KEY: u8 = 15;
    pub const COARSE_KEY_THAT_REPEATS: u8 = 16;
    pub const REPEATS_UNSAID: u8 = 17;
    pub const REPEATS_TOO_FAR_BACK: u8 = 18;
    pub const SYMMETRIES_VARY: u8 = 20;
    pub const TEXT_OF_TWO_LINES: u8 = 21;
    pub const FLICKERING_ORDER: u8 = 22;
    pub const REMEMBERING_ORDER: u8 = 23;
    pub const ENDS_BY_REPETITION_ONLY: u8 = 24;
    pub const STOPS_TOO_EARLY: u8 = 25;
    pub const PLAYS_ON_FOR_EVER: u8 = 26;
    pub const PLAIN_TEXT_LIES: u8 = 27;
    pub const LISTS_STAY_WHOLE: u8 = 28;
    pub const PLAYS_ANOTHER_GAME: u8 = 29;
    pub const TAKES_TOO_MANY_NUMBERS: u8 = 30;
    pub const PASSES_TO_ONESELF: u8 = 31;
}

/// The copy without a bug.
pub type Sound = Twice<{ bug::NONE }>;

const START: [u8; 2] = [9, 9];

/// Two heaps; a turn is two moves, each taking one or two counters from a heap; whoever takes the last one wins.
#[derive(Clone, Debug)]
pub struct Twice<const BUG: u8> {
    heaps: [u8; 2],
    mover: Player,
    second_half: bool,
    key: u64,
    /// The heaps before the last move: no part of the position, and only for bugs.
    remembered: [u8; 2],
}

impl<const BUG: u8> PartialEq for Twice<BUG> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |game: &Self| (game.heaps, game.mover, game.second_half, game.key);
        parts(self) == parts(other)
    }
}

impl<const BUG: u8> Twice<BUG> {
    pub fn new(heaps: [u8; 2], mover: Player, second_half: bool) -> Twice<BUG> {
        let mut game = Twice { heaps, mover, second_half, key: 0, remembered: heaps };
        game.key = game.fresh_key();
        game
    }

    fn fresh_key(&self) -> u64 {
        // Two counters in a heap give the same moves as more.
        let is_coarse = matches!(BUG, bug::COARSE_KEY | bug::COARSE_KEY_THAT_REPEATS);
        let [a, b] = self.heaps.map(|heap| if is_coarse { heap.min(2) } else { heap });
        let heaps = u64::from(a) << 8 | u64::from(b);
        let heaps = if BUG == bug::SAME_KEY { heaps >> 8 } else { heaps };
        outplay_core::mix(heaps << 2 | (self.mover.index() as u64) << 1 | u64::from(self.second_half))
    }
}

impl<const BUG: u8> Game for Twice<BUG> {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = BUG == bug::CLAIMS_TO_ALTERNATE;
    const REPEATS: bool = matches!(
        BUG,
        bug::NO_END | bug::COARSE_KEY_THAT_REPEATS | bug::REPEATS_TOO_FAR_BACK | bug::ENDS_BY_REPETITION_ONLY
    );

    fn start((): &()) -> Self {
        Twice::new(START, Player::First, false)
    }

    fn to_move(&self) -> Player {
        self.mover
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = (0..4).map(Move::new).filter(|&m| self.is_legal(m)).collect();
        if BUG == bug::DOUBLE_MOVE && moves.len() == 3 {
            moves.push(moves[0]);
        }
        if BUG == bug::ILLEGAL_MOVE && moves.len() == 3 {
            moves.push(Move::new(3));
        }
        let reversed = match BUG {
            bug::FLICKERING_ORDER => CALLS.fetch_add(1, Ordering::Relaxed) % 4 < 2,
            bug::REMEMBERING_ORDER => self.remembered[0] == self.heaps[0],
            _ => false,
        };
        if reversed {
            moves.reverse();
        }
        moves
    }

    fn is_legal(&self, m: Move) -> bool {
        m.index() < 4 && usize::from(self.heaps[m.index() % 2]) > m.index() / 2
    }

    fn random_end(mut self, rng: &mut Rng) -> Outcome {
        while self.outcome().is_none() {
            let moves = self.legal_moves();
            let index = rng.below(moves.len());
            let is_reversed = BUG == bug::PLAYS_ANOTHER_GAME;
            self.play(moves[if is_reversed { moves.len() - 1 - index } else { index }]);
        }
        if BUG == bug::TAKES_TOO_MANY_NUMBERS {
            rng.next_u64();
        }
        self.outcome().expect("an end")
    }

    fn legal_count(&self) -> usize {
        self.legal_moves().len() + usize::from(BUG == bug::WRONG_COUNT && self.heaps == [1, 1])
    }

    fn play(&mut self, m: Move) {
        self.remembered = self.heaps;
        if !matches!(BUG, bug::NO_END | bug::ENDS_BY_REPETITION_ONLY) {
            self.heaps[m.index() % 2] -= 1 + (m.index() / 2) as u8;
        }
        if self.second_half {
            self.mover = !self.mover;
        }
        self.second_half = !self.second_half;
        let round_ends = self.mover == Player::First && !self.second_half;
        if matches!(BUG, bug::REPEATS_UNSAID | bug::REPEATS_TOO_FAR_BACK) && round_ends {
            self.heaps = START;
        }
        if BUG != bug::STALE_KEY {
            self.key = self.fresh_key();
        }
        if BUG == bug::DRIFTING_KEY && self.second_half {
            self.key ^= 1;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let last_mover = if self.second_half { self.mover } else { !self.mover };
        (self.heaps == [0, 0] && BUG != bug::NO_OUTCOME).then_some(Outcome::win(last_mover))
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn can_play_on(&self) -> bool {
        match BUG {
            bug::STOPS_TOO_EARLY => self.heaps != [1, 1] && self.outcome().is_none(),
            bug::PLAYS_ON_FOR_EVER => true,
            _ => self.outcome().is_none(),
        }
    }

    fn passed(&self) -> Option<Self> {
        let mover = if BUG == bug::PASSES_TO_ONESELF { self.mover } else { !self.mover };
        Some(Twice::new(self.heaps, mover, false))
    }

    fn reversible_plies(&self) -> usize {
        match BUG {
            bug::NO_END | bug::COARSE_KEY_THAT_REPEATS | bug::ENDS_BY_REPETITION_ONLY => usize::MAX,
            _ => 0,
        }
    }

    fn repeated(&self, _: usize) -> Option<Outcome> {
        (BUG == bug::ENDS_BY_REPETITION_ONLY).then_some(Outcome::DRAW)
    }
}

impl<const BUG: u8> Notation for Twice<BUG> {
    fn position_text(&self) -> String {
        let half = if self.second_half && BUG != bug::TEXT_FORGETS { 2 } else { 1 };
        let space = if BUG == bug::TEXT_OF_TWO_LINES { '\n' } else { ' ' };
        format!("{},{}{space}{} {half}", self.heaps[0], self.heaps[1], self.mover.index() + 1)
    }

    fn parse_position((): &(), text: &str) -> Result<Self, ParseError> {
        let fail = |expected: &str| ParseError::syntax("position", text, 0, expected);
        let mut fields = text.split(' ');
        let (heaps, mover, half) = (fields.next(), fields.next(), fields.next());
        let (a, b) = heaps.and_then(|heaps| heaps.split_once(',')).ok_or_else(|| fail("two heaps"))?;
        let heap = |text: &str| text.parse().map_err(|_| fail("a number of counters"));
        let mover = match mover {
            Some("1") => Player::First,
            Some("2") => Player::Second,
            _ => return Err(fail("a player, 1 or 2")),
        };
        Ok(Twice::new([heap(a)?, heap(b)?], mover, half == Some("2")))
    }

    fn move_text(&self, m: Move) -> String {
        let heap = if BUG == bug::MOVE_TEXT_LIES { 'a' } else { ['a', 'b'][m.index() % 2] };
        format!("{heap}{}", 1 + m.index() / 2)
    }

    fn plain_move_text(&self, (): &(), m: Move) -> String {
        if BUG == bug::PLAIN_TEXT_LIES { "a1".to_string() } else { self.move_text(m) }
    }

    fn split_moves(text: &str) -> Vec<&str> {
        if BUG == bug::LISTS_STAY_WHOLE {
            vec![text]
        } else {
            text.split(' ').filter(|word| !word.is_empty()).collect()
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        (0..4)
            .map(Move::new)
            .find(|&m| {
                self.is_legal(m) && format!("{}{}", ['a', 'b'][m.index() % 2], 1 + m.index() / 2) == text
            })
            .ok_or_else(|| ParseError::refused("move", text, "not legal here"))
    }

    fn board(&self) -> String {
        format!("{:?}", self.heaps)
    }
}

impl<const BUG: u8> Symmetric for Twice<BUG> {
    fn symmetries(&self) -> usize {
        if BUG == bug::SYMMETRIES_VARY && self.heaps[0] < self.heaps[1] { 1 } else { 2 }
    }

    fn transformed(&self, index: usize) -> Self {
        let [a, b] = self.heaps;
        let heaps = if index == 1 { [b, a] } else { [a, b] };
        Twice::new(heaps, self.mover, self.second_half)
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        if BUG == bug::SKEWED { m } else { Move::new(m.bits() ^ index as u16) }
    }
}

impl<const BUG: u8> Records for Twice<BUG> {}
