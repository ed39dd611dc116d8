//! Files of networks, held against other programs, slow second ways and hostile input; kernels, held against the reference.

mod allocations;
mod connect_four;
mod container;
mod export;
mod gradients;
mod import;
mod lc0;
mod opening;
mod processor;
mod python;
mod samples;
