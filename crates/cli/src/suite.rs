//! `outplay suite`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use outplay_engine::{Catalogue, NamedGame, SuiteProblem};
use outplay_lab::suite::{self, Suite, SuiteError, SuiteRun};
use outplay_lab::{Entrant, Plan, PlayerSpec, TimeControl};

use crate::Failure;
use crate::experiment::{interruption, player_failure, progress_bar, read_players, warn_about_cores};
use crate::inputs::GameArgs;

/// Solve test positions, and measure the searches that do it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay suite chess wac.epd --limit time=0.5 --first 20
  outplay suite chess wac.epd --player search=deepening --player cmd=stockfish --limit nodes=20000 --html wac.html
  outplay suite othello fforum-1-19.obf --player search=alphabeta --csv searches.csv
  outplay suite connect4 endings.txt --limit depth=8 --csv depths.csv --iterations --json
  outplay suite connect6 suites/connect6/middle-games.txt --player search=pvs --player search=mcts --limit nodes=20000

A file has a position a line, with what is known about it, in the game's own form (EPD for chess, OBF for Othello) or in
that which all games have: POSITION bm MOVES; am MOVES; score N; result win|draw|loss; dm MOVES; moves MOVES; id \"NAME\"; c0 \"NOTE\";
A player is one of our searches with its options, or a program, as for `outplay match`. A limit is time=T, nodes=N,
depth=N, or several, for each position. Solved means that the move is right; where the result is known, proved means that
the player is certain of it, and rightly so.
Exit codes: 0 done; 3 a player was certain of something false; 4 interrupted.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Files of test positions.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A player; may be given several times. The game's usual search by default.
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    /// What players who have no limit of their own have for each position.
    #[arg(long, value_name = "LIMIT", default_value = "time=1")]
    limit: TimeControl,
    /// Only the first N positions of each file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    first: Option<u32>,
    /// Positions at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Print the totals only.
    #[arg(long)]
    totals: bool,
    /// Write a row for each search to this file, as CSV.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// In CSV a row for each iteration of each search instead, in JSON the iterations as well.
    #[arg(long)]
    iterations: bool,
    /// Write a page that compares the players, with plots, to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.named(games)?;
    let problems = problems(args, &game)?;
    let suite = Suite { game, problems, concurrency: args.concurrency as usize };
    let players = players(args, &suite.game)?;
    for player in &players {
        player.spec.check(&suite.game, &player.control, &[]).map_err(player_failure)?;
        player.spec.make(&suite.game).map_err(player_failure)?;
    }
    // Before the work, so that it is not done in vain.
    let csv = args.csv.as_deref().map(create).transpose()?;
    let html = args.html.as_deref().map(create).transpose()?;
    warn_about_cores(args.concurrency as usize);
    let interrupted = interruption();
    let runs = run_all(&suite, &players, &interrupted)?;

    if let Some(file) = csv {
        match args.iterations {
            true => suite::write_iterations(file, &suite, &runs)?,
            false => suite::write_searches(file, &suite, &runs)?,
        }
    }
    if let Some(mut file) = html {
        file.write_all(suite::page(&suite, &runs).as_bytes())?;
        file.flush()?;
    }
    match args.json {
        true => writeln!(out, "{}", suite::json(&suite, &runs, args.iterations)?)?,
        false => write!(out, "{}", suite::text(&suite, &runs, !args.totals))?,
    }
    let searched: usize = runs.iter().map(|run| run.searches.len()).sum();
    let all = suite.problems.len() * players.len();
    let false_claims: usize = runs.iter().map(|run| run.totals().false_claims).sum();
    let verdict = |code, words| Err(Failure::Verdict { code, words });
    match false_claims {
        0 if searched < all => verdict(4, format!("interrupted after {searched} of {all} searches")),
        0 => Ok(()),
        1 => verdict(3, "a player was certain of something false".to_string()),
        several => verdict(3, format!("players were certain of something false, {several} times")),
    }
}

/// One run after the other, with a bar if anybody looks; fewer if interrupted.
fn run_all(suite: &Suite, players: &[Entrant], interrupted: &AtomicBool) -> Result<Vec<SuiteRun>, Failure> {
    let bar = progress_bar(suite.problems.len() * players.len(), "positions");
    let is_interrupted = || interrupted.load(Ordering::Relaxed);
    let mut runs = Vec::new();
    for player in players.iter().take_while(|_| !is_interrupted()) {
        let (mut solved, mut done) = (0, 0);
        let run = suite.run(player, &is_interrupted, &mut |searched| {
            solved += usize::from(searched.solved == Some(true));
            done += 1;
            bar.inc(1);
            bar.set_message(format!("{}: {solved} of {done} solved", player.name));
        });
        runs.push(run.map_err(|error| match error {
            SuiteError::Player(error) => player_failure(error),
            error => Failure::usage(error),
        })?);
    }
    bar.finish_and_clear();
    Ok(runs)
}

fn players(args: &Args, game: &NamedGame) -> Result<Vec<Entrant>, Failure> {
    let mut players = Vec::new();
    for text in &args.players {
        players.extend(read_players(text, game)?);
    }
    if players.is_empty() {
        players.push(PlayerSpec::parse("").map_err(Failure::usage)?);
    }
    Ok(Plan::entrants(players, &args.limit))
}

/// The problems of all files; if there are several, their names say which file they are from.
fn problems(args: &Args, game: &NamedGame) -> Result<Vec<SuiteProblem>, Failure> {
    let most = args.first.map_or(usize::MAX, |first| first as usize);
    let mut all = Vec::new();
    for path in &args.files {
        let mut found = problems_of(path, game, most)?;
        if args.files.len() > 1 {
            let file = path.file_stem().unwrap_or_default().to_string_lossy();
            found.iter_mut().for_each(|problem| problem.name = format!("{file}: {}", problem.name));
        }
        all.append(&mut found);
    }
    Ok(all)
}

/// The problems of a file, or so many of them.
pub fn problems_of(path: &Path, game: &NamedGame, most: usize) -> Result<Vec<SuiteProblem>, Failure> {
    let session = game.open().map_err(Failure::usage)?;
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let found = session.problems(&bytes.map_err(Failure::Failed)?, most);
    let found = found.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)?;
    if found.is_empty() {
        let wanted = "expected a position a line with what is known about it, as in \"bm MOVE; id NAME;\"";
        return Err(Failure::Failed(anyhow!("{} holds no position: {wanted}", path.display())));
    }
    Ok(found)
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()));
    Ok(BufWriter::new(file.map_err(Failure::Failed)?))
}
