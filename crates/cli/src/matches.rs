//! `outplay match`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow};
use outplay_core::text;
use outplay_engine::{Catalogue, NamedGame};
use outplay_lab::stats::{Decision, EloModel, Sprt};
use outplay_lab::{
    Adjudication, Crew, DrawRule, GameRules, Journal, MatchError, MatchReport, MemoryJournal, Plan,
    PlayedPair, PlayerSpec, ResignRule, Schedule, SearchLog, Standings, TimeControl, figures_explained,
    live_table, run_match,
};

use crate::Failure;
use crate::experiment::{
    ExperimentArgs, interruption, match_failure, player_failure, progress_bar, read_players, write_file,
};
use crate::fleet_args::FleetArgs;
use crate::inputs::GameArgs;
use crate::words::{width, wrapped};

/// Play two or more players against each other and say how sure it is that one is better.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay match othello --a search=deepening --b search=uct --limit nodes=2000 --games 100
  outplay match chess --a search=deepening --b \"cmd=stockfish,option.Hash=16\" --limit tc=1+0.01 --html match.html
  outplay match connect4 --a search=uct,c=0.7 --b search=uct --limit nodes=1000 --sprt 0,20 --db c.redb
  outplay match gomoku --player search=uct --player search=flat --player strong.toml --limit time=0.1
  outplay match othello --levels --games 40                 is each level stronger than the one below?
  outplay match othello --a mcts --b uct --limit nodes=5000 --games 10000 --fleet nats://10.0.0.1 --db match.redb
  outplay match chess --a level=5 --b level=4 --games 40 --explain
  outplay match chess --a search=deepening --b search=uct --draw moves=8,score=10 --resign moves=3,score=600

A player is one of our searches with its options, one of the game's levels (level=3), or a program: cmd=PROGRAM,option.NAME=VALUE, with
proto=xboard, gtp, gomocup, connect6, botzone, nboard or edax if it does not speak UCI; either may have name=NAME and a limit of its own (limit.nodes=500), and may be written
in a TOML file instead. With --fleet, the machines that run `outplay worker` play, and program=NAME is a program that these have.
A limit is tc=BASE+INCREMENT (moves=N for periods), time=T, nodes=N, depth=N, and margin=T for time, joined by commas.
Every opening is played twice with the colours changed. With --db, every pair is kept; after an interruption the same
command with --resume goes on. Exit codes: 0 played, or the test accepts; 3 the test rejects; 4 it is undecided.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The player under test.
    #[arg(long, value_name = "PLAYER", requires = "b")]
    a: Option<String>,
    /// The player it is measured against.
    #[arg(long, value_name = "PLAYER", requires = "a")]
    b: Option<String>,
    /// A player of a tournament; to be given several times.
    #[arg(long = "player", value_name = "PLAYER", conflicts_with_all = ["a", "limit_a", "limit_b"])]
    players: Vec<String>,
    /// Let the first player meet all others, instead of everybody everybody.
    #[arg(long)]
    gauntlet: bool,
    /// Let each of the game's levels of play meet the one below it.
    #[arg(long, conflicts_with_all = ["a", "b", "players", "gauntlet"])]
    levels: bool,
    /// Games at most, for each two players who meet; an odd one is not played.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// The limit of players who have none of their own.
    #[arg(long, value_name = "LIMIT", default_value = "time=0.1")]
    limit: TimeControl,
    /// Another limit for A, for a game at odds.
    #[arg(long, value_name = "LIMIT")]
    limit_a: Option<TimeControl>,
    /// Another limit for B.
    #[arg(long, value_name = "LIMIT")]
    limit_b: Option<TimeControl>,
    /// Test whether A is better by ELO0 or less, or by ELO1 or more, and stop when that is decided.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Take the bounds as normalised Elo.
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// The probability of a wrong decision, either way.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    error: f64,
    /// Count a game as drawn that both players find even: after=N moves each, for moves=N, within score=N hundredths.
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    draw: Option<DrawRule>,
    /// Count a game as lost for a player who finds it so: for moves=N, at score=N hundredths below even, both=true if the
    /// opponent has to agree.
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    resign: Option<ResignRule>,
    /// Count a game by its exact result as soon as our own search finds it with so many nodes.
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    solve: Option<u64>,
    /// A game that lasts longer is a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    most_plies: u32,
    /// How long a program is waited for beyond its time before it counts as hanging.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = outplay_lab::parse_duration)]
    patience: Duration,
    /// Write all games to this file, in the game's own format.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write a row for each move to this file, as CSV: depth, nodes, score, time and so on.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Say below the result what its figures mean.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    #[command(flatten)]
    experiment: ExperimentArgs,
    #[command(flatten)]
    fleet: FleetArgs,
}

