//! What survives the end of the server: games, studies, programs and files of games, each change one transaction.

use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

/// The name of the only file in the data folder.
const FILE: &str = "outplay.redb";

/// What can be kept, each kind in a table of its own: JSON by the name of the thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Games against the engine.
    Games,
    /// Analysis trees.
    Studies,
    /// Programs of other people.
    Programs,
    /// Files of games.
    Files,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Games, Kind::Studies, Kind::Programs, Kind::Files];

    fn table(self) -> TableDefinition<'static, &'static str, &'static str> {
        match self {
            Kind::Games => TableDefinition::new("games"),
            Kind::Studies => TableDefinition::new("studies"),
            Kind::Programs => TableDefinition::new("programs"),
            Kind::Files => TableDefinition::new("files"),
        }
    }
}

/// Why something cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be made.
    #[error("cannot make the folder: {0}")]
    Folder(std::io::Error),
    /// Another server uses the file.
    #[error("another Outplay uses it: end that one, or choose another folder with --data")]
    InUse,
    /// The file was changed by something else.
    #[error("its file is damaged: choose another folder with --data")]
    Damaged,
    /// The database says no.
    #[error("{0}")]
    Database(Box<redb::Error>),
    /// There are as many as there may be.
    #[error("there are {0} already: delete some first")]
    Full(u64),
}

fn database_error(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database(Box::new(error.into()))
}

/// The open store.
pub struct Store {
    database: Database,
}

impl Store {
    /// Opens the store in a folder, making both if they are not there.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        std::fs::create_dir_all(folder).map_err(StoreError::Folder)?;
        let path = folder.join(FILE);
        // The database checks its file as far as it can, and panics where it cannot go on.
        std::panic::catch_unwind(|| Store::open_file(&path)).unwrap_or(Err(StoreError::Damaged))
    }

    fn open_file(path: &Path) -> Result<Store, StoreError> {
        let database = Database::create(path).map_err(|error| match error {
            redb::DatabaseError::DatabaseAlreadyOpen => StoreError::InUse,
            error => database_error(error),
        })?;
        // Readers find their tables from the first moment on.
        let transaction = database.begin_write().map_err(database_error)?;
        for kind in Kind::ALL {
            transaction.open_table(kind.table()).map_err(database_error)?;
        }
        transaction.commit().map_err(database_error)?;
        Ok(Store { database })
    }

    /// What is kept under a name.
    pub fn get(&self, kind: Kind, id: &str) -> Result<Option<String>, StoreError> {
        let transaction = self.database.begin_read().map_err(database_error)?;
        let table = transaction.open_table(kind.table()).map_err(database_error)?;
        let text = table.get(id).map_err(database_error)?;
        Ok(text.map(|text| text.value().to_string()))
    }

    /// All that is kept of a kind, in the order of the names.
    pub fn all(&self, kind: Kind) -> Result<Vec<(String, String)>, StoreError> {
        let transaction = self.database.begin_read().map_err(database_error)?;
        let table = transaction.open_table(kind.table()).map_err(database_error)?;
        let rows = table.iter().map_err(database_error)?;
        rows.map(|row| {
            let (id, text) = row.map_err(database_error)?;
            Ok((id.value().to_string(), text.value().to_string()))
        })
        .collect()
    }

    /// The names of all that is kept of a kind, in their order.
    pub fn names(&self, kind: Kind) -> Result<Vec<String>, StoreError> {
        let transaction = self.database.begin_read().map_err(database_error)?;
        let table = transaction.open_table(kind.table()).map_err(database_error)?;
        let rows = table.iter().map_err(database_error)?;
        rows.map(|row| Ok(row.map_err(database_error)?.0.value().to_string())).collect()
    }

    /// Keeps something new, unless there are `most` things of its kind already.
    pub fn add(&self, kind: Kind, id: &str, text: &str, most: usize) -> Result<(), StoreError> {
        self.write(kind, |table| {
            let kept = table.len().map_err(database_error)?;
            if kept >= most as u64 {
                return Err(StoreError::Full(kept));
            }
            table.insert(id, text).map_err(database_error)?;
            Ok(())
        })
    }

    /// Changes what is kept under a name; false if there is nothing.
    pub fn replace(&self, kind: Kind, id: &str, text: &str) -> Result<bool, StoreError> {
        self.write(kind, |table| {
            let is_there = table.get(id).map_err(database_error)?.is_some();
            if is_there {
                table.insert(id, text).map_err(database_error)?;
            }
            Ok(is_there)
        })
    }

    /// Forgets something; false if there was nothing.
    pub fn remove(&self, kind: Kind, id: &str) -> Result<bool, StoreError> {
        self.write(kind, |table| Ok(table.remove(id).map_err(database_error)?.is_some()))
    }

    /// One transaction: all of it or, if the power fails or something is wrong, nothing.
    fn write<T>(
        &self,
        kind: Kind,
        change: impl FnOnce(&mut redb::Table<&'static str, &'static str>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let transaction = self.database.begin_write().map_err(database_error)?;
        let result = {
            let mut table = transaction.open_table(kind.table()).map_err(database_error)?;
            change(&mut table)?
        };
        transaction.commit().map_err(database_error)?;
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_kept_counted_and_forgotten() {
        let folder = std::env::temp_dir().join(format!("outplay-server-store-{}", std::process::id()));
        {
            let store = Store::open(&folder).expect("a new store");
            assert!(matches!(Store::open(&folder), Err(StoreError::InUse)));
            store.add(Kind::Games, "a", "{}", 2).expect("room");
            store.add(Kind::Games, "b", "{}", 2).expect("room");
            assert!(matches!(store.add(Kind::Games, "c", "{}", 2), Err(StoreError::Full(2))));
            store.add(Kind::Studies, "a", "study", 2).expect("kinds are counted apart");
            assert!(store.replace(Kind::Games, "a", "[1]").expect("a store"));
            assert!(!store.replace(Kind::Games, "x", "[1]").expect("a store"));
            assert!(store.remove(Kind::Games, "b").expect("a store"));
            assert!(!store.remove(Kind::Games, "b").expect("a store"));
        }
        let store = Store::open(&folder).expect("the same store");
        assert_eq!(store.all(Kind::Games).expect("a store"), [("a".to_string(), "[1]".to_string())]);
        assert_eq!(store.get(Kind::Studies, "a").expect("a store").as_deref(), Some("study"));
        drop(store);
        std::fs::write(folder.join(FILE), b"garbage").expect("our own file");
        assert!(Store::open(&folder).is_err());
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
