//! Games between our own players and programs that misbehave: every game has a result, and it is the right one.

use std::time::Duration;

use outplay_core::{Outcome, Player};
use outplay_engine::open;
use outplay_lab::{Ending, FaultKind, OwnPlayer, PlayedGame, TimeControl, play_game};
use outplay_protocols::uci::UciOpponent;
use outplay_protocols::{CommandLine, Opponent};

fn own(game: &str, options: &[(&str, &str)]) -> OwnPlayer {
    let options: Vec<(String, String)> =
        options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    OwnPlayer::new(game, &options).expect("a player")
}

fn nodes(nodes: u64) -> TimeControl {
    TimeControl { nodes: Some(nodes), ..TimeControl::default() }
}

fn play(game: &str, a: &mut dyn Opponent, b: &mut dyn Opponent, control: &TimeControl) -> PlayedGame {
    let mut board = open(game).expect("a game");
    play_game(&mut *board, None, [a, b], [control, control], 1_000).expect("a board that plays legal moves")
}

#[test]
fn perfect_players_draw_tic_tac_toe_and_a_better_one_beats_a_worse_one() {
    let mut a = own("tictactoe", &[("search", "alphabeta")]);
    let mut b = own("tictactoe", &[("search", "negamax")]);
    let game = play("tictactoe", &mut a, &mut b, &TimeControl::default());
    assert_eq!((game.outcome, game.moves.len()), (Outcome::DRAW, 9));
    assert_eq!(game.ending, Ending::Rules("A draw: the board is full".to_string()));

    let mut strong = own("othello", &[("search", "deepening")]);
    let mut weak = own("othello", &[("search", "flat"), ("playouts", "1")]);
    let game = play("othello", &mut weak, &mut strong, &nodes(5_000));
    assert_eq!(game.outcome.winner(), Some(Player::Second));
    assert!(matches!(game.ending, Ending::Rules(_)), "{:?}", game.ending);
}

#[test]
fn the_same_players_with_the_same_nodes_play_the_same_game() {
    for game in ["chess", "othello", "connect6", "connect4"] {
        let play_once = || {
            let mut a = own(game, &[("search", "uct"), ("seed", "7")]);
            let mut b = own(game, &[("search", "deepening")]);
            let mut board = open(game).expect("a game");
            let control = nodes(60);
            let played =
                play_game(&mut *board, None, [&mut a, &mut b], [&control, &control], 20).expect("a game");
            (played.moves.into_iter().map(|(_, text, _)| text).collect::<Vec<_>>(), played.outcome)
        };
        assert_eq!(play_once(), play_once(), "{game}");
    }
}

/// A chess program in a few lines of shell that answers `go` with these commands.
fn shell(go: &str) -> UciOpponent {
    let script = format!(
        "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {go};; esac; done"
    );
    let command =
        CommandLine { program: "sh".to_string(), arguments: vec!["-c".to_string(), script], folder: None };
    UciOpponent::start(&command, &[]).expect("it starts")
}

#[test]
fn whatever_a_program_does_wrong_loses_the_game_and_is_told() {
    let short = TimeControl { move_time: Some(Duration::from_millis(300)), ..TimeControl::default() };
    for (go, kind, words) in [
        ("exit 1", FaultKind::Broken, "ended (exit status: 1)"),
        ("echo bestmove e2e5", FaultKind::IllegalMove, "e2e5"),
        ("echo bestmove", FaultKind::IllegalMove, "move"),
        ("sleep 1; echo bestmove e2e4", FaultKind::Time, "used of 0.300 s"),
    ] {
        let mut bad = shell(go);
        let mut good = own("chess", &[("search", "deepening")]);
        let game = play("chess", &mut bad, &mut good, &short);
        assert_eq!(game.outcome.winner(), Some(Player::Second), "{go}");
        match game.ending {
            Ending::Fault { by: Player::First, kind: found, reason } => {
                assert_eq!(found, kind, "{go}: {reason}");
                assert!(reason.contains(words), "{go}: {reason}");
            }
            other => panic!("{go}: {other:?}"),
        }
    }
}

#[test]
fn a_clock_runs_down_and_periods_add_to_it() {
    let control = TimeControl {
        base: Some(Duration::from_millis(400)),
        moves: Some(2),
        margin: Duration::from_millis(300),
        ..TimeControl::default()
    };
    let mut a = own("connect4:4x4", &[("search", "deepening")]);
    let mut b = own("connect4:4x4", &[("search", "uct")]);
    let game = play("connect4:4x4", &mut a, &mut b, &control);
    assert!(matches!(game.ending, Ending::Rules(_)), "{:?}", game.ending);
}

#[test]
fn a_game_that_does_not_end_is_a_draw() {
    let mut a = own("chess", &[("search", "uct")]);
    let mut b = own("chess", &[("search", "uct")]);
    let mut board = open("chess").expect("a game");
    let control = nodes(2);
    let game = play_game(&mut *board, None, [&mut a, &mut b], [&control, &control], 6).expect("a game");
    assert_eq!((game.outcome, game.ending, game.moves.len()), (Outcome::DRAW, Ending::TooLong, 6));
    assert_eq!(board.played().len(), 6);
}
