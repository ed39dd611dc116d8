//! One player's stones as lines of bits: what makes the win test a few shifts.
//!
//! Every cell lies on four lines, one of each family. A line is one word with a bit for each of its cells, in
//! order, so that neighbours on the board are neighbours in the word. Two diagonals share a word where there
//! is room for both with a gap between them: a diagonal that leaves the board on one side comes back on the
//! other one step later, as it would on a board with one more, always empty, column.

use crate::rules::Rules;

/// The number of words in a diagonal family: one more than the most columns, which leaves the gap.
const WRAP: usize = Rules::MAX_SIDE + 1;

const ROWS: usize = 0;
const COLUMNS: usize = ROWS + Rules::MAX_SIDE;
const RISING: usize = COLUMNS + Rules::MAX_SIDE;
const FALLING: usize = RISING + WRAP;

/// How many words there are in all four families.
pub(crate) const LINES: usize = FALLING + WRAP;

/// A cell by its coordinates, both counted from 0 at the lower left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub column: usize,
    pub row: usize,
}

/// 2^16 divided by the number of columns, rounded up: with it, dividing an index by the columns is a
/// multiplication. That is exact for all boards (a test tries them), and makes placing and taking back stones
/// half as fast again.
const RECIPROCALS: [usize; Rules::MAX_SIDE + 1] = {
    let mut reciprocals = [0; Rules::MAX_SIDE + 1];
    let mut columns = 1;
    while columns <= Rules::MAX_SIDE {
        reciprocals[columns] = (1usize << 16).div_ceil(columns);
        columns += 1;
    }
    reciprocals
};

impl Rules {
    /// The cell with this index.
    #[inline]
    pub(crate) const fn cell(self, index: usize) -> Cell {
        let row = (index * RECIPROCALS[self.columns()]) >> 16;
        Cell { column: index - row * self.columns(), row }
    }

    /// The index of a cell, which is also the bits of the move there.
    #[inline]
    pub(crate) const fn index(self, cell: Cell) -> usize {
        cell.row * self.columns() + cell.column
    }
}

/// The stones of one player.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    words: [u32; LINES],
}

impl Lines {
    pub(crate) const EMPTY: Lines = Lines { words: [0; LINES] };

    /// Places a stone on an empty cell, or takes one away from where it is; returns the four lines through
    /// the cell as they are then.
    #[inline]
    pub(crate) fn toggle(&mut self, cell: Cell) -> [u32; 4] {
        places(cell).map(|(word, bit)| {
            self.words[word] ^= 1 << bit;
            self.words[word]
        })
    }

    /// The four lines through a cell.
    #[inline]
    pub(crate) fn through(&self, cell: Cell) -> [u32; 4] {
        places(cell).map(|(word, _)| self.words[word])
    }

    /// Whether there is a stone.
    #[inline]
    pub(crate) fn has(&self, cell: Cell) -> bool {
        self.words[ROWS + cell.row] >> cell.column & 1 == 1
    }

    /// Whether `length` stones stand in a row anywhere.
    pub(crate) fn have_row(&self, length: usize) -> bool {
        self.words.iter().any(|&word| runs(word, length) != 0)
    }

    /// The rows of the board, the lowest first; those beyond the board are empty.
    #[inline]
    pub(crate) fn rows(&self) -> &[u32; Rules::MAX_SIDE] {
        self.words.first_chunk().expect("rows come first")
    }

    /// Puts back a word as it was; the other lines through the cells that this changes have to be put back, too.
    #[inline]
    pub(crate) fn set(&mut self, line: usize, word: u32) {
        self.words[line] = word;
    }

    /// The words of all the lines, in the order of [`cells_of_lines`].
    #[inline]
    pub(crate) fn words(&self) -> &[u32; LINES] {
        &self.words
    }
}

/// Where a cell stands on its four lines: the words, and the bits in them.
#[inline]
pub(crate) fn places(cell: Cell) -> [(usize, usize); 4] {
    let Cell { column, row } = cell;
    debug_assert!(column < Rules::MAX_SIDE && row < Rules::MAX_SIDE);
    let rising = if column >= row { column - row } else { column + WRAP - row };
    let falling = if column + row < WRAP { column + row } else { column + row - WRAP };
    [(ROWS + row, column), (COLUMNS + column, row), (RISING + rising, row), (FALLING + falling, row)]
}

/// For each line, in the order of [`Lines::words`], the bits that stand for cells of the board.
pub(crate) fn cells_of_lines(rules: Rules) -> impl Iterator<Item = u32> {
    (0..LINES).map(move |line| cells_of_line(rules, line))
}

