//! Many clients at once. Takes a minute: `cargo test --release -p outplay-server --test suite -- --ignored --nocapture load`

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::TestServer;

const CLIENTS: usize = 200;
const TIME: Duration = Duration::from_secs(60);

/// The resident memory of this process in mebibytes, where the system tells.
fn resident_mebibytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<usize>().ok().map(|kibibytes| kibibytes / 1024)
}

fn percentile(times: &mut [Duration], part: f64) -> Duration {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * part) as usize]
}

#[test]
#[ignore = "takes a minute and both cores"]
fn load_of_two_hundred_sockets() {
    let server = TestServer::start();
    let client = &server.client;
    let (is_over, analyses) = (AtomicBool::new(false), AtomicUsize::new(0));
    let begun = Instant::now();
    let (mut moves, counts) = std::thread::scope(|scope| {
        let sockets: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (is_over, analyses) = (&is_over, &analyses);
                scope.spawn(move || {
                    let mut socket = client.socket();
                    let mut count = 0;
                    while !is_over.load(Ordering::SeqCst) {
                        let game = ["chess", "othello", "connect6", "connect4"][number % 4];
                        socket.send(json!({"type": "analyse", "id": "a", "game": game, "limit": {"nodes": 2000}, "lines": 2}));
                        let messages = socket.until("done");
                        assert!(messages.iter().any(|message| message["type"] == "report"));
                        count += 1;
                        analyses.fetch_add(1, Ordering::SeqCst);
                    }
                    count
                })
            })
            .collect();
        // Meanwhile a person plays: the time of each move is taken. The engine's answer waits in line like all searches.
        let mut moves = Vec::new();
        let mut answers = Vec::new();
        // [which third of the time], in mebibytes.
        let mut peaks = [0; 3];
        while begun.elapsed() < TIME {
            let game =
                client.post("/api/games", json!({"game": "chess", "human": 0, "levels": [null, 1]})).ok();
            let id = game["id"].as_str().expect("a name").to_string();
            for _ in 0..10 {
                let game = client
                    .wait_for_game(&id, |game| game["position"]["to_move"] == 0 && game["thinking"] == false);
                if !game["result"].is_null() {
                    break;
                }
                let body = json!({"move": game["position"]["legal"][0]["move"], "version": game["version"]});
                let sent = Instant::now();
                client.post(&format!("/api/games/{id}/moves"), body).ok();
                moves.push(sent.elapsed());
                client.wait_for_game(&id, |game| game["thinking"] == false);
                answers.push(sent.elapsed());
                let third = (begun.elapsed().as_secs() * 3 / TIME.as_secs()).min(2) as usize;
                peaks[third] = peaks[third].max(resident_mebibytes().unwrap_or(0));
                std::thread::sleep(Duration::from_millis(20));
            }
            client.delete(&format!("/api/games/{id}")).ok();
        }
        is_over.store(true, Ordering::SeqCst);
        let counts: Vec<usize> = sockets.into_iter().map(|socket| socket.join().expect("no error")).collect();
        println!(
            "{} moves; engine's answer: median {:?}, p95 {:?}; peaks of {peaks:?} MiB by thirds of the time, clients included",
            moves.len(),
            percentile(&mut answers.clone(), 0.5),
            percentile(&mut answers, 0.95),
        );
        assert!(peaks[2] <= peaks[1] + peaks[1] / 4, "memory grows: {peaks:?} MiB");
        (moves, counts)
    });
    let (least, most) = (counts.iter().min().expect("clients"), counts.iter().max().expect("clients"));
    let median = percentile(&mut moves.clone(), 0.5);
    let p95 = percentile(&mut moves, 0.95);
    println!(
        "{} analyses, {least} to {most} a client; a move by REST: median {median:?}, p95 {p95:?}",
        analyses.into_inner()
    );
    assert!(*least > 0 && most - least <= 2 + most / 5, "clients of one kind take turns: {least} to {most}");
    assert!(p95 < Duration::from_millis(50), "{p95:?}");
    // What is left when all have gone is what the server keeps.
    client.wait_for_running(0);
    if let Some(mebibytes) = resident_mebibytes() {
        println!("{mebibytes} MiB when all have gone");
        assert!(mebibytes < 1024, "{mebibytes} MiB");
    }
}
