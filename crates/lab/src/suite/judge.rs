//! Whether moves and claims agree with what is known.

use outplay_core::{Known, KnownResult, Move};
use outplay_protocols::Claim;
use serde::Serialize;

/// What a player's claim about the result is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// It is certain and false.
    False,
    /// It is an opinion, or less than is known.
    Open,
    /// It is certain, right and complete.
    Proved,
}

/// Whether this is a right move; `None` if none was asked for.
pub(super) fn is_right_move(known: &Known, played: Option<Move>) -> Option<bool> {
    if known.best.is_empty() && known.avoid.is_empty() {
        return None;
    }
    let is_right = |m: Move| (known.best.is_empty() || known.best.contains(&m)) && !known.avoid.contains(&m);
    Some(played.is_some_and(is_right))
}

/// Judges a claim. `has_seen_all` means that the player says that nothing is left to search.
pub(super) fn certainty(claim: Option<Claim>, has_seen_all: bool, known: KnownResult) -> Certainty {
    let sign = match claim {
        Some(Claim::Centi(0)) if has_seen_all => 0,
        Some(Claim::Mate(moves)) => {
            if moves > 0 {
                1
            } else {
                -1
            }
        }
        Some(Claim::Margin(margin)) => margin.signum(),
        Some(Claim::Centi(_)) | None => return Certainty::Open,
    };
    if sign != i32::from(known.sign()) {
        return Certainty::False;
    }
    match (claim, known) {
        (Some(Claim::Mate(moves)), KnownResult::WinIn(known) | KnownResult::LossIn(known)) => {
            by_size(moves.unsigned_abs(), known)
        }
        // The winner is certain, the margin is not told.
        (Some(Claim::Mate(_)), KnownResult::Margin(_)) => Certainty::Open,
        (Some(Claim::Margin(margin)), KnownResult::Margin(known)) if !has_seen_all => {
            // Before everything is seen, such a claim means that the winner wins by at least this much.
            by_size(known.unsigned_abs().into(), margin.unsigned_abs())
        }
        (Some(Claim::Margin(margin)), KnownResult::Margin(known)) => {
            if margin == i32::from(known) {
                Certainty::Proved
            } else {
                Certainty::False
            }
        }
        (Some(Claim::Margin(_)), KnownResult::WinIn(_) | KnownResult::LossIn(_)) => Certainty::Open,
        _ => Certainty::Proved,
    }
}

/// A claim that `claimed` bounds `known` from above.
fn by_size(claimed: u32, known: u32) -> Certainty {
    match claimed.cmp(&known) {
        std::cmp::Ordering::Less => Certainty::False,
        std::cmp::Ordering::Equal => Certainty::Proved,
        std::cmp::Ordering::Greater => Certainty::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_proofs_opinions_or_false() {
        use Certainty::{False, Open, Proved};
        use KnownResult::{Draw, Loss, LossIn, Margin, Win, WinIn};
        for (claim, has_seen_all, known, expected) in [
            (Claim::Centi(900), false, Win, Open),
            (Claim::Centi(-900), false, Win, Open),
            (Claim::Centi(0), false, Draw, Open),
            (Claim::Centi(0), true, Draw, Proved),
            (Claim::Centi(0), true, Win, False),
            (Claim::Centi(0), true, Margin(0), Proved),
            (Claim::Centi(0), true, Margin(2), False),
            (Claim::Mate(5), false, Win, Proved),
            (Claim::Mate(5), false, Draw, False),
            (Claim::Mate(5), false, Loss, False),
            (Claim::Mate(-5), false, Loss, Proved),
            (Claim::Mate(0), false, Loss, Proved),
            (Claim::Mate(4), false, WinIn(4), Proved),
            (Claim::Mate(5), false, WinIn(4), Open),
            (Claim::Mate(3), false, WinIn(4), False),
            (Claim::Mate(-4), false, WinIn(4), False),
            (Claim::Mate(-2), false, LossIn(2), Proved),
            (Claim::Mate(-3), false, LossIn(2), Open),
            (Claim::Mate(-1), false, LossIn(2), False),
            (Claim::Mate(3), false, Margin(10), Open),
            (Claim::Mate(3), false, Margin(-10), False),
            (Claim::Margin(10), true, Margin(10), Proved),
            (Claim::Margin(8), true, Margin(10), False),
            (Claim::Margin(8), false, Margin(10), Open),
            (Claim::Margin(10), false, Margin(10), Proved),
            (Claim::Margin(12), false, Margin(10), False),
            (Claim::Margin(-8), false, Margin(-10), Open),
            (Claim::Margin(-12), false, Margin(-10), False),
            (Claim::Margin(-8), false, Margin(10), False),
            (Claim::Margin(2), true, Win, Proved),
            (Claim::Margin(2), true, Draw, False),
        ] {
            let found = certainty(Some(claim), has_seen_all, known);
            assert_eq!(found, expected, "{claim:?}, everything seen: {has_seen_all}, known: {known:?}");
        }
        assert_eq!(certainty(None, true, Draw), Open);
    }

    #[test]
    fn a_right_move_is_among_the_best_and_not_to_be_avoided() {
        let [a, b, c] = [1, 2, 3].map(Move::new);
        let known = |best: &[Move], avoid: &[Move]| Known {
            best: best.to_vec(),
            avoid: avoid.to_vec(),
            result: None,
        };
        assert_eq!(is_right_move(&known(&[], &[]), Some(a)), None);
        assert_eq!(is_right_move(&known(&[a, b], &[]), Some(b)), Some(true));
        assert_eq!(is_right_move(&known(&[a, b], &[]), Some(c)), Some(false));
        assert_eq!(is_right_move(&known(&[], &[a]), Some(c)), Some(true));
        assert_eq!(is_right_move(&known(&[], &[a]), Some(a)), Some(false));
        assert_eq!(is_right_move(&known(&[], &[a]), None), Some(false));
    }
}
