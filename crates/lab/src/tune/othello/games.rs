//! Games of Othello to learn from: every position with the margin at which its game arrives.

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Game, Move, MoveList, Notation, Player, Rng, mix};
use outplay_engine::{Session, SessionError};
use outplay_othello::Othello;
use outplay_othello::endgame::{self, Solver};

use super::super::generate::{Generation, Made, ask, share};

/// From so few empty squares on, positions are solved, each by itself.
pub const SOLVED: u32 = 14;
/// Among them, one move of so many is random: positions that no good game comes to have exact labels too.
const STRAYS: usize = 4;
/// The fewest random moves at the beginning.
const LEAST_RANDOM: usize = 5;
/// How much what the search says of a position counts beside what came of it. Each of the moves that follow may have been a mistake, so that the
/// margin where a game was solved says the less of a position the longer ago it stood there.
const BELIEF: f64 = 0.07;

/// No margin is larger, in hundredths.
const MOST: i32 = 6_400;

/// A position whose score is not known yet, and what the search says of it; both for the first player.
struct Waiting {
    text: String,
    opinion: i32,
}

/// A game from a random beginning of up to so many moves as asked for. The search plays to the last [`SOLVED`] empty squares, and from the exact
/// margin there on, backwards, the score of each position is that of the next one with a little of what the search said.
pub fn play_othello(
    how: &Generation,
    session: &mut dyn Session,
    game: u32,
    interrupted: &AtomicBool,
) -> Result<Option<Made>, SessionError> {
    let mut rng = Rng::new(mix(how.seed ^ mix(game.into())));
    let mut solver = Solver::new(1, 0);
    session.clear()?;
    let mut position = begin(how, session, &mut rng)?;
    let mut made = Made { positions: Vec::new(), result: 0.5 };
    let mut waiting = Vec::new();
    while position.outcome().is_none() {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let is_solved = position.empty().count_ones() <= SOLVED;
        if is_solved {
            let margin = solver.value(&position, &mut endgame::Limits::default()).exact().unwrap_or(0);
            let margin = 100 * i32::from(if position.to_move() == Player::First { margin } else { -margin });
            let known = (!position.must_pass()).then(|| (position.position_text(), margin));
            made.positions.extend(scored(std::mem::take(&mut waiting), margin).into_iter().chain(known));
        }
        let m = match is_solved && rng.below(STRAYS) == 0 {
            true => random_move(&position, &mut rng),
            false => match ask(session, how.nodes)? {
                Some((best, opinion)) => {
                    if !is_solved && !position.must_pass() {
                        waiting.push(Waiting { text: position.position_text(), opinion });
                    }
                    best
                }
                None => break,
            },
        };
        session.play(m)?;
        position.play(m);
    }
    if let Some(outcome) = position.outcome() {
        let margin = 100 * i32::from(outcome.for_player(Player::First));
        made.positions.extend(scored(waiting, margin));
        made.result = share(outcome);
    }
    Ok(Some(made))
}

/// The scores of positions that followed one another to one with this margin.
fn scored(waiting: Vec<Waiting>, margin: i32) -> Vec<(String, i32)> {
    let mut score = f64::from(margin);
    let back = waiting.into_iter().rev().map(|Waiting { text, opinion }| {
        let opinion = f64::from(opinion.clamp(-MOST, MOST));
        score = score * (1.0 - BELIEF) + opinion * BELIEF;
        (text, score.round() as i32)
    });
    let mut positions: Vec<(String, i32)> = back.collect();
    positions.reverse();
    positions
}

/// Goes to the beginning of a game, which is not over.
fn begin(how: &Generation, session: &mut dyn Session, rng: &mut Rng) -> Result<Othello, SessionError> {
    loop {
        let mut position = Othello::start(&());
        session.set_game(None, "")?;
        for _ in 0..LEAST_RANDOM.max(rng.below(how.random_plies + 1)) {
            if position.outcome().is_none() {
                let m = random_move(&position, rng);
                session.play(m)?;
                position.play(m);
            }
        }
        if position.outcome().is_none() {
            return Ok(position);
        }
    }
}

fn random_move(position: &Othello, rng: &mut Rng) -> Move {
    let moves = position.legal_moves();
    moves.nth(rng.below(moves.count()))
}
