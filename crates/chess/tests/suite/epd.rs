//! Test suites.

use outplay_chess::{Chess, ChessRules, Epd, Operand, StartArray};
use outplay_core::{Game, Notation, Records};
use outplay_testing::public_data;

use crate::{CHESS960, position};

fn parse(line: &str) -> Epd {
    Epd::parse(&ChessRules::Standard, line).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn operations_are_read_and_written() {
    let line = r#"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001"; acd 9; ce -120; c0 "a; b";"#;
    let epd = parse(line);
    assert_eq!(epd.to_string(), line);
    assert_eq!(epd.id(), Some("WAC.001"));
    assert_eq!(epd.number("acd"), Some(9));
    assert_eq!(epd.number("ce"), Some(-120));
    assert_eq!(epd.number("id"), None);
    assert_eq!(epd.operands("c0"), Some(&[Operand::Text("a; b".to_string())][..]));
    assert_eq!(epd.operands("pv"), None);
    let best = epd.best_moves().unwrap();
    assert_eq!(best.iter().map(|&m| epd.position.move_text(m)).collect::<Vec<_>>(), ["Qg6"]);
    assert_eq!(epd.avoid_moves(), Ok(Vec::new()));
}

#[test]
fn counters_come_from_either_place_and_go_to_operations() {
    let plain = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let counted = position(&format!("{plain} 12 40"));
    for line in [format!("{plain} 12 40 ; D1 6"), format!("{plain} hmvc 12; fmvn 40; D1 6;")] {
        let epd = parse(&line);
        assert_eq!(epd.position, counted);
        assert_eq!(epd.number("D1"), Some(6));
        assert_eq!(epd.to_string(), format!("{plain} hmvc 12; fmvn 40; D1 6;"));
    }
    assert_eq!(parse(&format!("{plain} ;D1 5 ;D2 25")).number("D2"), Some(25));
}

#[test]
fn a_line_can_be_made() {
    let mut epd = Epd::new(position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    let moves = ["e4", "Kd2"].map(|text| epd.position.parse_move(text).unwrap());
    epd.set_moves("bm", &moves);
    epd.set("id", vec![Operand::Text("old".to_string())]);
    epd.set("id", vec![Operand::Text("a \"new\"\nname".to_string())]);
    epd.set("v0", vec![Operand::Word("two words".to_string()), Operand::Word(String::new())]);
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 Kd2; id \"a 'new' name\"; v0 \"two words\" \"\";";
    assert_eq!(epd.to_string(), line);
    assert_eq!(parse(line).to_string(), line);
    assert_eq!(parse(line).best_moves(), Ok(moves.to_vec()));
}

#[test]
fn malformed_lines_are_refused_with_place_and_reason() {
    let plain = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for (rest, column, reason) in [
        (" 3x", 29, "a number from 0 to 65535"),
        (" ?", 29, "an opcode such as bm or id"),
        (" bm e4; 5", 36, "an opcode such as bm or id"),
        (" id \"endless", 32, "a text that ends with a double quote"),
        (" hmvc;", 33, "a number from 0 to 65535"),
        (" fmvn \"3\";", 34, "a number from 0 to 65535"),
    ] {
        let error = Epd::parse(&ChessRules::Standard, &format!("{plain}{rest}")).unwrap_err();
        assert_eq!(error.language, "EPD");
        assert_eq!(error.place.map(|place| place.column), Some(column), "{rest}: {error}");
        assert!(error.reason.contains(reason), "{rest}: {error}");
    }
    let unsound = parse(&format!("{plain} bm e5 Kd2;"));
    assert!(unsound.best_moves().unwrap_err().reason.contains("no such pawn move to e5"));
}

#[test]
fn a_file_is_read_line_by_line() {
    let file = b"\xef\xbb\xbf# a suite\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\r\nnonsense\r\n4k3/8/8/8/8/8/4P3/4K3 b - - am Kf7;";
    let lines = Epd::read_lines(&ChessRules::Standard, file);
    assert_eq!(lines.len(), 3);
    assert!(lines[0].is_ok() && lines[2].is_ok());
    let error = lines[1].as_ref().unwrap_err();
    assert_eq!(error.place.map(|place| (place.line, place.column)), Some((Some(4), 2)), "{error}");
    let latin = b"4k3/8/8/8/8/8/4P3/4K3 w - - id \"R\xe9ti\";";
    let epd = Epd::read_lines(&ChessRules::Standard, latin).remove(0).unwrap();
    assert_eq!(epd.id(), Some("Réti"));
}

#[test]
fn all_public_suites_are_read_and_survive_being_written() {
    let Some(folder) = public_data::path("chess/suites") else { return };
    let mut lines = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of suites") {
        let path = entry.expect("a file").path();
        let bytes = std::fs::read(&path).expect("a readable file");
        for epd in Epd::read_lines(&ChessRules::Standard, &bytes) {
            let epd = epd.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let solved = epd.best_moves().and_then(|best| Ok((best, epd.avoid_moves()?)));
            let (best, avoid) =
                solved.unwrap_or_else(|error| panic!("{}: {:?}: {error}", path.display(), epd.id()));
            assert!(!best.is_empty() || !avoid.is_empty(), "{}: {epd}", path.display());
            assert_eq!(parse(&epd.to_string()), epd);
            lines += 1;
        }
    }
    assert!(lines > 3_000, "only {lines} lines");
}

#[test]
fn the_public_list_of_chess960_arrays_is_ours() {
    let Some(bytes) = public_data::bytes("chess/books/FRC_openings.epd") else { return };
    let mut listed: Vec<String> = Epd::read_lines(&CHESS960, &bytes)
        .into_iter()
        .map(|epd| epd.unwrap_or_else(|error| panic!("{error}")).position.position_text())
        .collect();
    let mut ours: Vec<String> = (0..StartArray::COUNT)
        .filter_map(StartArray::new)
        .map(|array| Chess::start(&ChessRules::Chess960(array)).position_text())
        .collect();
    listed.sort_unstable();
    ours.sort_unstable();
    assert_eq!(listed, ours);
}

#[test]
fn a_file_of_positions_is_read_as_games_without_moves() {
    let text = "# two\n8/8/8/8/8/8/8/Kk6 w - - bm Kb1; id \"one\";\n\n8/8/8/8/8/8/8/Kk6 b - - 3 9\n";
    let records = Chess::read_records(&ChessRules::Standard, text.as_bytes());
    assert!(records.is_err(), "the kings touch: {records:?}");
    let text = text.replace("Kk6", "K2k4");
    let records = Chess::read_records(&ChessRules::Standard, text.as_bytes()).expect("positions");
    assert_eq!((records.len(), records[0].tag("Event")), (2, Some("one")));
    assert_eq!(records[1].start.position_text(), "8/8/8/8/8/8/8/K2k4 b - - 3 9");
    let bad = Chess::read_records(&ChessRules::Standard, text.replace(" b ", " x ").as_bytes()).unwrap_err();
    assert!(bad.to_string().contains("line 4"), "{bad}");
    let one_line = "8/8/8/8/8/8/8/K2k4 w - - bm Kb2; id \"one\";";
    assert_eq!(Chess::parse_position(&ChessRules::Standard, one_line), Ok(records[0].start.clone()));
}
