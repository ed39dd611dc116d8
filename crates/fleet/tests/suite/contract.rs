//! The contract, which every home keeps.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use outplay_fleet::{Depth, Digest, Expected, Fleet, FleetError, Lease, Line, Local, Name, Space};

const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(30);
const AT_ONCE: Duration = Duration::ZERO;

fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

fn ids(leases: &[Lease]) -> Vec<&str> {
    leases.iter().map(|lease| lease.id.as_str()).collect()
}

fn put(fleet: &dyn Fleet, line: &Line, id: &Name, body: &[u8]) {
    fleet.publish(line, &[(id.clone(), body.to_vec())]).expect("room");
}

/// All that the contract says, for a home that `enter` lets somebody into by name.
pub fn check(enter: &dyn Fn(&str) -> Box<dyn Fleet>) {
    let (boss, ann, bob) = (enter("boss"), enter("ann"), enter("bob"));
    assert_eq!(ann.name(), &name("ann"));
    messages_are_taken_once_in_order_and_go_when_acknowledged(&*boss, &*ann, &*bob);
    what_is_published_again_changes_nothing(&*boss, &*ann, &*bob);
    a_lease_runs_out_unless_it_is_kept_alive(&*boss, &*ann, &*bob);
    what_is_given_back_somebody_else_gets(&*boss, &*ann, &*bob);
    whoever_waits_is_woken(&*boss, enter);
    runs_do_not_see_each_other_and_end(&*boss, &*ann);
    blobs_are_known_by_what_they_hold(&*boss, &*ann);
    pointers_change_by_compare_and_set(&*boss, &*ann);
    crowds_share_a_line(&*boss, enter);
}

fn messages_are_taken_once_in_order_and_go_when_acknowledged(
    boss: &dyn Fleet,
    ann: &dyn Fleet,
    bob: &dyn Fleet,
) {
    let run = name("order");
    boss.open_run(&run, LONG).expect("a run");
    let jobs = Line::Jobs(run.clone());
    assert_eq!(ann.lease(&jobs, 3, AT_ONCE).expect("a line").len(), 0);
    for number in 0..5 {
        put(boss, &jobs, &name(&number.to_string()), format!("job {number}").as_bytes());
    }
    assert_eq!(boss.depth(&jobs), Ok(Depth { waiting: 5, leased: 0 }));
    let first = ann.lease(&jobs, 2, AT_ONCE).expect("a line");
    let second = bob.lease(&jobs, 9, AT_ONCE).expect("a line");
    assert_eq!((ids(&first), ids(&second)), (vec!["0", "1"], vec!["2", "3", "4"]));
    assert_eq!(
        (first[0].body.as_slice(), first[0].from.as_str(), first[0].attempt),
        (&b"job 0"[..], "boss", 1)
    );
    assert_eq!(boss.depth(&jobs), Ok(Depth { waiting: 0, leased: 5 }));
    for lease in first.iter().chain(&second) {
        ann.acknowledge(lease).expect("a lease");
        // Twice is as good as once.
        ann.acknowledge(lease).expect("a lease");
    }
    wait_for_depth(boss, &jobs, Depth::default());
}

/// What was acknowledged may be on its way for a moment.
fn wait_for_depth(fleet: &dyn Fleet, line: &Line, depth: Depth) {
    let begun = Instant::now();
    while fleet.depth(line) != Ok(depth) {
        assert!(begun.elapsed() < LONG / 3, "{:?}", fleet.depth(line));
        std::thread::sleep(SHORT / 20);
    }
}

fn what_is_published_again_changes_nothing(boss: &dyn Fleet, ann: &dyn Fleet, bob: &dyn Fleet) {
    let run = name("again");
    boss.open_run(&run, LONG).expect("a run");
    boss.open_run(&run, LONG).expect("the same run");
    let (jobs, answers) = (Line::Jobs(run.clone()), Line::Answers(run));
    for body in ["first", "second"] {
        put(boss, &jobs, &name("x"), body.as_bytes());
    }
    let leased = ann.lease(&jobs, 5, AT_ONCE).expect("a line");
    assert_eq!(leased.len(), 1);
    assert_eq!(leased[0].body, b"first");
    // Not while it is on lease either; but once it is done with.
    put(boss, &jobs, &name("x"), b"third");
    assert_eq!(bob.lease(&jobs, 5, AT_ONCE).expect("a line").len(), 0);
    ann.acknowledge(&leased[0]).expect("a lease");
    wait_for_depth(boss, &jobs, Depth::default());
    put(boss, &jobs, &name("x"), b"fourth");
    assert_eq!(bob.lease(&jobs, 5, AT_ONCE).expect("a line")[0].body, b"fourth");
    // Everybody has ids of their own.
    put(ann, &answers, &name("x"), b"by ann");
    put(bob, &answers, &name("x"), b"by bob");
    put(ann, &answers, &name("x"), b"by ann again");
    let said = boss.lease(&answers, 5, AT_ONCE).expect("a line");
    let said: BTreeSet<_> = said.iter().map(|lease| (lease.from.as_str(), lease.body.as_slice())).collect();
    assert_eq!(said, BTreeSet::from([("ann", &b"by ann"[..]), ("bob", &b"by bob"[..])]));
}

