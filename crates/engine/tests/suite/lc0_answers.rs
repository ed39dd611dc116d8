//! Other people's networks give with us the answers that they give at home.

use outplay_testing::public_data;

use crate::networks::session;

/// Made once by lc0 itself; how is said at its top.
const ANSWERS: &str = include_str!("../data/lc0-maia.txt");

#[test]
fn maia_says_what_it_says_in_lc0() {
    let (mut worst_policy, mut worst_chance) = (0.0f64, 0.0f64);
    for rating in ["1100", "1500", "1900"] {
        let Some(path) = public_data::path(&format!("nets/maia-{rating}.pb.gz")) else { return };
        let mut session = session("chess", "mcts", path.to_str().expect("Unicode"));
        let answers: Vec<Vec<&str>> = ANSWERS
            .lines()
            .filter(|line| line.starts_with(rating))
            .map(|line| line.split("; ").collect())
            .collect();
        assert_eq!(answers.len(), 31);
        for answer in answers {
            let [_, chances, policy, moves] = answer[..] else { panic!("{answer:?}") };
            session.set_game(None, moves).expect("a game of chess");
            let said = session.network_opinion().expect("idle").expect("a network");
            for (chance, said) in chances.split(' ').zip(said.wdl) {
                worst_chance = worst_chance.max((millionths(chance) - said).abs());
            }
            let policy: Vec<(&str, f64)> = policy
                .split(' ')
                .map(|shared| shared.split_once(':').expect("a move and its share"))
                .map(|(m, share)| (m, millionths(share)))
                .collect();
            assert_eq!(policy.len(), said.policy.len(), "{moves}");
            for (m, share) in &policy {
                let ours = said.policy.iter().find(|ours| ours.plain == *m);
                let ours = ours.unwrap_or_else(|| panic!("{m} after {moves}")).probability;
                worst_policy = worst_policy.max((share - f64::from(ours)).abs());
            }
            let best = policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a legal move");
            assert_eq!(said.policy[0].plain, best.0, "{moves}");
        }
    }
    assert!(worst_policy < 2e-5 && worst_chance < 2e-5, "policy {worst_policy}, chances {worst_chance}");
}

fn millionths(text: &str) -> f64 {
    text.parse::<f64>().expect("a number") / 1e6
}
