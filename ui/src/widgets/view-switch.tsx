import { type View, view } from "../lib/view";
import { ChoiceList } from "./choices";
import * as words from "./words";

/** Whose view values take, on all pages. */
export function ViewSwitch({ players }: { players?: [string, string] }) {
  return (
    <label class="row view-switch">
      {words.VALUES_OF}
      <select
        value={view.value}
        onChange={(event) => {
          view.value = event.currentTarget.value as View;
        }}
      >
        <ChoiceList
          of={[
            ["first", players ? words.movesFirst(players[0]) : words.FIRST_PLAYER],
            ["mover", words.MOVER],
          ]}
        />
      </select>
    </label>
  );
}
