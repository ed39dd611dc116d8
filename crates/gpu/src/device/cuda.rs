//! NVIDIA's driver, if there is one. The program is built without it and finds it when it runs.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::{NonNull, null_mut};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::sys;
use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use outplay_net::NetError;

use super::driver::{DeviceInfo, Driver, Task};
use crate::program::Launch;

/// All that is called below. A driver without one of them is too old, and calling it would be a panic.
const CALLED: [&str; 28] = [
    "cuInit",
    "cuDriverGetVersion",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetName",
    "cuDeviceTotalMem_v2",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxRetain",
    "cuCtxSetCurrent",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuFuncSetAttribute",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemHostAlloc",
    "cuMemFreeHost",
    "cuMemcpyHtoD_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemsetD8_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuLaunchKernel",
    "cuGetErrorName",
    "cuGetErrorString",
];

/// The oldest CUDA that a driver has to know, in the driver's way of counting: what current compilers make runs there.
const OLDEST: c_int = 12_000;

/// The oldest GPUs that there are kernels for.
const OLDEST_CAPABILITY: (i32, i32) = (8, 0);

/// The version of CUDA that the driver knows, in words.
///
/// # Errors
/// If there is no driver that can be used; the message says what to do.
pub fn cuda_version() -> Result<String, NetError> {
    begin().map(version_text)
}

/// All GPUs that the driver knows.
///
/// # Errors
/// If there is no driver that can be used; the message says what to do.
pub fn devices() -> Result<Vec<DeviceInfo>, NetError> {
    begin()?;
    let mut count = 0;
    // SAFETY: the driver is there and has begun; it writes a number.
    check("counting GPUs", unsafe { sys::cuDeviceGetCount(&mut count) })?;
    (0..usize::try_from(count).unwrap_or(0)).map(|number| device(number).map(|(_, info)| info)).collect()
}

fn version_text(version: c_int) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

/// Makes the driver ready, once in the process, and says which version of CUDA it knows.
fn begin() -> Result<c_int, NetError> {
    static BEGUN: OnceLock<Result<c_int, NetError>> = OnceLock::new();
    let begin = || {
        let unusable = |text: String| Err(NetError::Device(text));
        // SAFETY: the driver's library does at loading what its makers meant it to do; there is no other way to know whether it is there.
        if !unsafe { sys::is_culib_present() } {
            return unusable("there is no NVIDIA driver: install one (release 525 or newer)".to_string());
        }
        check_functions(&CALLED)?;
        let mut version = 0;
        // SAFETY: both are there; the second writes a number.
        unsafe {
            check("starting NVIDIA's driver", sys::cuInit(0))?;
            check("asking NVIDIA's driver for its version", sys::cuDriverGetVersion(&mut version))?;
        }
        match version {
            OLDEST.. => Ok(version),
            _ => unusable(format!(
                "NVIDIA's driver is too old, it knows CUDA {}: install release 525 or newer, which knows 12.0",
                version_text(version)
            )),
        }
    };
    BEGUN.get_or_init(begin).clone()
}

/// An error unless the driver, which is there, has all of these functions.
pub(super) fn check_functions(names: &[&str]) -> Result<(), NetError> {
    // SAFETY: whoever asks has seen that the library is there.
    let library = unsafe { sys::culib() };
    // SAFETY: symbols are only looked for.
    let is_there = |name: &str| unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_ok();
    match names.iter().find(|name| !is_there(name)) {
        None => Ok(()),
        Some(missing) => Err(NetError::Device(format!(
            "NVIDIA's driver is too old, it has no {missing}: install release 525 or newer"
        ))),
    }
}

