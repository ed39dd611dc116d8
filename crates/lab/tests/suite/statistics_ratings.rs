//! Ratings of a pool against simulated pools, against the two-player case, and at the edges.

use outplay_core::Rng;
use outplay_lab::stats::{Anchor, Crosstable, GameResult, RatingError, Ratings, Wdl, elo_of, score_from_elo};

const CENTRED: Anchor = Anchor::Mean(0.0);

fn pool(players: usize) -> Crosstable {
    Crosstable::new((0..players).map(|player| format!("player {player}")))
}

fn elos(ratings: &Ratings) -> Vec<f64> {
    ratings.players.iter().map(|player| player.elo.value).collect()
}

fn two(results: Wdl) -> Ratings {
    let mut table = pool(2);
    table.add(0, 1, results);
    table.ratings(CENTRED).unwrap()
}

/// A game in which half of the points that are expected of the weaker player come from draws.
fn play(advantage: f64, rng: &mut Rng) -> GameResult {
    let expected = score_from_elo(advantage);
    let draws = expected.min(1.0 - expected);
    match rng.unit() {
        dice if dice < expected - draws / 2.0 => GameResult::Win,
        dice if dice < expected + draws / 2.0 => GameResult::Draw,
        _ => GameResult::Loss,
    }
}

/// A tournament of players with these ratings, in which the number of games differs from pairing to pairing.
fn tournament(truth: &[f64], games: usize, rng: &mut Rng) -> Crosstable {
    let mut table = pool(truth.len());
    for a in 0..truth.len() {
        for b in 0..a {
            let mut results = Wdl::default();
            (0..games * (1 + (a + b) % 3)).for_each(|_| results.record(play(truth[a] - truth[b], rng)));
            table.add(a, b, results);
        }
    }
    table
}

#[test]
fn two_players_are_rated_as_in_a_match() {
    for results in [Wdl::new(700, 900, 400), Wdl::new(20, 5_000, 10), Wdl::new(3_000, 10, 500)] {
        let (ratings, elo) = (two(results), elo_of(results).unwrap());
        assert_eq!(ratings.invented_draws, 0.0);
        let difference = ratings.difference(0, 1);
        assert!((difference.value - elo.value).abs() < 1e-8, "{difference} {elo}");
        assert!((difference.error() / elo.error() - 1.0).abs() < 0.03, "{difference} {elo}");
        assert!((ratings.players[0].elo.value - elo.value / 2.0).abs() < 1e-8);
        assert!((ratings.players[1].elo.error() - difference.error() / 2.0).abs() < 1e-8);
    }
}

#[test]
fn everyone_is_expected_to_make_the_points_that_were_made() {
    let mut rng = Rng::new(31);
    for players in 2..12 {
        let truth: Vec<f64> = (0..players).map(|_| 800.0 * rng.unit()).collect();
        let table = tournament(&truth, 20, &mut rng);
        let ratings = table.ratings(CENTRED).unwrap();
        assert_eq!(ratings.invented_draws, 0.0);
        let elo = elos(&ratings);
        assert!(elo.iter().sum::<f64>().abs() < 1e-6);
        for a in 0..players {
            let opponents = (0..players).filter(|&b| b != a);
            let expected: f64 =
                opponents.map(|b| table.results(a, b).games() as f64 * score_from_elo(elo[a] - elo[b])).sum();
            assert!((expected - ratings.players[a].points).abs() < 1e-6, "{expected} {ratings:?}");
            assert_eq!(table.total(a).games(), ratings.players[a].games);
        }
    }
}

#[test]
fn true_ratings_are_recovered_and_covered_as_often_as_stated() {
    let truth = [-350.0, -120.0, -100.0, 0.0, 20.0, 150.0, 400.0];
    let mut rng = Rng::new(32);
    let (mut inside, mut differences_inside, mut all) = (0, 0, 0);
    let mut mean = vec![0.0; truth.len()];
    const POOLS: usize = 400;
    for _ in 0..POOLS {
        let ratings = tournament(&truth, 30, &mut rng).ratings(CENTRED).unwrap();
        for (i, player) in ratings.players.iter().enumerate() {
            let next = (i + 1) % truth.len();
            inside += usize::from(player.elo.covers(truth[i]));
            differences_inside += usize::from(ratings.difference(i, next).covers(truth[i] - truth[next]));
            all += 1;
            mean[i] += player.elo.value / POOLS as f64;
        }
    }
    for (mean, truth) in mean.iter().zip(truth) {
        // Maximum likelihood exaggerates large differences a little as long as games are few.
        assert!((mean - truth).abs() < 3.0 + 0.015 * truth.abs(), "{mean} on average instead of {truth}");
    }
    for inside in [inside, differences_inside] {
        let share = inside as f64 / all as f64;
        println!("{share:.4} cover the truth");
        assert!((share - 0.95).abs() < 0.015, "{share} of the intervals cover the truth");
    }
}

