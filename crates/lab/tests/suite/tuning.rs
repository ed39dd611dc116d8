//! Tuning settings: what is known to be best is found again, and neither order nor interruption changes anything.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use outplay_core::Rng;
use outplay_engine::Session;
use outplay_lab::stats::{EloModel, GameResult, Sprt, score_from_elo};
use outplay_lab::tune::{
    Axis, AxisError, AxisKind, Compare, Comparison, Course, CoursePlan, Gains, Job, Phase, Record, Search,
    TuneError, TuneFile, TuneReport, Verdict, axes_of, grid_size, play_course, read_axes, start_of,
    tune_page,
};

fn axis(name: &str, kind: AxisKind, (min, max): (f64, f64), step: f64, start: f64) -> Axis {
    Axis { name: name.to_string().into(), kind, min, max, step, start }
}

/// A smooth hill: what sides are worth, by the squares of their distances from its top.
#[derive(Clone)]
struct Hill {
    axes: Vec<Axis>,
    curvatures: Vec<f64>,
    top: Vec<f64>,
}

impl Hill {
    /// A hill of so many dimensions whose start lies 30 Elo below the top; a step costs two or three Elo there.
    fn new(dimensions: usize, seed: u64) -> Hill {
        let mut rng = Rng::new(seed);
        let mut about_one = || (0.7 * normal(&mut rng)).exp();
        let curvatures: Vec<f64> = (0..dimensions).map(|_| about_one()).collect();
        let mean = curvatures.iter().sum::<f64>() / dimensions as f64;
        let curvatures: Vec<f64> = curvatures.into_iter().map(|curvature| 2.5 * curvature / mean).collect();
        let top: Vec<f64> = (0..dimensions).map(|_| normal(&mut rng)).collect();
        let height: f64 = curvatures.iter().zip(&top).map(|(curvature, at)| curvature * at * at).sum();
        let top = top.into_iter().map(|at| at * (30.0 / height).sqrt()).collect();
        let axes = (0..dimensions)
            .map(|number| axis(&format!("p{number}"), AxisKind::Number, (-30.0, 30.0), 1.0, 0.0));
        Hill { axes: axes.collect(), curvatures, top }
    }

    /// How far below the top a point is, in Elo.
    fn below(&self, point: &[f64]) -> f64 {
        let along = self.curvatures.iter().zip(&self.top).zip(point);
        along.map(|((curvature, top), at)| curvature * (at - top).powi(2)).sum()
    }

    fn point(&self, settings: &[(String, String)]) -> Vec<f64> {
        let settings: HashMap<&str, &str> =
            settings.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.axes.iter().map(|axis| settings[&*axis.name].parse().expect("a number")).collect()
    }
}

fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

/// Half of the games are drawn where sides are equal, as in chess; what happens in a pair is decided by its number alone.
impl Compare for &Hill {
    fn compare(&mut self, job: &Job, _: &dyn Fn() -> bool) -> Result<Option<Comparison>, TuneError> {
        let [a, b] = job.settings.each_ref().map(|settings| self.below(&self.point(settings)));
        let score = score_from_elo(b - a);
        let mut rng = Rng::new(outplay_core::mix(2 * job.number + job.phase as u64 + 1));
        let game = |rng: &mut Rng| match rng.unit() {
            lot if lot < (score - 0.25).max(0.0) => GameResult::Win,
            lot if lot < (score + 0.25).min(1.0) => GameResult::Draw,
            _ => GameResult::Loss,
        };
        Ok(Some(Comparison::Games([game(&mut rng), game(&mut rng)])))
    }
}

fn plan(axes: &[Axis], search: Search, group: usize, seed: u64) -> CoursePlan {
    let sprt = Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).expect("bounds");
    CoursePlan { axes: axes.to_vec(), search, group, seed, sprt, most_test_pairs: 3000 }
}

fn spsa(axes: &[Axis], pairs: u64, seed: u64) -> CoursePlan {
    plan(axes, Search::Spsa(Gains::derived(pairs, axes.len())), 8, seed)
}

fn played(plan: &CoursePlan, pairs: u64, threads: usize, hill: &Hill) -> Course {
    let mut course = Course::new(plan, pairs);
    let never = AtomicBool::new(false);
    play_course(&mut course, None, (threads, Phase::Test), &|| hill, &never, &mut |_| ())
        .expect("nothing fails");
    course
}

