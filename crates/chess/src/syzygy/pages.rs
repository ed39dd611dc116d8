//! The bytes of a file, read when they are asked for.
//!
//! A file is not mapped into memory, since a mapped file that somebody shortens ends the program. Pages stay in memory once read, until the tables that are
//! open together hold as many as they may; what is wanted beyond is read each time, from the system's own memory if it has it.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A page has 2 to this power bytes.
const PAGE_BITS: u32 = 16;
const PAGE: u64 = 1 << PAGE_BITS;

/// What pages of all tables may hold. Threads that take from it at once need only agree on the number, so any ordering will do.
pub(super) struct Budget(AtomicU64);

impl Budget {
    pub const fn new(bytes: u64) -> Budget {
        Budget(AtomicU64::new(bytes))
    }

    fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

type Page = OnceLock<Box<[u8]>>;
/// The bytes of a place for a page that is not read yet.
const PLACE: u64 = size_of::<Page>() as u64;

/// A file.
pub(super) struct Pages {
    path: PathBuf,
    len: u64,
    file: OnceLock<File>,
    /// A place for each page of the file; none at all where even these places are more than the budget has left.
    pages: Box<[Page]>,
    budget: Arc<Budget>,
}

impl Pages {
    /// The file here, `len` bytes of it. It is opened when it is first asked.
    pub fn new(path: &Path, len: u64, budget: Arc<Budget>) -> Pages {
        let count = len.div_ceil(PAGE);
        let count = if budget.take(count * PLACE) { count } else { 0 };
        let pages = (0..count).map(|_| OnceLock::new()).collect();
        Pages { path: path.to_path_buf(), len, file: OnceLock::new(), pages, budget }
    }

    /// So many bytes from a place on; `None` if they are not all there, or cannot be read.
    #[inline]
    pub fn bytes(&self, at: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        let within = (at % PAGE) as usize;
        if let Some(page) = self.pages.get((at >> PAGE_BITS) as usize).and_then(OnceLock::get)
            && let Some(bytes) = page.get(within..within + len)
        {
            return Some(Cow::Borrowed(bytes));
        }
        self.bytes_from_file(at, len)
    }

    #[cold]
    fn bytes_from_file(&self, at: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        let end = at.checked_add(len as u64).filter(|&end| end <= self.len)?;
        let (first, within) = ((at >> PAGE_BITS) as usize, (at % PAGE) as usize);
        if self.load(first)
            && let Some(bytes) = self.pages[first].get().and_then(|page| page.get(within..within + len))
        {
            return Some(Cow::Borrowed(bytes));
        }
        let mut bytes = vec![0; (end - at) as usize];
        self.read(at, &mut bytes).ok()?;
        Some(Cow::Owned(bytes))
    }

    /// Whether a page is in memory, now at the latest.
    fn load(&self, number: usize) -> bool {
        let Some(page) = self.pages.get(number) else { return false };
        if page.get().is_some() {
            return true;
        }
        let begin = number as u64 * PAGE;
        let len = PAGE.min(self.len - begin);
        if !self.budget.take(len) {
            return false;
        }
        let mut bytes = vec![0; len as usize];
        let is_read = self.read(begin, &mut bytes).is_ok();
        // Another thread may have been quicker; then its page is as good.
        if !is_read || page.set(bytes.into()).is_err() {
            self.budget.give_back(len);
        }
        is_read
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let file = match self.file.get() {
            Some(file) => file,
            // Two threads may open it at once, and one of the two is closed again.
            None => {
                let opened = File::open(&self.path)?;
                self.file.get_or_init(|| opened)
            }
        };
        read_exactly_at(file, at, bytes)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let held: usize = self.pages.iter().filter_map(OnceLock::get).map(|page| page.len()).sum();
        self.budget.give_back(held as u64 + self.pages.len() as u64 * PLACE);
    }
}

#[cfg(unix)]
fn read_exactly_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exactly_at(file: &File, mut at: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (at, bytes) = (at + read as u64, &mut bytes[read..]),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_file_within_the_budget_and_beyond() {
        let path = std::env::temp_dir().join(format!("outplay-pages-{}", std::process::id()));
        let content: Vec<u8> = (0..3 * PAGE + 100).map(|at| (at % 251) as u8).collect();
        std::fs::write(&path, &content).expect("written");
        for budget in [0, 5 * PLACE, PAGE + 5 * PLACE, 100 * PAGE] {
            let budget_left = Arc::new(Budget::new(budget));
            let pages = Pages::new(&path, content.len() as u64, budget_left.clone());
            for at in [0, 7, PAGE - 3, 2 * PAGE - 1, 3 * PAGE + 90] {
                for len in [0, 1, 6, 10] {
                    let expected = &content[at as usize..at as usize + len];
                    assert_eq!(pages.bytes(at, len).as_deref(), Some(expected), "{at} {len}");
                }
            }
            assert_eq!(pages.bytes(3 * PAGE + 95, 6), None);
            assert_eq!(pages.bytes(u64::MAX - 2, 6), None);
            drop(pages);
            assert!(budget_left.take(budget) && !budget_left.take(1), "{budget}");
        }
        std::fs::remove_file(path).expect("removed");
    }
}
