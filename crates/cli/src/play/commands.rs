//! What can be typed at the board.

pub const HELP: &str = "\
Type a move as the game writes it (e4, f5, j10, d), or one of:
  undo         take back your last move and what followed it
  hint         let the engine think and show its line
  moves        list the legal moves
  board        draw the board again
  go           let the engine move for you; from then on it plays this side
  resign       give up the game
  save FILE    write the game to a file
  new          begin again
  quit         leave";

/// A line typed by a person.
#[derive(Debug, PartialEq)]
pub enum Command {
    Nothing,
    Help,
    Quit,
    Board,
    Moves,
    Hint,
    Go,
    Undo,
    Resign,
    New,
    Save(String),
    Move(String),
}

impl Command {
    /// Reads a line; what is no command is taken for a move.
    pub fn parse(line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => Command::Nothing,
            ("help" | "?", "") => Command::Help,
            ("quit" | "exit", "") => Command::Quit,
            ("board", "") => Command::Board,
            ("moves", "") => Command::Moves,
            ("hint", "") => Command::Hint,
            ("go", "") => Command::Go,
            ("undo", "") => Command::Undo,
            ("resign", "") => Command::Resign,
            ("new", "") => Command::New,
            ("save", file) => Command::Save(file.to_string()),
            _ => Command::Move(line.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_is_a_move() {
        assert_eq!(Command::parse(" UNDO \n"), Command::Undo);
        assert_eq!(Command::parse("save my game.pgn"), Command::Save("my game.pgn".to_string()));
        assert_eq!(Command::parse("Nf3"), Command::Move("Nf3".to_string()));
        assert_eq!(Command::parse("save"), Command::Save(String::new()));
        assert_eq!(Command::parse("\n"), Command::Nothing);
    }
}
