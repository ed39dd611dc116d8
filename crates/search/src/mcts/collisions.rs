//! How many playouts of a batch may meet others on their way.

use super::options::MctsOptions;

impl MctsOptions {
    /// The number for a tree with so many visits, of which no more than `remaining` are still to come: one in a small tree, which could not use
    /// more, and then more and more.
    pub(super) fn collisions_allowed(&self, visits: u64, remaining: u64) -> u32 {
        let (start, end) = (self.max_collision_visits_scaling_start, self.max_collision_visits_scaling_end);
        let most = self.max_collision_visits;
        let size = visits.min(remaining) as f64;
        if end == 0 || size >= f64::from(end) {
            return most;
        }
        if size <= f64::from(start) {
            return 1;
        }
        let way = (size - f64::from(start)) / f64::from(end - start);
        1 + (f64::from(most - 1) * way.powf(self.max_collision_visits_scaling_power)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_grows_from_one_to_all_with_the_smaller_of_what_was_and_what_is_to_come() {
        let scaled = MctsOptions {
            max_collision_visits: 1_001,
            max_collision_visits_scaling_start: 100,
            max_collision_visits_scaling_end: 1_100,
            max_collision_visits_scaling_power: 2.0,
            ..MctsOptions::default()
        };
        for (visits, expected) in
            [(0, 1), (100, 1), (601, 252), (1_099, 999), (1_100, 1_001), (1 << 40, 1_001)]
        {
            assert_eq!(scaled.collisions_allowed(visits, u64::MAX), expected, "{visits}");
            assert_eq!(scaled.collisions_allowed(u64::MAX, visits), expected, "{visits} to come");
        }
        assert_eq!(MctsOptions::default().collisions_allowed(0, 0), 512, "all of them by default");
        let odd = MctsOptions { max_collision_visits_scaling_start: 2_000, ..scaled };
        assert_eq!([1_000, 1_100].map(|visits| odd.collisions_allowed(visits, u64::MAX)), [1, 1_001]);
    }
}
