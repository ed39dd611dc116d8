//! Many machines: work that is put out, leased, done and delivered.
//!
//! [`Fleet`] is the contract, in plain types; [`Local`] keeps it within the process.

mod contract;
mod local;

pub use contract::{Depth, Digest, Expected, Fleet, FleetError, Lease, Line, Name, Pointer, Space};
pub use local::Local;
