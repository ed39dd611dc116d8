//! The tests of this crate, one binary.

mod processor;
