//! Networks on NVIDIA GPUs: for each network a [`Program`] is generated, a kernel's source and the weights in the order in which it reads them, and a
//! [`GpuNetwork`] compiles and runs it. Nothing here is needed to build the program: driver and compiler are found when it runs, or are not.
//! [docs/gpu.md](../../../docs/gpu.md) says what was shown how, and what is missing.

mod device;
mod fused;
mod general;
mod program;
mod train;

pub use device::{
    Compiled, DeviceInfo, GpuNetwork, KernelCache, Nvrtc, Transfer, cache_folder, cuda_version, devices,
};
pub use program::{Architecture, Launch, Program, SECTION};
pub use train::{Call, GpuTrainer, Places, Plan, PlanOptions, StepLaunch};
