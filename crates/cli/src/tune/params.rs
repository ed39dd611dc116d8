//! `outplay tune params`

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow};
use outplay_core::text;
use outplay_engine::{Catalogue, NamedGame};
use outplay_lab::stats::{EloModel, Sprt};
use outplay_lab::tune::{
    Axis, Course, CoursePlan, Gains, Measure, Meeting, Objective, Openings, Phase, Search, Solving,
    TuneError, TuneFile, TuneReport, Verdict, axes_of, grid_size, play_course, play_games, read_axes,
    tune_page,
};
use outplay_lab::{GameRules, Threads, TimeControl};

use crate::Failure;
use crate::experiment::{
    interrupted, interruption, match_failure, progress_bar, warn_about_cores, write_file,
};
use crate::inputs::{GameArgs, at_least_nothing, setting};
use crate::matches::bounds;
use crate::opening_args::OpeningArgs;
use crate::suite::problems_of;

/// Tune settings of a search by games: any row of the options table is a parameter.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay tune params othello --all-of futility --pairs 4000 --limit nodes=500 --file futility.txt --html futility.html
  outplay tune params chess --all-of Reductions --all-of null_move --set hash=1 --limit nodes=1000
  outplay tune params connect6 --params six.toml --method bayes --trials 24 --pairs 2400
  outplay tune params chess --params two.toml --method grid --values 5 --by nodes --suite wac.epd --limit nodes=20000

A file of parameters is TOML, with a table for each; all but the name may be left out:
  [[param]]
  name = \"futility_margin\"
  start = 110    # the value of the engine as it is
  step = 12      # by how much it is varied in the end, worth 2 or 3 Elo; a tenth of the start
  min = 40       # ten steps to either side
  max = 250

