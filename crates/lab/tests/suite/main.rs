//! The tests of the crate's public face, in one binary so that they link once.

mod ablations;
mod books;
mod faults;
mod games;
mod html;
mod matches;
mod patterns;
mod replay;
mod reviews;
mod statistics_ratings;
mod statistics_simulation;
mod statistics_vectors;
mod suites;
mod tuning;
