//! What game files say besides moves.

use std::collections::BTreeMap;

/// No name of a tag is longer.
const LONGEST_NAME: usize = 64;

/// Whether all file formats can have a tag with this name.
pub fn is_tag_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The tags of a file that we have written ourselves: `[White "Ada"]` of PGN, `PB[Ada]` of SGF's first node.
pub fn of_file(text: &str) -> BTreeMap<String, String> {
    match text.trim_start().starts_with("(;") {
        true => of_sgf(text),
        false => text.lines().filter_map(of_pgn_line).collect(),
    }
}

fn of_pgn_line(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
    (is_tag_name(name) && !is_unknown(&value)).then(|| (name.to_string(), value))
}

/// What PGN writes where nothing is known.
fn is_unknown(value: &str) -> bool {
    matches!(value, "?" | "????.??.??" | "*")
}

/// The properties of the first node that have one value.
fn of_sgf(text: &str) -> BTreeMap<String, String> {
    let mut tags = BTreeMap::new();
    let mut rest = text.trim_start().trim_start_matches("(;");
    loop {
        rest = rest.trim_start();
        let Some((name, after)) = rest.split_once('[') else { break };
        if !is_tag_name(name) {
            break;
        }
        let (mut value, mut is_escaped, mut end) = (String::new(), false, None);
        for (index, sign) in after.char_indices() {
            match sign {
                _ if is_escaped => {
                    value.push(sign);
                    is_escaped = false;
                }
                '\\' => is_escaped = true,
                ']' => {
                    end = Some(index + 1);
                    break;
                }
                sign => value.push(sign),
            }
        }
        let Some(end) = end else { break };
        tags.insert(name.to_string(), value);
        rest = &after[end..];
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_in_both_formats() {
        let pgn = of_file("[White \"Ada \\\"the\\\" First\"]\n[Black \"?\"]\n\n1. e4 *\n");
        assert_eq!(pgn.into_iter().collect::<Vec<_>>(), [("White".into(), "Ada \"the\" First".to_string())]);
        let sgf = of_file("(;FF[4]PB[A\\]da]\nPW[Bob];B[jj])");
        assert_eq!(sgf.get("PB").map(String::as_str), Some("A]da"));
        assert_eq!(sgf.get("PW").map(String::as_str), Some("Bob"));
        assert_eq!(sgf.len(), 3);
        for nonsense in ["", "(;", "(;A[", "[", "(;[]", "(;é[x]"] {
            of_file(nonsense);
        }
    }
}
