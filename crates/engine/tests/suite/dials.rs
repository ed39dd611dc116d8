//! What people turn instead of writing a variant.

use outplay_engine::Catalogue;

#[test]
fn the_usual_numbers_of_the_dials_are_the_game_without_a_variant_and_their_ends_open_too() {
    let games = Catalogue::standard();
    let mut seen = 0;
    for row in games.rows().iter().filter(|row| !row.variants.dials.is_empty()) {
        let joined = |numbers: Vec<u32>| {
            let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
            format!("{}:{}", row.name, texts.join(row.variants.joined_by))
        };
        let board = |name: &str| games.open(name).map(|session| session.picture().board);
        let dials = row.variants.dials;
        let usual = board(&joined(dials.iter().map(|dial| dial.usual).collect())).expect("usual rules");
        let plain = board(row.name).expect("the game itself");
        assert_eq!((usual.columns, usual.rows), (plain.columns, plain.rows), "{}", row.name);
        for number in 0..dials.len() {
            for end in [dials[number].least, dials[number].most] {
                let mut numbers: Vec<u32> = dials.iter().map(|dial| dial.usual).collect();
                numbers[number] = end;
                let name = joined(numbers);
                assert!(board(&name).is_ok(), "{name} opens");
            }
        }
        let most = joined(dials.iter().map(|dial| dial.most).collect());
        assert!(board(&most).is_ok(), "{most} opens");
        seen += 1;
    }
    assert!(seen > 0, "there are games with dials");
}
