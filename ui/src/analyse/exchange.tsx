import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/client";
import type { GameInfo, Imported } from "../api/types";
import { explainedDepth } from "../lib/explained";
import { several } from "../lib/format";
import { pictureOf } from "../lib/picture";
import { hashOf } from "../lib/route";
import { saveFile } from "../lib/save";
import { pathTo } from "../lib/tree";
import { GameChoices } from "../widgets/choices";
import { Dialog } from "../widgets/dialog";
import { notify, notifyError } from "../widgets/live";
import { GameList } from "./game-list";
import { exported, line, open, openImported, position, study } from "./store";

interface WindowProps {
  games: GameInfo[];
  onClose: () => void;
}

/** Opens a game or a position from text or a file. */
export function OpenWindow({ games, onClose }: WindowProps) {
  const [game, setGame] = useState(study.value.game);
  const [text, setText] = useState("");
  const [listed, setListed] = useState<Imported | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  // Also when one comes back from the list.
  useLayoutEffect(() => field.current?.focus(), [listed]);
  /** Opens a game of the text by its number; without one, the only game, or else the list of them. */
  const read = async (number?: number) => {
    try {
      const found = await api.importText(game === "any" ? null : game, text, number ?? 1);
      if (number === undefined && found.count > 1) {
        setListed(found);
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
    files?.[0]?.text().then(setText, notifyError);
  };
  if (listed) {
    return (
      <Dialog title="Choose a game of the file" onClose={onClose} wide>
        <GameList
          titles={listed.titles}
          count={listed.count}
          onChoose={(number) => void read(number)}
          onBack={() => setListed(null)}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title="Open a game or position" onClose={onClose} wide>
      <label class="field">
        <span>Game</span>
        <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
          <option value="any">find out from the file</option>
          {games.every((info) => info.name !== game) && game !== "any" && (
            <option value={game}>{game}</option>
          )}
          <GameChoices games={games} />
        </select>
      </label>
      <label class="field">
        <span>Text</span>
        <textarea
          ref={field}
          rows={8}
          autofocus
          value={text}
          placeholder="Paste PGN, SGF, GGF, FEN, a position or a list of moves, or drop a file here"
          onInput={(event) => setText(event.currentTarget.value)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            drop(event.dataTransfer?.files);
          }}
        />
      </label>
      <div class="row">
        <button type="button" class="primary" disabled={!text.trim()} onClick={() => void read()}>
          Open
        </button>
        <button type="button" disabled={game === "any"} onClick={() => void asPosition()}>
          {text.trim() ? "Open as position" : "Empty board"}
        </button>
        <label class="button file">
          Choose a file
          <input type="file" class="unseen" onChange={(event) => drop(event.currentTarget.files)} />
        </label>
      </div>
    </Dialog>
  );
}

/** Shows the line as a file, the position as text and a link, each ready to be copied. */
export function ShareWindow({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<{ text: string; extension: string } | null>(null);
  const [whole, setWhole] = useState(true);
  useEffect(() => {
    api.exportText(exported(whole)).then(setFile, notifyError);
  }, [whole]);
  const here = position.value?.position ?? "";
  const save = () => {
    if (!file) return;
    saveFile(`${study.value.game}.${file.extension}`, file.text);
  };
  const saveTable = () => {
    api
      .exportText({ ...exported(false), table: true })
      .then(({ text, extension }) => saveFile(`${study.value.game}.${extension}`, text), notifyError);
  };
  const savePicture = () => {
    const board = document.querySelector<SVGSVGElement>(".analysis .board > svg");
    if (board) saveFile(`${study.value.game}.svg`, pictureOf(board));
  };
  const moves = pathTo(study.value.tree, study.value.at).length;
  return (
    <Dialog title="Share" onClose={onClose} wide>
      <Copied label="Link to this position" text={location.href} />
      <Copied label={`Position after ${several(moves, "move")}`} text={here} />
      <Copied label="Game" text={file?.text ?? ""} tall />
      <div class="row">
        <button type="button" disabled={!file} onClick={save}>
          Save as file
        </button>
        <label class="row check">
          <input
            type="checkbox"
            checked={whole}
            onChange={(event) => setWhole(event.currentTarget.checked)}
          />
          <span>With variations and comments</span>
        </label>
        <button type="button" onClick={savePicture}>
          Save as picture
        </button>
        {study.value.review && (
          <button type="button" onClick={saveTable}>
            Save the review as a table
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Copied({ label, text, tall }: { label: string; text: string; tall?: boolean }) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => notify("Copied."),
      () => notify("The browser does not allow copying; select the text instead.", "error"),
    );
  };
  return (
    <div class="field">
      <span>{label}</span>
      <div class="row copied">
        <textarea class="grow" rows={tall ? 6 : 2} readOnly value={text} aria-label={label} />
        <button type="button" onClick={copy} aria-label={`Copy: ${label}`}>
          Copy
        </button>
      </div>
    </div>
  );
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
