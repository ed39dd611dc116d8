import type { GameInfo } from "../api/types";

/** The choices of a select: what each stands for, and what people read. */
export function ChoiceList({ of }: { of: readonly (readonly [string, string, ...unknown[]])[] }) {
  return (
    <>
      {of.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </>
  );
}

/** The games to choose from. */
export const GameChoices = ({ games }: { games: readonly GameInfo[] }) => (
  <ChoiceList of={games.map(({ name, label }) => [name, label])} />
);
