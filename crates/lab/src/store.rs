//! The file of an experiment: what was to be played and every pair that was, each written in one transaction.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use crate::PlayedPair;

/// What was to be played, as text: a file is taken up again only for the same experiment.
const PLAN: TableDefinition<&str, &str> = TableDefinition::new("plan");
/// The pairs, by the part of the experiment that they belong to and their number in it, as JSON.
const PAIRS: TableDefinition<(&str, u64), &str> = TableDefinition::new("pairs of games");
/// The only key of the first table.
const THE_PLAN: &str = "plan";

/// Why an experiment cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file holds another experiment.
    #[error("the file holds another match ({held}): choose another file, or play that match")]
    AnotherMatch {
        /// What it holds.
        held: String,
    },
    /// The file holds pairs already, and nobody asked to go on with them.
    #[error(
        "the file holds {pairs} pairs of this match already: go on with --resume, or choose another file"
    )]
    NotAskedToResume {
        /// How many.
        pairs: u64,
    },
    /// The file cannot be used.
    #[error("{0}")]
    Database(Box<redb::Error>),
    /// The file was changed by something else.
    #[error("the file is damaged: choose another one")]
    Damaged,
    /// What was written cannot be read.
    #[error("pair {index} cannot be read: {error}")]
    BadPair {
        /// Which one.
        index: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

/// Where a match keeps its pairs.
pub trait Journal {
    /// The numbers of the pairs that were kept.
    fn kept(&self) -> Result<BTreeSet<usize>, StoreError>;

    /// One of them.
    fn pair(&self, index: usize) -> Result<Option<PlayedPair>, StoreError>;

    /// Keeps a pair: all of it or, if the power fails, nothing.
    fn keep(&self, pair: &PlayedPair) -> Result<(), StoreError>;

    /// Takes out what a machine has played, and says how many pairs that were.
    fn forget(&self, worker: &str) -> Result<usize, StoreError>;
}

/// What is kept in memory, as long as the program runs.
#[derive(Debug, Default)]
pub struct MemoryJournal(RefCell<BTreeMap<usize, PlayedPair>>);

impl Journal for MemoryJournal {
    fn kept(&self) -> Result<BTreeSet<usize>, StoreError> {
        Ok(self.0.borrow().keys().copied().collect())
    }

    fn pair(&self, index: usize) -> Result<Option<PlayedPair>, StoreError> {
        Ok(self.0.borrow().get(&index).cloned())
    }

    fn keep(&self, pair: &PlayedPair) -> Result<(), StoreError> {
        self.0.borrow_mut().insert(pair.index, pair.clone());
        Ok(())
    }

    fn forget(&self, worker: &str) -> Result<usize, StoreError> {
        let mut pairs = self.0.borrow_mut();
        let before = pairs.len();
        pairs.retain(|_, pair| pair.by.as_deref() != Some(worker));
        Ok(before - pairs.len())
    }
}

/// Nothing is kept.
impl Journal for () {
    fn kept(&self) -> Result<BTreeSet<usize>, StoreError> {
        Ok(BTreeSet::new())
    }

    fn pair(&self, _: usize) -> Result<Option<PlayedPair>, StoreError> {
        Ok(None)
    }

    fn keep(&self, _: &PlayedPair) -> Result<(), StoreError> {
        Ok(())
    }

    fn forget(&self, _: &str) -> Result<usize, StoreError> {
        Ok(0)
    }
}

/// An open file.
pub struct Store {
    database: Database,
}

fn database_error(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database(Box::new(error.into()))
}

impl Store {
    /// Opens a file for this experiment, making it if it is not there.
    pub fn open(path: &Path, plan: &str, resume: bool) -> Result<Store, StoreError> {
        // The database checks its file as far as it can, and panics where it cannot go on.
        std::panic::catch_unwind(|| Store::open_sound(path, plan, resume)).unwrap_or(Err(StoreError::Damaged))
    }

    fn open_sound(path: &Path, plan: &str, resume: bool) -> Result<Store, StoreError> {
        let database = Database::create(path).map_err(database_error)?;
        let transaction = database.begin_write().map_err(database_error)?;
        {
            let mut plans = transaction.open_table(PLAN).map_err(database_error)?;
            let pairs = transaction.open_table(PAIRS).map_err(database_error)?;
            let kept = pairs.len().map_err(database_error)?;
            let held = plans.get(THE_PLAN).map_err(database_error)?.map(|text| text.value().to_string());
            match held {
                // Nothing is lost if nothing was played.
                Some(held) if held != plan && kept > 0 => return Err(StoreError::AnotherMatch { held }),
                _ => drop(plans.insert(THE_PLAN, plan).map_err(database_error)?),
            }
            if kept > 0 && !resume {
                return Err(StoreError::NotAskedToResume { pairs: kept });
            }
        }
        transaction.commit().map_err(database_error)?;
        Ok(Store { database })
    }

    /// The journal of a part of the experiment: one match of several. A match alone has the part with the empty name.
    pub fn part<'a>(&'a self, name: &'a str) -> StorePart<'a> {
        StorePart { database: &self.database, name }
    }
}

/// The pairs of one part of an experiment.
pub struct StorePart<'a> {
    database: &'a Database,
    name: &'a str,
}

