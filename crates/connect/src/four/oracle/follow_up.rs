//! What a player holds by always answering in the same column.
//!
//! Columns have an even number of cells here. Call the player to move the mover, and a column odd if an odd number of its cells is empty.
//!
//! **The first player is to move**, so the number of odd columns is even, and they can be put into pairs. The second player, the follower, answers
//! a stone in an even column by the stone above it, and a stone in an odd column, which makes that one even, by a stone in the other column
//! of its pair. There is always such an answer, and after it everything is as before. So the follower gets all the cells in even rows but
//! those at the bottom of an odd column's empty part, and the mover at most these and the cells in odd rows. If that is not enough for four
//! in a row, the mover cannot win; and if the follower's are, the follower wins.
//!
//! If the follower already needs just one cell of his for four in a row, he gets it as soon as the mover places a stone below it: then
//! the mover never gets a cell above, and must place that stone at last, when all other columns are full.
//!
//! **The second player is to move**, so one odd column is left over. The first player can follow there too if he needs just one cell in an odd
//! row of it: he wins before that column is full. In this column the mover gets cells in even rows, up to the one below.
//!
//! Victor Allis called the first of these claimeven, in "A Knowledge-based Approach of Connect-Four" (1988).

use super::bounds::score_of_win;
use super::search::Board;
use super::shape::Masks;
use crate::four::has_four;
use crate::four::tactics::completing;

/// The most that a position is worth to the player to move against an opponent who follows; `None` if nothing is known, or if only
/// less than `wanted` would help and that is out of reach.
#[inline(always)]
pub(super) fn most_against_follower(masks: &Masks, board: Board, wanted: i32) -> Option<i32> {
    if !masks.rules.rows().is_multiple_of(2) {
        return None;
    }
    let empty = masks.board & !board.all;
    let playable = masks.playable(board.all);
    let needed = completing(board.opponent(), masks.rules) & empty & !playable;
    match board.stones % 2 {
        0 => against_second_player(masks, board, [empty, playable, needed], wanted),
        _ => against_first_player(masks, board, [empty, playable, needed]),
    }
}

#[inline(always)]
fn against_second_player(
    masks: &Masks,
    board: Board,
    [empty, playable, needed]: [u64; 3],
    wanted: i32,
) -> Option<i32> {
    let needed = needed & masks.even_rows;
    if needed == 0 && wanted < -1 {
        return None;
    }
    let out_of_reach = above(masks, needed);
    if has_four(board.own | empty & masks.odd_rows & !out_of_reach | playable, masks.rules) {
        return None;
    }
    if needed != 0 {
        return Some(-score_at_last(masks, lowest(masks, needed)));
    }
    let follower = board.opponent() | empty & masks.even_rows & !playable;
    Some(if has_four(follower, masks.rules) { -1 } else { 0 })
}

#[inline(always)]
fn against_first_player(masks: &Masks, board: Board, [empty, playable, needed]: [u64; 3]) -> Option<i32> {
    let odd_columns = playable & masks.even_rows;
    let mut left_over = needed & above(masks, odd_columns);
    let mut most = None;
    while left_over != 0 {
        let cell = left_over & left_over.wrapping_neg();
        let column = masks.rules.column(cell.trailing_zeros() as usize / masks.rules.stride());
        left_over &= !column;
        let elsewhere = needed & masks.even_rows & !column;
        let out_of_reach = above(masks, elsewhere) | column;
        let below = empty & masks.even_rows & column & (cell - 1);
        if !has_four(board.own | empty & masks.odd_rows & !out_of_reach | playable | below, masks.rules) {
            let score = -score_at_last(masks, lowest(masks, elsewhere) | cell);
            most = Some(most.map_or(score, |most: i32| most.min(score)));
        }
    }
    most
}

/// The cells in odd rows above cells in even ones.
#[inline(always)]
fn above(masks: &Masks, cells: u64) -> u64 {
    let mut above = cells << 1 & masks.odd_rows;
    for _ in 2..masks.rules.rows() / 2 {
        above |= above << 2 & masks.odd_rows;
    }
    above
}

/// Of cells in even rows, the lowest of each column.
#[inline(always)]
fn lowest(masks: &Masks, cells: u64) -> u64 {
    cells & !(above(masks, cells) << 1)
}

/// The follower's score if the mover waits as long as possible until he places a stone below one of these cells, of which each is in a column of its own: until
/// nothing is empty but they, the cells above and those below.
#[inline(always)]
fn score_at_last(masks: &Masks, needed: u64) -> i32 {
    let mut empty_at_end = 2 * (needed.count_ones() as i32 - 1);
    for row in 0..masks.rules.rows() {
        let cells_above = (masks.rules.rows() - 1 - row) as i32;
        empty_at_end += cells_above * (needed & masks.bottom << row).count_ones() as i32;
    }
    score_of_win(masks.cells, masks.cells - empty_at_end)
}
