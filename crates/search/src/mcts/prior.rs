//! How likely a move is thought to be good, in twelve bits.

/// A probability as a floating-point number of twelve bits: 256 steps an octave, from 1 down to 2⁻¹⁶. What is smaller is taken as
/// that, so that no move is out of the question; the error is below 0.2 %. (With eight bits and 3 % a search by one of lc0's networks went other ways than lc0's own,
/// with eleven, in one position of twenty.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Prior(u16);

/// The bits of an `f32` below those that are kept.
const DROPPED: u32 = 15;
/// The kept bits of 1.
const ONE: u32 = 1f32.to_bits() >> DROPPED;
/// The bits of [`Prior::ONE`], the largest.
const MOST: u32 = (1 << Prior::BITS) - 1;

impl Prior {
    /// How many bits it has.
    pub const BITS: u32 = 12;
    /// Certainty.
    pub const ONE: Prior = Prior(MOST as u16);

    /// The nearest one.
    #[inline]
    pub fn new(probability: f32) -> Prior {
        // Numbers above 0 are ordered as their bits are: rounding is an addition, the logarithm a shift.
        let kept = (probability.max(0.0).to_bits() + (1 << (DROPPED - 1))) >> DROPPED;
        Prior((kept + MOST).saturating_sub(ONE).min(MOST) as u16)
    }

    /// The probability.
    #[inline]
    pub fn get(self) -> f32 {
        f32::from_bits((u32::from(self.0) + ONE - MOST) << DROPPED)
    }

    #[inline]
    pub fn bits(self) -> u16 {
        self.0
    }

    /// By its bits; others may stand above them.
    #[inline]
    pub fn from_bits(bits: u16) -> Prior {
        Prior(bits & MOST as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_probability_comes_back_nearly_as_it_was() {
        for step in 0..100_000 {
            let probability = 2f32.powf(-15.9 * step as f32 / 100_000.0);
            let error = (Prior::new(probability).get() / probability - 1.0).abs();
            assert!(error < 0.002, "{probability} becomes {}", Prior::new(probability).get());
        }
        assert_eq!(Prior::new(1.0), Prior::ONE);
        assert_eq!(Prior::ONE.get(), 1.0);
        for small in [0.0, -1.0, 1e-30, f32::NAN] {
            assert!((0.0..2e-5).contains(&Prior::new(small).get()), "{small}");
        }
    }

    #[test]
    fn the_order_is_kept_and_every_number_is_its_own() {
        for bits in 1..=MOST as u16 {
            assert!(Prior::from_bits(bits).get() > Prior::from_bits(bits - 1).get());
            assert_eq!(Prior::new(Prior::from_bits(bits).get()).bits(), bits);
        }
    }
}
