import type { ReactElement } from "react";

const PATHS = {
  back: "M15 6l-6 6 6 6",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5V12l3 2",
  cross: "M6 6l12 12M18 6L6 18",
  document: "M7 3h7l4 4v14H7zM14 3v4h4",
  link: "M14 5h5v5M19 5l-8 8M17 14v5H5V7h5",
  alert: "M12 4l9 16H3zM12 10v4M12 17v.1",
  bell: "M6 17v-6a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  plus: "M12 5v14M5 12h14",
  run: "M6 6v12M6 12h8a4 4 0 0 0 4-4V6M6 4.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM6 16.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM18 4.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  again: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
  ban: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM6 6l12 12",
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration beside a word that says the same; where an icon stands alone, its control carries the name. */
export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      data-icon={name}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
