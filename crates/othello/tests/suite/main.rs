//! The tests of the crate's public face, in one binary so that they link once.

mod common;
mod encoder;
mod endgame;
mod evaluation;
mod garbage;
mod labels;
mod large_input;
mod notation;
mod openings;
mod problems;
mod public_data;
mod records;
mod rules;
mod solving;
