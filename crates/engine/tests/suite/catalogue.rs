//! The catalogue: names of games, and what their rows say.

use outplay_engine::{CATALOGUE, Catalogue, Draft, Family, SessionError, game, open};

#[test]
fn people_may_call_games_by_other_names() {
    for (name, known) in [
        ("tic-tac-toe", "tictactoe"),
        ("reversi", "othello"),
        ("connect-four", "connect4"),
        ("connect-four:5x4", "connect4:5x4"),
        ("five-in-a-row", "gomoku"),
        ("Tic Tac Toe", "tictactoe"),
        ("CHESS", "chess"),
    ] {
        assert_eq!(game(name).expect(name).to_string(), known);
        assert_eq!(
            open(name).expect(name).position_text(),
            open(known).expect(known).position_text(),
            "{name}"
        );
    }
}

#[test]
fn a_near_miss_is_answered_with_a_question() {
    let message = |name: &str| game(name).expect_err(name).to_string();
    assert!(
        message("chesss").starts_with("no game \"chesss\": did you mean chess? "),
        "{}",
        message("chesss")
    );
    assert!(message("otelo").contains("did you mean othello?"));
    assert!(message("revers").contains("did you mean reversi?"));
    let far = message("backgammon");
    assert!(
        !far.contains("did you mean") && far.contains("expected one of chess, chess960, othello"),
        "{far}"
    );
    assert!(matches!(open("connect4:99x99"), Err(SessionError::BadRules { .. })));
}

#[test]
fn no_two_games_share_a_name() {
    let catalogue = Catalogue::standard();
    for row in CATALOGUE {
        for name in row.aliases.iter().chain([&row.name, &row.example]) {
            assert_eq!(catalogue.find(name).expect(name).row().name, row.name, "{name}");
        }
    }
}

#[test]
fn a_game_can_be_added() {
    let row = outplay_engine::GameRow { name: "misere", aliases: &[], ..CATALOGUE[5] };
    let catalogue = Catalogue::standard().with(row);
    assert_eq!(catalogue.rows().len(), CATALOGUE.len() + 1);
    assert!(catalogue.open("misere").is_ok() && open("misere").is_err());
}

#[test]
fn examples_can_be_set_up_and_three_are_to_begin_with() {
    for row in CATALOGUE {
        for example in row.examples {
            let mut session = open(row.name).expect("a game");
            session.set_game(example.start, &example.moves.join(" ")).expect(example.name);
            session.set_option("search", example.search).expect(example.name);
            assert!(example.aim.ends_with('.'), "{}", example.name);
        }
    }
    let featured = CATALOGUE.iter().flat_map(|row| row.examples).filter(|example| example.featured);
    assert_eq!(featured.count(), 3);
}

#[test]
fn every_kind_of_piece_in_a_picture_stands_in_the_row() {
    for row in CATALOGUE {
        let mut session = open(row.example).expect("a game");
        for _ in 0..6 {
            let m = session.legal_moves()[0];
            session.play(m).expect("a move");
        }
        let pieces = session.picture().board.pieces;
        assert!(!pieces.is_empty(), "{}", row.name);
        for piece in pieces {
            assert!(row.style.kinds.iter().any(|known| known.kind == piece.kind), "{}: {piece:?}", row.name);
        }
    }
}

/// A position that is put together as it stands is the position itself, in every game.
#[test]
fn what_a_picture_shows_is_composed_again() {
    let mut families = Vec::new();
    for row in CATALOGUE {
        let mut session = open(row.example).expect("a game");
        for number in 0..7 {
            let moves = session.legal_moves();
            if moves.is_empty() {
                break;
            }
            session.play(moves[(5 * number + 3) % moves.len()]).expect("a move");
            let picture = session.picture();
            families.push(picture.board.family);
            let draft = Draft {
                pieces: picture.board.pieces,
                to_move: picture.to_move,
                stones_left: picture.marks.stones_left,
                switches: Default::default(),
            };
            let composed = session.compose(&draft).expect("a text");
            assert_eq!(composed.position, session.position_text(), "{}", row.name);
        }
    }
    for family in [Family::Squares, Family::Discs, Family::Stones, Family::Drop] {
        assert!(families.contains(&family), "{family:?}");
    }
}