#[test]
fn spsa_finds_most_of_thirty_elo_within_the_budget_that_simulations_predict() {
    for (dimensions, pairs, most_left) in [(5, 4000, 4.0), (10, 4000, 8.0), (20, 16_000, 6.0)] {
        let runs = 6;
        let mut left = 0.0;
        for seed in 0..runs {
            let hill = Hill::new(dimensions, seed);
            let mut plan = spsa(&hill.axes, pairs, seed);
            plan.most_test_pairs = 0;
            left += hill.below(&played(&plan, pairs, 1, &hill).best()) / runs as f64;
        }
        println!("{dimensions} parameters, {pairs} pairs: {left:.1} of 30 Elo left");
        assert!(left < most_left, "{dimensions} parameters: {left} Elo left");
    }
}

#[test]
fn what_was_found_is_offered_only_after_a_test_has_accepted_it() {
    let hill = Hill::new(5, 3);
    let course = played(&spsa(&hill.axes, 2000, 1), 2000, 1, &hill);
    assert_eq!(course.verdict(), Verdict::Accepted);
    let report = TuneReport::new("a hill", &course);
    assert_eq!(report.settings.len(), 5);
    assert!(report.text().contains("+p0 = ") && tune_page(&report, &course).contains("Path of the test"));

    // On top there is nothing to find: what noise has moved is not accepted.
    let flat = Hill {
        curvatures: hill.curvatures.iter().map(|curvature| 4.0 * curvature).collect(),
        top: vec![0.0; 5],
        ..hill
    };
    let course = played(&spsa(&flat.axes, 300, 1), 300, 1, &flat);
    assert_eq!(course.verdict(), Verdict::Rejected);
    let report = TuneReport::new("its top", &course);
    assert!(report.settings.is_empty() && report.text().contains("stays"), "{}", report.text());
}

#[test]
fn whole_numbers_move_although_their_steps_are_small() {
    let mut hill = Hill::new(3, 5);
    hill.top = vec![2.0, -2.0, 1.0];
    hill.curvatures = vec![6.0, 6.0, 6.0];
    for axis in &mut hill.axes {
        (axis.kind, axis.min, axis.max, axis.step) = (AxisKind::Whole, -4.0, 4.0, 0.5);
    }
    let course = played(&spsa(&hill.axes, 8000, 2), 8000, 1, &hill);
    assert!(hill.below(&course.best()) < 8.0, "{:?} instead of {:?}", course.best(), hill.top);
    for (_, point) in course.course() {
        assert!(point.iter().all(|value| (-4.0..=4.0).contains(value)));
    }
}

/// The whole of what a run has come to.
fn everything(course: &Course) -> String {
    let report = serde_json::to_string(&TuneReport::new("a run", course)).expect("JSON");
    format!("{report}{:?}{:?}", course.course(), course.ratios())
}

#[test]
fn neither_threads_nor_the_order_of_results_change_the_course() {
    let hill = Hill::new(4, 7);
    let methods = [
        spsa(&hill.axes, 400, 9),
        plan(&hill.axes[..2], Search::Grid { values: 5 }, 16, 9),
        plan(&hill.axes[..2], Search::Bayes { trials: 25 }, 16, 9),
    ];
    for plan in methods {
        let hill = Hill { axes: plan.axes.clone(), ..hill.clone() };
        let in_order = everything(&played(&plan, 400, 1, &hill));
        assert_eq!(everything(&played(&plan, 400, 4, &hill)), in_order);
        // Everything that can be had is taken, and told in any order, some of it twice.
        let mut course = Course::new(&plan, 400);
        let (mut rng, mut under_way) = (Rng::new(1), Vec::new());
        while course.phase().is_some() {
            while under_way.len() < 40
                && let Some(job) = course.take()
            {
                under_way.push(job);
            }
            let job = under_way.swap_remove(rng.below(under_way.len()));
            let result = (&hill).compare(&job, &|| false).expect("no failure").expect("a result");
            let record = Record { phase: job.phase, number: job.number, result };
            assert!(course.tell(&record));
            assert!(!course.tell(&record), "nothing is counted twice");
        }
        assert_eq!(everything(&course), in_order);
    }
}

