//! Text that fits the terminal.

/// Lines are no longer where nobody says how wide the terminal is.
const USUAL_WIDTH: usize = 80;
/// And no longer than this on a wide one: long lines are hard to read.
const MOST_WIDTH: usize = 110;

/// How wide lines may be.
pub fn width() -> usize {
    match console::Term::stdout().size_checked() {
        Some((_, columns)) => usize::from(columns).clamp(40, MOST_WIDTH),
        None => USUAL_WIDTH,
    }
}

/// A long text as far as the terminal shows it at once, with its last lines, which sum it up; the whole of it if output goes elsewhere.
pub fn on_one_screen(text: &str) -> String {
    match console::Term::stdout().size_checked() {
        Some((rows, _)) => shortened(text, usize::from(rows).saturating_sub(2)),
        None => text.to_string(),
    }
}

/// A text of at most so many lines.
fn shortened(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let last = 2;
    if lines.len() <= most || most <= last + 1 {
        return text.to_string();
    }
    let (first, rest) = lines.split_at(most - last - 1);
    let left_out = format!("… {} more lines: --all shows them", rest.len() - last);
    [first, &[&left_out], &rest[rest.len() - last..]].concat().join("\n") + "\n"
}

/// The words of a text in lines of at most so many characters, each after `indent` spaces.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{:indent$}{word}", "")),
        }
    }
    lines.join("\n")
}

/// A text whose lines were broken for whoever reads the source, with a line for each paragraph: the terminal breaks them where it is wide. What is
/// indented, and what stands above that, keeps its lines.
pub fn flowing(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let goes_on =
            |before: &String| !before.is_empty() && !before.starts_with(' ') && !before.ends_with(':');
        match lines.last_mut() {
            Some(before) if !line.is_empty() && !line.starts_with(' ') && goes_on(before) => {
                before.push(' ');
                before.push_str(line);
            }
            _ => lines.push(line.to_string()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_flow_and_examples_keep_their_lines() {
        let text = "Examples:\n  one\n  two\n\nA long\nsentence.\nAnother.\n\nThe end.";
        assert_eq!(flowing(text), "Examples:\n  one\n  two\n\nA long sentence. Another.\n\nThe end.");
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n";
        assert_eq!(shortened(text, 6), "1\n2\n3\n… 3 more lines: --all shows them\n7\n8\n");
        assert_eq!(shortened(text, 8), text);
        assert_eq!(shortened(text, 1), text, "there is no room to leave anything out");
    }

    #[test]
    fn lines_keep_within_their_width_and_lose_no_word() {
        let text = "one two  three\nfour fünf six a-word-that-is-longer-than-a-line";
        assert_eq!(
            wrapped(text, 2, 12),
            "  one two\n  three four\n  fünf six\n  a-word-that-is-longer-than-a-line"
        );
        assert_eq!(wrapped("", 2, 12), "");
    }
}
