import type { Figures, Run } from "../api/runs";
import { capital } from "../lib/format";
import * as words from "./words";

/** What the curves are drawn over. */
export type Axis = "generations" | "seconds" | "games";

export interface Point {
  x: number;
  y: number;
  /** Half the width of what is likely. */
  error?: number;
}

/** A line of a chart. */
export interface Curve {
  name: string;
  /** The place of its run among the chosen ones, which gives the colour. */
  run: number;
  /** Which of the curves of its run it is: the others are dashed. */
  nth: number;
  points: Point[];
}

export interface Chart {
  title: string;
  /** What it says to a newcomer. */
  about: string;
  curves: Curve[];
  /** Whether values are shares of a whole. */
  shares?: boolean;
}

const numberOf = (figures: Figures, name: string): number | null => {
  const value = figures[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

/** Where each line of the metrics stands on an axis: seconds and games are those since the beginning of the run, as it says or added up. */
function placesOf(metrics: Figures[], axis: Axis): (number | null)[] {
  let sum = 0;
  return metrics.map((figures) => {
    if (axis === "generations") return numberOf(figures, "generation");
    const [total, ...parts] =
      axis === "games" ? ["total_games", "games"] : ["seconds", "play_seconds", "train_seconds"];
    for (const part of parts) sum += numberOf(figures, part) ?? 0;
    sum = numberOf(figures, total!) ?? sum;
    return sum;
  });
}

/** A figure of the metrics as points; what is missing is left out. */
function metricPoints(run: Run, axis: Axis, name: string): Point[] {
  const places = placesOf(run.metrics, axis);
  return run.metrics.flatMap((figures, index) => {
    const x = places[index] ?? null;
    const y = numberOf(figures, name);
    return x === null || y === null ? [] : [{ x, y }];
  });
}

/** Where a rating stands on an axis. */
function ratingPlace(rating: Figures, axis: Axis): number | null {
  if (axis === "generations") return numberOf(rating, "generation");
  if (axis === "games") return numberOf(rating, "total_games");
  const play = numberOf(rating, "play_seconds");
  return play === null ? null : play + (numberOf(rating, "train_seconds") ?? 0);
}

/** Ratings by opponent: the same opponent may be met with different numbers of playouts. */
function ratingCurves(run: Run, place: number, axis: Axis, several: boolean): Curve[] {
  const curves = new Map<string, Point[]>();
  for (const rating of run.ratings) {
    const x = ratingPlace(rating, axis);
    const y = numberOf(rating, "elo");
    if (x === null || y === null) continue;
    const playouts = numberOf(rating, "playouts");
    const opponent = String(rating.opponent ?? words.AN_OPPONENT);
    const name = words.against(opponent, playouts === null ? null : String(playouts));
    const points = curves.get(name) ?? [];
    const error = numberOf(rating, "elo_error");
    points.push(error === null ? { x, y } : { x, y, error });
    curves.set(name, points);
  }
  return [...curves].map(([name, points], nth) => ({
    name: several ? `${run.name} ${name}` : name,
    run: place,
    nth,
    points: points.sort((a, b) => a.x - b.x),
  }));
}

/** The same figures of each run. */
function metricCurves(runs: Run[], axis: Axis, figures: [string, string][]): Curve[] {
  return runs.flatMap((run, place) =>
    figures.map(([figure, words], nth) => ({
      name: runs.length > 1 ? `${run.name}${words && ` ${words}`}` : words || run.name,
      run: place,
      nth,
      points: metricPoints(run, axis, figure),
    })),
  );
}

/** Charts without a point are left out. */
function withPoints(charts: Chart[]): Chart[] {
  return charts
    .map((chart) => ({ ...chart, curves: chart.curves.filter(({ points }) => points.length > 0) }))
    .filter(({ curves }) => curves.length > 0);
}

/** The charts of the chosen runs that matter most. */
export function chartsOf(runs: Run[], axis: Axis): Chart[] {
  const metric = (...figures: [string, string][]) => metricCurves(runs, axis, figures);
  const charts: Chart[] = [
    {
      ...words.CHARTS.rating,
      curves: runs.flatMap((run, place) => ratingCurves(run, place, axis, runs.length > 1)),
    },
    {
      ...words.CHARTS.policy,
      curves: metric(["policy_loss", ""]),
    },
    {
      ...words.CHARTS.value,
      curves: metric(["value_loss", ""]),
    },
    {
      ...words.CHARTS.length,
      curves: metric(["length", ""]),
    },
    {
      ...words.CHARTS.winners,
      curves: metric(["first_wins", "first player wins"], ["draws", "draws"]),
      shares: true,
    },
  ];
  return withPoints(charts);
}

/** Figures that have a chart of their own, or are what charts are drawn over. */
const ELSEWHERE = ["policy_loss", "value_loss", "length", "first_wins", "draws", "generation", "games"];
const SUMS = ["total_games", "seconds", "play_seconds", "train_seconds"];

/** Charts of whatever else a run has written down, under the names that it has there. */
export function moreChartsOf(runs: Run[], axis: Axis): Chart[] {
  const names = new Set(runs.flatMap((run) => run.metrics.flatMap((figures) => Object.keys(figures))));
  const others = [...names].filter((name) => !ELSEWHERE.includes(name) && !SUMS.includes(name)).sort();
  return withPoints(
    others.map((name) => ({
      title: capital(name.replaceAll("_", " ")),
      about: "",
      curves: metricCurves(runs, axis, [[name, ""]]),
    })),
  );
}

/** Curves over one row of places, as a chart wants them: a curve without a point at a place has null there. */
export function aligned(curves: Curve[]): [number[], ...(number | null)[][]] {
  const places = [...new Set(curves.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const values = curves.map(({ points }) => {
    const known = new Map(points.map(({ x, y }) => [x, y]));
    return places.map((x) => known.get(x) ?? null);
  });
  return [places, ...values];
}

/** All of a list, or so many of it evenly spread, the first and the last among them. */
export function spread<T>(all: T[], most: number): T[] {
  if (all.length <= most) return all;
  return Array.from(
    { length: most },
    (_, index) => all[Math.round((index * (all.length - 1)) / (most - 1))]!,
  );
}

/** A place on an axis in words. */
export function placeText(value: number, axis: Axis): string {
  if (axis !== "seconds") return value >= 10_000 ? `${value / 1000}k` : String(value);
  const short = (number: number) => String(Number(number.toFixed(1)));
  if (value < 120) return `${short(value)} s`;
  return value < 7200 ? `${short(value / 60)} min` : `${short(value / 3600)} h`;
}
