//! Everything that a table or a report says about a match, in one value.

use std::fmt;

use serde::Serialize;

use super::{
    Decision, Estimate, PairTally, Pentanomial, Sample, Sprt, Wdl, elo_of, likelihood_of_superiority, nelo_of,
};

/// A match between two players in numbers, from the view of the player under test.
///
/// No number is ever NaN. What does not exist yet is `None`; what is infinite (the Elo of a perfect score) is
/// infinite here and `null` in JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// How many games count.
    pub games: u64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub wdl: Wdl,
    /// The pairs by points; `None` if games were not paired.
    pub pentanomial: Option<Pentanomial>,
    /// Points over games; `None` before the first game.
    pub score: Option<f64>,
    /// The Elo difference; `None` before the first game.
    pub elo: Option<Estimate>,
    /// The normalised Elo difference; `None` as long as all games, or all pairs, ended alike.
    pub nelo: Option<Estimate>,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
    /// Drawn games over games; `None` before the first game.
    pub draw_ratio: Option<f64>,
    /// Pairs won over pairs lost; `None` if there are neither, or games were not paired.
    pub pairs_ratio: Option<f64>,
    /// Where the sequential test stands; `None` if there is none.
    pub sprt: Option<SprtState>,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtState {
    /// The test itself.
    pub test: Sprt,
    /// The log-likelihood ratio so far.
    pub llr: f64,
    /// The ratio at which the null hypothesis is accepted.
    pub lower: f64,
    /// The ratio at which the alternative is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

impl SprtState {
    fn new(test: Sprt, sample: Sample) -> SprtState {
        let llr = test.llr(sample);
        let (lower, upper) = test.llr_bounds();
        SprtState { test, llr, lower, upper, decision: test.decision(llr) }
    }
}

impl Summary {
    /// A match in which every opening was played with both colours, judged by its pairs.
    pub fn of_pairs(tally: &PairTally, test: Option<Sprt>) -> Summary {
        let pairs = tally.pairs();
        Summary {
            pentanomial: Some(pairs),
            pairs_ratio: pairs.pairs_ratio(),
            ..Summary::new(tally.games(), pairs.into(), test)
        }
    }

    /// A match of games that have nothing to do with each other.
    pub fn of_games(games: Wdl, test: Option<Sprt>) -> Summary {
        Summary::new(games, games.into(), test)
    }

    fn new(games: Wdl, sample: Sample, test: Option<Sprt>) -> Summary {
        Summary {
            games: games.games(),
            wdl: games,
            pentanomial: None,
            score: sample.score(),
            elo: elo_of(sample),
            nelo: nelo_of(sample),
            los: likelihood_of_superiority(sample),
            draw_ratio: games.draw_ratio(),
            pairs_ratio: None,
            sprt: test.map(|test| SprtState::new(test, sample)),
        }
    }

    /// What the sequential test has decided: [`Decision::Continue`] also where there is none.
    pub fn decision(&self) -> Decision {
        self.sprt.map_or(Decision::Continue, |sprt| sprt.decision)
    }
}

impl fmt::Display for Summary {
    /// Up to four lines, the last without a line break:
    ///
    /// ```text
    /// Elo   12.3 ± 8.1, nElo 20.4 ± 13.3, LOS 99.9 %
    /// Games 2000: +530 =1010 -460, score 51.8 %, draws 50.5 %
    /// Pairs 1000: [40, 200, 470, 240, 50], ratio 1.21
    /// LLR   2.95 (-2.94, 2.94), [0, 5] Elo, α 0.05, β 0.05: H1 accepted
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let or_dash = |number: Option<String>| number.unwrap_or_else(|| "-".to_string());
        let estimate = |number: Option<Estimate>| or_dash(number.map(|number| number.to_string()));
        let percent = |share: Option<f64>| or_dash(share.map(|share| format!("{:.1} %", 100.0 * share)));

        let (elo, nelo, los) = (estimate(self.elo), estimate(self.nelo), percent(Some(self.los)));
        writeln!(f, "Elo   {elo}, nElo {nelo}, LOS {los}")?;
        let Wdl { wins, draws, losses } = self.wdl;
        let (score, draw_ratio) = (percent(self.score), percent(self.draw_ratio));
        write!(f, "Games {}: +{wins} ={draws} -{losses}, score {score}, draws {draw_ratio}", self.games)?;
        if let Some(pairs) = self.pentanomial {
            let ratio = or_dash(self.pairs_ratio.map(|ratio| format!("{ratio:.2}")));
            write!(f, "\nPairs {}: {:?}, ratio {ratio}", pairs.pairs(), pairs.0)?;
        }
        if let Some(SprtState { test, llr, lower, upper, decision }) = self.sprt {
            write!(f, "\nLLR   {llr:.2} ({lower:.2}, {upper:.2}), {test}: {decision}")?;
        }
        Ok(())
    }
}
