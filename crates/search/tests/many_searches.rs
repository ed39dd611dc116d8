//! Many searches on one thread: what they find, and what they cost. A binary of its own, because it counts what is allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use outplay_core::{Game, Line, Move, Outcome, Player, Rng, mix};
use outplay_search::mcts::{
    Batch, HashRandom, Mcts, MctsOptions, Scratch, SearchContext, SearchTree, TreePool,
};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Limits, NoKnowledge, OptionSet, Search};

/// Counts what each thread asks the system for.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator as it came; the counters are plain numbers that need no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        HELD.set(HELD.get() + layout.size() as i64);
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size() as i64);
        // SAFETY: the pointer came from `alloc` above, so from the system's allocator, with the same layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Players take turns to choose one of many lanes; the game ends by a function of what they chose that looks like chance. Positions come
/// back in games that are long enough.
#[derive(Clone, PartialEq, Debug)]
struct Lanes {
    sum: u64,
    ply: u32,
    width: u16,
    length: u32,
}

impl Lanes {
    fn new(width: u16, length: u32) -> Lanes {
        Lanes { sum: 0, ply: 0, width, length }
    }
}

impl Game for Lanes {
    type Rules = ();
    type Moves = Vec<Move>;

    fn start((): &()) -> Lanes {
        Lanes::new(5, 12)
    }

    fn to_move(&self) -> Player {
        Player::BOTH[self.ply as usize % 2]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..self.width).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        self.sum = self.sum.wrapping_add(mix(1 + m.index() as u64));
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.ply >= self.length || self.ply > 3 && mix(self.sum).is_multiple_of(8);
        is_over.then(|| Outcome::from_margin((mix(self.sum) / 8 % 3) as i16 - 1, Player::First))
    }

    fn key(&self) -> u64 {
        mix(self.sum ^ u64::from(self.ply))
    }
}

const EVALUATOR: HashRandom = HashRandom { seed: 1 };

fn options(settings: &[(&str, &str)]) -> MctsOptions {
    let mut options = MctsOptions::default();
    for (name, value) in [("evaluator", "random"), ("minibatch_size", "8")].iter().chain(settings) {
        options.set(name, value).expect("an option");
    }
    options
}

/// Searches, and what one thread needs to drive them.
struct Driver<'a> {
    context: &'a SearchContext<'a, Lanes>,
    pool: Arc<TreePool>,
    batch: Batch<Lanes>,
    scratch: Scratch,
}

impl<'a> Driver<'a> {
    fn new(context: &'a SearchContext<'a, Lanes>) -> Driver<'a> {
        let (batch, scratch) = (Batch::default(), Scratch::default());
        Driver { context, pool: Arc::new(TreePool::new()), batch, scratch }
    }

    fn search(&self, start: Lanes, seed: u64) -> SearchTree<Lanes> {
        SearchTree::new(self.context, &self.pool, Line::new(start), seed)
    }

    /// Brings all searches to the end of this many playouts more, so many leaves of each at a time.
    fn run(&mut self, searches: &mut [SearchTree<Lanes>], playouts: u64, leaves: u32) {
        let (context, batch, scratch) = (self.context, &mut self.batch, &mut self.scratch);
        searches.iter_mut().for_each(|search| search.set_budget(playouts));
        while searches.iter().any(|search| !search.is_done()) {
            for search in searches.iter_mut() {
                search.gather(context, leaves, batch, scratch);
            }
            let mut evaluator = context.evaluator().begin();
            context.evaluate(&mut *evaluator, batch, &mut Rng::new(0)).expect("it cannot fail");
            searches.iter_mut().for_each(|search| search.apply(context, batch, scratch));
            batch.clear();
        }
    }
}

fn visits(search: &SearchTree<Lanes>) -> Vec<(Move, u32)> {
    search.root_visits().collect()
}

fn sum(visits: &[(Move, u32)]) -> u32 {
    visits.iter().map(|(_, visits)| visits).sum()
}

