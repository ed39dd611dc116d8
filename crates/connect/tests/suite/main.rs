//! The tests of the crate's public face, in one binary so that they link once.

mod encoders;
mod family;
mod family_text;
mod four;
mod four_oracle;
mod four_text;
mod labels;
mod large_input;
mod mcts;
mod mcts_threats;
mod problems;
mod proofs;
mod public_games;
mod sgf;
mod suites;
