//! What a move is worth beyond wins and losses: a draw may be half a win to one player, and a won game should end.

use super::options::MctsOptions;
use super::tree::{Edge, EdgeId, EdgeStats, Link, NodeId, Tree};

/// What counts besides wins and losses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Utility {
    /// What a draw is worth to the first player.
    draw_score: f32,
    /// How the length of the game counts; `None` if it does not, or if nobody tells it.
    length: Option<Length>,
}

/// How the length of the game counts.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Length {
    most: f32,
    threshold: f32,
    slope: f32,
    /// The coefficients of the polynomial, the constant first.
    factors: [f32; 3],
}

impl Length {
    /// What a move is worth for leading to a game that is longer by so many plies than its position promised, if its value is `q`: less for who wins.
    fn worth(&self, longer: f32, q: f32) -> f32 {
        let beyond = (q.abs() - self.threshold).max(0.0) / (1.0 - self.threshold).max(f32::EPSILON);
        let [constant, linear, quadratic] = self.factors;
        let weight = constant + linear * beyond + quadratic * beyond * beyond;
        let cost = (self.slope * longer).clamp(-self.most, self.most) * weight;
        if q > 0.0 { -cost } else { cost }
    }
}

impl Utility {
    pub fn new(options: &MctsOptions, tells_moves_left: bool) -> Utility {
        let length = Length {
            most: options.moves_left_max_effect as f32,
            threshold: options.moves_left_threshold as f32,
            slope: options.moves_left_slope as f32,
            factors: [
                options.moves_left_constant_factor as f32,
                options.moves_left_scaled_factor as f32,
                options.moves_left_quadratic_factor as f32,
            ],
        };
        let counts = tells_moves_left && length.most > 0.0 && length.slope > 0.0;
        Utility { draw_score: options.draw_score as f32, length: counts.then_some(length) }
    }

    /// Whether nothing counts but wins and losses.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.draw_score == 0.0 && self.length.is_none()
    }

    /// The value of wins minus losses and draws, for the first player.
    pub fn of(&self, wl: f64, draws: f64) -> f64 {
        wl + f64::from(self.draw_score) * draws
    }

    /// The value of an edge for the first player, without the length of the game.
    #[inline]
    fn value(&self, tree: &Tree, edge: EdgeId, wl: f32) -> f32 {
        // Draws are counted at the node, which is far away: only who needs them looks there.
        if self.draw_score == 0.0 { wl } else { wl + self.draw_score * tree.means(edge).draws as f32 }
    }
}

/// A position from which a move is chosen, as far as its moves are compared with it.
#[derive(Clone, Copy)]
pub(super) struct Outlook<'a> {
    tree: &'a Tree,
    utility: &'a Utility,
    /// How often the position was visited.
    pub visits: u32,
    /// Its value for the first player.
    pub q: f32,
    /// How long the game will last from here, if that counts here.
    moves_left: Option<f32>,
    /// Whether nothing but wins and losses counts here.
    pub is_plain: bool,
}

