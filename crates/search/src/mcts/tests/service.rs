//! The service by itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::*;
use crate::BatchUse;
use crate::mcts::{Gone, StandingService, WaitMode};

fn no_delay(batch: usize) -> Probe {
    Probe::new(batch, Duration::ZERO)
}

/// Leaves with the numbers of their positions as tickets.
fn parcel(numbers: std::ops::Range<usize>) -> Vec<(u32, Leaf<Walk>)> {
    numbers.map(|number| (number as u32, leaf(Walk::numbered(number)))).collect()
}

#[test]
fn every_leaf_comes_back_once_to_its_client_with_its_own_value() {
    let probe = Probe::new(16, Duration::from_micros(300));
    let service = Service::new(probe.clone());
    let work = || {
        std::thread::scope(|scope| {
            for client in 0..3 {
                let service = &service;
                scope.spawn(move || {
                    let (mut client, mut next, end) =
                        (service.client(40), client * 1000, client * 1000 + 500);
                    let (mut open, mut back) = ((next..end).collect::<HashSet<_>>(), Vec::new());
                    while !open.is_empty() {
                        let more = next..end.min(next + 7.min(client.room()));
                        next = more.end;
                        client.hand_in(&mut parcel(more)).expect("open");
                        assert!(client.out() <= 40);
                        let patience = if next < end { WaitMode::None } else { WaitMode::UntilFirst };
                        client.collect(patience, &mut back).expect("open");
                        for (ticket, leaf) in back.drain(..) {
                            assert!(
                                open.remove(&(ticket as usize)),
                                "{ticket} has come twice, or to the wrong client"
                            );
                            let expected = evaluated(Walk::numbered(ticket as usize));
                            assert_eq!(leaf.position, expected.position);
                            assert_eq!((leaf.value, leaf.logits), (expected.value, expected.logits));
                        }
                    }
                    assert_eq!(client.out(), 0);
                });
            }
        });
    };
    service.serve(2, 1, work);
    assert_eq!((service.counted().leaves, probe.leaves()), (1500, 1500));
    assert!(probe.saw_overtaking());
}

#[test]
fn leaves_of_several_clients_share_batches_and_batches_are_as_full_as_they_can_be() {
    let service = Service::new(no_delay(16));
    let mut clients: Vec<_> = (0..3).map(|_| service.client(10)).collect();
    for (number, client) in clients.iter_mut().enumerate() {
        client.hand_in(&mut parcel(10 * number..10 * number + 10)).expect("open");
    }
    assert_eq!(service.waiting(), 30);
    service.serve(1, 1, || {
        for client in &mut clients {
            let mut back = Vec::new();
            while client.out() > 0 {
                client.collect(WaitMode::UntilFirst, &mut back).expect("open");
            }
            assert_eq!(back.len(), 10);
        }
    });
    assert_eq!(service.counted(), BatchUse { batches: 2, leaves: 30 });
    assert_eq!(service.counted().mean(), 15.0);
}

#[test]
fn a_client_hands_in_no_more_than_it_may_have_out() {
    let service = Service::new(no_delay(16));
    let mut client = service.client(10);
    let mut leaves = parcel(0..13);
    client.hand_in(&mut leaves).expect("open");
    assert_eq!((client.out(), client.room(), service.waiting()), (10, 0, 10));
    assert_eq!(leaves.iter().map(|(ticket, _)| *ticket).collect::<Vec<_>>(), [10, 11, 12]);
}

#[test]
fn a_closed_service_gives_back_what_was_handed_in_and_takes_nothing_more() {
    let service = Service::new(no_delay(4));
    let mut client = service.client(100);
    client.hand_in(&mut parcel(0..10)).expect("open");
    service.close();
    let mut refused = parcel(10..12);
    assert_eq!(client.hand_in(&mut refused), Err(Gone));
    assert_eq!((refused.len(), client.out()), (2, 10), "what is refused stays with its owner");
    service.run(Rng::new(1));
    let mut back = Vec::new();
    client.collect(WaitMode::UntilFirst, &mut back).expect("what was evaluated is given back");
    assert_eq!((back.len(), client.out()), (10, 0));
}

