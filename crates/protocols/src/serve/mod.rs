//! Our own side of the protocols: a board program or a match runner asks, and we answer.
//!
//! A server runs on the thread that called it and alone writes the answers. Lines come from a thread of their own and
//! reports from the search's; both arrive as events, one after the other, so that nothing has to be locked and no answer
//! can overtake another.

pub mod uci;

/// A protocol that we speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
}

/// The words that a conversation may begin with, and the protocol that they belong to.
const FIRST_WORDS: [(&str, Protocol); 6] = [
    ("uci", Protocol::Uci),
    ("isready", Protocol::Uci),
    ("ucinewgame", Protocol::Uci),
    ("setoption", Protocol::Uci),
    ("position", Protocol::Uci),
    ("go", Protocol::Uci),
];

/// The protocol of a conversation that begins with this line; `None` if it is none of ours.
pub fn recognise(first_line: &str) -> Option<Protocol> {
    let first = first_line.split_whitespace().next()?;
    FIRST_WORDS.iter().find(|(word, _)| *word == first).map(|(_, protocol)| *protocol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_is_known_by_its_first_line() {
        for line in
            ["uci", " uci \r", "isready", "position startpos moves e2e4", "setoption name Hash value 1"]
        {
            assert_eq!(recognise(line), Some(Protocol::Uci), "{line}");
        }
        for line in ["", "   ", "ucii", "UCI?", "START 15", "protocol_version", "nboard 2", "help"] {
            assert_eq!(recognise(line), None, "{line}");
        }
    }
}
