//! The committed suite of middle games: what it claims, verified by the solver.

mod judge;
mod making;

use outplay_core::{Game, KnownResult, Problem, Records};

use super::checker::Checker;
use crate::position::Connect;
use crate::rules::Rules;
use crate::threats::Verdict;
use judge::{Judge, stones_of};

const SUITE: &str = include_str!("../../../../../../suites/connect6/middle-games.txt");

/// What a position asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Kind {
    /// To win by double threats.
    Attack,
    /// To prevent such a win.
    Defence,
    /// To win by double threats, but not by the one that promises most.
    FailingAttack,
    /// To prevent a win, which the double threat that promises most does not.
    LosingAttack,
}

const WANTED: [(Kind, usize); 4] =
    [(Kind::Attack, 12), (Kind::Defence, 12), (Kind::FailingAttack, 4), (Kind::LosingAttack, 2)];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Attack => "attack",
            Kind::Defence => "defence",
            Kind::FailingAttack => "failing attack",
            Kind::LosingAttack => "losing attack",
        }
    }
}

/// The problems with their kinds, by their names.
fn problems() -> Vec<(Kind, String, Problem<Connect>)> {
    let problems =
        Connect::read_problems(&Rules::CONNECT6, SUITE.as_bytes()).expect("a suite that can be read");
    let kind =
        |name: &str| WANTED.into_iter().map(|(kind, _)| kind).find(|kind| name.starts_with(kind.name()));
    problems
        .into_iter()
        .map(|problem| {
            let name = problem.id.clone().expect("a name");
            (kind(&name).expect("a kind"), name, problem)
        })
        .collect()
}

#[test]
fn there_are_as_many_of_each_kind_as_there_should_be() {
    for (kind, count) in WANTED {
        assert_eq!(problems().iter().filter(|(other, ..)| *other == kind).count(), count, "{kind:?}");
    }
}

#[test]
fn the_stones_of_attacks_are_proved_to_win() {
    let (mut judge, checker) = (Judge::new(), Checker::new(Rules::CONNECT6));
    for (_, name, problem) in problems() {
        let position = problem.position();
        if problem.known.result.is_none() {
            assert_eq!(judge.verdict(&position), Verdict::None, "{name}");
            assert!(matches!(judge.verdict_if_passed(&position), Verdict::Win(_)), "{name}");
            continue;
        }
        assert_eq!(problem.known.result, Some(KnownResult::Win), "{name}");
        for &stone in &problem.known.best {
            let placed = position.after(stone);
            let Verdict::Win(proof) = judge.verdict(&placed) else {
                panic!("{name}: {stone:?} does not win")
            };
            assert_eq!(checker.check(&placed, &proof, 2), Ok(()), "{name}: {stone:?}");
        }
    }
}

#[test]
fn what_is_to_be_avoided_is_the_double_threat_that_promises_most() {
    let judge = Judge::new();
    for (kind, name, problem) in problems() {
        let turn = judge.tempting_turn(&problem.position());
        let stones = turn.map(|turn| stones_of(&[turn])).unwrap_or_default();
        match kind {
            Kind::FailingAttack | Kind::LosingAttack => assert_eq!(problem.known.avoid, stones, "{name}"),
            Kind::Attack | Kind::Defence => assert!(problem.known.avoid.is_empty(), "{name}"),
        }
    }
}

#[test]
fn only_the_named_turns_hold_as_far_as_zones_tell() {
    let mut judge = Judge::new();
    for (_, name, problem) in problems().into_iter().filter(|(.., problem)| problem.known.result.is_none()) {
        let turns = judge.holding_turns(&problem.position()).expect("a decided position");
        assert_eq!(stones_of(&turns), problem.known.best, "{name}");
    }
}

#[test]
#[ignore = "every first stone, and every turn where one has to defend, takes minutes"]
fn no_other_stones_win_and_no_other_turns_hold() {
    let mut judge = Judge::new();
    for (_, name, problem) in problems() {
        let position = problem.position();
        let right = match problem.known.result {
            Some(_) => judge.winning_stones(&position),
            None => judge.holding_turns_of_all(&position).map(|turns| stones_of(&turns)),
        };
        assert_eq!(right, Some(problem.known.best), "{name}");
        println!("{name} is right");
    }
}
