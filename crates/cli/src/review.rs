//! `outplay review`

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow};
use outplay_engine::{Catalogue, NamedGame, Session};
use outplay_lab::review::{
    Agreement, Career, Course, GROSS, Judge, Mark, Review, Side, add_careers, annotate, write_csv,
};
use outplay_lab::{Entrant, Plan, PlayerSpec, TimeControl};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::experiment::{interrupted, interruption, player_failure, progress_bar, write_file};
use crate::inputs::GameArgs;

/// Find the inaccuracies, mistakes and blunders of a recorded game, and what would have been better.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay review chess game.pgn
  outplay review chess game.pgn --save reviewed.pgn --csv reviewed.csv
  outplay review othello games.ggf --game-number 3 --limit nodes=1000000 --save third.pgn
  outplay review connect6 game.sgf --json
  outplay review chess games.pgn --all --player cmd=stockfish --limit depth=18 --json > stockfish.json
  outplay review chess games.pgn --all --compare stockfish.json
  outplay match chess --a level=2 --b level=1 --games 20 --save games.pgn && outplay review chess games.pgn --all --players

A turn is marked by how much of the winning chance it gives away against the best one: an inaccuracy from 5 % on, a mistake from 10 %, a blunder
from 15 %; at Othello from 2, 4 and 6 discs on. A player is one of our searches with its options, or a program, as for `outplay match`; a limit
is time=T, nodes=N or depth=N, for each position. The saved game has evaluations, marks and better lines.
--json prints an object a line, one for each game. docs/review.md says how turns are judged.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Recorded games: PGN, SGF, GGF, or a list of moves.
    file: PathBuf,
    /// Which game of the file, counted from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game_number: u32,
    /// All games of the file.
    #[arg(long, conflicts_with_all = ["game_number", "save", "csv"])]
    all: bool,
    /// Who judges; the game's usual search by default.
    #[arg(long, value_name = "PLAYER", default_value = "")]
    player: String,
    /// How long each position is searched.
    #[arg(long, value_name = "LIMIT", default_value = "nodes=200000")]
    limit: TimeControl,
    /// Write the game with evaluations, marks and better lines to this file.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write a row for each turn to this file, as CSV.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Say how far this review agrees with another one of the same games, which --json has written to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    compare: Option<PathBuf>,
    /// Say what each player made of all games: whether it errs as people do, or plays nonsense.
    #[arg(long, requires = "all", conflicts_with_all = ["compare", "json"])]
    players: bool,
    /// Print JSON lines.
    #[arg(long)]
    json: bool,
}

/// A reviewed game as `--json` prints it.
#[derive(Serialize, Deserialize)]
struct Reviewed {
    title: String,
    player: String,
    limit: String,
    #[serde(flatten)]
    review: Review,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.named(games)?;
    let file = read(&args.file)?;
    let judge = judge(args, &game)?;
    let others = args.compare.as_deref().map(reviews).transpose()?;
    let contents = game.open()?.contents(&file, if args.all { usize::MAX } else { 0 });
    let contents =
        contents.with_context(|| format!("in {}", args.file.display())).map_err(Failure::Failed)?;
    let numbers =
        if args.all { 0..contents.count } else { args.game_number as usize - 1..args.game_number as usize };
    let mut compared: Vec<(String, Agreement)> = Vec::new();
    let mut careers: Vec<Career> = Vec::new();
    for number in numbers {
        let mut session = game.open()?;
        session
            .load(&file, number)
            .with_context(|| format!("in {}", args.file.display()))
            .map_err(Failure::Failed)?;
        let title = session.contents(&file, number + 1)?.titles.pop().unwrap_or_default();
        let review = review(&game, &*session, &judge)?;
        let reviewed =
            Reviewed { title, player: judge.name.clone(), limit: judge.control.to_string(), review };
        if let Some(path) = &args.save {
            save(path, &mut *session, &reviewed.review)?;
        }
        if let Some(path) = &args.csv {
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()));
            write_csv(file.map_err(Failure::Failed)?, &reviewed.review)?;
        }
        match others.as_ref().map(|others| find(others, &reviewed)) {
            Some(other) => {
                compared.push((reviewed.title.clone(), Agreement::of(&reviewed.review, &other?.review)))
            }
            None if args.players => {
                let names = names_of(&*session);
                add_careers(&mut careers, names.each_ref().map(String::as_str), &reviewed.review);
            }
            None if args.json => writeln!(out, "{}", serde_json::to_string(&reviewed)?)?,
            None => write!(out, "{}", text(&reviewed, session.players()))?,
        }
        out.flush()?;
    }
    if args.players {
        write!(out, "{}", careers_text(&careers))?;
    }
    if !compared.is_empty() {
        write!(out, "{}", table(&compared))?;
    }
    Ok(())
}

