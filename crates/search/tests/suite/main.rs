//! The tests of the crate's public face, in one binary so that they link once.

mod alphabeta;
mod certainty;
mod common;
mod laws_of_encoders;
mod laws_of_tree_search;
mod mcts;
mod mcts_graph;
mod mcts_knowledge;
mod mcts_margins;
mod mcts_memory;
mod mcts_options;
mod mcts_saved;
mod mcts_sight;
mod mcts_trace;
mod rollouts;
mod searches_under_control;
mod simulations;
mod stoppers_in_a_chain;
mod time_managers;
mod trace;
