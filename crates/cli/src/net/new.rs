//! `outplay net new`

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use outplay_engine::Catalogue;
use outplay_net::{BlockKind, Network, Precision, ScalarKind};

use crate::Failure;
use crate::inputs::GameArgs;

/// Make a network of chance for a game, to learn from or to try things with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net new othello othello.safetensors
  outplay net new connect4 tiny.safetensors --blocks 2 --channels 16 --seed 7
  outplay net new gomoku gomoku.safetensors --blocks 10 --channels 128 --se 32 --ownership --moves-left")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The file to write; an older one is replaced.
    #[arg(value_name = "OUT")]
    target: PathBuf,
    /// Residual blocks.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=256))]
    blocks: u16,
    /// Channels between stem and heads.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096))]
    channels: u16,
    /// Squeeze and excitation in each block, with so many numbers in between.
    #[arg(long, value_name = "HIDDEN", value_parser = clap::value_parser!(u16).range(1..=4096))]
    se: Option<u16>,
    /// Where chance begins: the same seed makes the same network.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How positions are shown, if the game has several ways; the usual one by default.
    #[arg(long, value_name = "NAME")]
    encoder: Option<String>,
    /// Also say how long the game will last.
    #[arg(long)]
    moves_left: bool,
    /// Also say by how much it will be won.
    #[arg(long)]
    margin: bool,
    /// Also say whose the cells will be.
    #[arg(long)]
    ownership: bool,
    /// Keep weights in 16 bits.
    #[arg(long)]
    half: bool,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.named(games)?;
    let encoders = game.open().map_err(Failure::usage)?.encoders();
    let wanted = |name: &str| args.encoder.as_ref().is_none_or(|wanted| wanted == name);
    let encoder = encoders.iter().find(|encoder| wanted(&encoder.name)).ok_or_else(|| {
        let names: Vec<&str> = encoders.iter().map(|encoder| encoder.name.as_str()).collect();
        Failure::usage(match names.as_slice() {
            [] => anyhow!("{game} has no encoder: networks cannot be shown its positions"),
            names => anyhow!("{game} has no such encoder: expected {}", names.join(" or ")),
        })
    })?;
    let block = match args.se {
        Some(hidden) => BlockKind::SqueezeExcitation { hidden: hidden.into() },
        None => BlockKind::Plain {},
    };
    let blocks = vec![block; args.blocks.into()];
    let mut description = encoder.description(game.to_string(), args.channels.into(), blocks);
    let head = ScalarKind { channels: 8, hidden: 64 };
    description.heads.moves_left = args.moves_left.then_some(head);
    description.heads.margin = args.margin.then_some(head);
    description.heads.ownership = args.ownership.then_some(8);
    description.made_by = Some(format!("weights of chance, seed {}", args.seed));
    let network = Network::random(description, args.seed).map_err(Failure::usage)?;
    let bytes = network.to_bytes(if args.half { Precision::Half } else { Precision::Single });
    super::write(&args.target, &bytes)?;
    let weights = network.description().parameters();
    writeln!(out, "{}: {weights} weights, {} bytes, for {game}", args.target.display(), bytes.len())?;
    Ok(())
}
