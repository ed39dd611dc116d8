//! `outplay net`

mod bench;
mod check;
mod convert;
mod eval;
mod info;
mod list;
mod new;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::Subcommand;
use outplay_engine::{Catalogue, EncoderInfo, NetworkDevice, NetworkPlace, resolve_network};
use outplay_net::{Description, Mapping, Opened, open_network};

pub use bench::random_network;

use crate::{Failure, files};

/// Look into networks, check, convert and measure them, and ask them about positions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net new othello othello.safetensors --blocks 6 --channels 64
  outplay net info othello.safetensors
  outplay net check othello.safetensors
  outplay net eval othello --network othello.safetensors --moves \"f5 d6\"
  outplay net convert lc0.pb.gz chess.safetensors --half
  outplay net bench --size 6x64 --board 8x8 --device cuda
  outplay net list
  outplay analyze othello --search mcts --set evaluation=net --set network=othello.safetensors

Networks are files of our own (safetensors), of lc0 (.pb.gz) or in ONNX. Wherever a network is asked for, the name of one in a folder of networks
will do: nets in the data folder, or the folders that the variable OUTPLAY_NETS names.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Args),
    Check(check::Args),
    Convert(convert::Args),
    Bench(bench::Args),
    Eval(eval::Args),
    New(new::Args),
    List(list::Args),
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.command {
        Command::Info(args) => info::run(args, games, out),
        Command::Check(args) => check::run(args, games, out),
        Command::Convert(args) => convert::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Eval(args) => eval::run(args, games, out),
        Command::New(args) => new::run(args, games, out),
        Command::List(args) => list::run(args, games, out),
    }
}

/// Opens a network by file or name, with the mapping that goes with it if it is an ONNX model of somebody else.
fn open(network: &Path, mapping: Option<&Path>) -> Result<(NetworkPlace, Opened), Failure> {
    let place = resolve_network(network);
    let opened = match mapping.zip(place.file()) {
        None => place.open(),
        Some((file, path)) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))
                .map_err(Failure::Failed)?;
            let mapping = Mapping::from_json(&text).map_err(|error| Failure::Failed(error.into()))?;
            open_network(path, Some(&mapping))
        }
    };
    Ok((place, opened.map_err(|error| Failure::Failed(error.into()))?))
}

/// The games of the catalogue that a network fits, by the names that open them.
fn games_of(description: &Description, games: &Catalogue) -> Vec<String> {
    let fits = |name: &str| {
        let encoders = games.open(name).map(|session| session.encoders()).unwrap_or_default();
        encoders.iter().any(|encoder| is_for(description, encoder))
    };
    // The game that it was made for, which may be a variant, and all others that are shown in the same way.
    let named = std::iter::once(description.game.as_str()).chain(games.rows().iter().map(|row| row.name));
    let mut found: Vec<String> = Vec::new();
    for name in named.filter(|name| fits(name)) {
        if !found.iter().any(|other| other == name) {
            found.push(name.to_string());
        }
    }
    found
}

fn is_for(description: &Description, encoder: &EncoderInfo) -> bool {
    let policy_size = description.heads.policy.size(description.board);
    let input = &description.input;
    *encoder == EncoderInfo { name: input.encoder.clone(), planes: description.planes(), policy_size }
}

/// The GPU that a device means, if it means one: what is left open is a GPU where there is one.
fn gpu(device: NetworkDevice) -> Option<NetworkDevice> {
    match device {
        NetworkDevice::Auto => {
            let is_there = outplay_gpu::devices().is_ok_and(|devices| !devices.is_empty());
            (is_there && outplay_gpu::Nvrtc::find().is_ok()).then_some(NetworkDevice::Cuda(0))
        }
        NetworkDevice::Processor => None,
        NetworkDevice::Cuda(_) => Some(device),
    }
}

/// Writes a file whole, or leaves what was there.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = files::replace(path, |file| Ok(file.write_all(bytes)?));
    written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::Failed)
}

/// A network of our family; graphs of other shapes only run.
fn tower(place: &NetworkPlace, opened: Opened) -> Result<outplay_net::Network, Failure> {
    match opened {
        Opened::Tower(network) => Ok(network),
        Opened::Graph(_) => Err(Failure::Failed(anyhow!(
            "{place} is a graph of another shape than our networks have: it can be played with, but not converted"
        ))),
    }
}
