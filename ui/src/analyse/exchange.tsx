import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/client";
import type { GameInfo, Imported } from "../api/types";
import { type Contents, readContents } from "../lib/contents";
import { explainedDepth } from "../lib/explained";
import { hashOf } from "../lib/route";
import { besides } from "../lib/tree";
import { ShareWindow } from "../share/window";
import * as words from "../share/words";
import { GameChoices } from "../widgets/choices";
import { Dialog } from "../widgets/dialog";
import { notifyError } from "../widgets/live";
import * as said from "./file-words";
import { GameList } from "./game-list";
import { exported, line, open, openImported, position, study, wholeLine } from "./store";

interface WindowProps {
  games: GameInfo[];
  onClose: () => void;
}

/** Opens a game or a position from text or a file. */
export function OpenWindow({ games, onClose }: WindowProps) {
  const [game, setGame] = useState(study.value.game);
  const [text, setText] = useState("");
  const [listed, setListed] = useState<{ found: Imported; contents: Contents } | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  // Also when one comes back from the list.
  useLayoutEffect(() => field.current?.focus(), [listed]);
  /** Opens a game of the text by its number; without one, the only game, or else the list of them. */
  const read = async (contents: Contents, number?: number) => {
    try {
      const found = await api.importFile(game === "any" ? null : game, contents, number ?? 1);
      if (number === undefined && found.count > 1) {
        setListed({ found, contents });
        return;
      }
      openImported(found);
      onClose();
    } catch (error) {
      notifyError(error);
    }
  };
  const asPosition = async () => {
    if (await open({ game, start: text.trim() || null, moves: [] })) onClose();
  };
  const drop = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (!file) return;
    // What is no text is nothing to be looked at first.
    readContents(file).then(
      (contents) => ("text" in contents ? setText(contents.text) : void read(contents)),
      notifyError,
    );
  };
  if (listed) {
    return (
      <Dialog title={said.CHOOSE_TITLE} onClose={onClose} wide>
        <GameList
          titles={listed.found.titles}
          count={listed.found.count}
          onChoose={(number) => void read(listed.contents, number)}
          onBack={() => setListed(null)}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={said.OPEN_TITLE} onClose={onClose} wide>
      <label class="field">
        <span>{said.GAME}</span>
        <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
          <option value="any">{said.FIND_OUT}</option>
          {games.every((info) => info.name !== game) && game !== "any" && (
            <option value={game}>{game}</option>
          )}
          <GameChoices games={games} />
        </select>
      </label>
      <label class="field">
        <span>{said.TEXT}</span>
        <textarea
          ref={field}
          rows={8}
          autofocus
          value={text}
          placeholder={said.TEXT_HINT}
          onInput={(event) => setText(event.currentTarget.value)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            drop(event.dataTransfer?.files);
          }}
        />
      </label>
      <div class="row">
        <button type="button" class="primary" disabled={!text.trim()} onClick={() => void read({ text })}>
          {said.OPEN}
        </button>
        <button type="button" disabled={game === "any"} onClick={() => void asPosition()}>
          {text.trim() ? said.OPEN_POSITION : said.EMPTY_BOARD}
        </button>
        <label class="button file">
          {said.CHOOSE_FILE}
          <input type="file" class="unseen" onChange={(event) => drop(event.currentTarget.files)} />
        </label>
      </div>
    </Dialog>
  );
}

/** Shares the analysis as it stands. */
export function ShareAnalysis({ flipped, onClose }: { flipped: boolean; onClose: () => void }) {
  const here = position.value;
  if (!here) return null;
  const { game, start, tree } = study.value;
  const extra = besides(tree, wholeLine.value);
  return (
    <ShareWindow
      link={location.href}
      lacks={lacking(extra)}
      position={here}
      line={{ game, start, moves: wholeLine.value.map(({ move }) => move) }}
      flipped={flipped}
      file={exported}
      hasMore={extra.variations + extra.comments + extra.marks > 0}
      onClose={onClose}
    />
  );
}

/** What a link to a line does not tell, in words. */
function lacking({ variations, comments, marks }: ReturnType<typeof besides>): string[] {
  const { tags = {}, review } = study.value;
  return [
    variations > 0 && words.variations(variations),
    comments > 0 && words.comments(comments),
    marks > 0 && words.marks(marks),
    Object.keys(tags).length > 0 && words.PLAYERS,
    review && words.THE_REVIEW,
  ].filter((text) => typeof text === "string");
}

/** A link to a new game that goes on from the position on the board. */
export function playHash(): string {
  const { game, start, moves } = line.value;
  return hashOf("play", null, { game, start, moves: moves.join(",") });
}

/** A link to the step mode for the position on the board. */
export function learnHash(): string {
  const { game, start, moves } = line.value;
  const depth = explainedDepth(position.value?.legal.length ?? Number.POSITIVE_INFINITY);
  return hashOf("learn", null, { game, start, moves: moves.join(","), depth: String(depth) });
}

/** A link to the page that shows how a search goes through the tree of the position on the board. */
export function watchHash(): string {
  const { game, start, moves } = line.value;
  return hashOf("watch", null, { game, start, moves: moves.join(",") });
}
