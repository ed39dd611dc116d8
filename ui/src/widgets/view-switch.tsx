import { type View, view } from "../lib/view";
import { ChoiceList } from "./choices";

/** Whose view values take, on all pages. */
export function ViewSwitch({ players }: { players: [string, string] }) {
  return (
    <label class="row view-switch">
      Values are those of
      <select
        value={view.value}
        onChange={(event) => {
          view.value = event.currentTarget.value as View;
        }}
      >
        <ChoiceList
          of={[
            ["first", `${players[0]}, who moves first`],
            ["mover", "the player to move"],
          ]}
        />
      </select>
    </label>
  );
}
