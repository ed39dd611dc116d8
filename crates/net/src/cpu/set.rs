//! Which instructions are used: chosen at run time, since binaries are built for the baseline.

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512};
use super::lanes::{Lanes, Portable, Work};
use crate::network::NetError;

/// The instructions of a processor that kernels are compiled for. They all give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// Whatever the program was built for. Where that has no fused multiplication and addition, they are done by software, and that is slow.
    Portable,
    /// AVX2 and FMA: x86-64 processors since 2013.
    Avx2,
    /// AVX-512 with VNNI: Intel's servers since 2019, AMD's processors since Zen 4. Earlier ones use AVX2.
    Avx512,
}

impl InstructionSet {
    /// All of them, the slowest first.
    pub const ALL: [InstructionSet; 3] =
        [InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512];

    /// The fastest that this processor has; the portable one if [`OUTPLAY_PORTABLE`](outplay_core::cpu::PORTABLE) is set.
    pub fn best() -> InstructionSet {
        if !outplay_core::cpu::is_x86_64_v3() {
            return InstructionSet::Portable;
        }
        let has = |set: &InstructionSet| set.is_available();
        InstructionSet::ALL.into_iter().rfind(has).unwrap_or(InstructionSet::Portable)
    }

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        match self {
            InstructionSet::Portable => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                InstructionSet::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(not(target_arch = "x86_64"))]
            InstructionSet::Avx2 | InstructionSet::Avx512 => false,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            InstructionSet::Portable => "portable",
            InstructionSet::Avx2 => "AVX2",
            InstructionSet::Avx512 => "AVX-512",
        }
    }
}

/// An instruction set that this processor has. There is no other way to run code for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chosen(InstructionSet);

impl Chosen {
    /// The fastest one.
    pub fn best() -> Chosen {
        Chosen(InstructionSet::best())
    }

    pub fn new(set: InstructionSet) -> Result<Chosen, NetError> {
        match set.is_available() {
            true => Ok(Chosen(set)),
            false => {
                let (name, best) = (set.name(), InstructionSet::best().name());
                Err(NetError::Device(format!("this processor has no {name}; the best that it has is {best}")))
            }
        }
    }

    pub fn set(self) -> InstructionSet {
        self.0
    }

    /// How many vectors of outputs weights are packed for.
    pub fn panel(self) -> usize {
        struct Panel;
        impl Work for Panel {
            type Output = usize;

            #[inline(always)]
            fn run<L: Lanes>(self) -> usize {
                L::PANEL
            }
        }
        self.run(Panel)
    }

    /// Does work with these instructions.
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Avx512::call(work),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Avx2::call(work),
            _ => Portable::call(work),
        }
    }
}