/// A GPU by its number, after [`begin`].
fn device(number: usize) -> Result<(sys::CUdevice, DeviceInfo), NetError> {
    let (mut device, mut memory, mut name) = (0, 0, [0; 256]);
    // SAFETY: the driver has begun, and writes into what it is given, of the name no more than there is room.
    unsafe {
        check("looking for the GPU", sys::cuDeviceGet(&mut device, number as c_int))?;
        check("asking the GPU for its name", sys::cuDeviceGetName(name.as_mut_ptr(), 255, device))?;
        check("asking the GPU for its memory", sys::cuDeviceTotalMem_v2(&mut memory, device))?;
    }
    let attribute = |attribute| {
        let mut value = 0;
        // SAFETY: the device is there; a number is written.
        let asked = unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) };
        check("asking the GPU what it is", asked).map(|()| value)
    };
    // SAFETY: the driver ends a name by a zero, and there is one at the end in any case.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
    let capability = (
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    );
    let multiprocessors = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.max(1) as usize;
    Ok((device, DeviceInfo { number, name, memory, capability, multiprocessors }))
}

/// An error in words, unless all is well.
pub(super) fn check(doing: &str, result: sys::CUresult) -> Result<(), NetError> {
    use sys::CUresult::*;
    let advice = match result {
        CUDA_SUCCESS => return Ok(()),
        CUDA_ERROR_OUT_OF_MEMORY => {
            "there is too little memory: close other programs that use the GPU, or take a smaller network or smaller batches"
        }
        CUDA_ERROR_NO_DEVICE => "NVIDIA's driver knows no GPU here; CUDA_VISIBLE_DEVICES may hide it",
        CUDA_ERROR_INVALID_DEVICE => "there is no GPU of this number; `outplay doctor` lists them",
        CUDA_ERROR_STUB_LIBRARY => {
            "the library that was found only stands for a driver: install NVIDIA's driver itself"
        }
        CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => {
            "NVIDIA's driver and its library are of different releases: restart the machine after an update"
        }
        CUDA_ERROR_NO_BINARY_FOR_GPU | CUDA_ERROR_INVALID_IMAGE | CUDA_ERROR_UNSUPPORTED_PTX_VERSION => {
            "the driver cannot load what NVRTC has compiled: install a newer driver, or an NVRTC as old as the driver"
        }
        CUDA_ERROR_ILLEGAL_ADDRESS
        | CUDA_ERROR_LAUNCH_FAILED
        | CUDA_ERROR_ILLEGAL_INSTRUCTION
        | CUDA_ERROR_MISALIGNED_ADDRESS
        | CUDA_ERROR_ASSERT => "a kernel has failed; start the program anew to use the GPU again",
        CUDA_ERROR_ECC_UNCORRECTABLE => {
            "the GPU's memory is damaged: nvidia-smi tells more; restart the machine"
        }
        _ => "the GPU is lost or does not answer: nvidia-smi tells more",
    };
    Err(NetError::Device(format!("{doing}: {advice} ({})", error_text(result))))
}

