//! Where NVRTC may lie.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The releases whose library has a name of its own, the newest first.
const MAJORS: [u32; 2] = [13, 12];

/// Variables that name the folder of a CUDA toolkit.
const TOOLKITS: [&str; 3] = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"];

/// The system's own names of the library: found if a folder of libraries has it.
pub(super) fn names() -> Vec<PathBuf> {
    let name = |major: &u32| match cfg!(windows) {
        true => format!("nvrtc64_{major}0_0.dll"),
        false => format!("libnvrtc.so.{major}"),
    };
    MAJORS.iter().map(|major| name(major).into()).collect()
}

/// Libraries in toolkits: where variables say that one is, and where one is usually.
pub(super) fn of_toolkits() -> Vec<PathBuf> {
    let named = TOOLKITS.into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let roots = named.chain([PathBuf::from("/usr/local/cuda"), PathBuf::from("/opt/cuda")]);
    let folders = roots.flat_map(|root| {
        ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "bin", "bin/x64"]
            .map(|folder| root.join(folder))
    });
    folders.flat_map(|folder| in_folder(&folder)).collect()
}

/// Libraries that Python packages brought along (`pip install nvidia-cuda-nvrtc`, or PyTorch). Python itself is asked where its packages lie.
pub(super) fn of_python() -> Vec<PathBuf> {
    const ASK: &str =
        "import site, sys; print(*sys.path, *site.getsitepackages(), site.getusersitepackages(), sep='\\n')";
    let python = if cfg!(windows) { "python" } else { "python3" };
    let asked =
        Command::new(python).args(["-c", ASK]).stdin(Stdio::null()).stderr(Stdio::null()).output().ok();
    let said = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut libraries: Vec<PathBuf> = Vec::new();
    for folder in said.lines().filter(|line| !line.is_empty()) {
        for library in in_packages(Path::new(folder)) {
            if !libraries.contains(&library) {
                libraries.push(library);
            }
        }
    }
    libraries
}

/// Libraries below `nvidia` in a folder of Python packages.
fn in_packages(packages: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(packages.join("nvidia")).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| ["lib", "bin", "bin/x86_64"].map(|folder| entry.path().join(folder)))
        .flat_map(|folder| in_folder(&folder))
        .collect()
}

/// Libraries in a folder, the newest first.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let is_it = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        match cfg!(windows) {
            true => name.starts_with("nvrtc64_") && name.ends_with(".dll") && !name.contains("alt"),
            false => name.starts_with("libnvrtc.so"),
        }
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_it).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_packages_are_found_whatever_the_package_is_called() {
        let packages = std::env::temp_dir().join(format!("outplay-packages-{}", std::process::id()));
        let folder = packages.join("nvidia").join("cu13").join("lib");
        std::fs::create_dir_all(&folder).expect("a folder");
        let name = if cfg!(windows) { "nvrtc64_130_0.dll" } else { "libnvrtc.so.13" };
        for name in [name, "libcublas.so.13"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        let found = in_packages(&packages);
        std::fs::remove_dir_all(&packages).expect("it was made above");
        assert_eq!(found, [folder.join(name)]);
        assert_eq!(in_packages(&packages), [] as [PathBuf; 0]);
    }
}
