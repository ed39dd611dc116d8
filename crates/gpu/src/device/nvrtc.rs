//! NVIDIA's compiler for kernels, found when the program runs.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use libloading::Library;
use outplay_net::NetError;

use super::places;
use crate::program::Architecture;

/// A library of NVRTC. It stays loaded for the life of the process.
pub struct Nvrtc {
    functions: Functions,
    place: String,
    version: (i32, i32),
    /// The architectures that it knows, as 90 for 9.0, ascending.
    architectures: Vec<i32>,
}

/// What was compiled.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// A cubin, or PTX for a GPU that is newer than the compiler: what the driver loads.
    pub image: Vec<u8>,
    /// What the compiler had to say.
    pub log: String,
}

type Handle = *mut c_void;
/// What NVRTC's functions answer; 0 if all is well.
type Status = c_int;

/// The functions that are used, as nvrtc.h declares them.
struct Functions {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    count_architectures: unsafe extern "C" fn(*mut c_int) -> Status,
    architectures: unsafe extern "C" fn(*mut c_int) -> Status,
    create: unsafe extern "C" fn(
        *mut Handle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    destroy: unsafe extern "C" fn(*mut Handle) -> Status,
    compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Status,
    cubin_size: Size,
    cubin: Text,
    ptx_size: Size,
    ptx: Text,
    log_size: Size,
    log: Text,
    error_text: unsafe extern "C" fn(Status) -> *const c_char,
}

type Size = unsafe extern "C" fn(Handle, *mut usize) -> Status;
type Text = unsafe extern "C" fn(Handle, *mut c_char) -> Status;

impl Functions {
    /// The functions of a library that stays for ever; `None` if it has not all of them.
    fn of(library: &'static Library) -> Option<Functions> {
        /// A function by its name.
        ///
        /// # Safety
        /// It has to be of the type `F`.
        unsafe fn function<F: Copy>(library: &'static Library, name: &CStr) -> Option<F> {
            // SAFETY: the caller knows the type.
            unsafe { library.get::<F>(name.to_bytes_with_nul()) }.ok().map(|symbol| *symbol)
        }
        // SAFETY: the types above are those of nvrtc.h, unchanged from release 11 to 13.
        unsafe {
            Some(Functions {
                version: function(library, c"nvrtcVersion")?,
                count_architectures: function(library, c"nvrtcGetNumSupportedArchs")?,
                architectures: function(library, c"nvrtcGetSupportedArchs")?,
                create: function(library, c"nvrtcCreateProgram")?,
                destroy: function(library, c"nvrtcDestroyProgram")?,
                compile: function(library, c"nvrtcCompileProgram")?,
                cubin_size: function(library, c"nvrtcGetCUBINSize")?,
                cubin: function(library, c"nvrtcGetCUBIN")?,
                ptx_size: function(library, c"nvrtcGetPTXSize")?,
                ptx: function(library, c"nvrtcGetPTX")?,
                log_size: function(library, c"nvrtcGetProgramLogSize")?,
                log: function(library, c"nvrtcGetProgramLog")?,
                error_text: function(library, c"nvrtcGetErrorString")?,
            })
        }
    }
}

impl Nvrtc {
    /// The compiler of this machine: where the system finds libraries, in a CUDA toolkit, or among Python's packages.
    ///
    /// # Errors
    /// If there is none; the message says how to get one.
    pub fn find() -> Result<&'static Nvrtc, NetError> {
        static FOUND: OnceLock<Option<Nvrtc>> = OnceLock::new();
        let places: [fn() -> Vec<PathBuf>; 3] = [places::names, places::of_toolkits, places::of_python];
        let find = || places.iter().find_map(|places| places().into_iter().find_map(Nvrtc::load));
        FOUND.get_or_init(find).as_ref().ok_or_else(|| {
            NetError::Device(
                "there is no NVRTC, the compiler for kernels of a GPU: `pip install nvidia-cuda-nvrtc`, or install the CUDA toolkit"
                    .to_string(),
            )
        })
    }

    /// The library in a place, if it is one.
    fn load(place: PathBuf) -> Option<Nvrtc> {
        // SAFETY: a library of this name does at loading what its makers meant it to do; there is no other way to have a compiler.
        let library = unsafe { Library::new(&place) }.ok()?;
        let functions = Functions::of(Box::leak(Box::new(library)))?;
        let (mut major, mut minor, mut count) = (0, 0, 0);
        // SAFETY: numbers are written.
        let asked = unsafe {
            [(functions.version)(&mut major, &mut minor), (functions.count_architectures)(&mut count)]
        };
        if asked != [0, 0] {
            return None;
        }
        let mut architectures = vec![0; usize::try_from(count).ok()?];
        // SAFETY: as many numbers are written as were announced.
        if unsafe { (functions.architectures)(architectures.as_mut_ptr()) } != 0 {
            return None;
        }
        architectures.sort_unstable();
        let place = place.display().to_string();
        Some(Nvrtc { functions, place, version: (major, minor), architectures })
    }

