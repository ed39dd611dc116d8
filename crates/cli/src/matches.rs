//! `outplay match`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow};
use outplay_core::{Player, Rng};
use outplay_lab::stats::{Decision, EloModel, Sprt, Summary, redundancy};
use outplay_lab::{
    Ending, Opening, Plan, PlayedPair, PlayerError, PlayerSpec, Store, StoredPair, TimeControl,
    random_openings, run_match,
};
use serde::Serialize;

use crate::Failure;
use crate::inputs::{GameArgs, duration};

/// Play two players against each other and say how sure it is that one is better.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay match othello --a search=deepening --b search=uct --limit nodes=2000 --games 100
  outplay match chess --a search=deepening --b \"cmd=stockfish,option.Hash=16\" --limit tc=1+0.01,margin=50ms
  outplay match connect4 --a search=uct,exploration=0.7 --b search=uct --limit nodes=1000 --sprt 0,20 --db c.redb

A player is one of our searches with its options, or a program: cmd=PROGRAM,proto=uci|gtp|gomocup,option.NAME=VALUE.
A limit is tc=BASE+INCREMENT (moves=N for periods), time=T, nodes=N, depth=N, and margin=T for time, joined by commas.
Every opening is played twice with the colours changed. With --db, every pair is kept; after an interruption the same
command with --resume goes on. Exit codes: 0 played, or the test accepts; 3 the test rejects; 4 it is undecided.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The player under test.
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// The player it is measured against.
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Games at most; an odd one is not played.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// The limit of both players.
    #[arg(long, value_name = "LIMIT", default_value = "time=0.1", value_parser = limit)]
    limit: TimeControl,
    /// Another limit for A, for a game at odds.
    #[arg(long, value_name = "LIMIT", value_parser = limit)]
    limit_a: Option<TimeControl>,
    /// Another limit for B.
    #[arg(long, value_name = "LIMIT", value_parser = limit)]
    limit_b: Option<TimeControl>,
    /// Openings: a file of games or positions in the game's formats, in a random order.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random moves of an opening, without a file.
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: usize,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Test whether A is better by ELO0 or less, or by ELO1 or more, and stop when that is decided.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Take the bounds as normalised Elo.
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// The probability of a wrong decision, either way.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    error: f64,
    /// Games at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// A game that lasts longer is a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    most_plies: usize,
    /// Keep every pair of games in this file.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Go on with the match in the file.
    #[arg(long, requires = "db")]
    resume: bool,
    /// Write all games to this file at the end.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonMatch<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    redundancy: f64,
    faults: &'a [String],
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let plan = plan(args)?;
    warn_about_cores(args);
    let store = match &args.db {
        Some(path) => {
            let store = Store::open(path, &identity(args), args.resume);
            Some(store.with_context(|| format!("cannot use {}", path.display())).map_err(Failure::Failed)?)
        }
        None => None,
    };
    let kept = store
        .as_ref()
        .map_or(Ok(Default::default()), Store::pairs)
        .map_err(|error| Failure::Failed(error.into()))?;
    let mut texts: Vec<String> = kept.values().flat_map(|pair| pair.games.clone()).collect();
    let finished = kept.iter().map(|(&index, pair)| (index, pair.results)).collect();

    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // Where the system refuses, Ctrl-C ends the program as it always does.
    drop(ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    }));
    let bar = indicatif::ProgressBar::new(plan.pairs as u64).with_style(
        indicatif::ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len} pairs, {eta} left")
            .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()),
    );
    let (mut faults, mut not_kept) = (Vec::new(), None);
    let summary = run_match(&plan, finished, &mut |pair, summary| {
        if let Some(pair) = pair {
            faults.extend(faults_of(pair));
            texts.extend(pair.texts.clone());
            let stored = StoredPair { results: pair.results(), games: pair.texts.clone() };
            not_kept = store.as_ref().and_then(|store| store.add(pair.index, &stored).err());
        }
        bar.inc(1);
        bar.set_message(summary.to_string());
        let stop = not_kept.is_some() || interrupted.load(Ordering::Relaxed);
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let summary = summary.map_err(|error| match error {
        PlayerError::External(_) => Failure::Failed(error.into()),
        error => Failure::usage(error),
    })?;
    if let Some(error) = not_kept {
        return Err(Failure::Failed(anyhow!(error).context("a pair could not be kept")));
    }
    if let Some(path) = &args.save {
        let written = std::fs::write(path, texts.join("\n"));
        written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::Failed)?;
    }
    report(args, &summary, &faults, &texts, out)?;
    if interrupted.load(Ordering::Relaxed) {
        let how = match (&args.db, args.resume) {
            (None, _) => "nothing was kept: give it --db FILE next time".to_string(),
            (Some(_), true) => "the same command goes on with it".to_string(),
            (Some(_), false) => format!("to go on: {} --resume", command_line()),
        };
        return Err(Failure::Verdict { code: 4, words: format!("interrupted; {how}") });
    }
    match summary.sprt.map(|_| summary.decision()) {
        None | Some(Decision::AcceptH1) => Ok(()),
        Some(Decision::AcceptH0) => {
            Err(Failure::Verdict { code: 3, words: "rejected: A is not better".to_string() })
        }
        Some(Decision::Continue) => {
            Err(Failure::Verdict { code: 4, words: "undecided: play more games".to_string() })
        }
    }
}

