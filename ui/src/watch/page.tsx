import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import { examples } from "../lib/games";
import { hashOf, lineOf, replaceHash, route } from "../lib/route";
import { Featured } from "../widgets/featured";
import { notifyError } from "../widgets/live";
import { Breadcrumb, NodeBoard } from "./board";
import { VisitsChart } from "./chart";
import { Controls, openFile } from "./controls";
import { Detail } from "./detail";
import { IcicleView, unit } from "./icicle-view";
import { Legend } from "./legend";
import { RootMoves } from "./root-moves";
import { Scrubber } from "./scrubber";
import { Status } from "./status";
import {
  abandon,
  isOpen,
  line,
  openExample,
  root,
  scale,
  search,
  setLine,
  tree,
  zoom,
  zoomed,
} from "./store";
import { TechniquePanel } from "./technique-panel";
import "../styles/watch.css";

/** Watches a search go through its tree, live or from a file. */
export function WatchPage() {
  const { query } = route.value;
  const [dropping, setDropping] = useState(false);
  // The address says what is to be watched, unless it is on the page already.
  useEffect(() => {
    const wanted = lineOf(query);
    if (wanted && JSON.stringify(wanted) !== JSON.stringify(line.value)) setLine(wanted);
    search.value = query.get("search") ?? search.value;
  }, [query]);
  const base = line.value;
  useEffect(() => {
    replaceHash(hashOf("watch", null, { ...base, moves: base.moves.join(","), search: search.value }));
  }, [base, search.value]);
  useEffect(() => {
    let current = true;
    root.value = null;
    api.position(base).then((answer) => {
      if (current) root.value = answer;
    }, notifyError);
    return () => {
      current = false;
    };
  }, [base]);
  useEffect(() => abandon, []);
  return (
    // Files may be dropped anywhere; there is a button for those who do not drag.
    <main
      class={`watch ${dropping ? "dropping" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        void openFile(event.dataTransfer?.files[0]);
      }}
    >
      <h1 class="unseen">Watch a search</h1>
      <Featured
        words="Watch a search go through its tree while it runs: where the work goes, what is cut, and when it changes its mind."
        cards={examples()
          .filter((one) => one.featured)
          .map((one) => ({
            name: one.name,
            words: one.aim,
            chosen: isOpen(one),
            open: () => openExample(one),
          }))}
      />
      <Controls />
      <div class="watch-view">
        <div class="watch-main">
          <Status />
          <Scrubber />
          <div class="card-box icicle-card">
            {tree.value.length > 0 && (
              <div class="row">
                <Breadcrumb at={zoomed.value} onGo={zoom} />
                <label class="row width-choice">
                  <span>Width</span>
                  <select
                    value={scale.value}
                    onChange={(event) => {
                      scale.value = event.currentTarget.value === "root" ? "root" : "linear";
                    }}
                  >
                    <option value="linear">{unit()}</option>
                    <option value="root">square root of {unit()}</option>
                  </select>
                </label>
              </div>
            )}
            <IcicleView />
            <Legend />
          </div>
          <VisitsChart />
          <RootMoves />
          <TechniquePanel />
        </div>
        <aside class="panel watch-side">
          <NodeBoard />
          <Detail />
        </aside>
      </div>
    </main>
  );
}
