//! What the settings of the Monte Carlo tree search change, and what they leave as it is.

use std::sync::Arc;

use crate::common::{Order, Tree, WinGame, ordered_tree, random_tree, value_by_definition};
use outplay_core::{Game, Line, Move, Outcome, Player, Rng};
use outplay_search::mcts::{Mcts, MctsOptions};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{
    Attribute, Control, GrownMove, Limits, Meaning, NoKnowledge, OptionSet, OptionValue, PrincipalVariation,
    Report, Search, StopReason,
};

type Settings = [(&'static str, &'static str)];

fn mcts<G: Game>(settings: &Settings) -> Mcts<G, NoKnowledge> {
    let mut search = Mcts::new(NoKnowledge);
    for (name, value) in settings {
        Search::<G>::options_mut(&mut search).set(name, value).expect("an option");
    }
    search
}

/// A search by so many nodes, under which smart pruning is off unless its factor is given.
fn run<G: Game>(
    search: &mut Mcts<G, NoKnowledge>,
    line: &Line<G>,
    limits: &Limits,
    smart_pruning_factor: f64,
) -> Report {
    let signals = Arc::new(Signals::default());
    let options = StopOptions { smart_pruning_factor, ..StopOptions::default() };
    let mut sink = |_| ();
    let mut control = Control::new(line.position().to_move(), limits, &options, &signals, &mut sink);
    search.search(line, &mut control)
}

fn search(settings: &Settings, tree: &WinGame, nodes: u64, lines: usize) -> Report {
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    run(&mut mcts(settings), &Line::new(tree.clone()), &limits, 0.0)
}

/// The line that begins with a move.
fn line_of(report: &Report, m: u16) -> &PrincipalVariation {
    report.lines.iter().find(|line| line.moves[0] == Move::new(m)).expect("a line")
}

fn visits(report: &Report) -> Vec<u64> {
    report.lines.iter().map(|line| line.visits.expect("visits")).collect()
}

/// A tree of wins and losses for the first player, in which chance wins so many games in a hundred.
fn lottery(rng: &mut Rng, wins: usize, depth: usize) -> Tree {
    match depth {
        0 => Tree::Leaf(if rng.below(100) < wins { 1 } else { -1 }),
        _ => {
            let mover = Player::BOTH[depth % 2];
            Tree::Branch(mover, (0..6).map(|_| Arc::new(lottery(rng, wins, depth - 1))).collect())
        }
    }
}

/// A choice between such trees.
fn lotteries(mover: Player, wins: &[usize]) -> WinGame {
    let mut rng = Rng::new(11);
    let moves = wins.iter().map(|&wins| Arc::new(lottery(&mut rng, wins, 3)));
    WinGame::new(Tree::Branch(mover, moves.collect()))
}

/// A choice between a certain draw and a game that is lost more often than it is won.
fn draw_or_risk(mover: Player) -> WinGame {
    let wins = if mover == Player::First { 30 } else { 70 };
    let risk = lottery(&mut Rng::new(3), wins, 5);
    WinGame::new(Tree::Branch(mover, vec![Arc::new(Tree::Leaf(0)), Arc::new(risk)]))
}

#[test]
fn a_draw_is_worth_what_the_settings_say_to_the_player_they_say_it_of() {
    for selection in ["uct", "puct"] {
        for solver in ["true", "false"] {
            for dag in ["true", "false"] {
                // So much exploration that both moves are tried alike, and all of the risk.
                let settings = |draw_score| {
                    let alike = [("exploration", "50"), ("cpuct", "50"), ("final_move", "value")];
                    let of = [("selection", selection), ("solver", solver), ("dag", dag)];
                    [&alike[..], &of[..], &[("draw_score", draw_score)]].concat()
                };
                let best = |mover, draw_score| {
                    search(&settings(draw_score), &draw_or_risk(mover), 300, 2).best_move().map(Move::bits)
                };
                assert_eq!(best(Player::First, "0"), Some(0), "a draw is better than the risk");
                assert_eq!(best(Player::First, "-1"), Some(1), "unless it is as good as a loss");
                assert_eq!(best(Player::First, "1"), Some(0));
                assert_eq!(best(Player::Second, "0"), Some(0));
                assert_eq!(best(Player::Second, "-1"), Some(0), "who is glad of what the first one dreads");
                assert_eq!(best(Player::Second, "1"), Some(1));
            }
        }
    }
}