    /// Its release, major and minor.
    pub fn version(&self) -> (i32, i32) {
        self.version
    }

    /// The file that it is in, or the name by which the system found it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What the compiler is told to compile for: the GPU itself, or for one that is newer than the compiler what the driver turns into that.
    ///
    /// # Errors
    /// If it cannot compile for such a GPU.
    pub fn target(&self, architecture: Architecture, capability: (i32, i32)) -> Result<String, NetError> {
        let known = &self.architectures;
        let wanted = capability.0 * 10 + capability.1;
        match architecture {
            Architecture::Hopper if known.contains(&90) => Ok("sm_90a".to_string()),
            Architecture::Ampere if known.contains(&wanted) => Ok(format!("sm_{wanted}")),
            Architecture::Ampere if known.iter().any(|&other| (80..wanted).contains(&other)) => {
                let nearest = known.iter().rev().find(|&&other| other < wanted).unwrap_or(&wanted);
                Ok(format!("compute_{nearest}"))
            }
            _ => {
                let ((major, minor), (a, b)) = (self.version, capability);
                Err(NetError::Device(format!(
                    "NVRTC {major}.{minor} ({}) does not compile for a GPU of compute capability {a}.{b}: `pip install nvidia-cuda-nvrtc` brings another release",
                    self.place
                )))
            }
        }
    }

    /// Compiles a source for a [`target`](Nvrtc::target).
    ///
    /// # Errors
    /// If the compiler refuses it; the message has what it said first.
    pub fn compile(&self, source: &str, target: &str) -> Result<Compiled, NetError> {
        let zero = |_| NetError::Device("a kernel's source has a zero in it".to_string());
        let source = CString::new(source).map_err(zero)?;
        let options = [format!("--gpu-architecture={target}"), "--std=c++17".to_string()];
        let options = options.into_iter().map(CString::new).collect::<Result<Vec<_>, _>>().map_err(zero)?;
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let mut program = Running { functions: &self.functions, handle: null_mut() };
        let create = self.functions.create;
        // SAFETY: the source ends by a zero and stays longer than the program; no headers are given.
        let created =
            unsafe { create(&mut program.handle, source.as_ptr(), c"kernel.cu".as_ptr(), 0, null(), null()) };
        program.check("beginning to compile a kernel", created)?;
        // SAFETY: the program was created, and there are as many options as are said to be.
        let status =
            unsafe { (self.functions.compile)(program.handle, pointers.len() as c_int, pointers.as_ptr()) };
        let log = program.bytes(self.functions.log_size, self.functions.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log).trim_end_matches(['\0', '\n']).to_string();
        let doing = match log.find("error") {
            Some(place) => {
                let line = log[..place].rfind('\n').map_or(0, |end| end + 1);
                format!("compiling a kernel for {target}: {}", log[line..].lines().next().unwrap_or(""))
            }
            None => format!("compiling a kernel for {target}"),
        };
        program.check(&doing, status)?;
        let image = match target.starts_with("sm_") {
            true => program.bytes(self.functions.cubin_size, self.functions.cubin)?,
            false => program.bytes(self.functions.ptx_size, self.functions.ptx)?,
        };
        Ok(Compiled { image, log })
    }
}

/// A program of NVRTC, destroyed with this.
struct Running<'f> {
    functions: &'f Functions,
    handle: Handle,
}

impl Running<'_> {
    fn check(&self, doing: &str, status: Status) -> Result<(), NetError> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: a text of the library's own that ends by a zero, for every number.
        let text = unsafe { CStr::from_ptr((self.functions.error_text)(status)) }.to_string_lossy();
        Err(NetError::Device(format!("{doing} ({text})")))
    }

    /// A part of the program that has a size of its own.
    fn bytes(&self, size: Size, write: Text) -> Result<Vec<u8>, NetError> {
        let mut length = 0;
        // SAFETY: the program is there, and a number is written.
        self.check("asking NVRTC for what it compiled", unsafe { size(self.handle, &mut length) })?;
        let mut bytes = vec![0_u8; length];
        // SAFETY: as many bytes are written as were announced.
        let written = unsafe { write(self.handle, bytes.as_mut_ptr().cast()) };
        self.check("asking NVRTC for what it compiled", written).map(|()| bytes)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: what `create` gave.
            let _ = unsafe { (self.functions.destroy)(&mut self.handle) };
        }
    }
}
