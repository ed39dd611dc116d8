//! What a program says while it is asked for a move.

use std::time::Instant;

use outplay_core::Player;

use crate::opponent::{Claim, Insight};

/// What a program need not understand.
const COURTESIES: [&str; 2] = ["post", "easy"];
/// From here on, a score counts the moves to mate.
const MATE: i32 = 100_000;

/// What ends the waiting for a move.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The move, as the program wrote it.
    Move(String),
    /// The program has given up.
    Resignation,
    /// It refuses what it was told, in this line: there will be no move, or none for this game.
    Refusal(String),
}

/// Follows what a program says of one search.
pub(super) struct Talk<'t, 'w> {
    /// When the search began.
    pub(super) begun: Instant,
    /// Whom the program moves for.
    pub(super) mover: Player,
    /// What it was told of the game.
    pub(super) told: &'t [String],
    /// Who hears of each iteration.
    pub(super) watch: Option<&'w mut dyn FnMut(Insight)>,
    /// What it said of its search at last.
    pub(super) insight: Insight,
    /// A result that it said the game has, other than its own loss. It may mean the move that it is about to make.
    pub(super) claim: Option<String>,
}

impl Talk<'_, '_> {
    /// Takes what a line of output says; `None` if the move is still to come.
    pub(super) fn read_line(&mut self, line: &str) -> Option<Reply> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["move", m, ..] => Some(Reply::Move(m.to_string())),
            // As programs wrote before there was a word for it: `12. ... e7e5`.
            [number, "...", m] if is_move_number(number) => Some(Reply::Move(m.to_string())),
            ["resign", ..] => Some(Reply::Resignation),
            [result @ ("1-0" | "0-1" | "1/2-1/2"), ..] => {
                let loss = if self.mover == Player::First { "0-1" } else { "1-0" };
                if *result == loss {
                    return Some(Reply::Resignation);
                }
                self.claim = Some(line.trim().to_string());
                None
            }
            ["Illegal" | "Invalid" | "Error", ..] if self.concerns_us(line) => {
                Some(Reply::Refusal(line.trim().to_string()))
            }
            ["tellusererror", "Illegal", "position", ..] => Some(Reply::Refusal(line.trim().to_string())),
            [depth, score, _time, nodes, line @ ..] => {
                self.read_thinking([depth, score, nodes], line);
                None
            }
            _ => None,
        }
    }

    /// Whether a complaint is about something that matters: programs repeat the whole line, or its first or last word.
    fn concerns_us(&self, complaint: &str) -> bool {
        let Some((_, about)) = complaint.split_once(':') else { return false };
        let about = about.trim();
        if COURTESIES.contains(&about) {
            return false;
        }
        self.told.iter().any(|line| {
            let mut words = line.split_whitespace();
            line == about || words.next() == Some(about) || words.next_back() == Some(about)
        })
    }

    /// Takes a line of thinking: depth, score, hundredths of a second, nodes and moves, possibly numbered.
    fn read_thinking(&mut self, [depth, score, nodes]: [&str; 3], line: &[&str]) {
        // Some programs mark the depth, as in `9.` or `9+`. Depth 0 is a move of the book.
        let depth = depth
            .trim_end_matches(|c: char| c.is_ascii_punctuation())
            .parse()
            .ok()
            .filter(|&depth| depth > 0);
        let (Some(depth), Ok(score)) = (depth, score.parse::<i32>()) else { return };
        self.insight.depth = Some(depth);
        self.insight.score = Some(match score.saturating_abs() - MATE {
            moves if moves >= 0 => Claim::Mate(moves * score.signum()),
            _ => Claim::Centi(score),
        });
        self.insight.nodes = nodes.parse().ok().or(self.insight.nodes);
        self.insight.time = self.begun.elapsed();
        if let Some(watch) = &mut self.watch {
            let moves = line.iter().filter(|word| !word.ends_with('.'));
            self.insight.line = moves.map(ToString::to_string).collect();
            if !self.insight.line.is_empty() {
                watch(self.insight.clone());
            }
        }
    }
}

/// Whether a word is a number with a full stop.
fn is_move_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk<'t>(told: &'t [String]) -> Talk<'t, 'static> {
        Talk {
            begun: Instant::now(),
            mover: Player::First,
            told,
            watch: None,
            insight: Insight::default(),
            claim: None,
        }
    }

    #[test]
    fn moves_and_resignations_are_told_from_talk() {
        let told = ["easy", "sd 5", "usermove e2e4"].map(String::from);
        for (line, reply) in [
            ("move e2e4", Some(Reply::Move("e2e4".to_string()))),
            ("  12. ... e7e5", Some(Reply::Move("e7e5".to_string()))),
            ("resign", Some(Reply::Resignation)),
            ("0-1 {White resigns}", Some(Reply::Resignation)),
            ("Illegal move: e2e4", Some(Reply::Refusal("Illegal move: e2e4".to_string()))),
            ("Error (unknown command): sd", Some(Reply::Refusal("Error (unknown command): sd".to_string()))),
            (
                "tellusererror Illegal position",
                Some(Reply::Refusal("tellusererror Illegal position".to_string())),
            ),
            ("Error (unknown command): easy", None),
            ("Illegal move: e2e5", None),
            ("Illegal: ", None),
            ("12. e2e4", None),
            ("move", None),
            ("offer draw", None),
            ("tellics whisper move e2e4", None),
            ("9 1 2 3 move e2e4", None),
            ("", None),
        ] {
            assert_eq!(talk(&told).read_line(line), reply, "{line}");
        }
    }

    #[test]
    fn a_claim_of_anything_but_ones_own_loss_is_only_noted() {
        for line in ["1-0 {White mates}", "1/2-1/2 {repetition}"] {
            let mut talk = talk(&[]);
            assert_eq!(talk.read_line(line), None);
            assert_eq!(talk.claim.as_deref(), Some(line));
        }
    }

    #[test]
    fn thinking_is_understood_however_programs_write_it() {
        for (line, score, depth, nodes, moves) in [
            ("4 75 1 2508 Nb1-c3  Ng8-f6", Claim::Centi(75), 4, Some(2508), &["Nb1-c3", "Ng8-f6"][..]),
            (
                "5. +106 1 24403 4. Bc4 d6 5. O-O",
                Claim::Centi(106),
                5,
                Some(24403),
                &["Bc4", "d6", "O-O"][..],
            ),
            ("9+ -100003 1 -7 e2e4", Claim::Mate(-3), 9, None, &["e2e4"][..]),
            ("9 100001 1 8 e2e4", Claim::Mate(1), 9, Some(8), &["e2e4"][..]),
            ("9 -2147483648 1 8 4... e2e4", Claim::Mate(MATE - i32::MAX), 9, Some(8), &["e2e4"][..]),
        ] {
            let mut seen = Vec::new();
            let mut watch = |insight: Insight| seen.push(insight);
            let mut talk = Talk { watch: Some(&mut watch), ..talk(&[]) };
            assert_eq!(talk.read_line(line), None);
            assert_eq!(
                (talk.insight.score, talk.insight.depth, talk.insight.nodes),
                (Some(score), Some(depth), nodes)
            );
            assert_eq!(talk.insight.line, moves);
            assert_eq!(seen.len(), 1, "{line}");
        }
        for line in [
            "0 0 0 0 (book)",
            "# 16+16 pieces, centr = (1,1) R=40",
            "1 2 3",
            "one 2 3 4",
            "99999999999 1 1 1",
        ] {
            let mut talk = talk(&[]);
            assert_eq!(talk.read_line(line), None);
            assert_eq!(talk.insight, Insight::default(), "{line}");
        }
    }
}
