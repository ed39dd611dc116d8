//! The laws of [`Game`].

use std::collections::HashMap;

use super::{Effort, Violation, check_length, law, play_random, random_games};
use crate::{Game, Line, Move, MoveList, Outcome, Rng};

/// The moves of a position have an order, which tables and records may rely on.
pub(super) const ORDER: &str = "the order of moves depends on the position alone";

/// Generated moves are the legal ones, counted right and unique; keys tell positions apart; what can repeat says so;
/// games end.
pub fn check_rules<G: Game>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    let mut positions_by_key = HashMap::new();
    let mut plies_by_key = HashMap::new();
    let mut rng = Rng::new(effort.seed);
    random_games::<G>(rules, effort, |line| {
        check_moves(line, &mut rng)?;
        check_end(line)?;
        check_turn(line)?;
        check_pass(line)?;
        check_key(line, &mut positions_by_key)?;
        check_repetition(line, &mut plies_by_key)
    })?;
    check_playouts::<G>(rules, effort)
}

fn check_moves<G: Game>(line: &Line<G>, rng: &mut Rng) -> Result<(), Violation> {
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
    law(line, ORDER, listed.each().eq(moves.iter().copied()), || {
        format!("first {moves:?}, then {:?}", listed.each().collect::<Vec<_>>())
    })?;
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
    Ok(())
}

fn check_end<G: Game>(line: &Line<G>) -> Result<(), Violation> {
    let position = line.position();
    let (outcome, has_moves) = (position.outcome(), position.legal_count() > 0);
    law(line, "only a finished game has no moves", has_moves || outcome.is_some(), || {
        "no legal move and no outcome".to_string()
    })?;
    let margin = outcome.map_or(0, Outcome::margin);
    law(line, "no margin is above MAX_MARGIN", margin <= G::MAX_MARGIN, || format!("{outcome:?}"))?;
    let plays_on = position.can_play_on();
    law(line, "play can go on while there is no outcome", plays_on || outcome.is_some(), || {
        "can_play_on() is false".to_string()
    })?;
    law(line, "play cannot go on without moves", has_moves || !plays_on, || {
        "can_play_on() is true".to_string()
    })
}

fn check_turn<G: Game>(line: &Line<G>) -> Result<(), Violation> {
    let [.., before, position] = line.positions() else { return Ok(()) };
    let alternated = before.to_move() != position.to_move();
    law(line, "players alternate if ALTERNATES says so", alternated || !G::ALTERNATES, || {
        format!("{:?} moved twice", position.to_move())
    })
}

fn check_pass<G: Game>(line: &Line<G>) -> Result<(), Violation> {
    let position = line.position();
    let Some(passed) = position.passed().filter(|_| position.outcome().is_none()) else { return Ok(()) };
    law(line, "after a pass the other player moves", passed.to_move() != position.to_move(), || {
        format!("{:?} still moves in {passed:?}", passed.to_move())
    })
}

/// `plies_by_key` holds when each position of the line was last on the board.
fn check_repetition<G: Game>(
    line: &Line<G>,
    plies_by_key: &mut HashMap<u64, usize>,
) -> Result<(), Violation> {
    const SAYS_SO: &str = "a position that can repeat says so";
    let (position, ply) = (line.position(), line.moves().len());
    if ply == 0 {
        plies_by_key.clear();
    }
    law(line, SAYS_SO, G::REPEATS || position.reversible_plies() == 0, || {
        "reversible_plies() is not 0 though REPEATS is false".to_string()
    })?;
    let Some(earlier) = plies_by_key.insert(position.key(), ply) else { return Ok(()) };
    law(line, SAYS_SO, G::REPEATS, || {
        format!("the key of ply {earlier} came back at ply {ply} though REPEATS is false")
    })?;
    let reversible = position.reversible_plies();
    law(line, "what comes back lies within reversible_plies", ply - earlier <= reversible, || {
        format!("it is {reversible}, but the position stood on the board {} plies ago", ply - earlier)
    })
}

fn check_key<G: Game>(line: &Line<G>, positions_by_key: &mut HashMap<u64, G>) -> Result<(), Violation> {
    let position = line.position();
    let Some(other) = positions_by_key.insert(position.key(), position.clone()) else { return Ok(()) };
    let equal = other == *position;
    let same_order = other.legal_moves().each().eq(position.legal_moves().each());
    law(line, ORDER, same_order || !equal, || format!("{:?} too, but in another order", other))?;
    // Where positions repeat, equal keys may belong to positions that differ in their counters.
    let same = equal || G::REPEATS && other.to_move() == position.to_move() && same_order;
    law(line, "different positions have different keys", same, || {
        format!("{:#x} is also the key of {other:?}", position.key())
    })
}

/// Playouts know no history, so games must end without it. And however they are played, it is the same game by the same random numbers, from
/// wherever they begin.
fn check_playouts<G: Game>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    let mut rng = Rng::new(effort.seed);
    for _ in 0..effort.games {
        let mut line = Line::new(G::start(rules));
        let mut begun = Vec::new();
        while line.position().outcome().is_none() {
            check_length(&line, "games end even if nobody counts repetitions", effort)?;
            begun.push((line.position().clone(), rng.clone()));
            play_random(&mut line, &mut rng);
        }
        begun.push((line.position().clone(), rng.clone()));
        for (position, mut again) in begun {
            let (name, end) = (format!("{position:?}"), position.random_end(&mut again));
            let is_same =
                Some(end) == line.position().outcome() && again.next_u64() == rng.clone().next_u64();
            law(&line, "random_end makes the moves that the random numbers say", is_same, || {
                format!("from {name} it ends with {end:?}, or has taken other numbers")
            })?;
        }
    }
    Ok(())
}
