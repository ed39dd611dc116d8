//! What a server costs: so many simulated workers lease jobs and deliver answers of the usual size without playing. What docs/fleet.md says of costs was measured
//! with it:
//!
//! ```text
//! cargo run --release -p outplay-fleet --example load -- nats://HOST 100 5000 50 --server PID
//! ```
//!
//! Arguments: the server, workers, pairs in all, milliseconds that each worker takes for a pair. With the process of the server, its CPU time is told too.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use outplay_core::Rng;
use outplay_fleet::{Access, Expected, Fleet, FleetError, Line, Name, Nats, Space};

/// Bytes of a job and of an answer: those of a pair of games of eighty plies.
const JOB: usize = 450;
const ANSWER: usize = 6_000;
const LEASE: Duration = Duration::from_secs(30);
/// Hundredths of a second, in which the system counts.
const TICK: f64 = 0.01;

fn cpu_seconds(process: Option<&str>) -> f64 {
    let stat = process.and_then(|process| std::fs::read_to_string(format!("/proc/{process}/stat")).ok());
    let fields = stat.as_deref().and_then(|stat| stat.rsplit(')').next()).unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|text| text.parse::<f64>().ok());
    ticks.sum::<f64>() * TICK
}

fn bytes(length: usize, rng: &mut Rng) -> Vec<u8> {
    (0..length).map(|_| rng.below(256) as u8).collect()
}

fn main() -> Result<(), FleetError> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| words.get(place).and_then(|text| text.parse::<u64>().ok());
    let (Some(server), Some(workers), Some(pairs), Some(pause)) =
        (words.first(), number(1), number(2), number(3))
    else {
        eprintln!("expected SERVER WORKERS PAIRS MILLISECONDS [--server PID]");
        return Ok(());
    };
    let process = words.iter().position(|word| word == "--server").and_then(|place| words.get(place + 1));
    let process = process.map(String::as_str);
    let access = Access::open(server);
    let (run, boss) = (Name::like("load"), Nats::open(&access, Name::like("boss"))?);
    let (jobs, answers) = (Line::Jobs(run.clone()), Line::Answers(run.clone()));
    boss.open_run(&run, LEASE)?;
    boss.set_pointer(Space::Runs, &run, b"{}", Expected::Anything)?;
    let (over, connected, looks) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let taken_in = std::thread::scope(|scope| {
        for worker in 0..workers {
            let (access, jobs, answers) = (&access, &jobs, &answers);
            let (over, connected, looks) = (&over, &connected, &looks);
            scope.spawn(move || {
                let name = Name::like(&format!("load{worker}"));
                let Ok(fleet) = Nats::join(access, name.clone()) else { return };
                connected.fetch_add(1, Ordering::Relaxed);
                let (answer, mut looked) = (bytes(ANSWER, &mut Rng::new(worker)), Instant::now());
                while !over.load(Ordering::Relaxed) {
                    // As real ones do: the runs and orders every second, of itself every five.
                    if looked.elapsed() > Duration::from_secs(1) {
                        looked = Instant::now();
                        drop((fleet.pointers(Space::Runs), fleet.pointer(Space::Orders, &name)));
                        if looks.fetch_add(1, Ordering::Relaxed).is_multiple_of(5) {
                            drop(fleet.set_pointer(
                                Space::Workers,
                                &name,
                                &answer[..300],
                                Expected::Anything,
                            ));
                        }
                    }
                    for lease in fleet.lease(jobs, 1, Duration::from_millis(500)).unwrap_or_default() {
                        std::thread::sleep(Duration::from_millis(pause));
                        drop(fleet.publish(answers, &[(lease.id.clone(), answer.clone())]));
                        drop(fleet.acknowledge(&lease));
                    }
                }
            });
        }
        while connected.load(Ordering::Relaxed) < workers {
            std::thread::sleep(Duration::from_millis(50));
        }
        std::thread::sleep(Duration::from_secs(2));
        let idle = (Instant::now(), cpu_seconds(process));
        std::thread::sleep(Duration::from_secs(8));
        let idle = (cpu_seconds(process) - idle.1) / idle.0.elapsed().as_secs_f64();
        println!("{workers} workers, no jobs: {:.1} % of a core", 100.0 * idle);

        let (begun, cpu) = (Instant::now(), cpu_seconds(process));
        let (mut published, mut taken_in, mut rng) = (0, 0, Rng::new(0));
        while taken_in < pairs {
            let most = pairs.min(taken_in + 4 * workers + 64);
            let some: Vec<_> =
                (published..most).map(|id| (Name::like(&id.to_string()), bytes(JOB, &mut rng))).collect();
            published = published.max(most);
            if let Err(error) = boss.publish(&jobs, &some) {
                eprintln!("{error}");
            }
            for lease in boss.lease(&answers, 256, Duration::from_millis(300)).unwrap_or_default() {
                drop(boss.acknowledge(&lease));
                taken_in += 1;
            }
        }
        let (seconds, cpu) = (begun.elapsed().as_secs_f64(), cpu_seconds(process) - cpu);
        println!(
            "{taken_in} pairs in {seconds:.2} s: {:.0} a second; server: {:.2} ms of CPU a pair, {:.0} % of a core",
            taken_in as f64 / seconds,
            1000.0 * cpu / taken_in as f64,
            100.0 * cpu / seconds
        );
        over.store(true, Ordering::Relaxed);
        taken_in
    });
    boss.remove_pointer(Space::Runs, &run)?;
    boss.close_run(&run)?;
    println!("{taken_in} answers");
    Ok(())
}
