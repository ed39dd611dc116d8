//! What `go` asks for.

use std::iter::Peekable;
use std::str::SplitWhitespace;
use std::time::Duration;

use outplay_core::Player;
use outplay_core::text::shortened;
use outplay_search::{Clock, Limits};

/// How long a search lasts whose only limits could not be read: somebody waits for an answer.
const TIME_FOR_UNREADABLE: Duration = Duration::from_millis(100);

/// The words of a `go` command. What could not be read is left out and complained about.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Go {
    /// Milliseconds on the clocks, White's first. Some runners let them go below zero.
    pub clock: [Option<i64>; 2],
    /// Milliseconds added after each move.
    pub increment: [Option<i64>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// A mate in so many moves.
    pub mate: Option<i64>,
    /// Until told to stop.
    pub infinite: bool,
    /// On the opponent's time.
    pub ponder: bool,
    /// The moves to consider, as text.
    pub only: Vec<String>,
    /// What was wrong with the command.
    pub complaints: Vec<String>,
}

/// The words that a command is made of; a number follows all but the last three.
const KEYWORDS: [&str; 12] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "movetime",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
];

impl Go {
    /// Reads what follows `go`.
    pub fn parse(text: &str) -> Go {
        let mut go = Go::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let is_move = |word: &&str| !KEYWORDS.contains(word);
                    go.only.extend(std::iter::from_fn(|| words.next_if(is_move)).map(str::to_string));
                }
                _ => match go.number(word) {
                    None => go.complaints.push(format!("go: unknown word {}", shortened(word))),
                    Some(_) => match read_number(&mut words) {
                        Ok(number) => *go.number(word).unwrap_or(&mut None) = Some(number),
                        Err(found) => go.complaints.push(format!("go: {word} needs a number, not {found}")),
                    },
                },
            }
        }
        go
    }

    /// Where the number behind a word belongs.
    fn number(&mut self, word: &str) -> Option<&mut Option<i64>> {
        let [first, second] = [Player::First, Player::Second].map(Player::index);
        Some(match word {
            "wtime" => &mut self.clock[first],
            "btime" => &mut self.clock[second],
            "winc" => &mut self.increment[first],
            "binc" => &mut self.increment[second],
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "movetime" => &mut self.move_time,
            "mate" => &mut self.mate,
            _ => return None,
        })
    }

    /// The limits of the search, without the moves to consider.
    pub fn limits(&self) -> Limits {
        let at_least_one = |number: i64| u32::try_from(number.max(1)).unwrap_or(u32::MAX);
        let mut limits = Limits {
            depth: self.depth.map(at_least_one),
            nodes: self.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
            move_time: self.move_time.map(milliseconds),
            clock: self.game_clock(),
            mate: self.mate.map(at_least_one),
            infinite: self.infinite,
            ponder: self.ponder,
            ..Limits::default()
        };
        if !self.complaints.is_empty() && is_unbounded(&limits) && !limits.infinite {
            limits.move_time = Some(TIME_FOR_UNREADABLE);
        }
        limits
    }

    /// The clock, if anything was said of one. A player of whom nothing is known has as much time as the other.
    fn game_clock(&self) -> Option<Clock> {
        let said = |times: [Option<i64>; 2]| times[0].is_some() || times[1].is_some();
        if !said(self.clock) && !said(self.increment) {
            return None;
        }
        let both = |[first, second]: [Option<i64>; 2]| {
            [first.or(second), second.or(first)].map(|time| milliseconds(time.unwrap_or(0)))
        };
        Some(Clock {
            remaining: both(self.clock),
            increment: both(self.increment),
            moves_to_go: self
                .moves_to_go
                .filter(|&moves| moves > 0)
                .map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        })
    }
}

/// Whether nothing but an order ends a search.
pub fn is_unbounded(limits: &Limits) -> bool {
    let Limits { depth, nodes, visits, move_time, clock, mate, infinite, .. } = limits;
    let is_limited = depth.is_some() || nodes.is_some() || visits.is_some() || mate.is_some();
    *infinite || !(is_limited || move_time.is_some() || clock.is_some())
}

