//! Networks on NVIDIA GPUs: for each network a [`Program`] is generated, a kernel's source and the weights in the order in which it reads them.
//! [docs/gpu.md](../../../docs/gpu.md) says what was shown how, and what is missing.

mod hopper;
mod portable;
mod program;

pub use program::{Architecture, Launch, Program, SECTION};