/// A verdict that rests on more repeated games than this share is doubtful.
const MOST_REPETITION: f64 = 0.1;

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let plan = plan(args, games)?;
    plan.check().map_err(player_failure)?;
    args.experiment.expect_different_files(&[&args.save, &args.log])?;
    let store = args.experiment.store(&identity(&plan), &plan.openings)?;
    let part = store.as_ref().map(|store| store.part(""));
    // Pairs of machines that are forgotten are played again, and the others are not: so they are kept somewhere.
    let memory = MemoryJournal::default();
    let journal: &dyn Journal = match &part {
        Some(part) => part,
        None if args.fleet.is_asked_for() => &memory,
        None => &(),
    };
    let threads = args.experiment.concurrency();
    let specs = plan.pairings.iter().map(|pairing| pairing.map(|player| &plan.entrants[player].spec));
    let crew = args.fleet.players(threads, &identity(&plan), &plan.game, specs)?;
    let interrupted = interruption();
    let bar = progress_bar(plan.all_pairs(), "pairs");
    let standings = loop {
        match play(args, &plan, &crew, journal, &interrupted, &bar) {
            Err(Unplayed::Match(MatchError::Forgotten { worker, pairs })) => {
                eprintln!("outplay: the {pairs} pairs of {worker} were taken out and are played again");
                bar.reset();
            }
            Err(Unplayed::Match(error)) => break Err(match_failure(error)),
            Err(Unplayed::Output(failure)) => break Err(failure),
            Ok(played) => break Ok(played),
        }
    };
    bar.finish_and_clear();
    let (standings, outputs) = standings?;
    outputs.finish(args, &standings, out)?;
    if interrupted.load(Ordering::Relaxed) && standings.decision() == Decision::Continue {
        return Err(args.experiment.interrupted());
    }
    verdict(args, &standings)
}

/// Why a match was not played to its end.
enum Unplayed {
    Match(MatchError),
    Output(Failure),
}

