//! Positions as networks are shown them: planes of bits, then planes of one number.

/// How a position is packed into words of 64 bits.
///
/// Each plane of bits has a bit for each cell, row by row, in as many words as that takes; cell 0 is the lowest bit of the first word. Then each
/// constant plane, which has the same number in every cell, is a word with the bits of an `f32`. So a chess position with seven earlier ones is 112
/// words, and a device unpacks it where it needs it.
///
/// ```
/// use outplay_core::Planes;
///
/// let planes = Planes { rows: 6, columns: 7, bits: 2, constants: 1 };
/// let words = [1 << 41, 1 << 3, Planes::constant(0.5)];
/// assert_eq!(planes.words(), words.len());
/// assert_eq!([planes.value(&words, 0, 41), planes.value(&words, 0, 3), planes.value(&words, 2, 3)], [1.0, 0.0, 0.5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Planes {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Planes of bits.
    pub bits: usize,
    /// Planes of one number.
    pub constants: usize,
}

impl Planes {
    /// Cells of a plane.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// Words of a plane of bits.
    pub fn words_of_plane(self) -> usize {
        self.cells().div_ceil(64)
    }

    /// Words of a position.
    pub fn words(self) -> usize {
        self.bits * self.words_of_plane() + self.constants
    }

    /// Planes in all.
    pub fn count(self) -> usize {
        self.bits + self.constants
    }

    /// What a plane has in a cell.
    ///
    /// # Panics
    /// If there are fewer words than [`Planes::words`], or no such plane.
    pub fn value(self, words: &[u64], plane: usize, cell: usize) -> f32 {
        let of_plane = self.words_of_plane();
        match plane.checked_sub(self.bits) {
            None => (words[plane * of_plane + cell / 64] >> (cell % 64) & 1) as f32,
            Some(constant) => f32::from_bits(words[self.bits * of_plane + constant] as u32),
        }
    }

    /// The word of a constant plane.
    pub fn constant(value: f32) -> u64 {
        u64::from(value.to_bits())
    }
}
