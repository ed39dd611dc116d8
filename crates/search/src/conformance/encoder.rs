//! The laws of encoders: what is written, and what is told apart by it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use outplay_core::conformance::{Effort, Violation};
use outplay_core::{Game, Line, MoveList, Rng};

use crate::mcts::LeafEncoder;

/// An encoder writes as many words as its planes have, the same each time, with no bit beyond the board; legal moves have places of their own in the
/// policy; and the words tell as much as `shown` does, neither less nor more.
///
/// `shown` is what the encoder claims to show of a position and its past, in a form that is equal where that is equal: for an encoder that shows
/// everything, the stones, the mover and whatever else a position has. It has to look at the position for itself, not at what was encoded.
///
/// The positions are those of random games and all that a move leads to from there: neighbours are what a poor encoder mixes up.
pub fn check_encoder<G: Game, S: Hash>(
    rules: &G::Rules,
    encoder: &dyn LeafEncoder<G>,
    shown: impl Fn(&G, &[G]) -> S,
    effort: &Effort,
) -> Result<(), Violation> {
    let mut seen = Seen { shown: HashMap::new(), words: HashMap::new() };
    visit_lines(rules, effort, |line| {
        check_form(encoder, line)?;
        let (position, past) = (line.position(), past(encoder, line));
        seen.check(line, hash(&encoded(encoder, position, &past)), hash(&shown(position, &past)))
    })
}

/// Shows `visit` every position of random games, and all that a move leads to from them.
pub(super) fn visit_lines<G: Game>(
    rules: &G::Rules,
    effort: &Effort,
    mut visit: impl FnMut(&Line<G>) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let mut rng = Rng::new(effort.seed);
    for _ in 0..effort.games {
        let mut line = Line::new(G::start(rules));
        visit(&line)?;
        while line.outcome().is_none() && line.moves().len() < effort.most_plies {
            let moves = line.position().legal_moves();
            for m in moves.each() {
                line.play(m);
                visit(&line)?;
                line.undo();
            }
            line.play(moves.nth(rng.below(moves.count())));
        }
    }
    Ok(())
}

/// As much of the past as an encoder asks for, the latest first.
pub(super) fn past<G: Game>(encoder: &dyn LeafEncoder<G>, line: &Line<G>) -> Vec<G> {
    line.positions().iter().rev().skip(1).take(encoder.past_positions()).cloned().collect()
}

pub(super) fn encoded<G: Game>(encoder: &dyn LeafEncoder<G>, position: &G, past: &[G]) -> Vec<u64> {
    let mut words = Vec::new();
    encoder.encode(position, past, &mut words);
    words
}

fn check_form<G: Game>(encoder: &dyn LeafEncoder<G>, line: &Line<G>) -> Result<(), Violation> {
    let law = |law, holds: bool, details: &dyn Fn() -> String| match holds {
        true => Ok(()),
        false => Err(Violation::new(law, details(), line)),
    };
    let (planes, position, past) = (encoder.planes(), line.position(), past(encoder, line));
    let words = encoded(encoder, position, &past);
    law("an encoder writes as many words as its planes have", words.len() == planes.words(), &|| {
        format!("{} words, expected {}: {planes:?}", words.len(), planes.words())
    })?;
    // Appending keeps what is there, and writes the same again.
    let mut twice = words.clone();
    encoder.encode(position, &past, &mut twice);
    let appends =
        twice.len() == 2 * words.len() && twice.chunks(words.len().max(1)).all(|part| part == words);
    law("an encoder appends the same words each time", appends, &|| format!("{words:?}, then {twice:?}"))?;
    let (bits, constants) = words.split_at(planes.bits * planes.words_of_plane());
    let beyond = match planes.cells() % 64 {
        0 => 0,
        rest => u64::MAX << rest,
    };
    let is_within = |plane: &[u64]| plane.last().is_none_or(|last| last & beyond == 0);
    let number = |plane| format!("plane {plane:?}");
    let outside = bits.chunks(planes.words_of_plane().max(1)).position(|plane| !is_within(plane));
    law("a plane has no bits beyond the board", outside.is_none(), &|| number(outside))?;
    let is_number = |word: u64| u32::try_from(word).is_ok_and(|bits| f32::from_bits(bits).is_finite());
    let odd = constants.iter().position(|&word| !is_number(word)).map(|place| place + planes.bits);
    law("a constant plane is a number", odd.is_none(), &|| number(odd))?;
    if line.outcome().is_some() {
        return Ok(());
    }
    let mut places: Vec<u16> =
        position.legal_moves().each().map(|m| encoder.policy_index(position, m)).collect();
    places.sort_unstable();
    let size = encoder.policy_size();
    let is_below = places.last().is_none_or(|&last| usize::from(last) < size);
    law("a move's place is within the policy", is_below, &|| format!("{places:?}, expected below {size}"))?;
    let twins = places.windows(2).find(|pair| pair[0] == pair[1]);
    law("each legal move has a place of its own in the policy", twins.is_none(), &|| {
        format!("{twins:?} is the place of two moves")
    })
}

/// What was seen so far: hashes of what an encoder claims to show and of the words that it writes, both ways, each with the position that had it first.
struct Seen<G> {
    shown: HashMap<u64, (u64, G)>,
    words: HashMap<u64, (u64, G)>,
}

impl<G: Game> Seen<G> {
    fn check(&mut self, line: &Line<G>, words: u64, shown: u64) -> Result<(), Violation> {
        let position = line.position();
        let (first, other) = self.shown.entry(words).or_insert_with(|| (shown, position.clone()));
        if *first != shown {
            let details = format!("it writes the same for this one and for {other:?}");
            return Err(Violation::new("an encoder tells apart what it claims to show", details, line));
        }
        let (first, other) = self.words.entry(shown).or_insert_with(|| (words, position.clone()));
        if *first != words {
            let details = format!("it writes other words for this one and for {other:?}");
            return Err(Violation::new("an encoder shows what it claims to show and no more", details, line));
        }
        Ok(())
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
