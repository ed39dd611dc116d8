//! Which of several known moves to play.

use outplay_core::{Move, Rng};

use crate::{Book, BookMove};

/// The moves of a page that may be played, each with its weight.
///
/// Where a search has judged moves, those within `margin` hundredths of the best are as good as it, and weigh the same; a win is never given
/// up for something else. Where none was judged, a move weighs as many half points as it made in games.
///
/// A `profile` is a book of games that a certain opponent has played, by whoever played against him. With one, a weight is multiplied by the
/// odds that games with the move went well: (our points + 1) / (his points + 1). A move of which the profile knows nothing stays as it is.
pub fn near_equal(page: &[BookMove], margin: i32, profile: &[BookMove]) -> Vec<(Move, f64)> {
    let best = page.iter().filter_map(|known| known.judgement).map(|judgement| judgement.score()).max();
    let weight = |known: &BookMove| match (best, known.judgement) {
        (Some(best), Some(judgement)) => {
            let score = judgement.score();
            let is_near = score >= best - margin && score.is_win() == best.is_win();
            f64::from(u8::from(is_near))
        }
        (Some(_), None) => 0.0,
        (None, _) => known.results.half_points() as f64,
    };
    let odds = |played: Move| {
        let against = profile.iter().find(|known| known.played == played);
        against.map_or(1.0, |known| {
            let (games, ours) = (known.results.games() as f64, known.results.half_points() as f64 / 2.0);
            (ours + 1.0) / (games - ours + 1.0)
        })
    };
    let weighed = page.iter().map(|known| (known.played, weight(known)));
    weighed.filter(|(_, weight)| *weight > 0.0).map(|(m, weight)| (m, weight * odds(m))).collect()
}

/// One of them by chance, as often as the weights say; `None` if there is none.
pub fn pick(moves: &[(Move, f64)], rng: &mut Rng) -> Option<Move> {
    let mut ticket = rng.unit() * moves.iter().map(|(_, weight)| weight).sum::<f64>();
    let drawn = moves.iter().find(|(_, weight)| {
        ticket -= weight;
        ticket < 0.0
    });
    // Sums of fractions may end a little short.
    drawn.or(moves.last()).map(|(m, _)| *m)
}

impl Book {
    /// Chooses between the near-equal moves of a page.
    pub(crate) fn choose(
        &self,
        key: u64,
        margin: i32,
        profile: Option<&Book>,
        rng: &mut Rng,
    ) -> Option<Move> {
        let against = profile.map_or(&[][..], |profile| profile.page(key));
        pick(&near_equal(self.page(key), margin, against), rng)
    }
}

#[cfg(test)]
mod tests {
    use outplay_search::Meaning::{self, LossIn, Opinion, WinIn};

    use super::*;
    use crate::{Judgement, Results};

    fn judged(values: &[Meaning]) -> Vec<BookMove> {
        let known = |(index, &value)| BookMove {
            played: Move::new(index as u16),
            judgement: Some(Judgement::new(value, 5, 100)),
            results: Results::default(),
        };
        values.iter().enumerate().map(known).collect()
    }

    fn played(results: &[(u32, u32, u32)]) -> Vec<BookMove> {
        let known = |(index, &(won, drawn, lost))| BookMove {
            played: Move::new(index as u16),
            judgement: None,
            results: Results { won, drawn, lost },
        };
        results.iter().enumerate().map(known).collect()
    }

    fn chosen(page: &[BookMove], margin: i32) -> Vec<u16> {
        near_equal(page, margin, &[]).iter().map(|(m, _)| m.bits()).collect()
    }

    #[test]
    fn moves_within_the_margin_are_as_good_as_the_best_and_a_win_is_better_than_all() {
        let page = judged(&[Opinion(10), Opinion(30), Opinion(11), Opinion(-500)]);
        assert_eq!(chosen(&page, 0), [1]);
        assert_eq!(chosen(&page, 19), [1, 2]);
        assert_eq!(chosen(&page, 20), [0, 1, 2]);
        assert_eq!(chosen(&judged(&[WinIn(3), Opinion(20_000), LossIn(9)]), 10_000), [0]);
        assert_eq!(chosen(&judged(&[LossIn(3), LossIn(9)]), 0), [1]);
        assert_eq!(chosen(&[], 50), [0; 0]);
    }

    #[test]
    fn without_a_judgement_games_say_how_often() {
        let weights = near_equal(&played(&[(3, 1, 0), (0, 0, 7), (0, 2, 5)]), 0, &[]);
        assert_eq!(weights, [(Move::new(0), 7.0), (Move::new(2), 2.0)]);
    }

    #[test]
    fn a_profile_prefers_what_went_well_and_adds_no_move() {
        let page = judged(&[Opinion(0), Opinion(0), Opinion(0), Opinion(-90)]);
        // Five wins, five losses, nothing known, and ten wins with a move that is too bad.
        let profile = played(&[(5, 0, 0), (0, 0, 5), (0, 0, 0), (10, 0, 0)]);
        let weights = near_equal(&page, 20, &profile);
        assert_eq!(weights.iter().map(|(m, _)| m.bits()).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(weights.iter().map(|(_, weight)| *weight).collect::<Vec<_>>(), [6.0, 1.0 / 6.0, 1.0]);
        assert_eq!(near_equal(&page, 20, &[]).iter().map(|(_, weight)| *weight).sum::<f64>(), 3.0);
    }

    #[test]
    fn chance_follows_the_weights() {
        let moves = [(Move::new(1), 1.0), (Move::new(2), 3.0)];
        let mut rng = Rng::new(4);
        let second = (0..4_000).filter(|_| pick(&moves, &mut rng) == Some(Move::new(2))).count();
        assert!((2_850..3_150).contains(&second), "{second} of 4000, expected 3000");
        assert_eq!(pick(&[], &mut rng), None);
    }
}
