//! Trees that are saved and loaded: what was learned is there again, and a bad file does no harm.

use crate::common::heaps::{Heaps, HeapsMcts, mcts, run};
use outplay_core::{Line, Rng, garbage, mix};
use outplay_search::{Report, Search, TreeFileError};

fn saved(search: &HeapsMcts) -> Vec<u8> {
    let mut file = Vec::new();
    search.save_tree(&mut file).expect("a tree");
    file
}

fn load(search: &mut HeapsMcts, start: &Heaps, mut file: &[u8]) -> Result<(), TreeFileError> {
    search.load_tree(start, &mut file)
}

fn visits(report: &Report) -> u64 {
    report.lines.iter().filter_map(|line| line.visits).sum()
}

/// A tree after two searches of a game, the second one a move later.
fn grown(settings: &[(&str, &str)], start: &Heaps, nodes: u64) -> (HeapsMcts, Line<Heaps>) {
    let (mut search, mut line) = (mcts(settings), Line::new(start.clone()));
    let report = run(&mut search, &line, nodes);
    line.play(report.best_move().expect("a move"));
    run(&mut search, &line, nodes);
    (search, line)
}

#[test]
fn a_search_goes_on_with_a_loaded_tree_as_if_it_had_never_ended() {
    for dag in ["false", "true"] {
        for (evaluator, nodes) in [("random", 3_000), ("rollouts", 500)] {
            let settings = [("dag", dag), ("evaluator", evaluator), ("dag_tolerance", "0")];
            let start = if evaluator == "random" { Heaps::large() } else { Heaps::large().apart() };
            let (mut search, mut line) = grown(&settings, &start, nodes);
            let file = saved(&search);
            let mut loaded = mcts(&settings);
            load(&mut loaded, &start, &file).expect("its own file");
            assert_eq!(saved(&loaded).len(), file.len());
            // On, and back to where the game began.
            for _ in 0..2 {
                let (here, there) = (run(&mut search, &line, nodes), run(&mut loaded, &line, nodes));
                assert!(visits(&there) > nodes, "{dag}, {evaluator}: what was learned is there");
                assert_eq!(
                    (&here.lines, here.counters),
                    (&there.lines, there.counters),
                    "{dag}, {evaluator}"
                );
                line.undo();
            }
        }
    }
}

#[test]
fn a_tree_that_has_made_room_can_be_saved_and_made_room_in_again() {
    for dag in ["false", "true"] {
        let settings =
            [("dag", dag), ("evaluator", "random"), ("ram_limit_mb", "1"), ("ram_limit_recycles", "true")];
        let (search, line) = grown(&settings, &Heaps::large(), 100_000);
        let mut loaded = mcts(&settings);
        load(&mut loaded, &Heaps::large(), &saved(&search)).expect("its own file");
        assert!(visits(&run(&mut loaded, &line, 50_000)) > 100_000);
        let mut unlimited = mcts(&settings[..2]);
        load(&mut unlimited, &Heaps::large(), &saved(&search)).expect("there is more room");
        assert!(visits(&run(&mut unlimited, &line, 1_000)) > 50_000);
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_reason() {
    let settings = [("evaluator", "random")];
    let (start, other) = (Heaps::large(), Heaps::new([5; 6]));
    let (search, _) = grown(&settings, &start, 20_000);
    let file = saved(&search);
    let error = |settings: &[(&str, &str)], start: &Heaps, file: &[u8]| {
        let (mut search, line) = (mcts(settings), Line::new(start.clone()));
        run(&mut search, &line, 100);
        let error = load(&mut search, start, file).expect_err("a bad file");
        assert_eq!(visits(&run(&mut search, &line, 100)), 199, "the old tree is still there");
        error.to_string()
    };
    assert!(error(&settings, &other, &file).contains("another game"));
    assert!(error(&[("evaluator", "uniform")], &start, &file).contains("\"evaluator\" set to \"random\""));
    assert!(error(&[("evaluator", "random"), ("dag", "true")], &start, &file).contains("dag"));
    assert!(error(&[("evaluator", "random"), ("ram_limit_mb", "1")], &start, &file).contains("ram_limit_mb"));
    assert!(error(&settings, &start, b"[Event \"a game\"]").contains("not a file"));
    assert!(error(&settings, &start, b"").contains("too early"));
    let mut newer = file.clone();
    newer[8] += 1;
    assert!(error(&settings, &start, &newer).contains("format 5, expected 4"));
    let longer = [&file[..], b"x"].concat();
    assert!(error(&settings, &start, &longer).contains("after its end"));
    for step in 0..40 {
        let cut = &file[..file.len() * step / 40];
        assert!(error(&settings, &start, cut).contains("too early"), "{step}");
        let mut changed = file.clone();
        changed[24 + (file.len() - 24) * step / 40] ^= 1 << (step % 8);
        error(&settings, &start, &changed);
    }
    // Settings that say nothing of the tree may change.
    let mut search = mcts(&[("evaluator", "random"), ("cpuct", "3"), ("threads", "2")]);
    load(&mut search, &start, &file).expect("other settings that do not matter");
    assert!(search.save_tree(&mut Vec::new()).is_ok());
    assert!(matches!(mcts::<Heaps>(&[]).save_tree(&mut Vec::new()), Err(TreeFileError::NothingGrown)));
}

/// Puts the right checksum at the end of a file that was changed.
fn seal(file: &mut [u8]) {
    let end = file.len() - 8;
    let words =
        file[..end].chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
    let sum = words.fold(0, |sum: u64, word| mix(sum ^ word).wrapping_add(word));
    file[end..].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn a_file_that_was_made_to_deceive_is_refused_or_harmless() {
    let start = Heaps::new([4, 4, 3, 3, 0, 0]);
    let mut rng = Rng::new(8);
    let (mut refused, mut taken) = (0, 0);
    for (dag, rave) in [("false", "false"), ("true", "true")] {
        let settings = [("dag", dag), ("evaluator", "random"), ("rave", rave)];
        let (search, line) = grown(&settings, &start, 60);
        let file = saved(&search);
        let mut same = file.clone();
        seal(&mut same);
        assert_eq!(same, file, "this is how files are sealed");
        for _ in 0..1_000 {
            let mut forged = file.clone();
            for _ in 0..1 + rng.below(2) {
                let place = 24 + rng.below(file.len() - 32);
                match rng.below(4) {
                    0 => forged[place] ^= 1 << rng.below(8),
                    1 => forged[place] = 0xFF,
                    2 => forged[place] = rng.next_u64() as u8,
                    // A word from elsewhere: most likely to be taken for what it is not.
                    _ => {
                        let (to, from) = (place / 8 * 8, rng.below(file.len() / 8) * 8);
                        forged.copy_within(from..from + 8, to);
                    }
                }
            }
            seal(&mut forged);
            let mut search = mcts(&settings);
            match load(&mut search, &start, &forged) {
                Ok(()) => {
                    run(&mut search, &line, 100);
                    taken += 1;
                }
                Err(_) => refused += 1,
            }
        }
        garbage::feed(3, &[&file[..2_000]], 300_000, |bytes| drop(load(&mut mcts(&settings), &start, bytes)));
    }
    assert!(refused > 200 && taken > 200, "{refused} refused, {taken} taken");
}
