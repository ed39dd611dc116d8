//! `outplay doctor`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use outplay_chess::syzygy::Syzygy;
use outplay_engine::{NetworkArithmetic, NetworkDevice, found_networks, network_backend, network_folders};
use outplay_gpu::{DeviceInfo, Nvrtc};
use outplay_net::{InstructionSet, Load, NetError, Opened, measure};
use serde::Serialize;

use crate::Failure;
use crate::data;
use crate::net::random_network;

/// Tell what this machine has, how fast networks run on it, and what to install for what is missing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay doctor
  outplay doctor --syzygy 3-4-5 --json
  outplay doctor --quick                     without measuring anything")]
pub struct Args {
    /// A folder of Syzygy tables to look into; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    syzygy: Vec<PathBuf>,
    /// Measure nothing.
    #[arg(long)]
    quick: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Something that a machine may have.
#[derive(Serialize)]
struct Finding {
    name: &'static str,
    /// Whether it is there.
    present: bool,
    /// What was found, or what it would be for.
    detail: String,
    /// What to do if it is missing and wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
}

/// How long each speed is measured, in seconds.
const SECONDS: f64 = 0.5;
/// The network that is measured: six blocks of 64 channels.
const SIZE: (usize, usize) = (6, 64);

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut findings = vec![cores(), instructions()];
    findings.extend(gpus());
    findings.extend([nvrtc(), node(), chromium(), syzygy(&args.syzygy), data_folder(), networks()]);
    if !args.quick {
        findings.extend(speeds()?);
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&findings)?)?;
        return Ok(());
    }
    for Finding { name, present, detail, advice } in findings {
        let mark = if present { "yes" } else { "no " };
        writeln!(out, "{name:14} {mark}  {detail}")?;
        if let Some(advice) = advice.filter(|_| !present) {
            writeln!(out, "{:20}{advice}", "")?;
        }
    }
    Ok(())
}

fn found(name: &'static str, detail: String) -> Finding {
    Finding { name, present: true, detail, advice: None }
}

fn missing(name: &'static str, detail: &str, advice: &'static str) -> Finding {
    Finding { name, present: false, detail: detail.to_string(), advice: Some(advice) }
}

/// How many threads run at once here.
pub fn number_of_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn cores() -> Finding {
    let cores = number_of_cores();
    found("cores", format!("{cores}, {} {}", std::env::consts::ARCH, std::env::consts::OS))
}

fn instructions() -> Finding {
    let names = InstructionSet::ALL.into_iter().filter(|set| set.is_available()).map(InstructionSet::name);
    let names: Vec<&str> = names.collect();
    let best = InstructionSet::best().name();
    found("instructions", format!("{}; networks run by {best}", names.join(", ")))
}

/// Each GPU that networks can run on, or why there is none.
fn gpus() -> Vec<Finding> {
    let release = said("nvidia-smi", &["--query-gpu=driver_version", "--format=csv,noheader"]);
    let release = release.as_deref().and_then(|text| text.lines().next()).filter(|text| !text.is_empty());
    let release = release.map_or(String::new(), |release| format!(" {release}"));
    let devices = outplay_gpu::cuda_version().and_then(|cuda| Ok((cuda, outplay_gpu::devices()?)));
    match devices {
        Ok((cuda, devices)) if !devices.is_empty() => {
            let tell = |gpu: DeviceInfo| {
                let DeviceInfo { number, name, memory, capability: (major, minor), multiprocessors } = gpu;
                let gib = memory as f64 / f64::from(1 << 30);
                found(
                    "GPU",
                    format!(
                        "cuda:{number}, {name}, {gib:.0} GiB, {multiprocessors} multiprocessors, compute capability {major}.{minor}; driver{release}, CUDA {cuda}"
                    ),
                )
            };
            devices.into_iter().map(tell).collect()
        }
        Ok(_) => vec![missing(
            "GPU",
            "NVIDIA's driver knows none",
            "networks run on the processor; the variable CUDA_VISIBLE_DEVICES may hide a GPU",
        )],
        Err(error) => vec![missing(
            "GPU",
            &error.to_string(),
            "networks run on the processor; a GPU of NVIDIA's needs their driver, release 525 or newer",
        )],
    }
}