SPSA varies all of them at once and suits 2 to 40; a grid or Bayesian optimisation tries point after point, and suits few, switches and words too.
In the end what was found plays the start until a test has decided, and only what is accepted is offered. With --file every result is kept, and the
same command goes on after an interruption, whatever interrupted it. With fixed nodes the same seed gives the same course on any number of threads.
Exit codes: 0 accepted, or nothing changed; 3 rejected; 4 undecided or interrupted.")]
pub struct ParamsArgs {
    #[command(flatten)]
    game: GameArgs,
    /// A file that names the parameters.
    #[arg(long, value_name = "FILE", required_unless_present = "all_of")]
    params: Option<PathBuf>,
    /// All numbers of a technique (its switch: null_move) or of a group of rows (its title: Reductions); may be given several times.
    #[arg(long, value_name = "NAME", conflicts_with = "params")]
    all_of: Vec<String>,
    /// The search.
    #[arg(long, value_name = "S", default_value = outplay_engine::DEFAULT_SEARCH)]
    search: String,
    /// A setting of both sides; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// How values are looked for.
    #[arg(long, value_enum, default_value_t = MethodName::Spsa)]
    method: MethodName,
    /// Comparisons (pairs of games) while values are looked for. A grid and Bayesian optimisation share them out among their points.
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: u64,
    /// SPSA: pairs between two moves of the values.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    group: u32,
    /// SPSA: how far results move values in the end; by default from the budget and the number of parameters.
    #[arg(long, value_name = "X", value_parser = at_least_nothing)]
    r_end: Option<f64>,
    /// Grid: values of each number.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=1000))]
    values: u32,
    /// Bayesian optimisation: points.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    trials: u32,
    /// What sides are compared by while values are looked for.
    #[arg(long, value_enum, default_value_t = By::Games)]
    by: By,
    /// A file of test positions, unless games are compared.
    #[arg(long, value_name = "FILE", required_if_eq_any([("by", "solved"), ("by", "time"), ("by", "nodes")]))]
    suite: Option<PathBuf>,
    /// What sides have for each move, or for each position.
    #[arg(long, value_name = "LIMIT", default_value = "nodes=1000")]
    limit: TimeControl,
    /// What sides have for each move of the test in the end, if that is something else.
    #[arg(long, value_name = "LIMIT")]
    test_limit: Option<TimeControl>,
    /// The bounds of the test, in Elo.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds, allow_hyphen_values = true, default_value = "0,5")]
    sprt: (f64, f64),
    /// The probability of a wrong decision, either way.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    error: f64,
    /// Games of the test at most.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    test_games: u64,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Comparisons at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Keep every result in this file, and go on with those that it holds.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write a page with plots to this file, now and then while it goes on.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum MethodName {
    /// Both sides moved, one up where the other goes down: for many parameters.
    Spsa,
    /// All points of a grid.
    Grid,
    /// Where most is expected, by a tree-structured Parzen estimator.
    Bayes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum By {
    /// Pairs of games.
    Games,
    /// Positions solved.
    Solved,
    /// Time to solution.
    Time,
    /// Nodes to solution.
    Nodes,
}

/// So often the page is written while a run goes on.
const PAGES: u64 = 50;

pub fn run(args: &ParamsArgs, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.named(games)?;
    let axes = axes(args, &game)?;
    let plan = plan(args, axes)?;
    let meeting = meeting(args, game)?;
    let run = identity(args, &plan, &meeting);
    let mut course = Course::new(&plan, args.pairs);
    let mut file = args.file.as_ref().map(|path| open(path, &run, &mut course)).transpose()?;
    warn_about_cores(args.concurrency as usize);

    let stop = interruption();
    let bar = progress_bar(course.pairs() as usize, "comparisons");
    let title = title(args, &meeting);
    let mut written = None;
    let mut watch = |course: &Course| {
        let phase = course.phase().unwrap_or(Phase::Test);
        let (done, all) = match phase {
            Phase::Search => (course.done(phase), course.pairs()),
            Phase::Test => (course.done(phase), args.test_games / 2),
        };
        bar.set_length(all);
        bar.set_position(done);
        let page = args.html.as_ref().filter(|_| done % (all / PAGES).max(1) == 0 && written.is_none());
        if bar.is_hidden() && page.is_none() {
            return;
        }
        let report = TuneReport::new(&title, course);
        if let Some(path) = page {
            written = write_file(path, &tune_page(&report, course)).err();
        }
        let test =
            report.test.as_ref().map_or_else(String::new, |test| format!("\nTuned against start:\n{test}"));
        bar.set_message(format!("{}{test}", report.table()));
    };
    let threads = args.concurrency as usize;
    let mut played = Ok(());
    if let Objective::Suite { problems, measure } = &meeting.objective {
        let solving = || Solving::new(&meeting, problems, *measure);
        let only_search = (threads, Phase::Search);
        played = play_course(&mut course, file.as_mut(), only_search, &solving, &stop, &mut watch);
    }
    if played.is_ok() && !stop.load(Ordering::Relaxed) {
        played = play_games(&mut course, file.as_mut(), &meeting, &Threads(threads), &stop, &mut watch);
    }
    bar.finish_and_clear();
    played.map_err(failure)?;
    if let Some(failure) = written {
        return Err(failure);
    }
    let report = TuneReport::new(&title, &course);
    if let Some(path) = &args.html {
        write_file(path, &tune_page(&report, &course))?;
    }
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        false => write!(out, "{}", report.text())?,
    }
    match report.verdict {
        Verdict::Accepted | Verdict::Unchanged => Ok(()),
        Verdict::Rejected => verdict(3, "rejected: what was found is not better than the start"),
        Verdict::Undecided => verdict(4, "undecided: the test needs more games (--test-games)"),
        Verdict::Running if stop.load(Ordering::Relaxed) => Err(interrupted(match args.file {
            Some(_) => "the same command goes on",
            None => "without --file FILE it has to begin anew",
        })),
        Verdict::Running => verdict(4, "unfinished"),
    }
}

fn verdict(code: u8, words: &str) -> Result<(), Failure> {
    Err(Failure::Verdict { code, words: words.to_string() })
}

fn failure(error: TuneError) -> Failure {
    match error {
        TuneError::Session(error) => Failure::usage(error),
        TuneError::Match(error) => match_failure(error),
        error => Failure::Failed(anyhow!(error)),
    }
}

/// What is tuned.
fn axes(args: &ParamsArgs, game: &NamedGame) -> Result<Vec<Axis>, Failure> {
    let mut session = game.open().map_err(Failure::usage)?;
    session.set_option("search", &args.search).map_err(Failure::usage)?;
    for (name, value) in &args.settings {
        session.set_option(name, value).map_err(Failure::usage)?;
    }
    let rows = session.options()?;
    let Some(path) = &args.params else {
        let mut axes: Vec<Axis> = Vec::new();
        for name in &args.all_of {
            let found = axes_of(name, &rows).map_err(Failure::usage)?;
            axes.extend(
                found
                    .into_iter()
                    .filter(|axis| axes.iter().all(|other| other.name != axis.name))
                    .collect::<Vec<_>>(),
            );
        }
        return Ok(axes);
    };
    let file = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let axes = read_axes(&file.map_err(Failure::Failed)?, &rows);
    axes.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)
}