#[test]
fn an_anchor_moves_the_scale_and_nothing_else() {
    let mut rng = Rng::new(33);
    let table = tournament(&[0.0, 100.0, 250.0, 30.0], 50, &mut rng);
    let centred = table.ratings(Anchor::Mean(1_500.0)).unwrap();
    let anchored = table.ratings(Anchor::Player { player: 2, elo: 2_800.0 }).unwrap();
    assert!((elos(&centred).iter().sum::<f64>() / 4.0 - 1_500.0).abs() < 1e-9);
    assert_eq!(anchored.players[2].elo.value, 2_800.0);
    assert!(anchored.players[2].elo.error() < 1e-9);
    for a in 0..4 {
        for b in 0..4 {
            let (here, there) = (centred.difference(a, b), anchored.difference(a, b));
            assert!((here.value - there.value).abs() < 1e-8 && (here.error() - there.error()).abs() < 1e-8);
        }
        assert!((anchored.players[a].elo.error() - centred.difference(a, 2).error()).abs() < 1e-8);
    }
    let error = table.ratings(Anchor::Player { player: 4, elo: 0.0 }).unwrap_err();
    assert_eq!(error, RatingError::UnknownAnchor { player: 4, players: 4 });
}

#[test]
fn the_order_of_players_and_of_results_does_not_matter() {
    let mut rng = Rng::new(34);
    let table = tournament(&[0.0, 100.0, 250.0, 30.0, -80.0], 10, &mut rng);
    let mut mirrored = pool(5);
    for a in (0..5).rev() {
        for b in 0..a {
            mirrored.add(4 - b, 4 - a, table.results(b, a));
        }
    }
    let (here, there) = (table.ratings(CENTRED).unwrap(), mirrored.ratings(CENTRED).unwrap());
    for player in 0..5 {
        assert_eq!(table.results(player, (player + 1) % 5), mirrored.results(4 - player, (8 - player) % 5));
        assert!((here.players[player].elo.value - there.players[4 - player].elo.value).abs() < 1e-8);
        assert!((here.players[player].elo.error() - there.players[4 - player].elo.error()).abs() < 1e-8);
    }
    let ranking = here.ranking();
    assert!(ranking.windows(2).all(|pair| pair[0].elo.value >= pair[1].elo.value));
    assert_eq!(ranking.len(), 5);
}

#[test]
fn players_without_a_path_of_results_are_named() {
    let mut table = Crosstable::new(["anna", "bert", "carl", "dora", "emil"]);
    table.add(0, 2, Wdl::new(5, 5, 5));
    table.add(3, 1, Wdl::new(1, 0, 0));
    table.add(2, 4, Wdl::new(0, 0, 9));
    table.add(0, 1, Wdl::default());
    let error = table.ratings(CENTRED).unwrap_err();
    assert_eq!(error.to_string(), "no results join anna, carl, emil | bert, dora");
    table.add(4, 3, Wdl::new(0, 1, 0));
    assert!(table.ratings(CENTRED).is_ok());
}

#[test]
fn all_won_is_a_finite_rating_that_grows_with_the_games() {
    for wins in [1, 10, 100, 10_000] {
        let ratings = two(Wdl::new(wins, 0, 0));
        assert_eq!(ratings.invented_draws, 1.0);
        // A score of wins + ½ in wins + 1 games.
        let expected = 400.0 * (2.0 * wins as f64 + 1.0).log10();
        let difference = ratings.difference(0, 1);
        assert!((difference.value - expected).abs() < 1e-6, "{difference}");
        assert!(difference.error() > 250.0 && difference.error() < 700.0, "{difference}");
    }
}

#[test]
fn one_hopeless_player_leaves_the_others_alone() {
    let mut rng = Rng::new(35);
    let truth = [0.0, 60.0, 120.0];
    let three = tournament(&truth, 100, &mut rng);
    let mut four = pool(4);
    for a in 0..3 {
        four.add(a, 3, Wdl::new(40, 0, 0));
        (0..a).for_each(|b| four.add(a, b, three.results(a, b)));
    }
    let (three, four) = (three.ratings(CENTRED).unwrap(), four.ratings(CENTRED).unwrap());
    assert!(four.invented_draws > 0.3 && four.invented_draws < 1.5, "{}", four.invented_draws);
    for a in 0..3 {
        let (here, there) = (three.difference(a, 0), four.difference(a, 0));
        assert!((here.value - there.value).abs() < 1.0, "{here} {there}");
        assert!(four.difference(a, 3).value > 600.0 && four.likelihood_of_superiority(a, 3) > 0.99);
    }
}

