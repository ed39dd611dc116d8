//! Where the program keeps what people make with it, and finds what they bring.

use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that names folders of networks, separated as the system separates paths.
pub const NETWORKS_VARIABLE: &str = "OUTPLAY_NETS";

/// The data folder that programs of this system have by default; `None` if there is no home.
pub fn default_folder() -> Option<PathBuf> {
    let folder = |variable: &str| {
        std::env::var_os(variable).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from)
    };
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("outplay"))
}

/// The folders in which networks are looked for: those of [`NETWORKS_VARIABLE`], then `nets` in the data folder.
pub fn network_folders(data: Option<PathBuf>) -> Vec<PathBuf> {
    let named = std::env::var_os(NETWORKS_VARIABLE);
    let named = named.iter().flat_map(std::env::split_paths).filter(|path| !path.as_os_str().is_empty());
    named.chain(data.map(|data| data.join("nets"))).collect()
}
