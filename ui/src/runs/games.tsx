import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Run, RunGame } from "../api/runs";
import type { Position } from "../api/types";
import { several } from "../lib/format";
import { hashOf } from "../lib/route";
import { useLatest } from "../lib/use";
import { summaries } from "./store";
import * as words from "./words";

/** The latest games of a generation; each can be replayed on the analysis board. */
export function Games({ run, start }: { run: Run; start: Position }) {
  const [wanted, setWanted] = useState<number | null>(null);
  const newest = run.played.at(-1);
  const generation = wanted !== null && run.played.includes(wanted) ? wanted : newest;
  const newer = summaries.value?.find(({ name }) => name === run.name)?.games_bytes;
  const games = useLatest(`${run.name} ${generation} ${run.version} ${newer}`, () =>
    generation === undefined ? Promise.resolve([]) : api.runGames(run.name, generation),
  );
  return (
    <section class="card-box run-games" aria-label={words.LATEST_GAMES}>
      <h2>{words.LATEST_GAMES}</h2>
      {generation === undefined ? (
        <p class="faint">{words.NO_GAMES}</p>
      ) : (
        <>
          <label class="row">
            <span>{words.PLAYED_BY}</span>
            <select
              value={generation}
              onChange={(event) => {
                const chosen = Number(event.currentTarget.value);
                // The newest stays the newest when there are others.
                setWanted(chosen === newest ? null : chosen);
              }}
            >
              {[...run.played].reverse().map((number) => (
                <option key={number} value={number}>
                  {number}
                </option>
              ))}
            </select>
          </label>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keys. */}
          <ul class="plain" tabIndex={0} aria-label={words.LATEST_GAMES}>
            {games?.map((game) => (
              <li key={game.number}>
                <a href={hashOf("analyse", null, { game: run.game, moves: game.moves.join(","), at: "0" })}>
                  {words.gameNumber(game.number + 1)}
                </a>{" "}
                {resultText(game, start.players)}, {several(game.moves.length, "move")}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function resultText({ winner, margin }: RunGame, players: [string, string]): string {
  return winner === null ? words.DRAW : words.wins(players[winner], Math.abs(margin));
}
