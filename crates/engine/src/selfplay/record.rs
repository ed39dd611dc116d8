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
    /// And by what.
    pub ending: Ending,
    /// The ply of the first search after which each player has resigned, or would have in a game that was played on. In a game that did not end so, what came of it
    /// tells whether that would have been wrong.
    pub resignations: [Option<u32>; 2], // [player]
}

/// By what a game has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    #[default]
    Rules,
    /// The loser has resigned, with the last move.
    Resigned,
    /// It took too long, or there was no memory.
    TooLong,
    /// A solver has said how it would end.
    Solved,
}

impl Ending {
    /// All of them, in the order of their numbers in files.
    pub const ALL: [Ending; 4] = [Ending::Rules, Ending::Resigned, Ending::TooLong, Ending::Solved];
}

/// What a search found out about a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Searched {
    /// Whether it was searched in full, so that there is something to learn from its policy.
    pub in_full: bool,
    /// What it is worth for the player to move: wins minus losses.
    pub value: f32,
    /// How far the policy is from the one that the network had said: the Kullback-Leibler divergence in nats.
    pub surprise: f32,
    /// By how much the player to move wins for certain, if a solver was asked and knows.
    pub exact: Option<i16>,
    /// The share of each move that is to be learned, of [`SHARES`] in all.
    pub policy: Vec<(Move, u16)>,
}

/// All of a policy.
pub const SHARES: u16 = u16::MAX;

/// What stands before each game: lets a reader tell games from garbage.
const MARK: u32 = 0x4D41_474F;
/// The version of what follows it. In files from before there were versions, a length stands there, which is larger.
const VERSION: u32 = 2;
/// No game is longer in bytes.
const MOST_BYTES: usize = 1 << 24;
/// What stands for nothing where a label could stand, or a ply.
const NO_LABEL: i16 = i16::MIN;
const NO_PLY: u32 = u32::MAX;

/// A game that was written by another version of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a game was written by another version of this program: its format is not version {VERSION}; begin a new run, or go on with the program that has begun this one"
)]
pub struct OtherVersion;

impl GameRecord {
    /// A game in which nothing has happened yet.
    pub fn new(number: u64) -> GameRecord {
        GameRecord {
            number,
            moves: Vec::new(),
            searched: Vec::new(),
            outcome: Outcome::DRAW,
            ending: Ending::Rules,
            resignations: [None; 2],
        }
    }

    /// Whether resignation would have been wrong for a player; `None` if there was none, or the game has ended by it.
    pub fn is_false_resignation(&self, player: Player) -> Option<bool> {
        self.resignations[player.index()]
            .filter(|_| self.ending != Ending::Resigned)
            .map(|_| self.outcome.for_player(player) >= 0)
    }

    /// Appends the game: a mark, the version, its length, a checksum, and what it is.
    pub fn write(&self, to: &mut Vec<u8>) {
        let mut body = Vec::new();
        body.extend(self.number.to_le_bytes());
        body.extend(self.outcome.for_player(Player::First).to_le_bytes());
        body.push(self.ending as u8);
        for ply in self.resignations {
            body.extend(ply.unwrap_or(NO_PLY).to_le_bytes());
        }
        body.extend((self.moves.len() as u32).to_le_bytes());
        for (m, searched) in self.moves.iter().zip(&self.searched) {
            body.extend(m.bits().to_le_bytes());
            body.push(searched.in_full.into());
            body.extend(searched.value.to_le_bytes());
            body.extend(searched.surprise.to_le_bytes());
            body.extend(searched.exact.unwrap_or(NO_LABEL).to_le_bytes());
            body.extend((searched.policy.len() as u16).to_le_bytes());
            for (m, share) in &searched.policy {
                body.extend(m.bits().to_le_bytes());
                body.extend(share.to_le_bytes());
            }
        }
        to.extend(MARK.to_le_bytes());
        to.extend(VERSION.to_le_bytes());
        to.extend((body.len() as u32).to_le_bytes());
        to.extend(content_hash(&body).to_le_bytes());
        to.extend(body);
    }

    /// Reads the first game and how many bytes it takes; `None` where no whole game stands.
    ///
    /// # Errors
    /// If there is a game of another version.
    pub fn read(bytes: &[u8]) -> Result<Option<(GameRecord, usize)>, OtherVersion> {
        let mut from = Bytes(bytes);
        let mark_and_version: Option<[[u8; 4]; 2]> = from.take().zip(from.take()).map(|(a, b)| [a, b]);
        match mark_and_version.map(|words| words.map(u32::from_le_bytes)) {
            Some([MARK, VERSION]) => {
                Ok(GameRecord::read_framed(&mut from).map(|game| (game, bytes.len() - from.0.len())))
            }
            Some([MARK, _]) => Err(OtherVersion),
            _ => Ok(None),
        }
    }

