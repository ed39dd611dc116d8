import { Dialog } from "./dialog";

const KEYS: [string, [string, string][]][] = [
  [
    "On the board",
    [
      ["Arrow keys", "move the cursor"],
      ["Home, End, Page up, Page down", "to the edges"],
      ["Enter or Space", "choose a piece or a cell"],
      ["Escape", "cancel, undo the first stone"],
      ["Right mouse button", "draw arrows and rings; the same again takes one away"],
    ],
  ],
  [
    "While playing",
    [
      ["← →", "look at earlier positions"],
      ["h", "hint"],
      ["u", "undo a stone or a turn"],
      ["m", "type a move"],
      ["r", "resign, after a question"],
      ["f", "flip the board"],
    ],
  ],
  [
    "Analysis",
    [
      ["← →", "one move back or forward"],
      ["↑ ↓", "other variation"],
      ["Home, End", "begin and end of the line"],
      ["a", "start or stop the engine"],
      ["n, N", "next and previous mistake"],
      ["t", "show threats"],
      ["s", "solve the endgame"],
      ["o", "opening explorer"],
      ["m", "type a move"],
      ["f", "flip the board"],
      ["Delete", "remove the move and what follows"],
      ["Ctrl+Z, Ctrl+Y", "bring back what was removed or replaced, and not"],
    ],
  ],
  [
    "Learning",
    [
      ["← →", "one step back or forward"],
      ["c, C", "next and previous cutoff"],
      ["n, N", "next and previous simulation"],
      ["Home, End", "first and last step"],
      ["p", "play the steps by themselves"],
    ],
  ],
  [
    "Watching a search",
    [
      ["s", "start or stop the search"],
      ["← →", "one record back or forward"],
      ["Home, End", "first and newest record"],
      ["p", "play the recording"],
      ["v", "play the visits of an iteration"],
      ["Arrow keys in the tree", "walk through it"],
      ["Enter, Backspace in the tree", "zoom in, zoom out"],
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

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} wide>
      <div class="key-list">
        {KEYS.map(([title, rows]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([keys, meaning]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
