//! Pairs that others say they have played: the honest ones are written as we would have, the others refused in words.

use std::time::Duration;

use outplay_core::{Outcome, Player, Rng};
use outplay_lab::{
    Adjudication, Ending, FaultKind, GameRules, PairTask, Plan, PlayedPair, PlayerSpec, Schedule, Table,
    Verdict, random_openings,
};
use outplay_protocols::Fault;

fn plan(game: &str, a: &str, b: &str, limit: &str, rules: GameRules) -> Plan {
    let specs = [a, b].map(|text| PlayerSpec::parse(text).expect("a player"));
    let game = outplay_engine::game(game).expect("a game");
    Plan {
        pairings: Schedule::RoundRobin.pairings(2),
        entrants: Plan::entrants(specs.to_vec(), &limit.parse().expect("a limit")),
        openings: random_openings(&game, 3, 4, 1).expect("openings"),
        game,
        pairs: 3,
        rules,
        sprt: None,
    }
}

fn play(task: &PairTask) -> PlayedPair {
    Table::default().play_pair(task, &|| false).expect("players").expect("an end")
}

/// What is sent of a pair: without its files.
fn sent(pair: &PlayedPair) -> PlayedPair {
    let mut pair = pair.clone();
    pair.games.iter_mut().for_each(|game| {
        game.text.clear();
        game.outcome = Outcome::DRAW;
    });
    pair
}

fn refusal(task: &PairTask, pair: &PlayedPair) -> Option<String> {
    task.check(pair).expect("a game").err()
}

#[test]
fn honest_pairs_come_out_as_they_were_written() {
    let adjudicated = || {
        let adjudication = Adjudication {
            draw: Some("after=4,moves=2,score=30".parse().expect("a rule")),
            resign: Some("moves=2,score=400".parse().expect("a rule")),
            solve: None,
        };
        GameRules { adjudication, ..GameRules::default() }
    };
    let solved = || GameRules {
        adjudication: Adjudication { solve: Some(300), ..Adjudication::default() },
        ..GameRules::default()
    };
    let short = || GameRules { most_plies: 9, ..GameRules::default() };
    for plan in [
        plan("connect4", "search=deepening", "search=uct", "nodes=200", GameRules::default()),
        plan("othello", "search=deepening", "search=deepening", "nodes=60", solved()),
        plan("chess", "search=deepening", "search=uct,name=other", "nodes=100", adjudicated()),
        plan("chess", "search=pvs", "search=uct", "time=0.002,margin=1", short()),
        plan("connect4", "perfect", "flat", "nodes=50", GameRules::default()),
        plan("chess", "search=deepening", "cmd=no-such-program", "nodes=50", GameRules::default()),
        plan("connect6", "search=mcts", "search=mcts", "nodes=20", short()),
    ] {
        for index in 0..plan.pairs {
            let task = plan.task(index);
            let pair = play(&task);
            let checked = task.check(&sent(&pair)).expect("a game");
            assert_eq!(checked.as_ref(), Ok(&pair), "{}", plan.game);
            // Through its file form, too.
            let text = serde_json::to_string(&sent(&pair)).expect("text");
            let checked =
                task.check(&serde_json::from_str(&text).expect("a pair")).expect("a game").expect("honest");
            let texts = |pair: PlayedPair| pair.games.map(|game| (game.text, game.outcome));
            assert_eq!(texts(checked), texts(pair));
        }
    }
}

/// The first game ends so after five moves.
fn broken_off(pair: &mut PlayedPair, ending: Ending) {
    pair.games[0].moves.truncate(5);
    pair.games[0].ending = ending;
}

/// What the player who is then to move is said to have done.
fn fault(kind: FaultKind) -> Ending {
    Ending::Fault { by: Player::Second, kind, reason: "x".to_string(), reproduction: None }
}

