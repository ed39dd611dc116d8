//! Memory that is asked for before it is needed.

use std::sync::atomic::AtomicU64;

/// Asks for the cache line of a word that will be written, and goes on without it. A hint: nothing depends on whether it is taken.
#[inline]
pub(super) fn prefetch_to_write(word: &AtomicU64) {
    // The standard library's hint asks for a line to be read unless the program is compiled for newer processors only.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch changes neither memory nor registers nor flags; processors that do not know this one take it as no operation.
    unsafe {
        std::arch::asm!("prefetchw byte ptr [{}]", in(reg) word, options(nostack, preserves_flags, readonly));
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: the same.
    unsafe {
        std::arch::asm!("prfm pstl1keep, [{}]", in(reg) word, options(nostack, preserves_flags, readonly));
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = word;
}