#[test]
fn reported_values_are_wins_minus_losses_and_draws_at_their_price() {
    for mover in Player::BOTH {
        let price = if mover == Player::First { 0.25 } else { -0.25 };
        let report = search(&[("draw_score", "0.25"), ("solver", "false")], &draw_or_risk(mover), 300, 2);
        for line in &report.lines {
            let known = line.statistics.expect("counts");
            let [win, draw, loss] = known.wdl;
            assert!((win + draw + loss - 1.0).abs() < 1e-9);
            assert!((known.q - (win - loss + price * draw)).abs() < 1e-6, "{known:?}");
        }
        let draw = line_of(&report, 0).statistics.expect("counts");
        assert!((draw.q - price).abs() < 1e-6 && draw.wdl[1] > 0.999, "{draw:?}");
    }
}

#[test]
fn the_price_of_draws_sends_playouts_to_them_or_away() {
    // A game that will be drawn, but is not over yet.
    let draws = Tree::Branch(Player::Second, (0..200).map(|_| Arc::new(Tree::Leaf(0))).collect());
    let risk = lottery(&mut Rng::new(3), 30, 5);
    let tree = WinGame::new(Tree::Branch(Player::First, vec![Arc::new(draws), Arc::new(risk)]));
    for selection in ["uct", "puct"] {
        let to_the_draw = |draw_score| {
            let settings = [("draw_score", draw_score), ("selection", selection), ("solver", "false")];
            line_of(&search(&settings, &tree, 400, 2), 0).visits.expect("visits")
        };
        let [low, even, high] = ["-1", "0", "1"].map(to_the_draw);
        assert!(low < even / 2 && even < high, "{selection}: {low}, {even}, {high}");
    }
}

/// The mean value of all root moves for the player to move, by visits.
fn mean_value(report: &Report) -> f64 {
    let value = |line: &PrincipalVariation| match line.score {
        Meaning::Expected(mean) => mean * line.visits.expect("visits") as f64,
        other => panic!("{other:?} is not a mean"),
    };
    report.lines.iter().map(value).sum::<f64>() / visits(report).iter().sum::<u64>() as f64
}

fn big_tree(mover: Player) -> WinGame {
    WinGame::new(ordered_tree(Order::BestLast, mover, 3, 6))
}

#[test]
fn certain_results_are_certain_whatever_draws_and_players_are_worth() {
    let settings = [
        ("draw_score", "-0.7"),
        ("contempt", "200"),
        ("evaluator", "random"),
        ("multipv_steers", "true"),
        ("max_collision_visits_scaling_end", "1000"),
        ("two_fold_draws", "true"),
    ];
    for seed in 0..100 {
        let tree = WinGame::new(random_tree(&mut Rng::new(seed), 5, 4, 1));
        if tree.outcome().is_some() {
            continue;
        }
        let report = search(&settings, &tree, 100_000, 3);
        assert_eq!(report.stopped, Some(StopReason::Solved), "seed {seed}");
        let found = match report.lines[0].score {
            Meaning::WinIn(_) => 1,
            Meaning::LossIn(_) => -1,
            Meaning::Opinion(0) => 0,
            other => panic!("seed {seed}: {other:?} is not certain"),
        };
        let best = value_by_definition(&tree.tree);
        assert_eq!(found, if tree.to_move() == Player::First { best } else { -best }, "seed {seed}");
    }
}

#[test]
fn contempt_makes_the_tree_think_more_of_one_player_than_it_shows() {
    let plain = [("evaluator", "random"), ("solver", "false"), ("minibatch_size", "1")];
    let mean =
        |mover, more: &Settings| mean_value(&search(&[&plain[..], more].concat(), &big_tree(mover), 200, 9));
    for (mover, own, other) in [
        (Player::First, "first_side_analysis", "second_side_analysis"),
        (Player::Second, "second_side_analysis", "first_side_analysis"),
    ] {
        let with = |mode, objectivity| {
            mean(
                mover,
                &[("contempt", "300"), ("contempt_mode", mode), ("wdl_eval_objectivity", objectivity)],
            )
        };
        let even = mean(mover, &[]);
        assert!(with(own, "0") > even + 0.1, "{} and {even}", with(own, "0"));
        assert!(with(other, "0") < even - 0.1);
        assert_eq!(with("play", "0"), with(own, "0"), "the player to move is meant");
        assert_eq!(with("disable", "0"), even);
        assert!(with(own, "1") < with(own, "0.5") && with(own, "0.5") < with(own, "0"), "less is shown");
        // The same draw rate as before: nothing to change.
        let rates = [("wdl_draw_rate_target", "0.6"), ("wdl_draw_rate_reference", "0.6")];
        assert_eq!(mean(mover, &rates), even);
    }
}

