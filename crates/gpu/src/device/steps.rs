//! The steps of a trainer on a device: launches that are captured once and replayed.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys;
use outplay_net::NetError;

use super::cache::{KernelCache, cache_folder};
use super::cuda::{Cuda, check, check_functions};
use super::driver::{DeviceInfo, DeviceMemory, Driver, Module, PinnedMemory, Stream};
use super::nvrtc::Nvrtc;
use crate::program::{Architecture, Launch};
use crate::train::{Plan, StepLaunch};

/// Steps that may be under way at once: while one is computed, the samples of the next are copied.
const SLOTS: usize = 2;
/// What is called below beyond what networks call.
const CALLED: [&str; 11] = [
    "cuMemcpyDtoH_v2",
    "cuStreamBeginCapture_v2",
    "cuStreamEndCapture",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventRecord",
    "cuEventSynchronize",
];
/// The GPUs that there are kernels for.
const CAPABILITY: (i32, i32) = (9, 0);

/// A plan on a device. Fields are dropped in this order: first what waits for the device, at last what it works with.
pub(crate) struct Steps {
    stream: Stream,
    graph: Graph,
    launches: Vec<(usize, StepLaunch)>,
    memory: DeviceMemory,
    slots: Vec<Slot>,
    given_bytes: usize,
    results: (usize, usize),
    _module: Module,
    cuda: Arc<Cuda>,
}

/// A step under way: what is copied to the device, what comes back, and the event that says that it has come.
struct Slot {
    given: PinnedMemory,
    results: PinnedMemory,
    ended: Event,
}

/// An event of the driver, destroyed with this.
struct Event {
    cuda: Arc<Cuda>,
    handle: usize,
}

impl Event {
    fn new(cuda: &Arc<Cuda>) -> Result<Event, NetError> {
        cuda.enter()?;
        let mut event = null_mut();
        // SAFETY: an event is written.
        check("making an event", unsafe { sys::cuEventCreate(&mut event, 0) })?;
        Ok(Event { cuda: cuda.clone(), handle: event as usize })
    }

    /// Lets it happen when the stream has done all that it was given.
    fn record(&self, stream: &Stream) -> Result<(), NetError> {
        // SAFETY: both are there.
        check("recording an event", unsafe {
            sys::cuEventRecord(self.handle as sys::CUevent, stream.handle as sys::CUstream)
        })
    }

    fn wait(&self) -> Result<(), NetError> {
        self.cuda.enter()?;
        // SAFETY: it is there.
        check("waiting for the GPU", unsafe { sys::cuEventSynchronize(self.handle as sys::CUevent) })
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.cuda.enter().is_ok() {
            // SAFETY: what was created, which nobody waits for any more.
            let _ = unsafe { sys::cuEventDestroy_v2(self.handle as sys::CUevent) };
        }
    }
}

/// Launches as the driver replays them, destroyed with this.
struct Graph {
    cuda: Arc<Cuda>,
    handle: usize,
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.cuda.enter().is_ok() {
            // SAFETY: what was instantiated, and is replayed no more: the stream was waited for.
            let _ = unsafe { sys::cuGraphExecDestroy(self.handle as sys::CUgraphExec) };
        }
    }
}

impl Steps {
    /// The device, if there are kernels for it.
    ///
    /// # Errors
    /// If there is none; the message says what to do.
    pub fn device(number: usize) -> Result<DeviceInfo, NetError> {
        let cuda = Cuda::open(number)?;
        check_functions(&CALLED)?;
        let info = cuda.info().clone();
        match info.capability {
            CAPABILITY => Ok(info),
            (major, minor) => Err(NetError::Device(format!(
                "training needs a GPU of compute capability 9.0 (Hopper), and {} has {major}.{minor}: train on the processor",
                info.name
            ))),
        }
    }

