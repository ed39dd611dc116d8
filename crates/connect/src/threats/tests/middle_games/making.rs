//! How the suite of middle games was found: among positions of games that our own search played against itself.

use std::sync::Arc;

use outplay_core::{Game, Known, KnownResult, Line, Move, Notation, Player, Problem};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Limits, Search};
use outplay_testing::suites::place_for;

use super::judge::{Judge, stones_of};
use super::{Kind, WANTED};
use crate::position::Connect;
use crate::rules::Rules;
use crate::sight::ThreatSight;
use crate::threats::{Stones, Verdict};

const OPENINGS: &str = include_str!("../../../../../../suites/connect6/openings.txt");
/// Openings are played again with other nodes, until so many games were played.
const MOST_GAMES: usize = 400;
/// So few nodes a stone that players overlook something; different for each, so that no two games are alike.
const NODES: [u64; 4] = [200, 350, 500, 800];
/// Where middle games begin and end, in stones.
const STONES: std::ops::RangeInclusive<usize> = 11..=70;
/// A win takes so many turns at least, the one that completes the row among them.
const LEAST_TURNS: usize = 5;
/// The other player's win that has to be prevented.
const LEAST_TURNS_TO_PREVENT: usize = 3;
/// So many first stones at most may win, and so many hold.
const MOST_WINNING: usize = 4;
const MOST_HOLDING: usize = 12;

const HEADER: &str = "\
# 30 middle games of connect6, each from another game of our own search against itself with 200 to 800 nodes a stone, begun with openings of
# suites/connect6/openings.txt; moves has the game so far. Verified by the solver of wins by double threats (outplay solve connect6), which tried
# everything: what it could not decide is not here.
# attack N: the player to move wins by double threats alone. bm has all first stones after which that is still so; after all others there is no
# such win (another win is not ruled out).
# defence N: the other player would win by double threats if the player to move passed. bm has the stones of all turns after which there is no
# such win; after every other turn, whatever its two stones, there is one. Whether a turn of bm holds for good nobody knows.
# failing attack N: an attack, but the double threat that promises most, am, leads to no such win.
# losing attack N: a defence, but the double threat that promises most, am, loses by force, as does every turn with one of its stones.
# Made and verified by crates/connect/src/threats/tests/middle_games
";

/// A position that is worth keeping.
struct Find {
    kind: Kind,
    known: Known,
    note: String,
}

#[test]
#[ignore = "making the suite anew takes a quarter of an hour"]
fn making_the_middle_games() {
    let Some(place) = place_for("middle-games.txt") else { return };
    let mut judge = Judge::new();
    let mut wanted = WANTED;
    let mut found: Vec<(Kind, String)> = Vec::new();
    let openings = OPENINGS.lines().filter(|line| !line.starts_with('#'));
    for (game, opening) in openings.cycle().enumerate().take(MOST_GAMES) {
        if wanted.iter().all(|(_, more)| *more == 0) {
            break;
        }
        let nodes = [NODES[game % 4], NODES[(game / 4 + 1) % 4]];
        let line = play(opening, nodes);
        let is_wanted = |kind| !wanted.contains(&(kind, 0));
        let finds = line
            .positions()
            .iter()
            .enumerate()
            .filter_map(|(stones, position)| Some((stones, look_at(&mut judge, position, is_wanted)?)));
        // One of a game, the rarest: the last kinds are seldom met.
        let Some((stones, Find { kind, known, note })) = finds.max_by_key(|(_, find)| find.kind) else {
            continue;
        };
        let more = wanted.iter_mut().find(|(other, _)| *other == kind);
        more.expect("every kind is wanted").1 -= 1;
        let number = 1 + found.iter().filter(|(other, _)| *other == kind).count();
        let problem = Problem {
            id: Some(format!("{} {number}", kind.name())),
            moves: line.moves()[..stones].to_vec(),
            known,
            ..Problem::new(line.start().clone())
        };
        let note =
            format!("game {}, Black {} and White {} nodes a stone; {note}", game + 1, nodes[0], nodes[1]);
        found.push((kind, format!("{} c0 \"{note}\";\n", problem.text(&Rules::CONNECT6))));
    }
    found.sort_by_key(|(kind, _)| *kind);
    let suite = HEADER.to_string() + &found.into_iter().map(|(_, line)| line).collect::<String>();
    std::fs::write(place, suite).expect("a file that can be written");
}

