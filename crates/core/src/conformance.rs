//! The laws that every game must obey, checked over random games.
//!
//! [`check`] runs the whole suite; the parts can be called alone by a game that lacks a trait. A broken law
//! comes back as a [`Violation`] that names the law and the moves that lead to it.

use std::collections::HashMap;
use std::fmt;

use crate::{Game, Line, Move, MoveList, Notation, Record, Records, Reversible, Rng, Symmetric};

/// How many games to play, how long they may last, and from which seed.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Random games to play.
    pub games: usize,
    /// A game that lasts longer breaks the law that games end.
    pub most_plies: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 50, most_plies: 10_000, seed: 2026 }
    }
}

/// A law that a game breaks.
#[derive(Debug)]
pub struct Violation {
    law: &'static str,
    details: String,
    moves: Vec<Move>,
    position: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Violation { law, details, moves, position } = self;
        writeln!(f, "the game breaks this law: {law}")?;
        writeln!(f, "  {details}")?;
        writeln!(f, "  after {} moves from the start: {moves:?}", moves.len())?;
        write!(f, "  in {position}")
    }
}

impl std::error::Error for Violation {}

/// The whole suite.
pub fn check<G>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation>
where
    G: Reversible + Notation + Symmetric + Records,
{
    check_rules::<G>(rules, effort)?;
    check_reversible::<G>(rules, effort)?;
    check_notation::<G>(rules, effort)?;
    check_symmetry::<G>(rules, effort)?;
    check_records::<G>(rules, effort)
}

/// Generated moves are the legal ones, counted right and unique; keys tell positions apart; games end.
pub fn check_rules<G: Game>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    let mut positions_by_key: HashMap<u64, G> = HashMap::new();
    let mut rng = Rng::new(effort.seed);
    random_games::<G>(rules, effort, |line| {
        let position = line.position();
        let moves: Vec<Move> = position.legal_moves().each().collect();
        let mut sorted = moves.clone();
        sorted.sort_unstable();
        sorted.dedup();
        law(line, "a move is generated once", sorted.len() == moves.len(), || format!("{moves:?}"))?;
        law(line, "legal_count counts the legal moves", position.legal_count() == moves.len(), || {
            format!("{} counted, {} listed", position.legal_count(), moves.len())
        })?;
        let listed = position.legal_moves();
        law(
            line,
            "a move list is the same by order, by length and by index",
            listed.count() == moves.len() && (0..moves.len()).all(|i| listed.nth(i) == moves[i]),
            || format!("{moves:?}"),
        )?;
        // Every bit pattern now and then, a random handful at each position.
        let suspects: Vec<u16> = match line.moves().len() % 16 {
            0 => (0..Move::RESERVED_BITS).collect(),
            _ => (0..64).map(|_| rng.below(Move::RESERVED_BITS as usize) as u16).chain(0..64).collect(),
        };
        for m in suspects.into_iter().map(Move::new).chain(moves.iter().copied()) {
            law(line, "generated = legal", position.is_legal(m) == sorted.binary_search(&m).is_ok(), || {
                format!("is_legal({m:?}) is {}, generated: {moves:?}", position.is_legal(m))
            })?;
        }
        law(
            line,
            "only a finished game has no moves",
            !moves.is_empty() || position.outcome().is_some(),
            || "no legal move and no outcome".to_string(),
        )?;
        if let Some(outcome) = position.outcome() {
            law(line, "no margin is above MAX_MARGIN", outcome.margin() <= G::MAX_MARGIN, || {
                format!("{outcome:?}")
            })?;
        }
        if let [.., before, _] = line.positions() {
            let alternated = before.to_move() != position.to_move();
            law(line, "players alternate if ALTERNATES says so", alternated || !G::ALTERNATES, || {
                format!("{:?} moved twice", position.to_move())
            })?;
        }
        law(
            line,
            "a position that can repeat says so",
            G::REPEATS || position.reversible_plies() == 0,
            || "reversible_plies() is not 0 though REPEATS is false".to_string(),
        )?;
        if let Some(other) = positions_by_key.insert(position.key(), position.clone()) {
            let same = other.to_move() == position.to_move()
                && other.legal_moves().each().eq(position.legal_moves().each());
            law(line, "different positions have different keys", same, || {
                format!("{:#x} is also the key of {other:?}", position.key())
            })?;
        }
        Ok(())
    })
}