impl Journal for StorePart<'_> {
    fn kept(&self) -> Result<BTreeSet<usize>, StoreError> {
        let transaction = self.database.begin_read().map_err(database_error)?;
        let table = transaction.open_table(PAIRS).map_err(database_error)?;
        let rows = table.range((self.name, 0)..=(self.name, u64::MAX)).map_err(database_error)?;
        rows.map(|row| Ok(row.map_err(database_error)?.0.value().1 as usize)).collect()
    }

    fn pair(&self, index: usize) -> Result<Option<PlayedPair>, StoreError> {
        let transaction = self.database.begin_read().map_err(database_error)?;
        let table = transaction.open_table(PAIRS).map_err(database_error)?;
        let text = table.get((self.name, index as u64)).map_err(database_error)?;
        let pair = text.map(|text| serde_json::from_str(text.value())).transpose();
        pair.map_err(|error| StoreError::BadPair { index, error })
    }

    fn keep(&self, pair: &PlayedPair) -> Result<(), StoreError> {
        let index = pair.index;
        let text = serde_json::to_string(pair).map_err(|error| StoreError::BadPair { index, error })?;
        let transaction = self.database.begin_write().map_err(database_error)?;
        {
            let mut pairs = transaction.open_table(PAIRS).map_err(database_error)?;
            pairs.insert((self.name, index as u64), text.as_str()).map_err(database_error)?;
        }
        transaction.commit().map_err(database_error)
    }

    fn forget(&self, worker: &str) -> Result<usize, StoreError> {
        let mut forgotten = Vec::new();
        for index in self.kept()? {
            if self.pair(index)?.is_some_and(|pair| pair.by.as_deref() == Some(worker)) {
                forgotten.push(index);
            }
        }
        let transaction = self.database.begin_write().map_err(database_error)?;
        {
            let mut pairs = transaction.open_table(PAIRS).map_err(database_error)?;
            for index in &forgotten {
                pairs.remove((self.name, *index as u64)).map_err(database_error)?;
            }
        }
        transaction.commit().map_err(database_error)?;
        Ok(forgotten.len())
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::{Outcome, Player};
    use outplay_protocols::{Answer, Claim, Insight};

    use super::*;
    use crate::{Ending, FaultKind, PlayedGame, PlayedMove};

    fn pair(index: usize) -> PlayedPair {
        let insight = Insight { score: Some(Claim::Mate(-3)), nodes: Some(7), ..Insight::default() };
        let answer = Answer { best: "e2e4".to_string(), insight, ..Answer::default() };
        let game = |by| PlayedGame {
            moves: vec![PlayedMove { by, text: "e4".to_string(), answer: answer.clone() }],
            outcome: Outcome::from_margin(12, by),
            ending: Ending::Fault {
                by: !by,
                kind: FaultKind::Time,
                reason: "slow".to_string(),
                reproduction: None,
            },
            names: ["a", "b"].map(str::to_string),
            text: "1. e4 *".to_string(),
        };
        let by = (index == 5).then(|| "worker".to_string());
        PlayedPair { index, games: [game(Player::First), game(Player::Second)], by }
    }

    #[test]
    fn pairs_survive_and_other_matches_are_refused() {
        let folder = std::env::temp_dir().join(format!("outplay-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("match.redb");
        {
            let store = Store::open(&path, "a against b", false).expect("a new file");
            store.part("").keep(&pair(1)).expect("room");
            store.part("").keep(&pair(0)).expect("room");
            store.part("more").keep(&pair(5)).expect("room");
        }
        assert!(matches!(
            Store::open(&path, "a against b", false),
            Err(StoreError::NotAskedToResume { pairs: 3 })
        ));
        assert!(matches!(Store::open(&path, "a against c", true), Err(StoreError::AnotherMatch { .. })));
        let store = Store::open(&path, "a against b", true).expect("the same match");
        let part = store.part("");
        assert_eq!(part.kept().expect("pairs").into_iter().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(part.pair(1).expect("a pair"), Some(pair(1)));
        assert_eq!(part.pair(5).expect("no pair"), None);
        assert_eq!(store.part("more").kept().expect("pairs").len(), 1);
        // What a machine has played can be taken out, and nothing else goes with it.
        assert_eq!(
            [part.forget("worker").expect("a file"), store.part("more").forget("worker").expect("a file")],
            [0, 1]
        );
        assert_eq!(
            (part.kept().expect("pairs").len(), store.part("more").kept().expect("pairs").len()),
            (2, 0)
        );
        drop(store);
        std::fs::write(&path, b"garbage").expect("our own file");
        assert!(Store::open(&path, "a against b", true).is_err());
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
