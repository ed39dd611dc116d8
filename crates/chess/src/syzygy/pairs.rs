//! Compressed values. A symbol stands for one value or for a pair of other symbols; symbols are written in a canonical prefix code, in blocks of equal size.
//! For every so many values an index says in which block they stand.

use std::borrow::Cow;

use super::pages::Pages;

/// What a symbol stands for.
#[derive(Clone, Copy, Default, Debug)]
struct Symbol {
    left: u16,
    right: u16,
    /// How many values, less one; nought if it is a value, which then is `left`.
    more: u32,
}

/// As a right half it says that there is none.
const NO_HALF: u16 = 0xfff;

/// Where the bytes of compressed values stand in the file.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Places {
    pub index: u64,
    pub lengths: u64,
    pub blocks: u64,
}

/// The values of one part of a table.
#[derive(Debug)]
pub(super) enum Pairs {
    /// All values are this one.
    Single(u16),
    Packed(Packed),
}

#[derive(Debug)]
pub(super) struct Packed {
    /// Two to the power of this are the values between two entries of the index.
    span_bits: u32,
    block_bits: u32,
    entries: u64,
    lengths: u64,
    blocks: u64,
    shortest: u32,
    /// For each length of code words, from the shortest on: the first word, at the upper end of 64 bits.
    bases: Box<[u64]>,
    /// And its symbol.
    first: Box<[u16]>,
    symbols: Box<[Symbol]>,
    pub places: Places,
}

const ENTRY: u64 = 6;
const LENGTH: u64 = 2;

/// Values of one block at most: their number, less one, has 16 bits.
const MOST_VALUES: u32 = 1 << 16;
/// So many blocks are at most walked through from where the index points to.
const MOST_STEPS: u32 = 1 << 16;

impl Pairs {
    /// Reads what stands before the values; `size` is their number, and `read` gives the next bytes of the file. `None` if that makes no sense.
    pub fn read(size: u64, mut read: impl FnMut(usize) -> Option<Vec<u8>>) -> Option<Pairs> {
        let [block_bits, span_bits, padding] = read(3)?.try_into().ok()?;
        let blocks = u32::from_le_bytes(read(4)?.try_into().ok()?);
        let [longest, shortest] = read(2)?.try_into().ok()?;
        if block_bits > 20 || span_bits > 31 || shortest == 0 || longest < shortest || longest > 32 {
            return None;
        }
        let words = |bytes: Vec<u8>| -> Box<[u16]> {
            bytes.as_chunks().0.iter().map(|&two| u16::from_le_bytes(two)).collect()
        };
        let lengths_of_code = usize::from(longest - shortest) + 1;
        let first = words(read(2 * lengths_of_code)?);
        let count = usize::from(words(read(2)?)[0]);
        let halves = read(3 * count + count % 2)?;
        let symbols = halves.as_chunks().0.iter().map(|&[a, b, c]: &[u8; 3]| Symbol {
            left: u16::from(a) | (u16::from(b) & 15) << 8,
            right: u16::from(c) << 4 | u16::from(b) >> 4,
            more: 0,
        });
        let mut symbols: Box<[Symbol]> = symbols.take(count).collect();
        measure(&mut symbols)?;
        let mut bases = vec![0u64; lengths_of_code];
        for place in (0..lengths_of_code - 1).rev() {
            let sum = bases[place + 1] + u64::from(first[place]);
            bases[place] = sum.checked_sub(u64::from(first[place + 1]))? / 2;
        }
        for (place, base) in bases.iter_mut().enumerate() {
            *base <<= 64 - usize::from(shortest) - place;
        }
        Some(Pairs::Packed(Packed {
            span_bits: span_bits.into(),
            block_bits: block_bits.into(),
            entries: size.div_ceil(1 << span_bits),
            lengths: u64::from(blocks) + u64::from(padding),
            blocks: blocks.into(),
            shortest: shortest.into(),
            bases: bases.into(),
            first,
            symbols,
            places: Places::default(),
        }))
    }

    /// The value with this number.
    #[inline]
    pub fn value(&self, pages: &Pages, number: u64) -> Option<u16> {
        match self {
            Pairs::Single(value) => Some(*value),
            Pairs::Packed(packed) => packed.value(pages, number),
        }
    }

    /// How many bytes the index, the lengths of blocks and the blocks have.
    pub fn bytes(&self) -> [u64; 3] {
        match self {
            Pairs::Single(_) => [0; 3],
            Pairs::Packed(packed) => {
                [packed.entries * ENTRY, packed.lengths * LENGTH, packed.blocks << packed.block_bits]
            }
        }
    }
}

/// Works out how many values each symbol stands for. `None` if one contains itself, names one that is not there, or stands for more than fit in a block.
fn measure(symbols: &mut [Symbol]) -> Option<()> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; symbols.len()];
    let mut open = Vec::new();
    for root in 0..symbols.len() {
        open.push(root);
        while let Some(&symbol) = open.last() {
            let Symbol { left, right, .. } = symbols[symbol];
            let halves = [usize::from(left), usize::from(right)];
            let is_value = right == NO_HALF;
            if states[symbol] == State::New && !is_value {
                states[symbol] = State::Open;
                for half in halves {
                    match states.get(half)? {
                        State::New => open.push(half),
                        State::Open => return None,
                        State::Done => {}
                    }
                }
                continue;
            }
            if states[symbol] != State::Done && !is_value {
                let more = symbols[halves[0]].more + symbols[halves[1]].more + 1;
                symbols[symbol].more = Some(more).filter(|&more| more < MOST_VALUES)?;
            }
            states[symbol] = State::Done;
            open.pop();
        }
    }
    Some(())
}

