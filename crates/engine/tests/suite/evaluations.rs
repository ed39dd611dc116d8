//! The evaluations of a game by name: each is there, each evaluates, and to change it changes nothing else.

use outplay_chess::{Chess, ChessRules, Classical, Material, MaterialAndMobility};
use outplay_connect::four::{self, ConnectFour, OpenFours};
use outplay_connect::{Connect, OpenWindows, Rules, ThreatSight};
use outplay_core::{Game, MoveList, Notation, Rng};
use outplay_engine::{CATALOGUE, Evaluations, GameSession, Session, open};
use outplay_othello::{DiscCount, Othello, Patterns, Positional};
use outplay_search::{
    Bundle, Evaluating, Evaluator, Limits, Meaning, NoKnowledge, OptionKind, OptionValue, Report, Word,
};

fn search(session: &mut dyn Session, limits: Limits) -> Report {
    session.go(limits, Box::new(|_, _| ())).expect("a search");
    session.wait().expect("a report")
}

/// What is set, by the names of the rows.
fn settings(session: &mut dyn Session) -> Vec<(Word, OptionValue)> {
    session.options().expect("options").into_iter().map(|(row, value)| (row.name, value)).collect()
}

fn value_of(session: &mut dyn Session, name: &str) -> OptionValue {
    let found = settings(session).into_iter().find(|(row, _)| *row == name);
    found.unwrap_or_else(|| panic!("no option {name}")).1
}

/// The names of a game's evaluations under the chosen search; none if it asks for no evaluation.
fn names(session: &mut dyn Session) -> Vec<Word> {
    let rows = session.options().expect("options");
    match rows.into_iter().find(|(row, _)| row.name == "evaluation") {
        Some((row, _)) => match row.kind {
            OptionKind::Choice { words } => words,
            kind => panic!("a choice, not {kind}"),
        },
        None => Vec::new(),
    }
}

/// The best value one ply ahead, without a search; `None` if a move ends the game.
fn best_one_ply_ahead<G: Game>(position: &G, evaluator: &mut dyn Evaluator<G>) -> Option<i32> {
    let mut value = |after: G| match after.to_move() == position.to_move() {
        _ if after.outcome().is_some() => None,
        true => Some(evaluator.value(&after)),
        false => Some(-evaluator.value(&after)),
    };
    let values: Option<Vec<i32>> = position.legal_moves().each().map(|m| value(position.after(m))).collect();
    values?.into_iter().max()
}

/// Compares what tree searches to depth 1 say with what the evaluators say, and asks that these differ somewhere.
fn judges_by_name<G: Notation>(
    game: &str,
    rules: &G::Rules,
    evaluators: &mut [(&str, Box<dyn Evaluator<G>>)],
) {
    let mut session = open(game).expect("a game");
    let mut rng = Rng::new(5);
    let mut told: Vec<Vec<i32>> = vec![Vec::new(); evaluators.len()];
    for _ in 0..30 {
        session.set_game(None, "").expect("the start");
        for _ in 0..rng.below(20) {
            let moves = session.legal_moves();
            if moves.is_empty() {
                break;
            }
            session.play(moves[rng.below(moves.len())]).expect("a legal move");
        }
        if session.outcome().is_some() {
            continue;
        }
        let position = G::parse_position(rules, &session.position_text()).expect("its own position");
        for ((name, evaluator), told) in evaluators.iter_mut().zip(&mut told) {
            let Some(expected) = best_one_ply_ahead(&position, &mut **evaluator) else { continue };
            for kind in ["minimax", "negamax", "hminimax", "alphabeta", "deepening"] {
                session.set_option("search", kind).expect("a search");
                session.set_option("evaluation", name).expect("an evaluation");
                let report = search(&mut *session, Limits { depth: Some(1), ..Limits::default() });
                assert_eq!(report.lines[0].score, Meaning::Opinion(expected), "{game} {kind} {name}");
            }
            told.push(expected);
        }
    }
    for (index, values) in told.iter().enumerate() {
        assert!(values.len() > 5, "{game}: too few positions to tell");
        assert!(!told[..index].contains(values), "{game}: {} is none of its own", evaluators[index].0);
    }
    session.set_option("search", "alphabeta").expect("a search");
    // Networks have tests of their own.
    let names = names(&mut *session);
    assert!(
        names.iter().filter(|name| **name != "net").eq(evaluators.iter().map(|(name, _)| name)),
        "{game}"
    );
}