fn nvrtc() -> Finding {
    match Nvrtc::find() {
        Ok(nvrtc) => {
            let (major, minor) = nvrtc.version();
            let kept = outplay_gpu::cache_folder().map_or(String::new(), |folder| {
                format!("; what it compiles is kept in {}", folder.display())
            });
            found("NVRTC", format!("{major}.{minor}, {}{kept}", nvrtc.place()))
        }
        Err(_) => missing(
            "NVRTC",
            "the compiler for kernels of a GPU",
            "if there is a GPU: `pip install nvidia-cuda-nvrtc`, or install the CUDA toolkit",
        ),
    }
}

fn node() -> Finding {
    match said("node", &["--version"]) {
        Some(version) => found("Node.js", version),
        None => missing(
            "Node.js",
            "builds the page from its sources",
            "install Node.js 20 or later, or build with OUTPLAY_WITHOUT_PAGE=1",
        ),
    }
}

fn chromium() -> Finding {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    match names.into_iter().find_map(|name| said(name, &["--version"])) {
        Some(version) => found("Chromium", version),
        None => missing(
            "Chromium",
            "tests the page in a browser",
            "install Chromium, or leave out the heavy tests of the page",
        ),
    }
}

fn syzygy(folders: &[PathBuf]) -> Finding {
    const ADVICE: &str =
        "name folders with --syzygy here, and with the option syzygy_path where chess is played";
    if folders.is_empty() {
        return missing("Syzygy", "endgame tables of chess: no folder was named", ADVICE);
    }
    match Syzygy::open(folders) {
        Ok(tables) => found("Syzygy", format!("tables of up to {} men", tables.most_men())),
        Err(error) => missing("Syzygy", &error.to_string(), ADVICE),
    }
}

fn data_folder() -> Finding {
    const ADVICE: &str = "it is made when `outplay serve` first keeps something";
    match data::default_folder() {
        Some(folder) if folder.is_dir() => found("data folder", folder.display().to_string()),
        Some(folder) => missing("data folder", &folder.display().to_string(), ADVICE),
        None => missing("data folder", "there is no home folder", "choose one with `outplay serve --data`"),
    }
}

fn networks() -> Finding {
    let networks = found_networks();
    let folders: Vec<String> = network_folders().iter().map(|folder| folder.display().to_string()).collect();
    let place = format!("in {}", folders.join(" or "));
    match networks.len() {
        0 => missing(
            "networks",
            &place,
            "put network files there, or name their folder by OUTPLAY_NETS; `outplay net new` makes one of chance",
        ),
        count => {
            let names: Vec<&str> = networks.iter().map(|network| network.name.as_str()).collect();
            found("networks", format!("{count} {place}: {}", names.join(", ")))
        }
    }
}

/// What each backend evaluates a second.
fn speeds() -> Result<Vec<Finding>, Failure> {
    let failed = |error: NetError| Failure::Failed(error.into());
    let open = |way, device| {
        let network = random_network(SIZE, (8, 8), None)?;
        network_backend(Opened::Tower(network), way, device)
    };
    let cores = number_of_cores();
    let (blocks, channels) = SIZE;
    let shape = format!("({blocks} blocks of {channels}, 8×8)");
    let mut findings = Vec::new();
    for way in [NetworkArithmetic::Exact, NetworkArithmetic::Fast] {
        let backend = open(way, NetworkDevice::Processor).map_err(failed)?;
        let batch = backend.batch_size();
        let alone = measure(&*backend, &Load::new(batch, 1, SECONDS)).map_err(failed)?;
        let together = match cores {
            1 => String::new(),
            _ => {
                let rate = measure(&*backend, &Load::new(batch, cores, SECONDS)).map_err(failed)?;
                format!(", {rate:.0} on {cores}")
            }
        };
        let name = backend.name();
        findings.push(found(
            "speed",
            format!("{name}: {alone:.0} evaluations a second on one thread{together} {shape}"),
        ));
    }
    for gpu in outplay_gpu::devices().unwrap_or_default() {
        let device = NetworkDevice::Cuda(gpu.number);
        let measured = open(NetworkArithmetic::Exact, device).and_then(|backend| {
            let load = Load { batch: backend.batch_size(), threads: 1, in_flight: 2, seconds: SECONDS };
            Ok((backend.name(), load.batch, measure(&*backend, &load)?))
        });
        findings.push(match measured {
            Ok((name, batch, rate)) => found(
                "speed",
                format!("{name}: {rate:.0} evaluations a second in batches of {batch} {shape}"),
            ),
            Err(error) => missing(
                "speed",
                &format!("{device}: {error}"),
                "networks run on the processor until this is mended",
            ),
        });
    }
    Ok(findings)
}

/// What a program says, if it is there and all goes well.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(Path::new(program))
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
