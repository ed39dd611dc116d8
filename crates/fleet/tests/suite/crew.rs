//! Matches played by machines: the same as on one machine, whoever lies, breaks or leaves.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use outplay_core::Rng;
use outplay_engine::Catalogue;
use outplay_fleet::wire::{self, Answer, Done, Job, Order, RunCard, WorkerCard};
use outplay_fleet::{
    Digest, Expected, Fleet, FleetCrew, Leaving, Line, Local, Name, Space, WorkerOptions, work,
};
use outplay_lab::{
    Crew, GameRules, MatchError, MemoryJournal, Plan, PlayedPair, PlayerSpec, Schedule, Standings, Table,
    Threads, random_openings, run_match,
};

pub const BUILD: &str = "this build";

fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

pub fn plan(pairs: usize) -> Plan {
    let specs = ["search=deepening", "search=uct"].map(|text| PlayerSpec::parse(text).expect("a player"));
    let game = outplay_engine::game("connect4").expect("a game");
    Plan {
        pairings: Schedule::RoundRobin.pairings(2),
        entrants: Plan::entrants(specs.to_vec(), &"nodes=60".parse().expect("a limit")),
        openings: random_openings(&game, pairs, 4, 1).expect("openings"),
        game,
        pairs,
        rules: GameRules::default(),
        sprt: None,
    }
}

pub fn options(threads: usize) -> WorkerOptions {
    WorkerOptions {
        threads,
        memory: None,
        hours: None,
        programs: BTreeMap::new(),
        spool: None,
        build: BUILD.to_string(),
        version: "test".to_string(),
    }
}

/// What was said to people.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Heard {
    fn add(&self, words: &str) {
        self.0.lock().expect("no panic").push(words.to_string());
    }

    fn has(&self, words: &str) -> bool {
        self.0.lock().expect("no panic").iter().any(|line| line.contains(words))
    }

    fn wait_for(&self, words: &str) {
        let begun = Instant::now();
        while !self.has(words) {
            assert!(begun.elapsed() < Duration::from_secs(60), "nobody says {words:?}: {:?}", self.0);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn crew<'a>(home: &'a Local, tell: &'a (dyn Fn(&str) + Sync)) -> FleetCrew<'a> {
    FleetCrew {
        fleet: home,
        what: "a match".to_string(),
        lease: Duration::from_secs(2),
        build: BUILD.to_string(),
        any_build: false,
        memory: 0,
        tell,
    }
}

type Played = (Standings, Vec<PlayedPair>);

fn played(plan: &Plan, crew: &dyn Crew) -> Result<Played, MatchError> {
    let mut pairs = Vec::new();
    let journal = MemoryJournal::default();
    let standings = run_match(plan, crew, &journal, &AtomicBool::new(false), &mut |pair, _| {
        pairs.push(pair.clone());
        ControlFlow::Continue(())
    })?;
    Ok((standings, pairs))
}

fn assert_the_same(plan: &Plan, fleet: &Played) {
    let here = played(plan, &Threads(2)).expect("players");
    let numbers = |played: &Played| serde_json::to_string(&played.0.encounters()).expect("numbers");
    assert_eq!(numbers(&here), numbers(fleet));
    let texts = |played: &Played| {
        played.1.iter().flat_map(|pair| pair.games.clone()).map(|game| game.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(&here), texts(fleet), "the games are the same byte for byte");
}

/// Runs `during` while so many honest workers are there, and returns what they had done in the end.
fn with_workers<T>(
    home: &Local,
    workers: usize,
    heard: &Heard,
    during: impl FnOnce() -> T,
) -> (T, Vec<WorkerCard>) {
    let leaving = Leaving::default();
    let games = Catalogue::standard();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers)
            .map(|number| {
                let (leaving, games) = (&leaving, &games);
                scope.spawn(move || {
                    let fleet = home.enter(name(&format!("honest{number}")));
                    work(&fleet, games, &options(2), leaving, &|words| heard.add(words)).expect("a home")
                })
            })
            .collect();
        let done = during();
        leaving.soon.store(true, Ordering::Relaxed);
        (done, threads.into_iter().map(|thread| thread.join().expect("no panic")).collect())
    })
}

