//! `outplay net convert`

use std::io::Write;
use std::path::PathBuf;

use outplay_net::Precision;

use crate::Failure;

/// Write a network in another format: ours from those of others, with fewer bytes, or as ONNX for other programs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net convert lc0.pb.gz chess.safetensors --half
  outplay net convert theirs.onnx ours.safetensors --mapping meaning.json
  outplay net convert othello.safetensors othello.onnx")]
pub struct Args {
    /// The network to read: a file, or a name of `outplay net list`.
    #[arg(value_name = "IN")]
    network: PathBuf,
    /// The file to write; an older one is replaced.
    #[arg(value_name = "OUT")]
    target: PathBuf,
    /// Keep weights in 16 bits: half of the bytes, and nearly the same values.
    #[arg(long, conflicts_with = "onnx")]
    half: bool,
    /// Write ONNX, which is also written if the name ends with .onnx.
    #[arg(long)]
    onnx: bool,
    /// What the inputs and outputs of an ONNX model mean, as JSON; by default a file beside it that ends with .json.
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (place, opened) = super::open(&args.network, args.mapping.as_deref())?;
    let summary = opened.summary();
    let network = super::tower(&place, opened)?;
    let is_onnx = args.onnx || args.target.extension().is_some_and(|extension| extension == "onnx");
    let bytes = match is_onnx {
        true => network.to_onnx(),
        false => network.to_bytes(if args.half { Precision::Half } else { Precision::Single }),
    };
    super::write(&args.target, &bytes)?;
    writeln!(out, "{summary}: {} bytes written to {}", bytes.len(), args.target.display())?;
    Ok(())
}
