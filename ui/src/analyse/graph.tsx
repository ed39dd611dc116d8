import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { ReviewValue } from "../api/review";
import { colour } from "../lib/colours";
import { signed } from "../lib/format";
import { lostSoFar } from "../lib/review";
import { stored } from "../lib/stored";
import { chances, found, turns, values, wdls } from "./review";
import { goToPly, ply, position, wholeLine } from "./store";
import * as said from "./words";

const HEIGHT = 150;
const stacked = stored("graph-stacked", false);
/** Whether the graph shows what either player has lost so far, where a review counts in units of the score. */
const summed = stored("graph-lost", false);

/** The first player's chance over the game, or wins, draws and losses stacked; a click goes to that move. */
export function Graph() {
  const box = useRef<HTMLDivElement>(null);
  const known = inUnits()
    ? values.value.filter(Boolean).length
    : chances.value.filter((value) => value !== undefined).length;
  const withWdl = wdls.value.some((wdl) => wdl !== null);
  const asLost = summed.value && inUnits();
  const asArea = stacked.value && withWdl && !asLost;
  const shown = known >= 2;
  const data = asLost ? lostData() : asArea ? areaData() : valueData();
  const at = ply.value;
  const first = position.value?.players[0] ?? "";
  const unit = found.value?.unit ?? "";
  const ofUnits = asLost ? said.graphOfLosses(unit) : said.graphOfUnits(first, unit);
  const shows = inUnits() ? ofUnits : said.graphOfChances(first);
  // Drawn anew when what it shows has changed.
  useEffect(() => {
    const element = box.current;
    if (!element || !shown) return;
    const plot = new uPlot(
      {
        ...(asLost ? lostOptions() : asArea ? areaOptions() : valueOptions()),
        width: element.clientWidth,
        height: HEIGHT,
      },
      data,
      element,
    );
    plot.over.addEventListener("click", () => {
      const index = plot.cursor.idx;
      if (index !== null && index !== undefined) goToPly(index);
    });
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [JSON.stringify(data), asArea, asLost, at, shown]);
  if (!shown) return null;
  return (
    <section class="card-box graph" aria-label={said.GRAPH}>
      <small class="faint">{shows}</small>
      <div ref={box} role="img" aria-label={shows} />
      {asArea && (
        <p class="row wdl-legend">
          {(["wins", "draws", "losses"] as const).map((name) => (
            <span key={name} class={`wdl ${name}`}>
              {said.WDL[name]}
            </span>
          ))}
          <span class="faint">{said.ofPlayer(first)}</span>
        </p>
      )}
      {asLost && (
        <p class="row wdl-legend">
          {position.value?.players.map((name, index) => (
            <span key={name} class={`lost-by ${index === 0 ? "first" : "second"}`}>
              {name} {signed(-(data[index + 1]!.at(-1) ?? 0), 0)}
            </span>
          ))}
          <span class="faint">{found.value!.unit}</span>
        </p>
      )}
      {inUnits() && (
        <label class="row check">
          <input
            type="checkbox"
            checked={summed.value}
            onChange={(event) => {
              summed.value = event.currentTarget.checked;
            }}
          />
          {said.LOST_SO_FAR}
        </label>
      )}
      {withWdl && !asLost && (
        <label class="row check">
          <input
            type="checkbox"
            checked={stacked.value}
            onChange={(event) => {
              stacked.value = event.currentTarget.checked;
            }}
          />
          {said.STACKED}
        </label>
      )}
    </section>
  );
}

function plies(): number[] {
  return Array.from({ length: wholeLine.value.length + 1 }, (_, index) => index);
}

function valueData(): uPlot.AlignedData {
  const marked = new Set(turns.value.filter((turn) => turn.mark).map((turn) => turn.to));
  const heights = inUnits()
    ? values.value.map(unitsOf)
    : chances.value.map((value) => (value === undefined ? null : 100 * value));
  return [plies(), heights, heights.map((value, index) => (marked.has(index) ? value : null))];
}

/** Whether the review counts in units of the score: then so does the graph. */
const inUnits = () => found.value !== null && found.value.unit !== "";

function unitsOf(value: ReviewValue | null): number | null {
  if (!value) return null;
  if ("margin" in value.score) return value.score.margin;
  return "centi" in value.score ? value.score.centi / 100 : null;
}

/** What the axis shows: percents, or as many units for either player. */
function range(): { least: number; most: number; text: (tick: number) => string } {
  if (!inUnits()) return { least: 0, most: 100, text: (tick) => `${tick}%` };
  const most = Math.max(10, ...values.value.map((value) => Math.ceil(Math.abs(unitsOf(value) ?? 0))));
  return { least: -most, most, text: (tick) => signed(tick, 0) };
}

/** What either player has lost so far. */
function lostData(): uPlot.AlignedData {
  const count = wholeLine.value.length;
  return [plies(), lostSoFar(turns.value, 0, count), lostSoFar(turns.value, 1, count)];
}

/** Wins below, draws on them, losses on top: the sums are what is drawn. */
function areaData(): uPlot.AlignedData {
  const all = wdls.value;
  const sum = (parts: number) =>
    all.map((wdl) => (wdl ? 100 * wdl.slice(0, parts).reduce((a, b) => a + b, 0) : null));
  return [plies(), sum(3), sum(2), sum(1)];
}

function shared({
  least,
  most,
  text,
}: ReturnType<typeof range>): Omit<uPlot.Options, "series" | "width" | "height"> {
  const axis = {
    stroke: colour("--faint"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: [least, most] } },
    axes: [
      { ...axis, size: 26, font: "11px sans-serif", incrs: [1, 2, 5, 10, 20, 50, 100] },
      {
        ...axis,
        size: 38,
        font: "11px sans-serif",
        splits: [least, (least + most) / 2, most],
        values: (_, ticks) => ticks.map(text),
      },
    ],
    hooks: {
      draw: [
        (plot) => {
          const x = plot.valToPos(ply.value, "x", true);
          const { top, height } = plot.bbox;
          plot.ctx.strokeStyle = colour("--accent");
          plot.ctx.lineWidth = 2;
          plot.ctx.beginPath();
          plot.ctx.moveTo(x, top);
          plot.ctx.lineTo(x, top + height);
          plot.ctx.stroke();
        },
      ],
    },
  };
}

