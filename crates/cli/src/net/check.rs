//! `outplay net check`

use std::io::Write;
use std::path::PathBuf;

use outplay_core::Rng;
use outplay_engine::{Catalogue, NetworkDevice, NetworkOpinion, Session};
use outplay_net::Opened;
use serde::Serialize;

use super::eval::by_network;
use crate::Failure;
use crate::experiment::progress_bar;

/// Check a network: whether the file is whole, whether it fits a game, and whether all ways to compute it agree on random positions of that game.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay net check othello.safetensors
  outplay net check lc0.pb.gz --positions 20 --json

Exit codes: 0 sound; 1 not a network, or damaged; 3 it fits no game, or the ways to compute it disagree.")]
pub struct Args {
    /// The network: a file, or a name of `outplay net list`.
    #[arg(value_name = "NETWORK")]
    network: PathBuf,
    /// How many positions are compared.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Where chance begins.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// What else computes it beside the processor: auto (a GPU that is there and works), cpu (nothing), cuda or cuda:N.
    #[arg(long, value_name = "DEVICE", default_value_t = NetworkDevice::Auto)]
    device: NetworkDevice,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How far two ways to compute a network may differ, in chances and in shares of the policy.
const EXACT: f64 = 1e-3;
const FAST: f64 = 0.05;
/// Numbers of 16 bits, with sums of 32.
const HALF: f64 = 0.01;
/// The longest of the random games.
const MOST_PLIES: usize = 60;

#[derive(Serialize)]
struct JsonCheck {
    file: String,
    summary: String,
    games: Vec<String>,
    positions: u32,
    /// The largest difference from the reference, by way to compute it.
    differences: Vec<JsonDifference>,
    sound: bool,
}

#[derive(Serialize)]
struct JsonDifference {
    arithmetic: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
    value: f64,
    policy: f64,
    most: f64,
}

impl JsonDifference {
    fn is_small(&self) -> bool {
        self.value <= self.most && self.policy <= self.most
    }
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (place, opened) = super::open(&args.network, None)?;
    let fitting = super::games_of(opened.description(), games);
    let file = place.to_string();
    let Some(game) = fitting.first() else {
        let input = &opened.description().input;
        let words = format!(
            "{file} is whole, but no game of this program has its encoder {} with its board",
            input.encoder
        );
        return Err(Failure::Verdict { code: 3, words });
    };
    let mut ways = match opened {
        Opened::Tower(_) => {
            vec![("exact", NetworkDevice::Processor, EXACT), ("fast", NetworkDevice::Processor, FAST)]
        }
        Opened::Graph(_) => Vec::new(),
    };
    if let Opened::Tower(_) = opened
        && let Some(device) = super::gpu(args.device)
    {
        ways.push(("exact", device, HALF));
    }
    let summary = opened.summary();
    drop(opened);
    let differences = compare(args, games, (game, &file), &ways)?;
    let sound = differences.iter().all(JsonDifference::is_small);
    let check = JsonCheck { file, summary, games: fitting, positions: args.positions, differences, sound };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&check)?)?;
    } else {
        writeln!(out, "{}: {}", check.file, check.summary)?;
        writeln!(out, "fits {}", check.games.join(", "))?;
        for JsonDifference { arithmetic, device, value, policy, most } in &check.differences {
            let way = device.as_deref().unwrap_or(arithmetic);
            writeln!(
                out,
                "{way:6} differs from the reference by {value:.6} in value and {policy:.6} in policy, at most (up to {most} is sound)"
            )?;
        }
    }
    match check.sound {
        true => Ok(()),
        false => {
            let words = "the ways to compute it do not agree: its weights may be too large".to_string();
            Err(Failure::Verdict { code: 3, words })
        }
    }
}

/// Compares ways to compute a network with the reference, on positions of random games.
fn compare(
    args: &Args,
    games: &Catalogue,
    (game, file): (&str, &str),
    ways: &[(&'static str, NetworkDevice, f64)],
) -> Result<Vec<JsonDifference>, Failure> {
    let session = |arithmetic: &str, device| -> Result<Box<dyn Session>, Failure> {
        let mut session = games.open(game)?;
        by_network(&mut *session, file, arithmetic, device)?;
        Ok(session)
    };
    let mut reference = session("reference", NetworkDevice::Processor)?;
    let mut others = Vec::new();
    for &(arithmetic, device, most) in ways {
        let name = (device != NetworkDevice::Processor).then(|| device.to_string());
        let difference = JsonDifference { arithmetic, device: name, value: 0.0, policy: 0.0, most };
        others.push((session(arithmetic, device)?, difference));
    }
    let mut rng = Rng::new(args.seed);
    let bar = progress_bar(args.positions as usize, "positions");
    for _ in 0..args.positions {
        wander(&mut *reference, &mut rng)?;
        if let Some(expected) = reference.network_opinion()? {
            let moves: Vec<String> = reference.played_plain().into_iter().map(|(_, text)| text).collect();
            for (session, difference) in &mut others {
                session.set_game(None, &moves.join(" "))?;
                if let Some(opinion) = session.network_opinion()? {
                    let [value, policy] = distance(&expected, &opinion);
                    difference.value = difference.value.max(value);
                    difference.policy = difference.policy.max(policy);
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(others.into_iter().map(|(_, difference)| difference).collect())
}

/// Plays a random game up to a random ply.
fn wander(session: &mut dyn Session, rng: &mut Rng) -> Result<(), Failure> {
    session.set_game(None, "")?;
    for _ in 0..rng.below(MOST_PLIES) {
        let moves = session.legal_moves();
        if moves.is_empty() {
            break;
        }
        session.play(moves[rng.below(moves.len())])?;
        if session.legal_moves().is_empty() {
            session.undo()?;
            break;
        }
    }
    Ok(())
}

/// The largest differences in chances and in shares of the policy.
fn distance(a: &NetworkOpinion, b: &NetworkOpinion) -> [f64; 2] {
    let value = a.wdl.iter().zip(b.wdl).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let policy = a.policy.iter().map(|m| {
        let other = b.policy.iter().find(|other| other.plain == m.plain);
        f64::from((m.probability - other.map_or(0.0, |other| other.probability)).abs())
    });
    [value, policy.fold(0.0, f64::max)]
}
