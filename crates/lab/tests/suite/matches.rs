//! Whole matches: the same result on any number of threads, after an interruption, and with players that break.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_lab::stats::{Decision, EloModel, GameResult, Sprt};
use outplay_lab::{
    Ending, GameRules, Journal, MatchReport, MemoryJournal, Plan, PlayedPair, PlayerKind, PlayerSpec,
    Protocol, Schedule, Standings, StoreError, Threads, TimeControl, random_openings, run_match,
};

fn tournament(game: &str, players: &[&str], schedule: Schedule, pairs: usize, nodes: u64) -> Plan {
    let control = TimeControl { nodes: Some(nodes), ..TimeControl::default() };
    let specs: Vec<PlayerSpec> =
        players.iter().map(|text| PlayerSpec::parse(text).expect("a player")).collect();
    let game = outplay_engine::game(game).expect("a game");
    Plan {
        pairings: schedule.pairings(specs.len()),
        entrants: Plan::entrants(specs, &control),
        openings: random_openings(&game, pairs, 4, 1).expect("openings"),
        game,
        pairs,
        rules: GameRules::default(),
        sprt: None,
    }
}

fn plan(game: &str, a: &str, b: &str, pairs: usize, nodes: u64) -> Plan {
    tournament(game, &[a, b], Schedule::RoundRobin, pairs, nodes)
}

/// A journal in memory that no pair comes to twice.
#[derive(Default)]
struct Strict(MemoryJournal);

impl Journal for Strict {
    fn kept(&self) -> Result<BTreeSet<usize>, StoreError> {
        self.0.kept()
    }

    fn pair(&self, index: usize) -> Result<Option<PlayedPair>, StoreError> {
        self.0.pair(index)
    }

    fn keep(&self, pair: &PlayedPair) -> Result<(), StoreError> {
        assert!(!self.0.kept()?.contains(&pair.index), "no pair is played twice");
        self.0.keep(pair)
    }

    fn forget(&self, worker: &str) -> Result<usize, StoreError> {
        self.0.forget(worker)
    }
}

fn run(plan: &Plan, journal: &dyn Journal) -> (Standings, Vec<PlayedPair>) {
    run_on(1, plan, journal)
}

fn run_on(threads: usize, plan: &Plan, journal: &dyn Journal) -> (Standings, Vec<PlayedPair>) {
    let mut pairs = Vec::new();
    let standings = run_match(plan, &Threads(threads), journal, &AtomicBool::new(false), &mut |pair, _| {
        pairs.push(pair.clone());
        ControlFlow::Continue(())
    });
    (standings.expect("players that can be made"), pairs)
}

fn numbers(standings: &Standings) -> String {
    serde_json::to_string(&standings.encounters()).expect("numbers")
}

/// The files of all games.
fn texts(pairs: &[PlayedPair]) -> Vec<&str> {
    pairs.iter().flat_map(|pair| &pair.games).map(|game| game.text.as_str()).collect()
}

#[test]
fn threads_do_not_change_a_match() {
    let plan = plan("connect4", "search=deepening", "search=uct", 8, 300);
    let (alone, pairs) = run(&plan, &());
    let (together, same_pairs) = run_on(3, &plan, &());
    assert_eq!(numbers(&alone), numbers(&together));
    // With nodes for a limit, the files are the same byte for byte, and they can be read.
    assert_eq!(texts(&pairs), texts(&same_pairs));
    assert_eq!(pairs.len(), 8);
    for pair in &pairs {
        let mut session = outplay_engine::open("connect4").expect("a game");
        session.load(pair.games[0].text.as_bytes(), 0).expect("a game");
        assert_eq!(session.played().len(), 4 + pair.games[0].moves.len());
    }
}