function valueOptions(): Omit<uPlot.Options, "width" | "height"> {
  const warn = colour("--warn");
  return {
    ...shared(range()),
    series: [
      {},
      {
        stroke: colour("--text"),
        width: 2,
        fill: colour("--accent-soft"),
        spanGaps: true,
        points: { show: false },
      },
      { stroke: warn, paths: () => null, points: { show: true, size: 9, fill: warn } },
    ],
  };
}

function lostOptions(): Omit<uPlot.Options, "width" | "height"> {
  const most = Math.max(
    10,
    ...lostData()
      .slice(1)
      .flatMap((lost) => Math.ceil(Number(lost.at(-1) ?? 0))),
  );
  const line = (stroke: string, dash?: number[]) => ({
    stroke,
    width: 2,
    paths: uPlot.paths.stepped!({ align: 1 }),
    points: { show: false },
    ...(dash && { dash }),
  });
  return {
    ...shared({ least: 0, most, text: (tick) => tick.toFixed(0) }),
    series: [{}, line(colour("--text")), line(colour("--accent"), [6, 4])],
  };
}

function areaOptions(): Omit<uPlot.Options, "width" | "height"> {
  const area = (fill: string) => ({ stroke: fill, fill, width: 1, spanGaps: true, points: { show: false } });
  return {
    ...shared({ least: 0, most: 100, text: (tick) => `${tick}%` }),
    series: [{}, area(colour("--losses")), area(colour("--draws")), area(colour("--wins"))],
  };
}
