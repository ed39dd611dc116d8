//! Every lesson shows what it says.

use std::collections::HashSet;

use outplay_engine::lessons::{
    Case, ComparedCase, Demonstration, Iteration, Lesson, LessonSettings, Shows, Topic, Verdict, demonstrate,
};
use outplay_engine::{Catalogue, SessionError, open};
use outplay_search::Score;

fn lessons() -> Vec<(String, &'static Lesson)> {
    Catalogue::standard().lessons()
}

fn shown_with(name: &str, chosen: &[(&str, f64)]) -> Demonstration {
    let (game, lesson) = Catalogue::standard().lesson(name).expect("a lesson");
    let settings = LessonSettings::new(lesson, chosen.iter().copied()).expect("settings");
    let mut session = open(&game).expect("a game");
    demonstrate(lesson, &settings, &mut *session).expect(name).expect("something measured")
}

#[test]
fn the_course_has_every_topic_in_order_and_three_lessons_to_begin_with() {
    let lessons = lessons();
    let names: HashSet<&str> = lessons.iter().map(|(_, lesson)| lesson.name).collect();
    assert_eq!(names.len(), lessons.len(), "names are different");
    assert!(lessons.is_sorted_by_key(|(_, lesson)| lesson.topic));
    for topic in Topic::ALL {
        assert!(lessons.iter().any(|(_, lesson)| lesson.topic == topic), "{topic:?}");
    }
    assert_eq!(lessons.iter().filter(|(_, lesson)| lesson.featured).count(), 3);
    for (_, lesson) in lessons {
        for sentence in [lesson.aim, lesson.attempt] {
            assert!(sentence.ends_with(['.', '?']), "{}: {sentence:?}", lesson.name);
        }
    }
}

#[test]
fn every_search_that_is_followed_by_hand_is_small_enough() {
    for (game, lesson) in lessons() {
        let mut session = open(&game).expect("a game");
        session.set_game(lesson.start, &lesson.moves.join(" ")).expect(lesson.name);
        match lesson.shows {
            Shows::Tree { search, depth } => {
                let explained = session.explain(search, depth, 2_000).expect(lesson.name);
                let cutoffs = explained.counters.cutoffs.unwrap_or_default().all;
                assert_eq!(cutoffs > 0, search == "alphabeta", "{}", lesson.name);
            }
            Shows::Simulations { search, simulations } => {
                session.set_option("search", search).expect("a search");
                let recorded = session.explain_simulations(simulations, 100_000).expect(lesson.name);
                assert_eq!(recorded.simulations.len() as u64, simulations, "{}", lesson.name);
            }
            _ => (),
        }
    }
}

fn best(side: &[Iteration]) -> &str {
    &side.last().expect("a depth").line[0]
}

fn check(lesson: &Lesson, depth: u32, case: &Case, measured: &ComparedCase) {
    let (with, without) = (&measured.with, &measured.without);
    let at = format!("{}: {}: with {with:?}, without {without:?}", lesson.name, case.caption);
    assert_eq!(with.last().expect("a depth").depth, depth, "{at}");
    match case.verdict {
        Verdict::Saves { percent } => {
            let nodes = |side: &[Iteration]| side.last().expect("a depth").nodes;
            assert!(best(with) == best(without) && nodes(with) * 100 <= nodes(without) * percent, "{at}");
        }
        Verdict::Errs { best: good } if without.is_empty() => {
            assert!(best(with) == good && with[0].line[0] != good, "{at}");
        }
        Verdict::Errs { best: good } => assert!(best(with) != good && best(without) == good, "{at}"),
        Verdict::Mends { best: good } => assert!(best(with) == good && best(without) != good, "{at}"),
    }
}