    /// Reads length, checksum and game.
    fn read_framed(from: &mut Bytes) -> Option<GameRecord> {
        let length = u32::from_le_bytes(from.take()?) as usize;
        let checksum = u64::from_le_bytes(from.take()?);
        let (body, rest) = from.0.split_at_checked(length).filter(|_| length <= MOST_BYTES)?;
        from.0 = rest;
        if content_hash(body) == checksum { GameRecord::read_body(body) } else { None }
    }

    fn read_body(body: &[u8]) -> Option<GameRecord> {
        let mut from = Bytes(body);
        let mut game = GameRecord::new(u64::from_le_bytes(from.take()?));
        game.outcome = Outcome::from_margin(i16::from_le_bytes(from.take()?), Player::First);
        let [ending] = from.take()?;
        game.ending = *Ending::ALL.get(usize::from(ending))?;
        for ply in &mut game.resignations {
            *ply = Some(u32::from_le_bytes(from.take()?)).filter(|&ply| ply != NO_PLY);
        }
        let count = u32::from_le_bytes(from.take()?);
        for _ in 0..count {
            game.moves.push(from.a_move()?);
            let [in_full] = from.take()?;
            let value = f32::from_le_bytes(from.take()?);
            let surprise = f32::from_le_bytes(from.take()?);
            let exact = Some(i16::from_le_bytes(from.take()?)).filter(|&label| label != NO_LABEL);
            let looked_at = u16::from_le_bytes(from.take()?);
            let policy = (0..looked_at).map(|_| Some((from.a_move()?, u16::from_le_bytes(from.take()?))));
            let policy = policy.collect::<Option<_>>()?;
            game.searched.push(Searched { in_full: in_full == 1, value, surprise, exact, policy });
        }
        from.0.is_empty().then_some(game)
    }

    /// Reads all games that stand one after the other from the beginning, and how many bytes they take: what follows was not written whole.
    ///
    /// # Errors
    /// If there is a game of another version.
    pub fn read_all(mut bytes: &[u8]) -> Result<(Vec<GameRecord>, usize), OtherVersion> {
        let (mut games, whole) = (Vec::new(), bytes.len());
        while let Some((game, length)) = GameRecord::read(bytes)? {
            games.push(game);
            bytes = &bytes[length..];
        }
        Ok((games, whole - bytes.len()))
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
            surprise: rng.unit() as f32,
            exact: (rng.below(3) == 0).then(|| rng.below(129) as i16 - 64),
            policy: (0..rng.below(5)).map(|_| (a_move(rng), rng.below(60_000) as u16)).collect(),
        };
        GameRecord {
            number: rng.next_u64(),
            moves: (0..count).map(|_| a_move(rng)).collect(),
            searched: (0..count).map(|_| searched(rng)).collect(),
            outcome: Outcome::from_margin(rng.below(129) as i16 - 64, Player::First),
            ending: Ending::ALL[rng.below(4)],
            resignations: [0; 2].map(|_| (rng.below(2) == 0).then(|| rng.below(100) as u32)),
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
            let (read, length) = GameRecord::read_all(&bytes[..cut]).expect("one version");
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
            let is_version = (4..8).contains(&place);
            let expected = if is_version { Err(OtherVersion) } else { Ok(None) };
            assert_eq!(GameRecord::read(&damaged), expected, "{place}");
        }
        for _ in 0..10_000 {
            let garbage: Vec<u8> = (0..rng.below(60)).map(|_| rng.next_u64() as u8).collect();
            assert_eq!(GameRecord::read_all(&garbage).expect("not a game").0, []);
        }
    }

    #[test]
    fn games_from_before_there_were_versions_are_refused_and_not_cut_off() {
        // The mark, a length, a checksum, and what was then a game without moves.
        let mut old = b"OGAM".to_vec();
        let body = [0; 14];
        old.extend(14u32.to_le_bytes());
        old.extend(content_hash(&body).to_le_bytes());
        old.extend(body);
        assert_eq!(GameRecord::read_all(&old), Err(OtherVersion));
        let mut new = Vec::new();
        game(&mut Rng::new(3)).write(&mut new);
        new.extend(old);
        assert!(
            GameRecord::read_all(&new).expect_err("another version").to_string().contains("begin a new run")
        );
    }

    #[test]
    fn a_resignation_is_false_if_the_game_is_not_lost_after_all() {
        let game = |ending, margin| GameRecord {
            ending,
            outcome: Outcome::from_margin(margin, Player::First),
            resignations: [Some(8), None],
            ..GameRecord::new(1)
        };
        let of =
            |ending, margin| Player::BOTH.map(|player| game(ending, margin).is_false_resignation(player));
        assert_eq!(of(Ending::Rules, -1), [Some(false), None]);
        assert_eq!(of(Ending::Rules, 0), [Some(true), None]);
        assert_eq!(of(Ending::TooLong, 1), [Some(true), None]);
        assert_eq!(of(Ending::Resigned, -1), [None, None]);
    }
}
