//! Lanes over AVX2 and FMA: two registers of eight.

use std::arch::x86_64::*;

use super::{Integers, LANES, Lanes, Pairs, Vector, Work};

/// Sixteen numbers in two registers. Only a processor that has AVX2 and FMA may run what uses it; [`Chosen`](crate::cpu::set::Chosen) sees to that.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256, __m256);

macro_rules! simd {
    ($calls:expr) => {{
        // SAFETY: these lanes are used on a processor that has AVX2 and FMA, and pointers come from references to as many values.
        unsafe { $calls }
    }};
}

impl Lanes for Avx2 {
    const PANEL: usize = 1;
    type Integers = (__m256i, __m256i);

    #[inline(always)]
    fn call<W: Work>(work: W) -> W::Output {
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn compiled<W: Work>(work: W) -> W::Output {
            work.run::<Avx2>()
        }
        simd!(compiled(work))
    }

    #[inline(always)]
    fn load(from: &Vector) -> Self {
        let from = from.0.as_ptr();
        simd!(Avx2(_mm256_load_ps(from), _mm256_load_ps(from.add(LANES / 2))))
    }

    #[inline(always)]
    fn store(self, to: &mut Vector) {
        let to = to.0.as_mut_ptr();
        simd!({
            _mm256_store_ps(to, self.0);
            _mm256_store_ps(to.add(LANES / 2), self.1);
        });
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        let half = simd!(_mm256_set1_ps(value));
        Avx2(half, half)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        simd!(Avx2(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        simd!(Avx2(_mm256_sub_ps(self.0, other.0), _mm256_sub_ps(self.1, other.1)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        simd!(Avx2(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        simd!(Avx2(_mm256_div_ps(self.0, other.0), _mm256_div_ps(self.1, other.1)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        simd!(Avx2(_mm256_max_ps(self.0, other.0), _mm256_max_ps(self.1, other.1)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        simd!(Avx2(_mm256_min_ps(self.0, other.0), _mm256_min_ps(self.1, other.1)))
    }

    #[inline(always)]
    fn fma(self, factor: Self, term: Self) -> Self {
        simd!(Avx2(_mm256_fmadd_ps(self.0, factor.0, term.0), _mm256_fmadd_ps(self.1, factor.1, term.1)))
    }

    #[inline(always)]
    fn raise(self, power: Self) -> Self {
        let raise = |value: __m256, power: __m256| {
            let exponent = simd!(_mm256_slli_epi32::<23>(_mm256_castps_si256(power)));
            simd!(_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(value), exponent)))
        };
        Avx2(raise(self.0, power.0), raise(self.1, power.1))
    }

    #[inline(always)]
    fn to_pairs(self) -> Pairs {
        let mut pairs = Pairs([0; LANES / 2]);
        let to = pairs.0.as_mut_ptr().cast();
        simd!({
            // Packing works within halves of a register, so the quarters must be put in order.
            let packed = _mm256_packs_epi32(_mm256_cvtps_epi32(self.0), _mm256_cvtps_epi32(self.1));
            _mm256_store_si256(to, _mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
        });
        pairs
    }

    #[inline(always)]
    fn load_integers(from: &Integers) -> Self::Integers {
        let from: *const __m256i = from.0.as_ptr().cast();
        simd!((_mm256_load_si256(from), _mm256_load_si256(from.add(1))))
    }

    #[inline(always)]
    fn splat_integer(value: i32) -> Self::Integers {
        let half = simd!(_mm256_set1_epi32(value));
        (half, half)
    }

    #[inline(always)]
    fn dot(sum: Self::Integers, left: Self::Integers, right: Self::Integers) -> Self::Integers {
        simd!((
            _mm256_add_epi32(sum.0, _mm256_madd_epi16(left.0, right.0)),
            _mm256_add_epi32(sum.1, _mm256_madd_epi16(left.1, right.1))
        ))
    }

    #[inline(always)]
    fn from_integers(integers: Self::Integers) -> Self {
        simd!(Avx2(_mm256_cvtepi32_ps(integers.0), _mm256_cvtepi32_ps(integers.1)))
    }
}