/// The driver's own words.
fn error_text(result: sys::CUresult) -> String {
    let text = |ask: unsafe fn(sys::CUresult, *mut *const std::ffi::c_char) -> sys::CUresult| {
        let mut text = std::ptr::null();
        // SAFETY: a text of the driver's own, which stays for ever, or null.
        unsafe {
            let _ = ask(result, &mut text);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    };
    let known: Vec<String> =
        [text(sys::cuGetErrorName), text(sys::cuGetErrorString)].into_iter().flatten().collect();
    known.join(", ")
}

/// A GPU with NVIDIA's driver. It is kept for the life of the process, however many networks come and go: beginning with one takes a long time.
pub(super) struct Cuda {
    info: DeviceInfo,
    context: Handle<sys::CUctx_st>,
}

/// What a driver gives and takes: a pointer of its own, which any thread may use.
struct Handle<T>(*mut T);

// SAFETY: the driver's contexts may be used by all threads at once.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

impl Cuda {
    /// The GPU of this number.
    ///
    /// # Errors
    /// If there is none that can be used; the message says what to do.
    pub fn open(number: usize) -> Result<Arc<Cuda>, NetError> {
        static OPEN: Mutex<Vec<Arc<Cuda>>> = Mutex::new(Vec::new());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cuda) = open.iter().find(|cuda| cuda.info.number == number) {
            return Ok(cuda.clone());
        }
        let count = devices()?.len();
        if number >= count {
            return Err(NetError::Device(match count {
                0 => "NVIDIA's driver knows no GPU here; CUDA_VISIBLE_DEVICES may hide it".to_string(),
                _ => format!("there is no GPU {number}: the driver knows those from 0 to {}", count - 1),
            }));
        }
        let (device, info) = device(number)?;
        if info.capability < OLDEST_CAPABILITY {
            let (major, minor) = info.capability;
            return Err(NetError::Device(format!(
                "the GPU {} is too old: it has compute capability {major}.{minor}, and kernels need 8.0 (Ampere) or newer",
                info.name
            )));
        }
        let mut context = null_mut();
        // SAFETY: the device is there; a context is written.
        check("beginning with the GPU", unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device) })?;
        let cuda = Arc::new(Cuda { info, context: Handle(context) });
        open.push(cuda.clone());
        Ok(cuda)
    }

    /// Makes this device the one that the thread means.
    pub(super) fn enter(&self) -> Result<(), NetError> {
        // SAFETY: the context is retained for the life of the process.
        check("using the GPU", unsafe { sys::cuCtxSetCurrent(self.context.0) })
    }

    /// Waits for what was asked without a stream: the streams of runners do not.
    pub(super) fn settle(&self) -> Result<(), NetError> {
        // SAFETY: null is the stream that is always there.
        check("waiting for the GPU", unsafe { sys::cuStreamSynchronize(null_mut()) })
    }
}

impl Driver for Cuda {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn load(&self, image: &[u8]) -> Result<usize, NetError> {
        self.enter()?;
        let mut module = null_mut();
        // PTX is text, which the driver reads up to a zero.
        let image = [image, &[0]].concat();
        // SAFETY: the image stays while it is read.
        let loaded = unsafe { sys::cuModuleLoadData(&mut module, image.as_ptr().cast()) };
        check("loading a kernel", loaded).map(|()| module as usize)
    }

    fn unload(&self, module: usize) {
        if self.enter().is_ok() {
            // SAFETY: a module that `load` gave. What is wrong at the end concerns nobody any more.
            let _ = unsafe { sys::cuModuleUnload(module as sys::CUmodule) };
        }
    }

