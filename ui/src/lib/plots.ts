import type uPlot from "uplot";
import { colour } from "./colours";

/** What every axis looks like. */
export function axisLook(): uPlot.Axis {
  return {
    stroke: colour("--faint"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px sans-serif",
  };
}

/** What every plot of curves has in common: it is looked at, not dragged, and its legend is elsewhere. */
export const CURVES = {
  cursor: { y: false, drag: { x: false, y: false } },
  legend: { show: false },
} satisfies Partial<uPlot.Options>;
