import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Demonstration, Lesson, Setting } from "../api/lessons";
import { hashOf, replaceHash, route } from "../lib/route";
import { useLatest } from "../lib/use";
import { GrowthView } from "./growth";
import { KeysView } from "./keys";
import { NoiseView } from "./noise";
import { PuctView } from "./puct";
import { SelfPlayView } from "./self-play";
import { TechniqueView } from "./technique";

type Chosen = Record<string, number>;

/** What an address chooses of a lesson's numbers, as far as they can be that; the usual ones otherwise. */
function chosenBy(query: URLSearchParams, settings: Setting[]): Chosen {
  return Object.fromEntries(
    settings.map(({ name, least, most, usual }) => {
      const wanted = query.get(name);
      const number = Number(wanted);
      return [name, wanted !== null && number >= least && number <= most ? number : usual];
    }),
  );
}

/** A lesson that is measured: its numbers, and what came of them. */
export function Measured({ lesson }: { lesson: Lesson }) {
  const { query } = route.value;
  const [chosen, setChosen] = useState(() => chosenBy(query, lesson.settings));
  useEffect(() => setChosen(chosenBy(query, lesson.settings)), [query]);
  const key = JSON.stringify([lesson.name, chosen]);
  useEffect(() => {
    const changed = lesson.settings.filter(({ name, usual }) => chosen[name] !== usual);
    const numbers = changed.map(({ name }) => [name, String(chosen[name])]);
    replaceHash(hashOf("learn", null, { lesson: lesson.name, ...Object.fromEntries(numbers) }));
  }, [key]);
  const shown = useLatest(key, () => api.demonstrate(lesson.name, chosen));
  return (
    <>
      {lesson.settings.length > 0 && (
        <div class="row toolbar learn-bar">
          {lesson.settings.map((setting) => (
            <NumberField
              key={setting.name}
              setting={setting}
              value={chosen[setting.name]!}
              onChange={(value) => setChosen({ ...chosen, [setting.name]: value })}
            />
          ))}
        </div>
      )}
      {shown ? (
        <Shown lesson={lesson} shown={shown} />
      ) : (
        <p class="faint" role="status">
          Measuring…
        </p>
      )}
    </>
  );
}

interface NumberFieldProps {
  setting: Setting;
  value: number;
  onChange: (value: number) => void;
}

function NumberField({ setting, value, onChange }: NumberFieldProps) {
  const { label, least, most, step } = setting;
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={least}
        max={most}
        step={step}
        value={value}
        onChange={(event) => {
          const field = event.currentTarget;
          const wanted = Math.max(least, Math.min(most, Number(field.value)));
          const next = step === 1 ? Math.round(wanted) : wanted;
          field.value = String(next);
          onChange(next);
        }}
      />
    </label>
  );
}

function Shown({ lesson, shown }: { lesson: Lesson; shown: Demonstration }) {
  switch (shown.kind) {
    case "growth":
      return <GrowthView growth={shown} />;
    case "keys":
      return <KeysView keys={shown} />;
    case "technique":
      return <TechniqueView game={lesson.game} cases={shown.cases} />;
    case "puct":
      return <PuctView lesson={lesson} puct={shown} />;
    case "noise":
      return <NoiseView lesson={lesson} noise={shown} />;
    case "self_play":
      return <SelfPlayView lesson={lesson} played={shown} />;
  }
}