/// `make` does what `play` does, and `unmake` restores everything.
pub fn check_reversible<G: Reversible>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    random_games::<G>(rules, effort, |line| {
        let position = line.position();
        let mut scratch = position.clone();
        for m in position.legal_moves().each() {
            let undo = scratch.make(m);
            let played = position.after(m);
            law(line, "make = play", scratch == played && scratch.key() == played.key(), || {
                format!("{m:?} made {scratch:?}, played {played:?}")
            })?;
            scratch.unmake(m, undo);
            let restored = scratch == *position && scratch.key() == position.key();
            law(line, "unmake restores everything", restored, || format!("{m:?} left {scratch:?}"))?;
        }
        Ok(())
    })
}

/// Positions and moves survive being written and read, and a key recomputed from text is the key that was kept.
pub fn check_notation<G: Notation>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    random_games::<G>(rules, effort, |line| {
        let position = line.position();
        let text = position.position_text();
        let read = G::parse_position(rules, &text);
        let same = read.as_ref().is_ok_and(|read| read == position);
        law(line, "a position survives its text", same, || format!("{text:?} gave {read:?}"))?;
        let key = read.map_or(0, |read| read.key());
        law(line, "a key recomputed is the key kept", key == position.key(), || {
            format!("kept {:#x}, recomputed {key:#x}", position.key())
        })?;
        for m in position.legal_moves().each() {
            let text = position.move_text(m);
            let read = position.parse_move(&text);
            law(line, "a move survives its text", read == Ok(m), || {
                format!("{m:?} was written {text:?}, which gave {read:?}")
            })?;
        }
        Ok(())
    })
}

/// Symmetries keep the outcome and commute with play.
pub fn check_symmetry<G: Symmetric>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    random_games::<G>(rules, effort, |line| {
        let position = line.position();
        law(line, "symmetry 0 is the identity", position.transformed(0) == *position, || {
            format!("{:?}", position.transformed(0))
        })?;
        for index in 0..position.symmetries() {
            let turned = position.transformed(index);
            law(
                line,
                "a symmetry keeps outcome, mover and number of moves",
                {
                    turned.outcome() == position.outcome()
                        && turned.to_move() == position.to_move()
                        && turned.legal_count() == position.legal_count()
                },
                || format!("symmetry {index} gave {turned:?}"),
            )?;
            for m in position.legal_moves().each() {
                let turned_move = position.transformed_move(m, index);
                let legal = turned.is_legal(turned_move);
                law(line, "a symmetry keeps legality", legal, || format!("{m:?} → {turned_move:?}"))?;
                let played_then_turned = position.after(m).transformed(index);
                let turned_then_played = turned.after(turned_move);
                law(
                    line,
                    "symmetry commutes with play",
                    {
                        played_then_turned == turned_then_played
                            && played_then_turned.key() == turned_then_played.key()
                    },
                    || format!("symmetry {index}, {m:?}: {played_then_turned:?} and {turned_then_played:?}"),
                )?;
            }
        }
        Ok(())
    })
}

/// A record of a random game is read back as it was written.
pub fn check_records<G: Records>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    let mut rng = Rng::new(effort.seed);
    for _ in 0..effort.games {
        let mut line = Line::new(G::start(rules));
        let length = rng.below(200);
        while line.moves().len() < length && line.outcome().is_none() {
            play_random(&mut line, &mut rng);
        }
        let written = G::write_record(rules, &Record::of_line(&line));
        let read = G::read_records(rules, written.as_bytes());
        let same = matches!(read.as_deref(), Ok([record]) if {
            record.start == *line.start()
                && record.tree.main_line().eq(line.moves().iter().copied())
                && record.outcome == line.outcome()
        });
        law(&line, "a record survives its text", same, || format!("{written} gave {read:?}"))?;
    }
    Ok(())
}

/// Plays random games and shows `visit` every position, the last one included.
fn random_games<G: Game>(
    rules: &G::Rules,
    effort: &Effort,
    mut visit: impl FnMut(&Line<G>) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let mut rng = Rng::new(effort.seed);
    for _ in 0..effort.games {
        let mut line = Line::new(G::start(rules));
        visit(&line)?;
        while line.outcome().is_none() {
            law(&line, "games end", line.moves().len() < effort.most_plies, || {
                format!("no end after {} plies", effort.most_plies)
            })?;
            play_random(&mut line, &mut rng);
            visit(&line)?;
        }
    }
    Ok(())
}

fn play_random<G: Game>(line: &mut Line<G>, rng: &mut Rng) {
    let moves = line.position().legal_moves();
    line.play(moves.nth(rng.below(moves.count())));
}

fn law<G: Game>(
    line: &Line<G>,
    law: &'static str,
    holds: bool,
    details: impl FnOnce() -> String,
) -> Result<(), Violation> {
    if holds {
        return Ok(());
    }
    let (details, moves) = (details(), line.moves().to_vec());
    Err(Violation { law, details, moves, position: format!("{:?}", line.position()) })
}
