/** Signs for buttons, drawn so that they look the same with every font. */
const PATHS = {
  first: "M6 5v14M18 5l-7 7 7 7-7-7z",
  back: "M15 5l-7 7 7 7-7-7z",
  forward: "M9 5l7 7-7 7 7-7z",
  last: "M18 5v14M6 5l7 7-7 7 7-7z",
  flip: "M8 4v15M4 8l4-4 4 4M16 20V5M12 16l4 4 4-4",
  play: "M8 5l10 7-10 7z",
  stop: "M7 7h10v10H7z",
  pause: "M8 6v12M16 6v12",
  type: "M8 4h8M12 4v16M8 20h8",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
