//! Searches of several threads.

use super::*;

#[test]
fn another_number_of_threads_goes_on_with_the_tree() {
    for dag in ["false", "true"] {
        let mut search = mcts(NoKnowledge, &[("evaluator", "random"), ("dag", dag)]);
        let mut all = 0;
        for threads in ["1", "2", "4", "1"] {
            search.options_mut().set("threads", threads).expect("an option");
            let report = search_nodes(&mut search, 1_000);
            all += 1_000;
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            assert_eq!((report.counters.nodes, visits), (1_000, all - 1), "{threads} threads");
            let Census { pending, in_flight, .. } = census(&search);
            assert_eq!((pending, in_flight), (0, 0));
        }
        search.options_mut().set("seed", "2").expect("an option");
        let visits: u64 = search_nodes(&mut search, 500).lines.iter().filter_map(|line| line.visits).sum();
        assert_eq!(visits, 499, "what is said of leaves depends on the seed");
    }
}
