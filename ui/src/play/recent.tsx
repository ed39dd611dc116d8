import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { GameSummary } from "../api/types";
import { isTurned, StillBoard } from "../boards/still";
import { capital, several } from "../lib/format";
import { hashOf } from "../lib/route";
import { useAnswer } from "../lib/use";
import { DeleteButton } from "../widgets/delete";
import { notifyError } from "../widgets/live";
import { resultText, verdict } from "./store";
import * as words from "./words";

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
      <h2 id="recent-title">{words.RECENT}</h2>
      <ul>
        {games.slice(0, SHOWN).map((game) => (
          <li key={game.id}>
            <a href={hashOf("play", game.id, {})}>
              <SmallBoard game={game} />
              <strong>{game.label}</strong>
              <span class="against">{against(game)}</span>
              <span>{standing(game)}</span>
              <small class="faint">
                {several(game.moves, "move")} · {when(game.created)}
              </small>
            </a>
            <DeleteButton what={words.thisGame(game.label)} onDelete={() => forget(game.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The last position of a game, to be recognised by. */
function SmallBoard({ game: { game, start, line, human } }: { game: GameSummary }) {
  const asked = { game, start, moves: line };
  const position = useAnswer(JSON.stringify(asked), () => api.position(asked).catch(() => null));
  return (
    <span class="small-board">
      {position && <StillBoard position={position} flipped={isTurned(position, human)} />}
    </span>
  );
}

/** Who played: the engine, or both of them. */
function against({ opponents, human }: GameSummary): string {
  const [first, second] = opponents.map((name) => capital(name ?? words.YOU));
  if (human === null) return words.between(first!, second!);
  return words.against(opponents[1 - human] ?? words.THE_ENGINE);
}

function standing({ outcome, paused, human }: GameSummary): string {
  if (!outcome) return paused ? words.PAUSED : words.IN_PROGRESS;
  if (typeof outcome === "string") return outcome;
  return words.ended(verdict(outcome, human), resultText(outcome));
}

/** A number is seconds or milliseconds since 1970, a text is a date. */
function when(created: string | number): string {
  const SECONDS_END = 100_000_000_000;
  const value = typeof created === "number" && created < SECONDS_END ? created * 1000 : created;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return "";
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return date.toLocaleString(undefined, {
    year,
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
}
