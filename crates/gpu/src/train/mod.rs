//! Training on a Hopper GPU: a [`GpuTrainer`]. A [`Plan`] says what a step is: `plan.rs` has the tower, `excitation.rs` what blocks with squeeze and excitation have beside it, `heads.rs` what follows, `shape.rs` how boards are shared out,
//! `memory.rs` where everything lies, `given.rs` what the host gives for each step. Kernels: `convolution.cu` (forward and back, with the normalisation fused in), `weights.cu` (gradients of weights),
//! `excitation.cu`, `heads.cu` (dense layers and losses), `update.cu` (the optimiser), on `base.cu` and `machine.cu`; `source.rs` puts them together.

mod excitation;
mod given;
mod heads;
mod memory;
mod plan;
mod shape;
mod source;
mod trainer;

pub use memory::{Call, StepLaunch};
pub use plan::{Places, Plan, PlanOptions};
pub use trainer::GpuTrainer;
