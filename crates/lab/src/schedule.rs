//! Who meets whom.

/// How a tournament is organised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Everybody plays everybody.
    RoundRobin,
    /// The first player plays everybody else.
    Gauntlet,
    /// Everybody plays whoever stands before them in the list.
    Ladder,
}

impl Schedule {
    /// The pairings of so many players, by their numbers. With two players it is a match.
    pub fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        let hosts = match self {
            Schedule::RoundRobin => 0..players,
            Schedule::Gauntlet => 0..players.min(1),
            Schedule::Ladder => return (1..players).map(|player| [player, player - 1]).collect(),
        };
        hosts.flat_map(|host| (host + 1..players).map(move |guest| [host, guest])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_or_the_first_player_or_the_next() {
        assert_eq!(Schedule::RoundRobin.pairings(2), [[0, 1]]);
        assert_eq!(Schedule::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(Schedule::RoundRobin.pairings(4), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(Schedule::Ladder.pairings(3), [[1, 0], [2, 1]]);
    }
}
