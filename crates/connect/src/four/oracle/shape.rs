//! The size of the board: known to the compiler for the one that matters.

use crate::four::Rules;

/// A board whose masks are constants, or a value that holds them.
pub(super) trait Shape {
    /// Room for a move of each column.
    type Moves: Default + AsMut<[Candidate]>;

    fn masks(&self) -> &Masks;
}

/// A stone that may be placed, and how much speaks for it.
#[derive(Clone, Copy, Default)]
pub(super) struct Candidate {
    pub cell: u64,
    pub threats: u32,
}

/// The board on which the game is sold, seven columns of six.
pub(super) struct Standard;

/// A board of any size.
pub(super) struct AnySize(Masks);

/// Sets of cells, and numbers, that a search needs all the time. The lowest row is the first, and odd.
pub(super) struct Masks {
    pub rules: Rules,
    pub cells: i32,
    pub bottom: u64,
    pub board: u64,
    pub odd_rows: u64,
    pub even_rows: u64,
    /// The columns, those in the middle first.
    order: [u8; MOST_COLUMNS],
}

const MOST_COLUMNS: usize = 21;

impl Shape for Standard {
    type Moves = [Candidate; 7];

    #[inline(always)]
    fn masks(&self) -> &Masks {
        const { &Masks::new(Rules::STANDARD) }
    }
}

impl AnySize {
    pub fn new(rules: Rules) -> AnySize {
        AnySize(Masks::new(rules))
    }
}

impl Shape for AnySize {
    type Moves = [Candidate; MOST_COLUMNS];

    #[inline(always)]
    fn masks(&self) -> &Masks {
        &self.0
    }
}

impl Masks {
    const fn new(rules: Rules) -> Masks {
        let (columns, rows) = (rules.columns(), rules.rows());
        let mut masks = Masks {
            rules,
            cells: (columns * rows) as i32,
            bottom: 0,
            board: 0,
            odd_rows: 0,
            even_rows: 0,
            order: [0; MOST_COLUMNS],
        };
        let mut column = 0;
        while column < columns {
            masks.bottom |= rules.cell(column, 0);
            masks.board |= rules.column(column);
            let mut row = 0;
            while row < rows {
                match row % 2 {
                    0 => masks.odd_rows |= rules.cell(column, row),
                    _ => masks.even_rows |= rules.cell(column, row),
                }
                row += 1;
            }
            // From the middle, in turn to the left and to the right.
            let distance = column.div_ceil(2);
            let is_left = column % 2 == 1;
            let middle = columns / 2;
            masks.order[column] = (if is_left { middle - distance } else { middle + distance }) as u8;
            column += 1;
        }
        masks
    }

    /// The columns, those in the middle first.
    #[inline(always)]
    pub fn columns(&self) -> &[u8] {
        &self.order[..self.rules.columns()]
    }

    /// The cells on which the next stone can come to rest.
    #[inline(always)]
    pub fn playable(&self, all: u64) -> u64 {
        (all + self.bottom) & self.board
    }

    /// The same code with the columns reversed.
    #[inline(always)]
    pub fn mirrored(&self, code: u64) -> u64 {
        let (stride, columns) = (self.rules.stride(), self.rules.columns());
        let pile = (1 << stride) - 1;
        let mut mirrored = 0;
        for column in 0..columns {
            mirrored |= (code >> (column * stride) & pile) << ((columns - 1 - column) * stride);
        }
        mirrored
    }
}