/// Trees, graphs and what changes how playouts end.
const KINDS: [&[(&str, &str)]; 5] = [
    &[("solver", "false")],
    &[("solver", "true")],
    &[("dag", "true"), ("solver", "false")],
    &[("dag", "true"), ("solver_exact", "true")],
    &[("selection", "uct"), ("rave", "true")],
];

#[test]
fn a_search_is_the_same_whoever_drives_it() {
    for settings in KINDS {
        let options = options(settings);
        let context = SearchContext::new(&options, &EVALUATOR);
        let mut driver = Driver::new(&context);
        for playouts in [1, 2, 50, 3_000] {
            let mut searches = [driver.search(Lanes::new(5, 12), 1)];
            driver.run(&mut searches, playouts, 8);
            let mut threads: Mcts<Lanes, NoKnowledge> = Mcts::new(NoKnowledge);
            let rows = options.rows().into_iter().enumerate();
            for (index, row) in rows {
                threads
                    .options_mut()
                    .set(&row.name, &options.value(index).to_string())
                    .expect("the same option");
            }
            let limits = Limits { nodes: Some(playouts), lines: 100, ..Limits::default() };
            let stop = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
            let (signals, mut sink) = (Arc::new(Signals::default()), |_| ());
            let mut control = Control::new(Player::First, &limits, &stop, &signals, &mut sink);
            let report = threads.search(&Line::new(Lanes::new(5, 12)), &mut control);
            let mut expected: Vec<(Move, u32)> =
                report.lines.iter().map(|line| (line.moves[0], line.visits.unwrap_or(0) as u32)).collect();
            let mut found = visits(&searches[0]);
            expected.retain(|(_, visits)| *visits > 0);
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{settings:?}, {playouts} playouts");
            assert_eq!(searches[0].playouts(), report.counters.nodes, "{settings:?}");
            let best = report.lines[0].moves[0];
            assert!(searches[0].best_move(&context).is_none_or(|m| m == best), "{settings:?}");
        }
    }
}

#[test]
fn searches_that_are_driven_together_find_what_each_finds_alone() {
    for settings in KINDS {
        let noise = [settings, &[("noise_epsilon", "0.3")]].concat();
        let options = options(&noise);
        let context = SearchContext::new(&options, &EVALUATOR);
        let mut driver = Driver::new(&context);
        let start = |number: u64| Lanes::new(3 + number as u16 % 6, 20);
        let mut together: Vec<SearchTree<Lanes>> =
            (0..30).map(|number| driver.search(start(number), number)).collect();
        driver.run(&mut together, 200, 3);
        for (number, search) in (0..).zip(&together) {
            let mut alone = [driver.search(start(number), number)];
            driver.run(&mut alone, 200, 3);
            assert_eq!(visits(search), visits(&alone[0]), "{noise:?}");
        }
        assert!(together.windows(7).any(|pair| visits(&pair[0]) != visits(&pair[6])), "the noise differs");
    }
}

#[test]
fn a_move_takes_along_what_is_known_of_it_and_nothing_else() {
    for settings in KINDS.into_iter().filter(|settings| settings.contains(&("solver", "false"))) {
        let options = options(settings);
        let context = SearchContext::new(&options, &EVALUATOR);
        let mut driver = Driver::new(&context);
        let mut searches = [driver.search(Lanes::new(6, 1_000), 1)];
        let mut largest = 0;
        for _ in 0..20 {
            driver.run(&mut searches, 500, 4);
            let [search] = &mut searches;
            let before = visits(search);
            let m = search.best_move(&context).expect("a move");
            let of_move = before.iter().find(|(other, _)| *other == m).expect("its visits").1;
            largest = largest.max(search.bytes());
            search.advance(m, &mut driver.scratch);
            if search.line().outcome().is_some() {
                break;
            }
            // The first visit evaluated the position; of a graph, others may have come there in other ways.
            let after = sum(&visits(search));
            assert!(after + 1 == of_move || options.dag && after + 1 >= of_move, "{after} of {of_move}");
            assert!(options.dag || search.bytes() <= largest);
            assert_eq!(search.line().position().ply as usize, search.line().moves().len());
        }
        assert!(options.dag || largest < 1 << 19, "{largest} bytes");
    }
}

