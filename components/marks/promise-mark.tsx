import type { PromiseState } from "@/lib/domain/deadlines/deadline";

/** The mark of a promise, always beside its words: a flag, a check, a block, or hatching for what wasn't checked. */
export function PromiseMark({ state }: { state: PromiseState }) {
  return (
    <svg
      className={`inline-block size-[11px] flex-none ${COLOUR[state]}`}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      aria-hidden="true"
    >
      {SHAPE[state]}
    </svg>
  );
}

const CLOCK = (
  <>
    <circle cx="8" cy="8" r="6.2" />
    <path d="M8 4.5V8l2.5 1.7" />
  </>
);
const SHAPE = {
  at_risk: <path d="M3.2 15V1.4M3.2 2.2h10.2l-2.6 3.4 2.6 3.4H3.2" />,
  missed: <rect x="4" y="1" width="9" height="14" fill="currentColor" stroke="none" />,
  met: <path d="M2 8.6 6.2 12.8 14 4" strokeWidth="2.2" />,
  open: CLOCK,
  being_checked: CLOCK,
  not_observed: <path d="M2 6 6 2M2 11 11 2M4 14 14 4M9 14l5-5" strokeWidth="1.5" />,
  excused: <path d="M3 8h10" strokeDasharray="2 2" />,
} as const;
const COLOUR: Readonly<Record<PromiseState, string>> = {
  at_risk: "text-ink",
  missed: "text-ink",
  met: "text-fresh-mark",
  open: "text-ink-3",
  being_checked: "text-ink-3",
  not_observed: "text-ink-3",
  excused: "text-ink-3",
};