impl Packed {
    #[inline]
    fn value(&self, pages: &Pages, number: u64) -> Option<u16> {
        let (block, values_before) = self.find(pages, number)?;
        let at = self.places.blocks + (block << self.block_bits);
        self.decode(&pages.bytes(at, 1 << self.block_bits)?, values_before)
    }

    /// In which block a value stands, and how many stand before it there.
    #[inline]
    fn find(&self, pages: &Pages, number: u64) -> Option<(u64, u32)> {
        let entry = pages.bytes(self.places.index + (number >> self.span_bits) * ENTRY, ENTRY as usize)?;
        let [a, b, c, d, e, f] = *entry.first_chunk()?;
        let mut block = u64::from(u32::from_le_bytes([a, b, c, d]));
        let span = 1 << self.span_bits;
        // The entry is for the middle of the span.
        let mut offset = i64::from(u16::from_le_bytes([e, f])) + (number % span) as i64 - (span / 2) as i64;
        let mut steps = 0;
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += self.length(pages, block)?;
            steps += 1;
            if steps > MOST_STEPS {
                return None;
            }
        }
        loop {
            let length = self.length(pages, block)?;
            if offset < length {
                break;
            }
            (offset, block, steps) = (offset - length, block + 1, steps + 1);
            if steps > MOST_STEPS {
                return None;
            }
        }
        (block < self.blocks).then_some((block, offset as u32))
    }

    /// How many values a block has.
    #[inline]
    fn length(&self, pages: &Pages, block: u64) -> Option<i64> {
        if block >= self.lengths {
            return None;
        }
        let bytes: Cow<[u8]> = pages.bytes(self.places.lengths + block * LENGTH, LENGTH as usize)?;
        Some(i64::from(u16::from_le_bytes(*bytes.first_chunk()?)) + 1)
    }

    #[inline]
    fn decode(&self, block: &[u8], mut before: u32) -> Option<u16> {
        // At least 32 bits, at the upper end; behind the end of the block there is nothing.
        let next = |at: usize| {
            block
                .get(at..at + 4)
                .and_then(|four| four.first_chunk())
                .map_or(0, |four| u32::from_be_bytes(*four))
        };
        let mut bits = match block.first_chunk() {
            Some(eight) => u64::from_be_bytes(*eight),
            None => u64::from(next(0)) << 32,
        };
        let (mut in_bits, mut at) = (64u32, 8);
        let symbol = loop {
            let place = self.bases.iter().position(|&base| bits >= base)?;
            let length = self.shortest + place as u32;
            let word = (bits - self.bases[place]) >> (64 - length);
            let symbol = *self.symbols.get(usize::from(self.first[place]) + word as usize)?;
            if before <= symbol.more {
                break symbol;
            }
            before -= symbol.more + 1;
            bits <<= length;
            in_bits -= length;
            if in_bits <= 32 {
                if at > block.len() + 8 {
                    return None;
                }
                bits |= u64::from(next(at)) << (32 - in_bits);
                (in_bits, at) = (in_bits + 32, at + 4);
            }
        };
        let mut symbol = symbol;
        while symbol.more > 0 {
            let left = self.symbols[usize::from(symbol.left)];
            symbol = if before <= left.more {
                left
            } else {
                before -= left.more + 1;
                self.symbols[usize::from(symbol.right)]
            };
        }
        Some(symbol.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(halves: &[(u16, u16)]) -> Vec<Symbol> {
        halves.iter().map(|&(left, right)| Symbol { left, right, more: 0 }).collect()
    }

    #[test]
    fn symbols_are_measured_and_circles_are_refused() {
        let mut pair_of_pairs = symbols(&[(1, 1), (2, 3), (0, NO_HALF), (4, NO_HALF)]);
        measure(&mut pair_of_pairs).expect("no circle");
        assert_eq!(pair_of_pairs.iter().map(|symbol| symbol.more).collect::<Vec<_>>(), [3, 1, 0, 0]);
        for wrong in [&[(0, 0)][..], &[(1, 1), (0, 2), (0, NO_HALF)], &[(0, NO_HALF), (0, 7)]] {
            assert!(measure(&mut symbols(wrong)).is_none(), "{wrong:?}");
        }
        // Seventeen doublings are more than a block has.
        let mut doubling: Vec<_> = (0..17).map(|place| (place + 1, place + 1)).collect();
        doubling.push((0, NO_HALF));
        assert!(measure(&mut symbols(&doubling)).is_none());
        assert!(
            measure(&mut symbols(
                &doubling[1..]
                    .iter()
                    .map(|&(l, r)| (l.saturating_sub(1), if r == NO_HALF { r } else { r - 1 }))
                    .collect::<Vec<_>>()
            ))
            .is_some()
        );
    }
}
