//! The file of a match: what was to be played and every pair that was, each written in one transaction.

use std::collections::BTreeMap;
use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use serde::{Deserialize, Serialize};

use crate::stats::GameResult;

/// What was to be played, as text: a file is taken up again only for the same match.
const PLAN: TableDefinition<&str, &str> = TableDefinition::new("plan");
/// The pairs by their numbers, as JSON.
const PAIRS: TableDefinition<u64, &str> = TableDefinition::new("pairs");
/// The only key of the first table.
const THE_PLAN: &str = "plan";

/// A pair as it is kept: the results for A, and both games as text in the game's own format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPair {
    /// The results for A.
    pub results: [GameResult; 2],
    /// The games.
    pub games: [String; 2],
}

/// Why a match cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file holds another match.
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
    /// What was written cannot be read.
    #[error("pair {index} cannot be read: {error}")]
    BadPair {
        /// Which one.
        index: u64,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

/// An open file.
pub struct Store {
    database: Database,
}

fn database_error(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database(Box::new(error.into()))
}

impl Store {
    /// Opens a file for this match, making it if it is not there.
    pub fn open(path: &Path, plan: &str, resume: bool) -> Result<Store, StoreError> {
        let database = Database::create(path).map_err(database_error)?;
        let transaction = database.begin_write().map_err(database_error)?;
        {
            let mut plans = transaction.open_table(PLAN).map_err(database_error)?;
            let held = plans.get(THE_PLAN).map_err(database_error)?.map(|text| text.value().to_string());
            match held {
                Some(held) if held != plan => return Err(StoreError::AnotherMatch { held }),
                Some(_) => {}
                None => drop(plans.insert(THE_PLAN, plan).map_err(database_error)?),
            }
            let pairs = transaction.open_table(PAIRS).map_err(database_error)?;
            let held = redb::ReadableTableMetadata::len(&pairs).map_err(database_error)?;
            if held > 0 && !resume {
                return Err(StoreError::NotAskedToResume { pairs: held });
            }
        }
        transaction.commit().map_err(database_error)?;
        Ok(Store { database })
    }

    /// Keeps a pair: all of it or, if the power fails, nothing.
    pub fn add(&self, index: usize, pair: &StoredPair) -> Result<(), StoreError> {
        let index = index as u64;
        let text = serde_json::to_string(pair).map_err(|error| StoreError::BadPair { index, error })?;
        let transaction = self.database.begin_write().map_err(database_error)?;
        {
            let mut pairs = transaction.open_table(PAIRS).map_err(database_error)?;
            pairs.insert(index, text.as_str()).map_err(database_error)?;
        }
        transaction.commit().map_err(database_error)
    }

    /// All pairs that were kept.
    pub fn pairs(&self) -> Result<BTreeMap<usize, StoredPair>, StoreError> {
        let transaction = self.database.begin_read().map_err(database_error)?;
        let table = transaction.open_table(PAIRS).map_err(database_error)?;
        let mut pairs = BTreeMap::new();
        for row in table.iter().map_err(database_error)? {
            let (index, text) = row.map_err(database_error)?;
            let index = index.value();
            let pair =
                serde_json::from_str(text.value()).map_err(|error| StoreError::BadPair { index, error })?;
            pairs.insert(index as usize, pair);
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_survive_and_other_matches_are_refused() {
        let folder = std::env::temp_dir().join(format!("outplay-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("match.redb");
        let pair = |game: &str| StoredPair {
            results: [GameResult::Win, GameResult::Draw],
            games: [game.to_string(), "second".to_string()],
        };
        {
            let store = Store::open(&path, "a against b", false).expect("a new file");
            store.add(1, &pair("one")).expect("room");
            store.add(0, &pair("zero")).expect("room");
        }
        assert!(matches!(
            Store::open(&path, "a against b", false),
            Err(StoreError::NotAskedToResume { pairs: 2 })
        ));
        assert!(matches!(Store::open(&path, "a against c", true), Err(StoreError::AnotherMatch { .. })));
        let store = Store::open(&path, "a against b", true).expect("the same match");
        let kept: Vec<_> = store.pairs().expect("pairs").into_iter().collect();
        assert_eq!(kept, [(0, pair("zero")), (1, pair("one"))]);
        drop(store);
        std::fs::write(&path, b"garbage").expect("our own file");
        assert!(Store::open(&path, "a against b", true).is_err());
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