/// A game of the search against itself, with so many nodes a stone for each player.
fn play(opening: &str, nodes: [u64; 2]) -> Line<Connect> {
    let mut line = Line::new(Connect::start(&Rules::CONNECT6));
    for text in opening.split_whitespace() {
        let m = line.position().parse_move(text).expect("a legal opening");
        line.play(m);
    }
    let mut searches = Player::BOTH.map(|_| AlphaBeta::new(ThreatSight::new(Rules::CONNECT6)));
    let (signals, stop) = (Arc::new(Signals::default()), StopOptions::default());
    while line.outcome().is_none() {
        let mover = line.position().to_move();
        let limits = Limits { nodes: Some(nodes[mover.index()]), ..Limits::default() };
        let mut nobody = |_| ();
        let mut control = Control::new(mover, &limits, &stop, &signals, &mut nobody);
        let report = searches[mover.index()].search(&line, &mut control);
        line.play(report.best_move().expect("a move"));
    }
    line
}

/// What there is to find in a position, if it is worth keeping.
fn look_at(judge: &mut Judge, position: &Connect, is_wanted: impl Fn(Kind) -> bool) -> Option<Find> {
    let may_be = STONES.contains(&position.stone_count())
        && position.turn().stones_left == 2
        && position.outcome().is_none();
    let wants_any = |kinds: [Kind; 2]| kinds.into_iter().any(&is_wanted);
    let find = match judge.verdict(Some(position).filter(|_| may_be)?) {
        Verdict::Win(proof) if wants_any([Kind::Attack, Kind::FailingAttack]) => {
            attack(judge, position, proof.turns())
        }
        Verdict::None if wants_any([Kind::Defence, Kind::LosingAttack]) && !judge.is_threatened(position) => {
            defence(judge, position)
        }
        _ => None,
    };
    find.filter(|find| is_wanted(find.kind))
}

fn attack(judge: &mut Judge, position: &Connect, turns: usize) -> Option<Find> {
    if turns < LEAST_TURNS {
        return None;
    }
    let best = judge.winning_stones(position).filter(|best| best.len() <= MOST_WINNING)?;
    let avoid = failing(judge, position, &best);
    let kind = if avoid.is_empty() { Kind::Attack } else { Kind::FailingAttack };
    let wins = format!("wins in {turns} turns");
    let note = match kind {
        Kind::Attack => wins,
        _ => format!("{wins}; the double threat that promises most wins nothing"),
    };
    Some(Find { kind, known: Known { best, avoid, result: Some(KnownResult::Win) }, note })
}

fn defence(judge: &mut Judge, position: &Connect) -> Option<Find> {
    let Verdict::Win(proof) = judge.verdict_if_passed(position) else { return None };
    if proof.turns() < LEAST_TURNS_TO_PREVENT {
        return None;
    }
    let turns = judge.holding_turns(position)?;
    let best = stones_of(&turns);
    if best.is_empty() || best.len() > MOST_HOLDING {
        return None;
    }
    let avoid = failing(judge, position, &best);
    let kind = if avoid.is_empty() { Kind::Defence } else { Kind::LosingAttack };
    let holding: Vec<String> = turns.iter().map(|&turn| turn_text(position, turn)).collect();
    let holds = format!(
        "the other player threatens to win in {} turns; holding turns: {}",
        proof.turns(),
        holding.join(" ")
    );
    let note = match kind {
        Kind::Defence => holds,
        _ => format!("{holds}; the double threat that promises most loses by force"),
    };
    Some(Find { kind, known: Known { best, avoid, result: None }, note })
}

/// The stones of the double threat that promises most, if none of them is right.
fn failing(judge: &Judge, position: &Connect, best: &[Move]) -> Vec<Move> {
    let stones = judge.tempting_turn(position).map(|turn| stones_of(&[turn])).unwrap_or_default();
    if stones.iter().any(|stone| best.contains(stone)) { Vec::new() } else { stones }
}

fn turn_text(position: &Connect, turn: Stones) -> String {
    turn.moves().map(|m| position.move_text(m)).collect::<Vec<_>>().join("+")
}
