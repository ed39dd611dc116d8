//! Runs that move to another place in one file, and files that only claim to be such runs.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use outplay_core::Rng;
use outplay_engine::content_hash;
use outplay_learn::{Run, pack, unpack};

use crate::runs::{contents, open, small, small_with_a_window_of_its_own, temporary};

fn advance(run: &mut Run) {
    run.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped");
}

/// The network of a generation.
fn net(run: &Path, generation: u32) -> Vec<u8> {
    fs::read(run.join(format!("nets/{generation:04}.safetensors"))).expect("a network")
}

#[test]
fn a_packed_run_goes_on_elsewhere_as_it_would_have_here() {
    for settings in [small(), small_with_a_window_of_its_own()] {
        let (here, there, file) = (temporary("here"), temporary("there"), temporary("packed"));
        let mut run = open(&here, &settings, 1);
        advance(&mut run);
        advance(&mut run);
        drop(run);
        let packed = pack(&here, &file, 50_000_000).expect("a run");
        assert_eq!((packed.generation, packed.has_whole_window), (2, true));
        assert_eq!(packed.games, 24);
        assert_eq!(packed.bytes, fs::metadata(&file).expect("a file").len());
        unpack(&file, &there).expect("our own file");
        assert!(unpack(&file, &there).is_err(), "a folder that is there is left alone");
        for folder in [&here, &there] {
            let mut run = open(folder, &settings, 1);
            assert_eq!(run.generation(), 2);
            advance(&mut run);
        }
        assert!(net(&here, 3) == net(&there, 3), "the same to the bit");
        assert!(contents(&here)["0002.games"] == contents(&there)["0002.games"]);
        [here, there].into_iter().for_each(|folder| drop(fs::remove_dir_all(folder)));
        drop(fs::remove_file(file));
    }
}

#[test]
fn where_room_is_short_the_newest_games_are_packed_and_it_says_so() {
    let (here, there, file) = (temporary("wide"), temporary("narrow"), temporary("packed-narrow"));
    let mut run = open(&here, &small(), 1);
    advance(&mut run);
    advance(&mut run);
    drop(run);
    let whole = pack(&here, &file, 50_000_000).expect("a run").bytes;
    let mut found = [false; 3];
    for limit in (0..=whole).rev().step_by(997) {
        let Ok(packed) = pack(&here, &file, limit) else {
            // Not even the network fits.
            found[2] = true;
            break;
        };
        assert!(packed.bytes <= limit, "{packed:?} within {limit}");
        assert_eq!(packed.has_whole_window, packed.games == 24, "{packed:?}");
        found[usize::from(packed.has_whole_window)] = true;
        if !packed.has_whole_window && packed.games > 0 && !there.exists() {
            unpack(&file, &there).expect("our own file");
            let mut run = open(&there, &small(), 1);
            assert_eq!(run.generation(), 2);
            advance(&mut run);
            assert_eq!(run.generation(), 3);
        }
    }
    assert!(found == [true; 3] && there.exists(), "{found:?}");
    [here, there].into_iter().for_each(|folder| drop(fs::remove_dir_all(folder)));
    drop(fs::remove_file(file));
}

/// An archive of these files, with the length that each is said to have.
fn archive(files: &[(&str, &[u8], u64)]) -> Vec<u8> {
    let mut bytes = b"OUTPACK1".to_vec();
    for (name, content, length) in files {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).expect("memory");
        let packed = encoder.finish().expect("memory");
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend((packed.len() as u64).to_le_bytes());
        bytes.extend(packed);
    }
    bytes.extend([0, 0]);
    sealed(bytes)
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(content_hash(&bytes).to_le_bytes());
    bytes
}

const RUN: &[u8] = b"game = \"tictactoe\"\n";

#[test]
fn files_of_strangers_lead_nowhere() {
    let place = temporary("strangers");
    fs::create_dir_all(&place).expect("a folder");
    let (file, run) = (place.join("file"), place.join("run"));
    let tries = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("a file");
        let result = unpack(&file, &run).map_err(|error| error.to_string());
        let there: Vec<_> =
            fs::read_dir(&place).expect("a folder").map(|e| e.expect("a file").file_name()).collect();
        assert_eq!(there.len(), if result.is_ok() { 2 } else { 1 }, "nothing else is left behind: {there:?}");
        drop(fs::remove_dir_all(&run));
        result
    };
    let length = RUN.len() as u64;
    tries(&archive(&[("run.toml", RUN, length)])).expect("a run without a network is one nevertheless");
    let names = [
        "../run.toml",
        "/tmp/run.toml",
        "nets/../../run.toml",
        "nets/../run.toml",
        "..",
        ".",
        "",
        "nets",
        "nets/",
        "/",
        "nets/0001.trainer",
        "nets/1.safetensors",
        "nets/0001.safetensors/x",
        "games\\0001.games",
        "C:run.toml",
        "run.toml\0",
        "Run.toml",
        "run.sh",
        ".toml",
        "lock",
        "games/٠٠٠١.games",
        "state/00000000001.trainer",
    ];
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        let error = tries(&archive(&[("run.toml", RUN, length), (name, b"x", 1)])).expect_err(name);
        assert!(error.contains("no run has"), "{name}: {error}");
    }
    let twice = tries(&archive(&[("run.toml", RUN, length), ("run.toml", RUN, length)]));
    assert!(twice.expect_err("twice").contains("twice"));
    let zeros = vec![0; 1 << 20];
    for (content, said) in
        [(&zeros[..], 5), (&zeros[..5], 6), (&zeros[..5], u64::MAX), (&zeros[..5], 4 << 30)]
    {
        let bomb = archive(&[("run.toml", RUN, length), ("metrics.jsonl", content, said)]);
        tries(&bomb).expect_err("another length than it says");
    }
    assert!(tries(&archive(&[])).is_err(), "no settings");
    assert!(tries(&archive(&[("run.toml", b"colour = 7", 10)])).is_err(), "settings of something else");

    let good = archive(&[("run.toml", RUN, length), ("games/0000.games", b"abc", 3)]);
    let body = &good[..good.len() - 8];
    let mut rng = Rng::new(4);
    for cut in 0..good.len() {
        assert!(tries(&good[..cut]).is_err(), "cut at {cut}");
        let mut damaged = good.clone();
        damaged[cut] ^= 1 << rng.below(8);
        assert!(tries(&damaged).is_err(), "damaged at {cut}");
    }
    for _ in 0..1_000 {
        // Damage that the checksum knows of: what reads it must stand it, and may even find it in order.
        let mut forged = body.to_vec();
        for _ in 0..1 + rng.below(4) {
            let place = 8 + rng.below(forged.len() - 8);
            match rng.below(3) {
                0 => forged[place] = rng.next_u64() as u8,
                1 => drop(forged.remove(place)),
                _ => forged.insert(place, [0, 1, 0x2e, 0x2f, 0xff][rng.below(5)]),
            }
        }
        drop(tries(&sealed(forged)));
    }
    drop(fs::remove_dir_all(place));
}
