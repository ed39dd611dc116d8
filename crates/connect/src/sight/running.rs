//! The judgement of cells, kept up while a search goes from one position to the next.
//!
//! Positions that are judged one after another differ in a few stones. So the classes of all cells are remembered, and only the lines are
//! looked at anew on which a stone has come: all cells of a line at once, bit by bit of its word, and four lines side by side. Before that,
//! stones that are gone are taken back together with what came with them.

use outplay_core::Player;

use super::judgement::CLASS_BITS;
use super::line_classes::{Classes, LENGTH, Views};
use super::surroundings::{NEAR, cells_beside};
use crate::lines::{Cell, LINES, Lines, cell_on_line, cells_of_lines, places, runs};
use crate::position::Connect;
use crate::rules::Rules;

/// The bit of a code that says that the cell does not count: there is a stone in it, or none near it.
const APART: usize = 1 << (4 * CLASS_BITS);
/// No stone changes more codes: those of all cells of four lines, and of all cells near it, for two players.
const MOST_CHANGES: usize = 2 * (4 * Rules::MAX_SIDE + (2 * NEAR + 1) * (2 * NEAR + 1));
/// How many codes there are.
const CODES: usize = 2 * APART;

/// What a cell is worth, for all classes of its lines. For the player to move and for the other, with one stone left and with two.
pub(super) type CellWorths = [i16; 4];
/// What many cells are.
pub(super) type Sums = [i32; 4];

/// The lines of a board, and what its cells are worth.
pub(super) struct Table {
    /// [line]
    lines: [OneLine; LINES],
    /// [line][bit]
    cells: Vec<[u16; u32::BITS as usize]>,
    /// [code]
    worths: Box<[CellWorths; CODES]>,
}

#[derive(Clone, Copy, Default)]
struct OneLine {
    /// The bits that are no cells.
    outside: u32,
    /// Where windows begin.
    starts: u32,
}

impl Table {
    /// With the worths of cells by the classes of their lines.
    pub fn new(rules: Rules, worths: impl Fn(usize) -> CellWorths) -> Table {
        let mut lines = [OneLine::default(); LINES];
        let mut cells = vec![[0; u32::BITS as usize]; LINES];
        for (line, bits) in cells_of_lines(rules).enumerate() {
            lines[line] = OneLine { outside: !bits, starts: runs(bits, LENGTH) };
            for bit in (0..u32::BITS as usize).filter(|bit| bits >> bit & 1 == 1) {
                cells[line][bit] = rules.index(cell_on_line(line, bit)) as u16;
            }
        }
        let mut table = Table { lines, cells, worths: Box::new([CellWorths::default(); CODES]) };
        (0..APART).for_each(|classes| table.worths[classes] = worths(classes));
        table
    }
}

/// What is remembered of the position that was judged last, and of those on the way to it: a search goes back to them.
pub(super) struct Running {
    /// [player]
    stones: [Lines; 2],
    /// The empty cells near stones. [row]
    near: Rows,
    /// The classes of the cells on each line, bit by bit. [line][player]
    classes: [[Classes; 2]; LINES],
    /// The classes of the lines through a cell as one number, and [`APART`]: first for the first player, then for the second. [place]
    codes: Vec<u16>,
    cells: usize,
    /// What all cells are worth to a player. [player]
    sums: [Sums; 2],
    /// From the empty board to this position, each time with some stones more.
    steps: Vec<Step>,
    /// What the steps have changed: codes as they were, by their places. There is always room for more.
    codes_before: Vec<[u16; 2]>,
    /// How many there are.
    changes: usize,
    /// And lines.
    lines_before: Vec<LineBefore>,
}

/// One player's stones in the rows of the board.
type Rows = [u32; Rules::MAX_SIDE];

/// How it was before some stones were placed.
struct Step {
    near: Rows,
    sums: [Sums; 2],
    /// How many changes of codes and of lines there were.
    changes: usize,
    lines: usize,
}

struct LineBefore {
    line: usize,
    stones: [u32; 2],
    classes: [Classes; 2],
}

impl Running {
    /// An empty board.
    pub fn new(rules: Rules) -> Running {
        Running {
            stones: [Lines::EMPTY; 2],
            near: [0; Rules::MAX_SIDE],
            classes: [[Classes::default(); 2]; LINES],
            codes: vec![APART as u16; 2 * rules.cells()],
            cells: rules.cells(),
            sums: [Sums::default(); 2],
            steps: Vec::new(),
            codes_before: Vec::new(),
            changes: 0,
            lines_before: Vec::new(),
        }
    }

