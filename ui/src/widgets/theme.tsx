import { effect } from "@preact/signals";
import { stored } from "../lib/stored";

type Theme = "auto" | "light" | "dark";

const theme = stored<Theme>("theme", "auto");
const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const SIGNS: Record<Theme, string> = { auto: "◐", light: "☀", dark: "☾" };

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});

export function ThemeSwitch() {
  const label = `Colours: ${theme.value}`;
  return (
    <button
      type="button"
      class="quiet icon"
      aria-label={label}
      title={label}
      onClick={() => {
        theme.value = NEXT[theme.value];
      }}
    >
      {SIGNS[theme.value]}
    </button>
  );
}
