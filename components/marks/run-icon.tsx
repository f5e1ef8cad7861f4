import { RUN_OUTCOMES } from "@/lib/domain/sync";

/**
 * The tick's position in its slot shows the outcome, then its colour; a completed run is the muted
 * case.
 */
const TICKS: Readonly<Record<string, string>> = {
  completed: "M3 6h2v6H3z",
  failed: "M2.5 0h3v12h-3z",
  timed_out: "M2.5 0h3v4.5h-3zM2.5 7.5h3V12h-3z",
  rate_limited: "M2.5 0h3v6h-3z",
  in_progress: "M2 3h4v9H2zM3 4v7h2V4z",
};

/** How a run ended. Empty for null and for unknown outcomes, which are shown as text. */
export function RunIcon({ outcome }: { outcome: string | null }) {
  if (outcome === null || !RUN_OUTCOMES.some((known) => known === outcome)) return null;
  return (
    <svg
      width="8"
      height="12"
      viewBox="0 0 8 12"
      aria-hidden="true"
      className={`run-${outcome} shrink-0`}
    >
      <path fillRule="evenodd" d={TICKS[outcome]} />
    </svg>
  );
}
