//! The public data folder, which need not be there.

use std::path::{Path, PathBuf};

/// A file or folder of the public data; `None`, said loudly, if it is not there.
pub fn path(name: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("OUTPLAY_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    if !folder.is_dir() {
        eprintln!("SKIPPED: no public data folder (set OUTPLAY_DATA)");
        return None;
    }
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("SKIPPED: the public data folder has no {name}");
        return None;
    }
    Some(path)
}

/// The bytes of a file of the public data.
pub fn bytes(name: &str) -> Option<Vec<u8>> {
    path(name).map(|path| std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The text of a file of the public data.
pub fn text(name: &str) -> Option<String> {
    bytes(name).map(|bytes| String::from_utf8(bytes).expect("the file is text"))
}