fn plan(args: &Args) -> Result<Plan, Failure> {
    let session = args.game.open()?;
    let players = [&args.a, &args.b].map(|text| PlayerSpec::parse(text));
    let [a, b] = players;
    let pairs = args.games as usize / 2;
    let openings = match &args.openings {
        None => random_openings(&args.game.game, pairs, args.opening_plies, args.seed)?,
        Some(path) => {
            let file = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
            let listed = session.list_games(&file.map_err(Failure::Failed)?, usize::MAX);
            let listed = listed.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)?;
            let mut openings: Vec<Opening> =
                listed.into_iter().map(|(start, moves)| Opening { start, moves }).collect();
            Rng::new(args.seed).shuffle(&mut openings);
            openings
        }
    };
    let model = if args.normalised { EloModel::Normalised } else { EloModel::Logistic };
    let sprt = args.sprt.map(|(elo0, elo1)| Sprt::new(model, elo0, elo1, args.error, args.error)).transpose();
    Ok(Plan {
        game: args.game.game.clone(),
        players: [a.map_err(Failure::usage)?, b.map_err(Failure::usage)?],
        controls: [&args.limit_a, &args.limit_b].map(|own| own.clone().unwrap_or_else(|| args.limit.clone())),
        openings,
        pairs,
        most_plies: args.most_plies,
        sprt: sprt.map_err(Failure::usage)?,
        concurrency: args.concurrency as usize,
    })
}

/// What makes a match the same match: everything that has a say in its games, but not how many.
fn identity(args: &Args) -> String {
    let limits = [&args.limit_a, &args.limit_b].map(|own| own.as_ref().unwrap_or(&args.limit));
    let openings = args
        .openings
        .as_ref()
        .map_or(format!("{} random plies", args.opening_plies), |path| path.display().to_string());
    format!(
        "{}: {} against {}, {limits:?}, openings {openings}, seed {}, at most {} plies",
        args.game.game, args.a, args.b, args.seed, args.most_plies
    )
}

fn warn_about_cores(args: &Args) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if args.concurrency as usize > cores {
        eprintln!(
            "outplay: {} games at once on {cores} cores: clocks and speeds will suffer",
            args.concurrency
        );
    }
}

