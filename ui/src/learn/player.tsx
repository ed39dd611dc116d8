import { useEffect, useState } from "preact/hooks";
import { useKeys } from "../lib/use";
import { Icon } from "../widgets/icon";
import { announce, notify } from "../widgets/live";

const PLAY_MS = 1100;

/** Where one can jump to in the steps: cutoffs, or simulations. */
export interface Jump {
  /** What it is called. */
  name: string;
  /** The key for the next one; with shift, the one before. */
  key: string;
  /** The next or previous one from a place in the steps; the answer counts the steps up to and including it. */
  find: (count: number, direction: 1 | -1) => number | null;
}

/** Someone who goes through steps, by keys or by a clock. */
export interface Player {
  /** How many steps are shown. */
  count: number;
  /** How many there are. */
  length: number;
  playing: boolean;
  go: (wanted: number) => void;
  /** What one can jump to. */
  jumpName: string;
  /** Whether there is one to come. */
  hasNext: boolean;
  jump: (direction: 1 | -1) => void;
  toggle: () => void;
}

export function usePlayer(length: number, jump: Jump): Player {
  const [count, setCount] = useState(1);
  const [playing, setPlaying] = useState(false);
  const go = (wanted: number) => {
    const next = Math.max(1, Math.min(length, wanted));
    setCount(next);
    if (next === length) setPlaying(false);
  };
  const find = (direction: 1 | -1) => {
    const found = jump.find(count, direction);
    if (found === null) notify(`There is no ${jump.name} in this direction.`);
    else go(found);
  };
  const toggle = () => setPlaying(!playing);
  // One timer for each step that is shown.
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => go(count + 1), PLAY_MS);
    return () => clearTimeout(timer);
  }, [playing, count]);
  useKeys({
    ArrowRight: () => go(count + 1),
    ArrowLeft: () => go(count - 1),
    Home: () => go(1),
    End: () => go(length),
    [jump.key]: () => find(1),
    [jump.key.toUpperCase()]: () => find(-1),
    p: toggle,
  });
  return {
    count,
    length,
    playing,
    go,
    jumpName: jump.name,
    hasNext: jump.find(count, 1) !== null,
    jump: find,
    toggle,
  };
}

interface StepperProps {
  player: Player;
  /** What kind of step this is. */
  kind: string;
  /** The step in words. */
  words: string;
  /** Whether a move can be played on the board before the first step. */
  movable?: boolean;
  onUndo?: () => void;
}

/** The step in words, and how to go to others. */
export function Stepper({ player, kind, words, movable = false, onUndo }: StepperProps) {
  const { count, length, playing, go } = player;
  useEffect(() => announce(words), [words]);
  return (
    <>
      <div class={`card-box step-words ${kind}`}>
        <p data-step={kind}>{words}</p>
        <small class="faint">
          Step {count} of {length}
          {count === 1 && movable && " · play a move on the board to search another position"}
        </small>
      </div>
      <input
        type="range"
        min={1}
        max={length}
        value={count}
        aria-label="Step"
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <div class="row stepper">
        <button type="button" aria-label="First step" onClick={() => go(1)}>
          <Icon name="first" />
        </button>
        <button type="button" aria-label="Step back" onClick={() => go(count - 1)}>
          <Icon name="back" />
        </button>
        <button
          type="button"
          aria-label="Auto: the steps by themselves"
          aria-pressed={playing}
          onClick={player.toggle}
        >
          Auto
        </button>
        <button type="button" class="primary" aria-label="Step forward" onClick={() => go(count + 1)}>
          <Icon name="forward" />
        </button>
        <button type="button" aria-label="Last step" onClick={() => go(length)}>
          <Icon name="last" />
        </button>
      </div>
      <div class="row">
        <button type="button" class="grow" disabled={!player.hasNext} onClick={() => player.jump(1)}>
          Next {player.jumpName}
        </button>
        {onUndo && (
          <button type="button" onClick={onUndo}>
            Undo move
          </button>
        )}
      </div>
    </>
  );
}
