//! Compiled kernels on disk: compiling one takes seconds.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::mix;

/// A folder of compiled kernels, or none. A folder that cannot be read or written is as good as an empty one, and a file that is not what was written once is
/// written anew.
#[derive(Clone, Debug, Default)]
pub struct KernelCache(Option<PathBuf>);

/// What a file begins with, before the hash of what follows.
const BEGINNING: &[u8; 16] = b"outplay kernel 1";

/// The folder that is used if nobody says otherwise; `None` where there is no home.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_system = || match cfg!(windows) {
        true => variable("LOCALAPPDATA"),
        false => variable("HOME").map(|home| home.join(".cache")),
    };
    let folder = variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute()).or_else(of_system);
    folder.map(|folder| folder.join("outplay").join("kernels"))
}

impl KernelCache {
    /// Kernels are kept in this folder, which is made when there is something to keep.
    pub fn in_folder(folder: Option<PathBuf>) -> KernelCache {
        KernelCache(folder)
    }

    /// What was kept for a source, or what `compile` makes of it, which is then kept. `compiler` stands for everything else that matters.
    pub(super) fn get_or<E>(
        &self,
        source: &str,
        compiler: &str,
        compile: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let Some(folder) = &self.0 else { return compile() };
        let (first, second) = (
            hash(1, &[source.as_bytes(), compiler.as_bytes()]),
            hash(2, &[source.as_bytes(), compiler.as_bytes()]),
        );
        let file = folder.join(format!("{first:016x}{second:016x}"));
        if let Some(image) = read(&file) {
            return Ok(image);
        }
        let image = compile()?;
        // Next time is only slower if this fails.
        let _ = write(folder, &file, &image);
        Ok(image)
    }
}

fn read(file: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(file).ok()?;
    let (hashed, image) = bytes.strip_prefix(BEGINNING)?.split_first_chunk()?;
    (u64::from_le_bytes(*hashed) == hash(0, &[image])).then(|| image.to_vec())
}

/// Writes a file whole or not at all, whoever else writes it.
fn write(folder: &Path, file: &Path, image: &[u8]) -> io::Result<()> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(folder)?;
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let beside = folder.join(format!("unfinished-{}-{number}", std::process::id()));
    let bytes = [&BEGINNING[..], &hash(0, &[image]).to_le_bytes(), image].concat();
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A hash of some texts, the same everywhere.
fn hash(seed: u64, texts: &[&[u8]]) -> u64 {
    let mut hash = mix(seed);
    for text in texts {
        hash = mix(hash ^ text.len() as u64);
        for chunk in text.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            // The constant keeps a run of zeros from leading nowhere.
            hash = mix(hash ^ u64::from_le_bytes(word)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(cache: &KernelCache, source: &str, compiler: &str) -> (Vec<u8>, bool) {
        let mut has_compiled = false;
        let image = cache.get_or(source, compiler, || {
            has_compiled = true;
            Ok::<_, ()>(format!("{source} by {compiler}").into_bytes())
        });
        (image.expect("it compiles"), has_compiled)
    }

    #[test]
    fn a_kernel_is_compiled_once_and_a_damaged_file_only_costs_time() {
        let folder = std::env::temp_dir().join(format!("outplay-kernels-{}", std::process::id()));
        let cache = KernelCache::in_folder(Some(folder.join("deep")));
        let right = b"a by 1".to_vec();
        assert_eq!(compiled(&cache, "a", "1"), (right.clone(), true));
        assert_eq!(compiled(&cache, "a", "1"), (right.clone(), false));
        // Another source or another compiler is another kernel.
        assert!(compiled(&cache, "b", "1").1 && compiled(&cache, "a", "2").1);
        let files = || fs::read_dir(folder.join("deep")).expect("it was made").flatten();
        assert_eq!(files().count(), 3);
        let whole: Vec<Vec<u8>> = files().map(|file| fs::read(file.path()).expect("a file")).collect();
        for damage in [0, 10, 20, 24, 29] {
            for (file, whole) in files().zip(&whole) {
                fs::write(file.path(), &whole[..damage]).expect("written");
            }
            assert_eq!(compiled(&cache, "a", "1"), (right.clone(), true), "cut to {damage}");
            for file in files() {
                let mut bytes = fs::read(file.path()).expect("a file");
                if let Some(byte) = bytes.get_mut(damage) {
                    *byte ^= 1;
                    fs::write(file.path(), bytes).expect("written");
                }
            }
            assert_eq!(compiled(&cache, "a", "1"), (right.clone(), true), "changed at {damage}");
            assert_eq!(compiled(&cache, "a", "1"), (right.clone(), false));
        }
        // Where a folder is wanted there is a file: nothing can be kept.
        let blocked = KernelCache::in_folder(Some(files().next().expect("a file").path().join("below")));
        for _ in 0..2 {
            assert_eq!(compiled(&blocked, "a", "1"), (right.clone(), true));
        }
        assert_eq!(compiled(&KernelCache::default(), "a", "1"), (right, true));
        fs::remove_dir_all(&folder).expect("it was made above");
    }
}
