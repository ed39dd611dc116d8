//! The tests of the crate's public face, in one binary so that they link once.

mod files;
mod folding;