#[test]
fn techniques_save_and_err_where_their_lessons_say_so() {
    for (game, lesson) in lessons() {
        let Shows::Technique(technique) = lesson.shows else { continue };
        let settings = LessonSettings::new(lesson, []).expect("the usual");
        let mut session = open(&game).expect("a game");
        let Ok(Some(Demonstration::Technique { cases })) = demonstrate(lesson, &settings, &mut *session)
        else {
            panic!("{}", lesson.name);
        };
        assert_eq!(cases.len(), technique.cases.len());
        for (case, measured) in technique.cases.iter().zip(&cases) {
            check(lesson, technique.depth, case, measured);
            assert_eq!(
                measured.counted.len(),
                technique.counters.len(),
                "{}: names of counters",
                lesson.name
            );
        }
        let counted = |index: usize| cases.iter().map(|case| case.counted[index].1).sum::<u64>();
        assert!((0..technique.counters.len()).all(|index| counted(index) > 0), "{}: {cases:?}", lesson.name);
    }
}

#[test]
fn what_prunes_and_reduces_saves_work_in_one_position_and_errs_in_another() {
    for (_, lesson) in lessons() {
        let Shows::Technique(technique) = lesson.shows else { continue };
        if matches!(lesson.topic, Topic::NullMove | Topic::Futility | Topic::LateMoveReductions) {
            let verdicts = technique.cases.iter().map(|case| case.verdict);
            let kinds: Vec<bool> = verdicts.map(|verdict| matches!(verdict, Verdict::Errs { .. })).collect();
            assert_eq!(kinds, [false, true], "{}", lesson.name);
        }
    }
}

#[test]
fn growth_counts_what_the_formulas_say() {
    let Demonstration::Growth(growth) = shown_with("growth", &[("branching", 3.0), ("depth", 12.0)]) else {
        panic!("a plot");
    };
    // Trees of 3^10 leaves are too large.
    assert_eq!(growth.depths.len(), 9);
    for at in &growth.depths {
        assert_eq!((at.best_order, at.worst_order), (at.fewest, at.all));
        assert!(at.random_order >= at.fewest as f64 && at.random_order <= at.all as f64);
    }
    let last = growth.depths.last().expect("a depth");
    assert_eq!((last.all, last.fewest), (19_683, 243 + 81 - 1));
    assert!((last.rule_of_thumb / 3f64.powf(6.75) - 1.0).abs() < 1e-12);
}

#[test]
fn both_orders_of_moves_lead_to_one_key_and_each_move_changes_it_by_its_own_word() {
    let Demonstration::Keys(keys) = shown_with("zobrist", &[]) else { panic!("keys") };
    assert!(keys.meet);
    let [one, other] = &keys.ways;
    assert_ne!(one.steps[0].key, other.steps[0].key);
    let number = |digits: &str| u64::from_str_radix(digits, 16).expect("sixteen digits");
    for way in &keys.ways {
        let changes = way.steps.iter().map(|step| number(&step.change));
        let end = changes.fold(number(&keys.start), |key, change| key ^ change);
        assert_eq!(end, number(&way.steps.last().expect("a move").key));
    }
    for step in &one.steps {
        let same = other.steps.iter().find(|found| found.text == step.text).expect("the same moves");
        assert_eq!(step.change, same.change, "{}", step.text);
    }
}

