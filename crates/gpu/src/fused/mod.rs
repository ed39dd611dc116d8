//! The kernel for networks whose boards fit into the shared memory of a block, which is nearly all: `team.cu` has the memory and the threads that share it, `layers.cu` the layers. They are the same on every
//! GPU; what a GPU has for them stands in `../common.cu` and, by its kind, in `hopper.cu` or `ampere.cu`. `shape.rs` says how boards are shared out,
//! `weights.rs` in which order weights come, `generate.rs` puts it all together, with the products of `products.rs`.

mod generate;
mod products;
mod shape;
mod weights;

pub(crate) use generate::program;
pub(crate) use products::{Operands, products};