#[test]
fn a_tree_with_contempt_for_one_player_is_not_used_for_the_other() {
    let limits = Limits { nodes: Some(200), lines: 9, ..Limits::default() };
    let all_visits = |contempt| {
        let mut search = mcts(&[("evaluator", "random"), ("solver", "false"), ("contempt", contempt)]);
        let mut line = Line::new(big_tree(Player::First));
        let first = run(&mut search, &line, &limits, 0.0);
        line.play(first.best_move().expect("a move"));
        visits(&run(&mut search, &line, &limits, 0.0)).iter().sum::<u64>()
    };
    assert!(all_visits("0") > 200, "kept from the first search");
    assert_eq!(all_visits("100"), 199, "begun anew");
}

#[test]
fn collisions_that_are_fewer_in_small_trees_lose_no_playout() {
    let plain = [("evaluator", "random"), ("solver", "false"), ("minibatch_size", "64")];
    let scaled = [("max_collision_visits_scaling_end", "100000")];
    let run = |more: &Settings| {
        let tree = WinGame::new(ordered_tree(Order::BestFirst, Player::First, 3, 6));
        let report = search(&[&plain[..], more].concat(), &tree, 500, 9);
        (report.counters.nodes, visits(&report).iter().sum::<u64>(), report.lines)
    };
    let (all, few) = (run(&[]), run(&scaled));
    assert_eq!((few.0, few.1), (500, 499));
    assert_ne!(all.2, few.2, "batches end sooner");
}

/// Two players who may each turn their own coin, or give up. Nothing else ever happens, so that positions come back every four plies.
#[derive(Clone, Debug, PartialEq)]
struct Coins {
    coins: u64,
    to_move: Player,
    plies: usize,
    winner: Option<Player>,
}

impl Game for Coins {
    type Rules = ();
    type Moves = Vec<Move>;
    const REPEATS: bool = true;

    fn start((): &()) -> Coins {
        Coins { coins: 0, to_move: Player::First, plies: 0, winner: None }
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        vec![Move::new(0), Move::new(1)]
    }

    fn play(&mut self, m: Move) {
        match m.bits() {
            0 => (self.coins, self.plies) = (self.coins ^ 1 << self.to_move.index(), self.plies + 1),
            _ => self.winner = Some(!self.to_move),
        }
        self.to_move = !self.to_move;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::win)
    }

    fn key(&self) -> u64 {
        self.coins << 1 | self.to_move.index() as u64
    }

    fn reversible_plies(&self) -> usize {
        self.plies
    }

    fn repeated(&self, times: usize) -> Option<Outcome> {
        (times >= 3).then_some(Outcome::DRAW)
    }
}

/// How many plies of turning coins the tree holds.
fn turning_plies(grown: &GrownMove) -> usize {
    let next = grown.replies.iter().find(|reply| reply.m == Some(Move::new(0)));
    next.map_or(0, |reply| 1 + turning_plies(reply))
}

#[test]
fn a_position_that_comes_back_within_the_tree_counts_as_drawn_but_is_not_proved_to_be() {
    for dag in ["false", "true"] {
        for evaluator in ["uniform", "rollouts"] {
            let settings = |two_fold| [("two_fold_draws", two_fold), ("evaluator", evaluator), ("dag", dag)];
            let limits = Limits { nodes: Some(400), lines: 2, ..Limits::default() };
            let line = Line::new(Coins::start(&()));
            let mut thrice = mcts(&settings("false"));
            let report = run(&mut thrice, &line, &limits, 0.0);
            assert_eq!(
                (report.stopped, report.lines[0].score),
                (Some(StopReason::Solved), Meaning::Opinion(0))
            );
            let grown = Search::<Coins>::grown_tree(&thrice, 100, 1).expect("a tree");
            // A graph may have noted the end of the circle without another visit.
            assert!((7..=8).contains(&turning_plies(&grown)), "until the start is there for the third time");

            let mut twice = mcts(&settings("true"));
            let report = run(&mut twice, &line, &limits, 0.0);
            assert_eq!(report.stopped, Some(StopReason::Nodes), "not proved");
            assert_eq!(report.best_move(), Some(Move::new(0)));
            let grown = Search::<Coins>::grown_tree(&twice, 100, 1).expect("a tree");
            assert_eq!(turning_plies(&grown), 4, "until it does for the second time");

            // The first time is now behind the root: what counted as drawn is looked at as anything else.
            let mut later = line.clone();
            later.play(Move::new(0));
            later.play(Move::new(0));
            run(&mut twice, &later, &limits, 0.0);
            let grown = Search::<Coins>::grown_tree(&twice, 100, 1).expect("a tree");
            assert_eq!(turning_plies(&grown), 4, "from where the root is now");
        }
    }
}

