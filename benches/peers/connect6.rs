//! Connect6: placing and taking back stones, judging positions, searching, and proving wins by threats.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use outplay_connect::threats::{Limits as SolverLimits, Solver, Threats, Verdict};
use outplay_connect::{Connect, LazyWins, Rules, ThreatSight};
use outplay_core::{Game, Line, Move, MoveList, Notation, Outcome, Player, Rng};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Evaluation, Limits, Oracle, Search, Tactics};

use crate::external::Cloudict;
use crate::race::{Contestant, race};

/// Random games whose stones are placed and taken back.
const RANDOM_GAMES: usize = 2_000;
/// Games with stones where they promise something.
const GAMES: u64 = 40;
/// Turns that are tried in a position.
const TURNS: usize = 100;
/// Positions that are searched, with so many nodes each.
const SEARCHED: usize = 12;
const NODES: u64 = 20_000;
/// How deep Cloudict searches them.
const CLOUDICT_DEPTH: u32 = 3;

pub fn run() {
    let games: Vec<Vec<Move>> = (0..RANDOM_GAMES as u64).map(random_game).collect();
    race(
        "Connect6 make and unmake, with key, win test and numbers of open windows, one thread",
        "stones",
        vec![Contestant::timed("Outplay", || {
            let mut position = Connect::start(&Rules::CONNECT6);
            games.iter().map(|moves| make_and_unmake(&mut position, moves)).sum()
        })],
    );
    let sight = ThreatSight::new(Rules::CONNECT6);
    // Where nothing is decided at sight: there, judging would cost nothing.
    let is_open =
        |line: &Line<Connect>| sight.at_sight(line.position()).is_none() && !sight.in_check(line.position());
    let games = (0..GAMES).flat_map(|seed| promising_game(&sight, seed)).filter(is_open);
    let mut tried: Vec<Tried> = games.map(|line| Tried::new(&sight, line)).collect();
    race(
        "Connect6 turns of two stones made, judged, threats of both sides counted, and unmade, one thread",
        "turns",
        vec![Contestant::timed("Outplay", || tried.iter_mut().map(|tried| tried.judge_all(&sight)).sum())],
    );
    let mut cloudict = Cloudict::start();
    search(&mut cloudict);
    prove(&mut cloudict);
}

/// The moves of a random game from the start to its end.
fn random_game(seed: u64) -> Vec<Move> {
    let (mut position, mut rng, mut moves) = (Connect::start(&Rules::CONNECT6), Rng::new(seed), Vec::new());
    while position.outcome().is_none() {
        let legal = position.legal_moves();
        let m = legal.nth(rng.below(legal.count()));
        position.play(m);
        moves.push(m);
    }
    moves
}

/// Makes all the moves, asking after each whether the game is over, and takes them back: how many stones that were.
fn make_and_unmake(position: &mut Connect, moves: &[Move]) -> u64 {
    let mut undo = Vec::with_capacity(moves.len());
    let mut keys = 0;
    for &m in moves {
        undo.push(position.make(m));
        keys ^= position.key();
        if position.outcome().is_some_and(|outcome| outcome == Outcome::DRAW) {
            keys += 1;
        }
    }
    std::hint::black_box(keys);
    for &m in moves.iter().rev() {
        position.unmake(m, undo.pop().expect("one for each move"));
    }
    moves.len() as u64
}

/// The positions of a game in which each stone is one of the most promising, where turns begin.
fn promising_game(sight: &ThreatSight, seed: u64) -> Vec<Line<Connect>> {
    let mut rng = Rng::new(seed);
    let mut line = Line::new(Connect::start(&Rules::CONNECT6));
    line.play(line.position().parse_move("j10").expect("the middle"));
    let mut lines = Vec::new();
    while line.outcome().is_none() && line.position().stone_count() < 61 {
        if line.position().turn().stones_left == 2 {
            lines.push(line.clone());
        }
        let promising = most_promising(sight, line.position(), 4);
        line.play(promising[rng.below(promising.len())]);
    }
    lines
}

/// The stones that promise the most.
fn most_promising(sight: &ThreatSight, position: &Connect, count: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    sight.visit_quiet(&mut LazyWins::default(), position, |m, _, score| moves.push((score, m)));
    moves.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    moves.truncate(count);
    moves.into_iter().map(|(_, m)| m).collect()
}

/// A position, and turns to try in it.
struct Tried {
    position: Connect,
    turns: Vec<[Move; 2]>,
}

impl Tried {
    fn new(sight: &ThreatSight, line: Line<Connect>) -> Tried {
        let position = line.position().clone();
        let stones = most_promising(sight, &position, 20);
        let pairs = (0..stones.len()).flat_map(|a| (0..a).map(move |b| [a, b]));
        let turns = pairs.map(|pair| pair.map(|place| stones[place])).take(TURNS).collect();
        Tried { position, turns }
    }

    /// Makes, judges and unmakes each of the turns: how many there are.
    fn judge_all(&mut self, sight: &ThreatSight) -> u64 {
        let Tried { position, turns } = self;
        let mut state = Evaluation::state(sight);
        sight.reset(&mut state, position);
        for turn in &*turns {
            let undo = turn.map(|m| {
                Evaluation::make(sight, &mut state, position, Some(m), position);
                position.make(m)
            });
            let threats = Player::BOTH.map(|player| sight.threats(position, player));
            std::hint::black_box((sight.evaluate(&mut state, position), threats));
            for (&m, undo) in turn.iter().zip(undo).rev() {
                position.unmake(m, undo);
                Evaluation::unmake(sight, &mut state, position);
            }
        }
        turns.len() as u64
    }
}

