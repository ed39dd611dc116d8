import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { GameSummary } from "../api/types";
import { several } from "../lib/format";
import { hashOf } from "../lib/route";
import { useAnswer } from "../lib/use";
import { DeleteButton } from "../widgets/delete";
import { notifyError } from "../widgets/live";

const SHOWN = 12;

/** Games that can be continued or looked at again. */
export function Recent() {
  const [round, setRound] = useState(0);
  const games = useAnswer(`games ${round}`, api.games);
  if (!games || games.length === 0) return null;
  const forget = (id: string) => {
    api.deleteGame(id).then(() => setRound(round + 1), notifyError);
  };
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent games</h2>
      <ul>
        {games.slice(0, SHOWN).map((game) => (
          <li key={game.id}>
            <a href={hashOf("play", game.id, {})}>
              <strong>{game.label}</strong>
              <span>{standing(game)}</span>
              <small class="faint">
                {several(game.moves, "move")} · {when(game.created)}
              </small>
            </a>
            <DeleteButton what={`this game of ${game.label}`} onDelete={() => forget(game.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function standing(game: GameSummary): string {
  if (!game.outcome && game.paused) return "paused";
  if (!game.outcome) return game.human === null ? "running" : "to be continued";
  return typeof game.outcome === "string" ? game.outcome : game.outcome.text;
}

/** A number is seconds or milliseconds since 1970, a text is a date. */
function when(created: string | number): string {
  const SECONDS_END = 100_000_000_000;
  const value = typeof created === "number" && created < SECONDS_END ? created * 1000 : created;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