fn judge(args: &Args, game: &NamedGame) -> Result<Entrant, Failure> {
    let spec = PlayerSpec::parse(&args.player).map_err(Failure::usage)?;
    let judge = Plan::entrants(vec![spec], &args.limit).remove(0);
    if judge.control.base.is_some() {
        return Err(Failure::usage(anyhow!("a limit for each position is time, nodes or depth, not tc")));
    }
    judge.spec.check(game, &judge.control, &[]).map_err(player_failure)?;
    Ok(judge)
}

/// Asks about one position after the other, with a bar if anybody looks.
fn review(game: &NamedGame, session: &dyn Session, judge: &Entrant) -> Result<Review, Failure> {
    let failed = |fault| player_failure(outplay_lab::PlayerError::External(fault));
    let player = judge.spec.make(game).map_err(player_failure)?;
    let mut player = Judge::new(player, &judge.control).map_err(failed)?;
    let mut board = game.open()?;
    board.set_recorded(&session.recorded())?;
    let mut course = Course::new(game, board, 0)?;
    let is_interrupted = interruption();
    let stop = || is_interrupted.load(Ordering::Relaxed);
    let bar = progress_bar(100, "%");
    while let Some(question) = course.question()? {
        let opinion = player.ask(&question, &stop).map_err(failed)?;
        if stop() {
            return Err(interrupted("a review has to begin anew"));
        }
        course.answer(opinion)?;
        bar.set_position((100.0 * course.progress()) as u64);
    }
    bar.finish_and_clear();
    Ok(course.review())
}

fn save(path: &Path, session: &mut dyn Session, review: &Review) -> Result<(), Failure> {
    let mut recorded = session.recorded();
    annotate(&mut recorded, review);
    session.set_recorded(&recorded)?;
    write_file(path, &session.save(&outplay_engine::SaveNotes::default()))
}

/// The reviews that `--json` has written.
fn reviews(path: &Path) -> Result<Vec<Reviewed>, Failure> {
    let text = String::from_utf8_lossy(&read(path)?).into_owned();
    let read = |(line, text): (usize, &str)| {
        serde_json::from_str(text)
            .with_context(|| format!("in {}, line {}: no review", path.display(), line + 1))
    };
    text.lines().enumerate().map(read).collect::<Result<_, _>>().map_err(Failure::Failed)
}

fn find<'a>(others: &'a [Reviewed], this: &Reviewed) -> Result<&'a Reviewed, Failure> {
    let found = others.iter().find(|other| other.review.moves == this.review.moves);
    found.ok_or_else(|| Failure::Failed(anyhow!("{} has not been reviewed there", this.title)))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::Failed)
}