impl<'a> Outlook<'a> {
    /// The position behind an edge, with its node.
    #[inline]
    pub fn new(tree: &'a Tree, utility: &'a Utility, edge: EdgeId, node: NodeId) -> Outlook<'a> {
        let (visits, q) = tree.visits_and_value(edge, node);
        match utility.is_plain() {
            true => Outlook { tree, utility, visits, q, moves_left: None, is_plain: true },
            false => Outlook::full(tree, utility, edge, (visits, q)),
        }
    }

    #[cold]
    fn full(tree: &'a Tree, utility: &'a Utility, edge: EdgeId, (visits, wl): (u32, f32)) -> Outlook<'a> {
        let q = utility.value(tree, edge, wl);
        let counts = utility.length.is_some_and(|length| q.abs() > length.threshold);
        let moves_left = counts.then(|| tree.means(edge).moves_left as f32);
        let is_plain = utility.draw_score == 0.0 && !counts;
        Outlook { tree, utility, visits, q, moves_left, is_plain }
    }

    /// The value of a move that has been visited, for the first player.
    #[inline]
    pub fn value(&self, edge: Edge, link: Link, stats: EdgeStats) -> f32 {
        if self.is_plain { stats.q } else { self.full_value(edge.id, link, stats) }
    }

    #[cold]
    fn full_value(&self, edge: EdgeId, link: Link, stats: EdgeStats) -> f32 {
        let q = self.utility.value(self.tree, edge, stats.q);
        match (self.utility.length, self.moves_left) {
            (Some(length), Some(here)) if !link.known.is_decided() => {
                q + length.worth(self.tree.means(edge).moves_left as f32 - here, q)
            }
            _ => q,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use outplay_core::{Move, Player};

    use super::super::graph::Place;
    use super::super::growth::{Addition, Grower};
    use super::super::prior::Prior;
    use super::super::state::{Sum, Value};
    use super::*;

    /// What has been backed up through a move.
    #[derive(Clone, Copy)]
    pub struct Reply {
        pub visits: u32,
        pub wl: f32,
        pub draws: f32,
        pub moves_left: f32,
    }

    /// A tree in which the first player has these moves, and the edge of its root, which was evaluated as the mean of them.
    pub fn sample_tree(replies: &[Reply]) -> (Tree, EdgeId) {
        let (mut tree, mut grower) =
            (Tree::new(&MctsOptions::default(), crate::mcts::bounds::Scale::Distance), Grower::default());
        tree.prepare(true, true);
        let place = |to_move| Place { to_move, key: None };
        let root = tree.new_root(place(Player::First), &mut grower).expect("room");
        let node = tree.link(root).node;
        assert!(tree.set_policy(node, &vec![Prior::new(0.1); replies.len()], &mut grower));
        let moves = |list: &mut Vec<(Prior, Move)>| {
            list.extend((0..replies.len() as u16).map(|m| (Prior::ONE, Move::new(m))));
        };
        for (number, reply) in (0..).zip(replies) {
            let added = tree.add_edge((node, number), &mut grower, moves, |_| (), |_| place(Player::Second));
            let Addition::Added(edge, _) = added else { panic!("{added:?}") };
            let sum = Sum::of(Value::new(reply.wl, reply.draws, reply.moves_left), reply.visits);
            for (edge, sum) in [(edge, sum), (root, sum.one_ply_up())] {
                tree.send(edge, reply.visits);
                tree.back_up(edge, &sum);
            }
        }
        let mean = |of: fn(&Reply) -> f32| replies.iter().map(of).sum::<f32>() / replies.len() as f32;
        let evaluation =
            Value::new(mean(|reply| reply.wl), mean(|reply| reply.draws), mean(|reply| reply.moves_left));
        tree.send(root, 1);
        tree.back_up(root, &Sum::of(evaluation, 1).one_ply_up());
        (tree, root)
    }

    /// The values of the moves, seen from the root.
    fn values(options: &MctsOptions, replies: &[Reply]) -> Vec<f32> {
        let (tree, root) = sample_tree(replies);
        let (utility, node) = (Utility::new(options, true), tree.link(root).node);
        let outlook = Outlook::new(&tree, &utility, root, node);
        let mut values = Vec::new();
        tree.for_each_edge(node, tree.state(node).edges(), |edge| {
            values.push(outlook.value(edge, edge.link(), edge.stats()));
        });
        values
    }

    #[test]
    fn of_two_won_games_the_shorter_is_worth_more_and_of_two_lost_ones_the_longer() {
        let reply = |wl, moves_left| Reply { visits: 10, wl, draws: 0.0, moves_left };
        for (wl, sign) in [(0.9, -1.0), (-0.9, 1.0)] {
            let found = values(&MctsOptions::default(), &[reply(wl, 6.0), reply(wl, 14.0)]);
            // The root expects (7 + 15) / 2 plies: one move is 5 plies shorter than that, the other 3 longer.
            let weight = 0.0027 * 0.663_025;
            let expected = [wl - sign * 5.0 * weight, wl + sign * 3.0 * weight];
            assert!(
                found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5),
                "{found:?}"
            );
        }
        assert_eq!(values(&MctsOptions::default(), &[reply(0.5, 6.0), reply(0.5, 14.0)]), [0.5, 0.5]);
    }

    #[test]
    fn draws_count_by_their_price() {
        let replies =
            [(0.25, 0.5), (-0.5, 0.0)].map(|(wl, draws)| Reply { visits: 4, wl, draws, moves_left: 0.0 });
        for (draw_score, expected) in [(0.0, [0.25, -0.5]), (-1.0, [-0.25, -0.5]), (0.5, [0.5, -0.5])] {
            let options = MctsOptions { draw_score, ..MctsOptions::default() };
            assert_eq!(values(&options, &replies), expected);
        }
    }

    fn length() -> Length {
        Utility::new(&MctsOptions::default(), true).length.expect("it counts")
    }

    #[test]
    fn quick_wins_and_slow_losses_are_better_and_nothing_else_counts() {
        let length = length();
        for q in [0.85, 0.95, 1.0] {
            assert!(length.worth(5.0, q) < 0.0 && length.worth(-5.0, q) > 0.0, "{q}");
            // The same game in the eyes of the other player.
            assert_eq!(length.worth(5.0, -q), -length.worth(5.0, q));
        }
        for q in [-0.8, -0.3, 0.0, 0.5, 0.8] {
            assert_eq!(length.worth(10.0, q), 0.0, "below the threshold");
        }
        assert_eq!(length.worth(0.0, 0.9), 0.0, "as long as was thought");
    }

    #[test]
    fn the_effect_is_the_polynomial_of_the_slope_up_to_its_limit() {
        let length = length();
        // Half of the way from the threshold to certainty: 1.6521 / 2 - 0.6521 / 4.
        let weight = 0.663_025;
        assert!((length.worth(4.0, 0.9) + 4.0 * 0.0027 * weight).abs() < 1e-6);
        assert!((length.worth(50.0, 0.9) + 0.0345 * weight).abs() < 1e-6);
        assert!((length.worth(-50.0, 1.0) - 0.0345).abs() < 1e-6, "the polynomial is 1 at certainty");
        let always = MctsOptions {
            moves_left_threshold: 0.0,
            moves_left_constant_factor: 1.0,
            moves_left_scaled_factor: 0.0,
            moves_left_quadratic_factor: 0.0,
            ..MctsOptions::default()
        };
        let always = Utility::new(&always, true).length.expect("it counts");
        assert!((always.worth(2.0, 0.1) + 0.0054).abs() < 1e-7);
    }

    #[test]
    fn the_length_counts_only_if_somebody_tells_it_and_it_has_an_effect() {
        assert_eq!(Utility::new(&MctsOptions::default(), false).length, None);
        let none = MctsOptions { moves_left_max_effect: 0.0, ..MctsOptions::default() };
        assert_eq!(Utility::new(&none, true).length, None);
    }
}
