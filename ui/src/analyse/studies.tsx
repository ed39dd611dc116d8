import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import { useAnswer } from "../lib/use";
import { DeleteButton } from "../widgets/delete";
import { notify, notifyError } from "../widgets/live";
import { replaceStudy, study } from "./store";

const LONGEST_TITLE = 120;

type Kept = Omit<typeof study.value, "saved"> & { title: string };

/** Analyses that the server keeps. */
export function StudyPanel() {
  const [round, setRound] = useState(0);
  const all = useAnswer(`studies ${round}`, api.studies) ?? [];
  const { saved, ...open } = study.value;
  const [title, setTitle] = useState("");
  // The title is that of the study that is open.
  useEffect(() => setTitle(saved?.title ?? ""), [saved?.id]);
  const again = () => setRound(round + 1);
  const save = async () => {
    const body: Kept = { ...open, title: title.trim() || "Untitled" };
    try {
      if (saved?.title === body.title) await api.saveStudy(saved.id, body);
      else {
        const { id } = await api.newStudy(body);
        study.value = { ...study.value, saved: { id, title: body.title } };
      }
      notify(`Saved as ${body.title}.`);
      again();
    } catch (error) {
      notifyError(error);
    }
  };
  const load = async (id: string) => {
    try {
      const { title: name, ...kept } = await api.study<Kept>(id);
      replaceStudy({ ...kept, saved: { id, title: name } });
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
