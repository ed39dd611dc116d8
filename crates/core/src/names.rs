//! Which names someone may have meant.

/// More names than these are not listed.
const MOST: usize = 12;
/// Letters of a name that are compared; no option has a longer one.
const LETTERS: usize = 40;

/// The names that are most like `wanted`, or all of them if they are few.
pub fn nearest<N: AsRef<str>>(wanted: &str, mut names: Vec<N>) -> Vec<N> {
    if names.len() > MOST {
        let wanted: Vec<char> = wanted.to_ascii_lowercase().chars().take(LETTERS).collect();
        names.sort_by_cached_key(|name| changes(&wanted, name.as_ref()));
        names.truncate(MOST);
    }
    names
}

/// How many letters have to be changed, added or left out to make `name` of `wanted` (Levenshtein 1965).
fn changes(wanted: &[char], name: &str) -> usize {
    // [letters of `wanted`]: the changes from so many of its letters to the letters of `name` so far.
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for letter in name.chars() {
        let mut diagonal = row[0];
        row[0] += 1;
        for (index, &other) in wanted.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(row[index] + 1).min(diagonal + 1);
        }
    }
    row[wanted.len()]
}

/// A name without what people write in different ways: capitals, hyphens, underscores and spaces.
pub fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| !matches!(letter, '-' | '_' | ' '));
    letters.take(LETTERS).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The one of these names that somebody may have meant: no more than a third of its letters are others.
pub fn meant<N: AsRef<str>>(wanted: &str, names: impl IntoIterator<Item = N>) -> Option<N> {
    let wanted: Vec<char> = plain(wanted).chars().collect();
    let names = names.into_iter().map(|name| (changes(&wanted, &plain(name.as_ref())), name));
    let (errors, name) = names.min_by_key(|(errors, _)| *errors)?;
    (3 * errors <= plain(name.as_ref()).len()).then_some(name)
}

/// A question to put before the names that there are: `did you mean pvs? Otherwise `. Nothing if no name was meant.
pub fn did_you_mean<N: AsRef<str>>(meant: Option<N>) -> String {
    meant.map_or(String::new(), |name| format!("did you mean {}? Otherwise ", name.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_as_by_hand() {
        for (wanted, name, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2)]
        {
            assert_eq!(changes(&wanted.chars().collect::<Vec<_>>(), name), expected, "{wanted} {name}");
        }
    }

    #[test]
    fn of_many_names_the_likeliest_are_given_first() {
        const NAMES: [&str; 14] =
            ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "exploration", "stretch"];
        let nearest_names = nearest("Explortion", NAMES.to_vec());
        assert_eq!((nearest_names[0], nearest_names.len()), ("exploration", MOST));
        assert_eq!(nearest("x", NAMES[10..].to_vec()), NAMES[10..], "a few are all given, in their order");
        assert_eq!(nearest(&"é".repeat(100_000), NAMES.to_vec()).len(), MOST);
    }

    #[test]
    fn a_near_miss_is_known_and_a_far_one_is_not() {
        const NAMES: [&str; 4] = ["chess", "othello", "connect-four", "gomoku"];
        let meant = |wanted: &str| meant(wanted, NAMES);
        assert_eq!((meant("chesss"), meant("otelo")), (Some("chess"), Some("othello")));
        assert_eq!(meant("Conect_For"), Some("connect-four"));
        assert_eq!((meant("go"), meant("backgammon"), meant("")), (None, None, None));
    }
}