fn a_lease_runs_out_unless_it_is_kept_alive(boss: &dyn Fleet, ann: &dyn Fleet, bob: &dyn Fleet) {
    let run = name("lease");
    boss.open_run(&run, SHORT).expect("a run");
    let jobs = Line::Jobs(run);
    put(boss, &jobs, &name("x"), b"");
    let lease = ann.lease(&jobs, 1, AT_ONCE).expect("a line").remove(0);
    for _ in 0..6 {
        std::thread::sleep(SHORT / 3);
        ann.keep_alive(&lease).expect("a lease");
        assert_eq!(bob.lease(&jobs, 1, AT_ONCE).expect("a line").len(), 0);
    }
    let taken = bob.lease(&jobs, 1, LONG).expect("a line").remove(0);
    assert_eq!((taken.id.as_str(), taken.attempt), ("x", 2));
    bob.acknowledge(&taken).expect("a lease");
    // Too late, and no harm done.
    ann.keep_alive(&lease).expect("no harm");
    ann.give_back(&lease, AT_ONCE).expect("no harm");
    assert_eq!(bob.lease(&jobs, 1, AT_ONCE).expect("a line").len(), 0);
}

fn what_is_given_back_somebody_else_gets(boss: &dyn Fleet, ann: &dyn Fleet, bob: &dyn Fleet) {
    let run = name("back");
    boss.open_run(&run, LONG).expect("a run");
    let jobs = Line::Jobs(run);
    put(boss, &jobs, &name("x"), b"");
    let lease = ann.lease(&jobs, 1, AT_ONCE).expect("a line").remove(0);
    ann.give_back(&lease, AT_ONCE).expect("a lease");
    let lease = bob.lease(&jobs, 1, SHORT).expect("a line").remove(0);
    bob.give_back(&lease, SHORT).expect("a lease");
    assert_eq!(ann.lease(&jobs, 1, AT_ONCE).expect("a line").len(), 0);
    assert_eq!(ann.lease(&jobs, 1, LONG).expect("a line").len(), 1);
}

fn whoever_waits_is_woken(boss: &dyn Fleet, enter: &dyn Fn(&str) -> Box<dyn Fleet>) {
    let run = name("wait");
    boss.open_run(&run, LONG).expect("a run");
    let jobs = Line::Jobs(run);
    let (carl, begun) = (enter("carl"), Instant::now());
    assert_eq!(carl.lease(&jobs, 1, SHORT).expect("a line").len(), 0);
    assert!(begun.elapsed() >= SHORT / 2);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| carl.lease(&jobs, 2, LONG).expect("a line").len());
        std::thread::sleep(SHORT / 2);
        put(boss, &jobs, &name("x"), b"");
        assert_eq!(waiting.join().expect("no panic"), 1);
    });
    assert!(begun.elapsed() < LONG / 2);
}

fn runs_do_not_see_each_other_and_end(boss: &dyn Fleet, ann: &dyn Fleet) {
    let (one, other) = (name("one"), name("other"));
    for run in [&one, &other] {
        boss.open_run(run, LONG).expect("a run");
        put(boss, &Line::Jobs(run.clone()), run, b"");
        put(ann, &Line::Answers(run.clone()), run, b"");
    }
    boss.close_run(&one).expect("a run");
    boss.close_run(&one).expect("no harm");
    for line in [Line::Jobs(one.clone()), Line::Answers(one.clone())] {
        assert_eq!(boss.lease(&line, 1, AT_ONCE).err(), Some(FleetError::NoRun(one.clone())));
    }
    assert_eq!(ids(&ann.lease(&Line::Jobs(other.clone()), 9, AT_ONCE).expect("a line")), ["other"]);
    assert_eq!(boss.depth(&Line::Answers(other)), Ok(Depth { waiting: 1, leased: 0 }));
    // What was begun again begins empty.
    boss.open_run(&one, LONG).expect("a run");
    assert_eq!(boss.depth(&Line::Jobs(one.clone())), Ok(Depth::default()));
    assert_eq!(boss.depth(&Line::Answers(one)), Ok(Depth::default()));
}

