//! A search that looks at nothing but the position itself.

use outplay_core::{Game, Line, Move, MoveList, Rng, mix};
use outplay_search::mcts::{EvaluationError, Leaf, LeafEvaluator};
use outplay_search::stop::Granularity;
use outplay_search::{
    Bound, Control, Counters, MOST_SEED, Meaning, MoveStatistics, OptionSet, PrincipalVariation, Report,
    Search, StopReason, options,
};

use crate::networks::{failed, past_of, softmax};

options! {
    /// Settings of the search that plays by its policy alone.
    pub struct PolicyOptions {
        group "Chance" []:
        /// Above 0, the move is drawn by lot, moves that look better more likely: by the policy to the power of 1 over this.
        pub temperature: f64 = 0.0, in 0.0..=100.0,
        /// With the same seed chance brings the same moves in the same positions.
        pub seed: u64 = 1, in 0..=MOST_SEED, is [Seed],
    }
}

/// Plays the move that an evaluator likes best, after one evaluation: a network's policy, or the move after which a static evaluation is best.
pub(crate) struct PolicySearch<G: Game> {
    evaluator: Box<dyn LeafEvaluator<G>>,
    options: PolicyOptions,
}

impl<G: Game> PolicySearch<G> {
    /// A search by this evaluator, which has to say how good moves look.
    pub fn new(evaluator: Box<dyn LeafEvaluator<G>>) -> PolicySearch<G> {
        PolicySearch { evaluator, options: PolicyOptions::default() }
    }

    /// The position at the end of a line, evaluated.
    fn evaluate(&self, line: &Line<G>) -> Result<Leaf<G>, EvaluationError> {
        let mut leaf = Leaf::new(line.position().clone());
        // All moves are wanted, whatever is certain of them.
        leaf.is_root = true;
        leaf.moves = line.position().legal_moves().each().collect();
        if let Some(encoder) = self.evaluator.encoder() {
            let past = past_of(line, encoder);
            leaf.encoded.write(encoder, &leaf.position, &past, &leaf.moves);
        }
        let mut leaves = [leaf];
        self.evaluator.begin().evaluate(&mut leaves, &mut Rng::new(self.options.seed))?;
        let [leaf] = leaves;
        Ok(leaf)
    }

    /// The moves that may be played with their shares of the policy, the one to be played first, then the best ones.
    fn ranked(&self, leaf: &Leaf<G>, line: &Line<G>, only: &[Move]) -> Vec<(Move, f32)> {
        let shares = leaf.moves.iter().copied().zip(softmax(&leaf.logits));
        let mut ranked: Vec<(Move, f32)> =
            shares.filter(|(m, _)| only.is_empty() || only.contains(m)).collect();
        ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        if let Some(drawn) = self.draw(&ranked, line) {
            ranked[..=drawn].rotate_right(1);
        }
        ranked
    }

    /// Draws one of the moves, if chance has a say.
    fn draw(&self, ranked: &[(Move, f32)], line: &Line<G>) -> Option<usize> {
        let PolicyOptions { temperature, seed } = self.options;
        let best = ranked.first().filter(|_| temperature > 0.0)?.1;
        let weights = ranked.iter().map(|(_, share)| f64::from(share / best).powf(1.0 / temperature));
        let weights: Vec<f64> = weights.collect();
        // Another number for each move of the game, and the same for the same.
        let mut rng = Rng::new(seed ^ mix(line.moves().len() as u64) ^ line.position().key());
        let mut lot = rng.unit() * weights.iter().sum::<f64>();
        weights.iter().position(|weight| {
            lot -= weight;
            lot < 0.0
        })
    }
}

impl<G: Game> Search<G> for PolicySearch<G> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        control.granularity = Granularity::AtOnce;
        let is_over = !line.position().can_play_on();
        let leaf = match self.evaluate(line) {
            Ok(leaf) if !is_over => leaf,
            Ok(_) => return failed(line, control, &EvaluationError(String::new())),
            Err(error) => return failed(line, control, &error),
        };
        let value = leaf.value;
        let draw = f64::from(value.draw);
        let win = ((1.0 + f64::from(value.win_minus_loss) - draw) / 2.0).max(0.0);
        let wdl = [win, draw, (1.0 - draw - win).max(0.0)];
        let ranked = self.ranked(&leaf, line, &control.limits.only);
        let lines = ranked.iter().take(control.limits.lines.max(1)).map(|&(m, share)| PrincipalVariation {
            score: Meaning::Expected(f64::from(value.win_minus_loss)),
            bound: Bound::Exact,
            visits: None,
            nodes: None,
            statistics: Some(MoveStatistics {
                prior: f64::from(share),
                q: f64::from(value.win_minus_loss),
                wdl,
                u: 0.0,
                moves_left: self.evaluator.tells_moves_left().then_some(f64::from(value.moves_left)),
                shown: None,
            }),
            moves: vec![m],
        });
        let lines = lines.collect();
        control.finish(StopReason::Depth);
        Report {
            depth: 1,
            selective_depth: 1,
            time: control.elapsed(),
            counters: Counters { nodes: 1, leaves: 1, ..Counters::default() },
            lines,
            current: None,
            table_permille: None,
            stopped: control.reason(),
            failure: None,
            notice: None,
        }
    }

    fn options(&self) -> &dyn OptionSet {
        &self.options
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.options
    }
}
