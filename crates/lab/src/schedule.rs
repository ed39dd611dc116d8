//! Who meets whom.

/// How a tournament is organised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Everybody plays everybody.
    RoundRobin,
    /// The first player plays everybody else.
    Gauntlet,
}

impl Schedule {
    /// The pairings of so many players, by their numbers. With two players it is a match.
    pub fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        let hosts = match self {
            Schedule::RoundRobin => 0..players,
            Schedule::Gauntlet => 0..players.min(1),
        };
        hosts.flat_map(|host| (host + 1..players).map(move |guest| [host, guest])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_or_the_first_player() {
        assert_eq!(Schedule::RoundRobin.pairings(2), [[0, 1]]);
        assert_eq!(Schedule::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(Schedule::RoundRobin.pairings(4), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
