//! How a match or a tournament stands.

use serde::Serialize;

use crate::stats::{
    Anchor, Crosstable, Decision, GameResult, PairTally, RatingError, Ratings, Sprt, Summary, Wdl,
};

/// The results so far of everybody against everybody.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    pairings: Vec<[usize; 2]>,
    tallies: Vec<PairTally>,
    sprt: Option<Sprt>,
}

/// Two players and what happened between them, in the view of the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Encounter {
    /// The first player.
    pub a: String,
    /// The second player.
    pub b: String,
    /// The numbers.
    #[serde(flatten)]
    pub summary: Summary,
}

impl Standings {
    /// Nothing has been played yet.
    pub fn new(names: Vec<String>, pairings: Vec<[usize; 2]>, sprt: Option<Sprt>) -> Standings {
        let tallies = vec![PairTally::default(); pairings.len()];
        Standings { names, pairings, tallies, sprt }
    }

    /// Counts a pair of games between the players of a pairing, in the view of the first of them.
    pub fn record(&mut self, pairing: usize, results: [GameResult; 2]) {
        self.tallies[pairing].record(results[0], results[1]);
    }

    /// The players.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers of a pairing.
    pub fn summary(&self, pairing: usize) -> Summary {
        Summary::of_pairs(&self.tallies[pairing], self.sprt)
    }

    /// Every pairing with its numbers.
    pub fn encounters(&self) -> Vec<Encounter> {
        let encounter = |(pairing, &[a, b]): (usize, &[usize; 2])| Encounter {
            a: self.names[a].clone(),
            b: self.names[b].clone(),
            summary: self.summary(pairing),
        };
        self.pairings.iter().enumerate().map(encounter).collect()
    }

    /// What the sequential test has decided, which is about the first pairing.
    pub fn decision(&self) -> Decision {
        match self.sprt {
            Some(_) if !self.pairings.is_empty() => self.summary(0).decision(),
            _ => Decision::Continue,
        }
    }

    /// The ratings of all players, around a mean of 0.
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        let mut table = Crosstable::new(self.names.iter().cloned());
        for (&[a, b], tally) in self.pairings.iter().zip(&self.tallies) {
            if tally.games() != Wdl::default() {
                table.add(a, b, tally.games());
            }
        }
        table.ratings(Anchor::Mean(0.0))
    }
}
