//! Names of games and studies, which nobody can guess.

use crate::error::{ApiError, ApiResult};

/// Letters that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Sixty bits.
const LENGTH: usize = 12;

/// A new name.
pub fn new_name() -> ApiResult<String> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::internal(format!("no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// Whether a text can be a name at all.
pub fn is_name(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| LETTERS.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_and_paths_are_not() {
        assert!((0..100).all(|_| is_name(&new_name().expect("random numbers"))));
        assert!(!is_name("../../secret") && !is_name("") && !is_name("abcdefghijkmn"));
    }
}
