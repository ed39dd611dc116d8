//! What playouts teach about moves wherever they are made: for RAVE, and for the order in which moves are tried.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outplay_core::{Game, Move, Player};

use super::context::Run;
use super::path::Path;
use super::prior::Prior;
use super::state::Value;
use super::tally::Tally;

/// As many moves as there are bit patterns.
const MOVES: usize = 1 << 16;

/// Where something stands that is kept for each player and move.
fn place(player: Player, m: Move) -> usize {
    player.index() * MOVES + m.index()
}

/// For each player and move, how the playouts ended in which it was made.
pub(super) struct MoveHistory {
    // [player][move]
    words: Box<[AtomicU64]>,
}

impl MoveHistory {
    pub fn new() -> MoveHistory {
        MoveHistory { words: (0..2 * MOVES).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The mean result for the player who makes the move; 0 if nobody has made it.
    fn mean(&self, player: Player, m: Move) -> f32 {
        let first = Tally::of(&self.words[place(player, m)]).mean();
        if player == Player::First { first } else { -first }
    }

    /// Puts moves of a player into order, the best first; those that are alike stay as they are.
    pub fn put_best_first(&self, player: Player, moves: &mut [(Prior, Move)]) {
        // Read once for each move: other threads change the means meanwhile.
        let mut known: Vec<(f32, (Prior, Move))> =
            moves.iter().map(|&(prior, m)| (self.mean(player, m), (prior, m))).collect();
        known.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        moves.iter_mut().zip(known).for_each(|(place, (_, m))| *place = m);
    }

    fn count(&self, player: Player, m: Move, value: Value, playouts: u32) {
        let word = &self.words[place(player, m)];
        if Tally::of(word).has_room() {
            word.fetch_add(Tally::of_playouts(value, playouts).bits(), Relaxed);
        }
    }
}

/// The moves of a playout, each once.
#[derive(Default)]
pub(super) struct MovesMade {
    made: Vec<(Player, Move)>,
    /// For each player and move, the number of the last playout in which it was made; empty if nobody asks. [player][move]
    last: Vec<u32>,
    playout: u32,
}

impl MovesMade {
    fn begin(&mut self) {
        self.made.clear();
        if self.last.is_empty() || self.playout == u32::MAX {
            self.last = vec![0; 2 * MOVES];
            self.playout = 0;
        }
        self.playout += 1;
    }

    fn add(&mut self, player: Player, m: Move) {
        let last = &mut self.last[place(player, m)];
        if *last != self.playout {
            *last = self.playout;
            self.made.push((player, m));
        }
    }

    fn has(&self, player: Player, m: Move) -> bool {
        self.last[place(player, m)] == self.playout
    }

    /// Lets the tree and the history learn, if they want to, from playouts that took this path and were then played out with these moves.
    #[inline]
    pub fn learn<G: Game>(
        &mut self,
        run: &Run<G>,
        path: &Path,
        rollout: &[(Player, Move)],
        ended: (Value, u32),
    ) {
        if run.context.options.learns_from_moves() {
            self.teach(run, path, rollout, ended);
        }
    }

    fn teach<G: Game>(
        &mut self,
        run: &Run<G>,
        path: &Path,
        rollout: &[(Player, Move)],
        (value, playouts): (Value, u32),
    ) {
        self.begin();
        rollout.iter().for_each(|&(player, m)| self.add(player, m));
        let tree = run.tree;
        for depth in (1..path.edges.len()).rev() {
            let (edge, node) = (path.edges[depth], tree.link(path.edges[depth - 1]).node);
            let player = tree.state(node).to_move();
            self.add(player, tree.link(edge).m);
            // Playouts that do not count for a position teach it nothing.
            if run.context.options.rave && depth > path.counts_from {
                tree.count_as_first(node, |m| self.has(player, m), value, playouts);
            }
        }
        if let Some(history) = run.move_history.filter(|_| path.counts_from == 0) {
            self.made.iter().for_each(|&(player, m)| history.count(player, m, value, playouts));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use outplay_core::{Line, Outcome, Rng, mix};

    use super::super::evaluate::StaticStates;
    use super::super::tree::{EdgeId, NodeId, Tree};
    use super::super::{Mcts, RolloutKind, Selection, Static};
    use super::*;
    use crate::stop::{Signals, StopOptions};
    use crate::{Bundle, Control, Evaluation, Limits, NoKnowledge, Policy, Search};

    /// Players mark the cells of a row, one or two a turn; who wins is a function of who has which.
    #[derive(Clone, Debug, PartialEq)]
    struct Row {
        marks: [u16; 2],
        count: u32,
    }

    const CELLS: u32 = 7;

    impl Game for Row {
        type Rules = ();
        type Moves = Vec<Move>;

        fn start((): &()) -> Row {
            Row { marks: [0, 0], count: 0 }
        }

        fn to_move(&self) -> Player {
            Player::BOTH[(self.count as usize).div_ceil(2) % 2]
        }

        fn legal_moves(&self) -> Vec<Move> {
            let taken = self.marks[0] | self.marks[1];
            (0..CELLS as u16).filter(|cell| taken >> cell & 1 == 0).map(Move::new).collect()
        }

        fn play(&mut self, m: Move) {
            self.marks[self.to_move().index()] |= 1 << m.bits();
            self.count += 1;
        }

        fn outcome(&self) -> Option<Outcome> {
            let result = (mix(self.key()) % 3) as i16 - 1;
            (self.count == CELLS).then(|| Outcome::from_margin(result, Player::First))
        }

        fn key(&self) -> u64 {
            u64::from(self.marks[0]) << 16 | u64::from(self.marks[1])
        }
    }

    /// Plays out without chance, so that every playout can be played once more.
    #[derive(Clone, Copy)]
    struct Certain;

    impl Evaluation<Row> for Certain {
        type State = ();

        fn state(&self) {}

        fn evaluate(&self, (): &mut (), position: &Row) -> i32 {
            (mix(position.key()) % 200) as i32 - 100
        }
    }

    impl Policy<Row> for Certain {
        fn playout_move(&self, position: &Row, _: &mut Rng) -> Option<Move> {
            let moves = position.legal_moves();
            moves.get(mix(position.key()) as usize % moves.len()).copied()
        }
    }

    type Made = Vec<(Player, Move)>;
    /// How many playouts, and the sum of their results.
    type Count = (u32, i32);

    /// Plays every playout that has gone through an edge once more; `see` is shown its moves from that edge's node on, and how it ended. The
    /// playout that evaluated the node itself is shown too, as the first.
    fn replay(tree: &Tree, edge: EdgeId, position: &Row, see: &mut dyn FnMut(&Made, i32)) {
        let node = tree.link(edge).node;
        let mut ended_here = tree.stats(edge).visits;
        let mut below = Vec::new();
        tree.for_each_edge(node, tree.state(node).edges(), |edge| below.push(edge.id));
        ended_here -= below.iter().map(|&edge| tree.stats(edge).visits).sum::<u32>();
        let (mut end, mut made) = (position.clone(), Made::new());
        while end.outcome().is_none() {
            let m = Certain.playout_move(&end, &mut Rng::new(0)).expect("a move");
            made.push((end.to_move(), m));
            end.play(m);
        }
        let result = end.outcome().expect("an end").for_player(Player::First).into();
        (0..ended_here).for_each(|_| see(&made, result));
        for edge in below {
            let m = tree.link(edge).m;
            replay(tree, edge, &position.after(m), &mut |made, result| {
                see(&[&[(position.to_move(), m)], &made[..]].concat(), result)
            });
        }
    }

    /// Compares what a node knows with what is counted, and so for all nodes below; returns how many tallies that were.
    fn check(tree: &Tree, edge: EdgeId, position: &Row) -> usize {
        let node: NodeId = tree.link(edge).node;
        let state = tree.state(node);
        let Some(words) = tree.amaf(node, state) else { return 0 };
        let mut counts: BTreeMap<Move, Count> = BTreeMap::new();
        let mut is_first = true;
        replay(tree, edge, position, &mut |made, result| {
            // The playout that evaluated the node came before it knew its moves.
            if !std::mem::take(&mut is_first) {
                for m in position.legal_moves() {
                    let count = counts.entry(m).or_default();
                    if made.contains(&(position.to_move(), m)) {
                        *count = (count.0 + 1, count.1 + result);
                    }
                }
            }
        });
        let mut compared = words.len();
        let mut edges = Vec::new();
        tree.for_each_edge(node, state.edges(), |edge| edges.push(edge.id));
        let listed = (0..words.len() as u32).map(|number| tree.sorted_move(tree.moves_block(node), number));
        let moves: Vec<Move> = listed.collect();
        assert!(position.legal_moves().iter().all(|m| moves.contains(m)), "{position:?} {moves:?}");
        // Whatever was exchanged, each move has kept its prior: those that look better have the higher ones.
        let mut rated: Vec<(f32, Prior)> = (0..)
            .zip(&moves)
            .map(|(number, &m)| {
                let evaluator = Static { knowledge: Bundle::of(Certain), scale: 100.0 };
                let looks = StaticStates::new(&evaluator)
                    .value(&position.after(m), position.to_move())
                    .win_minus_loss;
                (looks, tree.prior(node, state, number))
            })
            .collect();
        rated.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(rated.is_sorted_by_key(|&(_, prior)| prior), "{position:?} {rated:?}");
        for (number, (word, m)) in words.iter().zip(moves).enumerate() {
            let tally = Tally::of(word);
            let (visits, sum) = counts[&m];
            assert_eq!(tally.visits(), visits, "{position:?} {m:?}");
            assert_eq!(tally.mean(), sum as f32 / visits.max(1) as f32, "{position:?} {m:?}");
            if let Some(&edge) = edges.get(number) {
                assert_eq!(tree.link(edge).m, m, "the edges are the first of the moves");
                compared += check(tree, edge, &position.after(m));
            }
        }
        compared
    }

    #[test]
    fn all_moves_as_first_are_what_replaying_every_playout_counts() {
        for (selection, policy, batch) in
            [(Selection::Uct, false, 1), (Selection::Puct, false, 1), (Selection::Puct, true, 8)]
        {
            let mut search = Mcts::new(Bundle {
                evaluation: Certain,
                tactics: NoKnowledge,
                oracle: NoKnowledge,
                policy: Certain,
            });
            let options = &mut search.options;
            (options.selection, options.rollout, options.rollout_policy) =
                (selection, RolloutKind::Knowledge, policy);
            (options.rave, options.history_ordering, options.solver) = (true, true, false);
            (options.rave_equivalence, options.minibatch_size) = (20.0, batch);
            let line = Line::new(Row::start(&()));
            let limits = Limits { nodes: Some(400), ..Limits::default() };
            let stop = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
            let (signals, mut sink) = (Arc::new(Signals::default()), |_| ());
            let mut control = Control::new(Player::First, &limits, &stop, &signals, &mut sink);
            search.search(&line, &mut control);
            let root = search.grown.as_ref().expect("a tree").last;
            let compared = check(&search.tree, root, line.position());
            assert!(compared > 300, "{compared}");
        }
    }

    #[test]
    fn the_history_is_the_mean_for_the_player_who_moves() {
        let (history, m) = (MoveHistory::new(), Move::new(77));
        let value = |wl| Value::new(wl, 0.0, 0.0);
        for player in Player::BOTH {
            history.count(player, m, value(1.0), 3);
            history.count(player, m, value(-0.5), 1);
        }
        assert_eq!([0, 1].map(|index| history.mean(Player::BOTH[index], m)), [0.625, -0.625]);
        assert_eq!(history.mean(Player::First, Move::new(78)), 0.0);
    }
}
