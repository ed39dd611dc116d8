import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useAnswer } from "../lib/use";
import { DeleteButton } from "../widgets/delete";
import { notify, notifyError } from "../widgets/live";
import { replaceStudy, study } from "./store";

const LONGEST_TITLE = 120;

type Kept = typeof study.value & { title: string };

/** The study on the server that the open analysis was saved as or loaded from. */
const current = signal<{ id: string; title: string } | null>(null);

/** Analyses that the server keeps. */
export function StudyPanel() {
  const [round, setRound] = useState(0);
  const all = useAnswer(`studies ${round}`, api.studies) ?? [];
  const [title, setTitle] = useState(current.value?.title ?? "");
  const again = () => setRound(round + 1);
  const save = async () => {
    const body: Kept = { ...study.value, title: title.trim() || "Untitled" };
    try {
      if (current.value?.title === body.title) await api.saveStudy(current.value.id, body);
      else current.value = { id: (await api.newStudy(body)).id, title: body.title };
      notify(`Saved as ${body.title}.`);
      again();
    } catch (error) {
      notifyError(error);
    }
  };
  const load = async (id: string) => {
    try {
      const { title: name, ...kept } = await api.study<Kept>(id);
      replaceStudy(kept);
      current.value = { id, title: name };
      setTitle(name);
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <details class="card-box options">
      <summary>Saved analyses{all.length > 0 && ` (${all.length})`}</summary>
      <div class="row saved">
        <label class="grow">
          <span class="unseen">Title</span>
          <input
            value={title}
            placeholder="Title"
            maxLength={LONGEST_TITLE}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <button type="button" onClick={() => void save()}>
          Save
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
    </details>
  );
}
