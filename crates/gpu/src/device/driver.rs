//! What the host asks of a device.

use std::ptr::NonNull;
use std::sync::Arc;

use outplay_net::NetError;

use crate::program::Launch;

/// A GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its number, which `cuda:N` names.
    pub number: usize,
    /// What its maker calls it.
    pub name: String,
    /// Its memory in bytes.
    pub memory: usize,
    /// Its compute capability, major and minor.
    pub capability: (i32, i32),
    /// How many multiprocessors it has.
    pub multiprocessors: usize,
}

/// A device with a driver. Tests put one of their own in place of NVIDIA's.
///
/// Handles are what the driver says they are, and belong to it. Errors are whole sentences.
pub(super) trait Driver: Send + Sync {
    fn info(&self) -> &DeviceInfo;

    /// Loads compiled kernels.
    fn load(&self, image: &[u8]) -> Result<usize, NetError>;

    fn unload(&self, module: usize);

    /// A kernel of a module, made ready for a launch, and how many of its blocks a multiprocessor has at once.
    fn kernel(&self, module: usize, launch: &Launch) -> Result<(usize, usize), NetError>;

    /// Memory of the device, all bits of which are set: as numbers that is none, so that nobody takes for an output what no kernel has written.
    fn allocate(&self, bytes: usize) -> Result<u64, NetError>;

    fn free(&self, address: u64);

    /// Memory of the host that the device reaches under the same address.
    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, NetError>;

    fn free_pinned(&self, memory: NonNull<u8>);

    /// Fills memory of the device, and waits for that.
    fn upload(&self, to: u64, bytes: &[u8]) -> Result<(), NetError>;

    fn create_stream(&self) -> Result<usize, NetError>;

    fn destroy_stream(&self, stream: usize);

    /// Has a stream copy positions in, run a kernel and copy outputs out, and returns at once.
    ///
    /// # Safety
    /// All that the task names has to stay, and what it writes must not be looked at, until the stream was synchronized.
    unsafe fn enqueue(&self, stream: usize, task: &Task) -> Result<(), NetError>;

    /// Waits for all that a stream was given.
    fn synchronize(&self, stream: usize) -> Result<(), NetError>;
}

/// A batch for a stream.
pub(super) struct Task {
    pub kernel: usize,
    pub blocks: usize,
    pub threads: usize,
    pub shared_bytes: usize,
    pub count: i32,
    /// Where the kernel reads positions, and where they are copied from before, unless that is the same.
    pub positions: u64,
    pub copied_in: Option<Copied>,
    pub weights: u64,
    /// Where the kernel writes outputs, and where they are copied to afterwards, unless that is the same.
    pub outputs: u64,
    pub copied_out: Option<Copied>,
    pub workspace: u64,
}

/// The host's side of a copy.
#[derive(Clone, Copy)]
pub(super) struct Copied {
    pub memory: NonNull<u8>,
    pub bytes: usize,
}

/// Memory of a device, freed with this.
pub(super) struct DeviceMemory {
    driver: Arc<dyn Driver>,
    pub address: u64,
}

impl DeviceMemory {
    pub fn new(driver: &Arc<dyn Driver>, bytes: usize) -> Result<DeviceMemory, NetError> {
        let address = driver.allocate(bytes)?;
        Ok(DeviceMemory { driver: driver.clone(), address })
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        self.driver.free(self.address);
    }
}

/// Pinned memory of the host, freed with this.
pub(super) struct PinnedMemory {
    driver: Arc<dyn Driver>,
    pub memory: NonNull<u8>,
}

impl PinnedMemory {
    pub fn new(driver: &Arc<dyn Driver>, bytes: usize) -> Result<PinnedMemory, NetError> {
        let memory = driver.allocate_pinned(bytes)?;
        // SAFETY: the driver has just given so many bytes. They are filled once, so that they may be looked at as numbers whatever becomes of them, and as memory
        // of the device is.
        unsafe { memory.as_ptr().write_bytes(0xFF, bytes) };
        Ok(PinnedMemory { driver: driver.clone(), memory })
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        self.driver.free_pinned(self.memory);
    }
}

/// A stream, at an end with this: what was given to it is waited for.
pub(super) struct Stream {
    driver: Arc<dyn Driver>,
    pub handle: usize,
}

impl Stream {
    pub fn new(driver: &Arc<dyn Driver>) -> Result<Stream, NetError> {
        let handle = driver.create_stream()?;
        Ok(Stream { driver: driver.clone(), handle })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Memory that the stream works in is freed after this. A device that is lost works in none.
        let _ = self.driver.synchronize(self.handle);
        self.driver.destroy_stream(self.handle);
    }
}

/// Loaded kernels, unloaded with this.
pub(super) struct Module {
    driver: Arc<dyn Driver>,
    pub handle: usize,
}

impl Module {
    pub fn new(driver: &Arc<dyn Driver>, image: &[u8]) -> Result<Module, NetError> {
        let handle = driver.load(image)?;
        Ok(Module { driver: driver.clone(), handle })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        self.driver.unload(self.handle);
    }
}
