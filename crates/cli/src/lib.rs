//! The command line: parsing and printing only. One file a command.

mod ablate;
mod agreement;
mod analyze;
mod bench;
mod bench_mcts;
mod book;
mod botzone;
mod connect6;
mod data;
mod doctor;
mod endgames;
mod experiment;
mod explain;
mod failure;
mod files;
mod fleet;
mod fleet_args;
mod games;
mod gomocup;
mod gtp;
mod inputs;
mod learn;
mod matches;
mod nboard;
mod net;
mod opening_args;
mod options;
mod othello;
mod perft;
mod play;
mod recognised;
mod report;
mod review;
mod screen;
mod serve;
mod solve;
mod suite;
mod trace;
mod tree;
mod tune;
mod uci;
mod why;
mod words;
mod worker;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use outplay_engine::Catalogue;

pub use failure::Failure;
use recognised::Recognised;

/// Two players, one board, nothing hidden: play, analyse and study chess, Othello, Connect6 and their relatives.
#[derive(Parser)]
#[command(
    name = "outplay",
    version,
    after_help = "\
Start here:
  outplay                                    the board in a browser (the same as outplay serve)
  outplay play othello                       a game against the engine, in the terminal
  outplay games                              the games there are
  outplay analyze chess                      what the engine thinks of a position

Every command has --help with examples."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Games(games::Args),
    Play(play::Args),
    Analyze(analyze::Args),
    Review(review::Args),
    #[command(name = "match")]
    Match(Box<matches::Args>),
    Suite(suite::Args),
    Solve(solve::Args),
    Ablate(Box<ablate::Args>),
    Why(why::Args),
    Agreement(agreement::Args),
    Explain(explain::Args),
    Tree(tree::Args),
    Trace(trace::Args),
    Learn(learn::Args),
    Tune(tune::Args),
    Book(book::Args),
    Endgames(endgames::Args),
    Net(net::Args),
    Doctor(doctor::Args),
    Worker(worker::Args),
    Fleet(fleet::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Uci(uci::Args),
    Connect6(connect6::Args),
    Gtp(gtp::Args),
    Gomocup(gomocup::Args),
    #[command(name = "nboard")]
    NBoard(nboard::Args),
    Othello(othello::Args),
    Botzone(botzone::Args),
    Options(options::Args),
    Completions(Completions),
}

/// Print a script that completes commands and options in a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay completions bash > ~/.local/share/bash-completion/completions/outplay
  outplay completions zsh > ~/.zfunc/_outplay
  outplay completions fish > ~/.config/fish/completions/outplay.fish")]
struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

/// Runs the program that plays these games, with these arguments, the first of which is its name; what it prints goes to `out`. Without others it opens the board in a
/// browser, or, if a program has started it, speaks the protocol that its input begins with.
///
/// Exit codes: 0 if all went well, 1 if something failed, 2 if the command line made no sense; others are answers, see each
/// command.
pub fn run(
    games: &Catalogue,
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
) -> ExitCode {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    outplay_engine::look_for_networks_in(data::network_folders(data::default_folder()));
    // Several board programs cannot pass arguments.
    if arguments.len() == 1 {
        match recognised::run(games, out) {
            Ok(Recognised::Person) => {}
            Ok(Recognised::Nothing) => {
                eprintln!("{}", Cli::command().render_help());
                return ExitCode::from(2);
            }
            result => return exit_code(result.map(|_| ()), out),
        }
    }
    if arguments.len() == 2 && arguments[1] == "play" {
        match play::choose_game(games, &mut std::io::stdin().lock(), out) {
            Ok(game) => arguments.push(game.into()),
            Err(failure) => return exit_code(Err(failure), out),
        }
    }
    let command = with_flowing_help(Cli::command());
    // What stands in the place of a command, for whoever takes a game for one.
    let first = arguments.get(1).map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    let cli = match command.try_get_matches_from(arguments).and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand && games.find(&first).is_ok() => {
            eprintln!("outplay: no command {first:?}: did you mean outplay play {first}? See outplay --help");
            return ExitCode::from(2);
        }
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Nothing can be done if even this cannot be printed.
            drop(error.print());
            return ExitCode::from(code);
        }
    };
    let command = cli.command.unwrap_or_else(|| Command::Serve(serve::Args::usual()));
    let result = match command {
        Command::Serve(args) => serve::run(&args, games, out),
        Command::Games(args) => games::run(&args, games, out),
        Command::Play(args) => play::run(&args, games, out),
        Command::Analyze(args) => analyze::run(&args, games, out),
        Command::Review(args) => review::run(&args, games, out),
        Command::Match(args) => matches::run(&args, games, out),
        Command::Suite(args) => suite::run(&args, games, out),
        Command::Solve(args) => solve::run(&args, games, out),
        Command::Ablate(args) => ablate::run(&args, games, out),
        Command::Why(args) => why::run(&args, games, out),
        Command::Agreement(args) => agreement::run(&args, games, out),
        Command::Explain(args) => explain::run(&args, games, out),
        Command::Tree(args) => tree::run(&args, games, out),
        Command::Trace(args) => trace::run(&args, games, out),
        Command::Learn(args) => learn::run(&args, games, out),
        Command::Tune(args) => tune::run(&args, games, out),
        Command::Book(args) => book::run(&args, games, out),
        Command::Endgames(args) => endgames::run(&args, out),
        Command::Net(args) => net::run(&args, games, out),
        Command::Doctor(args) => doctor::run(&args, out),
        Command::Worker(args) => worker::run(&args, games, out),
        Command::Fleet(args) => fleet::run(&args, out),
        Command::Perft(args) => perft::run(&args, games, out),
        Command::Bench(args) => bench::run(&args, games, out),
        Command::Uci(args) => uci::run(&args, out),
        Command::Connect6(args) => connect6::run(&args, games, out),
        Command::Gtp(args) => gtp::run(&args, games, out),
        Command::Gomocup(args) => gomocup::run(&args, games, out),
        Command::NBoard(args) => nboard::run(&args, games, out),
        Command::Othello(args) => othello::run(&args, games, out),
        Command::Botzone(args) => botzone::run(&args, games, out),
        Command::Options(args) => options::run(&args, games, out),
        Command::Completions(Completions { shell }) => {
            // Into memory first, because the generator panics when it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "outplay", &mut script);
            out.write_all(&script).map_err(Failure::from)
        }
    };
    exit_code(result, out)
}

/// The same command whose help, and that of its commands, breaks lines where the terminal is wide.
fn with_flowing_help(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(|text| words::flowing(&text.to_string()));
    let command = match help {
        Some(help) => command.after_help(help),
        None => command,
    };
    command.mut_subcommands(with_flowing_help)
}

fn exit_code(result: Result<(), Failure>, out: &mut dyn Write) -> ExitCode {
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has had enough of it: `outplay ... | head`.
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("outplay: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
