//! Alpha-beta with windows without room: each search answers whether a position is worth more than a number.

use outplay_core::Game;

use super::bounds::{Bounds, score_of_win};
use super::follow_up::most_against_follower;
use super::shape::{Candidate, Masks, Shape};
use super::table::Table;
use super::{Limits, Progress};
use crate::four::ConnectFour;
use crate::four::tactics::completing;

/// Up to so many stones, mirror images share an entry of the table; later hardly any position is reached both ways.
const MIRRORED_UP_TO: u32 = 16;
/// After so many positions the limits are asked.
const NODES_BETWEEN_LOOKS: u64 = 1 << 20;

/// A position as the search has it: the stones of the player to move, those of both, and how many these are.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub own: u64,
    pub all: u64,
    pub stones: u32,
}

impl Board {
    pub fn of(position: &ConnectFour) -> Board {
        let all = position.occupied();
        Board { own: position.stones[position.to_move().index()], all, stones: all.count_ones() }
    }

    #[inline(always)]
    pub fn opponent(self) -> u64 {
        self.all ^ self.own
    }

    #[inline(always)]
    fn after(self, cell: u64) -> Board {
        Board { own: self.opponent(), all: self.all | cell, stones: self.stones + 1 }
    }

    /// A number that no two positions share, but mirror images in the opening (see [`ConnectFour::key`](outplay_core::Game::key)).
    #[inline(always)]
    fn code(self, masks: &Masks) -> u64 {
        let code = self.own + self.all;
        if self.stones > MIRRORED_UP_TO { code } else { code.min(masks.mirrored(code)) }
    }
}

/// The limits came first.
struct Stopped;

/// The search of one position.
pub(super) struct Search<'a, 'b, S> {
    shape: S,
    table: &'a mut Table,
    limits: &'a mut Limits<'b>,
    nodes: u64,
    /// When to look at the limits next.
    next_look: u64,
    bounds: Bounds,
}