#[test]
fn a_group_that_gave_nothing_away_is_rated_too() {
    // 0 and 1 share their points, 2 and 3 share theirs, and the first two won every game against the others.
    let mut table = pool(4);
    table.add(0, 1, Wdl::new(6, 4, 5));
    table.add(2, 3, Wdl::new(6, 4, 5));
    for (strong, weak) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
        table.add(strong, weak, Wdl::new(10, 0, 0));
    }
    let ratings = table.ratings(CENTRED).unwrap();
    assert!(ratings.invented_draws > 0.0);
    let elo = elos(&ratings);
    assert!(elo.iter().all(|elo| elo.is_finite()), "{elo:?}");
    assert!(elo[0] > elo[1] && elo[1] > 400.0 + elo[2] && elo[2] > elo[3], "{elo:?}");
    assert!(ratings.players.iter().all(|player| player.elo.error().is_finite() && player.elo.error() > 0.0));
}

#[test]
fn no_results_lead_to_a_rating_that_is_no_number() {
    let mut rng = Rng::new(36);
    let mut rated = 0;
    for _ in 0..3_000 {
        let mut table = pool(2 + rng.below(8));
        let players = table.names().len();
        for _ in 0..2 * players {
            let (a, b) = (rng.below(players), rng.below(players));
            let most = [1, 2, 5, 1_000_000_000][rng.below(4)];
            if a != b {
                let [wins, draws, losses] = [(); 3].map(|()| (rng.below(2) * rng.below(most + 1)) as u64);
                table.add(a, b, Wdl { wins, draws, losses });
            }
        }
        let Ok(ratings) = table.ratings(CENTRED) else { continue };
        rated += 1;
        for player in &ratings.players {
            assert!(player.elo.value.abs() < 1e5 && player.elo.error().is_finite(), "{table:?} {ratings:?}");
        }
        // The ratings still explain the points of all but those for whom draws were invented.
        let elo = elos(&ratings);
        for a in (0..players).filter(|_| ratings.invented_draws == 0.0) {
            let opponents = (0..players).filter(|&b| b != a);
            let expected: f64 =
                opponents.map(|b| table.results(a, b).games() as f64 * score_from_elo(elo[a] - elo[b])).sum();
            let (points, games) = (ratings.players[a].points, ratings.players[a].games as f64);
            assert!((expected - points).abs() < 1e-9 * games + 1e-6, "{table:?} {ratings:?}");
        }
    }
    assert!(rated > 1_000, "{rated}");
}

#[test]
fn all_drawn_is_level_with_an_error_that_shrinks() {
    let (few, many) = (two(Wdl::new(0, 10, 0)), two(Wdl::new(0, 1_000, 0)));
    assert_eq!((few.invented_draws, few.difference(0, 1).value), (0.0, 0.0));
    assert_eq!(few.likelihood_of_superiority(0, 1), 0.5);
    // As wide as what the likelihood of a match says.
    for (ratings, games) in [(few, 10), (many, 1_000)] {
        let of_match = elo_of(Wdl::new(0, games, 0)).unwrap().error();
        let error = ratings.difference(0, 1).error();
        assert!((error / of_match - 1.0).abs() < 0.15, "{error} {of_match}");
    }
}

#[test]
fn pools_of_none_and_one_are_trivial() {
    assert!(pool(0).ratings(CENTRED).unwrap().players.is_empty());
    let alone = pool(1).ratings(Anchor::Mean(1_200.0)).unwrap();
    assert_eq!((alone.players[0].elo.value, alone.players[0].elo.error()), (1_200.0, 0.0));
    assert_eq!(alone.players[0].games, 0);
}

#[test]
fn a_rating_list_reads_well_as_json() {
    let json = serde_json::to_value(two(Wdl::new(3, 2, 1))).unwrap();
    assert_eq!(json["players"][0]["name"], "player 0");
    assert_eq!(json["players"][0]["points"], 4.0);
    assert!(json["players"][0]["elo"]["low"].as_f64() < json["players"][0]["elo"]["value"].as_f64());
    assert!(json.get("covariance").is_none());
}
