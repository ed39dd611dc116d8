//! `outplay solve`

mod four;
mod numbers;
mod othello;
mod proofs;
mod rows;
mod threats;

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use outplay_connect::{ConnectFour, Rules};
use outplay_engine::Catalogue;
use outplay_search::NoKnowledge;

use crate::Failure;

/// Solve Connect Four, endgames of Othello and small boards by proof-number search; find wins by threats in Connect6, and prove them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay solve connect4 --position 274552224131661 --moves
  outplay solve connect4 Test_L2_R1 --json
  outplay solve connect4 Test_L2_R1 --suite keep-the-result.epd
  outplay solve connect4
  outplay solve connect4:5x5
  outplay solve othello --position \"O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X\"
  outplay solve othello fforum-40-59.obf --threads 2 --json
  outplay solve othello many.obf --resume solved.json      after Ctrl-C, the same again goes on
  outplay solve connect6 positions.csv
  outplay solve connect6 --position \"j10 k11 l9 l10 k9 k10 j8 j11 l8 k7 m7 k8 m8\" --proof win.json
  outplay solve connect6 positions.csv --nodes 1000000 --json --proof proofs
  outplay solve connect6 positions.csv --vcst --nodes 50000
  outplay solve connect:15,15,6,2,1 --position \"h8 g7\" --turns 5
  outplay solve tictactoe
  outplay solve connect:4,4,4,1,1 --proof draw.json
  outplay solve connect4:5x5 --dfpn --hash 256

Connect Four: who wins with best play, and in how many plies. A file has a position a line: moves as column numbers (4453), perhaps with a score after them, or
a board with whose turn it is. Without a file or a position, the start is solved, which takes a minute or so. A score of 1 is a win with the
player's last stone of a full board, 2 with the one before, and so on; -1 and so on are losses. What is not exact is given as two bounds, and is true as well.

Othello: by how many discs the player to move wins with best play, and a best line. A file has a position a line: a board of 64 signs and whose turn it is,
perhaps with what else .obf files have. Each empty square more makes it two to three times as long: 20 take a third of a second, 26 a minute. While it works,
and after Ctrl-C, bounds with a percentage come from searches that leave things out: so often is a cut on the way to them right. What is called exact is certain.

