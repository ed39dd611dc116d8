import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { chartColour } from "../lib/colours";
import { axisLook, CURVES } from "../lib/plots";
import { useTheme } from "../lib/use";
import { type Axis, aligned, type Chart, type Curve, placeText } from "./curves";
import * as words from "./words";
import "../styles/curves.css";

const HEIGHT = 190;
/** The first curve of a run is a plain line. */
const DASHES = [[], [7, 5], [2, 4], [12, 4, 2, 4]];

/** Curves of one or several runs, with a legend that tells the values under the pointer. */
export function CurveChart({ chart, axis }: { chart: Chart; axis: Axis }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const { title, about, curves, shares = false } = chart;
  const data = aligned(curves);
  /** The place under the pointer. */
  const [place, setPlace] = useState<number | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new uPlot(
      {
        ...options(curves, axis, shares, element.clientWidth),
        hooks: {
          draw: [(chart) => drawIntervals(chart, curves)],
          setCursor: [({ cursor, data: [places] }) => setPlace(places[cursor.idx ?? -1] ?? null)],
        },
      },
      data,
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [JSON.stringify(data), curves.map(({ name }) => name).join("|"), axis, theme]);
  const last = curves.map(({ name, points }) => `${name} ${valueText(points.at(-1)!.y, shares)}`);
  return (
    <section class="card-box curves" aria-label={title}>
      <h2>{title}</h2>
      {about && <p class="faint">{about}</p>}
      <div
        ref={box}
        style={{ minHeight: `${HEIGHT}px` }}
        role="img"
        aria-label={words.chartEnd(title, last)}
      />
      <ul class="plain curve-legend">
        {curves.map((curve) => (
          <li key={curve.name}>
            <svg viewBox="0 0 26 8" aria-hidden="true">
              <path
                d="M0 4H26"
                stroke={chartColour(curve.run)}
                stroke-width={3}
                stroke-dasharray={dashOf(curve).join(" ")}
              />
            </svg>
            {curve.name} <b>{legendText(curve, place, shares)}</b>
          </li>
        ))}
        <li class="faint">{place === null ? "at the end" : `${AT[axis]} ${placeText(place, axis)}`}</li>
      </ul>
    </section>
  );
}

const AT: Record<Axis, string> = { generations: "at generation", seconds: "after", games: "after games:" };

const dashOf = ({ nth }: Curve): number[] => DASHES[nth % DASHES.length]!;

/** The value of a curve under the pointer, or the last one. */
function legendText({ points }: Curve, place: number | null, shares: boolean): string {
  const point = place === null ? points.at(-1) : points.find(({ x }) => x === place);
  if (!point) return "–";
  const error = point.error === undefined ? "" : ` ± ${Math.round(point.error)}`;
  return valueText(point.y, shares) + error;
}

/** The values that a chart has to have room for, intervals included. */
function reach(curves: Curve[]): [number, number] {
  const all = curves.flatMap(({ points }) => points.flatMap(({ y, error = 0 }) => [y - error, y + error]));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = (most - least || Math.abs(most) || 1) * 0.06;
  return [least - room, most + room];
}

function valueText(value: number, shares: boolean): string {
  if (shares) return `${Math.round(100 * value)}%`;
  return String(Number(value.toFixed(Math.abs(value) < 10 ? 3 : 1)));
}

function options(curves: Curve[], axis: Axis, shares: boolean, width: number): uPlot.Options {
  const look = axisLook();
  return {
    width,
    height: HEIGHT,
    ...CURVES,
    scales: { x: { time: false }, y: { range: shares ? [0, 1] : reach(curves) } },
    axes: [
      {
        ...look,
        size: 26,
        // Generations and games are whole.
        incrs:
          axis === "seconds" ? undefined : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6],
        values: (_, ticks) => ticks.map((tick) => placeText(tick, axis)),
      },
      { ...look, size: 46, values: (_, ticks) => ticks.map((tick) => valueText(tick, shares)) },
    ],
    series: [
      {},
      ...curves.map((curve) => ({
        stroke: chartColour(curve.run),
        width: 2,
        dash: dashOf(curve),
        spanGaps: true,
        points: { show: curve.points.length < 40, size: 6, fill: chartColour(curve.run) },
      })),
    ],
  };
}

/** What is likely around each point. */
function drawIntervals(plot: uPlot, curves: Curve[]): void {
  const { ctx } = plot;
  ctx.save();
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = 2;
  for (const { run, points } of curves) {
    ctx.strokeStyle = chartColour(run);
    for (const { x, y, error } of points) {
      if (error === undefined) continue;
      const place = plot.valToPos(x, "x", true);
      ctx.beginPath();
      ctx.moveTo(place, plot.valToPos(y - error, "y", true));
      ctx.lineTo(place, plot.valToPos(y + error, "y", true));
      ctx.stroke();
    }
  }
  ctx.restore();
}
