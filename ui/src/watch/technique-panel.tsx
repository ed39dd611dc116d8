import { Fragment } from "preact";
import { count } from "../lib/format";
import { techniquesUpTo } from "./recording";
import { type Saving, savings } from "./savings";
import { frame, frameIndex, frames } from "./store";
import { countedGroups } from "./techniques";

/** What each technique of the alpha-beta search did. */
export function TechniquePanel() {
  const here = frame.value;
  if (here?.kind !== "iteration") return null;
  const all = techniquesUpTo(frames.value, frameIndex.value);
  const record = here.record?.record === "iteration" ? here.record : null;
  const known: Map<string, Saving> = record ? savings(record) : new Map();
  return (
    <section class="card-box techniques" aria-label="Techniques">
      <h2>What the techniques did</h2>
      <div class="technique-groups">
        {countedGroups(all).map(([title, rows]) => {
          const estimated = rows.some(([counter]) => known.has(counter));
          return (
            <table key={title} class="numbers">
              <thead>
                <tr>
                  <th scope="col">{title}</th>
                  <th scope="col">Depth {here.amount}</th>
                  <th scope="col">So far</th>
                  {estimated && <th scope="col">Cost</th>}
                  {estimated && <th scope="col">Saved</th>}
                </tr>
              </thead>
              <tbody>
                {rows.map(([counter, name, words]) => {
                  const saving = known.get(counter);
                  return (
                    <Fragment key={counter}>
                      <tr data-technique={counter}>
                        <th scope="row">{name}</th>
                        <td>{count(here.techniques[counter] ?? 0)}</td>
                        <td>{count(all[counter] ?? 0)}</td>
                        {estimated && <td>{saving && count(saving.spent)}</td>}
                        {estimated && (
                          <td>{saving && saving.saved !== null ? `≈ ${count(saving.saved)}` : ""}</td>
                        )}
                      </tr>
                      {words && (
                        <tr class="words">
                          <td colSpan={estimated ? 5 : 3}>{words}</td>
                        </tr>
                      )}
                    </Fragment>
                  );
                })}
              </tbody>
            </table>
          );
        })}
      </div>
      <small class="faint">
        The counts are exact, for the first thread and the whole depth. Cost and saving are in nodes and speak
        of the plies shown here alone: cost is what visits with this technique took, and the saving is an
        estimate, which compares them with the mean of those that were searched in full to the same depth in
        this iteration. It flatters: what is cut short would often have been cheaper than the mean.
      </small>
    </section>
  );
}
