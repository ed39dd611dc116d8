//! Lanes without any instruction set: arrays, which compilers turn into whatever vectors there are.

use super::{Integers, LANES, Lanes, Pairs, Vector, Work};

/// Sixteen numbers in an array.
#[derive(Clone, Copy)]
pub(crate) struct Portable([f32; LANES]);

/// Whether the processor that this is compiled for multiplies and adds with one rounding.
pub(crate) const HAS_FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

impl Portable {
    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Portable(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Portable {
    const PANEL: usize = 1;
    type Integers = [i32; LANES];

    #[inline(never)]
    fn call<W: Work>(work: W) -> W::Output {
        work.run::<Self>()
    }

    #[inline(always)]
    fn load(from: &Vector) -> Self {
        Portable(from.0)
    }

    #[inline(always)]
    fn store(self, to: &mut Vector) {
        to.0 = self.0;
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Portable([value; LANES])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn fma(self, factor: Self, term: Self) -> Self {
        Portable(std::array::from_fn(|i| match HAS_FMA {
            true => self.0[i].mul_add(factor.0[i], term.0[i]),
            false => fused(self.0[i], factor.0[i], term.0[i]),
        }))
    }

    #[inline(always)]
    fn raise(self, power: Self) -> Self {
        self.with(power, |a, b| f32::from_bits(a.to_bits().wrapping_add(b.to_bits() << 23)))
    }

    #[inline(always)]
    fn to_pairs(self) -> Pairs {
        // Conversions saturate.
        let half = |i: usize| i32::from(self.0[i].round_ties_even() as i16);
        Pairs(std::array::from_fn(|i| half(2 * i) & 0xFFFF | half(2 * i + 1) << 16))
    }

    #[inline(always)]
    fn load_integers(from: &Integers) -> [i32; LANES] {
        from.0
    }

    #[inline(always)]
    fn splat_integer(value: i32) -> [i32; LANES] {
        [value; LANES]
    }

    #[inline(always)]
    fn dot(sum: [i32; LANES], left: [i32; LANES], right: [i32; LANES]) -> [i32; LANES] {
        let low = |pair: i32| i32::from(pair as i16);
        std::array::from_fn(|i| {
            let products = low(left[i]) * low(right[i]) + (left[i] >> 16) * (right[i] >> 16);
            sum[i].wrapping_add(products)
        })
    }

    #[inline(always)]
    fn from_integers(integers: [i32; LANES]) -> Self {
        Portable(integers.map(|integer| integer as f32))
    }
}

/// `a * b + c` with one rounding, where the processor has no such instruction. Numbers of 64 bits hold the product exactly. Their sum is rounded to odd: a
/// sum that is not exact gets a last bit of one, so that rounding it once more, to 32 bits, goes where the exact sum would have gone.
#[inline(always)]
pub(super) fn fused(a: f32, b: f32, c: f32) -> f32 {
    let (product, term) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + term;
    // What the sum lost, exactly (Knuth's two-sum).
    let added = sum - product;
    let lost = (product - (sum - added)) + (term - added);
    let bits = sum.to_bits();
    let is_even = bits & 1 == 0;
    // One step towards what was lost: away from zero if it has the sign of the sum.
    let step = if (lost > 0.0) == (sum > 0.0) { 1 } else { u64::MAX };
    let odd = if lost != 0.0 && lost.is_finite() && is_even { bits.wrapping_add(step) } else { bits };
    f64::from_bits(odd) as f32
}
