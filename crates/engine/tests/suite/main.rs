//! The tests of the crate's public face, in one binary so that they link once.

mod by_heart;
mod catalogue;
mod dials;
mod evaluations;
mod human;
mod lc0_answers;
mod leaf_evaluators;
mod lessons;
mod levels;
mod network_faults;
mod network_sessions;
mod networks;
mod options;
mod pvs_on_real_games;
mod records_in_words;
mod selfplay;
mod sessions;
mod simulations;
mod switches_of_alphabeta;
mod textbook_on_real_games;
mod trace;
mod variety;
