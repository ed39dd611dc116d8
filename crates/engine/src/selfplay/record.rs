//! A game as self-play leaves it behind, in memory and in bytes.

use outplay_core::{Move, Outcome, Player};

use crate::networks::content_hash;

/// A finished game, with what was found out about its positions.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Its number in the run. A number stands for one game, the same however often it is played.
    pub number: u64,
    /// The moves from the start of the game.
    pub moves: Vec<Move>,
    /// What was found out before each move.
    pub searched: Vec<Searched>,
    /// How it ended. A game that was given up because it took too long is a draw.
    pub outcome: Outcome,
}

/// What a search found out about a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Searched {
    /// Whether it was searched in full, so that there is something to learn from its policy.
    pub in_full: bool,
    /// What it is worth for the player to move: wins minus losses.
    pub value: f32,
    /// The share of each move that was looked at, of [`SHARES`] in all.
    pub policy: Vec<(Move, u16)>,
}

/// All of a policy.
pub const SHARES: u16 = u16::MAX;

/// What stands before each game: lets a reader tell games from garbage.
const MARK: u32 = 0x4D41_474F;
/// No game is longer in bytes.
const MOST_BYTES: usize = 1 << 24;

impl GameRecord {
    /// Appends the game: a mark, its length, what it is, and a checksum.
    pub fn write(&self, to: &mut Vec<u8>) {
        let mut body = Vec::new();
        body.extend(self.number.to_le_bytes());
        body.extend(self.outcome.for_player(Player::First).to_le_bytes());
        body.extend((self.moves.len() as u32).to_le_bytes());
        for (m, searched) in self.moves.iter().zip(&self.searched) {
            body.extend(m.bits().to_le_bytes());
            body.push(searched.in_full.into());
            body.extend(searched.value.to_le_bytes());
            body.extend((searched.policy.len() as u16).to_le_bytes());
            for (m, share) in &searched.policy {
                body.extend(m.bits().to_le_bytes());
                body.extend(share.to_le_bytes());
            }
        }
        to.extend(MARK.to_le_bytes());
        to.extend((body.len() as u32).to_le_bytes());
        to.extend(content_hash(&body).to_le_bytes());
        to.extend(body);
    }

    /// Reads the first game and how many bytes it takes; `None` where no whole game stands.
    pub fn read(bytes: &[u8]) -> Option<(GameRecord, usize)> {
        let mut from = Bytes(bytes);
        if u32::from_le_bytes(from.take()?) != MARK {
            return None;
        }
        let length = u32::from_le_bytes(from.take()?) as usize;
        let checksum = u64::from_le_bytes(from.take()?);
        let body = from.0.get(..length).filter(|_| length <= MOST_BYTES)?;
        if content_hash(body) != checksum {
            return None;
        }
        Some((GameRecord::read_body(body)?, bytes.len() - from.0.len() + length))
    }

    fn read_body(body: &[u8]) -> Option<GameRecord> {
        let mut from = Bytes(body);
        let number = u64::from_le_bytes(from.take()?);
        let outcome = Outcome::from_margin(i16::from_le_bytes(from.take()?), Player::First);
        let count = u32::from_le_bytes(from.take()?);
        let (mut moves, mut searched) = (Vec::new(), Vec::new());
        for _ in 0..count {
            moves.push(from.a_move()?);
            let [in_full] = from.take()?;
            let value = f32::from_le_bytes(from.take()?);
            let looked_at = u16::from_le_bytes(from.take()?);
            let policy = (0..looked_at).map(|_| Some((from.a_move()?, u16::from_le_bytes(from.take()?))));
            searched.push(Searched { in_full: in_full == 1, value, policy: policy.collect::<Option<_>>()? });
        }
        from.0.is_empty().then_some(GameRecord { number, moves, searched, outcome })
    }

    /// Reads all games that stand one after the other from the beginning, and how many bytes they take: what follows was not written whole.
    pub fn read_all(mut bytes: &[u8]) -> (Vec<GameRecord>, usize) {
        let (mut games, whole) = (Vec::new(), bytes.len());
        while let Some((game, length)) = GameRecord::read(bytes) {
            games.push(game);
            bytes = &bytes[length..];
        }
        (games, whole - bytes.len())
    }
}

/// Bytes that are read from the front.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn a_move(&mut self) -> Option<Move> {
        let bits = u16::from_le_bytes(self.take()?);
        (bits != Move::RESERVED_BITS).then(|| Move::new(bits))
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    fn game(rng: &mut Rng) -> GameRecord {
        let count = rng.below(20);
        let a_move = |rng: &mut Rng| Move::new(rng.below(1000) as u16);
        let searched = |rng: &mut Rng| Searched {
            in_full: rng.below(2) == 0,
            value: rng.unit() as f32 - 0.5,
            policy: (0..rng.below(5)).map(|_| (a_move(rng), rng.below(60_000) as u16)).collect(),
        };
        GameRecord {
            number: rng.next_u64(),
            moves: (0..count).map(|_| a_move(rng)).collect(),
            searched: (0..count).map(|_| searched(rng)).collect(),
            outcome: Outcome::from_margin(rng.below(129) as i16 - 64, Player::First),
        }
    }

    #[test]
    fn games_survive_the_way_there_and_back_and_a_torn_end_is_left_out() {
        let mut rng = Rng::new(1);
        let games: Vec<GameRecord> = (0..20).map(|_| game(&mut rng)).collect();
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for game in &games {
            game.write(&mut bytes);
            ends.push(bytes.len());
        }
        for cut in 0..=bytes.len() {
            let whole = ends.iter().rposition(|&end| end <= cut).expect("none at least");
            let (read, length) = GameRecord::read_all(&bytes[..cut]);
            assert_eq!((read.len(), length), (whole, ends[whole]));
            assert!(read == games[..whole]);
        }
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let mut rng = Rng::new(2);
        let mut bytes = Vec::new();
        game(&mut rng).write(&mut bytes);
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << rng.below(8);
            assert_eq!(GameRecord::read(&damaged), None, "{place}");
        }
        for _ in 0..10_000 {
            let garbage: Vec<u8> = (0..rng.below(60)).map(|_| rng.next_u64() as u8).collect();
            assert_eq!(GameRecord::read_all(&garbage).0, []);
        }
    }
}
