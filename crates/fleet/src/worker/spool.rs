//! What could not be delivered yet, on the disk: nothing that was played is lost when a machine or its connection goes down.

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Name;

/// A folder of answers that belongs to one worker at a time.
pub(super) struct Spool {
    folder: PathBuf,
    /// Held as long as the worker lives.
    _lock: File,
}

/// How files of answers end.
const ENDING: &str = "answer";

impl Spool {
    /// Takes the folder, making it if it is not there.
    pub fn open(folder: &Path) -> Result<Spool, String> {
        let shown = folder.display();
        std::fs::create_dir_all(folder).map_err(|error| format!("cannot make the spool {shown}: {error}"))?;
        let lock = File::create(folder.join("lock"))
            .map_err(|error| format!("cannot use the spool {shown}: {error}"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Spool { folder: folder.to_path_buf(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(format!(
                "another worker uses the spool {shown}: give each worker its own with --spool DIR"
            )),
            Err(TryLockError::Error(error)) => Err(format!("cannot lock the spool {shown}: {error}")),
        }
    }

    fn path(&self, run: &Name, id: &Name) -> PathBuf {
        self.folder.join(format!("{run}.{id}.{ENDING}"))
    }

    /// Keeps an answer: all of it or nothing.
    pub fn keep(&self, run: &Name, id: &Name, body: &[u8]) -> Result<(), String> {
        let path = self.path(run, id);
        let beside = path.with_extension("part");
        let written = File::create(&beside).and_then(|mut file| {
            file.write_all(body)?;
            file.sync_all()?;
            std::fs::rename(&beside, &path)
        });
        written.map_err(|error| {
            // What is only a part is of no use, and its room may be.
            drop(std::fs::remove_file(&beside));
            format!("cannot write to the spool {}: {error}", self.folder.display())
        })
    }

    /// It was delivered, or nobody wants it any more.
    pub fn forget(&self, run: &Name, id: &Name) {
        drop(std::fs::remove_file(self.path(run, id)));
    }

    /// All that was kept, by run and id. What is no answer is left alone.
    pub fn kept(&self) -> Vec<(Name, Name, Vec<u8>)> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let answer = |path: PathBuf| {
            let name = path.file_name()?.to_str()?;
            let mut parts = name.split('.');
            let (run, id) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            let is_answer = parts.next() == Some(ENDING) && parts.next().is_none();
            is_answer.then(|| Some((run, id, std::fs::read(&path).ok()?)))?
        };
        let mut kept: Vec<_> = files.filter_map(|file| answer(file.path())).collect();
        kept.sort();
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_outlive_their_worker_and_no_two_workers_share_a_spool() {
        let folder = std::env::temp_dir().join(format!("outplay-spool-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        let (run, one, two) = (Name::like("run"), Name::like("1"), Name::like("2"));
        let spool = Spool::open(&folder).expect("a folder");
        spool.keep(&run, &one, b"first").expect("room");
        spool.keep(&run, &two, b"second").expect("room");
        spool.keep(&run, &one, b"first again").expect("room");
        let error = Spool::open(&folder).err().expect("somebody has it");
        assert!(error.contains("another worker uses the spool"), "{error}");
        drop(spool);
        for strange in ["x.answer", "a.b.c.answer", "run.3.part", "-", "run.ä.answer"] {
            std::fs::write(folder.join(strange), b"strange").expect("room");
        }
        let spool = Spool::open(&folder).expect("nobody has it");
        assert_eq!(
            spool.kept(),
            [(run.clone(), one.clone(), b"first again".to_vec()), (run.clone(), two, b"second".to_vec())]
        );
        spool.forget(&run, &one);
        assert_eq!(spool.kept().len(), 1);
        std::fs::remove_dir_all(&folder).expect("our own folder");
        // A disk that takes nothing, told in words.
        assert!(spool.keep(&run, &one, b"x").expect_err("no folder").contains("cannot write to the spool"));
    }
}
