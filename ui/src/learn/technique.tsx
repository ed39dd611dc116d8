import type { ComparedCase, Iteration } from "../api/lessons";
import type { Line, Position } from "../api/types";
import { exact, scoreText } from "../lib/format";
import { GROUPS } from "../watch/techniques";
import { TableBox } from "../widgets/table-box";
import { LogChart } from "./log-chart";
import { usePosition, WalkBoard } from "./walk-board";

const LINE_SHOWN = 6;
const NAMES = new Map(
  GROUPS.flatMap(([, techniques]) => techniques.map(([counter, name]) => [counter, name])),
);

/** Positions that were searched with a technique and without it. */
export function TechniqueView({ game, cases }: { game: string; cases: ComparedCase[] }) {
  return (
    <div class="measured" data-lesson="technique">
      {cases.map((one) => (
        <CaseView key={one.caption} line={{ game, start: one.start, moves: one.moves }} measured={one} />
      ))}
    </div>
  );
}

function CaseView({ line, measured }: { line: Line; measured: ComparedCase }) {
  const root = usePosition(line);
  const { caption, counted } = measured;
  const without = measured.without ?? [];
  if (!root) return null;
  const depths = [...Array(Math.max(measured.with.length, without.length)).keys()];
  const last = measured.with.at(-1);
  return (
    <section class="case" aria-label={caption}>
      <div class="case-board">
        <WalkBoard root={root} line={line} moves={[]} />
      </div>
      <div class="case-words">
        <p>{caption}</p>
        <TableBox label="Nodes, values and best moves">
          <table class="open-nodes lesson-table">
            <thead>
              {without.length > 0 && (
                <tr>
                  <td />
                  <th scope="colgroup" colSpan={3}>
                    With it
                  </th>
                  <th scope="colgroup" colSpan={3}>
                    Without it
                  </th>
                </tr>
              )}
              <tr>
                <th scope="col">Depth</th>
                <SideHead />
                {without.length > 0 && <SideHead />}
              </tr>
            </thead>
            <tbody>
              {depths.map((index) => (
                <tr key={index}>
                  <td>{index + 1}</td>
                  <Side iteration={measured.with[index]} root={root} />
                  {without.length > 0 && <Side iteration={without[index]} root={root} />}
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
        {last && (
          <p class="faint">
            The line{without.length > 0 && " with it"}: {last.line.slice(0, LINE_SHOWN).join(" ")}
            {counted.map(([name, times]) => (
              <span key={name}>
                {" "}
                · {NAMES.get(name) ?? name}: {exact(times)}
              </span>
            ))}
          </p>
        )}
      </div>
      {without.length > 0 && (
        <LogChart
          label="Nodes to each depth"
          depths={depths.map((index) => index + 1)}
          curves={[
            { name: "with it", values: measured.with.map(({ nodes }) => nodes) },
            { name: "without it", values: without.map(({ nodes }) => nodes) },
          ]}
        />
      )}
    </section>
  );
}

const SideHead = () => (
  <>
    <th scope="col">Nodes</th>
    <th scope="col">Value</th>
    <th scope="col">Best</th>
  </>
);

function Side({ iteration, root }: { iteration: Iteration | undefined; root: Position }) {
  if (!iteration) return <td colSpan={3}>too many nodes</td>;
  return (
    <>
      <td>{exact(iteration.nodes)}</td>
      <td>{scoreText(iteration.value, root.style.scores)}</td>
      <td>{iteration.line[0]}</td>
    </>
  );
}