fn text(reviewed: &Reviewed, players: [&str; 2]) -> String {
    let Reviewed { title, player, limit, review } = reviewed;
    let mut text = format!("{title}\nreviewed by {player} ({limit})\n\n");
    let width = players.iter().map(|name| name.len()).max().unwrap_or(0);
    for (side, name) in review.sides.iter().zip(players) {
        text += &format!("{name:<width$}  {}\n", side_text(side));
    }
    text.push('\n');
    for turn in review.turns.iter().filter(|turn| turn.mark.is_some()) {
        let sign = turn.mark.map_or("", Mark::sign);
        let head = format!("{} {}{sign}", turn.number, turn.played.join(" "));
        text += &format!("{head:<14} {}\n", turn.said());
        text += &format!("{:<14} better: {}\n", "", turn.best.text.join(" "));
        if !turn.reply.text.is_empty() {
            text += &format!("{:<14} answer: {}\n", "", turn.reply.text.join(" "));
        }
    }
    if review.turns.iter().all(|turn| turn.mark.is_none()) {
        text += "No mistakes found.\n";
    }
    text.push('\n');
    text
}

fn side_text(side: &Side) -> String {
    let Some(accuracy) = side.accuracy else { return "no moves to judge".to_string() };
    let phases: Vec<String> =
        side.phases.iter().map(|phase| format!("{} {:.0} %", phase.phase, phase.accuracy)).collect();
    let phases = if phases.len() > 1 { format!(" ({})", phases.join(", ")) } else { String::new() };
    let [inaccuracies, mistakes, blunders] = side.marks;
    let several =
        |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    format!(
        "accuracy {accuracy:.0} %{phases}; {}, {}, {}",
        several(inaccuracies, "inaccuracy", "inaccuracies"),
        several(mistakes, "mistake", "mistakes"),
        several(blunders, "blunder", "blunders")
    )
}

/// The players of a recorded game, by their names if the file has them.
fn names_of(session: &dyn Session) -> [String; 2] {
    let tags = session.recorded().tags;
    let name = |tag: &str| tags.iter().find(|(name, _)| name == tag).map(|(_, value)| value.clone());
    let [first, second] = session.players();
    let named = session.player_tags().map(name);
    let [one, other] = named;
    [one.unwrap_or_else(|| first.to_string()), other.unwrap_or_else(|| second.to_string())]
}

/// What players made of all games, as a table.
fn careers_text(careers: &[Career]) -> String {
    let mut text = format!(
        "| player | games | moves | accuracy | inaccuracies | mistakes | blunders | {:.0} points or more | twice running |\n|---|---|---|---|---|---|---|---|---|\n",
        100.0 * GROSS
    );
    for career in careers {
        let share = |count: usize| format!("{:.1} %", 100.0 * count as f64 / career.turns.max(1) as f64);
        let [inaccuracies, mistakes, blunders] = career.marks.map(share);
        text += &format!(
            "| {} | {} | {} | {:.0} % | {inaccuracies} | {mistakes} | {blunders} | {} | {} |\n",
            career.name,
            career.games,
            career.turns,
            career.accuracy,
            share(career.gross),
            share(career.gross_again)
        );
    }
    text
}

/// How far two reviews agree, by game, and which marks go with which.
fn table(compared: &[(String, Agreement)]) -> String {
    let mut all = Agreement::default();
    let mut text =
        "| game | blunders there | marked here | blunders here | not marked there |\n|---|---|---|---|---|\n"
            .to_string();
    let mut row = |title: &str, agreement: &Agreement| {
        let (theirs, ours) = (agreement.blunders_of_other(), agreement.blunders());
        text += &format!(
            "| {title} | {theirs} | {} | {ours} | {} |\n",
            agreement.marked(),
            agreement.unmarked_by_other()
        );
    };
    for (title, agreement) in compared {
        row(title, agreement);
        all += *agreement;
    }
    row("all", &all);
    text += "\n| there \\ here | no mark | inaccuracy | mistake | blunder |\n|---|---|---|---|---|\n";
    for (name, counts) in ["no mark", "inaccuracy", "mistake", "blunder"].into_iter().zip(all.turns) {
        text += &format!("| {name} | {} |\n", counts.map(|count| count.to_string()).join(" | "));
    }
    text
}
