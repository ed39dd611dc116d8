//! The tests of the crate's public face, in one binary so that they link once.

mod cpu;
mod lines;
mod openings;
mod pgn;
mod problems;
mod the_suite_catches_broken_games;
mod twice;
