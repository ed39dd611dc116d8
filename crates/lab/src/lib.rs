//! Measuring what engines are worth.
//!
//! [`stats`] is the mathematics: how much one player is better than another, and how sure that is.

pub mod stats;