#[test]
fn a_two_fold_draw_has_the_value_of_a_draw() {
    for dag in ["false", "true"] {
        let settings = [("two_fold_draws", "true"), ("draw_score", "0.5"), ("solver", "false"), ("dag", dag)];
        let limits = Limits { nodes: Some(2_000), lines: 2, ..Limits::default() };
        let report = run(&mut mcts(&settings), &Line::new(Coins::start(&())), &limits, 0.0);
        let known = report.lines[0].statistics.expect("counts");
        assert!(known.wdl[1] > 0.8 && (known.q - 0.5).abs() < 0.2, "{dag}: {known:?}");
    }
}

#[test]
fn values_are_shown_in_the_number_that_was_asked_for() {
    let plain = [("evaluator", "random"), ("solver", "false")];
    let shown = |score_type| {
        let settings = [&plain[..], &[("score_type", score_type)]].concat();
        let line = search(&settings, &big_tree(Player::First), 100, 1).lines.remove(0);
        line.statistics.expect("counts")
    };
    assert_eq!(shown("expected").shown, None);
    for (score_type, number) in [
        ("Q", (|q| 10_000.0 * q) as fn(f64) -> f64),
        ("win_percentage", |q| 5_000.0 + 5_000.0 * q),
        ("centipawn", |q| 90.0 * (1.563_754_189_7 * q).tan()),
    ] {
        let known = shown(score_type);
        let found = known.shown.expect("a number");
        assert_eq!((found.kind, found.value), (score_type, number(known.q).round() as i32));
    }
    // What is certain needs no number.
    let draw = search(&[("score_type", "centipawn")], &draw_or_risk(Player::First), 50, 2);
    assert_eq!(line_of(&draw, 0).statistics.expect("counts").shown, None);
}

#[test]
fn each_line_counts_its_own_nodes_if_it_is_asked_to() {
    let lines = |counters| search(&[("per_pv_counters", counters)], &big_tree(Player::First), 100, 3).lines;
    assert!(lines("false").iter().all(|line| line.nodes.is_none()));
    assert!(lines("true").iter().all(|line| line.nodes == line.visits && line.nodes > Some(0)));
}

#[test]
fn playouts_are_steered_to_all_the_lines_that_are_shown() {
    let tree = lotteries(Player::First, &[60, 5, 90, 20, 10, 15, 5, 30]);
    for evaluator in ["rollouts", "uniform"] {
        for threads in ["1", "2"] {
            let plain =
                [("evaluator", evaluator), ("solver", "false"), ("threads", threads), ("cpuct", "0.5")];
            let with = |more: &Settings| search(&[&plain[..], more].concat(), &tree, 4_000, 8);
            let limits = Limits { nodes: Some(4_000), lines: 4, ..Limits::default() };
            let steer = |share| {
                let settings = [&plain[..], &[("multipv_steers", "true"), ("multipv_share", share)]].concat();
                let mut search = mcts(&settings);
                let report = run(&mut search, &Line::new(tree.clone()), &limits, 0.0);
                let grown = Search::<WinGame>::grown_tree(&search, 1, 1).expect("a tree");
                (report, grown.replies.iter().map(|reply| reply.visits).sum::<u64>())
            };
            let (free, (steered, all)) = (with(&[]), steer("0.5"));
            assert_eq!(all, 3_999, "every playout counts once");
            assert_eq!(free.best_move(), steered.best_move());
            let (free, steered) = (visits(&free), visits(&steered));
            for line in 1..4 {
                // Threads that wait for each other on a busy machine steer less well.
                let least = if threads == "1" { 200 } else { 50 };
                assert!(steered[line] >= least, "{evaluator}: {free:?}, {steered:?}");
            }
            if evaluator == "rollouts" {
                assert!(steered[3] > 10 * free[3], "{free:?}, {steered:?}");
            }
            assert_eq!(steer("0").1, 3_999);
        }
    }
}

