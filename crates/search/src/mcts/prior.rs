//! How likely a move is thought to be good, in one byte.

/// A probability as a floating-point number of eight bits: sixteen steps an octave, from 1 down to 2⁻¹⁶. What is smaller is taken as
/// that, so that no move is out of the question; the error is below 3.2 %, less than any network's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Prior(u8);

/// The bits of an `f32` below those that are kept.
const DROPPED: u32 = 19;
/// The kept bits of 1.
const ONE: u32 = 1f32.to_bits() >> DROPPED;

impl Prior {
    /// Certainty.
    pub const ONE: Prior = Prior(255);

    /// The nearest one.
    #[inline]
    pub fn new(probability: f32) -> Prior {
        // Numbers above 0 are ordered as their bits are: rounding is an addition, the logarithm a shift.
        let kept = (probability.max(0.0).to_bits() + (1 << (DROPPED - 1))) >> DROPPED;
        Prior((kept + 255).saturating_sub(ONE).min(255) as u8)
    }

    /// The probability.
    #[inline]
    pub fn get(self) -> f32 {
        f32::from_bits((u32::from(self.0) + ONE - 255) << DROPPED)
    }

    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }

    #[inline]
    pub fn from_bits(bits: u8) -> Prior {
        Prior(bits)
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
            assert!(error < 0.032, "{probability} becomes {}", Prior::new(probability).get());
        }
        assert_eq!(Prior::new(1.0), Prior::ONE);
        assert_eq!(Prior::ONE.get(), 1.0);
        for small in [0.0, -1.0, 1e-30, f32::NAN] {
            assert!((0.0..2e-5).contains(&Prior::new(small).get()), "{small}");
        }
    }

    #[test]
    fn the_order_is_kept_and_every_byte_is_its_own() {
        for byte in 1..=255 {
            assert!(Prior::from_bits(byte).get() > Prior::from_bits(byte - 1).get());
            assert_eq!(Prior::new(Prior::from_bits(byte).get()).bits(), byte);
        }
    }
}
