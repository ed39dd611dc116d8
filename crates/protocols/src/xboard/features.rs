//! What a program says of itself when it is greeted.

/// Features that we comply with whatever their value: what they allow we do only if it is allowed, or never.
const UNDERSTOOD: [&str; 18] = [
    "analyze",
    "debug",
    "done",
    "draw",
    "memory",
    "myname",
    "name",
    "option",
    "pause",
    "ping",
    "playother",
    "reuse",
    "setboard",
    "sigint",
    "sigterm",
    "smp",
    "time",
    "usermove",
];
/// Features that a program has without saying so.
const ASSUMED: [&str; 2] = ["reuse", "time"];

/// The features of a program, as far as it has told them.
#[derive(Debug, Default)]
pub(super) struct Features {
    told: Vec<(String, String)>,
}

impl Features {
    /// Takes a line of features; gives the answers that it deserves.
    pub(super) fn read_line(&mut self, line: &str) -> Vec<String> {
        let found = settings(line);
        let answers = found.iter().map(|(name, value)| {
            // Moves are only ever sent as squares, and nobody is told whose colour it is.
            let complies = match name.as_str() {
                "san" | "colors" => value == "0",
                name => UNDERSTOOD.contains(&name),
            };
            format!("{} {name}", if complies { "accepted" } else { "rejected" })
        });
        let answers = answers.collect();
        self.told.extend(found);
        answers
    }

    /// Whether the program has a feature that is there or not.
    pub(super) fn has(&self, feature: &str) -> bool {
        self.value(feature).map_or(ASSUMED.contains(&feature), |value| value == "1")
    }

    /// What the program said last of a feature.
    pub(super) fn value(&self, feature: &str) -> Option<&str> {
        let told = self.told.iter().rev().find(|(name, _)| name == feature);
        told.map(|(_, value)| value.as_str())
    }

    /// The command that sets an option of the program's own, its memory or its number of threads; without such an option,
    /// what there is.
    pub(super) fn option_command(&self, option: &str, value: &str) -> Result<String, String> {
        let is_meant = |name: &&str| name.eq_ignore_ascii_case(option);
        if let Some(name) = self.options().find(is_meant) {
            // A button has no value.
            let value = if value.is_empty() { String::new() } else { format!("={value}") };
            return Ok(format!("option {name}{value}"));
        }
        let commands = [("memory", "memory"), ("smp", "cores")];
        let commands =
            || commands.iter().filter(|(feature, _)| self.has(feature)).map(|&(_, command)| command);
        match commands().find(is_meant) {
            Some(command) => Ok(format!("{command} {value}")),
            None => Err(self.options().chain(commands()).collect::<Vec<_>>().join(", ")),
        }
    }

    /// The names in `option="Move Overhead -spin 10 0 100"`.
    fn options(&self) -> impl Iterator<Item = &str> {
        let told = self.told.iter().filter(|(name, _)| name == "option");
        told.map(|(_, text)| text.split(" -").next().unwrap_or_default().trim())
    }
}

/// Reads `name=value name="some words"`. What follows something else is not read: nobody knows where it would go on.
fn settings(line: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        if name.contains(char::is_whitespace) {
            break;
        }
        found.push((name.to_string(), value.to_string()));
        rest = after.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_and_answered() {
        let mut features = Features::default();
        assert!(features.has("time") && features.has("reuse") && !features.has("ping"));
        let answers = features.read_line(r#"ping=1  san=1 colors=0 reuse=0 myname="A = B" xyz="" done=0"#);
        assert_eq!(
            answers,
            [
                "accepted ping",
                "rejected san",
                "accepted colors",
                "accepted reuse",
                "accepted myname",
                "rejected xyz",
                "accepted done"
            ]
        );
        assert!(features.has("ping") && !features.has("reuse") && !features.has("done"));
        assert_eq!(features.value("myname"), Some("A = B"));
        features.read_line("done=1");
        assert!(features.has("done"));
    }

    #[test]
    fn what_is_no_feature_is_passed_over() {
        for line in ["", "ping", "=", "a b=1 c=1", "\"=\"=\"", "x=\"never closed"] {
            let mut features = Features::default();
            features.read_line(line);
            assert!(!features.has("b") && !features.has("c"), "{line}");
        }
    }

    #[test]
    fn options_are_set_as_the_program_wants_them() {
        let mut features = Features::default();
        features.read_line(r#"memory=1 option="Pawn Value -spin 5 0 9" option="Clear Hash -button""#);
        let command = |name, value| features.option_command(name, value);
        assert_eq!(command("pawn value", "7").as_deref(), Ok("option Pawn Value=7"));
        assert_eq!(command("clear hash", "").as_deref(), Ok("option Clear Hash"));
        assert_eq!(command("memory", "16").as_deref(), Ok("memory 16"));
        assert_eq!(command("cores", "2"), Err("Pawn Value, Clear Hash, memory".to_string()));
    }
}
