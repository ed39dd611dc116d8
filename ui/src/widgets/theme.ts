import { effect } from "@preact/signals";
import { stored } from "../lib/stored";

export type Theme = "auto" | "light" | "dark";

/** The colours of the page: those of the system, or always light or dark. */
export const theme = stored<Theme>("theme", "auto");

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
