/** What stands around the pages: the bar at the top, windows, messages. */

export const TABS = { play: "Play", analyse: "Analyse", learn: "Learn", watch: "Watch", runs: "Runs" };
export const PAGES = "Pages";
export const CONNECTING = "Connecting…";
export const LOADING = "Loading…";

export const KEYS = "Keys";
export const KEYS_TITLE = "Keys (?)";
export const CLOSE = "Close";

export const SETTINGS = "Settings";
export const SETTINGS_TITLE = "Colours, boards, pieces, sounds";
export const COLOURS = "Colours";
export const THEMES = { auto: "Like the system", light: "Light", dark: "Dark" };
export const boardOf = (games: string) => `Board: ${games}`;
export const piecesOf = (games: string) => `Pieces: ${games}`;

export const VALUES_OF = "Values are those of";
export const FIRST_PLAYER = "the player who moves first";
export const movesFirst = (player: string) => `${player}, who moves first`;
export const MOVER = "the player to move";

export const SOUNDS = "Sounds";
export const SOUNDS_ON = "Sounds are on";
export const SOUNDS_OFF = "Sounds are off";

export const DELETE_ASKED = "Delete?";
export const PRESS_AGAIN = "Press again to delete.";
export const reallyDelete = (what: string) => `Really delete ${what}`;
export const deleteThing = (what: string) => `Delete ${what}`;

/** Sections of the list of keys: what is pressed, and what that does. */
export const KEY_LIST: [string, [string, string][]][] = [
  [
    "On the board",
    [
      ["Arrow keys", "move the cursor"],
      ["Home, End, Page up, Page down", "move it to the edges"],
      ["Enter, Space", "select a piece or play a cell; while the engine thinks, a move for later"],
      ["Escape", "cancel a selection, a first stone or a premove"],
      ["Right button", "draw arrows and circles; draw again to erase"],
    ],
  ],
  [
    "Playing",
    [
      ["← →", "look at earlier positions"],
      ["h", "hint"],
      ["u", "undo"],
      ["m", "type a move, such as Nf3"],
      ["r", "resign, after a question"],
      ["f", "flip the board"],
    ],
  ],
  [
    "Analysis",
    [
      ["← →", "previous and next move"],
      ["↑ ↓", "other variation"],
      ["Home, End", "start and end of the line"],
      ["a", "start or stop the engine"],
      ["n, N", "next and previous mistake"],
      ["x", "what the opponent would do"],
      ["t", "show threats of a row"],
      ["s", "solve the endgame"],
      ["o", "opening explorer"],
      ["m", "type a move"],
      ["f", "flip the board"],
      ["Delete", "delete this move and what follows"],
      ["Ctrl+Z, Ctrl+Y", "undo and redo"],
    ],
  ],
  [
    "Learning",
    [
      ["← →", "previous and next step"],
      ["c, C", "next and previous cutoff"],
      ["n, N", "next and previous simulation"],
      ["Home, End", "first and last step"],
      ["p", "play the steps automatically"],
    ],
  ],
  [
    "Watching a search",
    [
      ["s", "start or stop the search"],
      ["← →", "previous and next record"],
      ["Home, End", "first and newest record"],
      ["p", "play the recording"],
      ["v", "play the visits of an iteration"],
      ["Arrow keys", "in the tree: walk through it"],
      ["Enter, Backspace", "in the tree: zoom in, zoom out"],
    ],
  ],
  [
    "Everywhere",
    [
      ["b", "to the board"],
      ["?", "this list"],
    ],
  ],
];
