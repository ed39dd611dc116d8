//! Lanes over AVX-512 with VNNI: one register.

use std::arch::asm;
use std::arch::x86_64::*;

use super::{Integers, Lanes, Pairs, Vector, Work};

/// Sixteen numbers in one register. Only a processor that has AVX-512 may run what uses it; [`Chosen`](crate::cpu::set::Chosen) sees to that.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512);

macro_rules! simd {
    ($calls:expr) => {{
        // SAFETY: these lanes are used on a processor that has AVX-512, and pointers come from references to as many values.
        unsafe { $calls }
    }};
}

impl Lanes for Avx512 {
    const PANEL: usize = 4;
    type Integers = __m512i;

    #[inline(always)]
    fn call<W: Work>(work: W) -> W::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,bmi1,bmi2,lzcnt,popcnt"
        )]
        #[inline(never)]
        fn compiled<W: Work>(work: W) -> W::Output {
            work.run::<Avx512>()
        }
        simd!(compiled(work))
    }

    #[inline(always)]
    fn prefetch(from: &Vector, ahead: usize) {
        simd!(_mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(from).wrapping_add(ahead).cast()));
    }

    #[inline(always)]
    fn load(from: &Vector) -> Self {
        Avx512(simd!(_mm512_load_ps(from.0.as_ptr())))
    }

    #[inline(always)]
    fn store(self, to: &mut Vector) {
        simd!(_mm512_store_ps(to.0.as_mut_ptr(), self.0));
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Avx512(simd!(_mm512_set1_ps(value)))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Avx512(simd!(_mm512_add_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Avx512(simd!(_mm512_sub_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Avx512(simd!(_mm512_mul_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Avx512(simd!(_mm512_div_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Avx512(simd!(_mm512_max_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Avx512(simd!(_mm512_min_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn fma(self, factor: Self, term: Self) -> Self {
        Avx512(simd!(_mm512_fmadd_ps(self.0, factor.0, term.0)))
    }

    #[inline(always)]
    fn raise(self, power: Self) -> Self {
        let exponent = simd!(_mm512_slli_epi32::<23>(_mm512_castps_si512(power.0)));
        Avx512(simd!(_mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(self.0), exponent))))
    }

    #[inline(always)]
    fn to_pairs(self, second: Self) -> Pairs {
        let mut pairs = Pairs::ZERO;
        let to = pairs.0.as_mut_ptr().cast();
        simd!({
            let packed = _mm512_packs_epi32(_mm512_cvtps_epi32(self.0), _mm512_cvtps_epi32(second.0));
            _mm512_store_si512(to, packed);
        });
        pairs
    }

    #[inline(always)]
    fn load_integers(from: &Integers) -> __m512i {
        simd!(_mm512_load_si512(from.0.as_ptr().cast()))
    }

    #[inline(always)]
    fn splat_integer(value: i32) -> __m512i {
        simd!(_mm512_set1_epi32(value))
    }

    #[inline(always)]
    fn dot(sum: __m512i, left: __m512i, right: __m512i) -> __m512i {
        simd!(dot(sum, left, right))
    }

    #[inline(always)]
    fn from_integers(integers: __m512i) -> Self {
        Avx512(simd!(_mm512_cvtepi32_ps(integers)))
    }
}

/// The instruction itself: compilers that do not know the processor take it apart into two, in the belief that it waits longer for its sum.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn dot(mut sum: __m512i, left: __m512i, right: __m512i) -> __m512i {
    // SAFETY: the processor has the instruction, which works on registers only.
    unsafe {
        asm!(
            "vpdpwssd {sum}, {left}, {right}",
            sum = inout(zmm_reg) sum,
            left = in(zmm_reg) left,
            right = in(zmm_reg) right,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}