/// One who is killed after a number of comparisons.
struct Mortal<'a> {
    hill: &'a Hill,
    left: &'a AtomicUsize,
    stop: &'a AtomicBool,
}

impl Compare for Mortal<'_> {
    fn compare(&mut self, job: &Job, stop: &dyn Fn() -> bool) -> Result<Option<Comparison>, TuneError> {
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err() {
            self.stop.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        let mut hill = self.hill;
        hill.compare(job, stop)
    }
}

#[test]
fn a_run_that_is_killed_again_and_again_takes_the_same_course() {
    let hill = Hill::new(4, 11);
    let folder = std::env::temp_dir().join(format!("outplay-tuning-runs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let methods = [spsa(&hill.axes, 400, 3), plan(&hill.axes[..2], Search::Bayes { trials: 20 }, 20, 3)];
    for (number, plan) in methods.into_iter().enumerate() {
        let hill = Hill { axes: plan.axes.clone(), ..hill.clone() };
        let undisturbed = everything(&played(&plan, 400, 1, &hill));
        let path = folder.join(format!("run-{number}.txt"));
        let mut rng = Rng::new(5);
        let mut kills = 0;
        let resumed = loop {
            let mut course = Course::new(&plan, 400);
            let (mut file, records) = TuneFile::open(&path, "a run").expect("the same run");
            for record in &records {
                assert!(course.tell(record), "a comparison was made twice: {record:?}");
            }
            let (left, stop) = (AtomicUsize::new(rng.below(120)), AtomicBool::new(false));
            let mortal = || Mortal { hill: &hill, left: &left, stop: &stop };
            play_course(&mut course, Some(&mut file), (2, Phase::Test), &mortal, &stop, &mut |_| ())
                .expect("no failure");
            if course.phase().is_none() {
                break course;
            }
            drop(file);
            // What a kill leaves behind: a part of the last line is missing, or everything since the last time.
            let length = std::fs::metadata(&path).expect("our own file").len();
            let cut = std::fs::OpenOptions::new().write(true).open(&path).expect("our own file");
            cut.set_len(length.saturating_sub(rng.below(60) as u64)).expect("our own file");
            kills += 1;
        };
        assert!(kills > 3, "{kills}");
        assert_eq!(everything(&resumed), undisturbed);
    }
    std::fs::remove_dir_all(&folder).expect("our own folder");
}

#[test]
fn grids_and_bayesian_optimisation_find_switches_and_numbers() {
    let mut hill = Hill::new(3, 13);
    hill.top = vec![4.0, -6.0, 1.0];
    hill.curvatures = vec![4.0, 4.0, 40.0];
    for axis in &mut hill.axes {
        (axis.min, axis.max) = (-8.0, 8.0);
    }
    hill.axes[2] = axis("p2", AxisKind::Word(vec!["0".into(), "1".into()]), (0.0, 1.0), 1.0, 0.0);
    assert_eq!(grid_size(&hill.axes, 5), 50);
    let grid = played(&plan(&hill.axes, Search::Grid { values: 5 }, 60, 1), 3000, 1, &hill);
    assert_eq!(grid.best()[2], 1.0);
    // The start is 248 Elo below the top, the points about it 16 to 80.
    assert!(hill.below(&grid.best()) < 45.0, "{:?}", grid.best());
    let bayes = played(&plan(&hill.axes, Search::Bayes { trials: 50 }, 60, 1), 3000, 1, &hill);
    assert_eq!(bayes.best()[2], 1.0);
    assert!(hill.below(&bayes.best()) < 80.0, "{:?}", bayes.best());
    assert_eq!((bayes.verdict(), bayes.shares().len()), (Verdict::Accepted, 50));
}

#[test]
fn a_failure_ends_the_run_and_nobody_waits_for_ever() {
    struct Failing;
    impl Compare for Failing {
        fn compare(&mut self, job: &Job, _: &dyn Fn() -> bool) -> Result<Option<Comparison>, TuneError> {
            match job.number {
                5 => {
                    Err(TuneError::Failed { settings: "a=1".to_string(), reason: "it fell over".to_string() })
                }
                _ => Ok(Some(Comparison::Share(0.5))),
            }
        }
    }
    let hill = Hill::new(2, 1);
    let mut course = Course::new(&spsa(&hill.axes, 100, 1), 100);
    let never = AtomicBool::new(false);
    let error = play_course(&mut course, None, (3, Phase::Test), &|| Failing, &never, &mut |_| ())
        .expect_err("a failure");
    assert_eq!(error.to_string(), "our own engine failed with a=1: it fell over");
    assert!(course.done(Phase::Search) < 100);
}

fn rows() -> Vec<(outplay_search::OptionRow, outplay_search::OptionValue)> {
    let mut session: Box<dyn Session> =
        outplay_engine::game("chess").expect("a game").open().expect("a session");
    session.set_option("search", "pvs").expect("a search");
    session.options().expect("rows")
}

#[test]
fn any_row_of_the_table_is_an_axis() {
    let rows = rows();
    let names = |axes: Vec<Axis>| axes.into_iter().map(|axis| axis.name.to_string()).collect::<Vec<_>>();
    let of = |name: &str| axes_of(name, &rows).map(names);
    assert_eq!(of("futility").expect("a technique"), ["futility_base", "futility_margin", "futility_depth"]);
    let reductions = of("reductions").expect("a group");
    assert!(reductions.contains(&"reduction_divisor".to_string()) && reductions.len() >= 5, "{reductions:?}");
    // What is off, or costs something, is no part of a group.
    let moves = of("Pruning of moves").expect("a group");
    assert!(
        !moves.iter().any(|name| name.starts_with("history_pruning") || name.starts_with("adjust")),
        "{moves:?}"
    );
    assert!(!of("Table").is_ok_and(|names| names.iter().any(|name| name == "hash")));
    for (name, part) in [
        ("razoring", "it is off"),
        ("futillity", "expected one of"),
        ("Reduction", "did you mean Reductions?"),
    ] {
        let error = of(name).expect_err("nothing to tune").to_string();
        assert!(error.contains(part), "{error}");
    }

    let file = r#"
        [[param]]
        name = "futility_margin"
        start = 100
        step = 8
        min = 40
        max = 250
        [[param]]
        name = "reduction_divisor"
        [[param]]
        name = "razoring"
    "#;
    let axes = read_axes(file, &rows).expect("three parameters");
    assert_eq!(axes[0], axis("futility_margin", AxisKind::Whole, (40.0, 250.0), 8.0, 100.0));
    assert_eq!(start_of(&axes)[1..], [2.3, 0.0]);
    assert_eq!(
        (axes[1].kind.clone(), axes[1].is_ordered(), axes[2].is_ordered()),
        (AxisKind::Number, true, false)
    );
    assert_eq!(
        (axes[2].text(1.0, 0.5), axes[1].text(2.345_678_9, 0.5)),
        ("true".to_string(), "2.3457".to_string())
    );
    assert_eq!(
        (axes[0].text(99.4, 0.5), axes[0].text(99.4, 0.7), axes[0].text(1e9, 0.5)),
        ("99".into(), "100".into(), "250".into())
    );
}

#[test]
fn parameters_that_make_no_sense_are_refused_in_words() {
    let rows = rows();
    for (line, part) in [
        ("name = \"futillity_margin\"", "did you mean futility_margin?"),
        ("name = \"futility_margin\"\nmin = 200", "outside 200"),
        ("name = \"futility_margin\"\nmax = 1e9", "is too much"),
        ("name = \"futility_margin\"\nmin = nan", "expected a range"),
        ("name = \"futility_margin\"\nmin = 200\nmax = 100", "expected a range"),
        ("name = \"futility_margin\"\nstep = 0.1", "whole numbers need 0.5"),
        ("name = \"futility_margin\"\nstep = 0", "expected more than 0"),
        ("name = \"futility_margin\"\nstart = \"high\"", "cannot be"),
        ("name = \"razoring\"\nstep = 1", "words have no min"),
        ("name = \"futility_margin\"\n[[param]]\nname = \"futility_margin\"", "named twice"),
        ("name = \"futility_margin\"\nstop = 1", "unknown field"),
        ("nam", "expected"),
    ] {
        let error = read_axes(&format!("[[param]]\n{line}\n"), &rows).expect_err(line).to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
    assert_eq!(read_axes("", &rows), Err(AxisError::Nothing));
}
