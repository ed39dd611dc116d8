//! Positions of alpha-beta judged by a network, and its moves ordered by one.

use std::sync::{Arc, Mutex, PoisonError};

use outplay_core::{Game, Line, Move, MoveList};
use outplay_search::mcts::{Encoded, EvaluationError};
use outplay_search::{Evaluation, Knowledge, Tactics};

use super::evaluator::{key_of, leaf_value};
use super::fitted::Fitted;
use super::remote::Remote;
use super::trouble::Trouble;

/// Values that a thread remembers: a power of two.
const REMEMBERED: usize = 1 << 14;
/// Positions whose policies all threads remember: a power of two.
const POLICIES: usize = 1 << 12;
/// What the whole of a policy adds to the ordering score of a move: twice as much as a search can learn of one, so that a move which the network is
/// sure of comes first, and histories decide between those that it takes for equal.
const ORDERING_SCALE: f32 = 4_000_000.0;

/// What a game knows, with a network in place of its evaluation. Where the network fails the usual evaluation has the word again, and the trouble is
/// told when the search is over.
pub(super) struct Judged<G: Game, K> {
    pub usual: K,
    pub network: Arc<Fitted<G>>,
    /// Whether the policy orders moves.
    pub orders: bool,
    pub policies: Arc<Policies>,
    pub trouble: Arc<Trouble>,
}

impl<G: Game, K: Clone> Clone for Judged<G, K> {
    fn clone(&self) -> Judged<G, K> {
        let Judged { usual, network, orders, policies, trouble } = self;
        Judged {
            usual: usual.clone(),
            network: network.clone(),
            orders: *orders,
            policies: policies.clone(),
            trouble: trouble.clone(),
        }
    }
}

/// Policies by the key of their position: for each move what it adds to its ordering score.
pub(super) struct Policies(Mutex<Vec<(u64, MoveScores)>>);

/// What is added to the ordering scores of moves.
type MoveScores = Vec<(Move, i32)>;

impl Default for Policies {
    fn default() -> Policies {
        Policies(Mutex::new(vec![(0, Vec::new()); POLICIES]))
    }
}

impl Policies {
    fn keep(&self, key: u64, scores: MoveScores) {
        let mut policies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        policies[key as usize % POLICIES] = (key, scores);
    }

    fn of(&self, key: u64) -> MoveScores {
        let policies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, scores) = &policies[key as usize % POLICIES];
        if *known == key { scores.clone() } else { Vec::new() }
    }
}

/// What a thread keeps.
pub(super) struct JudgedState<G: Game, S> {
    /// The positions before the one at which it stands, as far as they are known, the latest last.
    past: Vec<G>,
    /// Made when it is first needed.
    remote: Option<Remote>,
    remembered: Vec<(u64, i32)>,
    /// That of the usual evaluation.
    usual: S,
}

impl<G: Game, K: Knowledge<G>> Judged<G, K> {
    /// Asks the network about a position.
    fn ask<S>(&self, state: &mut JudgedState<G, S>, position: &G) -> Result<i32, EvaluationError> {
        let encoder = &*self.network.encoder;
        let past: Vec<G> = state.past.iter().rev().take(encoder.past_positions()).cloned().collect();
        let mut encoded = Encoded::default();
        let moves = if self.orders { position.legal_moves().each().collect() } else { Vec::new() };
        encoded.write(encoder, position, &past, &moves);
        let key = key_of(position.key(), &encoded.words);
        let place = key as usize % REMEMBERED;
        if let (known, score) = state.remembered[place]
            && known == key
        {
            return Ok(score);
        }
        let remote = match &mut state.remote {
            Some(remote) => remote,
            none => none.insert(Remote::new(self.network.opened.backend.clone())?),
        };
        let outputs = remote.ask(std::mem::take(&mut encoded.words))?;
        if self.orders {
            let mut logits = Vec::new();
            encoded.pick(outputs.policy_of(0), &mut logits);
            let shares = super::softmax(&logits);
            let scores = moves.into_iter().zip(shares).map(|(m, share)| (m, (share * ORDERING_SCALE) as i32));
            self.policies.keep(position.key(), scores.collect());
        }
        let score = self.network.score(leaf_value(&outputs, 0));
        state.remembered[place] = (key, score);
        Ok(score)
    }
}

