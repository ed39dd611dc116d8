//! Files that several players of one program use.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What is open already, by its name: tables are large. Closed when nobody uses it any more.
pub(super) struct Shared<T>(Mutex<Vec<(PathBuf, Weak<T>)>>);

impl<T> Shared<T> {
    pub const fn new() -> Shared<T> {
        Shared(Mutex::new(Vec::new()))
    }

    /// What bears a name, opened if nobody uses it yet. Others who ask at the same time wait.
    pub fn get<E>(&self, name: &Path, open: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().find(|(other, _)| other == name).and_then(|(_, opened)| opened.upgrade());
        if let Some(found) = found {
            return Ok(found);
        }
        let opened = Arc::new(open()?);
        all.retain(|(_, opened)| opened.strong_count() > 0);
        all.push((name.to_path_buf(), Arc::downgrade(&opened)));
        Ok(opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_use_is_not_opened_twice_and_what_is_not_is() {
        let shared = Shared::new();
        let mut times = 0;
        let mut get = |name: &str| {
            shared.get(Path::new(name), || {
                times += 1;
                if name == "bad" { Err("bad") } else { Ok(times) }
            })
        };
        let (first, again, other) = (get("one"), get("one"), get("two"));
        assert_eq!((first.clone(), again, other), (Ok(1.into()), Ok(1.into()), Ok(2.into())));
        assert_eq!(get("bad"), Err("bad"));
        drop(first);
        assert_eq!(get("one"), Ok(4.into()));
    }
}
