//! A match over a real server by real processes, which are killed, stopped and started again at random: it is that of one machine.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use outplay_core::Rng;
use outplay_engine::Catalogue;
use outplay_fleet::{Access, FleetCrew, Leaving, Name, Nats, WorkerOptions, work};
use outplay_lab::{Crew, Journal, Plan, Store, Threads, run_match};
use outplay_testing::nats_server::NatsServer;

use crate::crew::{BUILD, options, plan};

/// Tells a process of these tests what it is, in words separated by spaces.
const ROLE: &str = "OUTPLAY_FLEET_TEST_ROLE";
/// How long a machine may be silent.
const LEASE: Duration = Duration::from_secs(2);
/// Longer than that.
const CUT_OFF: Duration = Duration::from_millis(3500);

#[test]
#[ignore = "a process that the tests of this file start"]
fn process() {
    let role = std::env::var(ROLE).expect("a role: this is started by other tests");
    let words: Vec<&str> = role.split(' ').collect();
    let [kind, address, name, place] = words[..] else { panic!("{role}") };
    let access = Access::open(address);
    let nats = |open: fn(&Access, Name) -> Result<Nats, outplay_fleet::FleetError>| loop {
        match open(&access, Name::like(name)) {
            Ok(nats) => return nats,
            Err(error) => eprintln!("{error}"),
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    let tell = |words: &str| eprintln!("{name}: {words}");
    if kind == "worker" {
        let options = WorkerOptions { spool: Some(place.into()), ..options(1) };
        work(&nats(Nats::join), &Catalogue::standard(), &options, &Leaving::default(), &tell)
            .expect("a spool");
        return;
    }
    let fleet = nats(Nats::open);
    let crew = FleetCrew {
        fleet: &fleet,
        what: "a match in chaos".to_string(),
        lease: LEASE,
        build: BUILD.to_string(),
        any_build: false,
        memory: 0,
        tell: &tell,
    };
    let store = Store::open(&Path::new(place).join("match.redb"), "chaos", true).expect("a file");
    let pairs = name.trim_start_matches("match").parse().expect("a number");
    let result = result(&long_plan(pairs), &crew, &store.part(""));
    // All of it or nothing.
    std::fs::write(Path::new(place).join("part"), result).expect("a file");
    std::fs::rename(Path::new(place).join("part"), Path::new(place).join("result")).expect("a file");
}

/// A match that lasts long enough for accidents.
fn long_plan(pairs: usize) -> Plan {
    let mut plan = plan(pairs);
    plan.entrants.iter_mut().for_each(|entrant| entrant.control = "nodes=300".parse().expect("a limit"));
    plan
}

/// All that a match comes to: its numbers, and its games.
fn result(plan: &Plan, crew: &dyn Crew, journal: &dyn Journal) -> String {
    let mut games = String::new();
    let standings = run_match(plan, crew, journal, &AtomicBool::new(false), &mut |pair, _| {
        pair.games.iter().for_each(|game| games.push_str(&game.text));
        ControlFlow::Continue(())
    });
    let standings = standings.expect("players that can be made");
    format!("{}\n{games}", serde_json::to_string(&standings.encounters()).expect("numbers"))
}

/// One of these processes, which does not outlive the test.
struct Process {
    child: Child,
    role: String,
}

impl Process {
    fn start(role: String) -> Process {
        let child = Command::new(std::env::current_exe().expect("our own name"))
            .args(["--exact", "chaos::process", "--ignored", "--nocapture"])
            .env(ROLE, &role)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the test itself");
        Process { child, role }
    }

    fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    fn kill_and_start_again(&mut self, after: Duration) {
        self.kill();
        std::thread::sleep(after);
        *self = Process::start(self.role.clone());
    }

    fn signal(&self, signal: &str) {
        let told = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(told.expect("every Unix has it").success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn match_in_chaos(name: &str, pairs: usize, seed: u64) {
    let Some(mut server) = NatsServer::start(name) else { return };
    let folder = server.folder().to_path_buf();
    let (address, shown) = (server.address(), folder.display().to_string());
    let worker =
        |number: usize| Process::start(format!("worker {address} worker{number} {shown}/spool{number}"));
    let mut workers: Vec<Process> = (0..4).map(worker).collect();
    let mut coordinator = Process::start(format!("match {address} match{pairs} {shown}"));
    let mut rng = Rng::new(seed);
    let mut happened = [0; 4];
    let begun = Instant::now();
    while !folder.join("result").exists() {
        assert!(begun.elapsed() < Duration::from_secs(300), "the match does not end: {happened:?}");
        std::thread::sleep(Duration::from_millis(100 + rng.below(400) as u64));
        let number = rng.below(workers.len());
        let event = match rng.below(10) {
            0..=3 => {
                workers[number].kill_and_start_again(Duration::from_millis(rng.below(500) as u64));
                0
            }
            // Cut off for longer than its lease: somebody else plays its pair, and both deliver it.
            4 | 5 => {
                workers[number].signal("-STOP");
                std::thread::sleep(CUT_OFF);
                workers[number].signal("-CONT");
                1
            }
            6 | 7 => {
                server.kill();
                std::thread::sleep(Duration::from_millis(rng.below(2500) as u64));
                server.start_again();
                2
            }
            // Whoever counts is killed, too, and goes on with what it has kept.
            8 if happened[3] < 2 => {
                coordinator.kill_and_start_again(Duration::ZERO);
                3
            }
            _ => continue,
        };
        happened[event] += 1;
    }
    let [killed, cut_off, server_killed, counter_killed] = happened;
    eprintln!(
        "{pairs} pairs in {:.0} s: workers killed {killed} times, cut off {cut_off}; server killed {server_killed}, coordinator {counter_killed}",
        begun.elapsed().as_secs_f64()
    );
    drop((workers, coordinator));
    let found = std::fs::read_to_string(folder.join("result")).expect("a file");
    assert!(found == result(&long_plan(pairs), &Threads(2), &()), "it is not the undisturbed match");
}

#[test]
fn a_match_in_chaos_is_that_of_one_machine_byte_for_byte() {
    match_in_chaos("chaos", 200, 1);
}

mod heavy {
    use super::*;

    /// Two minutes of it, or as many seconds as `OUTPLAY_CHAOS_SECONDS` says, each match with other accidents.
    #[test]
    #[ignore = "takes minutes"]
    fn matches_in_chaos_are_those_of_one_machine() {
        let seconds = std::env::var("OUTPLAY_CHAOS_SECONDS").ok().and_then(|text| text.parse().ok());
        let (seconds, begun) = (Duration::from_secs(seconds.unwrap_or(120)), Instant::now());
        for seed in 2.. {
            match_in_chaos("long-chaos", 400, seed);
            if begun.elapsed() >= seconds {
                return;
            }
        }
    }
}
