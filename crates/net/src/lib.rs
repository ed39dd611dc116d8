//! Policy-value networks.
//!
//! A [`Network`] is a [`Description`] and weights, in one file that Python reads too (`safetensors.rs` has the container). [`Layers`] says what a
//! network is made of, once: names and shapes for files, weights for kernels. A [`Backend`] runs one; [`Reference`] does so plainly in `f64`, which is
//! what the others are held against. [`open_network`] opens files of every kind: ours, lc0's (`lc0/`) and ONNX models (`onnx/`), which run as a
//! [`GraphNetwork`] (`graph/`) if they are not towers of our family.

mod backend;
mod cpu;
mod describe;
mod description;
mod graph;
mod half;
mod layers;
mod lc0;
mod measure;
mod network;
mod onnx;
mod open;
mod protobuf;
mod reference;
mod safetensors;
pub mod train;

pub use backend::{Backend, Outputs, Runner};
pub use cpu::{Arithmetic, InstructionSet, Processor};
pub use description::{BlockKind, BoardSize, Description, Heads, Input, PolicyKind, ScalarKind, ValueKind};
pub use graph::{GraphNetwork, ValueForm};
pub use half::{f16_to_f32, f32_to_f16};
pub use layers::{Block, Conv, Dense, HeadLayers, Layers, Policy, Scalar, Spec, pooled_scale};
pub use lc0::import_lc0;
pub use measure::{Load, measure, random_position};
pub use network::{NetError, Network, Precision, Tensor};
pub use onnx::{Mapping, PlaneSource, PolicySource, ValueSource, import_onnx};
pub use open::{Opened, network_from_bytes, open_network};
pub use reference::Reference;