#[test]
fn each_named_evaluation_is_what_its_searches_judge_by() {
    judges_by_name::<Chess>(
        "chess",
        &ChessRules::Standard,
        &mut [
            ("classical", Box::new(Evaluating::new(Bundle::of(Classical)))),
            ("mobility", Box::new(Evaluating::new(Bundle::of(MaterialAndMobility)))),
            ("material", Box::new(Evaluating::new(Bundle::of(Material)))),
            ("none", Box::new(Evaluating::new(NoKnowledge))),
        ],
    );
    judges_by_name::<Othello>(
        "othello",
        &(),
        &mut [
            ("patterns", Box::new(Evaluating::new(Bundle::of(Patterns::default())))),
            ("positional", Box::new(Evaluating::new(Bundle::of(Positional)))),
            ("discs", Box::new(Evaluating::new(Bundle::of(DiscCount)))),
            ("none", Box::new(Evaluating::new(NoKnowledge))),
        ],
    );
    judges_by_name::<Connect>(
        "connect6",
        &Rules::CONNECT6,
        &mut [
            ("threats", Box::new(Evaluating::new(ThreatSight::new(Rules::CONNECT6)))),
            ("windows", Box::new(Evaluating::new(Bundle::of(OpenWindows)))),
            ("none", Box::new(Evaluating::new(NoKnowledge))),
        ],
    );
    judges_by_name::<ConnectFour>(
        "connect4",
        &four::Rules::default(),
        &mut [
            ("fours", Box::new(Evaluating::new(Bundle::of(OpenFours)))),
            ("none", Box::new(Evaluating::new(NoKnowledge))),
        ],
    );
}

#[test]
fn the_static_judge_of_tree_search_judges_by_the_named_evaluation() {
    let mut session = open("othello").expect("othello");
    session.set_game(None, "f5 d6 c3 d3 c4 f4").expect("legal moves");
    let position = Othello::parse_position(&(), &session.position_text()).expect("its own position");
    session.set_option("search", "mcts").expect("mcts");
    session.set_option("evaluator", "static").expect("an evaluator");
    let mut preferred = Vec::new();
    let evaluators: [(&str, Box<dyn Evaluator<Othello>>); 2] = [
        ("positional", Box::new(Evaluating::new(Bundle::of(Positional)))),
        ("discs", Box::new(Evaluating::new(Bundle::of(DiscCount)))),
    ];
    for (name, mut evaluator) in evaluators {
        session.set_option("evaluation", name).expect("an evaluation");
        let limits = Limits { nodes: Some(2000), lines: 100, ..Limits::default() };
        let report = search(&mut *session, limits);
        let prior = |m| {
            let line = report.lines.iter().find(|line| line.moves[0] == m);
            line.and_then(|line| line.statistics).map(|statistics| statistics.prior)
        };
        let mut moves: Vec<_> = position.legal_moves().each().collect();
        moves.sort_by_key(|&m| evaluator.value(&position.after(m)));
        let priors: Vec<_> = moves.iter().map(|&m| prior(m).expect("a prior")).collect();
        assert!(priors.is_sorted_by(|a, b| a >= b), "{name}: {priors:?}");
        assert!(priors[0] > priors[priors.len() - 1], "{name}: {priors:?}");
        preferred.push(moves);
    }
    assert_ne!(preferred[0], preferred[1], "both evaluations order the moves alike: the test shows nothing");
}

