//! Which of the kernels this processor can run: found out once, then a load and a branch that is always
//! predicted.

use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set that the kernels are written for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Level {
    /// Whatever the compiler may assume.
    Portable = 1,
    /// AVX2 and the bit instructions of the same age.
    Avx2 = 2,
    /// AVX-512 with conflict detection (for its count of leading zeros) and vector length extensions.
    Avx512 = 3,
}

/// The best level of this processor, 0 as long as nobody has asked. Relaxed, because every thread finds the
/// same.
static FOUND: AtomicU8 = AtomicU8::new(0);

#[inline]
pub(crate) fn level() -> Level {
    match FOUND.load(Ordering::Relaxed) {
        3 => Level::Avx512,
        2 => Level::Avx2,
        1 => Level::Portable,
        _ => find(),
    }
}

#[cold]
fn find() -> Level {
    let avx2 = outplay_core::cpu::is_x86_64_v3();
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vl");
    let level = match (avx2, avx512) {
        (_, true) => Level::Avx512,
        (true, _) => Level::Avx2,
        _ => Level::Portable,
    };
    FOUND.store(level as u8, Ordering::Relaxed);
    level
}
