//! `outplay net bench`

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use outplay_core::Planes;
use outplay_engine::{EncoderInfo, NetworkArithmetic, NetworkDevice, network_backend};
use outplay_net::{Backend, BlockKind, Load, NetError, Network, Opened, measure};
use serde::Serialize;

use crate::Failure;
use crate::experiment::progress_bar;

/// Measure how many positions a second a network evaluates, by backend, arithmetic and size of batches.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net bench othello.safetensors
  outplay net bench --size 6x64 --board 8x8 --threads 2 --batch 1 --batch 32
  outplay net bench --size 10x128 --board 15x15 --se 32 --json

A machine that does other things meanwhile measures them too: repeat what matters.")]
pub struct Args {
    /// The network: a file, or a name of `outplay net list`.
    #[arg(value_name = "NETWORK", required_unless_present = "size", conflicts_with = "size")]
    network: Option<PathBuf>,
    /// In place of a file, a network of chance: BLOCKSxCHANNELS.
    #[arg(long, value_name = "BxC", value_parser = pair)]
    size: Option<(usize, usize)>,
    /// Its board: ROWSxCOLUMNS.
    #[arg(long, value_name = "RxC", value_parser = pair, default_value = "8x8")]
    board: (usize, usize),
    /// Its squeeze and excitation, with so many numbers in between.
    #[arg(long, value_name = "HIDDEN")]
    se: Option<usize>,
    /// Threads that evaluate at the same time; one by default.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Positions that are evaluated at once; may be given several times [default: 1, 8 and what the backend likes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    batch: Vec<u16>,
    /// What is measured: auto (the processor, and a GPU that is there and works), cpu, cuda or cuda:N.
    #[arg(long, value_name = "DEVICE", default_value_t = NetworkDevice::Auto)]
    device: NetworkDevice,
    /// Batches that each thread has under way at the same time, of backends that know more than one; may be given several times [default: all numbers that the backend
    /// knows].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    in_flight: Vec<u8>,
    /// Seconds for each measurement.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = crate::inputs::at_least_nothing)]
    seconds: f64,
    /// Measure the plain reference too, which is very slow.
    #[arg(long)]
    reference: bool,
    /// Print JSON lines.
    #[arg(long)]
    json: bool,
}

/// One measurement.
#[derive(Serialize)]
pub struct Measured {
    pub backend: String,
    pub arithmetic: &'static str,
    pub threads: usize,
    pub batch: usize,
    /// Batches that each thread had under way.
    pub in_flight: usize,
    pub evaluations_per_second: f64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error: NetError| Failure::Failed(error.into());
    let open = || -> Result<Opened, Failure> {
        match (&args.network, args.size) {
            (Some(network), _) => Ok(super::open(network, None)?.1),
            (None, Some(size)) => {
                random_network(size, args.board, args.se).map(Opened::Tower).map_err(failed)
            }
            (None, None) => Err(Failure::usage(anyhow!("give a network, or the size of one with --size"))),
        }
    };
    let mut backends: Vec<(&'static str, Arc<dyn Backend>)> = Vec::new();
    let mut ways = vec![NetworkArithmetic::Exact, NetworkArithmetic::Fast];
    if args.reference {
        ways.push(NetworkArithmetic::Reference);
    }
    let gpu = super::gpu(args.device);
    if matches!(open()?, Opened::Graph(_)) {
        // Graphs run themselves, in one way.
        ways.truncate(1);
    }
    let on_processor = if let NetworkDevice::Cuda(_) = args.device { Vec::new() } else { ways };
    for way in on_processor {
        let backend = network_backend(open()?, way, NetworkDevice::Processor).map_err(failed)?;
        backends.push((way.word(), backend));
    }
    if let Some(device) = gpu {
        let opened = open()?;
        if matches!(opened, Opened::Tower(_)) || args.device == device {
            let backend = network_backend(opened, NetworkArithmetic::Exact, device).map_err(failed)?;
            backends.push(("half", backend));
        }
    }
    let mut tasks = Vec::new();
    for (way, backend) in &backends {
        let mut batches: Vec<usize> = args.batch.iter().map(|&batch| batch.into()).collect();
        if batches.is_empty() {
            batches = vec![1, 8, backend.batch_size()];
            batches.dedup();
        }
        let known = backend.begin().most_in_flight();
        let mut in_flight: Vec<usize> = args.in_flight.iter().map(|&number| number.into()).collect();
        if in_flight.is_empty() {
            in_flight = (1..=known).collect();
        }
        in_flight.iter_mut().for_each(|number| *number = known.min(*number));
        in_flight.dedup();
        for batch in batches {
            tasks.extend(in_flight.iter().map(|&number| (*way, backend, batch, number)));
        }
    }
    let bar = progress_bar(tasks.len(), "measurements");
    for (arithmetic, backend, batch, in_flight) in tasks {
        let load = Load { batch, threads: args.threads.into(), in_flight, seconds: args.seconds };
        let rate = measure(&**backend, &load).map_err(failed)?;
        let (backend, threads) = (backend.name(), load.threads);
        let measured =
            Measured { backend, arithmetic, threads, batch, in_flight, evaluations_per_second: rate };
        bar.suspend(|| print(&measured, args.json, out))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

fn print(measured: &Measured, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Measured { backend, threads, batch, in_flight, evaluations_per_second, .. } = measured;
    let under_way = if *in_flight > 1 { format!(", {in_flight} under way") } else { String::new() };
    match json {
        true => writeln!(out, "{}", serde_json::to_string(measured)?)?,
        false => writeln!(
            out,
            "{backend:40} {threads:3} threads, batches of {batch:4}{under_way}: {evaluations_per_second:10.0} evaluations/s"
        )?,
    }
    Ok(out.flush()?)
}

/// A network of chance, shown two planes of bits and one of a number; its policy has a number for each cell and one for a pass, as Othello's has.
pub fn random_network(
    (blocks, channels): (usize, usize),
    (rows, columns): (usize, usize),
    se: Option<usize>,
) -> Result<Network, NetError> {
    let planes = Planes { rows, columns, bits: 2, constants: 1 };
    let encoder = EncoderInfo { name: "any".to_string(), planes, policy_size: rows * columns + 1 };
    let block = se.map_or(BlockKind::Plain {}, |hidden| BlockKind::SqueezeExcitation { hidden });
    Network::random(encoder.description("none".to_string(), channels, vec![block; blocks]), 1)
}

/// Reads two numbers with an x in between.
fn pair(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once(['x', '×']).map(|(a, b)| (a.trim().parse(), b.trim().parse()));
    match numbers {
        Some((Ok(a), Ok(b))) if a > 0 && b > 0 => Ok((a, b)),
        _ => Err("expected two numbers, as in 6x64".to_string()),
    }
}