impl<G: Game, K: Knowledge<G>> Evaluation<G> for Judged<G, K> {
    type State = JudgedState<G, <K::Evaluation as Evaluation<G>>::State>;

    fn state(&self) -> Self::State {
        JudgedState {
            past: Vec::new(),
            remote: None,
            remembered: vec![(0, 0); REMEMBERED],
            usual: self.usual.evaluation().state(),
        }
    }

    fn reset(&self, state: &mut Self::State, _: &G) {
        state.past.clear();
    }

    fn begin(&self, state: &mut Self::State, line: &Line<G>) {
        let positions = line.positions();
        state.past.clear();
        state.past.extend_from_slice(&positions[..positions.len().saturating_sub(1)]);
    }

    fn make(&self, state: &mut Self::State, before: &G, _: Option<Move>, _: &G) {
        state.past.push(before.clone());
    }

    fn unmake(&self, state: &mut Self::State, _: &G) {
        state.past.pop();
    }

    fn evaluate(&self, state: &mut Self::State, position: &G) -> i32 {
        self.ask(state, position).unwrap_or_else(|error| {
            self.trouble.note(error);
            let usual = self.usual.evaluation();
            usual.reset(&mut state.usual, position);
            usual.evaluate(&mut state.usual, position)
        })
    }

    fn unit(&self) -> i32 {
        self.usual.evaluation().unit()
    }

    fn structure_key(&self, position: &G) -> Option<u64> {
        self.usual.evaluation().structure_key(position)
    }
}

/// The usual tactics, in whose order of quiet moves the policy has a say. Nothing is said of images under symmetry: a network may judge them
/// differently.
impl<G: Game, K: Knowledge<G>> Tactics<G> for Judged<G, K> {
    type State = <K::Tactics as Tactics<G>>::State;

    fn state(&self) -> Self::State {
        self.usual.tactics().state()
    }

    fn in_check(&self, position: &G) -> bool {
        self.usual.tactics().in_check(position)
    }

    fn is_quiet(&self, position: &G) -> bool {
        self.usual.tactics().is_quiet(position)
    }

    fn visit_noisy(&self, position: &G, visit: impl FnMut(Move, usize)) {
        self.usual.tactics().visit_noisy(position, visit);
    }

    fn visit_quiet(
        &self,
        state: &mut Self::State,
        position: &G,
        mut visit: impl FnMut(Move, usize, Option<i32>),
    ) {
        let known = if self.orders { self.policies.of(position.key()) } else { Vec::new() };
        self.usual.tactics().visit_quiet(state, position, |m, kind, score| {
            let more = known.iter().find(|(other, _)| *other == m).map_or(0, |&(_, more)| more);
            visit(m, kind, score.map(|score| score.saturating_add(more)));
        });
    }

    fn visit_checks(&self, position: &G, visit: impl FnMut(Move, usize)) {
        self.usual.tactics().visit_checks(position, visit);
    }

    fn is_noisy(&self, position: &G, m: Move) -> bool {
        self.usual.tactics().is_noisy(position, m)
    }

    fn gain(&self, position: &G, m: Move) -> i32 {
        self.usual.tactics().gain(position, m)
    }

    fn see_at_least(&self, position: &G, m: Move, threshold: i32) -> bool {
        self.usual.tactics().see_at_least(position, m, threshold)
    }

    fn is_recapture(&self, position: &G, m: Move, last: Move) -> bool {
        self.usual.tactics().is_recapture(position, m, last)
    }

