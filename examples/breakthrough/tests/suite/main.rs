//! The tests of the crate, in one binary so that they link once.

mod program;
mod rules;
