import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { chartColour } from "../lib/colours";
import { count } from "../lib/format";
import { axisLook, CURVES } from "../lib/plots";
import { useTheme } from "../lib/use";
import "../styles/curves.css";

const HEIGHT = 300;

/** A curve over depths. */
export interface DepthCurve {
  name: string;
  values: number[];
  /** Whether it is a formula rather than a count. */
  formula?: boolean;
}

interface LogChartProps {
  label: string;
  depths: number[];
  curves: DepthCurve[];
}

/** Curves over depths, on a scale of powers of ten. */
export function LogChart({ label, depths, curves }: LogChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const key = JSON.stringify([depths, curves]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new uPlot(
      {
        ...CURVES,
        width: element.clientWidth,
        height: HEIGHT,
        scales: { x: { time: false }, y: { distr: 3 } },
        axes: [
          { ...axisLook(), size: 26, incrs: [1, 2, 5, 10] },
          { ...axisLook(), size: 64, values: (_, ticks) => ticks.map((tick) => (tick ? count(tick) : "")) },
        ],
        series: [
          {},
          ...curves.map(({ formula }, nth) => ({
            stroke: chartColour(nth),
            width: 2,
            dash: formula ? [6, 5] : [],
            points: { show: !formula, size: 6, fill: chartColour(nth) },
          })),
        ],
      },
      [depths, ...curves.map(({ values }) => values)],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [key, theme]);
  return (
    <section class="card-box curves" aria-label={label}>
      <div ref={box} role="img" aria-label={`${label}; the table has the numbers`} />
      <ul class="plain curve-legend">
        {curves.map(({ name, formula }, nth) => (
          <li key={name}>
            <svg viewBox="0 0 26 8" aria-hidden="true">
              <path
                d="M0 4H26"
                stroke={chartColour(nth)}
                stroke-width={3}
                stroke-dasharray={formula ? "6 5" : ""}
              />
            </svg>
            {name}
          </li>
        ))}
        <li class="faint">over the depth in plies</li>
      </ul>
    </section>
  );
}
