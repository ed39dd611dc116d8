//! What the Monte Carlo tree search makes of a game's knowledge: promises, moves left out, results that are seen at leaves, wins by force.

use std::sync::Arc;

use crate::common::mcts::search_line;
use crate::common::{Tree, WinGame, random_tree};
use outplay_core::{Game, Line, Move, Outcome, Player, Rng, mix};
use outplay_search::mcts::Mcts;
use outplay_search::{
    Bundle, Evaluation, ForcedWin, Limits, Meaning, NoKnowledge, Oracle, Policy, Report, Search, StopReason,
    Tactics,
};

/// Who wins a tree and in how many plies, the winner as soon and the loser as late as possible: 1, 0 or -1 for the first player.
fn solve(tree: &Tree) -> (i8, u32) {
    match tree {
        Tree::Leaf(value) => (value.signum() as i8, 0),
        Tree::Branch(mover, children) => {
            let sign = if *mover == Player::First { 1 } else { -1 };
            let liked = |&(result, plies): &(i8, u32)| {
                let result = i64::from(sign * result);
                (result, -result * i64::from(plies))
            };
            let (result, plies) =
                children.iter().map(|child| solve(child)).max_by_key(liked).expect("a move");
            (result, plies + 1)
        }
    }
}

/// The same for the player to move.
fn solve_for_mover(position: &WinGame) -> (i8, u32) {
    let (result, plies) = solve(&position.tree);
    (if position.to_move() == Player::First { result } else { -result }, plies)
}

/// Knows some things of random trees, all of them true, and likes the wrong moves as often as the right ones.
#[derive(Clone, Copy)]
struct Seer {
    /// How many moves it thinks worth a try.
    width: usize,
    /// One in so many of the things that it could see it sees.
    blindness: u64,
}

impl Seer {
    fn sees(&self, position: &WinGame, what: u64) -> bool {
        mix(position.key() ^ what << 32).is_multiple_of(self.blindness)
    }
}

impl Evaluation<WinGame> for Seer {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &WinGame) -> i32 {
        (mix(position.key()) % 200) as i32 - 100
    }
}

impl Tactics<WinGame> for Seer {
    type State = ();

    fn state(&self) {}

    fn visit_quiet(&self, (): &mut (), position: &WinGame, mut visit: impl FnMut(Move, usize, Option<i32>)) {
        let loses = |m: Move| {
            let (result, _) = solve(&position.after(m).tree);
            result == if position.to_move() == Player::First { -1 } else { 1 }
        };
        let moves = position.legal_moves();
        let is_lost = moves.iter().all(|&m| loses(m));
        for m in moves {
            let is_left_out = !is_lost && loses(m) && self.sees(&position.after(m), 1);
            let score = (mix(position.after(m).key()) % 1_000) as i32;
            visit(m, 0, (!is_left_out).then_some(score));
        }
    }

    fn candidates(&self, _: &WinGame, _: i32) -> Option<usize> {
        Some(self.width)
    }
}

impl Policy<WinGame> for Seer {
    fn logit(&self, ordering_score: i32) -> Option<f32> {
        Some(ordering_score as f32 / 300.0)
    }
}

impl Oracle<WinGame> for Seer {
    type State = ();

    fn state(&self) {}

    fn at_sight(&self, position: &WinGame) -> Option<(Outcome, usize)> {
        let (result, plies) = solve(&position.tree);
        let outcome = Outcome::from_margin(result.into(), Player::First);
        self.sees(position, 2).then_some((outcome, plies as usize))
    }

    fn wins_by_force(&self, (): &mut (), position: &WinGame, _: i32, _: &dyn Fn() -> bool) -> Option<bool> {
        Some(solve_for_mover(position).0 == 1 && self.sees(position, 3))
    }

    fn forced_win(&self, (): &mut (), position: &WinGame, _: u64, _: &dyn Fn() -> bool) -> Option<ForcedWin> {
        let (result, plies) = solve_for_mover(position);
        let wins = |m: &Move| {
            let (after, left) = solve(&position.after(*m).tree);
            let sign = if position.to_move() == Player::First { 1 } else { -1 };
            after * sign == 1 && left + 1 == plies
        };
        let first = position.legal_moves().into_iter().find(wins).filter(|_| result == 1)?;
        Some(ForcedWin { line: vec![first], plies: plies as usize })
    }
}