#[test]
fn a_match_over_a_fleet_is_that_of_one_machine_byte_for_byte() {
    let plan = plan(24);
    let (home, heard) = (Local::new(name("boss")), Heard::default());
    let tell = |words: &str| heard.add(words);
    let (match_played, cards) =
        with_workers(&home, 3, &heard, || played(&plan, &crew(&home, &tell)).expect("players"));
    assert_the_same(&plan, &match_played);
    assert!(cards.iter().map(|card| card.pairs).sum::<u64>() >= 24, "{cards:?}");
    assert!(
        cards.iter().all(|card| card.spooled == 0 && card.playing == 0 && card.state == "gone"),
        "{cards:?}"
    );
    assert!(match_played.1.iter().all(|pair| pair.by.as_ref().is_some_and(|by| by.starts_with("honest"))));
    // Nothing is left behind.
    for space in Space::ALL {
        assert_eq!(home.pointers(space), Ok(Vec::new()), "{space:?}");
    }
}

/// The name of the run that is under way.
fn the_run(home: &Local) -> Name {
    loop {
        if let Some((run, _)) = home.pointers(Space::Runs).expect("a home").pop() {
            return run;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What a machine of bad will makes of an answer: bytes that it delivers.
type Lie = fn(&mut Answer, &mut Rng) -> Option<Vec<u8>>;

/// Takes jobs, and delivers lies.
fn lie(home: &Local, who: &str, lie: Lie, stop: &AtomicBool) {
    let fleet = home.enter(name(who));
    let games = Catalogue::standard();
    let run = the_run(home);
    let (jobs, answers) = (Line::Jobs(run.clone()), Line::Answers(run));
    let mut rng = Rng::new(7);
    while !stop.load(Ordering::Relaxed) {
        let leased = fleet.lease(&jobs, 1, Duration::from_millis(20)).unwrap_or_default();
        for lease in leased {
            let task = wire::unpack::<Job>(&lease.body).expect("a job").task(&games).expect("a task");
            let mut pair = Table::default().play_pair(&task, &|| false).expect("players").expect("an end");
            pair.games.iter_mut().for_each(|game| game.text.clear());
            let mut answer = Answer {
                protocol: wire::PROTOCOL,
                build: BUILD.to_string(),
                job: Digest::of(&lease.body),
                result: Done::Played(Box::new(pair)),
            };
            let body = lie(&mut answer, &mut rng).unwrap_or_else(|| wire::pack(&answer));
            drop(fleet.publish(&answers, &[(lease.id.clone(), body)]));
            drop(fleet.acknowledge(&lease));
        }
    }
}

#[test]
fn whoever_lies_is_refused_and_not_asked_any_more() {
    /// Small on the way and large when it is unpacked; packing it takes longer than some matches.
    static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| wire::pack(&"0".repeat(20 << 20)));
    LazyLock::force(&BOMB);
    fn with_pair(answer: &mut Answer, change: impl FnOnce(&mut PlayedPair)) {
        if let Done::Played(pair) = &mut answer.result {
            change(pair);
        }
    }
    let lies: [(&str, Lie, &str); 7] = [
        ("garbage", |_, rng| Some((0..200).map(|_| rng.below(256) as u8).collect()), "does not count"),
        ("empty", |_, _| Some(Vec::new()), "does not count"),
        ("bomb", |_, _| Some(BOMB.clone()), "longer than"),
        (
            "old",
            |answer, _| {
                answer.protocol += 1;
                None
            },
            "protocol",
        ),
        (
            "cheat",
            |answer, _| {
                with_pair(answer, |pair| drop(pair.games[0].moves.pop()));
                None
            },
            "it has no end",
        ),
        (
            "slow",
            |answer, _| {
                with_pair(answer, |pair| pair.games[1].moves[0].answer.time = Duration::from_secs(100_000));
                None
            },
            "have passed since",
        ),
        (
            "broken",
            |answer, _| {
                answer.result = Done::Failed("it is broken".to_string());
                None
            },
            "it is broken",
        ),
    ];
    let plan = plan(40);
    let (home, heard, stop) = (Local::new(name("boss")), Heard::default(), AtomicBool::new(false));
    let tell = |words: &str| heard.add(words);
    let (match_played, _) = std::thread::scope(|scope| {
        for (who, how, _) in lies {
            let (home, stop) = (&home, &stop);
            scope.spawn(move || lie(home, who, how, stop));
        }
        let done = with_workers(&home, 1, &heard, || played(&plan, &crew(&home, &tell)).expect("players"));
        stop.store(true, Ordering::Relaxed);
        done
    });
    assert_the_same(&plan, &match_played);
    assert!(match_played.1.iter().all(|pair| pair.by.as_deref() == Some("honest0")));
    for (who, _, words) in lies {
        let said = heard.0.lock().expect("no panic");
        assert!(said.iter().any(|line| line.contains(who) && line.contains(words)), "{who}: {said:?}");
    }
    let told = home.pointer(Space::Orders, &name("cheat")).expect("a home").expect("an order");
    assert!(wire::read::<Order>(&told.value).expect("an order").drain);
    // That may be an honest machine with a spool.
    assert_eq!(home.pointer(Space::Orders, &name("slow")), Ok(None));
}

#[test]
fn orders_about_a_machine_that_was_refused_are_heard_and_taken_back() {
    let plan = plan(60);
    let (home, heard, stop) = (Local::new(name("boss")), Heard::default(), AtomicBool::new(false));
    let tell = |words: &str| heard.add(words);
    let times_dismissed = || {
        let said = heard.0.lock().expect("no panic");
        said.iter().filter(|line| line.contains("is not asked any more")).count()
    };
    let wait_for_times = |times: usize| {
        let begun = Instant::now();
        while times_dismissed() < times {
            assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", heard.0);
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            // Every other answer is a lie.
            lie(&home, "liar", |_, rng| (rng.below(2) == 0).then(Vec::new), &stop);
        });
        let ended = scope.spawn(|| played(&plan, &crew(&home, &tell)));
        wait_for_times(1);
        home.remove_pointer(Space::Orders, &name("liar")).expect("a home");
        // It is asked again, and lies again.
        wait_for_times(2);
        let order = Order { drain: true, forget: true, reason: String::new() };
        home.set_pointer(Space::Orders, &name("liar"), &wire::written(&order), Expected::Anything)
            .expect("a home");
        let ended = ended.join().expect("no panic");
        stop.store(true, Ordering::Relaxed);
        ended
    });
    assert!(matches!(&ended, Err(MatchError::Forgotten { worker, .. }) if worker == "liar"), "{ended:?}");
}

