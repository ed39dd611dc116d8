import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Exported, Line, Position } from "../api/types";
import { pictureOf, pngOf, svgText } from "../lib/picture";
import { saveFile } from "../lib/save";
import { Dialog } from "../widgets/dialog";
import { notify, notifyError } from "../widgets/live";
import { animated } from "./frames";
import * as words from "./words";
import "../styles/share.css";

interface ShareProps {
  link: string;
  /** What the link does not hold. */
  lacks: string[];
  position: Position;
  /** The line that an animation goes through, from its first position to its last. */
  line: Line;
  flipped: boolean;
  /** The game as files want it: with all there is, or the line alone. */
  file: (whole: boolean) => Exported;
  /** Whether there is more than the line. */
  hasMore: boolean;
  onClose: () => void;
}

/** The game as a link, a text, a file and pictures, each ready to be taken along. */
export function ShareWindow(props: ShareProps) {
  const { link, lacks, position, line, flipped, hasMore, onClose } = props;
  const [file, setFile] = useState<{ text: string; extension: string } | null>(null);
  const [whole, setWhole] = useState(true);
  useEffect(() => {
    api.exportText(props.file(whole)).then(setFile, notifyError);
  }, [whole]);
  const last = position.moves.at(-1);
  const name = line.game.split(":")[0]!;
  const saveReview = async () => {
    const { text, extension } = await api.exportText({ ...props.file(false), table: true });
    saveFile(`${name}.${extension}`, text);
  };
  const board = () => pictureOf(document.querySelector<SVGSVGElement>(".board:not(.still) > svg")!);
  return (
    <Dialog title={words.SHARE} onClose={onClose} wide>
      <Copied label={words.LINK} text={link}>
        <small>
          {words.HOLDS} {lacks.length > 0 && words.lacks(lacks)} {isLocal(link) && words.ONLY_HERE}
        </small>
      </Copied>
      <Copied label={last ? words.positionAfter(last.text) : words.START} text={position.position} />
      {last && <Copied label={words.MOVES} text={position.moves.map(({ text }) => text).join(" ")} />}
      <Copied label={words.GAME} text={file?.text ?? ""} tall />
      <div class="row share-file">
        <button
          type="button"
          class="primary"
          disabled={!file}
          onClick={() => file && saveFile(`${name}.${file.extension}`, file.text)}
        >
          {words.saveFile(file?.extension ?? "…")}
        </button>
        {hasMore && (
          <label class="row check">
            <input
              type="checkbox"
              checked={whole}
              onChange={(event) => setWhole(event.currentTarget.checked)}
            />
            <span>{words.WHOLE}</span>
          </label>
        )}
        {props.file(false).review && <Maker name={words.REVIEW} make={saveReview} />}
      </div>
      <div class="field">
        <span>{words.PICTURES}</span>
        <div class="row">
          <Maker name={words.BOARD_SVG} make={async () => saveFile(`${name}.svg`, svgText(board()))} />
          <Maker name={words.BOARD_PNG} make={async () => saveFile(`${name}.png`, await pngOf(board()))} />
          {line.moves.length > 0 && (
            <Maker
              name={words.ANIMATION}
              make={async () => saveFile(`${name}-game.svg`, await animated(line, flipped))}
            />
          )}
        </div>
        {line.moves.length > 0 && <small>{words.ANIMATION_NOTE}</small>}
      </div>
    </Dialog>
  );
}

/** Whether an address means the computer of whoever reads it. */
function isLocal(link: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(new URL(link).hostname);
}

/** A button for what takes a moment. */
function Maker({ name, make }: { name: string; make: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    make()
      .catch(notifyError)
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" disabled={busy} onClick={press}>
      {busy ? words.MAKING : name}
    </button>
  );
}

interface CopiedProps {
  label: string;
  text: string;
  tall?: boolean;
  children?: ComponentChildren;
}

function Copied({ label, text, tall, children }: CopiedProps) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => notify(words.COPIED),
      () => notify(words.NOT_COPIED, "error"),
    );
  };
  return (
    <div class="field">
      <span>{label}</span>
      <div class="row copied">
        <textarea class="grow" rows={tall ? 5 : 2} readOnly value={text} aria-label={label} />
        <button type="button" onClick={copy} aria-label={words.copy(label)}>
          {words.COPY}
        </button>
      </div>
      {children}
    </div>
  );
}