/// The bits of one line that stand for cells of the board; the line by its place among [`Lines::words`].
#[inline]
pub(crate) fn cells_of_line(rules: Rules, line: usize) -> u32 {
    let (columns, rows) = (rules.columns(), rules.rows());
    let ones = |count: usize| (1u64 << count) - 1;
    let cells = if line < COLUMNS {
        if line - ROWS < rows { ones(columns) } else { 0 }
    } else if line < RISING {
        if line - COLUMNS < columns { ones(rows) } else { 0 }
    } else if line < FALLING {
        // At row `r`, this line is in column `word + r` modulo `WRAP`.
        let word = line - RISING;
        (ones(columns.saturating_sub(word)) | ones(columns) << (WRAP - word)) & ones(rows)
    } else {
        // And this one in column `word - r`.
        let word = line - FALLING;
        let first = ones(word + 1) & !ones((word + 1).saturating_sub(columns));
        (first | !ones(word + 1 + WRAP - columns)) & ones(rows)
    };
    cells as u32
}

/// The cell that a bit of a line stands for; the line by its place among [`Lines::words`].
pub(crate) fn cell_on_line(line: usize, bit: usize) -> Cell {
    if line < COLUMNS {
        Cell { column: bit, row: line - ROWS }
    } else if line < RISING {
        Cell { column: line - COLUMNS, row: bit }
    } else if line < FALLING {
        Cell { column: (line - RISING + bit) % WRAP, row: bit }
    } else {
        Cell { column: (line - FALLING + WRAP - bit) % WRAP, row: bit }
    }
}

/// The shifts that find runs of `length`: the run found so far is doubled until one more step completes it.
#[inline]
fn doubling(length: usize) -> impl Iterator<Item = usize> {
    let mut found = 1;
    std::iter::from_fn(move || {
        let step = found.min(length - found);
        found += step;
        (step > 0).then_some(step)
    })
}

/// A bit for each place where `length` ones begin.
#[inline]
pub(crate) fn runs(word: u32, length: usize) -> u32 {
    doubling(length).fold(word, |runs, step| runs & runs >> step)
}

/// A bit for each place with a one among the `length` bits that begin there.
#[inline]
pub(crate) fn touched(word: u32, length: usize) -> u32 {
    doubling(length).fold(word, |touched, step| touched | touched >> step)
}

/// Whether one of four lines holds `length` ones in a row.
#[inline]
pub(crate) fn any_run(lines: [u32; 4], length: usize) -> bool {
    // Two lines to a word: they are too short for one to be shifted into the other.
    let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let (a, b) = (pair(lines[0], lines[1]), pair(lines[2], lines[3]));
    let (a, b) = doubling(length).fold((a, b), |(a, b), step| (a & a >> step, b & b >> step));
    a | b != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    #[test]
    fn runs_and_touched_are_what_counting_bit_by_bit_says() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let word = (rng.next_u64() | rng.next_u64()) as u32 & 0x1f_ffff;
            for length in 1..=21 {
                let window = |start: usize| (word >> start) & ((1 << length) - 1);
                for start in 0..32 {
                    let full = window(start) == (1 << length) - 1;
                    assert_eq!(runs(word, length) >> start & 1 == 1, full, "{word:b} {length} {start}");
                    let any = window(start) != 0;
                    assert_eq!(touched(word, length) >> start & 1 == 1, any, "{word:b} {length} {start}");
                }
                for place in 0..4 {
                    let mut lines = [0x15_5555 & !1, 0, 0, 0];
                    lines.rotate_right(place + 1);
                    lines[place] = word;
                    assert_eq!(any_run(lines, length), length == 1 || runs(word, length) != 0);
                }
            }
        }
    }

    #[test]
    fn a_cell_is_its_index_divided_by_the_columns() {
        for columns in Rules::MIN_SIDE..=Rules::MAX_SIDE {
            let rules = Rules::new(columns, Rules::MAX_SIDE, 2, 1, 1).expect("valid rules");
            for index in 0..rules.cells() {
                let cell = rules.cell(index);
                assert_eq!(cell, Cell { column: index % columns, row: index / columns });
                assert_eq!(rules.index(cell), index);
            }
        }
    }

    #[test]
    fn the_cells_of_the_lines_are_those_that_stones_can_stand_on() {
        for columns in Rules::MIN_SIDE..=Rules::MAX_SIDE {
            for rows in Rules::MIN_SIDE..=Rules::MAX_SIDE {
                let rules = Rules::new(columns, rows, 2, 1, 1).expect("valid rules");
                let mut all = Lines::EMPTY;
                for index in 0..rules.cells() {
                    all.toggle(rules.cell(index));
                }
                assert!(cells_of_lines(rules).eq(all.words().iter().copied()), "{rules}");
                for (line, &cells) in all.words().iter().enumerate() {
                    for bit in (0..32).filter(|bit| cells >> bit & 1 == 1) {
                        let mut stones = Lines::EMPTY;
                        stones.toggle(cell_on_line(line, bit));
                        assert_eq!(stones.words()[line], 1 << bit, "{rules}");
                    }
                }
            }
        }
    }
}
