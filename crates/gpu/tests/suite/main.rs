//! Networks on GPUs. Without a GPU the kernels' source is run by a processor (`emulated.rs`) and compiled (`compiled.rs`), where there is what that takes;
//! with one they run (`device.rs`). `driver.rs` has the host ask a driver that is none. What is skipped says so. The binary needs no other file where it finds a GPU.

mod compiled;
mod device;
mod driver;
mod emulated;
mod nets;
mod training;
mod training_device;
