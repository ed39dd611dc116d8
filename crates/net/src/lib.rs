//! Policy-value networks.
//!
//! A [`Network`] is a [`Description`] and weights, in one file that Python reads too (`safetensors.rs` has the container). [`Layers`] says what a
//! network is made of, once: names and shapes for files, weights for kernels. A [`Backend`] runs one; [`Reference`] does so plainly in `f64`, which is
//! what the others are held against.

mod backend;
mod description;
mod half;
mod lanes;
mod layers;
mod network;
mod reference;
mod safetensors;
pub mod train;

pub use backend::{Backend, Outputs, Runner};
pub use description::{BlockKind, BoardSize, Description, Heads, Input, PolicyKind, ScalarKind, ValueKind};
pub use half::{f16_to_f32, f32_to_f16};
pub use layers::{Block, Conv, Dense, HeadLayers, Layers, Policy, Scalar, Spec};
pub use network::{NetError, Network, Precision, Tensor};
pub use reference::Reference;