    fn kernel(&self, module: usize, launch: &Launch) -> Result<(usize, usize), NetError> {
        self.enter()?;
        let name = CString::new(launch.entry.as_str())
            .map_err(|_| NetError::Device("a kernel's name has a zero in it".to_string()))?;
        let (mut function, mut blocks) = (null_mut(), 0);
        let shared = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the module is loaded, the name ends by a zero, and the function is that of the module.
        unsafe {
            check(
                "finding a kernel",
                sys::cuModuleGetFunction(&mut function, module as sys::CUmodule, name.as_ptr()),
            )?;
            let set = sys::cuFuncSetAttribute(function, shared, launch.shared_bytes as c_int);
            check("giving a kernel its shared memory", set)?;
            let asked = sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                function,
                launch.threads as c_int,
                launch.shared_bytes,
            );
            check("asking how many blocks run at once", asked)?;
        }
        match usize::try_from(blocks) {
            Ok(blocks) if blocks > 0 => Ok((function as usize, blocks)),
            _ => Err(NetError::Device(format!(
                "the GPU {} cannot run the kernel: a block of it needs more registers or shared memory than there are",
                self.info.name
            ))),
        }
    }

    fn allocate(&self, bytes: usize) -> Result<u64, NetError> {
        self.enter()?;
        let (mut address, bytes) = (0, bytes.max(1));
        // SAFETY: an address is written.
        let allocated = unsafe { sys::cuMemAlloc_v2(&mut address, bytes) };
        check(&format!("taking {} MB of the GPU's memory", bytes.div_ceil(1 << 20)), allocated)?;
        // SAFETY: so many bytes were given.
        check("filling the GPU's memory", unsafe { sys::cuMemsetD8_v2(address, 0xFF, bytes) })?;
        self.settle().map(|()| address)
    }

    fn free(&self, address: u64) {
        if self.enter().is_ok() {
            // SAFETY: what `allocate` gave, which nobody uses any more.
            let _ = unsafe { sys::cuMemFree_v2(address) };
        }
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, NetError> {
        self.enter()?;
        let mut memory: *mut c_void = null_mut();
        // For all contexts, and under one address for both sides.
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: an address is written.
        let allocated = unsafe { sys::cuMemHostAlloc(&mut memory, bytes.max(1), flags) };
        check(&format!("taking {} MB of the host's memory for the GPU", bytes.div_ceil(1 << 20)), allocated)?;
        NonNull::new(memory.cast()).ok_or_else(|| NetError::Device("the driver gave no memory".to_string()))
    }

    fn free_pinned(&self, memory: NonNull<u8>) {
        if self.enter().is_ok() {
            // SAFETY: what `allocate_pinned` gave, which nobody uses any more.
            let _ = unsafe { sys::cuMemFreeHost(memory.as_ptr().cast()) };
        }
    }

    fn upload(&self, to: u64, bytes: &[u8]) -> Result<(), NetError> {
        self.enter()?;
        // SAFETY: who asks has allocated so many bytes there.
        check("copying to the GPU", unsafe { sys::cuMemcpyHtoD_v2(to, bytes.as_ptr().cast(), bytes.len()) })?;
        self.settle()
    }

    fn create_stream(&self) -> Result<usize, NetError> {
        self.enter()?;
        let mut stream = null_mut();
        // It waits for no other.
        let kind = sys::CUstream_flags_enum::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: a stream is written.
        check("making a stream", unsafe { sys::cuStreamCreate(&mut stream, kind) }).map(|()| stream as usize)
    }

    fn destroy_stream(&self, stream: usize) {
        if self.enter().is_ok() {
            // SAFETY: what `create_stream` gave.
            let _ = unsafe { sys::cuStreamDestroy_v2(stream as sys::CUstream) };
        }
    }

    unsafe fn enqueue(&self, stream: usize, task: &Task) -> Result<(), NetError> {
        self.enter()?;
        let stream = stream as sys::CUstream;
        let (mut positions, mut count) = (task.positions, task.count);
        let (mut weights, mut outputs, mut workspace) = (task.weights, task.outputs, task.workspace);
        let mut arguments: [*mut c_void; 5] = [
            (&raw mut positions).cast(),
            (&raw mut count).cast(),
            (&raw mut weights).cast(),
            (&raw mut outputs).cast(),
            (&raw mut workspace).cast(),
        ];
        let (blocks, threads, shared) = (task.blocks as u32, task.threads as u32, task.shared_bytes as u32);
        // SAFETY: the caller keeps all memory until the stream was synchronized, and the buffers are as large as the task says. Arguments are those of every
        // entry of a `Program`, and the driver reads them before it returns.
        unsafe {
            if let Some(from) = task.copied_in {
                let memory = from.memory.as_ptr().cast();
                let copied = sys::cuMemcpyHtoDAsync_v2(task.positions, memory, from.bytes, stream);
                check("copying to the GPU", copied)?;
            }
            let launched = sys::cuLaunchKernel(
                task.kernel as sys::CUfunction,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                shared,
                stream,
                arguments.as_mut_ptr(),
                null_mut(),
            );
            check("starting a kernel", launched)?;
            if let Some(to) = task.copied_out {
                let memory = to.memory.as_ptr().cast();
                let copied = sys::cuMemcpyDtoHAsync_v2(memory, task.outputs, to.bytes, stream);
                check("copying from the GPU", copied)?;
            }
        }
        Ok(())
    }

    fn synchronize(&self, stream: usize) -> Result<(), NetError> {
        self.enter()?;
        // SAFETY: what `create_stream` gave.
        check("waiting for the GPU", unsafe { sys::cuStreamSynchronize(stream as sys::CUstream) })
    }
}
