//! Games that others recorded, where the folder of public data is at hand.

use outplay_connect::{Connect, Rules};
use outplay_core::{Game, Notation, Outcome, Player, Records};
use outplay_testing::public_data;

#[test]
fn thousands_of_connect6_games_are_legal_and_end_as_recorded() {
    let Some(text) = public_data::text("connect6/games_8282.csv") else { return };
    // A line is: number, moves in quotes, winner, the winner as first recorded.
    let games: Vec<(&str, &str)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let mut parts = line.split('"').skip(1);
            let (moves, rest) = (parts.next().expect("moves"), parts.next().expect("a winner"));
            (moves, rest.split(',').nth(1).expect("a winner"))
        })
        .collect();
    assert_eq!(games.len(), 8282);

    let lists: Vec<&str> = games.iter().map(|(moves, _)| *moves).collect();
    let records = Connect::read_records(&Rules::CONNECT6, lists.join("\n").as_bytes()).expect("legal games");
    assert_eq!(records.len(), games.len());
    for (record, (moves, winner)) in records.iter().zip(games) {
        let winner = if winner == "black" { Player::First } else { Player::Second };
        assert_eq!(record.outcome, Some(Outcome::win(winner)), "{moves}");
        let written = Connect::write_record(&Rules::CONNECT6, record);
        let read = Connect::read_records(&Rules::CONNECT6, written.as_bytes());
        assert_eq!(read.as_deref(), Ok(std::slice::from_ref(record)), "{written}");
    }
}

#[test]
fn published_positions_are_read_with_the_right_side_to_move() {
    for (file, column_of_side) in [("connect6/vcdt_public.csv", 2), ("connect6/itss_5_positions.csv", 2)] {
        let Some(text) = public_data::text(file) else { return };
        let mut read = 0;
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').map(|field| field.trim_matches('"')).collect();
            let position = Connect::parse_position(&Rules::CONNECT6, fields[1]).expect(line);
            let side = if fields[column_of_side] == "B" { Player::First } else { Player::Second };
            assert_eq!((position.to_move(), position.outcome()), (side, None), "{line}");
            assert_eq!(position.turn().stones_left, 2, "{line}");
            read += 1;
        }
        assert!(read >= 5, "{file}");
    }
}