#[test]
fn nobody_waits_for_a_service_that_has_ended_without_evaluating() {
    let service = Service::new(no_delay(4));
    let mut client = service.client(100);
    client.hand_in(&mut parcel(0..10)).expect("open");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| client.collect(WaitMode::UntilFirst, &mut Vec::new()));
        service.close();
        assert_eq!(waiting.join().expect("no panic"), Err(Gone));
    });
    assert_eq!(client.out(), 0, "they are given up");
}

/// An evaluator that does not like one position.
struct Panicking;

impl LeafEvaluator<Walk> for Panicking {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        4
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Walk> + '_> {
        Box::new(|leaves: &mut [Leaf<Walk>], _: &mut Rng| {
            assert!(!leaves.iter().any(|leaf| leaf.position == Walk::numbered(6)), "not this one");
            Ok(())
        })
    }
}

#[test]
fn a_panic_of_the_evaluator_ends_the_waiting_of_all_clients_and_is_passed_on() {
    let service = Service::new(Panicking);
    let passed_on = catch_unwind(AssertUnwindSafe(|| {
        service.serve(2, 1, || {
            let (mut first, mut second) = (service.client(100), service.client(100));
            first.hand_in(&mut parcel(0..10)).expect("open");
            let mut back = Vec::new();
            while first.collect(WaitMode::UntilFirst, &mut back).is_ok() {
                assert!(first.out() > 0, "some never come back");
            }
            assert_eq!(second.hand_in(&mut parcel(0..1)), Err(Gone));
        });
    }));
    let payload = passed_on.expect_err("a panic");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"not this one"));
    assert!(service.is_broken());
}

/// An evaluator that says when a batch has come, and waits until it may go on.
struct Gate {
    entered: Sender<()>,
    may_go_on: Mutex<Receiver<()>>,
}

impl LeafEvaluator<Walk> for Gate {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Walk> + '_> {
        Box::new(|_: &mut [Leaf<Walk>], _: &mut Rng| {
            self.entered.send(()).expect("the test listens");
            self.may_go_on.lock().expect("one thread").recv().expect("the test speaks");
            Ok(())
        })
    }
}

#[test]
fn what_a_client_leaves_behind_goes_to_nobody_else() {
    let (entered, has_entered) = channel();
    let (go_on, may_go_on) = channel();
    let service = Service::new(Gate { entered, may_go_on: Mutex::new(may_go_on) });
    service.serve(1, 1, || {
        let mut leaving = service.client(10);
        leaving.hand_in(&mut parcel(0..3)).expect("open");
        has_entered.recv().expect("the first is being evaluated");
        drop(leaving);
        assert_eq!(service.waiting(), 0, "the others are not evaluated at all");
        let mut staying = service.client(10);
        staying.hand_in(&mut parcel(7..8)).expect("open");
        go_on.send(()).expect("it waits");
        has_entered.recv().expect("the second is being evaluated");
        let mut back = Vec::new();
        staying.collect(WaitMode::None, &mut back).expect("open");
        assert!(back.is_empty());
        go_on.send(()).expect("it waits");
        staying.collect(WaitMode::UntilFirst, &mut back).expect("open");
        assert_eq!(back.iter().map(|(ticket, _)| *ticket).collect::<Vec<_>>(), [7]);
    });
    assert_eq!(service.counted(), BatchUse { batches: 2, leaves: 2 });
}

#[test]
fn a_standing_service_serves_several_searches_and_nothing_of_it_is_left_when_it_ends() {
    let probe = no_delay(8);
    let standing = StandingService::start(probe.clone(), 2, 1).expect("threads");
    // Miri takes minutes for the table of chunks of a tree without a limit.
    let (nodes, settings) =
        if cfg!(miri) { (30, [("ram_limit_mb", "1")]) } else { (2_000, [("threads", "2")]) };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let mut search = shared_mcts(standing.service(), &settings);
            scope.spawn(move || assert_eq!(search_nodes(&mut search, nodes).counters.nodes, nodes));
        }
    });
    assert_eq!(standing.service().counted().leaves, probe.leaves());
    assert!(probe.leaves() > nodes, "both searches have asked");
    drop(standing);
    assert_eq!(Arc::strong_count(&probe.seen), 1, "its threads have ended, and its evaluator is gone");
}
