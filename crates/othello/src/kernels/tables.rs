//! Numbers of many places of the board at once, and tables that are looked up by them.

/// As many places as fill four registers of 256 bits.
pub(crate) const SLOTS: usize = 64;

/// What a disc on a square adds to the number of each place, by square.
pub(crate) type Powers = [[u16; SLOTS]; 64];

/// A number for each place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Numbers(pub [u16; SLOTS]);

/// A table for each place; several places may have the same one.
pub(crate) struct Tables {
    /// All tables, one after the other.
    entries: Box<[i16]>,
    layout: &'static Layout,
}

/// Where tables begin and end.
#[repr(C, align(64))]
pub(crate) struct Layout {
    /// Where the table of each place begins.
    pub begins: [u32; SLOTS],
    /// The last number that it has an entry for.
    pub last: [u16; SLOTS],
}

impl Tables {
    /// Puts tables together. One more entry than the tables need lets a register be read at the last one.
    pub fn new(entries: Box<[i16]>, layout: &'static Layout) -> Tables {
        let end = |slot: usize| layout.begins[slot] as usize + usize::from(layout.last[slot]);
        assert!((0..SLOTS).all(|slot| end(slot) + 1 < entries.len()), "tables end where they should");
        Tables { entries, layout }
    }

    /// All entries, and where those of each place are.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    pub fn parts(&self) -> (&[i16], &'static Layout) {
        (&self.entries, self.layout)
    }

    /// What the table of one place says of its number.
    #[inline(always)]
    pub fn entry(&self, slot: usize, numbers: &Numbers) -> i16 {
        let number = numbers.0[slot].min(self.layout.last[slot]);
        self.entries[self.layout.begins[slot] as usize + usize::from(number)]
    }
}

#[inline(always)]
pub(super) fn add_powers(powers: &Powers, mut squares: u64, times: u16, into: &mut Numbers) {
    while squares != 0 {
        let row = &powers[squares.trailing_zeros() as usize];
        squares &= squares - 1;
        for (number, power) in into.0.iter_mut().zip(row) {
            *number = number.wrapping_add(power.wrapping_mul(times));
        }
    }
}

#[inline(always)]
pub(super) fn look_up(tables: &Tables, numbers: &Numbers) -> i32 {
    (0..SLOTS).map(|slot| i32::from(tables.entry(slot, numbers))).sum()
}
