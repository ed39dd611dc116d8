//! Training on a Hopper GPU. A [`Plan`] says what a step is: `plan.rs` has the tower, `heads.rs` what follows it, `shape.rs` how boards are shared out,
//! `memory.rs` where everything lies. Kernels: `convolution.cu` (forward and back, with the normalisation fused in), `weights.cu` (gradients of weights),
//! `heads.cu` (dense layers and losses), `update.cu` (the optimiser), on `base.cu` and `machine.cu`; `source.rs` puts them together.

mod given;
mod heads;
mod memory;
mod plan;
mod shape;
mod source;

pub use memory::{Call, StepLaunch};
pub use plan::{Places, Plan, PlanOptions};