    /// Brings a plan onto the device of this number. The first `given_bytes` bytes of its memory are given anew for each step, and so many `results` come back.
    ///
    /// # Errors
    /// If it cannot be compiled, or the device has too little memory.
    pub fn new(
        plan: &Plan,
        device: usize,
        given_bytes: usize,
        results: (usize, usize),
    ) -> Result<Steps, NetError> {
        let cuda = Cuda::open(device)?;
        let nvrtc = Nvrtc::find()?;
        let target = nvrtc.target(Architecture::Hopper, cuda.info().capability)?;
        let (major, minor) = nvrtc.version();
        let compile = || nvrtc.compile(&plan.source, &target).map(|compiled| compiled.image);
        let cache = KernelCache::in_folder(cache_folder());
        let image = cache.get_or(&plan.source, &format!("{target} NVRTC {major}.{minor}"), compile)?;
        let driver: Arc<dyn Driver> = cuda.clone();
        let module = Module::new(&driver, &image)?;
        let load = |launch: &StepLaunch| {
            let wanted = Launch {
                entry: launch.entry.clone(),
                threads: launch.threads,
                boards: 0,
                shared_bytes: launch.shared_bytes,
                workspace_bytes: 0,
            };
            driver.kernel(module.handle, &wanted).map(|(kernel, _)| (kernel, launch.clone()))
        };
        let launches = plan.launches.iter().map(load).collect::<Result<Vec<_>, NetError>>()?;
        let memory = DeviceMemory::new(&driver, plan.bytes)?;
        for (place, bytes) in &plan.contents {
            driver.upload(memory.address + *place as u64, bytes)?;
        }
        let slot = |_| {
            Ok(Slot {
                given: PinnedMemory::new(&driver, given_bytes)?,
                results: PinnedMemory::new(&driver, results.1)?,
                ended: Event::new(&cuda)?,
            })
        };
        let slots = (0..SLOTS).map(slot).collect::<Result<Vec<_>, NetError>>()?;
        let stream = Stream::new(&driver)?;
        let graph = capture(&cuda, &stream, &launches, memory.address)?;
        Ok(Steps { stream, graph, launches, memory, slots, given_bytes, results, _module: module, cuda })
    }

    /// Puts bytes into the device's memory.
    pub fn upload(&self, place: usize, bytes: &[u8]) -> Result<(), NetError> {
        self.cuda.upload(self.memory.address + place as u64, bytes)
    }

    /// Waits for all steps, and reads bytes of the device's memory.
    pub fn download(&self, place: usize, bytes: &mut [u8]) -> Result<(), NetError> {
        self.cuda.synchronize(self.stream.handle)?;
        // SAFETY: as many bytes are written as there is room; who asks knows that so many lie there.
        check("copying from the GPU", unsafe {
            sys::cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), self.memory.address + place as u64, bytes.len())
        })
    }

    /// Begins the step of this number: `fill` gives what it is given, in memory of the host. No more than two may be under way.
    pub fn begin(&mut self, number: u64, fill: impl FnOnce(&mut [u8])) -> Result<(), NetError> {
        self.cuda.enter()?;
        let Slot { given, results, ended } = &self.slots[(number % SLOTS as u64) as usize];
        // SAFETY: so many bytes were given, all of which were written once, and the step that used them last was waited for.
        fill(unsafe { std::slice::from_raw_parts_mut(given.memory.as_ptr(), self.given_bytes) });
        let (stream, address) = (self.stream.handle as sys::CUstream, self.memory.address);
        // SAFETY: all memory belongs to this, which waits for the stream before it goes.
        unsafe {
            let from = given.memory.as_ptr().cast();
            check("copying to the GPU", sys::cuMemcpyHtoDAsync_v2(address, from, self.given_bytes, stream))?;
            check("starting a step", sys::cuGraphLaunch(self.graph.handle as sys::CUgraphExec, stream))?;
            let to = results.memory.as_ptr().cast();
            let copied =
                sys::cuMemcpyDtoHAsync_v2(to, address + self.results.0 as u64, self.results.1, stream);
            check("copying from the GPU", copied)?;
        }
        ended.record(&self.stream)
    }

    /// Waits for the step of this number, one of the last two that were begun; what came back of it.
    pub fn results(&self, number: u64) -> Result<&[u8], NetError> {
        let Slot { results, ended, .. } = &self.slots[(number % SLOTS as u64) as usize];
        ended.wait()?;
        // SAFETY: so many bytes were given, all of which were written once, and the step that writes them was waited for.
        Ok(unsafe { std::slice::from_raw_parts(results.memory.as_ptr(), self.results.1) })
    }

    fn wait(&self) -> Result<(), NetError> {
        self.cuda.synchronize(self.stream.handle)
    }

    /// Replays the step so many times without anything new; seconds.
    pub fn replay(&self, times: usize) -> Result<f64, NetError> {
        self.wait()?;
        let begun = std::time::Instant::now();
        for _ in 0..times {
            // SAFETY: as for `begin`.
            check("starting a step", unsafe {
                sys::cuGraphLaunch(self.graph.handle as sys::CUgraphExec, self.stream.handle as sys::CUstream)
            })?;
        }
        self.wait()?;
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Runs the launches one by one; how long each took, in microseconds, the shortest of several rounds.
    pub fn times(&self, rounds: usize) -> Result<Vec<(String, f32)>, NetError> {
        self.wait()?;
        let stream = self.stream.handle as sys::CUstream;
        let mut all: Vec<(String, f32)> =
            self.launches.iter().map(|(_, launch)| (launch.entry.clone(), f32::INFINITY)).collect();
        // Under this name, which cudarc no longer has, every driver knows it.
        type ElapsedTime = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;
        // SAFETY: the driver was opened, and has the function with this type.
        let elapsed = unsafe { sys::culib().get::<ElapsedTime>(b"cuEventElapsedTime\0") };
        let elapsed =
            elapsed.map_err(|_| NetError::Device("NVIDIA's driver measures no times".to_string()))?;
        let events = (0..=self.launches.len())
            .map(|_| Event::new(&self.cuda))
            .collect::<Result<Vec<_>, NetError>>()?;
        for _ in 0..rounds {
            events[0].record(&self.stream)?;
            for ((kernel, launch), event) in self.launches.iter().zip(&events[1..]) {
                // SAFETY: as for `begin`.
                unsafe { start(*kernel, launch, self.memory.address, stream)? };
                event.record(&self.stream)?;
            }
            self.wait()?;
            for (pair, (_, least)) in events.windows(2).zip(&mut all) {
                let mut milliseconds = 0.0;
                let [from, to] = [&pair[0], &pair[1]].map(|event| event.handle as sys::CUevent);
                // SAFETY: both events have happened.
                check("asking how long a kernel took", unsafe { elapsed(&mut milliseconds, from, to) })?;
                *least = least.min(milliseconds * 1e3);
            }
        }
        Ok(all)
    }
}