/// A number, or what stands in its place. A word that the command knows is left to be read as such.
fn read_number(words: &mut Peekable<SplitWhitespace>) -> Result<i64, String> {
    let Some(word) = words.next_if(|word| !KEYWORDS.contains(word)) else {
        return Err("nothing".to_string());
    };
    // Some programs send fractions, and numbers that are too large for anything.
    let fraction = || word.parse::<f64>().ok().filter(|number| number.is_finite());
    word.parse().ok().or_else(|| fraction().map(|number| number as i64)).ok_or_else(|| shortened(word))
}

fn milliseconds(time: i64) -> Duration {
    Duration::from_millis(time.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> Limits {
        Go::parse(text).limits()
    }

    #[test]
    fn every_word_finds_its_limit() {
        let text =
            "wtime 60000 btime 50000 winc 1000 binc 2000 movestogo 40 depth 9 nodes 1234 mate 3 movetime 77";
        let seconds = Duration::from_secs;
        let expected = Limits {
            depth: Some(9),
            nodes: Some(1234),
            move_time: Some(Duration::from_millis(77)),
            clock: Some(Clock {
                remaining: [seconds(60), seconds(50)],
                increment: [seconds(1), seconds(2)],
                moves_to_go: Some(40),
            }),
            mate: Some(3),
            ..Limits::default()
        };
        assert_eq!(limits(text), expected);
        assert_eq!(limits(""), Limits::default());
        assert_eq!(limits("infinite"), Limits { infinite: true, ..Limits::default() });
        assert!(limits("ponder wtime 1 btime 1").ponder);
    }

    #[test]
    fn moves_to_consider_end_where_another_word_begins() {
        let go = Go::parse("searchmoves e2e4 d2d4 depth 3");
        assert_eq!((go.only, go.depth), (vec!["e2e4".to_string(), "d2d4".to_string()], Some(3)));
        let go = Go::parse("depth 2 infinite searchmoves");
        assert_eq!((go.only.len(), go.depth, go.infinite), (0, Some(2), true));
    }

    #[test]
    fn a_single_clock_is_taken_for_both_and_time_is_never_negative() {
        let clock = |text: &str| limits(text).clock.expect("a clock");
        let second = Duration::from_secs(1);
        assert_eq!(clock("btime 1000").remaining, [second; 2]);
        assert_eq!(clock("wtime 1000 btime -30").remaining, [second, Duration::ZERO]);
        assert_eq!(clock("winc 1000").increment, [second; 2]);
        assert_eq!(clock("wtime 1 movestogo 0").moves_to_go, None);
        assert_eq!(limits("movetime -5").move_time, Some(Duration::ZERO));
        assert_eq!((limits("depth 0").depth, limits("nodes -1").nodes), (Some(1), Some(1)));
    }

    #[test]
    fn what_cannot_be_read_is_named_and_the_rest_counts() {
        let go =
            Go::parse("depth x wtime 500.75 blah nodes mate infinite btime 1e30 winc 99999999999999999999");
        assert_eq!(
            go.complaints,
            [
                "go: depth needs a number, not \"x\"",
                "go: unknown word \"blah\"",
                "go: nodes needs a number, not nothing",
                "go: mate needs a number, not nothing"
            ]
        );
        assert_eq!((go.clock, go.infinite), ([Some(500), Some(i64::MAX)], true));
        assert_eq!(Go::parse("depth infinite").depth, None);
        assert!(Go::parse("depth nan").depth.is_none());
    }

    #[test]
    fn a_search_whose_limits_cannot_be_read_ends_all_the_same() {
        assert!(!is_unbounded(&limits("depth x")));
        assert!(is_unbounded(&limits("depth x infinite")));
        assert!(is_unbounded(&limits("")));
        assert!(is_unbounded(&limits("ponder")) && is_unbounded(&limits("infinite depth 3")));
        assert!(!is_unbounded(&limits("mate 3")));
    }
}
