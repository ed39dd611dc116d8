//! Files of networks, held against other programs, slow second ways and hostile input.

mod connect_four;
mod container;
mod export;
mod import;
mod lc0;
mod opening;
mod python;
mod samples;
