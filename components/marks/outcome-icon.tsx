import type { Outcome } from "@/lib/domain/deletion";

/** The outcome of a file without its word; null: none yet. */
export function OutcomeIcon({ outcome }: { outcome: Outcome | null }) {
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={outcome === "unknown" ? "text-unknown-text" : ""}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
    >
      {SHAPES[outcome ?? "waiting"]}
    </svg>
  );
}

const NOT_DONE = <path d="M3 3l10 10M13 3 3 13" />;

const SHAPES = {
  waiting: <rect x="2" y="2" width="12" height="12" strokeWidth="1.5" />,
  deleted: <path d="M2 8.7 6 12.7 14 3.3" strokeWidth="2.2" />,
  already_gone: <path d="M1.5 8h13" strokeWidth="2.2" />,
  changed: NOT_DONE,
  still_there: NOT_DONE,
  forbidden: NOT_DONE,
  expired: NOT_DONE,
  undone: <path d="M6 3 2 7l4 4M2 7h8a4 4 0 0 1 0 7H7" />,
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.4" strokeWidth="1.6" strokeDasharray="2.6 2.43" />
      <path
        d="M6.2 6.6c0-1.1.8-1.8 1.9-1.8s1.8.7 1.8 1.6c0 1.3-1.8 1.3-1.8 2.6"
        strokeWidth="1.6"
      />
      <rect x="7.2" y="10.2" width="1.8" height="1.8" fill="currentColor" stroke="none" />
    </>
  ),
} as const;
