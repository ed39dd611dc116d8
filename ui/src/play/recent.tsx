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
          <RecentGame key={game.id} game={game} onForget={() => forget(game.id)} />
        ))}
      </ul>
    </section>
  );
}

/** A game with its last position, to be recognised by. */
function RecentGame({ game, onForget }: { game: GameSummary; onForget: () => void }) {
  const asked = { game: game.game, start: game.start, moves: game.line };
  const position = useAnswer(JSON.stringify(asked), () => api.position(asked).catch(() => null));
  // Where moves of both players count as one, only the position knows.
  const moves = position?.style.scores.full_moves ? Math.ceil(game.moves / 2) : game.moves;
  const { outcome } = game;
  return (
    <li>
      <a
        href={hashOf("play", game.id, {})}
        title={outcome && typeof outcome !== "string" ? resultText(outcome) : undefined}
      >
        <span class="small-board">
          {position && <StillBoard position={position} flipped={isTurned(position, game.human)} />}
        </span>
        <strong>{game.label}</strong>
        <span class="against">{against(game)}</span>
        <span>{standing(game)}</span>
        <small class="faint">
          {when(game.created)}
          {position && ` · ${several(moves, "move")}`}
        </small>
      </a>
      <DeleteButton what={words.thisGame(game.label)} onDelete={onForget} />
    </li>
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
  return verdict(outcome, human) || resultText(outcome);
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
