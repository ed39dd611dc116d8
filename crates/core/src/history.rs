//! What came before a position: the keys that repetition rules need, and a whole line of play.

use crate::{Game, Move, MoveList, Outcome, mix};

/// The keys of the positions that led to the current one, oldest first.
///
/// A search starts from the history of the game so far, pushes a position before it goes down and pops it when
/// it comes back up, and asks [`History::outcome`] instead of the position. So it sees repetitions in the game,
/// on its own path and across the two, and positions stay small. For games that cannot repeat
/// ([`Game::REPEATS`]), all of this compiles to nothing.
#[derive(Clone, Default, Debug)]
pub struct History {
    keys: Vec<u64>,
}

impl History {
    /// Notes a position that is about to be left by a move.
    #[inline]
    pub fn push<G: Game>(&mut self, left: &G) {
        if G::REPEATS {
            self.keys.push(left.key());
        }
    }

    /// Forgets the position that was noted last.
    #[inline]
    pub fn pop<G: Game>(&mut self) {
        if G::REPEATS {
            self.keys.pop();
        }
    }

    /// Forgets the positions that were noted when there were `length` already.
    #[inline]
    pub fn truncate<G: Game>(&mut self, length: usize) {
        if G::REPEATS {
            self.keys.truncate(length);
        }
    }

    /// How many positions are noted; 0 for games that cannot repeat.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether none is noted.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How many positions had been noted when `current` was noted last; `None` if it has not stood on the board before.
    #[inline]
    pub fn last_seen<G: Game>(&self, current: &G) -> Option<usize> {
        if !G::REPEATS {
            return None;
        }
        let (key, past) = (current.key(), self.past(current));
        // Where players take turns, a position with the same one to move lies an even number of plies back.
        let (nearest, step) = if G::ALTERNATES { (2, 2) } else { (1, 1) };
        let plies = (nearest..=past.len()).step_by(step).find(|plies| past[past.len() - plies] == key)?;
        Some(self.keys.len() - plies)
    }

    /// How often `current` has stood on the board, this time included.
    pub fn occurrences<G: Game>(&self, current: &G) -> usize {
        if !G::REPEATS {
            return 1;
        }
        let key = current.key();
        1 + self.past(current).iter().filter(|&&earlier| earlier == key).count()
    }

    /// A key for `current` together with the positions that could still come back, in whatever order they stood on the board: where it
    /// is the same, the game is the same from here on.
    pub fn key<G: Game>(&self, current: &G) -> u64 {
        if !G::REPEATS {
            return current.key();
        }
        let past = self.past(current);
        let sum = past.iter().fold(0, |sum: u64, &key| sum.wrapping_add(mix(key)));
        current.key() ^ mix(sum ^ past.len() as u64)
    }

    /// The keys of the positions before `current` that could come back.
    fn past<G: Game>(&self, current: &G) -> &[u64] {
        let window = current.reversible_plies().min(self.keys.len());
        &self.keys[self.keys.len() - window..]
    }

    /// How the game has ended with `current` on the board, by its own rules or by repetition.
    #[inline]
    pub fn outcome<G: Game>(&self, current: &G) -> Option<Outcome> {
        let outcome = current.outcome();
        if !G::REPEATS || outcome.is_some() {
            return outcome;
        }
        match self.occurrences(current) {
            1 => None,
            times => current.repeated(times),
        }
    }
}

/// A line of play: a start position and the moves made from it, with every position on the way.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    positions: Vec<G>,
    moves: Vec<Move>,
    history: History,
}

impl<G: Game> Line<G> {
    /// A line with no move yet.
    pub fn new(start: G) -> Line<G> {
        Line { positions: vec![start], moves: Vec::new(), history: History::default() }
    }

    /// The position that the line began with.
    pub fn start(&self) -> &G {
        &self.positions[0]
    }

    /// The position that the line has reached.
    pub fn position(&self) -> &G {
        &self.positions[self.moves.len()]
    }

    /// The moves made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Every position, the start first and the current one last.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The history that a search from here starts with.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How the game has ended, repetition included.
    pub fn outcome(&self) -> Option<Outcome> {
        self.history.outcome(self.position())
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: Move) {
        debug_assert!(self.position().is_legal(m), "{m:?} is not legal in {:?}", self.position());
        let position = &self.positions[self.moves.len()];
        let next = position.after(m);
        self.history.push(position);
        self.positions.push(next);
        self.moves.push(m);
    }

    /// Takes back the last move and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        self.history.pop::<G>();
        Some(m)
    }

    /// The legal moves, none once the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.position().legal_moves().each().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Player;

    /// A number that goes up and down; beyond 9, there is no way back.
    #[derive(Clone, Debug, PartialEq)]
    struct Counter(u64);

    impl Game for Counter {
        type Rules = ();
        type Moves = Vec<Move>;
        const REPEATS: bool = true;

        fn start((): &()) -> Counter {
            Counter(0)
        }

        fn to_move(&self) -> Player {
            Player::First
        }

        fn legal_moves(&self) -> Vec<Move> {
            vec![Move::new(0)]
        }

        fn play(&mut self, _: Move) {
            self.0 += 1;
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn key(&self) -> u64 {
            self.0
        }

        fn reversible_plies(&self) -> usize {
            if self.0 < 10 { 4 } else { 0 }
        }
    }

    #[test]
    fn positions_are_forgotten_down_to_a_length() {
        let mut history = History::default();
        [1, 2, 3].iter().for_each(|&number| history.push(&Counter(number)));
        history.truncate::<Counter>(5);
        assert_eq!(history.len(), 3);
        history.truncate::<Counter>(2);
        assert_eq!([1, 2, 3].map(|number| history.occurrences(&Counter(number))), [2, 2, 1]);
    }

    #[test]
    fn the_last_time_that_a_position_stood_on_the_board_is_found_within_reach() {
        let mut history = History::default();
        [1, 2, 3, 2, 11].iter().for_each(|&number| history.push(&Counter(number)));
        assert_eq!((history.len(), history.is_empty()), (5, false));
        for (number, expected) in [(3, Some(2)), (2, Some(3)), (1, None), (4, None), (11, None)] {
            assert_eq!(history.last_seen(&Counter(number)), expected, "{number}");
        }
    }
}
