import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import { gameLabel } from "../lib/games";
import { lineThrough, ROOT } from "../lib/tree";
import { useAnswer } from "../lib/use";
import { DeleteButton } from "../widgets/delete";
import { notify, notifyError } from "../widgets/live";
import * as words from "./file-words";
import { forget, type Left, left } from "./left";
import { type KeptStudy, openStudy, replaceWork, study } from "./store";

const LONGEST_TITLE = 120;

/** Analyses that the server keeps. */
export function StudyPanel() {
  const [round, setRound] = useState(0);
  const all = useAnswer(`studies ${round}`, api.studies) ?? [];
  const { saved, key, ...open } = study.value;
  const [title, setTitle] = useState("");
  // The title is that of the study that is open.
  useEffect(() => setTitle(saved?.title ?? ""), [saved?.id]);
  const again = () => setRound(round + 1);
  const save = async () => {
    const body: KeptStudy = { ...open, title: title.trim() || words.UNTITLED };
    try {
      if (saved?.title === body.title) await api.saveStudy(saved.id, body);
      else {
        const { id } = await api.newStudy(body);
        study.value = { ...study.value, saved: { id, title: body.title } };
      }
      notify(words.savedAs(body.title));
      again();
    } catch (error) {
      notifyError(error);
    }
  };
  const load = async (id: string) => {
    try {
      await openStudy(id);
    } catch (error) {
      notifyError(error);
    }
  };
  // What is open here is not left.
  const others = left.value.filter((one) => one.study.key !== key);
  return (
    <details class="card-box options">
      <summary>{words.saved(all.length)}</summary>
      <div class="row saved">
        <label class="grow">
          <span class="unseen">{words.TITLE}</span>
          <input
            value={title}
            placeholder={words.TITLE}
            maxLength={LONGEST_TITLE}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <button type="button" onClick={() => void save()}>
          {words.SAVE}
        </button>
      </div>
      <ul class="plain">
        {all.map((one) => (
          <li key={one.id} class="row">
            <button type="button" class="quiet grow" title={one.title} onClick={() => void load(one.id)}>
              {one.title}
            </button>
            <DeleteButton
              what={one.title}
              onDelete={() => api.deleteStudy(one.id).then(again, notifyError)}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h3>{words.LEFT}</h3>
          <ul class="plain">
            {others.map((one) => (
              <LeftStudy key={one.study.key} left={one} />
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

/** An analysis that was open before, to be taken up again. */
function LeftStudy({ left: { study: one } }: { left: Left }) {
  const name = words.leftStudy(gameLabel(one.game), lineThrough(one.tree, ROOT), one.tags);
  return (
    <li class="row">
      <button type="button" class="quiet grow" title={name} onClick={() => replaceWork(one)}>
        {name}
      </button>
      <DeleteButton what={name} onDelete={() => forget(one.key)} />
    </li>
  );
}
