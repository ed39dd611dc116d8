import { useRef, useState } from "preact/hooks";
import { line, play } from "../analyse/store";
import { api } from "../api/client";
import type { BookWord, ExploredMove, ExplorerSources, Tally } from "../api/explored";
import type { Position } from "../api/types";
import { scoreText, several } from "../lib/format";
import { percent } from "../lib/networks";
import { stored } from "../lib/stored";
import { useAnswer, useLatest } from "../lib/use";
import { shownScore } from "../lib/view";
import { DeleteButton } from "../widgets/delete";
import { notify, notifyError } from "../widgets/live";
import {
  ADD_FILE,
  alsoWords,
  bookWords,
  EXPLORER,
  fileAdded,
  gamesIn,
  NOTHING,
  READING,
  resultWords,
  shares,
  sourceWords,
  wordOf,
} from "./words";
import "../styles/explore.css";

const opened = stored<{ open: boolean }>("explorer", { open: false });

/** Opens or closes the explorer. */
export function toggleExplorer(): void {
  opened.value = { open: !opened.value.open };
}

/** What was played from the position on the board, how that went, and what books and names say of it. Closed, it asks for nothing. */
export function ExplorerPanel({ position }: { position: Position }) {
  const { open } = opened.value;
  return (
    <details
      class="card-box options explorer"
      open={open}
      onToggle={(event) => {
        const next = event.currentTarget.open;
        if (next !== opened.value.open) opened.value = { open: next };
      }}
    >
      <summary title={`${EXPLORER} (o)`}>{EXPLORER}</summary>
      {open && <Explorer position={position} />}
    </details>
  );
}

function Explorer({ position }: { position: Position }) {
  const [round, setRound] = useState(0);
  const { game } = position;
  const sources = useLatest(`${game} ${round}`, () => api.explorerSources(game));
  const found = useAnswer(JSON.stringify([round, line.value]), () => api.explore(line.value));
  const again = () => setRound(round + 1);
  return (
    <>
      {found && found.moves.length > 0 && (
        <div class="explored">
          <table>
            <thead>
              <tr>
                <th scope="col">Move</th>
                <th scope="col">Games</th>
                <th scope="col">Results</th>
                <th scope="col">Book</th>
              </tr>
            </thead>
            <tbody>
              {found.moves.map((move) => (
                <MoveRow key={move.move} move={move} position={position} />
              ))}
            </tbody>
            {gamesIn(found) > 0 && (
              <tfoot>
                <tr>
                  <th scope="row">All</th>
                  <td>{gamesIn(found)}</td>
                  <td>
                    <ResultBar tally={found} position={position} />
                  </td>
                  <td />
                </tr>
              </tfoot>
            )}
          </table>
        </div>
      )}
      {found && found.moves.length === 0 && <p class="faint">{NOTHING}</p>}
      {sources && <Sources sources={sources} game={game} onChange={again} />}
    </>
  );
}

function MoveRow({ move, position }: { move: ExploredMove; position: Position }) {
  const legal = position.legal.find((one) => one.move === move.move);
  const word = wordOf(move);
  const games = gamesIn(move);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="move"
          disabled={!legal}
          title={move.also.length > 0 ? alsoWords(move.also) : undefined}
          onClick={() => legal && play(legal)}
        >
          {move.text}
          {move.also.length > 0 && <small> +{move.also.length}</small>}
        </button>
        {move.opening && (
          <small class="faint name">
            {move.opening.code && `${move.opening.code} `}
            {move.opening.name}
          </small>
        )}
      </th>
      <td>{games > 0 ? games : ""}</td>
      <td>{games > 0 && <ResultBar tally={move} position={position} />}</td>
      <td>{word && <Book word={word} all={move.books} position={position} />}</td>
    </tr>
  );
}

/** What the likeliest book says: a value, or how often it plays the move; what it has of games in words. */
function Book({ word, all, position }: { word: BookWord; all: BookWord[]; position: Position }) {
  const style = position.style.scores;
  const names = all.map(bookWords);
  return (
    <span title={names.join("\n")}>
      {word.value && `${scoreText(shownScore(word.value, position.to_move), style)} · `}
      {percent(word.share)}
    </span>
  );
}

function ResultBar({ tally, position }: { tally: Tally; position: Position }) {
  const words = resultWords(tally, position.players);
  const parts = shares(tally);
  return (
    <span class={`result-bar ${position.family}`} role="img" aria-label={words} title={words}>
      {parts?.map((share, index) => (
        <span key={RESULTS[index]} class={RESULTS[index]} style={{ flexGrow: share }} hidden={share === 0}>
          {share >= 18 && `${Math.round(share)}%`}
        </span>
      ))}
    </span>
  );
}

const RESULTS = ["first", "drawn", "second"];

interface SourcesProps {
  sources: ExplorerSources;
  game: string;
  onChange: () => void;
}

/** What is counted, and the files of games that are added to it. */
function Sources({ sources, game, onChange }: SourcesProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const add = async (file: File) => {
    setBusy(true);
    try {
      const { name, games } = await api.addGameFile(game, file.name, await file.text());
      notify(fileAdded(name, games));
      onChange();
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="sources">
      <small class="faint">{sourceWords(sources)}</small>
      <ul class="plain" aria-label="Files of games">
        {sources.files.map(({ id, name, games }) => (
          <li key={id} class="row">
            <span class="grow">
              {name} <small class="faint">({several(games, "game")})</small>
            </span>
            <DeleteButton what={name} onDelete={() => api.removeGameFile(id).then(onChange, notifyError)} />
          </li>
        ))}
      </ul>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="File of games"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void add(file);
        }}
      />
      <button type="button" disabled={busy} onClick={() => picker.current?.click()}>
        {busy ? READING : ADD_FILE}
      </button>
    </div>
  );
}
