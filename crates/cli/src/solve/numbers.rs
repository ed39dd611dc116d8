//! `outplay solve` by proof-number search: who wins, on small boards of any game without repetition.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow};
use outplay_connect::{Connect, Rules, ThreatSight};
use outplay_core::{Game, Outcome, Player, Records};
use outplay_engine::NamedGame;
use outplay_search::proof::{Claim, ProofNode, ProofProgress, ProofSearch, ProofTable, ProofTree};
use outplay_search::{NoKnowledge, Oracle};
use serde_json::json;

use super::Args;
use super::rows::{Around, Row, Task, Value, answer, milliseconds, tasks};
use crate::Failure;
use crate::experiment::{interrupted, write_file};

/// Boards of so many cells are solved without being told how.
pub const MOST_CELLS: usize = 25;
/// Memory for the table if nothing is said.
const USUAL_MEBIBYTES: u32 = 64;
/// A proof that has more positions is not written.
const MOST_POSITIONS: usize = 5_000_000;

/// The rules of a game of the Connect(m,n,k,p,q) family.
pub fn family(game: &NamedGame) -> Option<Rules> {
    let game = game.to_string();
    let text =
        if game == "tictactoe" { "tic-tac-toe" } else { game.strip_prefix("connect:").unwrap_or(&game) };
    text.parse().ok()
}

/// Solves positions of the family; where a turn has two stones, the threat solver looks at the leaves.
pub fn run_family(args: &Args, rules: Rules, out: &mut dyn Write) -> Result<(), Failure> {
    let has_threats = rules.turn_stones() == 2 && rules.in_a_row() >= 5;
    match has_threats {
        true => run::<Connect, _>(args, &rules, &ThreatSight::new(rules), out),
        false => run::<Connect, _>(args, &rules, &NoKnowledge, out),
    }
}

/// Solves positions of any game without repetition.
pub fn run<G: Records, O: Oracle<G>>(
    args: &Args,
    rules: &G::Rules,
    oracle: &O,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let tasks = tasks::<G>(args, rules, "a position of the game")?;
    if args.proof.is_some() && tasks.len() > 1 {
        return Err(Failure::usage(anyhow!("--proof writes one proof: give it one position")));
    }
    if let Some(path) = &args.proof {
        check_place(path)?;
    }
    let mut table = ProofTable::new(args.hash.unwrap_or(USUAL_MEBIBYTES) as usize);
    // The answer is printed whatever becomes of its proof.
    let mut proof = Ok(());
    let answered =
        answer(args, &tasks, out, |task, around| solve(args, task, oracle, &mut table, around, &mut proof));
    proof.and(answered)
}

/// Refuses a place where no file can be written, before the time for a proof is spent.
fn check_place(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let reason = match folder {
        _ if path.is_dir() => "it is a folder",
        Some(folder) if !folder.is_dir() => "its folder is not there",
        _ => return Ok(()),
    };
    Err(Failure::usage(anyhow!("cannot write a proof to {}: {reason}", path.display())))
}

fn solve<G: Records, O: Oracle<G>>(
    args: &Args,
    Task { id, position }: &Task<G>,
    oracle: &O,
    table: &mut ProofTable,
    around: &Around,
    proof: &mut Result<(), Failure>,
) -> Result<Row, Failure> {
    let begun = Instant::now();
    let mover = position.to_move();
    let (mut nodes, mut bounds) = (0, [-1, 1]);
    for claim in [Claim::wins(mover), Claim::does_not_lose(mover)] {
        let mut stop = |progress: ProofProgress| {
            around.tell_numbers(id, claim.draw_will_do, progress.root, nodes + progress.nodes);
            around.is_interrupted()
        };
        let left = args.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes));
        let search = ProofSearch::new(claim, oracle, table, left, &mut stop);
        let mut search = search.map_err(Failure::usage)?;
        let found = search.search(position).answer();
        let flow = take_in(claim, found, &mut bounds);
        let last = flow.is_break() || claim.draw_will_do;
        if let (Some(path), Some(_), true) = (&args.proof, found, last) {
            *proof = match search.tree(position, MOST_POSITIONS) {
                Some(tree) => write_proof(path, &tree, position, oracle),
                None if around.is_interrupted() => Err(interrupted("the proof is not written")),
                None if search.nodes() >= left => Err(Failure::Failed(anyhow!(
                    "--nodes ran out before the proof was put together: give it more, or a larger --hash"
                ))),
                None => Err(Failure::Failed(anyhow!(
                    "the proof has more than {MOST_POSITIONS} positions, and is not written"
                ))),
            };
        }
        nodes += search.nodes();
        if last || found.is_none() {
            break;
        }
    }
    Ok(Row {
        id: id.clone(),
        position: position.position_text(),
        value: Value::new(bounds[0], bounds[1], None),
        likely: None,
        moves: None,
        line: None,
        nodes,
        ms: milliseconds(begun),
    })
}

/// Writes a proof, if it holds.
fn write_proof<G: Records, O: Oracle<G>>(
    path: &Path,
    tree: &ProofTree,
    position: &G,
    oracle: &O,
) -> Result<(), Failure> {
    let mut knows = |position: &G, claim: Claim| knows(oracle, position, claim);
    tree.check(position, &mut knows).context("a proof does not hold").map_err(Failure::Failed)?;
    write_file(path, &written(tree, position))
}

/// What an answer says of the result for the player to move; whether that is all that there is to know.
fn take_in(claim: Claim, found: Option<bool>, [least, most]: &mut [i32; 2]) -> ControlFlow<()> {
    match (claim.draw_will_do, found) {
        (_, None) => {}
        (false, Some(true)) => *least = 1,
        (false, Some(false)) => *most = 0,
        (true, Some(true)) => *least = 0,
        (true, Some(false)) => *most = -1,
    }
    if least == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Whether the oracle is certain of a claim, asked by itself.
fn knows<G: Game, O: Oracle<G>>(oracle: &O, position: &G, claim: Claim) -> bool {
    if let Some((outcome, _)) = oracle.at_sight(position) {
        return claim.holds(outcome);
    }
    let wins = oracle.wins_by_force(&mut oracle.state(), position, 1, &|| false) == Some(true);
    wins && claim.holds(Outcome::win(position.to_move()))
}

/// A proof as JSON: its positions are numbered from 0, the root.
fn written<G: Records>(tree: &ProofTree, root: &G) -> String {
    let mut rows = vec![serde_json::Value::Null; tree.nodes.len()];
    let mut open = vec![(0, root.clone())];
    while let Some((place, position)) = open.pop() {
        if !rows[place].is_null() {
            continue;
        }
        rows[place] = match &tree.nodes[place] {
            ProofNode::Over => json!("over"),
            ProofNode::Known => json!("known"),
            ProofNode::Keeps(m, next) => {
                open.push((*next, position.after(*m)));
                json!({ "move": position.move_text(*m), "then": next })
            }
            ProofNode::Meets(replies) => {
                open.extend(replies.iter().map(|(m, next)| (*next, position.after(*m))));
                let replies: HashMap<String, usize> =
                    replies.iter().map(|(m, next)| (position.move_text(*m), *next)).collect();
                json!({ "replies": replies })
            }
        };
    }
    let player = if tree.claim.player == Player::First { "first" } else { "second" };
    let claim = if tree.claim.draw_will_do { "does not lose" } else { "wins" };
    let proof = json!({ "position": root.position_text(), "claim": format!("the {player} player {claim}"), "positions": rows });
    proof.to_string()
}
