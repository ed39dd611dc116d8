//! Builds the page and embeds it: its files, plain and compressed, become a table in the server.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::time::SystemTime;

/// Set to anything, it leaves the page out: for those who work on engines and have no Node.
const WITHOUT_PAGE: &str = "OUTPLAY_WITHOUT_PAGE";
/// What the page is made of.
const SOURCES: [&str; 7] =
    ["src", "public", "index.html", "package.json", "package-lock.json", "vite.config.ts", "tsconfig.json"];
/// The page of a server without one.
const NO_PAGE: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Outplay</title>\n\
    <p>This Outplay was built without its page. The API is there: see <a href=\"/api/openapi.json\">its description</a>.</p>\n";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed={WITHOUT_PAGE}");
    let out = folder("OUT_DIR");
    let ui = folder("CARGO_MANIFEST_DIR").join("../../ui");
    let files = if std::env::var_os(WITHOUT_PAGE).is_some() || !ui.join("package.json").exists() {
        vec![("/index.html".to_string(), NO_PAGE.as_bytes().to_vec())]
    } else {
        for source in SOURCES.map(|name| ui.join(name)).into_iter().filter(|source| source.exists()) {
            println!("cargo:rerun-if-changed={}", source.display());
        }
        let dist = out.join("page");
        build(&ui, &dist);
        let mut files = Vec::new();
        collect(&dist, "", &mut files);
        files
    };
    fs::write(out.join("page.rs"), table(&out, files))
        .unwrap_or_else(|error| fail(&format!("cannot write: {error}")));
}

fn folder(variable: &str) -> PathBuf {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .unwrap_or_else(|| fail(&format!("{variable} is not set: use cargo")))
}

/// Ends the build with one sentence.
fn fail(sentence: &str) -> ! {
    println!("cargo:warning={sentence}");
    eprintln!("{sentence}");
    exit(1)
}

/// Runs Node's tools; they write nothing outside `dist` but the packages that the lock file names.
fn build(ui: &Path, dist: &Path) {
    if is_newer(&ui.join("package-lock.json"), &ui.join("node_modules/.package-lock.json")) {
        // Unlike `npm ci` this does not mind that the lock file lacks packages for other systems, and it leaves the lock file as it is.
        npm(ui, &["install", "--no-save", "--no-audit", "--no-fund"]);
    }
    let dist = dist.display().to_string();
    npm(ui, &["run", "build", "--", "--outDir", &dist, "--emptyOutDir"]);
}

fn is_newer(one: &Path, other: &Path) -> bool {
    let changed =
        |path: &Path| fs::metadata(path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    changed(one) >= changed(other)
}

fn npm(ui: &Path, arguments: &[&str]) {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    match Command::new(program).args(arguments).current_dir(ui).output() {
        Err(_) => fail(&format!(
            "the page needs Node.js to be built: install Node.js 20 or newer (it brings npm), or set {WITHOUT_PAGE}=1 to build without the page"
        )),
        Ok(output) if !output.status.success() => {
            eprintln!("{}", String::from_utf8_lossy(&output.stdout));
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
            fail(&format!("npm {} failed in ui/: see its output above", arguments[0]))
        }
        Ok(_) => {}
    }
}

/// All files of a folder, with their paths as in addresses.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| fail(&format!("npm run build made no page: {error}")));
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let path = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &path, files);
        } else {
            let content =
                fs::read(entry.path()).unwrap_or_else(|error| fail(&format!("cannot read {path}: {error}")));
            files.push((path, content));
        }
    }
}

/// The table as Rust code.
fn table(out: &Path, files: Vec<(String, Vec<u8>)>) -> String {
    let mut code = "/// The files of the page.\nstatic PAGE: &[Asset] = &[\n".to_string();
    for (number, (path, content)) in files.into_iter().enumerate() {
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let etag = format!("\"{:016x}\"", hasher.finish());
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let gzip = encoder.write_all(&content).and_then(|()| encoder.finish());
        let gzip = gzip.unwrap_or_else(|error| fail(&format!("cannot compress {path}: {error}")));
        let names = [format!("asset{number}"), format!("asset{number}.gz")];
        for (name, bytes) in names.iter().zip([&content, &gzip]) {
            fs::write(out.join(name), bytes).unwrap_or_else(|error| fail(&format!("cannot write: {error}")));
        }
        let [plain, gzip] =
            names.map(|name| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))"));
        let kind = media_type(&path);
        writeln!(
            code,
            "    Asset {{ path: {path:?}, kind: {kind:?}, plain: {plain}, gzip: {gzip}, etag: {etag:?} }},"
        )
        .unwrap_or_else(|_| fail("no memory"));
    }
    code + "];\n"
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