#[test]
fn a_batch_that_could_not_be_evaluated_leaves_no_trace() {
    for settings in KINDS.into_iter().filter(|settings| settings.contains(&("solver", "false"))) {
        let options = options(settings);
        let context = SearchContext::new(&options, &EVALUATOR);
        let mut driver = Driver::new(&context);
        let mut searches = [driver.search(Lanes::new(6, 1_000), 1)];
        for round in 0..4 {
            let [search] = &mut searches;
            let (before, playouts) = (visits(search), search.playouts());
            search.set_budget(100);
            let lost = search.gather(&context, 8, &mut driver.batch, &mut driver.scratch);
            assert!(lost > 0 && !search.is_done());
            search.discard(&context, &mut driver.batch, &mut driver.scratch);
            driver.batch.clear();
            let ended = search.playouts() - playouts;
            assert!(ended < 8, "only those that came to the end of the game");
            assert_eq!(u64::from(sum(&visits(search))), u64::from(sum(&before)) + ended);
            driver.run(&mut searches, 50, 8);
            assert_eq!(u64::from(sum(&visits(&searches[0]))) + 1, searches[0].playouts(), "round {round}");
        }
    }
}

#[test]
fn ten_thousand_trees_need_less_than_a_gigabyte() {
    // As many moves as a position of chess has.
    let options = options(&[]);
    let context = SearchContext::new(&options, &EVALUATOR);
    let mut driver = Driver::new(&context);
    let held = HELD.get();
    let mut searches: Vec<SearchTree<Lanes>> =
        (0..10_000).map(|seed| driver.search(Lanes::new(35, 1_000), seed)).collect();
    searches.chunks_mut(64).for_each(|group| driver.run(group, 64, 4));
    assert!(searches.iter().all(|search| search.playouts() >= 64 || search.is_solved()));
    let bytes = HELD.get() - held;
    println!("{} MB for 10,000 trees", bytes / 1_000_000);
    assert!(bytes < 1_000_000_000, "{bytes} bytes");
    let of_trees: u64 = searches.iter().map(SearchTree::bytes).sum();
    assert!(of_trees < bytes as u64 && bytes as u64 - of_trees < 100_000_000, "{of_trees} of {bytes}");
}

#[test]
fn a_tree_is_begun_searched_and_forgotten_without_memory_from_the_system() {
    for settings in [&KINDS[0], &KINDS[2]] {
        let options = options(settings);
        let context = SearchContext::new(&options, &EVALUATOR);
        let mut driver = Driver::new(&context);
        let mut searches: Vec<SearchTree<Lanes>> =
            (0..50).map(|seed| driver.search(Lanes::new(6, 1_000), seed)).collect();
        driver.run(&mut searches, 30, 4);
        searches.iter_mut().for_each(SearchTree::forget);
        let free = driver.pool.free_bytes();
        for round in 0..3 {
            let lines: Vec<Line<Lanes>> = (0..50).map(|_| Line::new(Lanes::new(6, 1_000))).collect();
            let asked = ASKED.get();
            searches.iter_mut().zip(lines).for_each(|(search, line)| search.begin(line));
            let begun = ASKED.get();
            driver.run(&mut searches, 30, 4);
            let searched = ASKED.get();
            searches.iter_mut().for_each(SearchTree::forget);
            assert_eq!((begun - asked, ASKED.get() - searched), (0, 0), "{settings:?}, round {round}");
            assert_eq!(driver.pool.free_bytes(), free, "all memory has come back, and no more");
        }
    }
}

#[test]
fn a_search_goes_on_where_its_tree_grows_large() {
    let options = options(&[("solver", "false")]);
    let context = SearchContext::new(&options, &EVALUATOR);
    let mut driver = Driver::new(&context);
    let mut searches = [driver.search(Lanes::new(40, 1_000), 1)];
    // More than the table of chunks has room for at first.
    driver.run(&mut searches, 60_000, 512);
    assert_eq!(searches[0].playouts(), 60_000);
    assert_eq!(sum(&visits(&searches[0])), 59_999);
    assert!(searches[0].bytes() > 4 << 20, "{}", searches[0].bytes());
}