fn blobs_are_known_by_what_they_hold(boss: &dyn Fleet, ann: &dyn Fleet) {
    let content: Vec<u8> = (0..3_000_000_u32).map(|number| (number * 7 % 251) as u8).collect();
    let digest = boss.put_blob(&content).expect("room");
    assert_eq!(boss.put_blob(&content), Ok(digest));
    assert_eq!(digest, Digest::of(&content));
    assert_eq!(ann.blob(&digest), Ok(Some(content)));
    assert_eq!(ann.blob(&Digest::of(b"nobody has kept this")), Ok(None));
}

fn pointers_change_by_compare_and_set(boss: &dyn Fleet, ann: &dyn Fleet) {
    let best = name("best");
    for space in Space::ALL {
        assert_eq!(boss.pointer(space, &best), Ok(None));
        let first = boss.set_pointer(space, &best, b"1", Expected::Nothing).expect("a first");
        let changed = Err(FleetError::Changed(best.clone()));
        assert_eq!(ann.set_pointer(space, &best, b"x", Expected::Nothing), changed);
        let second = ann.set_pointer(space, &best, b"2", Expected::Revision(first)).expect("a second");
        assert_eq!(boss.set_pointer(space, &best, b"x", Expected::Revision(first)), changed);
        assert_eq!(
            boss.pointer(space, &best).expect("a pointer").map(|p| (p.value, p.revision)),
            Some((b"2".to_vec(), second))
        );
        boss.set_pointer(space, &best, b"3", Expected::Anything).expect("a third");
        boss.set_pointer(space, &name("second"), b"", Expected::Anything).expect("another");
        let all = ann.pointers(space).expect("pointers");
        let all: Vec<_> =
            all.iter().map(|(name, pointer)| (name.as_str(), pointer.value.as_slice())).collect();
        assert_eq!(all, [("best", &b"3"[..]), ("second", &b""[..])]);
        for name in [&best, &name("second")] {
            boss.remove_pointer(space, name).expect("gone");
            boss.remove_pointer(space, name).expect("no harm");
        }
        assert_eq!(ann.pointer(space, &best), Ok(None));
        assert_eq!(ann.pointers(space), Ok(Vec::new()));
        boss.set_pointer(space, &best, b"new", Expected::Nothing).expect("a first again");
        boss.remove_pointer(space, &best).expect("gone");
    }
}

fn crowds_share_a_line(boss: &dyn Fleet, enter: &dyn Fn(&str) -> Box<dyn Fleet>) {
    let run = name("crowd");
    boss.open_run(&run, LONG).expect("a run");
    let jobs = Line::Jobs(run);
    let people: Vec<_> = (0..4).map(|number| enter(&format!("worker{number}"))).collect();
    let taken: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = people
            .iter()
            .map(|worker| {
                let jobs = &jobs;
                scope.spawn(move || {
                    let mut taken = Vec::new();
                    loop {
                        let leases = worker.lease(jobs, 3, SHORT * 2).expect("a line");
                        if leases.is_empty() {
                            return taken;
                        }
                        for lease in leases {
                            worker.acknowledge(&lease).expect("a lease");
                            taken.push(lease.id.to_string());
                        }
                    }
                })
            })
            .collect();
        for number in 0..200 {
            put(boss, &jobs, &name(&number.to_string()), &[0; 300]);
        }
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    let different: BTreeSet<&String> = taken.iter().collect();
    assert_eq!((taken.len(), different.len()), (200, 200));
}

#[test]
fn the_home_in_the_process_keeps_the_contract() {
    let home = Local::new(name("first"));
    check(&|who| Box::new(home.enter(name(who))));
}

#[test]
fn names_and_digests_are_checked() {
    for bad in ["", "a.b", "a b", "*", ">", "ä", "a/b", &"x".repeat(65)] {
        assert!(bad.parse::<Name>().is_err(), "{bad}");
        assert!(serde_json::from_value::<Name>(bad.into()).is_err(), "{bad}");
        assert!(Name::like(bad).as_str().parse::<Name>().is_ok(), "{bad}");
    }
    let digest = Digest::of(b"abc");
    // The published example of the standard.
    assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(digest.to_string().parse(), Ok(digest));
    for bad in ["", "12", &"g".repeat(64), &"é".repeat(32), &format!("{digest}0")] {
        assert!(bad.parse::<Digest>().is_err(), "{bad}");
    }
}

#[test]
fn what_is_too_long_is_refused_with_its_length() {
    let home = Local::new(name("first"));
    home.open_run(&name("run"), LONG).expect("a run");
    let refused = home.publish(&Line::Jobs(name("run")), &[(name("x"), vec![0; 2 << 20])]);
    assert!(refused.expect_err("too long").to_string().contains("2097152 bytes is too long"));
}
