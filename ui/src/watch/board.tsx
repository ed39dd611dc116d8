import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import { Board } from "../boards/board";
import { useAnswer } from "../lib/use";
import { Icon } from "../widgets/icon";
import { hovered, line, recording, root, running, select, selected, setLine, tree } from "./store";
import { movesOf, pathOf } from "./tree";

/** The pointer rests so long on a node before its position is asked for. */
const REST_MS = 80;
/** What a trace writes for a null move, which the rules may not know. */
const NULL_MOVE = "pass";

/** The position of the selected node, or of the one under the pointer, with the line that leads there. */
export function NodeBoard() {
  const pointed = useRested(hovered.value);
  const nodes = tree.value;
  const at = pointed !== null && nodes[pointed] ? pointed : selected.value;
  const played = nodes.length > 0 ? movesOf(nodes, at) : [];
  // No rules know the position after a null move, so the one before it is shown.
  const passed = root.value?.style.passes ? -1 : played.indexOf(NULL_MOVE);
  const known = passed >= 0 ? played.slice(0, passed) : played;
  const base = line.value;
  const moves = [...base.moves, ...known];
  const here = useAnswer(JSON.stringify([base, moves]), () => api.position({ ...base, moves })) ?? root.value;
  const atRoot = at === 0 || nodes.length === 0;
  const [flipped, setFlipped] = useState(false);
  if (!here) return null;
  const change = atRoot && !running.value && here === root.value;
  return (
    <div class="node-board">
      <Board
        position={here}
        flipped={flipped}
        label="Position at this node"
        onMove={change ? (move) => setLine({ ...base, moves: [...base.moves, move.move] }) : undefined}
      />
      <div class="row board-line">
        <p class="grow" data-line={played.join(" ")}>
          {atRoot ? `${here.players[here.to_move]} to move: the position that is searched` : played.join(" ")}
          {passed >= 0 && " (the board stands before the pass)"}
        </p>
        {atRoot && base.moves.length > 0 && !running.value && (
          <button
            type="button"
            class="quiet"
            onClick={() => setLine({ ...base, moves: base.moves.slice(0, -1) })}
          >
            Undo
          </button>
        )}
        <button
          type="button"
          class="quiet icon"
          aria-label="Flip the board"
          title="Flip the board"
          onClick={() => setFlipped(!flipped)}
        >
          <Icon name="flip" />
        </button>
      </div>
      {atRoot && change && recording.value.frames.length === 0 && (
        <small class="faint">Play a move on the board to search another position.</small>
      )}
    </div>
  );
}

/** A value once it has stayed for a moment, so that a pointer on its way asks for nothing. */
function useRested(value: number | null): number | null {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), value === null ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** From the root to the node that fills the width, each a way back out. */
export function Breadcrumb({ at, onGo }: { at: number; onGo: (node: number) => void }) {
  const nodes = tree.value;
  if (nodes.length === 0) return null;
  return (
    <nav class="breadcrumb" aria-label="Zoom">
      {pathOf(nodes, at).map((node) => (
        <button
          key={node}
          type="button"
          class="quiet"
          aria-current={node === at ? "true" : undefined}
          onClick={() => {
            onGo(node);
            select(node);
          }}
        >
          {nodes[node]!.move || "Whole tree"}
        </button>
      ))}
    </nav>
  );
}