#[test]
fn steering_to_one_line_or_by_no_share_changes_nothing() {
    let tree = lotteries(Player::Second, &[60, 5, 90, 20]);
    let settings = |share| [("multipv_steers", "true"), ("multipv_share", share)];
    let plain = search(&[], &tree, 500, 4).lines;
    assert_eq!(search(&settings("0"), &tree, 500, 4).lines, plain);
    let one = search(&settings("1"), &tree, 500, 1).lines;
    assert_eq!(one[0], plain[0]);
    assert_ne!(search(&settings("0.5"), &tree, 500, 4).lines, plain);
}

#[test]
fn root_moves_that_cannot_catch_up_get_no_more_playouts_under_smart_pruning() {
    // Two moves that keep each other in doubt, and others far behind.
    let tree = lotteries(Player::First, &[80, 80, 20, 20, 20, 20]);
    let limits = Limits { nodes: Some(3_000), lines: 9, ..Limits::default() };
    for (selection, batch) in [("uct", "1"), ("puct", "1"), ("puct", "16")] {
        let with = |factor| {
            let settings = [
                ("selection", selection),
                ("minibatch_size", batch),
                ("solver", "false"),
                ("exploration", "2"),
            ];
            run(&mut mcts(&settings), &Line::new(tree.clone()), &limits, factor)
        };
        let (all, pruned) = (with(0.0), with(1.0));
        assert_eq!(all.best_move(), pruned.best_move());
        assert_eq!(visits(&pruned).iter().sum::<u64>(), pruned.counters.nodes - 1);
        let behind = |report: &Report| visits(report)[2..].iter().sum::<u64>() as f64;
        let shares = [&all, &pruned].map(|report| behind(report) / report.counters.nodes as f64);
        assert!(shares[1] < 0.95 * shares[0], "{selection}: {shares:?}");
    }
}

#[test]
fn contempt_shows_nothing_of_evaluators_that_know_no_draws() {
    let plain = [("evaluator", "rollouts"), ("solver", "false")];
    let contempt = [("contempt", "200"), ("contempt_mode", "first_side_analysis")];
    let with = |more: &[(&'static str, &'static str)]| {
        search(&[&plain[..], more].concat(), &big_tree(Player::First), 300, 9).lines
    };
    assert_eq!(with(&[]), with(&contempt));
}

#[test]
fn noise_reaches_roots_without_a_policy() {
    let with = |epsilon: &'static str| {
        let settings = [("evaluator", "rollouts"), ("noise_epsilon", epsilon), ("noise_alpha", "0.1")];
        let lines = search(&settings, &big_tree(Player::First), 50, 9).lines;
        let mut priors: Vec<f64> = lines.iter().filter_map(|line| Some(line.statistics?.prior)).collect();
        priors.sort_by(f64::total_cmp);
        priors
    };
    let (even, noisy) = (with("0"), with("0.8"));
    assert!(even.windows(2).all(|pair| pair[0] == pair[1]) && noisy[0] < noisy[noisy.len() - 1], "{noisy:?}");
}

#[test]
fn a_tree_is_kept_unless_a_setting_says_that_it_means_something_else() {
    const NODES: u64 = 60;
    const LOSING: [Attribute; 2] = [Attribute::Meaning, Attribute::Layout];
    let line = Line::new(WinGame::new(ordered_tree(Order::BestLast, Player::First, 3, 6)));
    let limits = Limits { nodes: Some(NODES), lines: 1000, ..Limits::default() };
    // Whom contempt favours makes no difference without any.
    let is_kept = |evaluator, index, value: &OptionValue| {
        let mut search = mcts(&[("evaluator", evaluator), ("contempt", "50")]);
        run(&mut search, &line, &limits, 0.0);
        Search::<WinGame>::options_mut(&mut search).assign(index, value.clone());
        let report = run(&mut search, &line, &limits, 0.0);
        let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
        visits > NODES * 3 / 2
    };
    for (index, row) in MctsOptions::default().rows().into_iter().enumerate() {
        // Without it nothing is taken over, but what there is means the same.
        if row.name == "tree_reuse" {
            continue;
        }
        let others: Vec<_> = row.samples().into_iter().filter(|value| *value != row.default).collect();
        let kept: Vec<_> = ["rollouts", "random"]
            .into_iter()
            .flat_map(|evaluator| others.iter().map(move |value| is_kept(evaluator, index, value)))
            .collect();
        match LOSING.into_iter().any(|attribute| row.is(attribute)) {
            true => assert!(kept.contains(&false), "{} makes no difference", row.name),
            false => assert!(!kept.contains(&false), "{} loses the tree: {others:?} {kept:?}", row.name),
        }
    }
}
