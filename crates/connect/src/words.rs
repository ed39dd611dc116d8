//! Taking text apart.

/// The words between separators, and where they begin.
pub(crate) fn words(text: &str, separator: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    text.split(separator)
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The only character of a word; `None` if it has none or several.
pub(crate) fn one_character(word: &str) -> Option<char> {
    let mut characters = word.chars();
    characters.next().filter(|_| characters.next().is_none())
}
