//! A network on a GPU.

use std::sync::{Arc, OnceLock};

use outplay_net::{Backend, Description, NetError, Network, Runner};

use super::cache::{KernelCache, cache_folder};
use super::cuda::Cuda;
use super::driver::{DeviceInfo, DeviceMemory, Driver, Module};
use super::nvrtc::Nvrtc;
use super::runner::GpuRunner;
use crate::program::{Launch, Program};

/// How positions come to the device and outputs from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Transfer {
    /// By a copy for each batch and direction, from and to pinned memory.
    #[default]
    Copied,
    /// Not at all: the kernel itself reads and writes the host's memory.
    Mapped,
}

/// Batches are large enough for every multiprocessor to carry boards so many times, and no smaller than this.
const LEAST_BATCH: usize = 256;
/// Nor larger than this: leaves that are gathered without knowing of one another are chosen less well.
const MOST_BATCH: usize = 1024;

/// A network on a GPU: its weights are there once, whoever runs it.
///
/// When the device has failed once, all of its batches fail with the same reason: what a kernel left behind is not to be relied upon.
pub struct GpuNetwork {
    description: Description,
    pub(super) driver: Arc<dyn Driver>,
    pub(super) outputs: usize,
    /// How the outputs of a position are divided.
    pub(super) sections: [usize; 6],
    pub(super) launches: Vec<LoadedLaunch>,
    pub(super) weights: DeviceMemory,
    pub(super) transfer: Transfer,
    failure: OnceLock<NetError>,
    how: &'static str,
    /// Its kernels are those of the launches. Last, because it has to be there as long as they are.
    _module: Module,
}

/// A launch, and what it is on the device.
pub(super) struct LoadedLaunch {
    pub launch: Launch,
    pub kernel: usize,
    /// As many blocks as the device has at once.
    pub most_blocks: usize,
}

impl GpuNetwork {
    /// Brings a network onto the GPU of this number. Its kernel is compiled, unless it is known from an earlier time.
    ///
    /// # Errors
    /// If there is no such GPU, no driver, no compiler, or too little memory; the message says what to do.
    pub fn new(network: &Network, device: usize) -> Result<GpuNetwork, NetError> {
        let cuda = Cuda::open(device)?;
        let program = Program::new(network, cuda.info().capability);
        GpuNetwork::with(
            network,
            &program,
            device,
            Transfer::default(),
            &KernelCache::in_folder(cache_folder()),
        )
    }

    /// The same with a program of one's choice, which has to be for this network, and other particulars.
    ///
    /// # Errors
    /// As for [`new`](GpuNetwork::new).
    pub fn with(
        network: &Network,
        program: &Program,
        device: usize,
        transfer: Transfer,
        cache: &KernelCache,
    ) -> Result<GpuNetwork, NetError> {
        let cuda = Cuda::open(device)?;
        let nvrtc = Nvrtc::find()?;
        let target = nvrtc.target(program.architecture, cuda.info().capability)?;
        let (major, minor) = nvrtc.version();
        let compiler = format!("{target} NVRTC {major}.{minor}");
        let compile = || nvrtc.compile(&program.source, &target).map(|compiled| compiled.image);
        let image = cache.get_or(&program.source, &compiler, compile)?;
        GpuNetwork::on(cuda, network.description(), program, &image, transfer)
    }

    /// A network on a device, by what was compiled of its program.
    pub(super) fn on(
        driver: Arc<dyn Driver>,
        description: &Description,
        program: &Program,
        image: &[u8],
        transfer: Transfer,
    ) -> Result<GpuNetwork, NetError> {
        let module = Module::new(&driver, image)?;
        let multiprocessors = driver.info().multiprocessors;
        let load = |launch: &Launch| {
            let (kernel, resident) = driver.kernel(module.handle, launch)?;
            let launch = launch.clone();
            Ok(LoadedLaunch { launch, kernel, most_blocks: resident * multiprocessors })
        };
        let launches = program.launches.iter().map(load).collect::<Result<Vec<_>, NetError>>()?;
        let weights = DeviceMemory::new(&driver, program.weights.len())?;
        driver.upload(weights.address, &program.weights)?;
        Ok(GpuNetwork {
            description: description.clone(),
            driver,
            outputs: program.outputs,
            sections: Program::sections(description),
            launches,
            weights,
            transfer,
            failure: OnceLock::new(),
            how: program.architecture.how(),
            _module: module,
        })
    }

    /// The device that it is on.
    pub fn device(&self) -> &DeviceInfo {
        self.driver.info()
    }

    /// The launch for so many positions: the first that has them all on the chip at once, else the last.
    pub(super) fn launch_for(&self, count: usize) -> &LoadedLaunch {
        let multiprocessors = self.driver.info().multiprocessors;
        let enough = |loaded: &&LoadedLaunch| loaded.launch.boards * multiprocessors >= count;
        let last = &self.launches[self.launches.len() - 1];
        self.launches.iter().find(enough).unwrap_or(last)
    }

    /// An error if the device has failed before.
    pub(super) fn check(&self) -> Result<(), NetError> {
        self.failure.get().map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// Notes that the device has failed.
    pub(super) fn failed(&self, error: NetError) -> NetError {
        self.failure.get_or_init(|| error).clone()
    }
}

impl Backend for GpuNetwork {
    fn description(&self) -> &Description {
        &self.description
    }

    fn name(&self) -> String {
        let DeviceInfo { number, name, .. } = self.driver.info();
        format!("cuda:{number}, {name}, {}", self.how)
    }

    fn batch_size(&self) -> usize {
        let boards = self.launches[self.launches.len() - 1].launch.boards;
        (boards * self.driver.info().multiprocessors).clamp(LEAST_BATCH, MOST_BATCH)
    }

    /// One gathers and hands out while the other waits for the device.
    fn serving_threads(&self) -> Option<usize> {
        Some(2)
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(GpuRunner::new(self))
    }
}
