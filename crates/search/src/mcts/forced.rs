//! Forced playouts, and what is taken back of them (Wu 2019, the KataGo paper).
//!
//! So that noise on the policy of a root is worth something, each move there that has been tried at all gets n ≥ √(k · P · N) visits, N being those of all moves. A policy to
//! learn from should not show these: from every move but the most visited one, up to as many visits are taken back, as long as PUCT would still prefer the most
//! visited one; what is left with a single visit then is left with none.

/// How many visits a move with this prior is to have, if its position has so many and it has any.
pub(super) fn forced_visits(factor: f64, prior: f64, parent: u32) -> f64 {
    (factor * prior * f64::from(parent)).sqrt()
}

/// A move of a root whose visits may be taken back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    pub visits: u32,
    pub prior: f64,
    /// Its value for the player who chooses.
    pub q: f64,
}

/// The visits without those that were forced. `bonus` is what PUCT adds to the value of a move, by its visits and its prior.
pub(super) fn pruned(moves: &[Visited], factor: f64, bonus: impl Fn(u32, f64) -> f64) -> Vec<u32> {
    let parent: u32 = moves.iter().map(|one| one.visits).sum();
    let score = |one: &Visited, visits: u32| one.q + bonus(visits, one.prior);
    // Of equals the first, as moves are tried in the order of the policy.
    let best = moves.iter().enumerate().reduce(|a, b| if b.1.visits > a.1.visits { b } else { a });
    let Some((best, best_score)) = best.map(|(number, one)| (number, score(one, one.visits))) else {
        return Vec::new();
    };
    let prune = |(number, one): (usize, &Visited)| {
        if number == best {
            return one.visits;
        }
        let forced = forced_visits(factor, one.prior, parent) as u32;
        let least = one.visits.saturating_sub(forced);
        let mut visits = one.visits;
        while visits > least && score(one, visits - 1) < best_score {
            visits -= 1;
        }
        if visits < one.visits && visits <= 1 { 0 } else { visits }
    };
    moves.iter().enumerate().map(prune).collect()
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    #[test]
    fn what_was_forced_is_taken_back_as_far_as_puct_agrees() {
        let mut rng = Rng::new(3);
        for _ in 0..2_000 {
            let count = 1 + rng.below(8);
            let one = |rng: &mut Rng| Visited {
                visits: rng.below(40) as u32,
                prior: rng.unit() / 2.0,
                q: 2.0 * rng.unit() - 1.0,
            };
            let moves: Vec<Visited> = (0..count).map(|_| one(&mut rng)).collect();
            let parent: u32 = moves.iter().map(|one| one.visits).sum();
            let bonus =
                |visits: u32, prior: f64| 1.5 * prior * f64::from(parent).sqrt() / (1.0 + f64::from(visits));
            let found = pruned(&moves, 2.0, bonus);
            let most = moves.iter().map(|one| one.visits).max().expect("a move");
            let best = moves.iter().position(|one| one.visits == most).expect("one of them");
            let top = moves[best].q + bonus(most, moves[best].prior);
            for (number, (one, &left)) in moves.iter().zip(&found).enumerate() {
                if number == best {
                    assert_eq!(left, most);
                    continue;
                }
                // All numbers of visits that could be left: the least of which everything above is below the best, too.
                let forced = (2.0 * one.prior * f64::from(parent)).sqrt().floor() as u32;
                let may_be = |left: u32| {
                    one.visits - left <= forced
                        && (left..one.visits).all(|visits| one.q + bonus(visits, one.prior) < top)
                };
                let least = (0..=one.visits).find(|&left| may_be(left)).expect("all of them");
                let expected = if least < one.visits && least <= 1 { 0 } else { least };
                assert_eq!(left, expected, "{moves:?}");
            }
        }
    }

    #[test]
    fn a_move_that_puct_wants_keeps_its_visits() {
        let moves = [
            Visited { visits: 50, prior: 0.5, q: 0.1 },
            Visited { visits: 30, prior: 0.4, q: 0.5 },
            Visited { visits: 7, prior: 0.1, q: -0.9 },
        ];
        let bonus = |visits: u32, prior: f64| prior * 87f64.sqrt() / (1.0 + f64::from(visits));
        assert_eq!(pruned(&moves, 2.0, bonus), [50, 30, 3]);
        assert_eq!(pruned(&[], 2.0, bonus), Vec::<u32>::new());
    }
}
