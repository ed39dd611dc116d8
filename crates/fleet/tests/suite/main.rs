//! The tests of this crate, in one program.

mod access;
mod chaos;
mod contract;
mod crew;
