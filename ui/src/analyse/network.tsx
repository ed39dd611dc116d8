import { effect, signal } from "@preact/signals";
import { api } from "../api/client";
import type { Opinion } from "../api/search";
import type { Position } from "../api/types";
import type { Overlay } from "../boards/types";
import { ownerOverlay, policyOverlay } from "../lib/networks";
import { stored } from "../lib/stored";
import { ChoiceList } from "../widgets/choices";
import { OpinionFacts } from "../widgets/opinion";
import { network } from "./engine";
import { play, position } from "./store";
import * as words from "./words";

/** What was asked of the network last: about which position, and the answer or why there is none. */
interface Asked {
  about: Position;
  network: string;
  opinion: Opinion | null;
  trouble: string;
}

const asked = signal<Asked | null>(null);

type Drawn = "lines" | "policy" | "owners";
const drawn = stored<{ board: Drawn }>("network", { board: "lines" });

/** Asks the chosen network about whatever position is on the board. Returns what ends that. */
export function runNetwork(): () => void {
  return effect(() => {
    const about = position.value;
    const name = network.value?.name;
    if (!about || !name) {
      asked.value = null;
      return;
    }
    let current = true;
    const answer = (opinion: Opinion | null, trouble: string) => {
      if (current) asked.value = { about, network: name, opinion, trouble };
    };
    const { game, start, moves } = about;
    api.opinion({ game, start, moves: moves.map(({ move }) => move) }, name).then(
      (opinion) => answer(opinion, ""),
      (error: Error) => answer(null, error.message),
    );
    return () => {
      current = false;
    };
  });
}

/** What the network says of the position, drawn; null where the engine's lines are to be drawn instead. */
export function networkOverlay(here: Position): Overlay | null {
  const { board } = drawn.value;
  const opinion = asked.value?.about === here ? asked.value.opinion : null;
  if (!opinion || !network.value || board === "lines") return null;
  if (board === "policy") return policyOverlay(opinion);
  return opinion.ownership ? ownerOverlay(opinion, here) : null;
}

/** What the chosen network alone says of the position. */
export function NetworkPanel({ position: here }: { position: Position }) {
  const name = network.value?.name;
  if (!name) return null;
  // What it said of the position before stands until the next answer, so that nothing jumps.
  const known = asked.value?.network === name ? asked.value : null;
  const choices: [Drawn, string][] = [
    ["lines", words.DRAW_LINES],
    ["policy", words.DRAW_POLICY],
  ];
  if (known?.opinion?.ownership) choices.push(["owners", words.DRAW_OWNERS]);
  const board = choices.some(([value]) => value === drawn.value.board) ? drawn.value.board : "lines";
  return (
    <section class="card-box network" aria-label={words.NETWORK} aria-busy={known?.about !== here}>
      <h2>
        {words.NETWORK} <small class="faint">{words.aloneSays(name)}</small>
      </h2>
      {known?.trouble && <p role="alert">{known.trouble}</p>}
      {known?.opinion && (
        <>
          <OpinionFacts position={known.about} opinion={known.opinion} onMove={play} />
          <label class="field">
            <span>{words.ON_BOARD}</span>
            <select
              value={board}
              onChange={(event) => {
                drawn.value = { board: event.currentTarget.value as Drawn };
              }}
            >
              <ChoiceList of={choices} />
            </select>
          </label>
        </>
      )}
      {known && !known.opinion && !known.trouble && <p class="faint">{words.NOTHING_TO_SAY}</p>}
      {!known && <p class="faint">{words.ASKING}</p>}
    </section>
  );
}