/// Alpha-beta: nodes of ours are stones, those of Cloudict are turns.
fn search(cloudict: &mut Option<Cloudict>) {
    let sight = ThreatSight::new(Rules::CONNECT6);
    let is_open = |line: &Line<Connect>| {
        let position = line.position();
        position.stone_count() == 13
            && sight.at_sight(position).is_none()
            && sight.wins_by_force(&mut LazyWins::default(), position, i32::MAX, &|| false) != Some(true)
    };
    let lines: Vec<_> =
        (100..).flat_map(|seed| promising_game(&sight, seed)).filter(is_open).take(SEARCHED).collect();
    let ours = |lines: &[Line<Connect>]| -> u64 {
        let nodes = lines.iter().map(|line| {
            let mut search = AlphaBeta::new(sight.clone());
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let (signals, mut sink) = (Arc::new(Signals::new(false)), |_| {});
            let mover = line.position().to_move();
            let mut control = Control::new(mover, &limits, &StopOptions::default(), &signals, &mut sink);
            search.search(line, &mut control).counters.nodes
        });
        nodes.sum()
    };
    race(
        "Connect6 alpha-beta in positions with 13 stones, one thread: ours by stones, Cloudict's by turns",
        "nodes",
        vec![
            Contestant::timed("Outplay", || ours(&lines)),
            Contestant::new("Cloudict at depth 3, without its VCF", || {
                let peer = cloudict.as_mut()?;
                let mut searched = lines.iter().map(|line| peer.search(line, CLOUDICT_DEPTH));
                searched.try_fold((0, Duration::ZERO), |(all, spent), searched| {
                    let (nodes, time) = searched?;
                    Some((all + nodes, spent + time))
                })
            }),
        ],
    );
}

/// Wins by double threats, in a table of positions that `OUTPLAY_VCDT` names, with a heading and these columns among others: the stones in
/// order, and how many turns of the attacker and nodes of another solver a win takes.
fn prove(cloudict: &mut Option<Cloudict>) {
    let Some(wins) = std::env::var("OUTPLAY_VCDT").ok().and_then(|path| std::fs::read_to_string(path).ok())
    else {
        println!("\nConnect6 wins by threats: OUTPLAY_VCDT names no file of positions");
        return;
    };
    let wins: Vec<KnownWin> = KnownWin::read(&wins).expect("a table of wins");
    let mut solver = Solver::new(Rules::CONNECT6).expect("the solver knows Connect6");
    let mut long: Vec<f64> = Vec::new();
    let mut slowest = Duration::ZERO;
    for win in &wins {
        let begun = ProcessTime::now();
        let nodes = win.nodes_of(&mut solver).expect("a win with proof");
        slowest = slowest.max(begun.elapsed());
        if win.turns >= 4 {
            long.push(nodes as f64 / win.nodes as f64);
        }
    }
    long.sort_by(f64::total_cmp);
    println!(
        "\nConnect6 wins by double threats: {} of {0} proved, the slowest in {slowest:.1?}; of the {} that take four turns and more, \
         the median has {:.2} times the nodes of the table",
        wins.len(),
        long.len(),
        long[long.len() / 2],
    );
    // Cloudict takes long over some of them, so each is solved once.
    let (mut ours, mut theirs, mut missed) = (Duration::ZERO, Duration::ZERO, 0);
    for win in &wins {
        let begun = ProcessTime::now();
        std::hint::black_box(win.nodes_of(&mut solver));
        ours += begun.elapsed();
        let Some((is_found, time)) = cloudict.as_mut().and_then(|cloudict| cloudict.look_for_win(&win.line))
        else {
            println!("  Cloudict's VCF: not installed");
            return;
        };
        theirs += time;
        missed += usize::from(!is_found);
    }
    println!(
        "  beside Cloudict's VCF: ours took {ours:.2?} with proofs, theirs {theirs:.2?} and missed {missed}: {:.1} times as long",
        theirs.as_secs_f64() / ours.as_secs_f64()
    );
}

/// A win by double threats that is known.
struct KnownWin {
    line: Line<Connect>,
    turns: usize,
    nodes: u64,
}

impl KnownWin {
    fn read(table: &str) -> Option<Vec<KnownWin>> {
        let mut rows = table.lines();
        let heading: Vec<&str> = rows.next()?.split(',').collect();
        let column = |name: &str| heading.iter().position(|heading| *heading == name);
        let [stones, turns, nodes] =
            [column("stones_in_order")?, column("min_attacker_turns")?, column("ref_nodes")?];
        let win = |row: &str| {
            let fields: Vec<&str> = row.split(',').collect();
            let mut line = Line::new(Connect::start(&Rules::CONNECT6));
            for stone in fields.get(stones)?.split(' ') {
                let m = line.position().parse_move(stone).ok()?;
                line.play(m);
            }
            Some(KnownWin {
                line,
                turns: fields.get(turns)?.parse().ok()?,
                nodes: fields.get(nodes)?.parse().ok()?,
            })
        };
        rows.map(win).collect()
    }

    /// The nodes that it takes to prove it.
    fn nodes_of(&self, solver: &mut Solver) -> Option<u64> {
        let solution = solver.solve(self.line.position(), Threats::Double, SolverLimits::default()).ok()?;
        matches!(solution.verdict, Verdict::Win(_)).then_some(solution.nodes)
    }
}
