//! Searches of several threads.

use super::*;

#[test]
fn another_number_of_threads_goes_on_with_the_tree() {
    // Miri takes minutes for the table of chunks of a tree without a limit.
    let (nodes, mebibytes) = if cfg!(miri) { (40, "1") } else { (1_000, "0") };
    for dag in ["false", "true"] {
        let settings = [("evaluator", "random"), ("dag", dag), ("ram_limit_mb", mebibytes)];
        let mut search = mcts(NoKnowledge, &settings);
        let mut all = 0;
        for threads in ["1", "2", "4", "1"] {
            search.options_mut().set("threads", threads).expect("an option");
            let report = search_nodes(&mut search, nodes);
            all += nodes;
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            assert_eq!((report.counters.nodes, visits), (nodes, all - 1), "{threads} threads");
            let Census { pending, in_flight, .. } = census(&search);
            assert_eq!((pending, in_flight), (0, 0));
        }
        search.options_mut().set("seed", "2").expect("an option");
        let visits: u64 =
            search_nodes(&mut search, nodes / 2).lines.iter().filter_map(|line| line.visits).sum();
        assert_eq!(visits, nodes / 2 - 1, "what is said of leaves depends on the seed");
    }
}
