import { useEffect, useState } from "preact/hooks";
import type { Clock, Player } from "../api/types";
import { clockText } from "../lib/format";

interface ClockFaceProps {
  clock: Clock;
  player: Player;
  /** When the server's numbers arrived, on the browser's own clock. */
  receivedAt: number;
}

const TICK_MS = 100;
const LITTLE_MS = 20_000;

/** One side's clock; between two messages of the server it runs by itself. */
export function ClockFace({ clock, player, receivedAt }: ClockFaceProps) {
  const running = clock.running === player;
  const [, redraw] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => redraw((n) => n + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  const left = clock.left[player] - (running ? performance.now() - receivedAt : 0);
  const kind = `clock ${running ? "running" : ""} ${left < LITTLE_MS ? "little" : ""}`;
  return (
    <span class={kind} role="timer">
      {clockText(left)}
    </span>
  );
}
