//! Positions: playing stones, taking them back, and knowing when the game is over.

use std::fmt;

use outplay_core::{Game, Move, Notation, Outcome, Player, SquareMoves, zobrist};

use crate::lines::{Cell, Lines, any_run};
use crate::rules::{Rules, Turn};
use crate::windows::{self, FourLines, Open};

/// Words in a set of cells.
const WORDS: usize = 7;
const MAX_CELLS: usize = Rules::MAX_SIDE * Rules::MAX_SIDE;
const _: () = assert!(MAX_CELLS <= WORDS * 64);

// [player][cell]
static STONE_KEYS: [[u64; MAX_CELLS]; 2] = [zobrist::table(0xC0_66EC), zobrist::table(0xC0_66ED)];
// [player][stones left]
static TURN_KEYS: [[u64; Rules::MAX_TURN_STONES + 1]; 2] =
    [zobrist::table(0xC0_66EE), zobrist::table(0xC0_66EF)];

/// A position of a game of the Connect(m,n,k,p,q) family: tic-tac-toe, gomoku, Connect6 and their kin.
///
/// A move is one stone, so a turn of two stones is two moves by the same player. Its bits are the index of
/// the cell: row times columns plus column, both counted from 0 at the lower left. The game ends with the
/// stone that completes a row, whatever is left of the turn, or, as a draw, with the stone that fills the
/// board.
#[derive(Clone, PartialEq)]
pub struct Connect {
    stones: [Lines; 2],
    open: [Open; 2],
    empty: [u64; WORDS],
    stones_key: u64,
    empty_count: u16,
    rules: Rules,
    turn: Turn,
    outcome: Option<Outcome>,
}

// Thirteen cache lines: searches copy positions.
const _: () = assert!(size_of::<Connect>() <= 832);

impl Connect {
    /// The rules of this game.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whose turn it is, and how many stones it still has. In a finished game: as if it went on.
    #[inline]
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// How many stones are on the board.
    pub fn stone_count(&self) -> usize {
        self.rules.cells() - usize::from(self.empty_count)
    }

    /// Whose stone is in this cell of the board, counted from 0 at the lower left.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn stone_at(&self, column: usize, row: usize) -> Option<Player> {
        assert!(column < self.rules.columns() && row < self.rules.rows(), "no cell {column}, {row}");
        self.at(Cell { column, row })
    }

    #[inline]
    pub(crate) fn at(&self, cell: Cell) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()].has(cell))
    }

    /// All the stones, in the order of their cells.
    pub(crate) fn stones(&self) -> impl Iterator<Item = (Cell, Player)> + '_ {
        let cells = (0..self.rules.cells()).map(|index| self.rules.cell(index));
        cells.filter_map(|cell| self.at(cell).map(|player| (cell, player)))
    }

    /// One player's stones as lines of bits.
    #[inline]
    pub(crate) fn lines(&self, player: Player) -> &Lines {
        &self.stones[player.index()]
    }

    /// How many windows are open to a player.
    #[inline]
    pub(crate) fn open(&self, player: Player) -> &Open {
        &self.open[player.index()]
    }

    /// The position with these stones, each in a cell of its own. Whose turn it is follows from their number;
    /// how the game stands is the caller's word.
    pub(crate) fn with_stones(
        rules: Rules,
        stones: impl Iterator<Item = (Cell, Player)>,
        outcome: Option<Outcome>,
    ) -> Connect {
        let mut position = Connect::start(&rules);
        for (cell, player) in stones {
            position.place(cell, rules.index(cell), player);
            position.empty_count -= 1;
        }
        position.turn = Turn::after(rules, position.stone_count());
        position.outcome = outcome;
        position
    }

    /// Places a stone in everything that depends on single stones; returns the lines through its cell as they are then.
    #[inline]
    fn place(&mut self, cell: Cell, index: usize, player: Player) -> FourLines {
        let lines = [player, !player].map(|player| self.stones[player.index()].through(cell));
        windows::place(self.rules, cell, lines, self.open_of(player));
        self.toggle(cell, index, player)
    }

    /// Gives a player a stone beside the turns, which stay as they are; the cell must be empty, and nobody may win by it. Returns what
    /// takes it back.
    pub(crate) fn give(&mut self, m: Move, player: Player) -> [Open; 2] {
        let open = self.open;
        self.place(self.rules.cell(m.index()), m.index(), player);
        self.empty_count -= 1;
        open
    }

    /// Takes back the last stone that was given.
    pub(crate) fn take(&mut self, m: Move, player: Player, open: [Open; 2]) {
        self.toggle(self.rules.cell(m.index()), m.index(), player);
        self.empty_count += 1;
        self.open = open;
    }

    /// Gives the other player a turn without the stones that are left of this one; returns it for [`Connect::resume_turn`].
    pub(crate) fn end_turn(&mut self) -> Turn {
        let next = Turn { player: !self.turn.player, stones_left: self.rules.turn_stones() as u8 };
        std::mem::replace(&mut self.turn, next)
    }

    /// Takes that back.
    pub(crate) fn resume_turn(&mut self, turn: Turn) {
        self.turn = turn;
    }

    #[inline]
    fn toggle(&mut self, cell: Cell, index: usize, player: Player) -> FourLines {
        self.empty[index / 64] ^= 1 << (index % 64);
        self.stones_key ^= STONE_KEYS[player.index()][index];
        self.stones[player.index()].toggle(cell)
    }

    /// The numbers of open windows of a player and of the other.
    #[inline]
    fn open_of(&mut self, player: Player) -> [&mut Open; 2] {
        let [first, second] = &mut self.open;
        match player {
            Player::First => [first, second],
            Player::Second => [second, first],
        }
    }
}

