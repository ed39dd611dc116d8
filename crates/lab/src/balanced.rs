//! Openings that our own search finds even.

use std::collections::HashSet;
use std::ops::ControlFlow;

use outplay_core::text::parse_cell;
use outplay_core::{Move, Player, Rng};
use outplay_engine::{Session, SessionError};
use outplay_search::{Limits, Meaning};

use crate::settled::settled_search;

/// What kind of openings is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Balance<'a> {
    /// How many.
    pub count: usize,
    /// The moves that all begin with.
    pub beginning: &'a str,
    /// How many turns each has, the beginning included. A turn is all that a player does in a row: of Connect6, one stone and then two.
    pub turns: usize,
    /// Moves are drawn from so many, those that the static evaluation likes best.
    pub breadth: usize,
    /// Where moves are cells of a board: only those so near to an earlier one are drawn, along a row, a column or a diagonal way; `None` for all.
    pub near: Option<usize>,
    /// The most that they may be worth for either player, in hundredths.
    pub margin: i32,
    /// Nodes for judging one.
    pub nodes: u64,
    /// Games that the search plays against itself from each: openings are kept of which either player makes a third of the points.
    pub games: usize,
    /// Nodes for a move of the first of these games. Each has a tenth more than the one before, so that they differ.
    pub game_nodes: u64,
    /// Where random numbers start.
    pub seed: u64,
}

/// An opening with what it is worth for the player to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalancedOpening {
    /// The moves from the start, as programs exchange them.
    pub moves: Vec<String>,
    /// Its value in hundredths.
    pub value: i32,
}

/// After so many draws without a position that is new, there are taken to be no more.
const MOST_IN_VAIN: usize = 2_000;

