//! The server as clients meet it: real requests to a real port. One program, because it takes long to link.

mod analysis;
mod exchange;
mod explorer;
mod faults;
mod games;
mod load;
mod networks;
mod positions;
mod programs;
mod reviews;
mod runs;
mod safety;
mod support;
mod traces;
