//! Suites of test positions that tests make anew when somebody asks for it.

use std::path::{Path, PathBuf};

use crate::public_data::skip;

/// Where to write a suite: in the folder that the environment variable `OUTPLAY_SUITES` names; `None`, said loudly, if it names none.
pub fn place_for(suite: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("OUTPLAY_SUITES");
    if folder.is_none() {
        skip(&format!("OUTPLAY_SUITES names no folder to write {suite} to"));
    }
    Some(Path::new(&folder?).join(suite))
}