/// Starts one launch.
///
/// # Safety
/// The kernel has to be one of a plan whose memory this is, and the memory has to stay until the stream was waited for.
unsafe fn start(
    kernel: usize,
    launch: &StepLaunch,
    mut memory: u64,
    stream: sys::CUstream,
) -> Result<(), NetError> {
    let mut call = launch.call;
    let mut arguments: [*mut c_void; 2] = [(&raw mut memory).cast(), (&raw mut call).cast()];
    let [across, down] = launch.grid;
    // SAFETY: every entry of a plan takes memory and a call, which is laid out as in C, and the driver reads both before it returns.
    let started = unsafe {
        sys::cuLaunchKernel(
            kernel as sys::CUfunction,
            across,
            down,
            1,
            launch.threads as u32,
            1,
            1,
            launch.shared_bytes as u32,
            stream,
            arguments.as_mut_ptr(),
            null_mut(),
        )
    };
    check(&format!("starting the kernel {}", launch.entry), started)
}

/// Captures all launches as one graph.
fn capture(
    cuda: &Arc<Cuda>,
    stream: &Stream,
    launches: &[(usize, StepLaunch)],
    memory: u64,
) -> Result<Graph, NetError> {
    cuda.enter()?;
    let handle = stream.handle as sys::CUstream;
    let mode = sys::CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    let (mut graph, mut executable) = (null_mut(), null_mut());
    // SAFETY: the stream is there and idle; nothing runs while it is captured, and the capture is ended whatever happens in it.
    unsafe {
        check("capturing a step", sys::cuStreamBeginCapture_v2(handle, mode))?;
        let started = launches.iter().try_for_each(|(kernel, launch)| start(*kernel, launch, memory, handle));
        let ended = check("capturing a step", sys::cuStreamEndCapture(handle, &mut graph));
        let made = started.and(ended).and_then(|()| {
            check("making a graph", sys::cuGraphInstantiateWithFlags(&mut executable, graph, 0))
        });
        if !graph.is_null() {
            let _ = sys::cuGraphDestroy(graph);
        }
        made?;
    }
    Ok(Graph { cuda: cuda.clone(), handle: executable as usize })
}