#[test]
fn every_evaluation_of_every_game_can_be_set_and_is_told() {
    for info in CATALOGUE {
        let mut session = open(info.example).expect("a game");
        for kind in session.searches() {
            session.set_option("search", kind.name).expect("a search");
            let names = names(&mut *session);
            let asks_for_one = !["flat", "uct"].contains(&kind.name);
            assert_eq!(
                names.last().map(|name| &**name),
                asks_for_one.then_some("none"),
                "{} {}",
                info.name,
                kind.name
            );
            if let Some(usual) = names.first().cloned() {
                // A network that comes with the program evaluates the leaves of its game's trees.
                let is_learned = (info.name, kind.name) == ("connect4", "mcts");
                let usual = if is_learned { "net".into() } else { usual };
                assert_eq!(value_of(&mut *session, "evaluation"), OptionValue::Choice(usual));
            }
            for name in names {
                session.set_option("Evaluation", &name.to_uppercase()).expect("an evaluation");
                assert_eq!(value_of(&mut *session, "evaluation"), OptionValue::Choice(name));
            }
        }
    }
}

#[test]
fn another_evaluation_takes_over_the_settings_but_not_the_tree() {
    let mut session = open("othello").expect("othello");
    for (name, value) in [("search", "mcts"), ("evaluator", "static"), ("cpuct", "2.5"), ("threads", "2")] {
        session.set_option(name, value).expect(name);
    }
    let before = settings(&mut *session);
    search(&mut *session, Limits { nodes: Some(200), ..Limits::default() });
    session.set_option("evaluation", "patterns").expect("the same evaluation");
    assert!(session.grown_tree(1, 1).expect("idle").is_some(), "nothing has changed");

    session.set_option("mcts.evaluation", "discs").expect("another");
    assert!(session.grown_tree(1, 1).expect("idle").is_none(), "grown by another evaluation");
    let after = settings(&mut *session);
    let changed: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
    let evaluation = |name: &'static str| ("evaluation".into(), OptionValue::Choice(name.into()));
    assert_eq!(changed, [(&evaluation("patterns"), &evaluation("discs"))]);

    session.set_option("search", "alphabeta").expect("another search");
    assert_eq!(value_of(&mut *session, "evaluation"), OptionValue::Choice("patterns".into()));
}

#[test]
fn an_unknown_evaluation_is_refused_with_those_that_there_are() {
    let mut session = open("othello").expect("othello");
    let error = session.set_option("evaluation", "magic").expect_err("no such thing").to_string();
    assert_eq!(
        error,
        "option evaluation cannot be \"magic\": expected one of patterns, positional, discs, net, none"
    );
    assert_eq!(value_of(&mut *session, "evaluation"), OptionValue::Choice("patterns".into()));
    session.set_option("search", "uct").expect("uct");
    let error = session.set_option("evaluation", "discs").expect_err("nothing to evaluate").to_string();
    assert!(error.starts_with("no option \"evaluation\""), "{error}");
}

#[test]
fn a_game_with_one_evaluator_needs_no_name_for_it() {
    let mut session = GameSession::<Othello>::new((), Bundle::of(DiscCount));
    assert_eq!(names(&mut session), ["usual", "none"]);
    let (one_ply, start) = (Limits { depth: Some(1), ..Limits::default() }, Othello::start(&()));
    let expected =
        best_one_ply_ahead(&start, &mut Evaluating::new(Bundle::of(DiscCount))).map(Meaning::Opinion);
    assert_eq!(Some(search(&mut session, one_ply).lines[0].score), expected);
}

#[test]
#[should_panic = "two evaluations are called \"discs\""]
fn two_evaluations_cannot_have_one_name() {
    let _ = Evaluations::<Othello>::new("discs", Bundle::of(DiscCount)).and("discs", Bundle::of(Positional));
}

#[test]
fn the_static_evaluation_is_that_of_the_chosen_search() {
    let mut session = open("chess").expect("a game");
    let without_queen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    session.set_game(Some(without_queen), "").expect("a position");
    session.set_option("evaluation", "material").expect("an evaluation");
    let evaluated = session.evaluate().expect("no search runs").expect("the game goes on");
    assert!(evaluated < -500, "{evaluated}");
    session.set_option("evaluation", "none").expect("an evaluation");
    assert_eq!(session.evaluate().expect("no search runs"), Some(0));
    // A search without evaluations leaves the word to the usual one.
    session.set_option("search", "uct").expect("a search");
    assert!(session.evaluate().expect("no search runs").is_some_and(|evaluated| evaluated < -500));
    session.set_game(None, "f3 e5 g4 Qh4").expect("a mate");
    assert_eq!(session.evaluate().expect("no search runs"), None);
}
