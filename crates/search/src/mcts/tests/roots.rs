//! Roots with rules of their own, on bandits: a choice among arms, after which nothing changes any more.

use std::sync::Arc;

use outplay_core::{Game, Line, Move, Outcome, Player, Rng};

use crate::mcts::evaluate::{BatchEvaluator, EvaluationError, Leaf, LeafEvaluator};
use crate::mcts::gumbel::ValueScale;
use crate::mcts::prior::Prior;
use crate::mcts::root_rule::{RootPlan, RootRule};
use crate::mcts::{Batch, MctsOptions, RootMove, Scratch, SearchContext, SearchTree, TreePool};

/// What there is to choose from.
#[derive(PartialEq, Debug, Default)]
struct Table {
    priors: Vec<f32>,
    /// What each is worth to the player who chooses.
    values: Vec<f32>,
    /// Those with which the game ends at once, won or lost.
    ends: Vec<bool>,
    second_begins: bool,
    value: f32,
}

impl Table {
    fn random(rng: &mut Rng, ends: bool) -> Table {
        let arms = 1 + rng.below(12);
        let weights: Vec<f32> = (0..arms).map(|_| (3.0 * rng.unit()).exp() as f32).collect();
        let sum: f32 = weights.iter().sum();
        let ends: Vec<bool> = (0..arms).map(|_| ends && rng.below(4) == 0).collect();
        let value = |end: bool, rng: &mut Rng| match end {
            true => [-1.0, 1.0][usize::from(rng.below(8) == 0)],
            // Steps that a tree keeps exactly.
            false => (rng.below(257) as f32 - 128.0) / 128.0,
        };
        Table {
            priors: weights.iter().map(|weight| weight / sum).collect(),
            values: ends.iter().map(|&end| value(end, rng)).collect(),
            ends,
            second_begins: rng.below(2) == 0,
            value: value(false, rng),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
struct Arms {
    table: Arc<Table>,
    chosen: Option<u16>,
    plies: u64,
}

impl Arms {
    fn new(table: Arc<Table>) -> Arms {
        Arms { table, chosen: None, plies: 0 }
    }
}

impl Game for Arms {
    type Rules = Arc<Table>;
    type Moves = Vec<Move>;

    fn start(table: &Arc<Table>) -> Arms {
        Arms::new(table.clone())
    }

    fn to_move(&self) -> Player {
        Player::BOTH[(self.plies as usize + usize::from(self.table.second_begins)) % 2]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..if self.chosen.is_some() { 2 } else { self.table.priors.len() as u16 }).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        self.chosen.get_or_insert(m.bits());
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let arm = usize::from(self.chosen?);
        let chooser = Player::BOTH[usize::from(self.table.second_begins)];
        self.table.ends[arm].then(|| Outcome::from_margin(self.table.values[arm] as i16, chooser))
    }

    fn key(&self) -> u64 {
        outplay_core::mix(self.plies << 16 | u64::from(self.chosen.map_or(0, |arm| arm + 1)))
    }
}

/// Says what the table says.
struct Known;

impl LeafEvaluator<Arms> for Known {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        64
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Arms> + '_> {
        Box::new(|leaves: &mut [Leaf<Arms>], _: &mut Rng| -> Result<(), EvaluationError> {
            for leaf in leaves {
                let (table, position) = (&leaf.position.table, &leaf.position);
                let value = position.chosen.map_or(table.value, |arm| table.values[usize::from(arm)]);
                leaf.value.win_minus_loss = if position.plies.is_multiple_of(2) { value } else { -value };
                leaf.logits = match position.chosen {
                    None => table.priors.iter().map(|prior| prior.ln()).collect(),
                    Some(_) => vec![0.5, 0.0],
                };
            }
            Ok(())
        })
    }
}

/// A search of one bandit, to its end.
fn search(
    context: &SearchContext<Arms>,
    table: &Arc<Table>,
    rule: RootRule,
    (budget, leaves): (u64, u32),
) -> SearchTree<Arms> {
    let line = Line::new(Arms::new(table.clone()));
    let mut search = SearchTree::new(context, &Arc::new(TreePool::new()), line, 7);
    search.set_root_rule(rule);
    search.set_budget(budget);
    drive(context, &mut search, leaves);
    search
}

fn drive(context: &SearchContext<Arms>, search: &mut SearchTree<Arms>, leaves: u32) {
    let (mut batch, mut scratch, mut rng) = (Batch::default(), Scratch::default(), Rng::new(1));
    let mut evaluator = context.evaluator().begin();
    while !search.is_done() {
        search.gather(context, leaves, &mut batch, &mut scratch);
        context.evaluate(&mut *evaluator, &mut batch, &mut rng).expect("it never fails");
        search.apply(context, &mut batch, &mut scratch);
        batch.clear();
    }
}

fn options(solver: bool) -> MctsOptions {
    MctsOptions { solver, policy_softmax_temp: 1.0, max_collision_visits: 1, ..MctsOptions::default() }
}

fn by_gumbel(moves: usize) -> RootRule {
    RootRule::Gumbel { moves, scale: ValueScale::default() }
}

/// Gumbel's rule once more, for a bandit whose noise is known, without any tree: visits, the move that is played, and the policy.
fn plainly(table: &Table, noise: &[f64], most: usize, budget: usize) -> (Vec<u32>, usize, Vec<f64>) {
    let arms = table.priors.len();
    let logit = |arm: usize| f64::from(table.priors[arm]).ln();
    let mut visits = vec![0u32; arms];
    let completed = |visits: &[u32], arm: usize| {
        let (mut n, mut p, mut pq) = (0.0, 0.0, 0.0);
        for other in (0..arms).filter(|&other| visits[other] > 0) {
            n += f64::from(visits[other]);
            p += f64::from(table.priors[other]);
            pq += f64::from(table.priors[other]) * f64::from(table.values[other]);
        }
        match visits[arm] {
            0 if n == 0.0 => f64::from(table.value),
            0 => (f64::from(table.value) + n / p * pq) / (1.0 + n),
            _ => f64::from(table.values[arm]),
        }
    };
    let improved = |visits: &[u32], arm: usize| {
        let most = f64::from(*visits.iter().max().expect("an arm"));
        logit(arm) + (50.0 + most) * (completed(visits, arm) + 1.0) / 2.0
    };
    let mut left: Vec<usize> = (0..arms).collect();
    left.sort_by(|&a, &b| (noise[b] + logit(b)).total_cmp(&(noise[a] + logit(a))));
    left.truncate(most.min(budget));
    let phases = (left.len() as f64).log2().ceil() as usize;
    let mut spent = 0;
    while spent < budget {
        let each = if phases == 0 { budget } else { (budget / (phases * left.len())).max(1) };
        for _ in 0..each {
            // In a round the best comes first; it matters where the budget ends in the middle of one, and for the values that are known by then.
            let mut waiting = left.clone();
            while !waiting.is_empty() && spent < budget {
                let score = |arm: usize| noise[arm] + improved(&visits, arm);
                let best =
                    (0..waiting.len()).max_by(|&a, &b| score(waiting[a]).total_cmp(&score(waiting[b])));
                let arm = waiting.remove(best.expect("somebody waits"));
                visits[arm] += 1;
                spent += 1;
            }
        }
        left.sort_by(|&a, &b| {
            let score = |arm: usize| noise[arm] + improved(&visits, arm);
            score(b).total_cmp(&score(a))
        });
        left.truncate((left.len() / 2).max(2));
    }
    let most = *visits.iter().max().expect("an arm");
    let candidates = (0..arms).filter(|&arm| visits[arm] == most);
    let score = |arm: usize| noise[arm] + improved(&visits, arm);
    let played = candidates.max_by(|&a, &b| score(a).total_cmp(&score(b))).expect("an arm");
    let top = (0..arms).map(|arm| improved(&visits, arm)).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = (0..arms).map(|arm| (improved(&visits, arm) - top).exp()).collect();
    let sum: f64 = weights.iter().sum();
    (visits, played, weights.into_iter().map(|weight| weight / sum).collect())
}

fn visits_of(search: &SearchTree<Arms>, arms: usize) -> Vec<u32> {
    let mut visits = vec![0; arms];
    search.root_moves().iter().for_each(|one| visits[one.m.index()] = one.visits);
    visits
}

#[test]
fn gumbels_rule_in_a_tree_does_what_it_does_plainly() {
    let mut rng = Rng::new(4);
    for round in 0..400 {
        let table = Arc::new(Table::random(&mut rng, round % 2 == 0));
        let (most, budget) = (1 + rng.below(16), 1 + rng.below(60));
        let options = options(false);
        let context = SearchContext::new(&options, &Known);
        // The first playout evaluates the root.
        let leaves = [1, 1, 8][round % 3];
        let search = search(&context, &table, by_gumbel(most), (budget as u64 + 1, leaves));
        let choice = search.gumbel_choice().expect("a choice");
        let Some(RootPlan::Gumbel(plan)) = &search.plan else { panic!("Gumbel's rule") };
        let noise = plan.noise_by_move();
        let (visits, played, policy) = plainly(&table, &noise, most, budget);
        if leaves == 1 {
            assert_eq!(visits_of(&search, noise.len()), visits, "{table:?}");
            // The end of a game is certain, and counts as such whatever the noise says.
            assert!(choice.best.index() == played || table.ends.iter().any(|&end| end));
            for &(m, share) in &choice.policy {
                assert!((share - policy[m.index()]).abs() < 1e-4, "{share} {policy:?}");
            }
        }
        assert_eq!(choice.policy.len(), noise.len(), "all legal moves are in the policy, and no other");
        assert!((choice.policy.iter().map(|&(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(visits_of(&search, noise.len()).iter().sum::<u32>() as usize, budget);
    }
}

#[test]
fn with_proofs_a_won_move_is_played_and_a_lost_one_is_not() {
    let mut rng = Rng::new(5);
    let (mut won, mut lost) = (0, 0);
    for _ in 0..400 {
        let table = Arc::new(Table::random(&mut rng, true));
        let options = options(true);
        let context = SearchContext::new(&options, &Known);
        let budget = 1 + rng.below(40) as u64;
        let search = search(&context, &table, by_gumbel(16), (budget + 1, 1));
        let best = search.gumbel_choice().expect("a choice").best.index();
        let visits = visits_of(&search, table.priors.len());
        let is = |arm: usize, value: f32| table.ends[arm] && table.values[arm] == value;
        if (0..visits.len()).any(|arm| visits[arm] > 0 && is(arm, 1.0)) {
            assert!(is(best, 1.0), "a win was found");
            won += 1;
        } else if is(best, -1.0) && visits[best] > 0 {
            assert!((0..visits.len()).all(|arm| visits[arm] > 0 && is(arm, -1.0)), "all else is lost too");
            lost += 1;
        }
    }
    assert!(won > 20 && lost > 0, "{won} {lost}");
}

#[test]
fn visits_follow_the_improved_policy_where_that_is_asked_for() {
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let table = Arc::new(Table::random(&mut rng, false));
        let options = options(false);
        let scale = ValueScale { visits: 20.0 * rng.unit(), scale: 0.2 };
        let context = SearchContext::new(&options, &Known).with_improved_policy(scale);
        let budget = rng.below(60);
        let search = search(&context, &table, RootRule::Usual, (budget as u64 + 1, 1));
        // Once more from the formula: all moves at each step, with priors as a tree keeps them.
        let arms = table.priors.len();
        let priors: Vec<f64> = table.priors.iter().map(|&prior| Prior::new(prior).get().into()).collect();
        let mut visits = vec![0u32; arms];
        for _ in 0..budget {
            let n: f64 = visits.iter().map(|&n| f64::from(n)).sum();
            let tried = || (0..arms).filter(|&arm| visits[arm] > 0);
            let p: f64 = tried().map(|arm| priors[arm]).sum();
            let pq: f64 = tried().map(|arm| priors[arm] * f64::from(table.values[arm])).sum();
            let mean = if n > 0.0 { pq / p } else { 0.0 };
            let mixed = (f64::from(table.value) + n * mean) / (1.0 + n);
            let most = f64::from(*visits.iter().max().expect("an arm"));
            let weight = |arm: usize| {
                let q = if visits[arm] > 0 { f64::from(table.values[arm]) } else { mixed };
                priors[arm] * ((scale.visits + most) * scale.scale * (q + 1.0) / 2.0).exp()
            };
            let rest = (1.0 - priors.iter().sum::<f64>()).max(0.0)
                * ((scale.visits + most) * scale.scale * (mixed + 1.0) / 2.0).exp();
            let sum: f64 = (0..arms).map(weight).sum::<f64>() + rest;
            let behind = |arm: usize| weight(arm) / sum - f64::from(visits[arm]) / (1.0 + n);
            let best = (0..arms).max_by(|&a, &b| behind(a).total_cmp(&behind(b))).expect("an arm");
            visits[best] += 1;
        }
        let found = visits_of(&search, arms);
        // Priors in twelve bits do not quite sum to one: a step may be taken later.
        let off: u32 = found.iter().zip(&visits).map(|(a, b)| a.abs_diff(*b)).sum();
        assert!(off <= 2, "{found:?} {visits:?}");
    }
}

#[test]
fn forced_playouts_are_made_and_taken_back() {
    let mut rng = Rng::new(8);
    let (mut made, mut taken_back) = (0, 0);
    for _ in 0..100 {
        let table = Arc::new(Table::random(&mut rng, false));
        let options = MctsOptions { noise_epsilon: 0.25, ..options(false) };
        let context = SearchContext::new(&options, &Known);
        let mut search = search(&context, &table, RootRule::Forced { factor: 2.0 }, (2, 1));
        let behind = |before: &[RootMove]| -> Vec<Move> {
            let all: u32 = before.iter().map(|one| one.visits).sum();
            let due = |one: &RootMove| (2.0 * one.prior * f64::from(all)).sqrt();
            before.iter().filter(|one| f64::from(one.visits) < due(one)).map(|one| one.m).collect()
        };
        for _ in 2..200 {
            let before = search.root_moves();
            search.set_budget(1);
            drive(&context, &mut search, 1);
            let after = search.root_moves();
            let gone = after.iter().zip(&before).find(|(after, before)| after.visits > before.visits);
            let forced = behind(&before);
            assert!(forced.is_empty() || gone.is_some_and(|(one, _)| forced.contains(&one.m)));
            made += forced.len().min(1);
        }
        let moves = search.root_moves();
        let all: u32 = moves.iter().map(|one| one.visits).sum();
        assert_eq!(all, 199);
        let left = search.pruned_visits(&context, 2.0);
        assert!(moves.iter().zip(&left).all(|(one, &(m, left))| one.m == m && left <= one.visits));
        taken_back += all - left.iter().map(|&(_, left)| left).sum::<u32>();
    }
    assert!(made > 500 && taken_back > 500, "{made} {taken_back}");
}

#[test]
fn noise_is_renewed_at_a_root_that_is_taken_over_and_nowhere_else() {
    let mut rng = Rng::new(9);
    let table = Arc::new(Table::random(&mut rng, false));
    let (plain, noisy) = (options(false), MctsOptions { noise_epsilon: 0.5, ..options(false) });
    let (plain, noisy) = (SearchContext::new(&plain, &Known), SearchContext::new(&noisy, &Known));
    let mut search = search(&plain, &table, RootRule::Usual, (400, 1));
    let best = search.root_moves().into_iter().max_by_key(|one| one.visits).expect("a move");
    let mut scratch = Scratch::default();
    search.advance_with_noise(&noisy, best.m, &mut scratch);
    assert_eq!(search.root_visits_in_all(), best.visits, "what was known is kept");
    let raw: Vec<f32> = search.root_policy().iter().map(|&(_, share)| share).collect();
    // Every other position has these shares: softmax(0.5, 0).
    let share = 1.0 / (1.0 + (-0.5f32).exp());
    assert!((raw[0] - share).abs() < 0.002 && (raw.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    let root = search.tree.link(search.root.expect("a root")).node;
    let priors = search.tree.policy(root);
    assert!((priors[0].1 - share).abs() > 0.01, "noise: {priors:?}");
    assert!((priors.iter().map(|&(_, prior)| prior).sum::<f32>() - 1.0).abs() < 0.01);
    let mut below = 0;
    search.tree.for_each_edge(root, search.tree.state(root).edges(), |edge| {
        let (link, number) = (edge.link(), search.tree.number_of(root, edge.link().m));
        assert_eq!(search.tree.prior(root, search.tree.state(root), number.expect("a move")), link.prior);
        if search.tree.state(link.node).is_sorted() {
            assert!((search.tree.policy(link.node)[0].1 - share).abs() < 0.002, "not here");
            below += 1;
        }
    });
    assert!(below > 0);
    search.set_budget(50);
    drive(&noisy, &mut search, 1);
    assert_eq!(search.root_visits_in_all(), best.visits + 50);
}

#[test]
fn changed_priors_leave_the_likeliest_next() {
    let mut rng = Rng::new(10);
    for _ in 0..100 {
        let table = Arc::new(Table::random(&mut rng, false));
        let options = options(false);
        let context = SearchContext::new(&options, &Known);
        let search = search(&context, &table, RootRule::Usual, (1 + rng.below(8) as u64, 1));
        let node = search.tree.link(search.root.expect("a root")).node;
        let edges = search.tree.state(node).edges() as usize;
        if edges == 0 {
            continue;
        }
        let before = search.tree.policy(node);
        let priors: Vec<f32> = before.iter().map(|_| rng.unit() as f32).collect();
        search.tree.change_priors(node, &priors);
        let after = search.tree.policy(node);
        for (&(m, _), prior) in before.iter().zip(priors) {
            let (_, found) = after.iter().find(|&&(other, _)| other == m).expect("the same moves");
            assert_eq!(*found, Prior::new(prior).get());
        }
        assert!(before[..edges].iter().zip(&after).all(|(a, b)| a.0 == b.0), "edges stay first");
        assert!(after[edges..].windows(2).all(|pair| pair[0].1 >= pair[1].1));
    }
}
