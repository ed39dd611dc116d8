//! The tests of this crate, one binary.

mod allocations;
mod processor;