    fn null_move(&self, position: &G) -> Option<G> {
        self.usual.tactics().null_move(position)
    }

    fn candidates(&self, position: &G, depth: i32) -> Option<usize> {
        self.usual.tactics().candidates(position, depth)
    }

    fn move_kinds(&self) -> usize {
        self.usual.tactics().move_kinds()
    }

    fn move_kind(&self, position: &G, m: Move) -> usize {
        self.usual.tactics().move_kind(position, m)
    }
}

impl<G: Game, K: Knowledge<G>> Knowledge<G> for Judged<G, K> {
    type Evaluation = Self;
    type Tactics = Self;
    type Oracle = K::Oracle;
    type Policy = K::Policy;

    fn evaluation(&self) -> &Self {
        self
    }

    fn tactics(&self) -> &Self {
        self
    }

    fn oracle(&self) -> &K::Oracle {
        self.usual.oracle()
    }

    fn policy(&self) -> &K::Policy {
        self.usual.policy()
    }

    fn search_begins(&mut self) {
        self.usual.search_begins();
    }

    fn search_ends(&mut self) {
        self.usual.search_ends();
    }
}

#[cfg(test)]
mod tests {
    use outplay_chess::{Chess, ChessEncoder, Classical};
    use outplay_core::Rng;
    use outplay_net::{BlockKind, Network, Precision};
    use outplay_search::Bundle;

    use super::super::fitting::{EncoderInfo, Encoders};
    use super::super::options::NetworkOptions;
    use super::*;

    #[test]
    fn a_state_that_follows_a_game_shows_the_network_the_whole_past() {
        let encoder = ChessEncoder::Convolution;
        let description =
            EncoderInfo::of::<Chess>(&encoder).description("chess".to_string(), 4, vec![BlockKind::Plain {}]);
        let network = Network::random(description, 3).expect("it makes sense");
        let file = std::env::temp_dir().join(format!("outplay-judged-{}", std::process::id()));
        std::fs::write(&file, network.to_bytes(Precision::Single)).expect("written");
        let options = NetworkOptions { network: file.clone(), ..NetworkOptions::default() };
        let network = Fitted::<Chess>::open(&options, &Encoders::of(encoder), 0.0037).expect("it fits");
        std::fs::remove_file(&file).expect("written before");
        let network = network.expect("it is named");
        let judged = Judged {
            usual: Bundle::of(Classical),
            network: network.clone(),
            orders: false,
            policies: Arc::default(),
            trouble: Arc::default(),
        };
        let mut rng = Rng::new(5);
        let mut line = Line::new(Chess::start(&Default::default()));
        let step = |line: &mut Line<Chess>, rng: &mut Rng| {
            let moves = line.legal_moves();
            line.play(moves[rng.below(moves.len())]);
        };
        let mut state = Evaluation::<Chess>::state(&judged);
        let mut without_past = 0;
        for _ in 0..6 {
            for _ in 0..3 {
                step(&mut line, &mut rng);
            }
            judged.begin(&mut state, &line);
            let root = line.clone();
            for _ in 0..4 {
                let before = line.position().clone();
                step(&mut line, &mut rng);
                judged.make(&mut state, &before, line.moves().last().copied(), line.position());
            }
            let expected = network.opinion(&line).expect("it runs").score;
            assert_eq!(judged.evaluate(&mut state, line.position()), expected);
            let alone = network.opinion(&Line::new(line.position().clone())).expect("it runs").score;
            without_past += usize::from(alone != expected);
            while line.moves().len() > root.moves().len() {
                line.undo();
                judged.unmake(&mut state, line.position());
            }
            assert_eq!(
                judged.evaluate(&mut state, line.position()),
                network.opinion(&root).expect("it runs").score
            );
        }
        assert!(without_past > 3, "the past matters to this network");
        assert_eq!(judged.trouble.clear(), None);
    }
}
