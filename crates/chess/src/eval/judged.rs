//! What is known of positions that were judged a moment ago.

/// How many positions are remembered: 128 KB, so that asking is quick.
const ENTRIES: usize = 1 << 14;
/// The bits of a value. Above it in a word stands what is above it in the key; the bits below lead to the entry.
const VALUE_BITS: u32 = 16;

/// A table of judged positions, one word each.
pub(super) struct Judged(Box<[u64]>);

impl Judged {
    pub fn new() -> Judged {
        Judged(vec![0; ENTRIES].into_boxed_slice())
    }

    /// The value of the position with this key; `judge` finds it where it is not known.
    #[inline(always)]
    pub fn get_or(&mut self, key: u64, judge: impl FnOnce() -> i32) -> i32 {
        let entry = &mut self.0[key as usize % ENTRIES];
        let known = *entry;
        // A word of zeros was never written.
        if (known ^ key) >> VALUE_BITS == 0 && known != 0 {
            return i32::from(known as i16);
        }
        let value = judge();
        *entry = key >> VALUE_BITS << VALUE_BITS | u64::from(value as i16 as u16);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_judged_once_until_another_takes_its_entry() {
        let mut judged = Judged::new();
        let known = |judged: &mut Judged, key| judged.get_or(key, || panic!("judged again"));
        let (key, other) = (0xABCD_EF01_2345_0007, 0xABCD_EF01_2346_0007);
        assert_eq!(judged.get_or(key, || -123), -123);
        assert_eq!(known(&mut judged, key), -123);
        assert_eq!(judged.get_or(other, || 15_000), 15_000);
        assert_eq!(known(&mut judged, other), 15_000);
        assert_eq!(judged.get_or(key, || -15_000), -15_000);
        // A key of zeros is like any other, but for being judged each time if it is worth nothing.
        assert_eq!((judged.get_or(0, || 0), judged.get_or(0, || 7), known(&mut judged, 0)), (0, 7, 7));
    }
}
