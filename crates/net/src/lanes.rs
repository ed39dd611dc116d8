//! Sixteen numbers at once, on whatever the processor has for that.

/// Sixteen numbers.
pub(crate) trait Lanes: Copy {
    /// # Safety
    /// Sixteen numbers can be read there, and the processor has the instructions.
    unsafe fn load(from: *const f32) -> Self;
    /// # Safety
    /// Sixteen numbers can be written there, and the processor has the instructions.
    unsafe fn store(self, to: *mut f32);
    /// # Safety
    /// The processor has the instructions; likewise below.
    unsafe fn splat(value: f32) -> Self;
    /// # Safety
    /// See [`Lanes::splat`].
    unsafe fn add(self, other: Self) -> Self;
    /// # Safety
    /// See [`Lanes::splat`].
    unsafe fn subtract(self, other: Self) -> Self;
    /// # Safety
    /// See [`Lanes::splat`].
    unsafe fn multiply(self, other: Self) -> Self;
    /// `self * factor + summand`, rounded once where the processor can.
    ///
    /// # Safety
    /// See [`Lanes::splat`].
    unsafe fn multiply_add(self, factor: Self, summand: Self) -> Self;
}

/// For any processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable([f32; 16]);

impl Portable {
    #[inline(always)]
    fn with(self, other: Portable, f: impl Fn(f32, f32) -> f32) -> Portable {
        Portable(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Portable {
        // SAFETY: as the caller promises.
        Portable(unsafe { from.cast::<[f32; 16]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: as the caller promises.
        unsafe { to.cast::<[f32; 16]>().write_unaligned(self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Portable {
        Portable([value; 16])
    }

    #[inline(always)]
    unsafe fn add(self, other: Portable) -> Portable {
        self.with(other, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Portable) -> Portable {
        self.with(other, |a, b| a - b)
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Portable) -> Portable {
        self.with(other, |a, b| a * b)
    }

    #[inline(always)]
    unsafe fn multiply_add(self, factor: Portable, summand: Portable) -> Portable {
        Portable(std::array::from_fn(|i| self.0[i] * factor.0[i] + summand.0[i]))
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Lanes;

    /// Two registers of AVX2.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256, __m256);

    impl Lanes for Avx2 {
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Avx2 {
            // SAFETY: as the caller promises; likewise below.
            unsafe { Avx2(_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: as the caller promises.
            unsafe {
                _mm256_storeu_ps(to, self.0);
                _mm256_storeu_ps(to.add(8), self.1);
            }
        }

        #[inline(always)]
        unsafe fn splat(value: f32) -> Avx2 {
            // SAFETY: as the caller promises.
            unsafe { Avx2(_mm256_set1_ps(value), _mm256_set1_ps(value)) }
        }

        #[inline(always)]
        unsafe fn add(self, other: Avx2) -> Avx2 {
            // SAFETY: as the caller promises.
            unsafe { Avx2(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
        }

        #[inline(always)]
        unsafe fn subtract(self, other: Avx2) -> Avx2 {
            // SAFETY: as the caller promises.
            unsafe { Avx2(_mm256_sub_ps(self.0, other.0), _mm256_sub_ps(self.1, other.1)) }
        }

        #[inline(always)]
        unsafe fn multiply(self, other: Avx2) -> Avx2 {
            // SAFETY: as the caller promises.
            unsafe { Avx2(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
        }

        #[inline(always)]
        unsafe fn multiply_add(self, factor: Avx2, summand: Avx2) -> Avx2 {
            // SAFETY: as the caller promises.
            unsafe {
                Avx2(
                    _mm256_fmadd_ps(self.0, factor.0, summand.0),
                    _mm256_fmadd_ps(self.1, factor.1, summand.1),
                )
            }
        }
    }

    /// One register of AVX-512.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512(__m512);

    impl Lanes for Avx512 {
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Avx512 {
            // SAFETY: as the caller promises; likewise below.
            unsafe { Avx512(_mm512_loadu_ps(from)) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: as the caller promises.
            unsafe { _mm512_storeu_ps(to, self.0) }
        }

        #[inline(always)]
        unsafe fn splat(value: f32) -> Avx512 {
            // SAFETY: as the caller promises.
            unsafe { Avx512(_mm512_set1_ps(value)) }
        }

        #[inline(always)]
        unsafe fn add(self, other: Avx512) -> Avx512 {
            // SAFETY: as the caller promises.
            unsafe { Avx512(_mm512_add_ps(self.0, other.0)) }
        }

        #[inline(always)]
        unsafe fn subtract(self, other: Avx512) -> Avx512 {
            // SAFETY: as the caller promises.
            unsafe { Avx512(_mm512_sub_ps(self.0, other.0)) }
        }

        #[inline(always)]
        unsafe fn multiply(self, other: Avx512) -> Avx512 {
            // SAFETY: as the caller promises.
            unsafe { Avx512(_mm512_mul_ps(self.0, other.0)) }
        }

        #[inline(always)]
        unsafe fn multiply_add(self, factor: Avx512, summand: Avx512) -> Avx512 {
            // SAFETY: as the caller promises.
            unsafe { Avx512(_mm512_fmadd_ps(self.0, factor.0, summand.0)) }
        }
    }
}

/// What this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    Portable,
    Avx2,
    Avx512,
}

/// Asked once.
pub(crate) fn width() -> Width {
    static WIDTH: std::sync::OnceLock<Width> = std::sync::OnceLock::new();
    *WIDTH.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        if outplay_core::cpu::is_x86_64_v3() && is_x86_feature_detected!("fma") {
            return if is_x86_feature_detected!("avx512f") { Width::Avx512 } else { Width::Avx2 };
        }
        Width::Portable
    })
}

/// Makes a function that calls a generic one, `f::<Lanes, WIDE>`, compiled for what this processor has. With AVX-512, four times sixteen sums of each of six
/// rows fit into registers; with AVX2, one.
macro_rules! for_this_processor {
    ($(#[$attribute:meta])* unsafe fn $name:ident = $f:ident($($argument:ident: $type:ty),* $(,)?)) => {
        $(#[$attribute])*
        unsafe fn $name($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx2,fma")]
            unsafe fn with_avx512($($argument: $type),*) {
                // SAFETY: as the caller promises.
                unsafe { $f::<crate::lanes::Avx512, 4>($($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn with_avx2($($argument: $type),*) {
                // SAFETY: as the caller promises.
                unsafe { $f::<crate::lanes::Avx2, 1>($($argument),*) }
            }
            // SAFETY: as the caller promises; the processor was asked what it has.
            unsafe {
                match crate::lanes::width() {
                    #[cfg(target_arch = "x86_64")]
                    crate::lanes::Width::Avx512 => with_avx512($($argument),*),
                    #[cfg(target_arch = "x86_64")]
                    crate::lanes::Width::Avx2 => with_avx2($($argument),*),
                    _ => $f::<crate::lanes::Portable, 1>($($argument),*),
                }
            }
        }
    };
}
pub(crate) use for_this_processor;
