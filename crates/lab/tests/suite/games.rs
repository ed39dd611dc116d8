//! Games between our own players and programs that misbehave: every game has a result, and it is the right one.

use std::time::Duration;

use outplay_core::{Outcome, Player};
use outplay_engine::open;
use outplay_lab::{
    Adjudication, Ending, FaultKind, GameRules, OwnPlayer, PlayedGame, Seat, TimeControl, Verdict, play_game,
};
use outplay_protocols::uci::UciOpponent;
use outplay_protocols::{CommandLine, Opponent};

fn own(game: &str, options: &[(&str, &str)]) -> OwnPlayer {
    let options: Vec<(String, String)> =
        options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    OwnPlayer::new(&outplay_engine::game(game).expect("a game"), &options).expect("a player")
}

fn nodes(nodes: u64) -> TimeControl {
    TimeControl { nodes: Some(nodes), ..TimeControl::default() }
}

fn play(game: &str, a: &mut dyn Opponent, b: &mut dyn Opponent, control: &TimeControl) -> PlayedGame {
    play_by(game, [a, b], control, &rules(1_000))
}

fn rules(most_plies: usize) -> GameRules {
    GameRules { most_plies, ..GameRules::default() }
}

fn play_by(
    game: &str,
    players: [&mut dyn Opponent; 2],
    control: &TimeControl,
    rules: &GameRules,
) -> PlayedGame {
    let mut board = open(game).expect("a game");
    let seats = players.map(|player| Seat { player, name: "somebody".to_string(), control });
    let played = play_game(&mut *board, None, seats, "1", rules, &|| false);
    played.expect("a board that plays legal moves").expect("nobody stops it")
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
            play_by(game, [&mut a, &mut b], &nodes(60), &rules(20)).text
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
        ("echo boom >&2; exit 1", FaultKind::Crash, "ended (exit status: 1)"),
        ("echo boom >&2; exit 1", FaultKind::Crash, "its last words: \"boom\""),
        ("echo bestmove e2e5", FaultKind::IllegalMove, "e2e5"),
        ("echo bestmove", FaultKind::IllegalMove, "move"),
        ("sleep 1; echo bestmove e2e4", FaultKind::Time, "used of 0.300 s"),
    ] {
        let mut bad = shell(go);
        let mut good = own("chess", &[("search", "deepening")]);
        let game = play("chess", &mut bad, &mut good, &short);
        assert_eq!(game.outcome.winner(), Some(Player::Second), "{go}");
        match game.ending {
            Ending::Fault { by: Player::First, kind: found, reason, .. } => {
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
    let game = play_by("chess", [&mut a, &mut b], &nodes(2), &rules(6));
    assert_eq!((game.outcome, game.moves.len()), (Outcome::DRAW, 6));
    assert_eq!(game.ending, Ending::Adjudicated(Verdict::Length));
}

#[test]
fn a_program_that_stalls_is_told_with_a_line_that_does_it_again() {
    // Patience has an end even without clocks of the program's own: a fixed time and some seconds more.
    let short = TimeControl { move_time: Some(Duration::from_millis(10)), ..TimeControl::default() };
    let mut good = own("chess", &[("search", "deepening")]);
    let game = play("chess", &mut shell("sleep 600"), &mut good, &short);
    let Ending::Fault { kind: FaultKind::Hang, reason, reproduction: Some(line), .. } = game.ending else {
        panic!("{:?}", game.ending);
    };
    assert!(reason.contains("has not answered \"go movetime 10\" for 5."), "{reason}");
    assert!(line.contains("'go movetime 10'") && line.contains("| sh -c"), "{line}");
}

#[test]
fn games_are_adjudicated_by_what_players_say_and_by_proof() {
    // A program that shuffles its knight and says what it is told to say.
    let shuffle = |side: u32, score: &str| {
        let script = format!(
            "n=0; while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) \
             n=$((n+1)); echo info depth 1 score {score}; \
             if [ $((n%2)) = 1 ]; then echo bestmove g{side}f{to}; else echo bestmove f{to}g{side}; fi;; esac; done",
            to = if side == 1 { 3 } else { 6 }
        );
        let arguments = vec!["-c".to_string(), script];
        UciOpponent::start(&CommandLine { program: "sh".to_string(), arguments, folder: None }, &[])
            .expect("it starts")
    };
    let adjudication = Adjudication {
        draw: Some("after=2,moves=2,score=10".parse().expect("a rule")),
        resign: Some("moves=2,score=500".parse().expect("a rule")),
        solve: None,
    };
    let rules = GameRules { adjudication, ..GameRules::default() };
    let play = |scores: [&str; 2]| {
        let game =
            play_by("chess", [&mut shuffle(1, scores[0]), &mut shuffle(8, scores[1])], &nodes(1), &rules);
        (game.moves.len(), game.outcome.winner(), game.ending)
    };
    assert_eq!(play(["cp 10", "cp -9"]), (4, None, Ending::Adjudicated(Verdict::Draw)));
    assert_eq!(play(["cp 300", "mate -4"]), (4, Some(Player::First), Ending::Adjudicated(Verdict::Resign)));

    let solve = Adjudication { solve: Some(30_000), ..Adjudication::default() };
    let rules = GameRules { adjudication: solve, ..GameRules::default() };
    let (mut a, mut b) = (own("tictactoe", &[("search", "uct")]), own("tictactoe", &[("search", "uct")]));
    let game = play_by("tictactoe", [&mut a, &mut b], &nodes(3_000), &rules);
    assert_eq!((game.outcome, game.ending), (Outcome::DRAW, Ending::Adjudicated(Verdict::Solved)));
    assert_eq!(game.moves.len(), 1);
}
