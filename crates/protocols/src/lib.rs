//! The text protocols that game programs speak.

mod program;

pub use program::{CommandLine, Fault, Program};