Connect6: a table is comma-separated values whose first line names the columns: stones_in_order holds the moves from the start (the
letter i is a column like any other), id a name, side_to_move, B or W, is checked; other columns are passed over.
A win is one in which every turn of the player to move makes two threats (VCDT), so that the other side can do nothing but
stop them; with --vcst, one threat. The result is \"win\"; \"none\" if everything was tried; \"cut\" if the limits came first.
Turns are those of the winner, the one that completes the row among them; the line shows the defence that holds out
longest, and ends with a row or with threats that nothing stops. Where a defence is one stone, the other may go anywhere.
A proof answers every defence: {\"threatens\": STONES, \"replies\": [{\"stones\": STONES, \"then\": …}]}, at last
{\"completes_a_row\": STONES}. A reply of one stone stands for all second stones that have no reply of their own.

Proof-number search (of itself on boards of up to 25 cells with one stone a turn, others with --dfpn) says who wins, and no more: 1 if the player to move does, 0 for a draw. While it works it shows how many
positions would have to be proved, and refuted, at least. A proof is a list of positions: {\"move\": M, \"then\": NUMBER} where the player has one of whom the claim is,
{\"replies\": {M: NUMBER, …}} with all moves of the other one, \"over\", or \"known\" to the threat solver. It is checked before it is written.
Of a draw it proves that the player to move does not lose; that the other one does not lose either was found as well, and is not in the file.

Exit codes: 0 done; 4 interrupted, with what was known by then.")]
pub struct Args {
    /// othello; connect4 on any board, as in connect4:5x4; connect6, or connect:M,N,K,P,Q with two stones a turn and five or more in a row.
    #[arg(value_name = "GAME")]
    game: String,
    /// Files of positions.
    #[arg(value_name = "FILE", conflicts_with = "position")]
    files: Vec<PathBuf>,
    /// One position: the moves from the start, separated by spaces or commas, or a board with whose turn it is.
    #[arg(long, value_name = "P", visible_alias = "stones", allow_hyphen_values = true)]
    position: Option<String>,
    /// Connect Four and Othello: what every move is worth.
    #[arg(long)]
    moves: bool,
    /// Othello: only who wins, which is found sooner than by how much.
    #[arg(long, conflicts_with = "moves")]
    wld: bool,
    /// Connect Four: write the positions as a suite for `outplay suite`, each with all moves that keep its result (win, draw or loss).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "json"])]
    suite: Option<PathBuf>,
    /// Connect Four and Othello: memory for the table in MiB, rounded down to a power of two.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(2..=65536))]
    hash: Option<u32>,
    /// Othello: threads that search each position together; as many as the machine has cores if nothing is said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Connect6: look for wins by single threats as well (VCST): every turn makes one threat at least, and the other side has a stone to spare.
    #[arg(long)]
    vcst: bool,
    /// Connect Four and Connect6: solve by proof-number search, in Connect6 with the threat solver at its leaves.
    #[arg(long, conflicts_with_all = ["moves", "wld", "suite", "vcst", "turns", "threads"])]
    dfpn: bool,
    /// Give a position up after so many nodes; in Connect6 (positions with the winner to move) after 200,000 by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Connect6: look for wins of so many turns at most, 30 by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    turns: Option<u16>,
    /// Connect6: write the tree of each win, as JSON: to this file, or to a file for each win in this folder if it is one or there are several positions.
    #[arg(long, value_name = "PATH")]
    proof: Option<PathBuf>,
    /// Connect Four and Othello: keep the answers in this file, as JSON, an object a line; positions whose answer stands there already are passed over.
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    resume: Option<PathBuf>,
    /// Print JSON, an object a line.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let game = games.find(&args.game).map_err(Failure::usage)?;
    let refuse = |options: &[(&str, bool)]| match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => {
            Err(Failure::usage(anyhow!("{name} means nothing to {game}: see outplay solve --help")))
        }
        None => Ok(()),
    };
    let is_small = |rules: &Rules| rules.turn_stones() == 1 && rules.cells() <= numbers::MOST_CELLS;
    let family = numbers::family(&game).filter(|rules| args.dfpn || is_small(rules));
    if let Some(rules) = family {
        refuse(&[
            ("--wld", args.wld),
            ("--moves", args.moves),
            ("--suite", args.suite.is_some()),
            ("--threads", args.threads.is_some()),
            ("--vcst", args.vcst),
            ("--turns", args.turns.is_some()),
        ])?;
        return numbers::run_family(args, rules, out);
    }
    if game.to_string() == "othello" {
        refuse(&[
            ("--dfpn", args.dfpn),
            ("--suite", args.suite.is_some()),
            ("--vcst", args.vcst),
            ("--nodes", args.nodes.is_some()),
            ("--turns", args.turns.is_some()),
            ("--proof", args.proof.is_some()),
        ])?;
        return othello::run(args, out);
    }
    match four::rules(&game) {
        Some(rules) if args.dfpn => numbers::run::<ConnectFour, _>(args, &rules?, &NoKnowledge, out),
        Some(rules) => {
            refuse(&[
                ("--wld", args.wld),
                ("--threads", args.threads.is_some()),
                ("--vcst", args.vcst),
                ("--turns", args.turns.is_some()),
                ("--proof", args.proof.is_some()),
            ])?;
            four::run(args, rules?, out)
        }
        None => {
            refuse(&[
                ("--wld", args.wld),
                ("--moves", args.moves),
                ("--suite", args.suite.is_some()),
                ("--hash", args.hash.is_some()),
                ("--threads", args.threads.is_some()),
                ("--resume", args.resume.is_some()),
                ("--dfpn", args.dfpn),
            ])?;
            threats::run(args, &game, out)
        }
    }
}
