//! Networks on GPUs. Without a GPU the kernels' source is run by a processor (`emulated.rs`) and compiled (`compiled.rs`), where there is what that takes;
//! with one they run (`device.rs`). What is skipped says so. The binary needs no other file where it finds a GPU.

mod compiled;
mod device;
mod emulated;
mod nets;
mod training;
mod training_device;