fn plan(args: &ParamsArgs, axes: Vec<Axis>) -> Result<CoursePlan, Failure> {
    let points = match args.method {
        MethodName::Spsa => 1,
        MethodName::Grid => grid_size(&axes, args.values as usize),
        MethodName::Bayes => u64::from(args.trials),
    };
    let search = match args.method {
        MethodName::Spsa => {
            if let Some(word) = axes.iter().find(|axis| !axis.is_ordered()) {
                return Err(Failure::usage(anyhow!(
                    "{} is no number, and SPSA moves along numbers: take --method bayes or grid",
                    word.name
                )));
            }
            let derived = Gains::derived(args.pairs, axes.len());
            Search::Spsa(Gains { r_end: args.r_end.unwrap_or(derived.r_end), ..derived })
        }
        MethodName::Grid => Search::Grid { values: args.values as usize },
        MethodName::Bayes => Search::Bayes { trials: args.trials as usize },
    };
    if points > args.pairs {
        return Err(Failure::usage(anyhow!(
            "{points} points and {} comparisons: every point needs one; take fewer --values, or more --pairs",
            args.pairs
        )));
    }
    let group =
        if args.method == MethodName::Spsa { args.group as usize } else { (args.pairs / points) as usize };
    let (elo0, elo1) = args.sprt;
    let sprt = Sprt::new(EloModel::Logistic, elo0, elo1, args.error, args.error).map_err(Failure::usage)?;
    Ok(CoursePlan {
        axes,
        search,
        group,
        seed: args.openings.seed,
        sprt,
        most_test_pairs: args.test_games / 2,
    })
}

fn meeting(args: &ParamsArgs, game: NamedGame) -> Result<Meeting, Failure> {
    let measure = match args.by {
        By::Games => None,
        By::Solved => Some(Measure::Solved),
        By::Time => Some(Measure::Time),
        By::Nodes => Some(Measure::Nodes),
    };
    let objective = match (measure, &args.suite) {
        (Some(measure), Some(path)) => {
            Objective::Suite { problems: problems_of(path, &game, usize::MAX)?, measure }
        }
        (None, None) => Objective::Games,
        _ => return Err(Failure::usage(anyhow!("--suite goes with --by solved, time or nodes"))),
    };
    let search = [("search".to_string(), args.search.clone())];
    let openings = match args.openings.random() {
        Some((plies, seed)) => Openings::Random { plies, seed },
        None => Openings::Listed(args.openings.read(&game, usize::MAX)?),
    };
    let test_control = args.test_limit.clone().unwrap_or_else(|| args.limit.clone());
    Ok(Meeting {
        game,
        settings: search.into_iter().chain(args.settings.iter().cloned()).collect(),
        control: args.limit.clone(),
        test_control,
        rules: GameRules::default(),
        openings,
        objective,
    })
}

/// What makes a run the same run. Its test may be made longer or stricter.
fn identity(args: &ParamsArgs, plan: &CoursePlan, meeting: &Meeting) -> String {
    let CoursePlan { axes, search, group, seed, .. } = plan;
    let Meeting { settings, control, test_control, rules, openings, objective, .. } = meeting;
    let exactly = text::hash(&format!(
        "{axes:?}{search:?}{group}{seed}{settings:?}{control}{test_control}{rules:?}{openings:?}{objective:?}{}",
        args.pairs
    ));
    format!("{}, settings {exactly:016x}", title(args, meeting))
}

fn title(args: &ParamsArgs, meeting: &Meeting) -> String {
    let method = match args.method {
        MethodName::Spsa => "SPSA",
        MethodName::Grid => "grid",
        MethodName::Bayes => "Bayesian optimisation",
    };
    let (game, search, limit) = (meeting.game.to_string(), &args.search, &args.limit);
    format!("{game}: {search} tuned by {method}, {} comparisons at {limit}", args.pairs)
}

fn open(path: &Path, run: &str, course: &mut Course) -> Result<TuneFile, Failure> {
    let opened = TuneFile::open(path, run).with_context(|| format!("cannot use {}", path.display()));
    let (file, records) = opened.map_err(Failure::Failed)?;
    if file.dropped() > 0 {
        eprintln!("outplay: {} damaged lines in {} are dropped", file.dropped(), path.display());
    }
    if !records.is_empty() && std::io::stderr().is_terminal() {
        eprintln!("outplay: going on after {} comparisons", records.len());
    }
    for record in &records {
        course.tell(record);
    }
    Ok(file)
}
