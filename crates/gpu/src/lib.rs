//! Networks on NVIDIA GPUs, as far as that goes without one: the kernel's source for a network, and its weights in the order in which the kernel reads
//! them. Nothing here talks to a device yet. [docs/gpu.md](../../../docs/gpu.md) says what was shown how, and what is missing.

mod generate;

pub use generate::{Program, THREADS};
