//! The kernel for Hopper GPUs: `kernel.cu` has its layers, `machine.cu` what only the chip has, `shape.rs` says how boards are shared out, `weights.rs` in
//! which order weights come, `generate.rs` puts it all together.

mod generate;
mod products;
mod shape;
mod weights;

pub(crate) use generate::program;
pub(crate) use products::{Operands, products};
