import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { chartColour, colour } from "../lib/colours";
import { count } from "../lib/format";
import { axisLook, CURVES } from "../lib/plots";
import { useTheme } from "../lib/use";
import type { Frame } from "./recording";
import { frame, frameIndex, frames, goToFrame } from "./store";

/** Lines of so many moves; the others would only be a thicket at the bottom. */
export const CHARTED = 7;
const HEIGHT = 190;
/** The moves that were visited most in the end, the most visited first. */
export function chartedMoves(): string[] {
  const last = frames.value.at(-1);
  if (!last) return [];
  return [...last.rootMoves]
    .sort(([, a], [, b]) => b - a)
    .slice(0, CHARTED)
    .map(([move]) => move);
}

/** Seconds, then the visits of each move. */
export function chartData(all: Frame[], moves: string[]): uPlot.AlignedData {
  return [
    all.map((one) => one.us / 1e6),
    ...moves.map((move) => all.map((one) => one.rootMoves.get(move) ?? 0)),
  ];
}

/** How the visits of the root's moves grew; a click goes to that moment. */
export function VisitsChart() {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const all = frames.value;
  const moves = chartedMoves();
  const shown = frame.value?.kind === "snapshot" && all.length > 1;
  const names = moves.join();
  const theme = useTheme();
  useEffect(() => {
    const element = box.current;
    if (!element || !shown) return;
    const made = new uPlot(options(moves, element.clientWidth), chartData(all, moves), element);
    plot.current = made;
    made.over.addEventListener("click", () => {
      const index = made.cursor.idx;
      if (index !== null && index !== undefined) goToFrame(index);
    });
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [names, shown, theme]);
  // New frames and another moment only change the data and the line of the moment.
  useEffect(() => plot.current?.setData(chartData(all, moves)), [all.length, frameIndex.value]);
  if (!shown) return null;
  const best = moves[0];
  return (
    <section class="card-box visits-chart" aria-label="Visits over time">
      <h2>Visits of the root's moves over time</h2>
      <div
        ref={box}
        role="img"
        aria-label={`Visits of the root's moves over time; ${best} has most, ${count(all.at(-1)?.rootMoves.get(best ?? "") ?? 0)}`}
      />
    </section>
  );
}

function options(moves: string[], width: number): uPlot.Options {
  const axis = axisLook();
  return {
    width,
    height: HEIGHT,
    ...CURVES,
    scales: { x: { time: false } },
    axes: [
      { ...axis, size: 26, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
      { ...axis, size: 46, values: (_, ticks) => ticks.map((tick) => count(tick)) },
    ],
    series: [
      {},
      ...moves.map((move, place) => ({
        label: move,
        stroke: chartColour(place),
        width: place === 0 ? 3 : 2,
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [
        (chart) => {
          const here = frame.value;
          if (!here) return;
          const x = chart.valToPos(here.us / 1e6, "x", true);
          const { top, height } = chart.bbox;
          chart.ctx.strokeStyle = colour("--accent");
          chart.ctx.lineWidth = 2;
          chart.ctx.beginPath();
          chart.ctx.moveTo(x, top);
          chart.ctx.lineTo(x, top + height);
          chart.ctx.stroke();
        },
      ],
    },
  };
}
