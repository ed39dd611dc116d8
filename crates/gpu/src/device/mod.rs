//! Kernels on a device: the driver (`driver.rs` says what is asked of one, `cuda.rs` asks NVIDIA's), the compiler (`nvrtc.rs`, found in `places.rs`), compiled kernels
//! on disk (`cache.rs`), and networks that run (`network.rs`, for one thread `runner.rs`). `steps.rs` runs the steps of a trainer. `mock.rs` is a device for tests, which can fail.

mod cache;
mod cuda;
mod driver;
#[cfg(test)]
mod mock;
mod network;
mod nvrtc;
mod places;
mod runner;
mod steps;

pub use cache::{KernelCache, cache_folder};
pub use cuda::{cuda_version, devices};
pub use driver::DeviceInfo;
pub use network::{GpuNetwork, Transfer};
pub use nvrtc::{Compiled, Nvrtc};
pub(crate) use steps::Steps;
