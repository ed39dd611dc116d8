//! The moves at the root, ranked by what tables know: so that what is won is won, and what is drawn is not lost.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use outplay_core::{Game, Line, Move, MoveList, Outcome};
use outplay_search::{Certainty, Meaning, Score, Tier};

use super::endings::{Endings, MOST_REVERSIBLE};
use crate::Chess;
use crate::syzygy::{FiftyMoves, RankedMove, SyzygyWdl};

/// How good a move is for whoever makes it: the least is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Mates in so many plies.
    WinIn(u32),
    /// Wins. Where nothing presses, all such moves are equal (0) and the search may choose the shortest way; otherwise they are ranked by the
    /// plies to the next capture or pawn move, so that progress is made.
    Win(u16),
    /// Cannot lose, and wins if the fifty-move rule leaves time for it.
    PerhapsWin,
    /// Would win, but for the fifty-move rule.
    CursedWin,
    Draw,
    /// Would lose, but for that rule.
    BlessedLoss,
    /// Cannot win, and loses if the rule leaves time for it.
    PerhapsLoss,
    Loss,
    /// Is mated in so many plies: the later, the better.
    LossIn(Reverse<u32>),
}

impl Rank {
    /// What a move of this rank is worth to whoever makes it.
    fn certainty(self) -> Certainty {
        match self {
            Rank::WinIn(plies) => Certainty::win_in(plies),
            Rank::Win(_) => Certainty::WIN,
            Rank::PerhapsWin => Certainty::NOT_LOST,
            Rank::CursedWin | Rank::Draw | Rank::BlessedLoss => Certainty::DRAW,
            Rank::PerhapsLoss => Certainty::NOT_WON,
            Rank::Loss => Certainty::LOSS,
            Rank::LossIn(Reverse(plies)) => Certainty::loss_in(plies),
        }
    }
}

/// The legal moves, the best first, in groups of equals; `None` where the tables do not know all of them.
pub(super) fn tiers(endings: &Endings, line: &Line<Chess>) -> Option<Vec<Tier>> {
    if line.position().cozy().occupied().len() > endings.most_men() {
        return None;
    }
    let ranked = by_our_tables(endings, line).or_else(|| by_syzygy(endings, line))?;
    let mut tiers: BTreeMap<Rank, Vec<Move>> = BTreeMap::new();
    for (rank, m) in ranked {
        tiers.entry(rank).or_default().push(m);
    }
    Some(tiers.into_iter().map(|(rank, moves)| Tier { certainty: rank.certainty(), moves }).collect())
}

fn by_our_tables(endings: &Endings, line: &Line<Chess>) -> Option<Vec<(Rank, Move)>> {
    let rank = |m| {
        let after = endings.by_our_tables(&line.position().after(m))?;
        Some(match after.exact().map(Score::meaning::<Chess>) {
            _ if draws_at_once(line, m) => Rank::Draw,
            Some(Meaning::LossIn(plies)) => Rank::WinIn(plies + 1),
            Some(Meaning::WinIn(plies)) => Rank::LossIn(Reverse(plies + 1)),
            Some(_) => Rank::Draw,
            None if after == Certainty::NOT_WON => Rank::PerhapsWin,
            None => Rank::PerhapsLoss,
        })
    };
    line.position().legal_moves().each().map(|m| Some((rank(m)?, m))).collect()
}

fn by_syzygy(endings: &Endings, line: &Line<Chess>) -> Option<Vec<(Rank, Move)>> {
    let position = line.position();
    if position.cozy().occupied().len() > endings.most_men_of_syzygy() {
        return None;
    }
    let is_pressed = has_repeated(line);
    let rank = |ranked: &RankedMove| match (ranked.wdl, endings.fifty_moves()) {
        _ if draws_at_once(line, ranked.played) => Rank::Draw,
        (SyzygyWdl::Win, _) => {
            // The distance may be one ply too short.
            let is_in_time = position.reversible_plies() + usize::from(ranked.dtz) + 1 < MOST_REVERSIBLE;
            Rank::Win(if is_in_time && !is_pressed { 0 } else { ranked.dtz })
        }
        (SyzygyWdl::CursedWin, FiftyMoves::Ignore) => Rank::Win(ranked.dtz),
        (SyzygyWdl::CursedWin, FiftyMoves::Count) => Rank::CursedWin,
        (SyzygyWdl::Draw, _) => Rank::Draw,
        (SyzygyWdl::BlessedLoss, FiftyMoves::Count) => Rank::BlessedLoss,
        (SyzygyWdl::BlessedLoss, FiftyMoves::Ignore) | (SyzygyWdl::Loss, _) => Rank::Loss,
    };
    let moves = endings.syzygy.as_ref()?.ranked_moves(position)?;
    Some(moves.iter().map(|ranked| (rank(ranked), ranked.played)).collect())
}

/// Whether a move ends the game with a draw, by repetition too, of which tables know nothing.
fn draws_at_once(line: &Line<Chess>, m: Move) -> bool {
    let mut line = line.clone();
    line.play(m);
    line.outcome() == Some(Outcome::DRAW)
}

/// Whether a position has come twice since the last capture or pawn move: then somebody does not know how to go on.
fn has_repeated(line: &Line<Chess>) -> bool {
    let reach = line.position().reversible_plies().min(line.moves().len());
    let recent = &line.positions()[line.moves().len() - reach..];
    let mut keys: Vec<u64> = recent.iter().map(Game::key).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