    /// What cells are worth, to the first player and to the second.
    #[inline]
    pub fn sums(&self) -> &[Sums; 2] {
        &self.sums
    }

    /// Whether it stands at this position.
    pub fn is_at(&self, position: &Connect) -> bool {
        let there = Player::BOTH.map(|player| position.lines(player).rows());
        is_before(self.rows(), there) && is_before(there, self.rows())
    }

    /// Goes to any position by the same rules.
    pub fn go_to(&mut self, table: &Table, position: &Connect) {
        let there = Player::BOTH.map(|player| position.lines(player).rows());
        if !is_before(self.rows(), there) {
            // What both have in common is worth a step of its own: the next position may have it, too.
            let here = self.rows();
            let common: [Rows; 2] =
                [0, 1].map(|player| std::array::from_fn(|row| here[player][row] & there[player][row]));
            while !is_before(self.rows(), there) {
                self.step_back();
            }
            self.step_forward(table, position.rules(), common.each_ref());
        }
        self.step_forward(table, position.rules(), there);
    }

    /// Places one stone, as a step of its own.
    pub fn step(&mut self, table: &Table, rules: Rules, cell: Cell, player: Player) {
        self.push_step();
        self.place(table, rules, cell, player.index());
    }

    #[inline]
    fn rows(&self) -> [&Rows; 2] {
        [self.stones[0].rows(), self.stones[1].rows()]
    }

    /// Takes the stones of the last step back.
    pub fn step_back(&mut self) {
        let step = self.steps.pop().expect("the empty board is before every position");
        (self.near, self.sums) = (step.near, step.sums);
        for &[place, code] in self.codes_before[step.changes..self.changes].iter().rev() {
            self.codes[usize::from(place)] = code;
        }
        self.changes = step.changes;
        for LineBefore { line, stones, classes } in self.lines_before.drain(step.lines..).rev() {
            self.classes[line] = classes;
            (0..2).for_each(|player| self.stones[player].set(line, stones[player]));
        }
    }

    /// Places the stones that are there and not here.
    fn step_forward(&mut self, table: &Table, rules: Rules, there: [&Rows; 2]) {
        if is_before(there, self.rows()) {
            return;
        }
        self.push_step();
        for row in 0..rules.rows() {
            // Both players in one word: nearly all rows are the same.
            let both = |rows: [&Rows; 2]| u64::from(rows[0][row]) | u64::from(rows[1][row]) << 32;
            let mut stones = both(there) & !both(self.rows());
            while stones != 0 {
                let bit = stones.trailing_zeros() as usize;
                stones &= stones - 1;
                self.place(table, rules, Cell { column: bit % 32, row }, bit / 32);
            }
        }
    }

    fn push_step(&mut self) {
        self.steps.push(Step {
            near: self.near,
            sums: self.sums,
            changes: self.changes,
            lines: self.lines_before.len(),
        });
    }

    fn place(&mut self, table: &Table, rules: Rules, cell: Cell, player: usize) {
        if self.codes_before.len() < self.changes + MOST_CHANGES {
            self.codes_before.resize(2 * (self.changes + MOST_CHANGES), [0; 2]);
        }
        let lines = places(cell).map(|(line, _)| line);
        for line in lines {
            let stones = [0, 1].map(|player| self.stones[player].words()[line]);
            self.lines_before.push(LineBefore { line, stones, classes: self.classes[line] });
        }
        self.stones[player].toggle(cell);
        self.come_near(table, rules, cell);
        self.look_at(table, lines);
    }

    /// A stone is placed: the empty cells around it count from now on, its own no more.
    fn come_near(&mut self, table: &Table, rules: Rules, cell: Cell) {
        let columns = cells_beside(1 << cell.column) & ((1 << rules.columns()) - 1);
        for row in cell.row.saturating_sub(NEAR)..(cell.row + NEAR + 1).min(rules.rows()) {
            let stones = self.stones[0].rows()[row] | self.stones[1].rows()[row];
            let near = (self.near[row] | columns) & !stones;
            let changed = near ^ self.near[row];
            if changed == 0 {
                continue;
            }
            self.near[row] = near;
            for player in 0..2 {
                let cell = |column: usize| (rules.index(Cell { column, row }) as u16, APART as u16);
                self.flip(table, player, changed, cell);
            }
        }
    }

