import { useState } from "preact/hooks";
import type { Piece, Player, Position } from "../api/types";
import { Board } from "../boards/board";
import { ChessPiece } from "../boards/pieces";
import { castlingRights, type Right, WINGS } from "../lib/castling";
import { columnLetter } from "../lib/cells";
import { pieceName } from "../lib/format";
import { chessFields, setupText } from "../lib/setup-text";
import { Dialog } from "../widgets/dialog";
import { open, position } from "./store";

interface Tool {
  player: Player;
  kind: string;
}

const CHESS_KINDS = ["K", "Q", "R", "B", "N", "P"];
const PLAYERS: Player[] = [0, 1];

/** Sets up a position by hand: choose a piece, then cells. */
export function Editor({ onClose }: { onClose: () => void }) {
  const here = position.value!;
  const { family, columns, rows, players } = here;
  const [pieces, setPieces] = useState<Piece[]>(here.pieces);
  const [toMove, setToMove] = useState<Player>(here.to_move);
  const [stonesLeft, setStonesLeft] = useState(here.stones_left ?? 1);
  const tools: Tool[] =
    family === "chess"
      ? PLAYERS.flatMap((player) => CHESS_KINDS.map((kind) => ({ player, kind })))
      : PLAYERS.map((player) => ({ player, kind: "disc" }));
  const [tool, setTool] = useState<Tool | null>(tools[0]!);
  const all = Array.from(
    { length: columns * rows },
    (_, n) => `${columnLetter(n % columns)}${1 + Math.floor(n / columns)}`,
  );
  // Discs fall: only the lowest free cell of a column can be filled, and only the highest disc taken away.
  const taken = new Set(pieces.map((piece) => piece.cell));
  const free = family === "drop" ? dropCells(columns, rows, taken, tool === null) : all;
  const [castling, setCastling] = useState<(boolean | null)[]>(WINGS.map(() => null));
  const fenCastling = here.position.split(" ")[2] ?? "-";
  const rights =
    family === "chess"
      ? castlingRights(fenCastling, here.pieces, pieces, here.game.startsWith("chess960"))
      : [];
  // A wing that nobody chose about is as the position had it.
  const castles = rights.map((right, wing) => right !== null && (castling[wing] ?? right.own));
  const letters = rights.map((right, wing) => (castles[wing] ? right?.letter : "")).join("") || "-";
  const changed = toMove !== here.to_move || !samePieces(pieces, here.pieces);
  const fields = chessFields(here.position, letters, changed);
  const shown: Position = {
    ...here,
    pieces,
    to_move: tool?.player ?? toMove,
    position: setupText({ family, columns, rows, pieces, toMove, stonesLeft, chessFields: fields }),
    last: [],
    check: null,
    outcome: null,
    threats: null,
    winning: [],
    legal: free.map((cell) => ({ move: cell, text: cell, from: null, to: cell, promotion: null })),
  };
  const put = (cell: string) => {
    const before = pieces.find((piece) => piece.cell === cell);
    const others = pieces.filter((piece) => piece.cell !== cell);
    const same = before && tool && before.kind === tool.kind && before.player === tool.player;
    setPieces(tool && !same ? [...others, { cell, ...tool }] : others);
  };
  const done = async () => {
    if (await open({ game: here.game, start: shown.position, moves: [] })) onClose();
  };
  const name = (one: Tool) => `${players[one.player]} ${pieceName(one.kind, family)}`;
  return (
    <Dialog title="Set up a position" onClose={onClose} wide>
      <div class="editor">
        <Board position={shown} onMove={(move) => put(move.to!)} label="Board to set up" />
        <div>
          <div class="palette" role="group" aria-label="Pieces">
            {tools.map((one) => (
              <button
                key={name(one)}
                type="button"
                aria-label={name(one)}
                aria-pressed={tool?.kind === one.kind && tool.player === one.player}
                onClick={() => setTool(one)}
              >
                {family === "chess" ? (
                  <svg viewBox="0 0 100 100" aria-hidden="true">
                    <ChessPiece kind={one.kind} player={one.player} />
                  </svg>
                ) : (
                  <>
                    <span class={`swatch ${family} p${one.player}`} /> {players[one.player]}
                  </>
                )}
              </button>
            ))}
            <button type="button" aria-pressed={tool === null} onClick={() => setTool(null)}>
              Erase
            </button>
          </div>
          <div class="row">
            <button type="button" onClick={() => setPieces([])}>
              Clear
            </button>
            <label class="grow">
              <span class="unseen">To move</span>
              <select
                value={toMove}
                onChange={(event) => setToMove(Number(event.currentTarget.value) as Player)}
              >
                {PLAYERS.map((player) => (
                  <option key={player} value={player}>
                    {players[player]} to move
                  </option>
                ))}
              </select>
            </label>
            {here.stones_left !== null && (
              <label class="grow">
                <span class="unseen">Stones left in the turn</span>
                <select
                  value={stonesLeft}
                  onChange={(event) => setStonesLeft(Number(event.currentTarget.value))}
                >
                  <option value={1}>one stone</option>
                  <option value={2}>two stones</option>
                </select>
              </label>
            )}
          </div>
          {family === "chess" && (
            <Castling
              players={players}
              rights={rights}
              checked={castles}
              onChange={(wing, on) => setCastling(castling.with(wing, on))}
            />
          )}
          <p class="faint setup-text">{shown.position}</p>
          <button type="button" class="primary" onClick={() => void done()}>
            Use this position
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface CastlingProps {
  players: [string, string];
  rights: (Right | null)[];
  checked: boolean[];
  onChange: (wing: number, on: boolean) => void;
}

/** Who may still castle where; a wing without king and rook in their places cannot be chosen. */
function Castling({ players, rights, checked, onChange }: CastlingProps) {
  return (
    <fieldset class="castling">
      <legend>Castling</legend>
      {WINGS.map(({ player, side }, wing) => (
        <label key={`${player} ${side}`} class="row check">
          <input
            type="checkbox"
            checked={checked[wing]}
            disabled={rights[wing] === null}
            onChange={(event) => onChange(wing, event.currentTarget.checked)}
          />
          <span>
            {players[player]}, {side} side
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function samePieces(some: Piece[], others: Piece[]): boolean {
  const text = (pieces: Piece[]) => pieces.map(({ cell, player, kind }) => `${cell}${player}${kind}`).sort();
  return text(some).join() === text(others).join();
}

function dropCells(columns: number, rows: number, taken: Set<string>, erasing: boolean): string[] {
  return Array.from({ length: columns }, (_, x) => columnLetter(x)).flatMap((letter) => {
    let height = 0;
    while (taken.has(`${letter}${height + 1}`)) height += 1;
    if (erasing) return height > 0 ? [`${letter}${height}`] : [];
    return height < rows ? [`${letter}${height + 1}`] : [];
  });
}
