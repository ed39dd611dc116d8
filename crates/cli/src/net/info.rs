//! `outplay net info`

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use outplay_engine::{Catalogue, content_hash};
use outplay_net::{Description, Opened};
use serde::Serialize;

use crate::Failure;

/// Say what a network is: the game, the layers, how many weights it has.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net info othello.safetensors
  outplay net info lc0.pb.gz --json")]
pub struct Args {
    /// The network: a file, or a name of `outplay net list`.
    #[arg(value_name = "NETWORK")]
    network: PathBuf,
    /// What the inputs and outputs of an ONNX model mean, as JSON; by default a file beside it that ends with .json.
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonInfo {
    file: String,
    bytes: usize,
    hash: String,
    /// Whether it is a graph of another shape than our networks have.
    graph: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<usize>,
    games: Vec<String>,
    description: Description,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (place, opened) = super::open(&args.network, args.mapping.as_deref())?;
    let bytes = place.bytes().with_context(|| format!("cannot read {place}"));
    let bytes = bytes.map_err(Failure::Failed)?;
    let description = opened.description().clone();
    let parameters = match &opened {
        Opened::Tower(_) => Some(description.parameters()),
        Opened::Graph(_) => None,
    };
    let info = JsonInfo {
        file: place.to_string(),
        bytes: bytes.len(),
        hash: format!("{:016x}", content_hash(&bytes)),
        graph: parameters.is_none(),
        parameters,
        games: super::games_of(&description, games),
        description,
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&info)?)?;
        return Ok(());
    }
    let Description { board, input, heads, .. } = &info.description;
    writeln!(out, "{}", opened.summary())?;
    let (rows, columns, policy) = (board.rows, board.columns, heads.policy.size(*board));
    writeln!(out, "encoder    {}: {} planes of {columns}×{rows}", input.encoder, input.planes())?;
    writeln!(out, "policy     {policy} numbers")?;
    let others = [
        ("margin", heads.margin.is_some()),
        ("moves left", heads.moves_left.is_some()),
        ("ownership", heads.ownership.is_some()),
        ("reply", heads.reply.is_some()),
    ];
    let others: Vec<&str> = others.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect();
    let value = if heads.value.outputs() == 3 { "win, draw, loss" } else { "one number" };
    writeln!(out, "value      {value}")?;
    if !others.is_empty() {
        writeln!(out, "and        {}", others.join(", "))?;
    }
    if let Some(parameters) = info.parameters {
        writeln!(out, "weights    {parameters}")?;
    }
    writeln!(out, "file       {} bytes, hash {}", info.bytes, info.hash)?;
    match info.games.as_slice() {
        [] => writeln!(out, "fits       no game of this program: none has this encoder with this board")?,
        fitting => writeln!(out, "fits       {}", fitting.join(", "))?,
    }
    Ok(())
}