#[test]
fn whoever_has_lost_a_run_leaves_it_to_the_winner() {
    let (home, heard) = (Local::new(name("boss")), Heard::default());
    let tell = |words: &str| heard.add(words);
    let error = std::thread::scope(|scope| {
        let ended = scope.spawn(|| played(&plan(5), &crew(&home, &tell)));
        let run = the_run(&home);
        let jobs = Line::Jobs(run.clone());
        while home.depth(&jobs).map_or(0, |depth| depth.waiting) < 5 {
            std::thread::sleep(Duration::from_millis(10));
        }
        // Another command on the same machine.
        let found = home.pointer(Space::Runs, &run).expect("a home").expect("a card");
        let card = wire::read::<RunCard>(&found.value).expect("a card");
        let other = RunCard { life: card.life.wrapping_add(1), ..card };
        home.set_pointer(Space::Runs, &run, &wire::written(&other), Expected::Anything).expect("a home");
        let error = ended.join().expect("no panic").expect_err("it is taken over");
        assert_eq!(home.depth(&jobs).expect("a run").waiting, 5, "the winner's jobs are there");
        assert!(home.pointer(Space::Runs, &run).expect("a home").is_some());
        error.to_string()
    });
    assert!(error.contains("has taken over") && error.contains("--resume"), "{error}");
}

#[test]
fn a_program_that_does_not_start_is_no_result() {
    let mut plan = plan(4);
    plan.game = outplay_engine::game("chess").expect("a game");
    plan.openings = random_openings(&plan.game, 4, 4, 1).expect("openings");
    plan.entrants[0].spec = PlayerSpec::parse("program=fish").expect("a player");
    let (home, heard) = (Local::new(name("boss")), Heard::default());
    let tell = |words: &str| heard.add(words);
    let (leaving, games) = (Leaving::default(), Catalogue::standard());
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            let spec = PlayerSpec::parse("cmd=no-such-program").expect("a player");
            let programs = BTreeMap::from([("fish".to_string(), spec)]);
            let options = WorkerOptions { programs, ..options(1) };
            work(&home.enter(name("bare")), &games, &options, &leaving, &|words| heard.add(words))
        });
        let ended = played(&plan, &crew(&home, &tell));
        leaving.soon.store(true, Ordering::Relaxed);
        ended
    });
    let error = ended.expect_err("nobody can play it").to_string();
    assert!(error.contains("all the machines") && error.contains("does not start"), "{error}");
}