type Seeing = Bundle<Seer, Seer, Seer, Seer>;

type Settings<'a> = &'a [(&'a str, &'a str)];

fn mcts(settings: Settings, seer: Seer) -> Mcts<WinGame, Seeing> {
    let mut search = Mcts::new(Bundle::whole(seer));
    for (name, value) in [&[("evaluator", "static")], settings].concat() {
        Search::<WinGame>::options_mut(&mut search).set(name, value).expect("an option");
    }
    search
}

fn search(settings: Settings, seer: Seer, tree: &WinGame, nodes: u64) -> Report {
    let limits = Limits { nodes: Some(nodes), lines: 1_000, ..Limits::default() };
    search_line(&mut mcts(settings, seer), &Line::new(tree.clone()), &limits)
}

/// What is claimed for the player to move: the result, and within how many plies, if that is claimed too.
fn claim(score: Meaning) -> Option<(i8, Option<u32>)> {
    match score {
        Meaning::WinIn(plies) => Some((1, Some(plies))),
        Meaning::LossIn(plies) => Some((-1, Some(plies))),
        Meaning::WON_SOMEHOW => Some((1, None)),
        Meaning::LOST_SOMEHOW => Some((-1, None)),
        Meaning::Opinion(0) => Some((0, None)),
        Meaning::Expected(_) => None,
        other => panic!("{other:?} is not a claim that this search can make"),
    }
}

/// Counts the claims of a report, all of which have to be true.
fn true_claims(report: &Report, tree: &WinGame, about: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    for line in &report.lines {
        let Some((result, within)) = claim(line.score) else { continue };
        let (truth, plies) = solve(&tree.after(line.moves[0]).tree);
        let truth = if tree.to_move() == Player::First { truth } else { -truth };
        assert_eq!(result, truth, "{about}: {line:?}");
        if let Some(within) = within {
            assert!(plies < within, "{about}: it takes {plies} and one, not {line:?}");
        }
        counts[(result + 1) as usize] += 1;
    }
    counts
}

fn random_games() -> impl Iterator<Item = (u64, WinGame)> {
    (0..60)
        .map(|seed| (seed, WinGame::new(random_tree(&mut Rng::new(seed), 7, 5, 1))))
        .filter(|(_, tree)| tree.outcome().is_none())
}

/// One that takes many playouts.
fn large_game() -> WinGame {
    fn size(tree: &Tree) -> usize {
        match tree {
            Tree::Leaf(_) => 1,
            Tree::Branch(_, children) => 1 + children.iter().map(|child| size(child)).sum::<usize>(),
        }
    }
    let trees = (0..).map(|seed| random_tree(&mut Rng::new(seed), 9, 6, 1));
    let has_choice = |tree: &Tree| matches!(tree, Tree::Branch(_, children) if children.len() > 4);
    let large = trees.into_iter().find(|tree| size(tree) > 3_000 && has_choice(tree));
    WinGame::new(large.expect("there are large ones"))
}

const WAYS: [Settings; 6] = [
    &[],
    &[("dag", "true")],
    &[("threads", "2")],
    &[("selection", "uct")],
    &[("minibatch_size", "8"), ("rave", "true")],
    &[("evaluation_threads", "1"), ("nncache", "100")],
];

