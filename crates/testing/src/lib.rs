//! What the tests of several crates share. Nothing but tests depends on it.
//!
//! What the author of a new game needs to test it, [`outplay_core::conformance`] and [`outplay_core::garbage`], is
//! in the core instead.

pub mod large_input;
pub mod nats_server;
pub mod own_process;
pub mod public_data;
pub mod suites;
