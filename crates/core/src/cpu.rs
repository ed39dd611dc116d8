//! What the processor can do, asked at run time: binaries are built for the baseline and must run everywhere.

use std::sync::atomic::{AtomicU8, Ordering};

/// The environment variable that, set to anything, has programs do as if the processor could do nothing beyond the
/// baseline. It is read once. Answers stay the same; tests compare them, and it tells what newer instructions are worth.
pub const PORTABLE: &str = "OUTPLAY_PORTABLE";

/// What was found out the first time: it is asked in the hottest loops.
static IS_X86_64_V3: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 2;

/// Whether this is an x86-64 processor with the bit and vector instructions of the last ten years (level "v3"): what
/// functions compiled with `#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]` need. It is denied if
/// [`PORTABLE`] is set.
#[inline]
pub fn is_x86_64_v3() -> bool {
    match IS_X86_64_V3.load(Ordering::Relaxed) {
        UNKNOWN => ask(),
        known => known == 1,
    }
}

#[cold]
fn ask() -> bool {
    let answer = std::env::var_os(PORTABLE).is_none() && detect();
    IS_X86_64_V3.store(answer.into(), Ordering::Relaxed);
    answer
}

fn detect() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}
