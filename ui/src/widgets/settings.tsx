import { api } from "../api/client";
import type { Family, GameInfo } from "../api/types";
import { BOARDS, boards, FAMILIES, PIECES, pieces } from "../boards/looks";
import { PieceShape } from "../boards/pieces";
import { sample } from "../boards/sample";
import { StillBoard } from "../boards/still";
import { capital } from "../lib/format";
import { useAnswer } from "../lib/use";
import { Dialog } from "./dialog";
import { SoundChoice } from "./sound";
import { type Theme, theme } from "./theme";
import { ViewSwitch } from "./view-switch";
import * as words from "./words";

const THEMES: Theme[] = ["auto", "light", "dark"];

/** What holds on all pages: colours, sounds, the view of values, and boards and pieces for each family of games. */
export function Settings({ onClose }: { onClose: () => void }) {
  const games = useAnswer("games", api.gamesList) ?? [];
  const present = FAMILIES.filter((family) => games.some((game) => game.family === family));
  return (
    <Dialog title={words.SETTINGS} onClose={onClose} wide>
      <div class="row everywhere">
        <SoundChoice />
        <ViewSwitch />
      </div>
      <div class="looks">
        <fieldset class="segments">
          <legend>{words.COLOURS}</legend>
          {THEMES.map((name) => (
            <label key={name} class={theme.value === name ? "chosen" : ""}>
              <input
                type="radio"
                name="theme"
                checked={theme.value === name}
                onChange={() => {
                  theme.value = name;
                }}
              />
              {words.THEMES[name]}
            </label>
          ))}
        </fieldset>
        {present.map((family) => (
          <FamilyLooks key={family} family={family} games={games} />
        ))}
      </div>
    </Dialog>
  );
}

function FamilyLooks({ family, games }: { family: Family; games: GameInfo[] }) {
  const labels = games.filter((game) => game.family === family).map((game) => game.label);
  const title = labels.join(", ");
  return (
    <section>
      <h3>{title}</h3>
      <Looks kind="board" family={family} title={title} names={BOARDS[family]} chosen={boards} />
      <Looks kind="pieces" family={family} title={title} names={PIECES[family]} chosen={pieces} />
    </section>
  );
}

interface LooksProps {
  kind: "board" | "pieces";
  family: Family;
  title: string;
  names: readonly string[];
  chosen: typeof boards;
}

function Looks({ kind, family, title, names, chosen }: LooksProps) {
  return (
    <fieldset>
      <legend class="unseen">{kind === "board" ? words.boardOf(title) : words.piecesOf(title)}</legend>
      {names.map((name) => {
        // The picture has the colours of what it stands for, whatever is chosen.
        const looks = kind === "board" ? { [`data-${family}`]: name } : { [`data-${family}-pieces`]: name };
        const isChosen = chosen.value[family] === name;
        return (
          <label key={name} class={isChosen ? "chosen" : ""} {...looks}>
            <input
              type="radio"
              name={`${kind} ${family}`}
              value={name}
              checked={isChosen}
              onChange={() => {
                chosen.value = { ...chosen.value, [family]: name };
              }}
            />
            {kind === "pieces" && family === "squares" ? (
              <span class="piece-row" aria-hidden="true">
                {["K", "N", "R"].map((piece, at) => (
                  <svg key={piece} viewBox="0 0 100 100">
                    <PieceShape kind={piece} player={at === 1 ? 1 : 0} set={name} />
                  </svg>
                ))}
              </span>
            ) : (
              <StillBoard position={sample(family)} />
            )}
            {capital(name)}
          </label>
        );
      })}
    </fieldset>
  );
}