/// What the players did wrong, in words.
fn faults_of(pair: &PlayedPair) -> Vec<String> {
    let games = pair.games.iter().zip([Player::First, Player::Second]);
    let faults = games.filter_map(|(game, side_of_a)| match &game.ending {
        Ending::Fault { by, .. } => {
            let who = if *by == side_of_a { 'A' } else { 'B' };
            Some(format!("pair {}: {who} loses: {}", pair.index + 1, game.ending))
        }
        _ => None,
    });
    faults.collect()
}

fn report(
    args: &Args,
    summary: &Summary,
    faults: &[String],
    texts: &[String],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // Games are compared by their moves: the names at the top of a file differ with the colours.
    let moves = texts.iter().map(|text| text.split("\n\n").last().unwrap_or(text));
    let redundancy = redundancy(moves.map(hash_of));
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&JsonMatch { summary, redundancy, faults })?)?;
        return Ok(());
    }
    for fault in faults {
        writeln!(out, "{fault}")?;
    }
    writeln!(out, "{summary}")?;
    if redundancy > 0.0 {
        writeln!(
            out,
            "{:.0} % of the games are repetitions of others: use more openings",
            100.0 * redundancy
        )?;
    }
    Ok(())
}

fn hash_of(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| outplay_core::mix(hash ^ u64::from(byte)))
}

/// The command line of this program, to be typed again.
fn command_line() -> String {
    let quoted = std::env::args().map(|word| match word.contains([' ', '"', '\'', '*', '$', '(', ')']) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => word,
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn bounds(text: &str) -> Result<(f64, f64), String> {
    let (elo0, elo1) = text.split_once(',').ok_or("expected two bounds, as in 0,5")?;
    let number = |text: &str| text.trim().parse().map_err(|_| format!("expected a number, not {text:?}"));
    Ok((number(elo0)?, number(elo1)?))
}

fn limit(text: &str) -> Result<TimeControl, String> {
    let mut control = TimeControl::default();
    for setting in text.split(',') {
        let (name, value) =
            setting.split_once('=').ok_or("expected NAME=VALUE, as in nodes=1000 or tc=10+0.1")?;
        let number = |value: &str| value.parse::<u64>().ok().filter(|&n| n > 0);
        let whole = || number(value).ok_or(format!("expected a whole number above 0, not {value:?}"));
        match name.trim() {
            "tc" => {
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                (control.base, control.increment) = (Some(duration(base)?), duration(increment)?);
            }
            "moves" => control.moves = Some(u32::try_from(whole()?).map_err(|error| error.to_string())?),
            "time" => control.move_time = Some(duration(value)?),
            "nodes" => control.nodes = Some(whole()?),
            "depth" => control.depth = Some(u32::try_from(whole()?).map_err(|error| error.to_string())?),
            "margin" => control.margin = duration(value)?,
            other => return Err(format!("expected tc, moves, time, nodes, depth or margin, not {other:?}")),
        }
    }
    if control == (TimeControl { margin: control.margin, ..TimeControl::default() }) {
        return Err("expected a limit: tc, time, nodes or depth".to_string());
    }
    if control.is_timed() && control.margin == Duration::ZERO {
        control.margin = DEFAULT_MARGIN;
    }
    Ok(control)
}

/// What a limit of time may be overstepped by unless something else is said: the way through pipes and schedulers.
const DEFAULT_MARGIN: Duration = Duration::from_millis(50);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_checked() {
        let tc = limit("tc=10+0.1,moves=40").expect("a limit");
        assert_eq!((tc.base, tc.moves), (Some(Duration::from_secs(10)), Some(40)));
        assert_eq!((tc.increment, tc.margin), (Duration::from_millis(100), DEFAULT_MARGIN));
        assert_eq!(limit("nodes=500").expect("a limit").nodes, Some(500));
        for bad in ["", "nodes", "nodes=0", "nodes=x", "speed=1", "margin=5ms", "tc=-1"] {
            assert!(limit(bad).is_err(), "{bad}");
        }
        assert_eq!(bounds("-5, 0"), Ok((-5.0, 0.0)));
        assert!(bounds("5").is_err());
    }
}
