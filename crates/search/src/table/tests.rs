//! What the table promises, against a model of its rule.

use std::collections::HashMap;

use outplay_core::{Move, Rng};

use super::*;

fn found(rng: &mut Rng) -> TableEntry {
    TableEntry {
        best: (rng.below(4) > 0).then(|| Move::new(rng.below(60_000) as u16)),
        value: rng.below(64_000) as i16,
        bound: Some([Bound::AtMost, Bound::AtLeast, Bound::Exact][rng.below(3)]),
        evaluation: (rng.below(3) > 0).then(|| (rng.below(40_000) as i32 - 20_000) as i16),
        depth: (rng.below(100) as i32 - 20) as i8,
        is_certain: rng.below(3) == 0,
    }
}

#[test]
fn what_is_packed_comes_out_again() {
    let mut rng = Rng::new(1);
    for age in 0..AGES {
        for _ in 0..1_000 {
            let found = found(&mut rng);
            let packed = Packed::new(&found, age);
            assert_ne!(packed.0, 0);
            assert_eq!((packed.unpack(), packed.age()), (found, age));
        }
    }
    let deepest = TableEntry { depth: i8::MAX - 1, ..found(&mut rng) };
    assert_eq!(Packed::new(&deepest, 0).unpack(), deepest);
}

#[test]
fn the_size_is_kept_exactly() {
    for mebibytes in [1, 3, 16, 17] {
        for on_large_pages in [false, true] {
            let table = Table::new(mebibytes, on_large_pages);
            assert_eq!(table.mebibytes(), mebibytes);
            assert_eq!(size_of_val(&*table.buckets), mebibytes << 20);
        }
    }
}

#[test]
fn an_entry_lost_is_an_entry_replaced_by_the_rule() {
    // One bucket's worth of keys at a time: the model keeps what the rule says must be there.
    let mut table = Table::new(1, true);
    let mut rng = Rng::new(2);
    let keys: Vec<u64> = (1..=9).map(|low| 0xABCD_EF00_0000_0000 | low).collect();
    let mut model: HashMap<u64, (TableEntry, u32)> = HashMap::new();
    let mut search = 0;
    for _ in 0..20_000 {
        if rng.below(50) == 0 {
            table.begin_search();
            search += 1;
            // The age is only known up to a full turn.
            model.retain(|_, &mut (_, written)| search - written < u32::from(AGES));
            if model.len() < WAYS {
                table.clear();
                model.clear();
                search = 0;
            }
        }
        let key = keys[rng.below(keys.len())];
        let mut new = found(&mut rng);
        table.store(key, new);
        let worth = |(found, written): &(TableEntry, u32)| {
            i32::from(found.depth) - PLIES_PER_AGE * (search - written) as i32
        };
        match model.get(&key) {
            Some((old, written))
                if *written == search
                    && !new.is_certain
                    && (old.is_certain || i32::from(old.depth) > i32::from(new.depth) + SHALLOWER_BY)
                    && new.bound != Some(Bound::Exact) =>
            {
                assert_eq!(table.probe(key), Some(*old));
                continue;
            }
            Some((old, _)) => new.best = new.best.or(old.best),
            None if model.len() == WAYS => {
                let least = model.values().map(worth).min().unwrap();
                let gone: Vec<u64> =
                    model.keys().copied().filter(|&other| table.probe(other).is_none()).collect();
                assert_eq!(gone.len(), 1, "one entry gives way, and only one");
                assert_eq!(worth(&model[&gone[0]]), least, "the one that is worth least");
                model.remove(&gone[0]);
            }
            None => {}
        }
        model.insert(key, (new, search));
        for (&key, (found, _)) in &model {
            assert_eq!(table.probe(key), Some(*found));
        }
    }
}

#[test]
fn halves_of_two_entries_are_no_entry() {
    let table = Table::new(1, true);
    let mut rng = Rng::new(3);
    for _ in 0..1_000 {
        let key = rng.next_u64();
        table.store(key, found(&mut rng));
        let slot = table
            .bucket(key)
            .0
            .iter()
            .find(|slot| slot.check.load(Ordering::Relaxed) ^ slot.data.load(Ordering::Relaxed) == key);
        let other = Packed::new(&found(&mut rng), 1).0;
        slot.unwrap().data.store(other, Ordering::Relaxed);
        assert_eq!(table.probe(key), None);
    }
}

#[test]
fn threads_that_write_the_same_bucket_never_read_what_nobody_wrote() {
    let table = Table::new(1, true);
    // Every entry says by its parts which key it belongs to.
    let entry = |key: u64, n: u64| TableEntry {
        best: Some(Move::new((key % 1_000) as u16)),
        value: (key % 997) as i16,
        bound: Some(Bound::Exact),
        evaluation: Some((key % 991) as i16),
        depth: (n % 60) as i8,
        is_certain: false,
    };
    let rounds = if cfg!(miri) { 300 } else { 200_000 };
    std::thread::scope(|scope| {
        for thread in 0..2_u64 {
            let table = &table;
            scope.spawn(move || {
                let mut rng = Rng::new(thread);
                for n in 0..rounds {
                    let key = 0x1234_5678_0000_0000 | rng.below(24) as u64;
                    if let Some(found) = table.probe(key) {
                        assert_eq!(found, TableEntry { depth: found.depth, ..entry(key, n) });
                    }
                    table.store(key, entry(key, n));
                }
            });
        }
    });
}

#[test]
fn fullness_counts_what_this_search_wrote() {
    let mut table = Table::new(1, true);
    let mut rng = Rng::new(4);
    assert_eq!(table.permille(), 0);
    for _ in 0..400_000 {
        table.store(rng.next_u64(), found(&mut rng));
    }
    assert!(table.permille() > 990, "{}", table.permille());
    table.begin_search();
    assert_eq!(table.permille(), 0);
}
