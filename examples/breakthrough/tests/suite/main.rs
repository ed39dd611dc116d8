//! The tests of the crate, in one binary so that they link once.

mod encoder;
mod learning;
mod program;
mod rules;