    /// Looks at the lines through a cell anew.
    fn look_at(&mut self, table: &Table, lines: [usize; 4]) {
        let mut views = Views::default();
        for (place, line) in lines.into_iter().enumerate() {
            let OneLine { outside, starts } = table.lines[line];
            let [first, second] = [0, 1].map(|player| self.stones[player].words()[line]);
            views.set(place, first, second | outside, starts);
            views.set(4 + place, second, first | outside, starts);
        }
        let seen = views.classes();
        for (direction, line) in lines.into_iter().enumerate() {
            let before = self.classes[line];
            for player in 0..2 {
                let classes: Classes = std::array::from_fn(|bit| seen[bit][4 * player + direction]);
                self.classes[line][player] = classes;
                let flips: Classes = std::array::from_fn(|bit| classes[bit] ^ before[player][bit]);
                let changed = flips.iter().fold(0, |changed, flips| changed | flips);
                if changed == 0 {
                    continue;
                }
                self.flip(table, player, changed, |bit| {
                    let flip =
                        (0..CLASS_BITS).fold(0, |flip, plane| flip | (flips[plane] >> bit & 1) << plane);
                    (table.cells[line][bit], (flip as u16) << (CLASS_BITS * direction))
                });
            }
        }
    }

    /// Changes codes of a player: for each bit that is set, the cell and the bits of its code.
    #[inline]
    fn flip(&mut self, table: &Table, player: usize, mut bits: u32, flip: impl Fn(usize) -> (u16, u16)) {
        // What is stored and loaded again for each cell takes half as long again.
        let (mut sums, mut count) = (self.sums[player], self.changes);
        while bits != 0 {
            let (cell, flip) = flip(bits.trailing_zeros() as usize);
            bits &= bits - 1;
            let place = player * self.cells + usize::from(cell);
            let code = self.codes[place];
            self.codes[place] = code ^ flip;
            let [less, more] = [code, code ^ flip].map(|code| &table.worths[usize::from(code) % CODES]);
            for (sum, (more, less)) in sums.iter_mut().zip(more.iter().zip(less)) {
                *sum += i32::from(*more) - i32::from(*less);
            }
            self.codes_before[count] = [place as u16, code];
            count += 1;
        }
        (self.sums[player], self.changes) = (sums, count);
    }
}

/// Whether all of these stones are among those.
#[inline]
fn is_before(these: [&Rows; 2], those: [&Rows; 2]) -> bool {
    (0..Rules::MAX_SIDE)
        .fold(0, |missing, row| missing | these[0][row] & !those[0][row] | these[1][row] & !those[1][row])
        == 0
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, Rng};

    use super::super::judgement::Judgement;
    use super::super::surroundings::Surroundings;
    use super::*;

    /// Stones in some corner of the board, forwards and backwards, and jumps from one game to another.
    #[test]
    fn what_is_kept_is_what_judging_anew_gives() {
        let mut judged = 0;
        for (rules, steps) in [("19,19,6,2,1", 1_200_000), ("15,15,6,2,1", 200_000), ("9,21,6,2,1", 200_000)]
        {
            let rules: Rules = rules.parse().expect("valid rules");
            let surroundings = Surroundings::new(rules);
            let judgement = Judgement::of(rules, &surroundings).expect("six in a row");
            let (mut running, mut rng) = (Running::new(rules), Rng::new(77));
            let mut games = [0, 4, 9].map(|corner| (Connect::start(&rules), Vec::new(), corner));
            let mut game = 0;
            for step in 0..steps {
                if rng.below(50) == 0 {
                    game = rng.below(games.len());
                }
                let (position, made, corner) = &mut games[game];
                let is_forward = position.outcome().is_none() && made.len() < 60;
                if made.is_empty() || is_forward && rng.below(100) < 55 {
                    let [column, row] = [0; 2].map(|_| *corner + rng.below(10));
                    let index = row.min(rules.rows() - 1) * rules.columns() + column.min(rules.columns() - 1);
                    let m = outplay_core::Move::new(index as u16);
                    if position.is_legal(m) {
                        made.push((m, position.make(m)));
                    }
                } else if let Some((m, undo)) = made.pop() {
                    position.unmake(m, undo);
                }
                if step % 3 > 0 {
                    continue;
                }
                let expected = judgement.anew(&surroundings, position);
                running.go_to(judgement.table(), position);
                let found = judgement.of_position(position, || *running.sums());
                assert_eq!(found, expected, "{position:?}");
                judged += usize::from(found.abs() < crate::eval::WINNING);
            }
        }
        assert!(judged > 250_000, "{judged}");
    }
}
