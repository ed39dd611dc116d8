//! The kernel for every GPU since Ampere: convolutions by `mma.sync`.

mod generate;

pub(crate) use generate::program;
