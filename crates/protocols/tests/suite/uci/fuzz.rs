//! Anything, in any order, at any time.

use std::time::{Duration, Instant};

use outplay_core::Rng;

use super::conversation::{Conversation, PATIENCE};

/// Lines that make sense, more or less; numbers and words are exchanged and mutilated below.
const LINES: [&str; 45] = [
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves e2e4 e7e5 e1e3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 2 9",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen",
    "go depth 2",
    "go nodes 200",
    "go movetime 3",
    "go wtime 20 btime 20 winc 1 binc 1",
    "go wtime 50 btime 50 movestogo 1",
    "go infinite",
    "go ponder wtime 10 btime 10",
    "go",
    "go mate 2",
    "go searchmoves e2e4 d2d4 depth 1",
    "go perft 2",
    "go perft 9",
    "setoption name MultiPV value 3",
    "setoption name Hash value 1",
    "setoption name Threads value 2",
    "setoption name Search value mcts",
    "setoption name Search value deepening",
    "setoption name Search value pvs",
    "setoption name Search value uct",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_Elo value 1000",
    "setoption name Clear Hash",
    "d",
    "eval",
    "flip",
    "bench",
];

/// A line, perhaps with one of its words or letters exchanged, lost or doubled.
fn mutated(rng: &mut Rng) -> String {
    let line = LINES[rng.below(LINES.len())];
    let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
    let place = rng.below(words.len());
    match rng.below(12) {
        0 => drop(words.remove(place)),
        1 => words.push(LINES[rng.below(LINES.len())].to_string()),
        2 => {
            words[place] = ["-1", "0", "x", "99999999999999999999", "é\u{0}", "moves", "infinite"]
                [rng.below(7)]
            .to_string()
        }
        3 => {
            let letter = char::from(b' ' + rng.below(95) as u8);
            words[place].insert(0, letter);
        }
        4 => words[place] = words[place].chars().rev().collect(),
        5 => words.swap(0, place),
        _ => {}
    }
    words.join(" ")
}

fn first_two_words(line: &str) -> (Option<&str>, Option<&str>) {
    let mut words = line.split_whitespace();
    (words.next(), words.next())
}

/// What has to be answered, and what was.
#[derive(Default, Debug, PartialEq)]
struct Count {
    moves: usize,
    ready: usize,
}

impl Count {
    fn sent(&mut self, line: &str) {
        self.moves +=
            usize::from(matches!(first_two_words(line), (Some("go"), word) if word != Some("perft")));
        self.ready += usize::from(first_two_words(line).0 == Some("isready"));
    }

    fn heard(&mut self, line: &str) {
        self.moves += usize::from(line.starts_with("bestmove "));
        self.ready += usize::from(line == "readyok");
    }
}

#[test]
fn whatever_is_sent_each_search_has_one_answer_and_each_question_too() {
    for seed in 0..4 {
        let mut rng = Rng::new(seed);
        let talk = Conversation::start();
        let (mut asked, mut answered) = (Count::default(), Count::default());
        for _ in 0..800 {
            let line = mutated(&mut rng);
            if first_two_words(&line).0 == Some("quit") {
                continue;
            }
            asked.sent(&line);
            talk.send(&line);
            if rng.below(8) == 0 {
                let pause = Duration::from_millis(rng.below(6) as u64);
                talk.heard_within(pause).iter().for_each(|line| answered.heard(line));
            }
        }
        // Each search that is still to come may be endless.
        let deadline = Instant::now() + PATIENCE;
        while answered != asked {
            assert!(Instant::now() < deadline, "seed {seed}: {asked:?} asked, {answered:?} answered");
            talk.send("stop");
            talk.heard_within(Duration::from_millis(2)).iter().for_each(|line| answered.heard(line));
        }
        talk.send("stop");
        talk.ask("").iter().for_each(|line| answered.heard(line));
        assert_eq!(answered, asked, "seed {seed}: something was answered twice");
        assert!(talk.end().1.is_ok());
    }
}

#[test]
fn the_end_may_come_at_any_time() {
    for seed in 0..25 {
        let mut rng = Rng::new(1_000 + seed);
        let talk = Conversation::start();
        for _ in 0..rng.below(40) {
            talk.send(&mutated(&mut rng));
        }
        talk.heard_within(Duration::from_millis(rng.below(10) as u64));
        let begun = Instant::now();
        assert!(talk.end().1.is_ok());
        assert!(begun.elapsed() < Duration::from_secs(5), "seed {seed}: {:?}", begun.elapsed());
    }
}