#[test]
fn garbage_on_any_line_and_pointer_harms_nothing() {
    let plan = plan(30);
    let (home, heard, stop) = (Local::new(name("boss")), Heard::default(), AtomicBool::new(false));
    let tell = |words: &str| heard.add(words);
    let thrown = AtomicUsize::new(0);
    let (match_played, _) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let (rogue, mut rng) = (home.enter(name("rogue")), Rng::new(11));
            let run = the_run(&home);
            while !stop.load(Ordering::Relaxed) {
                let bytes: Vec<u8> = (0..rng.below(300)).map(|_| rng.below(256) as u8).collect();
                let id = name(
                    &[rng.below(40).to_string(), "x".to_string(), u64::MAX.to_string() + "9"][rng.below(3)],
                );
                let line = [Line::Jobs(run.clone()), Line::Answers(run.clone())][rng.below(2)].clone();
                drop(rogue.publish(&line, &[(id.clone(), bytes.clone())]));
                let space = [Space::Workers, Space::Orders, Space::Dead][rng.below(3)];
                drop(rogue.set_pointer(space, &id, &bytes, Expected::Anything));
                drop(rogue.set_pointer(Space::Runs, &id, &bytes, Expected::Anything));
                thrown.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let done = with_workers(&home, 2, &heard, || played(&plan, &crew(&home, &tell)).expect("players"));
        stop.store(true, Ordering::Relaxed);
        done
    });
    assert_the_same(&plan, &match_played);
    assert!(thrown.into_inner() > 20);
}

#[test]
fn a_worker_that_does_not_fit_says_what_to_do() {
    let (home, heard) = (Local::new(name("boss")), Heard::default());
    let good = RunCard {
        protocol: wire::PROTOCOL,
        build: BUILD.to_string(),
        any_build: false,
        what: "a match".to_string(),
        game: "chess".to_string(),
        programs: Vec::new(),
        memory: 64,
        lease: 2000,
        since: 0,
        life: 0,
        from: name("boss"),
        done: 0,
        out: 0,
    };
    let cards = [
        ("newer", RunCard { protocol: 9, ..good.clone() }, "update this machine"),
        ("other", RunCard { build: "x".to_string(), ..good.clone() }, "put the same program on both"),
        ("unknown", RunCard { game: "go".to_string(), ..good.clone() }, "there is no game \"go\" here"),
        ("program", RunCard { programs: vec!["fish".to_string()], ..good.clone() }, "--programs"),
        ("large", RunCard { memory: 5000, ..good.clone() }, "--memory allows 1024"),
    ];
    for (run, card, _) in &cards {
        home.open_run(&name(run), Duration::from_secs(2)).expect("a home");
        home.publish(&Line::Jobs(name(run)), &[(name("1"), Vec::new())]).expect("a home");
        home.set_pointer(Space::Runs, &name(run), &wire::written(card), Expected::Nothing).expect("a home");
    }
    let leaving = Leaving::default();
    let games = Catalogue::standard();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let options = WorkerOptions { memory: Some(1024), ..options(1) };
            work(&home.enter(name("worker")), &games, &options, &leaving, &|words| heard.add(words))
                .expect("a home")
        });
        for (run, _, words) in &cards {
            heard.wait_for(words);
            assert!(heard.has(&format!("takes no part in {run}")));
        }
        leaving.soon.store(true, Ordering::Relaxed);
    });
    for (run, ..) in &cards {
        assert_eq!(home.depth(&Line::Jobs(name(run))).expect("a run").waiting, 1, "{run}: nobody took it");
    }
}