/// Plays the match, or goes on with what the journal has; everything that is written is written from the beginning.
fn play(
    args: &Args,
    plan: &Plan,
    crew: &dyn Crew,
    journal: &dyn Journal,
    interrupted: &AtomicBool,
    bar: &indicatif::ProgressBar,
) -> Result<(Standings, Outputs), Unplayed> {
    let mut outputs = Outputs::open(args, plan).map_err(Unplayed::Output)?;
    let mut not_written = None;
    let standings = run_match(plan, crew, journal, interrupted, &mut |pair, standings| {
        bar.inc(1);
        if !bar.is_hidden() {
            bar.set_message(live_table(standings));
        }
        not_written = outputs.add(plan, pair, standings).err();
        if not_written.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let standings = standings.map_err(Unplayed::Match)?;
    match not_written {
        Some(error) => Err(Unplayed::Output(Failure::Failed(error))),
        None => Ok((standings, outputs)),
    }
}

fn verdict(args: &Args, standings: &Standings) -> Result<(), Failure> {
    match args.sprt.map(|_| standings.decision()) {
        None | Some(Decision::AcceptH1) => Ok(()),
        Some(Decision::AcceptH0) => {
            let (elo0, elo1) = args.sprt.unwrap_or_default();
            let words = format!("rejected: the difference is {elo0} Elo rather than {elo1}");
            Err(Failure::Verdict { code: 3, words })
        }
        Some(Decision::Continue) => {
            Err(Failure::Verdict { code: 4, words: "undecided: play more games".to_string() })
        }
    }
}

/// What is written while the match is played.
struct Outputs {
    report: MatchReport,
    games: Option<BufWriter<File>>,
    log: Option<SearchLog>,
}

impl Outputs {
    fn open(args: &Args, plan: &Plan) -> Result<Outputs, Failure> {
        let cannot = |path: &Path| format!("cannot write {}", path.display());
        let games = args.save.as_deref().map(|path| File::create(path).with_context(|| cannot(path)));
        let log = args.log.as_deref().map(|path| SearchLog::create(path).with_context(|| cannot(path)));
        Ok(Outputs {
            report: MatchReport::new(plan),
            games: games.transpose().map_err(Failure::Failed)?.map(BufWriter::new),
            log: log.transpose().map_err(Failure::Failed)?,
        })
    }

    fn add(&mut self, plan: &Plan, pair: &PlayedPair, standings: &Standings) -> anyhow::Result<()> {
        let separator = if self.report.is_empty() { "" } else { "\n" };
        self.report.add(plan, pair, standings);
        let texts = || pair.games.iter().map(|game| game.text.as_str()).collect::<Vec<_>>().join("\n");
        if let Some(file) = &mut self.games {
            write!(file, "{separator}{}", texts()).context("the games cannot be written")?;
        }
        if let Some(log) = &mut self.log {
            let games = pair.games.iter().zip(plan.seats_of(pair.index)).zip(PlayedPair::rounds(pair.index));
            for ((game, players), round) in games {
                let names = players.map(|player| plan.entrants[player].name.as_str());
                let opening = plan.opening_of(pair.index);
                let logged = log.game(&plan.game, &round, &opening, names, game);
                logged.context("the log cannot be written")?;
            }
        }
        Ok(())
    }

    fn finish(self, args: &Args, standings: &Standings, out: &mut dyn Write) -> Result<(), Failure> {
        let flushed = self.games.map_or(Ok(()), |mut file| file.flush());
        let logged = self.log.map_or(Ok(()), SearchLog::finish);
        match args.experiment.json {
            true => writeln!(out, "{}", self.report.json(standings)?)?,
            false => write!(out, "{}", self.report.text(standings))?,
        }
        if args.explain {
            writeln!(out)?;
            for line in figures_explained(standings).lines() {
                writeln!(out, "{}", wrapped(line, 0, width()))?;
            }
        }
        if args.sprt.is_some() && self.report.redundancy() > MOST_REPETITION {
            eprintln!("outplay: the test counts the same games again and again: its verdict is worth little");
        }
        // What was played is told before anything else can fail.
        out.flush()?;
        if let Some(path) = &args.experiment.html {
            write_file(path, &self.report.html(standings))?;
        }
        flushed.context("the games cannot be written").map_err(Failure::Failed)?;
        logged.context("the log cannot be written").map_err(Failure::Failed)
    }
}

fn plan(args: &Args, games: &Catalogue) -> Result<Plan, Failure> {
    let game = args.game.named(games)?;
    let players = players(args, &game)?;
    let schedule = match (args.gauntlet, args.levels) {
        (true, _) => Schedule::Gauntlet,
        (_, true) => Schedule::Ladder,
        _ => Schedule::RoundRobin,
    };
    let pairings = schedule.pairings(players.len());
    if args.sprt.is_some() && pairings.len() > 1 {
        return Err(Failure::usage(anyhow!("--sprt tests two players: give it --a and --b")));
    }
    let pairs = args.games as usize / 2;
    let model = if args.normalised { EloModel::Normalised } else { EloModel::Logistic };
    let sprt = args.sprt.map(|(elo0, elo1)| Sprt::new(model, elo0, elo1, args.error, args.error)).transpose();
    Ok(Plan {
        entrants: Plan::entrants(players, &args.limit),
        pairings,
        openings: args.experiment.openings(&game, pairs)?,
        game,
        pairs,
        rules: GameRules {
            most_plies: args.most_plies as usize,
            patience: args.patience,
            adjudication: Adjudication { draw: args.draw, resign: args.resign, solve: args.solve },
        },
        sprt: sprt.map_err(Failure::usage)?,
    })
}

fn players(args: &Args, game: &NamedGame) -> Result<Vec<PlayerSpec>, Failure> {
    if args.levels {
        return Ok(game.levels().iter().map(PlayerSpec::of_level).collect());
    }
    let mut players = Vec::new();
    let odds = [(&args.a, &args.limit_a), (&args.b, &args.limit_b)];
    for (text, limit) in odds.into_iter().filter_map(|(text, limit)| Some((text.as_ref()?, limit))) {
        let read = read_players(text, game)?;
        let [mut player]: [PlayerSpec; 1] = read.try_into().map_err(|read: Vec<_>| {
            Failure::usage(anyhow!("{text} has {} players: give it to --player", read.len()))
        })?;
        player.limit = limit.clone().or(player.limit);
        players.push(player);
    }
    for text in &args.players {
        players.extend(read_players(text, game)?);
    }
    if players.len() < 2 {
        return Err(Failure::usage(anyhow!(
            "a match needs players: --a and --b, --player several times, or --levels"
        )));
    }
    Ok(players)
}

/// What makes a match the same match, besides its openings.
fn identity(plan: &Plan) -> String {
    let players = plan.entrants.iter().map(|entrant| format!("{} at {}", entrant.name, entrant.control));
    let players = players.collect::<Vec<_>>().join(" against ");
    let specs = plan.entrants.iter().map(|entrant| format!("{:?}", entrant.spec)).collect::<String>();
    let exactly = text::hash(&format!("{specs}{:?}{:?}", plan.pairings, plan.rules));
    format!("{}: {players}, settings {exactly:016x}", plan.game)
}

/// Reads the bounds of a test.
pub fn bounds(text: &str) -> Result<(f64, f64), String> {
    let (elo0, elo1) = text.split_once(',').ok_or("expected two bounds, as in 0,5")?;
    let number = |text: &str| text.trim().parse().map_err(|_| format!("expected a number, not {text:?}"));
    Ok((number(elo0)?, number(elo1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_and_checked() {
        assert_eq!(bounds("-5, 0"), Ok((-5.0, 0.0)));
        assert!(bounds("5").is_err() && bounds("a,b").is_err());
    }
}
