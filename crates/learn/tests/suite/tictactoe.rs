//! Tic-tac-toe, from random play to never losing.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use outplay_engine::Session;
use outplay_learn::{Recipe, Run, Settings};
use outplay_search::Limits;

use crate::runs::{learner, temporary};

/// A session in which a network searches, with nothing else that is known of the game.
pub fn player(game: &str, net: &Path) -> Box<dyn Session> {
    let mut session = outplay_engine::open(game).expect("a game");
    let net = net.display().to_string();
    for (name, value) in [
        ("search", "mcts"),
        ("evaluation", "net"),
        ("network", &net),
        ("smart_pruning_factor", "0"),
        ("oracle", "false"),
        ("forced_wins", "false"),
    ] {
        session.set_option(name, value).expect("an option");
    }
    session
}

/// Plays on against every move of an opponent; how often the player wins, draws and loses.
fn against_all(session: &mut dyn Session, moves: &mut Vec<String>, own_turn: bool, counts: &mut [u32; 3]) {
    session.set_game(None, &moves.join(" ")).expect("a game");
    if let Some(winner) = outcome(session) {
        // The player who has just moved has won, if anybody has.
        counts[match (winner, own_turn) {
            (false, _) => 1,
            (true, true) => 2,
            (true, false) => 0,
        }] += 1;
        return;
    }
    let replies: Vec<String> = if own_turn {
        session.go(Limits { nodes: Some(32), ..Limits::default() }, Box::new(|_, _| ())).expect("a search");
        let best = session.wait().and_then(|report| report.best_move()).expect("a move");
        session.line_text(&[best])
    } else {
        session.legal_moves().iter().flat_map(|&m| session.line_text(&[m])).collect()
    };
    for reply in replies {
        moves.push(reply);
        against_all(session, moves, !own_turn, counts);
        moves.pop();
    }
}

fn outcome(session: &dyn Session) -> Option<bool> {
    session.outcome().map(|outcome| outcome.winner().is_some())
}

#[test]
fn tic_tac_toe_is_learned_from_random_play_to_never_losing() {
    let folder = temporary("tictactoe");
    let mut settings = Settings::of(Recipe::Fast);
    for (name, value) in [
        ("blocks", "1"),
        ("channels", "16"),
        ("games", "200"),
        ("window", "20000"),
        ("batch", "128"),
        ("trainings", "3"),
        ("playouts", "32"),
        ("learning_rate", "0.005"),
        ("temperature_moves", "5"),
        ("solver", "false"),
    ] {
        settings.set(name, value).expect("an option");
    }
    let mut run = Run::open(&folder, "tictactoe", learner("tictactoe"), settings, 1).expect("a run");
    let lost = |run: &Run| {
        let mut counts = [0; 3];
        for own_turn in [true, false] {
            against_all(
                &mut *player("tictactoe", &run.folder().net(run.generation())),
                &mut Vec::new(),
                own_turn,
                &mut counts,
            );
        }
        counts[2]
    };
    assert!(lost(&run) > 20, "a network of chance loses");
    for _ in 0..6 {
        run.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped");
    }
    assert_eq!(lost(&run), 0);
    let _ = std::fs::remove_dir_all(folder);
}