/// Draws openings until there are enough that are balanced, none an image of another, or until `progress`, which hears how many were found and
/// judged so far, breaks off. There are fewer if the game has no more.
///
/// An opening is drawn move by move among those that the static evaluation likes best, so that it could happen in a game, and then judged by a
/// search of the session's. What looks even need not be: games tell.
pub fn balanced_openings(
    session: &mut dyn Session,
    how: &Balance,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Vec<BalancedOpening>, SessionError> {
    let mut rng = Rng::new(how.seed);
    let mut drawn = HashSet::new();
    let mut found = Vec::new();
    let mut in_vain = 0;
    while found.len() < how.count && in_vain < MOST_IN_VAIN {
        in_vain += 1;
        draw(session, how, &mut rng)?;
        if session.outcome().is_some() || !drawn.insert(session.folded().key) {
            continue;
        }
        in_vain = 0;
        if let Some(value) = judged(session, how.nodes)?.filter(|value| value.abs() <= how.margin) {
            let moves: Vec<String> = session.played_plain().into_iter().map(|(_, text)| text).collect();
            if is_even_in_games(session, how)? {
                found.push(BalancedOpening { moves, value });
            }
        }
        if progress(found.len(), drawn.len()).is_break() {
            break;
        }
    }
    Ok(found)
}

/// Goes to the end of a random opening.
fn draw(session: &mut dyn Session, how: &Balance, rng: &mut Rng) -> Result<(), SessionError> {
    session.set_game(None, how.beginning)?;
    while session.outcome().is_none() && turns_made(session) < how.turns {
        let moves = best_at_sight(session, how)?;
        session.play(moves[rng.below(moves.len())])?;
    }
    Ok(())
}

/// How many turns have been made to the end.
fn turns_made(session: &dyn Session) -> usize {
    let movers = session.played_plain().into_iter().map(|(player, _)| player);
    let movers: Vec<Player> = movers.chain([session.to_move()]).collect();
    movers.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The moves after which the static evaluation is best for whoever makes them, so many of them, none too far off.
fn best_at_sight(session: &mut dyn Session, how: &Balance) -> Result<Vec<Move>, SessionError> {
    let mover = session.to_move();
    let mut moves = Vec::new();
    for m in near_moves(session, how.near) {
        session.play(m)?;
        let is_still_on_move = session.to_move() == mover;
        let for_mover = match session.evaluate()? {
            Some(value) if is_still_on_move => value,
            Some(value) => -value,
            // An opening is not to end the game.
            None => i32::MIN,
        };
        moves.push((for_mover, m));
        session.undo()?;
    }
    moves.sort_by_key(|&(value, m)| (std::cmp::Reverse(value), m));
    moves.truncate(how.breadth.max(1));
    Ok(moves.into_iter().map(|(_, m)| m).collect())
}

/// The legal moves, without those to cells that are farther than `near` from all that were played; all of them if none is so near.
fn near_moves(session: &dyn Session, near: Option<usize>) -> Vec<Move> {
    let mut moves = session.legal_moves();
    let Some(near) = near.filter(|_| session.cells().is_some()) else { return moves };
    let played: Vec<(usize, usize)> =
        session.played_plain().iter().filter_map(|(_, text)| parse_cell(text)).collect();
    let distance = |a: (usize, usize), b: (usize, usize)| a.0.abs_diff(b.0).max(a.1.abs_diff(b.1));
    let is_near = |m: &Move| {
        let cell = parse_cell(&session.plain_line_text(&[*m]).concat());
        cell.is_none_or(|cell| played.iter().any(|&other| distance(cell, other) <= near))
    };
    if moves.iter().any(is_near) {
        moves.retain(is_near);
    }
    moves
}

/// Whether either player makes a third of the points in games from the current position.
fn is_even_in_games(session: &mut dyn Session, how: &Balance) -> Result<bool, SessionError> {
    let opening = session.played_plain().len();
    // In halves of a point, of which each game has two.
    let needed = (2 * how.games).div_ceil(3);
    let mut points = [0; 2];
    for game in 0..how.games {
        let of_first = 1 + game_result(session, how.game_nodes + how.game_nodes * game as u64 / 10)?;
        for _ in opening..session.played_plain().len() {
            session.undo()?;
        }
        points = [points[0] + of_first as usize, points[1] + (2 - of_first) as usize];
        let to_come = 2 * (how.games - game - 1);
        if points.iter().any(|points| points + to_come < needed) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Plays a game to its end, or until the search is certain of it: 1 if the first player wins, −1 if the second does.
fn game_result(session: &mut dyn Session, nodes: u64) -> Result<i32, SessionError> {
    session.clear()?;
    loop {
        if let Some(outcome) = session.outcome() {
            return Ok(outcome.winner().map_or(0, sign));
        }
        session
            .go(Limits { nodes: Some(nodes), analysis: true, ..Limits::default() }, Box::new(|_, _| {}))?;
        let Some(line) = session.wait().and_then(|report| report.lines.into_iter().next()) else {
            return Ok(0);
        };
        match line.score {
            Meaning::WinIn(_) => return Ok(sign(session.to_move())),
            Meaning::LossIn(_) => return Ok(-sign(session.to_move())),
            Meaning::Margin(margin) => return Ok(margin.signum() * sign(session.to_move())),
            Meaning::Opinion(_) | Meaning::Expected(_) => {}
        }
        let Some(&m) = line.moves.first() else { return Ok(0) };
        session.play(m)?;
    }
}

fn sign(player: Player) -> i32 {
    if player == Player::First { 1 } else { -1 }
}

/// What a search says of the current position, in hundredths; `None` if it is decided.
fn judged(session: &mut dyn Session, nodes: u64) -> Result<Option<i32>, SessionError> {
    let report = settled_search(session, nodes, 1)?;
    let score = report.as_ref().and_then(|report| report.lines.first()).map(|line| line.score);
    Ok(match score {
        Some(score @ (Meaning::Opinion(_) | Meaning::Expected(_))) => Some(score.score().raw()),
        _ => None,
    })
}