#[test]
fn a_match_taken_up_again_ends_as_if_it_had_not_been_interrupted() {
    let plan = plan("othello", "search=deepening", "search=flat,playouts=3", 30, 100);
    let (whole, pairs) = run(&plan, &());
    let (journal, stop) = (Strict::default(), AtomicBool::new(false));
    let mut counted = 0;
    let interrupted = run_match(&plan, &Threads(2), &journal, &stop, &mut |_, _| {
        counted += 1;
        stop.store(counted >= 3, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert!(interrupted.is_ok());
    let kept = journal.kept().expect("pairs").len();
    assert!((3..30).contains(&kept), "{kept} pairs were kept");
    let (resumed, all) = run(&plan, &journal);
    assert_eq!(numbers(&whole), numbers(&resumed));
    assert_eq!(texts(&all), texts(&pairs));
}

#[test]
fn a_test_ends_the_match_as_soon_as_it_is_decided() {
    let mut plan = plan("connect4", "search=deepening", "search=flat,playouts=1", 200, 2_000);
    plan.sprt = Some(Sprt::new(EloModel::Logistic, 0.0, 100.0, 0.05, 0.05).expect("a test"));
    let (standings, pairs) = run_on(2, &plan, &());
    assert_eq!(standings.decision(), Decision::AcceptH1);
    assert!(pairs.len() < 100, "{} pairs", pairs.len());
}

#[test]
fn a_player_that_breaks_loses_and_is_started_again() {
    let script = "n=0; while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) n=$((n+1)); [ $n = 2 ] && exit; echo bestmove zzzz;; esac; done";
    let mut plan = plan("chess", "search=deepening", "search=deepening", 2, 50);
    let command = outplay_protocols::CommandLine {
        program: "sh".to_string(),
        arguments: vec!["-c".to_string(), script.to_string()],
        folder: None,
    };
    plan.entrants[1].spec.kind =
        PlayerKind::External { command, protocol: Protocol::Uci, options: Vec::new() };
    let (standings, pairs) = run(&plan, &());
    assert_eq!(standings.decision(), Decision::Continue);
    let games: Vec<_> = pairs.iter().flat_map(|pair| &pair.games).collect();
    assert_eq!(games.len(), 4);
    for game in games {
        assert!(matches!(game.ending, Ending::Fault { .. }), "{:?}", game.ending);
    }
    assert!(pairs.iter().flat_map(PlayedPair::results).all(|result| result == GameResult::Win));
}

#[test]
fn a_player_that_cannot_be_started_is_found_before_the_match_and_loses_during_it() {
    let plan = plan("chess", "search=deepening", "cmd=no-such-program", 2, 50);
    let error = plan.check().expect_err("an error");
    assert!(error.to_string().contains("no-such-program"), "{error}");
    let (standings, pairs) = run_on(2, &plan, &());
    assert_eq!(standings.summary(0).wdl.wins, 4);
    let ending = &pairs[0].games[1].ending;
    assert!(ending.to_string().contains("cannot start \"no-such-program\""), "{ending}");
}

#[test]
fn a_tournament_rates_its_players_in_their_order_of_strength() {
    let players =
        ["search=flat,playouts=1,name=weak", "search=deepening,name=strong", "search=uct,limit.nodes=200"];
    let plan = tournament("connect4", &players, Schedule::RoundRobin, 6, 800);
    let mut report = MatchReport::new(&plan);
    let mut seen = Vec::new();
    let standings = run_match(&plan, &Threads(1), &(), &AtomicBool::new(false), &mut |pair, standings| {
        report.add(&plan, pair, standings);
        seen.push(plan.pairing_of(pair.index));
        ControlFlow::Continue(())
    })
    .expect("players that can be made");
    assert_eq!(seen, [0, 1, 2].repeat(6), "the pairings take turns");
    let encounters = standings.encounters();
    assert!(encounters.iter().all(|encounter| encounter.summary.games == 12));
    let ratings = standings.ratings().expect("everybody has met everybody");
    let ranking: Vec<&str> = ratings.ranking().iter().map(|rating| rating.name.as_str()).collect();
    assert_eq!(ranking, ["strong", "search=uct", "weak"]);
    let text = report.text(&standings);
    assert!(text.contains("1. strong") && text.contains("weak against strong: 12 games"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&report.json(&standings).expect("JSON")).expect("JSON");
    assert_eq!(
        (json["ratings"]["players"].as_array().map(Vec::len), json["players"][2]["limit"].as_str()),
        (Some(3), Some("nodes=200"))
    );
    let page = report.html(&standings);
    assert!(page.contains("<svg") && page.contains("strong") && !page.contains("://"));

    let gauntlet = tournament("connect4", &players, Schedule::Gauntlet, 2, 100);
    let (standings, pairs) = run(&gauntlet, &());
    assert_eq!((standings.encounters().len(), pairs.len()), (2, 4));
}

#[test]
fn players_that_always_play_the_same_are_found_out() {
    let mut plan = plan("connect4", "search=deepening", "search=deepening", 4, 50);
    assert_ne!(plan.entrants[0].name, plan.entrants[1].name);
    plan.openings.truncate(2);
    let mut report = MatchReport::new(&plan);
    run_match(&plan, &Threads(1), &(), &AtomicBool::new(false), &mut |pair, standings| {
        report.add(&plan, pair, standings);
        ControlFlow::Continue(())
    })
    .expect("players that can be made");
    // Two openings, each played four times by two players who are the same.
    assert_eq!(report.redundancy(), 0.75);
}

#[test]
fn chance_brings_other_moves_in_each_game_and_the_same_ones_in_the_same_match() {
    // One opening, and players with fixed seeds.
    let lots = "search=mcts,evaluation=fours,temperature=1";
    let mut plan = plan("connect4", lots, &format!("{lots},seed=7"), 4, 20);
    plan.openings.truncate(1);
    let (_, pairs) = run(&plan, &());
    let games = pairs.iter().flat_map(|pair| &pair.games);
    let moves: BTreeSet<Vec<&str>> =
        games.map(|game| game.moves.iter().map(|m| m.text.as_str()).collect()).collect();
    assert_eq!(moves.len(), 8, "{moves:?}");
    assert_eq!(texts(&pairs), texts(&run(&plan, &()).1));
}
