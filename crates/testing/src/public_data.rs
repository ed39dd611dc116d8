//! Test data that others made: suites, game collections, published counts.
//!
//! It is not part of the project. Tests look for it where the environment variable `OUTPLAY_DATA` says, or in
//! `shared/data` beside the checkout, and say loudly that they skip when it is not there.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A file or folder of the public data; `None`, said loudly, if it is not there.
pub fn path(name: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("OUTPLAY_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let path = folder.join(name);
    if !path.exists() {
        skip(&format!("there is no public data {name} (set OUTPLAY_DATA)"));
        return None;
    }
    Some(path)
}

/// The bytes of a file of the public data.
pub fn bytes(name: &str) -> Option<Vec<u8>> {
    let path = path(name)?;
    let bytes = std::fs::read(&path);
    if let Err(error) = &bytes {
        skip(&format!("{} cannot be read: {error}", path.display()));
    }
    bytes.ok()
}

/// The text of a file of the public data.
pub fn text(name: &str) -> Option<String> {
    bytes(name).map(|bytes| outplay_core::text::decode(&bytes).into_owned())
}

/// Says that a test skips, past the test harness, which hides what passing tests print.
pub fn skip(reason: &str) {
    // A test that cannot even say so has nothing better to do.
    drop(writeln!(std::io::stderr(), "SKIPPED: {reason}"));
}
