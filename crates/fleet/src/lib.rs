//! Many machines: work that is put out, leased, done and delivered.
//!
//! [`Fleet`] is the contract, in plain types. [`Local`] keeps it within the process, [`Nats`] on a server. On top of it, [`FleetCrew`] plays the pairs of any experiment of the
//! lab on the machines that [`work`] for it.

mod contract;
mod crew;
mod local;
mod memory;
mod nats;
pub mod wire;
mod worker;

pub use contract::{Depth, Digest, Expected, Fleet, FleetError, Lease, Line, Name, Pointer, Space};
pub use crew::FleetCrew;
pub use local::Local;
pub use memory::memory_of;
pub use nats::{Access, Nats};
pub use worker::{Hours, Leaving, WorkerOptions, work};
