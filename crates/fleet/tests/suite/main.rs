//! The tests of this crate, in one program.

mod access;
mod contract;
mod crew;