#[test]
fn each_simulation_goes_to_the_move_with_the_highest_q_plus_u() {
    let Demonstration::Puct(puct) = shown_with("puct", &[("simulations", 120.0)]) else { panic!("a table") };
    assert_eq!(puct.steps.len(), 121);
    for (number, pair) in puct.steps.windows(2).enumerate() {
        let [before, after] = pair else { unreachable!() };
        assert_eq!(after.tried, before.next(), "simulation {}: {before:?}", number + 1);
        let visits: u64 = after.moves.iter().map(|one| one.n).sum();
        assert_eq!(visits, number as u64 + 1);
        for one in &after.moves {
            let u = puct.c * one.p * (visits as f64).sqrt() / (1 + one.n) as f64;
            assert!((one.u - u).abs() < 2e-3, "{one:?}: {u}");
        }
    }
    let last = puct.steps.last().expect("a table");
    // The network is wrong about the position, and the search finds that out.
    let most = last.moves.iter().max_by_key(|one| one.n).expect("moves");
    assert!(most.p < 0.1 && last.moves[0].p > 0.3 && most.text != last.moves[0].text, "{last:?}");
    let whole: f64 = last.moves.iter().map(|one| one.p).sum();
    assert!((whole - 1.0).abs() < 0.02, "{whole}");
    for shared in &puct.shared_out {
        assert!((shared.chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shared:?}");
    }
    let at_one = puct.shared_out.iter().find(|shared| shared.temperature == 1.0).expect("T = 1");
    for (chance, one) in at_one.chances.iter().zip(&last.moves) {
        assert!((chance - one.n as f64 / 120.0).abs() < 1e-9);
    }
}

#[test]
fn noise_keeps_a_distribution_and_moves_visits() {
    let Demonstration::Noise(noise) = shown_with("noise", &[("epsilon", 0.5)]) else { panic!("noise") };
    for draw in 0..noise.moves[0].draws.len() {
        let sum: f64 = noise.moves.iter().map(|one| one.draws[draw]).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        assert!(noise.moves.iter().all(|one| one.draws[draw] >= 0.5 * one.p - 1e-6));
    }
    let visits = |of: fn(&outplay_engine::lessons::NoisyMove) -> u64| noise.moves.iter().map(of).sum::<u64>();
    assert_eq!((visits(|one| one.n), visits(|one| one.n_with_noise)), (100, 100));
    assert!(noise.moves.iter().any(|one| one.n != one.n_with_noise));
    let Demonstration::Noise(none) = shown_with("noise", &[("epsilon", 0.0)]) else { panic!("noise") };
    assert!(none.moves.iter().all(|one| one.n == one.n_with_noise && (one.draws[0] - one.p).abs() < 1e-6));
}

#[test]
fn self_play_learns_the_shares_of_visits_and_the_result() {
    let Demonstration::SelfPlay(game) = shown_with("self-play", &[("simulations", 12.0)]) else {
        panic!("a game")
    };
    assert_eq!(game.positions.len(), game.moves.len());
    // A board has two symmetries.
    assert_eq!(game.samples, 2 * game.positions.len());
    for pair in game.positions.windows(2) {
        assert_eq!(pair[0].z, -pair[1].z);
    }
    for position in &game.positions {
        let sum: f64 = position.policy.iter().map(|one| one.share).sum();
        assert!((sum - 1.0).abs() < 1e-3 && position.policy.is_sorted_by(|a, b| a.share >= b.share));
    }
    let mut replay = open("connect4").expect("a game");
    replay.set_game(None, &game.moves.join(" ")).expect("the same moves");
    assert_eq!(replay.ending(), Some(game.result));
}

#[test]
fn what_a_lesson_does_not_have_is_refused_with_what_it_has() {
    let catalogue = Catalogue::standard();
    let refused = catalogue.lesson("nul-move").expect_err("a typing error");
    assert!(matches!(refused, SessionError::UnknownLesson { .. }));
    assert!(refused.to_string().contains("did you mean null-move?"), "{refused}");
    let (_, lesson) = catalogue.lesson("growth").expect("a lesson");
    let wrong = |name, value| LessonSettings::new(lesson, [(name, value)]).expect_err("refused");
    assert!(wrong("dept", 3.0).contains("did you mean depth?"), "{}", wrong("dept", 3.0));
    for value in [0.0, 13.0, 2.5, f64::NAN, f64::INFINITY] {
        assert!(wrong("depth", value).contains("a whole number from 1 to 12"), "{value}");
    }
}

/// Values of the plots' trees are told apart, however many leaves there are.
#[test]
fn the_largest_tree_fits_into_scores() {
    assert!(outplay_search::textbook::MOST_LEAVES as i32 / 2 <= Score::MOST_HEURISTIC.raw());
}