#[test]
fn whatever_is_claimed_is_true_although_moves_are_left_out() {
    let mut counts = [0; 3];
    for (seed, tree) in random_games() {
        for (number, way) in WAYS.into_iter().enumerate() {
            for (width, blindness) in [(1, 3), (2, 3), (2, 1), (3, 10)] {
                let about = format!("seed {seed}, way {number}, width {width}, blindness {blindness}");
                let report = search(way, Seer { width, blindness }, &tree, 300);
                let found = true_claims(&report, &tree, &about);
                counts = [0, 1, 2].map(|result| counts[result] + found[result]);
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 150), "{counts:?}");
}

#[test]
fn where_nothing_is_left_out_but_losses_games_are_solved() {
    for (seed, tree) in random_games() {
        let (result, plies) = solve_for_mover(&tree);
        for way in WAYS {
            for (distance, blindness) in [("false", 2), ("false", 10), ("true", 2)] {
                let settings = [way, &[("candidates", "false"), ("solver_exact", distance)]].concat();
                let report = search(&settings, Seer { width: 1, blindness }, &tree, 100_000);
                let about = format!("seed {seed}, {settings:?}, blindness {blindness}");
                assert_eq!(report.stopped, Some(StopReason::Solved), "{about}");
                true_claims(&report, &tree, &about);
                let (claimed, within) = claim(report.lines[0].score).expect("a claim");
                assert_eq!(claimed, result, "{about}");
                if distance == "true" && result != 0 {
                    assert_eq!(within, Some(plies), "{about}");
                }
            }
        }
    }
}

/// A tree in which the second player, after the only move, is lost but for one answer, and does not think it worth a try.
fn one_way_out() -> WinGame {
    let leaf = |value| Arc::new(Tree::Leaf(value));
    let lost = || Arc::new(Tree::Branch(Player::First, vec![leaf(-1), leaf(1)]));
    let answers = (0..6).map(|_| lost()).chain([leaf(-1)]).collect();
    WinGame::new(Tree::Branch(Player::First, vec![Arc::new(Tree::Branch(Player::Second, answers))]))
}

/// Thinks that moves are the worse the later they come.
struct Misled;

impl Tactics<WinGame> for Misled {
    type State = ();

    fn state(&self) {}

    fn visit_quiet(&self, (): &mut (), position: &WinGame, mut visit: impl FnMut(Move, usize, Option<i32>)) {
        position.legal_moves().into_iter().for_each(|m| visit(m, 0, Some(-(m.index() as i32))));
    }

    fn candidates(&self, _: &WinGame, _: i32) -> Option<usize> {
        Some(3)
    }
}

impl Policy<WinGame> for Misled {
    fn logit(&self, ordering_score: i32) -> Option<f32> {
        Some(ordering_score as f32)
    }
}

fn misled_mcts() -> Mcts<WinGame, Bundle<NoKnowledge, Misled, NoKnowledge, Misled>> {
    Mcts::new(Bundle { evaluation: NoKnowledge, tactics: Misled, oracle: NoKnowledge, policy: Misled })
}

#[test]
fn a_position_is_not_lost_because_the_moves_that_were_looked_at_lose() {
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    let found = |settings: Settings| {
        let mut search = misled_mcts();
        for (name, value) in [&[("evaluator", "static")], settings].concat() {
            Search::<WinGame>::options_mut(&mut search).set(name, value).expect("an option");
        }
        let report = search_line(&mut search, &Line::new(one_way_out()), &limits);
        let grown = Search::<WinGame>::grown_tree(&search, 2, 0).expect("a tree");
        (report.lines[0].score, grown.replies[0].replies.len())
    };
    let (score, answers) = found(&[]);
    assert!(
        matches!(score, Meaning::Expected(value) if value > 0.9),
        "it looks lost to the opponent: {score:?}"
    );
    assert_eq!(answers, 3, "of seven");
    assert_eq!(found(&[("candidate_share", "2")]).1, 6);
    assert_eq!(found(&[("candidates", "false")]).0, Meaning::LossIn(2), "with all answers it is clear");
    assert_eq!(
        found(&[("ordering_priors", "false")]).0,
        Meaning::LossIn(2),
        "without promises nothing is left out"
    );
}

#[test]
fn the_root_leaves_nothing_out_that_could_save_it() {
    let Tree::Branch(_, children) = &*one_way_out().tree else { unreachable!("it is a branch") };
    let Tree::Branch(player, answers) = &*children[0] else { unreachable!("it is a branch") };
    let tree = WinGame::new(Tree::Branch(*player, answers.clone()));
    let mut search = misled_mcts();
    Search::<WinGame>::options_mut(&mut search).set("evaluator", "static").expect("an option");
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    let report = search_line(&mut search, &Line::new(tree), &limits);
    assert_eq!((report.best_move(), report.lines[0].score), (Some(Move::new(6)), Meaning::WinIn(1)));
}

#[test]
fn a_win_by_force_at_the_root_is_taken_at_once_unless_more_is_asked() {
    let mut taken = 0;
    for (seed, tree) in random_games() {
        let (result, plies) = solve_for_mover(&tree);
        let seer = Seer { width: 2, blindness: 1_000_000 };
        let best = |settings: Settings, lines: usize| {
            let limits = Limits { nodes: Some(50), lines, ..Limits::default() };
            search_line(&mut mcts(settings, seer), &Line::new(tree.clone()), &limits)
        };
        let report = best(&[], 1);
        let is_taken = report.counters.nodes == 0;
        assert_eq!(is_taken, result == 1, "seed {seed}");
        if is_taken {
            assert_eq!(report.lines[0].score, Meaning::WinIn(plies), "seed {seed}");
            assert_eq!(report.depth, plies);
            assert_eq!(report.stopped, Some(StopReason::Solved));
            taken += 1;
        }
        assert!(best(&[], 2).counters.nodes > 0, "two lines are asked for");
        for switch in [("forced_wins", "false"), ("forced_win_nodes", "0"), ("evaluator", "rollouts")] {
            assert!(best(&[switch], 1).counters.nodes > 0, "{switch:?}");
        }
    }
    assert!(taken > 10, "{taken}");
}

#[test]
fn each_switch_does_something_and_without_knowledge_none_does() {
    let tree = large_game();
    let seer = Seer { width: 2, blindness: 20 };
    let grown = |settings: Settings, seer: Option<Seer>| {
        let limits = Limits { nodes: Some(200), lines: 1_000, ..Limits::default() };
        let settings = [&[("evaluator", "static")], settings].concat();
        match seer {
            Some(seer) => {
                let mut search = mcts(&settings, seer);
                search_line(&mut search, &Line::new(tree.clone()), &limits);
                Search::<WinGame>::grown_tree(&search, 20, 1)
            }
            None => {
                let mut search = crate::common::mcts::mcts(&settings);
                search_line(&mut search, &Line::new(tree.clone()), &limits);
                Search::<WinGame>::grown_tree(&search, 20, 1)
            }
        }
    };
    for switch in ["ordering_priors", "candidates", "oracle", "forced_wins"] {
        let off = [(switch, "false")];
        assert_ne!(grown(&off, Some(seer)), grown(&[], Some(seer)), "{switch}");
        assert_eq!(grown(&off, None), grown(&[], None), "{switch}");
    }
}

#[test]
fn trees_in_which_moves_are_left_out_are_saved_and_taken_over() {
    for dag in ["false", "true"] {
        let (settings, seer) = ([("dag", dag)], Seer { width: 2, blindness: 50 });
        let tree = large_game();
        let (mut search, line) = (mcts(&settings, seer), Line::new(tree.clone()));
        let limits = Limits { nodes: Some(100), lines: 1_000, ..Limits::default() };
        search_line(&mut search, &line, &limits);
        let mut file = Vec::new();
        Search::<WinGame>::save_tree(&search, &mut file).expect("a tree");
        let mut loaded = mcts(&settings, seer);
        loaded.load_tree(&tree, &mut &file[..]).expect("its own file");
        let tree_of = |search: &Mcts<WinGame, Seeing>| Search::<WinGame>::grown_tree(search, 20, 1);
        assert_eq!(tree_of(&loaded), tree_of(&search));
        for search in [&mut search, &mut loaded] {
            search_line(search, &line, &limits);
        }
        assert_eq!(tree_of(&loaded), tree_of(&search));
        let mut other = mcts(&[("dag", dag), ("candidates", "false")], seer);
        let error = other.load_tree(&tree, &mut &file[..]).expect_err("other settings");
        assert!(error.to_string().contains("candidates"), "{error}");
    }
}
