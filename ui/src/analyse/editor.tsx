import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Composed, Draft, Piece, Player, Position } from "../api/types";
import { Board } from "../boards/board";
import { PieceShape } from "../boards/pieces";
import { columnLetter } from "../lib/cells";
import { pieceName } from "../lib/format";
import { useLatest } from "../lib/use";
import { Dialog } from "../widgets/dialog";
import { notifyError } from "../widgets/live";
import { open, position } from "./store";
import * as words from "./words";

interface Tool {
  player: Player;
  kind: string;
}

const PLAYERS: Player[] = [0, 1];

/** Sets up a position by hand: choose a piece, then cells. The server says what the position is in its game's own text. */
export function Editor({ onClose }: { onClose: () => void }) {
  const here = position.value!;
  const { family, columns, rows, players } = here;
  const { kinds } = here.style;
  const [pieces, setPieces] = useState<Piece[]>(here.pieces);
  const [toMove, setToMove] = useState<Player>(here.to_move);
  const [stonesLeft, setStonesLeft] = useState(here.stones_left);
  const [switches, setSwitches] = useState<Draft["switches"]>({});
  const tools: Tool[] = PLAYERS.flatMap((player) => kinds.map(({ kind }) => ({ player, kind })));
  const [tool, setTool] = useState<Tool | null>(tools[0]!);
  const all = Array.from(
    { length: columns * rows },
    (_, n) => `${columnLetter(n % columns)}${1 + Math.floor(n / columns)}`,
  );
  // Discs fall: only the lowest free cell of a column can be filled, and only the highest disc taken away.
  const taken = new Set(pieces.map((piece) => piece.cell));
  const free = family === "drop" ? dropCells(columns, rows, taken, tool === null) : all;
  const draft: Draft = { pieces, to_move: toMove, stones_left: stonesLeft, switches };
  const compose = () => {
    const { game, start, moves } = here;
    return api.compose({ game, start, moves: moves.map((played) => played.move) }, draft);
  };
  const composed = useLatest(JSON.stringify(draft), compose);
  const shown: Position = {
    ...here,
    pieces,
    to_move: tool?.player ?? toMove,
    position: JSON.stringify(draft),
    last: [],
    check: null,
    outcome: null,
    threats: null,
    winning: [],
    legal: free.map((cell) => ({ move: cell, text: cell, from: null, to: cell, promotion: null, also: [] })),
  };
  const put = (cell: string) => {
    const before = pieces.find((piece) => piece.cell === cell);
    const others = pieces.filter((piece) => piece.cell !== cell);
    const same = before && tool && before.kind === tool.kind && before.player === tool.player;
    setPieces(tool && !same ? [...others, { cell, ...tool }] : others);
  };
  const begin = async () => {
    try {
      const start = await api.position({ game: here.game, start: null, moves: [] });
      setPieces(start.pieces);
      setToMove(start.to_move);
      setStonesLeft(start.stones_left);
      setSwitches({});
    } catch (error) {
      notifyError(error);
    }
  };
  const done = async () => {
    try {
      const { position: start } = await compose();
      if (await open({ game: here.game, start, moves: [] })) onClose();
    } catch (error) {
      notifyError(error);
    }
  };
  const name = (one: Tool) => `${players[one.player]} ${pieceName(one.kind, kinds)}`;
  return (
    <Dialog title={words.EDITOR} onClose={onClose} wide>
      <div class="editor">
        <Board position={shown} onMove={(move) => put(move.to!)} label={words.EDITOR_BOARD} />
        <div>
          <div class="palette" role="group" aria-label={words.PIECES}>
            {tools.map((one) => (
              <button
                key={name(one)}
                type="button"
                aria-label={name(one)}
                aria-pressed={tool?.kind === one.kind && tool.player === one.player}
                onClick={() => setTool(one)}
              >
                {family === "squares" ? (
                  <svg viewBox="0 0 100 100" aria-hidden="true">
                    <PieceShape kind={one.kind} player={one.player} />
                  </svg>
                ) : (
                  <>
                    <span class={`swatch ${family} p${one.player}`} /> {players[one.player]}
                  </>
                )}
              </button>
            ))}
            <button type="button" aria-pressed={tool === null} onClick={() => setTool(null)}>
              {words.ERASE}
            </button>
          </div>
          <div class="row">
            <button type="button" onClick={() => setPieces([])}>
              {words.CLEAR}
            </button>
            <button type="button" onClick={() => void begin()}>
              {words.START_POSITION}
            </button>
          </div>
          <div class="row">
            <label class="grow">
              <span class="unseen">{words.TO_MOVE}</span>
              <select
                value={toMove}
                onChange={(event) => setToMove(Number(event.currentTarget.value) as Player)}
              >
                {PLAYERS.map((player) => (
                  <option key={player} value={player}>
                    {words.toMove(players[player])}
                  </option>
                ))}
              </select>
            </label>
            {stonesLeft !== null && (
              <label class="grow">
                <span class="unseen">{words.STONES_LEFT}</span>
                <select
                  value={stonesLeft}
                  onChange={(event) => setStonesLeft(Number(event.currentTarget.value))}
                >
                  <option value={1}>{words.ONE_STONE}</option>
                  <option value={2}>{words.TWO_STONES}</option>
                </select>
              </label>
            )}
          </div>
          {composed?.choices && (
            <Choices
              choices={composed.choices}
              chosen={switches}
              onChange={(name, on) => setSwitches({ ...switches, [name]: on })}
            />
          )}
          <p class="faint setup-text">{composed?.position}</p>
          <button type="button" class="primary" onClick={() => void done()}>
            {words.USE_POSITION}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface ChoicesProps {
  choices: NonNullable<Composed["choices"]>;
  /** What was chosen, though the server may not have heard of it yet. */
  chosen: Draft["switches"];
  onChange: (name: string, on: boolean) => void;
}

/** What there is to choose besides the pieces; what they do not allow cannot be chosen. */
function Choices({ choices, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset class="choices">
      <legend>{choices.title}</legend>
      {choices.switches.map(({ name, on, enabled }) => (
        <label key={name} class="row check">
          <input
            type="checkbox"
            checked={enabled && (chosen[name] ?? on)}
            disabled={!enabled}
            onChange={(event) => onChange(name, event.currentTarget.checked)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function dropCells(columns: number, rows: number, taken: Set<string>, erasing: boolean): string[] {
  return Array.from({ length: columns }, (_, x) => columnLetter(x)).flatMap((letter) => {
    let height = 0;
    while (taken.has(`${letter}${height + 1}`)) height += 1;
    if (erasing) return height > 0 ? [`${letter}${height}`] : [];
    return height < rows ? [`${letter}${height + 1}`] : [];
  });
}