#[test]
fn what_cannot_have_been_played_is_refused() {
    let plan = plan("connect4", "search=deepening", "search=uct", "nodes=200", GameRules::default());
    let task = plan.task(1);
    let honest = sent(&play(&task));
    assert_eq!(refusal(&task, &honest), None);
    type Lie = fn(&mut PlayedPair);
    let lies: [(&str, Lie, &str); 15] = [
        ("another pair", |pair| pair.index = 2, "pair 2 was asked for"),
        ("games exchanged", |pair| pair.games.swap(0, 1), "calls itself"),
        (
            "another move",
            |pair| pair.games[0].moves[3].answer.best = "z9".to_string(),
            "cannot have been played",
        ),
        ("another text", |pair| pair.games[0].moves[3].text = "x".to_string(), "cannot have been played"),
        (
            "another player",
            |pair| pair.games[1].moves[2].by = !pair.games[1].moves[2].by,
            "cannot have been played",
        ),
        ("a move left out", |pair| drop(pair.games[0].moves.remove(2)), "game 2.1"),
        ("the end left out", |pair| drop(pair.games[0].moves.pop()), "no end"),
        ("given up", |pair| broken_off(pair, Ending::Resigned(Player::Second)), "no end"),
        ("crashed", |pair| broken_off(pair, fault(FaultKind::Crash)), "no end"),
        (
            "crashed in the words of whoever checks it",
            |pair| {
                let text = String::new;
                let silent =
                    Fault::Ended { program: text(), status: text(), command: text(), last_words: text() };
                let kind = FaultKind::Crash;
                let reason = silent.to_string();
                broken_off(pair, Ending::Fault { by: Player::Second, kind, reason, reproduction: None });
            },
            "no end",
        ),
        ("late", |pair| broken_off(pair, fault(FaultKind::Time)), "no end"),
        ("solved", |pair| broken_off(pair, Ending::Adjudicated(Verdict::Solved)), "no end"),
        (
            "another ending",
            |pair| pair.games[0].ending = Ending::Adjudicated(Verdict::Draw),
            "ends otherwise",
        ),
        ("too many nodes", |pair| pair.games[0].moves[0].answer.insight.nodes = Some(1 << 40), "more nodes"),
        ("a name", |pair| pair.games[1].names[0] = "somebody".to_string(), "calls itself"),
    ];
    for (what, lie, words) in lies {
        let mut pair = honest.clone();
        lie(&mut pair);
        let reason = refusal(&task, &pair).unwrap_or_else(|| panic!("{what} is believed"));
        assert!(reason.contains(words), "{what}: {reason}");
    }
    // Time that was taken counts, where time is limited.
    let mut timed = task.clone();
    timed.entrants[0].control = "time=1".parse().expect("a limit");
    let mut slow = honest.clone();
    slow.games[0].moves[0].answer.time = Duration::from_secs(5);
    assert!(refusal(&timed, &slow).is_some());
}

#[test]
fn garbage_is_refused_and_breaks_nothing() {
    let plan = plan("connect4", "search=deepening", "search=uct", "nodes=100", GameRules::default());
    let task = plan.task(0);
    let honest = sent(&play(&task));
    let text = serde_json::to_string(&honest).expect("text");
    let mut rng = Rng::new(3);
    let mut read = 0;
    for _ in 0..3_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=rng.below(3) {
            let place = rng.below(bytes.len());
            bytes[place] = b"0123456789,:{}[]\"abz-"[rng.below(21)];
        }
        let Ok(pair) = serde_json::from_slice::<PlayedPair>(&bytes) else { continue };
        read += 1;
        if let Ok(checked) = task.check(&pair).expect("a game") {
            // What is believed has the moves and the results that were played.
            for (one, other) in checked.games.iter().zip(&honest.games) {
                assert_eq!(
                    one.moves.iter().map(|m| &m.text).collect::<Vec<_>>(),
                    other.moves.iter().map(|m| &m.text).collect::<Vec<_>>()
                );
            }
        }
    }
    assert!(read > 100, "{read} pairs could be read");
}
