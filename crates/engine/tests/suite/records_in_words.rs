//! Games with variations and comments, in words and in files.

use outplay_core::garbage::feed;
use outplay_core::{Outcome, Player, Rng};
use outplay_engine::{RecordedGame, RecordedMove, SaveNotes, Session, SessionError, open};

const GAMES: [&str; 7] =
    ["chess", "chess960:0", "othello", "connect6", "gomoku", "connect:7,5,4,2,1", "connect4"];

fn session(game: &str) -> Box<dyn Session> {
    open(game).unwrap_or_else(|error| panic!("{game}: {error}"))
}

/// The moves that lead to one of the list, itself included.
fn path_to(moves: &[RecordedMove], number: usize) -> Vec<String> {
    let mut path = Vec::new();
    let mut at = number;
    while at > 0 {
        path.push(moves[at - 1].plain.clone());
        at = moves[at - 1].after;
    }
    path.reverse();
    path
}

/// A tree that branches anywhere, with comments and marks here and there.
fn random_game(game: &str, rng: &mut Rng, length: usize) -> RecordedGame {
    let mut board = session(game);
    let mut recorded = RecordedGame { comment: "how it began".to_string(), ..RecordedGame::default() };
    while recorded.moves.len() < length {
        let newest = recorded.moves.len();
        let after = if rng.below(3) == 0 { rng.below(newest + 1) } else { newest };
        board.set_game(None, &path_to(&recorded.moves, after).join(" ")).expect("its own moves");
        let legal = board.legal_moves();
        if legal.is_empty() {
            continue;
        }
        let m = legal[rng.below(legal.len())];
        let plain = board.plain_line_text(&[m]).concat();
        if recorded.moves.iter().any(|told| told.after == after && told.plain == plain) {
            continue;
        }
        let comments = ["", "", "a (remark) with [brackets]", "1. e4 {is} \\ a move"];
        recorded.moves.push(RecordedMove {
            after,
            comment: comments[rng.below(4)].replace('}', ""),
            marks: [vec![], vec![], vec![1], vec![6, 14]][rng.below(4)].clone(),
            player: board.to_move(),
            text: board.line_text(&[m]).concat(),
            plain,
        });
    }
    recorded
}

#[test]
fn variations_and_comments_survive_files_of_every_game() {
    let mut rng = Rng::new(5);
    for game in GAMES {
        for length in [0, 1, 4, 40] {
            let mut told = random_game(game, &mut rng, length);
            told.tags.push(("Event".to_string(), "a test".to_string()));
            told.outcome = Some(Outcome::win(Player::Second));
            let mut first = session(game);
            first.set_recorded(&told).unwrap_or_else(|error| panic!("{game}: {error}"));
            let words = first.recorded();
            assert_eq!(words.moves.len(), told.moves.len(), "{game}");
            let file = first.save(&SaveNotes::default());
            let mut again = session(game);
            again.load(file.as_bytes(), 0).unwrap_or_else(|error| panic!("{game}: {error}\n{file}"));
            let mut read = again.recorded();
            read.tags.retain(|(name, _)| name == "Event");
            // Chess960 names its start, whichever it is, and it is not usual there.
            read.start = None;
            assert_eq!(read, words, "{game}\n{file}");
        }
    }
}

#[test]
fn the_words_are_told_line_by_line() {
    let mut chess = session("chess");
    let pgn = "{first} 1. e4 e5 (1... c5 $1 {sharp} 2. Nf3 (2. c3) 2... d6) (1... e6) 2. Nf3 1-0";
    chess.load(pgn.as_bytes(), 0).expect("a game");
    let words = chess.recorded();
    let shown: Vec<(usize, &str)> = words.moves.iter().map(|m| (m.after, m.text.as_str())).collect();
    let expected = [(0, "e4"), (1, "e5"), (2, "Nf3"), (1, "c5"), (4, "Nf3"), (5, "d6"), (4, "c3"), (1, "e6")];
    assert_eq!(shown, expected);
    assert_eq!((words.comment.as_str(), words.moves[3].comment.as_str()), ("first", "sharp"));
    assert_eq!((words.moves[3].marks.as_slice(), words.moves[3].player), ([1].as_slice(), Player::Second));
    assert_eq!(words.outcome, Some(Outcome::win(Player::First)));
    assert_eq!(words.start, None);
}

#[test]
fn trees_that_cannot_be_are_refused_at_their_place_and_change_nothing() {
    let mut chess = session("chess");
    chess.set_game(None, "d4").expect("a move");
    let told = |moves: &[(usize, &str)]| RecordedGame {
        moves: moves
            .iter()
            .map(|&(after, plain)| RecordedMove {
                after,
                plain: plain.to_string(),
                comment: String::new(),
                marks: Vec::new(),
                player: Player::First,
                text: String::new(),
            })
            .collect(),
        ..RecordedGame::default()
    };
    let refused = chess.set_recorded(&told(&[(0, "e4"), (1, "e5"), (0, "d4"), (3, "Ke7")]));
    assert!(matches!(refused, Err(SessionError::MoveOfList { number: 4, .. })), "{refused:?}");
    for (after, number) in [(2, 2), (3, 2), (usize::MAX, 2)] {
        let refused = chess.set_recorded(&told(&[(0, "e4"), (after, "e5")]));
        assert!(matches!(refused, Err(SessionError::NotAfter { number: at, .. }) if at == number));
    }
    assert_eq!(chess.played_plain().len(), 1);
    let pgn = "1. e4 e5 (1... c5 2. Nf3\nd6 3. Ke3) *";
    let error = chess.load(pgn.as_bytes(), 0).expect_err("an illegal move in a variation").to_string();
    assert!(error.contains("line 2, column 7") && error.contains("Ke3"), "{error}");
}

#[test]
fn files_of_garbage_are_refused_or_survive_their_words() {
    let samples: [&[u8]; 4] = [
        b"[Event \"A\"]\n\n{x} 1. e4 e5 2. Nf3 $1 {good} (2. f4 exf4 (2... d5 3. exd5)) 2... Nc6 1-0\n",
        b"(;FF[4]GM[4]SZ[19]C[root];B[jj](;W[kk]C[a\\]b];W[kl])(;W[aa]TE[1](;W[bb])(;W[cc])))",
        b"1. f5 (1. d3 {other} c3) d6 (1... f4 $6) 2. c3 *",
        b"1. d d (1... c {left} 2. c (2. e)) 2. d 1/2-1/2",
    ];
    let mut read = 0;
    feed(9, &samples, 500_000, |bytes| {
        for game in ["chess", "othello", "connect6", "connect4"] {
            let mut board = session(game);
            if board.load(bytes, 0).is_err() {
                continue;
            }
            read += 1;
            let words = board.recorded();
            let mut told = session(game);
            told.set_recorded(&words).unwrap_or_else(|error| panic!("{game}: {error}"));
            assert_eq!(told.recorded(), words, "{game}");
        }
    });
    assert!(read > 100, "only {read} files were read");
}
