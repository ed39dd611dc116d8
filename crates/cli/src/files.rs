//! Writing files so that a crash leaves either the old one or the new one.

use std::fs::{self, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Puts a file in the place of another, or of none, by way of a new one beside it that nobody else has; `write` writes it.
pub fn replace(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let temporary = target.with_added_extension(format!("{}.tmp", std::process::id()));
    let mut file = BufWriter::new(OpenOptions::new().write(true).create_new(true).open(&temporary)?);
    let written = write(&mut file).and_then(|()| {
        let file = file.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()?;
        if let Ok(old) = fs::metadata(target) {
            file.set_permissions(old.permissions())?;
        }
        Ok(fs::rename(&temporary, target)?)
    });
    if written.is_err() {
        // The failure itself is what is to be told.
        drop(fs::remove_file(&temporary));
    }
    written
}
