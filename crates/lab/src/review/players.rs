//! What players made of many games: whether they err as people do, or play nonsense.

use serde::Serialize;

use super::{Mark, Review, Turn, accuracy};

/// A turn that gives so much of the winning chance away is a gross one: two blunders at once.
pub const GROSS: f64 = 0.30;

/// What a player made of all games that were reviewed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Career {
    /// Who.
    pub name: String,
    /// In so many games.
    pub games: usize,
    /// Turns in which there was something to choose.
    pub turns: usize,
    /// The mean accuracy, in hundredths.
    pub accuracy: f64,
    /// How many inaccuracies, mistakes and blunders.
    pub marks: [usize; 3],
    /// Turns that gave away at least [`GROSS`].
    pub gross: usize,
    /// How often a gross turn followed another one of the same player.
    pub gross_again: usize,
}

/// Adds what the players of these names, in their order, made of a game.
pub fn add_careers(careers: &mut Vec<Career>, names: [&str; 2], review: &Review) {
    for (player, name) in names.into_iter().enumerate() {
        let index = careers.iter().position(|career| career.name == name).unwrap_or_else(|| {
            careers.push(Career { name: name.to_string(), ..Career::default() });
            careers.len() - 1
        });
        let turns = review.turns.iter().filter(|turn| turn.player == player && !turn.forced);
        careers[index].add(&turns.collect::<Vec<_>>());
    }
}

impl Career {
    fn add(&mut self, turns: &[&Turn]) {
        let sum: f64 = turns.iter().map(|turn| 100.0 * accuracy(turn.loss)).sum();
        self.games += 1;
        self.accuracy = (self.accuracy * self.turns as f64 + sum) / (self.turns + turns.len()).max(1) as f64;
        self.turns += turns.len();
        for (count, (mark, _)) in self.marks.iter_mut().zip(Mark::LEAST) {
            *count += turns.iter().filter(|turn| turn.mark == Some(mark)).count();
        }
        self.gross += turns.iter().filter(|turn| is_gross(turn)).count();
        self.gross_again += turns.windows(2).filter(|two| is_gross(two[0]) && is_gross(two[1])).count();
    }
}

fn is_gross(turn: &Turn) -> bool {
    turn.loss >= GROSS
}