impl<'a, 'b, S: Shape> Search<'a, 'b, S> {
    /// A search of a position of which so much is known, after so many nodes for the same question.
    pub fn new(
        shape: S,
        table: &'a mut Table,
        limits: &'a mut Limits<'b>,
        nodes: u64,
        bounds: Bounds,
    ) -> Search<'a, 'b, S> {
        let mut search = Search { shape, table, limits, nodes, next_look: 0, bounds };
        search.plan_look();
        search
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What is known by now.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Narrows the bounds until they meet, or the limits say stop.
    pub fn narrow(&mut self, board: Board) {
        while self.bounds.least() < self.bounds.most() {
            let (least, most) = (self.bounds.least(), self.bounds.most());
            // The middle, but rather far from a draw: that quick wins are impossible is soon found out, and fills the table.
            let middle = (least + most).div_euclid(2);
            let middle = match least / 2 < middle && middle <= 0 {
                true => least / 2,
                false if middle >= 0 => middle.max(most / 2),
                false => middle,
            };
            if self.ask(board, middle).is_err() {
                break;
            }
        }
    }

    /// Finds out whether the position is worth more than a score.
    pub fn compare(&mut self, board: Board, score: i32) {
        if self.bounds.least() <= score && score < self.bounds.most() {
            // Stopped, the bounds say that it is not known.
            drop(self.ask(board, score));
        }
    }

    fn ask(&mut self, board: Board, score: i32) -> Result<(), Stopped> {
        let masks = self.shape.masks();
        let wins_at_once = completing(board.own, masks.rules) & masks.playable(board.all) != 0;
        if wins_at_once {
            self.bounds.raise(self.bounds.most());
            return Ok(());
        }
        let answer = self.search(board, score)?;
        if answer > score {
            self.bounds.raise(answer)
        } else {
            self.bounds.lower(answer)
        }
        Ok(())
    }

    /// A bound for the score of a position in which the next stone does not win: if it is above `alpha` the score is at least that, otherwise at most.
    fn search(&mut self, board: Board, alpha: i32) -> Result<i32, Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        let entered = self.nodes;

        // Stones that do not lose at once.
        let masks = self.shape.masks();
        let playable = masks.playable(board.all);
        let losing = completing(board.opponent(), masks.rules) & masks.board & !board.all;
        let forced = playable & losing;
        let mut safe = playable & !(losing >> 1);
        if forced != 0 {
            safe &= if forced & (forced - 1) == 0 { forced } else { 0 };
        }
        let win_after = |plies: i32| score_of_win(masks.cells, board.stones as i32 + plies);
        if safe == 0 {
            return Ok(-win_after(2));
        }
        if masks.cells - board.stones as i32 <= 2 {
            return Ok(0);
        }

        // Nobody wins sooner than that.
        let (mut least, mut most) = (-win_after(4), win_after(3));
        if least > alpha {
            return Ok(least);
        }
        if most <= alpha {
            return Ok(most);
        }

        // A forced stone needs no entry of the table.
        if safe & (safe - 1) == 0 {
            let next = board.after(safe);
            return match held_by_following(masks, next, alpha) {
                Some(held) => Ok(held),
                None => Ok(-self.search(next, -alpha - 1)?),
            };
        }

        // Transposition table.
        let code = board.code(masks);
        if let Some((known_least, known_most)) = self.table.get(code) {
            if known_least > alpha {
                return Ok(known_least);
            }
            if known_most <= alpha {
                return Ok(known_most);
            }
            least = least.max(known_least);
            most = most.min(known_most);
        }

        // Order: what makes most threats first, then what is nearest to the middle.
        let mut moves = S::Moves::default();
        let moves = moves.as_mut();
        let mut count = 0;
        for &column in masks.columns() {
            let cell = safe & masks.rules.column(usize::from(column));
            if cell == 0 {
                continue;
            }
            let winning = completing(board.own | cell, masks.rules) & masks.board & !board.all & !cell;
            let threats = winning.count_ones();
            let mut place = count;
            while place > 0 && moves[place - 1].threats < threats {
                moves[place] = moves[place - 1];
                place -= 1;
            }
            moves[place] = Candidate { cell, threats };
            count += 1;
        }
        let moves = &moves[..count];

        // A stone after which the game is held, or won, by following.
        for m in moves {
            if let Some(held) = held_by_following(masks, board.after(m.cell), alpha) {
                return Ok(held);
            }
        }

        // Enhanced transposition cutoff.
        for m in moves {
            let known = self.table.get(board.after(m.cell).code(masks));
            if let Some((_, next_most)) = known
                && -next_most > alpha
            {
                return Ok(-next_most);
            }
        }

        let mut best = i32::MIN;
        for m in moves {
            best = best.max(-self.search(board.after(m.cell), -alpha - 1)?);
            if best > alpha {
                break;
            }
        }
        if best > alpha {
            least = best
        } else {
            most = most.min(best)
        }
        self.table.put(code, (least, most), self.nodes - entered);
        Ok(best)
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(Stopped);
        }
        let progress = Progress { nodes: self.nodes, bounds: self.bounds };
        if let Some(watch) = &mut self.limits.watch
            && watch(progress).is_break()
        {
            return Err(Stopped);
        }
        self.plan_look();
        Ok(())
    }

    fn plan_look(&mut self) {
        let next = self.nodes + NODES_BETWEEN_LOOKS;
        self.next_look = self.limits.nodes.map_or(next, |most| next.min(most));
    }
}

/// What a player has for certain who follows after this position, with the opponent to move, if it is more than `alpha`.
#[inline(always)]
fn held_by_following(masks: &Masks, next: Board, alpha: i32) -> Option<i32> {
    most_against_follower(masks, next, -alpha - 1).map(|most| -most).filter(|&held| held > alpha)
}
