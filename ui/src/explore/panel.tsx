import { useRef, useState } from "preact/hooks";
import { goToPly, line, open, openImported, openStudy, play, ply, takeHeaders } from "../analyse/store";
import { api } from "../api/client";
import type { BookWord, Explored, ExploredMove, ExplorerSources, GameBehind, Tally } from "../api/explored";
import type { Position } from "../api/types";
import { readContents } from "../lib/contents";
import { scoreText, several } from "../lib/format";
import { percent } from "../lib/networks";
import { stored } from "../lib/stored";
import { useAnswer, useLatest } from "../lib/use";
import { shownScore } from "../lib/view";
import { DeleteButton } from "../widgets/delete";
import { notify, notifyError } from "../widgets/live";
import * as words from "./words";
import { gamesIn, shares, wordOf } from "./words";
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
      <summary title={`${words.EXPLORER} (o)`}>{words.EXPLORER}</summary>
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
      {found && found.moves.length > 0 && <Moves found={found} position={position} />}
      {found && found.moves.length === 0 && <p class="faint">{words.NOTHING}</p>}
      {found && found.behind.length > 0 && <Behind found={found} position={position} />}
      {sources && <Sources sources={sources} game={game} onChange={again} />}
    </>
  );
}

/** The moves that were played or are known. What nobody knows anything of has no column. */
function Moves({ found, position }: { found: Explored; position: Position }) {
  const counted = gamesIn(found) > 0;
  const inBooks = found.moves.some(({ books }) => books.length > 0);
  return (
    <div class="explored">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.MOVE}</th>
            {counted && <th scope="col">{words.GAMES}</th>}
            {counted && <th scope="col">{words.RESULTS}</th>}
            {inBooks && <th scope="col">{words.BOOK}</th>}
          </tr>
        </thead>
        <tbody>
          {found.moves.map((move) => (
            <tr key={move.move}>
              <MoveCell move={move} position={position} />
              {counted && <Results tally={move} position={position} />}
              {inBooks && <BookCell books={move.books} position={position} />}
            </tr>
          ))}
        </tbody>
        {counted && (
          <tfoot>
            <tr>
              <th scope="row">{words.ALL}</th>
              <Results tally={found} position={position} />
              {inBooks && <td />}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

function MoveCell({ move, position }: { move: ExploredMove; position: Position }) {
  const legal = position.legal.find((one) => one.move === move.move);
  return (
    <th scope="row">
      <button
        type="button"
        class="move"
        disabled={!legal}
        title={move.also.length > 0 ? words.alsoWords(move.also) : undefined}
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
  );
}

function Results({ tally, position }: { tally: Tally; position: Position }) {
  const games = gamesIn(tally);
  return (
    <>
      <td class="games-played">{games > 0 && games}</td>
      <td class="results">{games > 0 && <ResultBar tally={tally} position={position} />}</td>
    </>
  );
}

/** What the likeliest book says: a value, or how often it plays the move; what it has of games in words. */
function BookCell({ books, position }: { books: BookWord[]; position: Position }) {
  const word = wordOf(books);
  if (!word) return <td />;
  const { scores } = position.style;
  return (
    <td class="book" title={books.map(words.bookWords).join("\n")}>
      {word.value && `${scoreText(shownScore(word.value, position.to_move), scores)} · `}
      {percent(word.share)}
    </td>
  );
}

function ResultBar({ tally, position }: { tally: Tally; position: Position }) {
  const said = words.resultWords(tally, position.players);
  const parts = shares(tally);
  return (
    <span class={`result-bar ${position.family}`} role="img" aria-label={said} title={said}>
      {parts?.map((share, index) => (
        <span key={RESULTS[index]} class={RESULTS[index]} style={{ flexGrow: share }} hidden={share === 0}>
          {share >= 18 && `${Math.round(share)}%`}
        </span>
      ))}
    </span>
  );
}

const RESULTS = ["first", "drawn", "second"];

/** The games that came to the position; a click opens one where it stood there. */
function Behind({ found, position }: { found: Explored; position: Position }) {
  const { behind } = found;
  return (
    <details class="behind">
      <summary>{words.behindTitle(gamesIn(found), behind.length)}</summary>
      <ul class="plain">
        {behind.map((game) => (
          <li key={`${game.kind} ${game.id} ${game.number}`}>
            <button type="button" class="quiet" onClick={() => void openBehind(game)}>
              <strong>{game.text}</strong> {game.title}
              <small class="faint"> {words.endWords(game, position.players)}</small>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Opens a game where the board stands now. */
async function openBehind({ kind, id, number }: GameBehind): Promise<void> {
  const at = ply.value;
  try {
    if (kind === "file") openImported(await api.gameOfFile(id, number ?? 1));
    else if (kind === "study") await openStudy(id);
    else await openPlayed(id);
    goToPly(at);
  } catch (error) {
    notifyError(error);
  }
}

/** Opens a game of the server, with who played it. */
async function openPlayed(id: string): Promise<void> {
  const { game, start, moves } = (await api.game(id)).position;
  if (await open({ game, start, moves: moves.map(({ move }) => move) })) await takeHeaders(id);
}

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
      const { name, games } = await api.addGameFile(game, file.name, await readContents(file));
      notify(words.fileAdded(name, games));
      onChange();
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="sources">
      <small class="faint">{words.sourceWords(sources)}</small>
      <ul class="plain" aria-label={words.FILES}>
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
        aria-label={words.FILE}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void add(file);
        }}
      />
      <button type="button" disabled={busy} onClick={() => picker.current?.click()}>
        {busy ? words.READING : words.ADD_FILE}
      </button>
    </div>
  );
}