#[test]
fn what_a_forgotten_machine_has_played_is_played_again() {
    let plan = plan(30);
    let (home, heard) = (Local::new(name("boss")), Heard::default());
    let tell = |words: &str| heard.add(words);
    let journal = MemoryJournal::default();
    let stop = AtomicBool::new(false);
    let (leaving, games) = (Leaving::default(), Catalogue::standard());
    let mut pairs = Vec::new();
    let standings = std::thread::scope(|scope| {
        scope.spawn(|| {
            work(&home.enter(name("doubtful")), &games, &options(1), &leaving, &|words| heard.add(words))
        });
        let mut counted = 0;
        let forgotten = run_match(&plan, &crew(&home, &tell), &journal, &stop, &mut |_, _| {
            counted += 1;
            if counted == 5 {
                let order = Order { drain: true, forget: true, reason: String::new() };
                let set = home.set_pointer(
                    Space::Orders,
                    &name("doubtful"),
                    &wire::written(&order),
                    Expected::Anything,
                );
                set.expect("a home");
                // Long enough for it to be heard of before the end.
                std::thread::sleep(Duration::from_millis(2200));
            }
            ControlFlow::Continue(())
        });
        let Err(MatchError::Forgotten { worker, pairs: taken_out }) = forgotten else {
            panic!("{forgotten:?}")
        };
        assert!(worker == "doubtful" && taken_out >= 5, "{worker} {taken_out}");
        heard.wait_for("told to leave");
        with_workers(&home, 1, &heard, || {
            run_match(&plan, &crew(&home, &tell), &journal, &stop, &mut |pair, _| {
                pairs.push(pair.clone());
                ControlFlow::Continue(())
            })
            .expect("players")
        })
        .0
    });
    assert!(pairs.iter().all(|pair| pair.by.as_deref() == Some("honest0")));
    assert_the_same(&plan, &(standings, pairs));
}

#[test]
fn what_nobody_can_play_ends_in_words() {
    let mut plan = plan(4);
    plan.entrants[0].spec = PlayerSpec::parse("search=uct,book=/etc/passwd").expect("a player");
    let (home, heard) = (Local::new(name("boss")), Heard::default());
    let tell = |words: &str| heard.add(words);
    let (ended, _) = with_workers(&home, 2, &heard, || played(&plan, &crew(&home, &tell)));
    let error = ended.expect_err("no file is opened").to_string();
    assert!(error.contains("was given up") && error.contains("may name a file"), "{error}");
    assert_eq!(home.pointers(Space::Dead).expect("a home").len(), 1);
    // No command goes over the wire.
    plan.entrants[0].spec = PlayerSpec::parse("cmd=stockfish -x").expect("a player");
    let error = played(&plan, &crew(&home, &tell)).expect_err("no command").to_string();
    assert!(error.contains("program=NAME instead of cmd=stockfish"), "{error}");
}

#[test]
fn a_worker_told_to_go_gives_back_what_it_has_in_hand() {
    let mut plan = plan(6);
    plan.entrants.iter_mut().for_each(|entrant| entrant.control = "time=0.05".parse().expect("a limit"));
    let (home, heard) = (Local::new(name("boss")), Heard::default());
    let tell = |words: &str| heard.add(words);
    let (games, stop) = (Catalogue::standard(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let journal = MemoryJournal::default();
            run_match(&plan, &crew(&home, &tell), &journal, &stop, &mut |_, _| ControlFlow::Continue(()))
        });
        for at_once in [false, true] {
            let leaving = Leaving::default();
            let (begun, card) = std::thread::scope(|scope| {
                let fleet = home.enter(name("worker"));
                let (leaving, games, heard) = (&leaving, &games, &heard);
                let worker =
                    scope.spawn(move || work(&fleet, games, &options(2), leaving, &|words| heard.add(words)));
                let jobs = Line::Jobs(the_run(&home));
                while home.depth(&jobs).map_or(0, |depth| depth.leased) < 2 {
                    std::thread::sleep(Duration::from_millis(10));
                }
                leaving.soon.store(true, Ordering::Relaxed);
                leaving.now.store(at_once, Ordering::Relaxed);
                (Instant::now(), worker.join().expect("no panic").expect("a home"))
            });
            assert_eq!(
                home.depth(&Line::Jobs(the_run(&home))).expect("a run").leased,
                0,
                "at once: {at_once}"
            );
            if at_once {
                assert!(card.pairs == 0 && begun.elapsed() < Duration::from_secs(3), "{card:?}");
            } else {
                assert!((1..=2).contains(&card.pairs), "{card:?}");
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}
