//! Matches between programs that break in every way at random: every game has a result, and no match hangs.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use outplay_lab::{
    Ending, GameRules, Journal, Plan, PlayerKind, PlayerSpec, Protocol, Schedule, Store, Threads,
    TimeControl, random_openings, run_match,
};
use outplay_protocols::CommandLine;

/// A chess program that breaks in a way that follows from its seed and the number of its process: at the start now and then, or when
/// it is asked for a move. At most one of its moves is right, so that no game is long. `answer` is its protocol's word before
/// a move.
fn script(seed: u64, answer: &str) -> String {
    let script = r#"
        x=$(( SEED + $$ ))
        next() { x=$(( (x * 1103515245 + 12345) % 2147483648 )); }
        next; next
        [ $(( x / 65536 % 8 )) = 0 ] && exit 7
        while read -r line; do
            case "$line" in
                uci) echo 'id name Chaos'; echo uciok;;
                isready) echo readyok;;
                protover*) echo 'feature myname="Chaos" ping=1 done=1';;
                ping*) echo "pong ${line#ping }";;
                go*)
                    next
                    case $(( x / 65536 % 8 )) in
                        0) exit 3;;
                        1) kill -9 $$;;
                        2) sleep 60;;
                        3) head -c 100000 /dev/urandom; echo; echo ANSWER e2e5;;
                        4) head -c 10000000 /dev/zero | tr '\0' x; echo; echo ANSWER a1a1;;
                        5) echo ANSWER; echo ANSWER 0000;;
                        6) exec 1>&-; sleep 60;;
                        7) echo 'info depth 1 score cp 13'; echo "ANSWER e2e4"; echo "ANSWER e7e5";;
                    esac;;
            esac
        done"#;
    script.replace("SEED", &seed.to_string()).replace("ANSWER", answer)
}

fn chaos(seed: u64, protocol: Protocol) -> PlayerSpec {
    let answer = if protocol == Protocol::Uci { "bestmove" } else { "move" };
    let arguments = vec!["-c".to_string(), script(seed, answer)];
    let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
    let kind = PlayerKind::External { command, protocol, options: Vec::new() };
    PlayerSpec { name: Some(format!("chaos {seed}")), limit: None, kind }
}

#[test]
#[cfg(unix)]
fn twenty_matches_of_broken_programs_lose_no_result_and_do_not_hang() {
    const PAIRS: usize = 4;
    let folder = std::env::temp_dir().join(format!("outplay-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let control = TimeControl { move_time: Some(Duration::from_millis(200)), ..TimeControl::default() };
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for run in 0..20 {
            let (folder, control) = (&folder, &control);
            scope.spawn(move || {
                let players = vec![chaos(run, Protocol::Uci), chaos(1000 + run, Protocol::Xboard)];
                let game = outplay_engine::game("chess").expect("a game");
                let plan = Plan {
                    entrants: Plan::entrants(players, control),
                    pairings: Schedule::RoundRobin.pairings(2),
                    openings: random_openings(&game, PAIRS, 0, run).expect("openings"),
                    game,
                    pairs: PAIRS,
                    rules: GameRules { patience: Duration::from_millis(300), ..GameRules::default() },
                    sprt: None,
                };
                let store = Store::open(&folder.join(format!("{run}.redb")), "chaos", false).expect("a file");
                let part = store.part("");
                let mut games = Vec::new();
                let standings =
                    run_match(&plan, &Threads(2), &part, &AtomicBool::new(false), &mut |pair, _| {
                        games.extend(pair.games.clone());
                        ControlFlow::Continue(())
                    });
                let standings = standings.expect("programs that start");
                assert_eq!(standings.summary(0).games, 2 * PAIRS as u64, "run {run}");
                assert_eq!(part.kept().expect("pairs").len(), PAIRS, "run {run}");
                for game in &games {
                    assert!(matches!(game.ending, Ending::Fault { .. }), "run {run}: {:?}", game.ending);
                    assert!(
                        game.outcome.winner().is_some() && game.text.contains("Termination"),
                        "{}",
                        game.text
                    );
                }
            });
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(180), "{:?}", begun.elapsed());
    std::fs::remove_dir_all(&folder).expect("our own folder");
}