impl Game for Connect {
    type Rules = Rules;
    type Moves = SquareMoves<WORDS>;

    fn start(rules: &Rules) -> Connect {
        let mut empty = [0; WORDS];
        for index in 0..rules.cells() {
            empty[index / 64] |= 1 << (index % 64);
        }
        Connect {
            stones: [Lines::EMPTY, Lines::EMPTY],
            open: [Open::default(); 2],
            empty,
            stones_key: 0,
            empty_count: rules.cells() as u16,
            rules: *rules,
            turn: Turn::after(*rules, 0),
            outcome: None,
        }
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.turn.player
    }

    #[inline]
    fn legal_moves(&self) -> SquareMoves<WORDS> {
        SquareMoves(if self.outcome.is_some() { [0; WORDS] } else { self.empty })
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.make(m);
    }

    fn passed(&self) -> Option<Connect> {
        let mut passed = self.clone();
        passed.end_turn();
        Some(passed)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn key(&self) -> u64 {
        self.stones_key ^ TURN_KEYS[self.turn.player.index()][usize::from(self.turn.stones_left)]
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        let empty = self.empty.get(m.index() / 64).is_some_and(|word| word >> (m.index() % 64) & 1 == 1);
        empty && self.outcome.is_none()
    }

    #[inline]
    fn legal_count(&self) -> usize {
        if self.outcome.is_some() { 0 } else { usize::from(self.empty_count) }
    }
}

/// What takes a stone back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// The turn that it was placed in.
    turn: Turn,
    /// The numbers of open windows before: to keep them is cheaper than to count back.
    open: [Open; 2],
}

/// Positions are large, and the search for threats walks up and down one line: it makes stones in place.
impl Connect {
    /// Plays a legal move, as [`Game::play`] does, and returns what takes it back.
    #[inline]
    pub fn make(&mut self, m: Move) -> Undo {
        debug_assert!(self.is_legal(m));
        let (turn, open) = (self.turn, self.open);
        let lines = self.place(self.rules.cell(m.index()), m.index(), turn.player);
        self.empty_count -= 1;
        self.turn = turn.next(self.rules);
        if any_run(lines, self.rules.in_a_row()) {
            self.outcome = Some(Outcome::win(turn.player));
        } else if self.empty_count == 0 {
            self.outcome = Some(Outcome::DRAW);
        }
        Undo { turn, open }
    }

    /// Takes back `m`, the last move made, with what its `make` returned.
    #[inline]
    pub fn unmake(&mut self, m: Move, Undo { turn, open }: Undo) {
        self.toggle(self.rules.cell(m.index()), m.index(), turn.player);
        self.open = open;
        self.empty_count += 1;
        self.turn = turn;
        self.outcome = None;
    }
}

impl fmt::Debug for Connect {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Connect({} under {})", self.position_text(), self.rules)
    }
}
