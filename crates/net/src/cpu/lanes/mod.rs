//! Sixteen numbers at once, over three instruction sets.
//!
//! Everything above this module is written once, for any [`Lanes`]. The three implementations do the same IEEE operations lane by lane, each with
//! one rounding, so that results are equal to the bit.

#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use portable::{HAS_FMA, Portable};

/// How many lanes there are.
pub(crate) const LANES: usize = 16;

/// Sixteen numbers in memory: one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Vector(pub [f32; LANES]);

/// Sixteen integers in memory; as factors of [`Lanes::dot`], sixteen pairs of 16 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Integers(pub [i32; LANES]);

/// Twice sixteen integers of 16 bits in memory: for each four of them, two pairs of the first sixteen, then two pairs of the second, as instructions pack
/// them. The first of a pair is in the lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Pairs(pub [[[i32; 2]; 2]; LANES / 4]);

/// The numbers of vectors.
pub(crate) fn numbers(vectors: &[Vector]) -> &[f32] {
    // SAFETY: a vector is sixteen numbers and nothing else.
    unsafe { std::slice::from_raw_parts(vectors.as_ptr().cast(), LANES * vectors.len()) }
}

/// The numbers of vectors, to be changed.
pub(crate) fn numbers_mut(vectors: &mut [Vector]) -> &mut [f32] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), LANES * vectors.len()) }
}

impl Vector {
    pub const ZERO: Vector = Vector([0.0; LANES]);
}

impl Pairs {
    pub const ZERO: Pairs = Pairs([[[0; 2]; 2]; LANES / 4]);
}

/// Work that is compiled for each instruction set. What it calls with lanes must be `#[inline(always)]`, or work of its own that goes through
/// [`Lanes::call`]: only so does it become code of that instruction set. Beware of library functions that take closures, `array::from_fn` above all: where the
/// compiler decides against inlining one, its closure is compiled for the baseline, and the work takes three times as long.
pub(crate) trait Work {
    /// What comes out.
    type Output;

    /// Does the work.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Sixteen numbers in registers.
pub(crate) trait Lanes: Copy {
    /// How many vectors of outputs a product may keep in registers for each of six rows.
    const PANEL: usize;
    /// Sixteen integers in registers.
    type Integers: Copy;

    /// Does work in a function of its own, compiled for this instruction set.
    fn call<W: Work>(work: W) -> W::Output;

    fn load(from: &Vector) -> Self;
    fn store(self, to: &mut Vector);
    fn splat(value: f32) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// The other one where this one is not greater, be it no number at all.
    fn max(self, other: Self) -> Self;
    /// The other one where this one is not less, be it no number at all.
    fn min(self, other: Self) -> Self;
    /// `self * factor + term`, rounded once.
    fn fma(self, factor: Self, term: Self) -> Self;
    /// Adds an integer to the exponent; it stands in the lowest bits of `power`.
    fn raise(self, power: Self) -> Self;
    /// The nearest integers, ties to even, no larger than 16 bits allow. The numbers must fit into integers of 32 bits.
    fn to_pairs(self, second: Self) -> Pairs;

    fn load_integers(from: &Integers) -> Self::Integers;
    fn splat_integer(value: i32) -> Self::Integers;
    /// The sum of `sum` and the two products of each lane's pairs. It must fit.
    fn dot(sum: Self::Integers, left: Self::Integers, right: Self::Integers) -> Self::Integers;
    fn from_integers(integers: Self::Integers) -> Self;

    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// Asks for the cache line so many vectors behind this one, which need not exist: for what comes from afar faster than it is fetched unasked.
    #[inline(always)]
    fn prefetch(_from: &Vector, _ahead: usize) {}

    /// The exponential function, to within 3 units in the last place, and at least `exp(-87)`: split into a power of two and a rest of at most half of
    /// `ln 2`, for which Taylor's polynomial does.
    #[inline(always)]
    fn exp(self) -> Self {
        let c = Self::splat;
        let x = self.max(c(-87.0)).min(c(88.0));
        // Added to this number, anything small is rounded to an integer, which then stands in the lowest bits.
        let rounder = c(12_582_912.0);
        let power = x.fma(c(std::f32::consts::LOG2_E), rounder);
        let integer = power.sub(rounder);
        // ln 2 in two parts, of which the first has so few bits that its multiples are exact.
        let rest = integer.fma(c(-0.693_145_75), x);
        let rest = integer.fma(c(-1.428_606_8e-6), rest);
        let mut sum = c(1.0 / 5040.0);
        for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
            sum = sum.fma(rest, c(factor));
        }
        sum.raise(power)
    }

    /// `1 / (1 + exp(-x))`.
    #[inline(always)]
    fn sigmoid(self) -> Self {
        let one = Self::splat(1.0);
        one.div(one.add(Self::zero().sub(self).exp()))
    }

    /// The hyperbolic tangent, by the exponential function.
    #[inline(always)]
    fn tanh(self) -> Self {
        let (one, two) = (Self::splat(1.0), Self::splat(2.0));
        one.sub(two.div(one.add(self.mul(two).exp())))
    }

    /// The largest lane, but at least zero.
    #[inline(always)]
    fn largest(self) -> f32 {
        let mut lanes = Vector::ZERO;
        self.store(&mut lanes);
        lanes.0.iter().fold(0.0, |most, &lane| if lane > most { lane } else { most })
    }
}
