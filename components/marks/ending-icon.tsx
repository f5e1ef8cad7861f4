import type { ReactNode } from "react";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { IncidentEnding } from "@/lib/domain/incidents/incident";
import type { Spoken } from "@/lib/domain/words/incident-words";

/** How an incident ended; only a recovery has colour. Its word is beside it. */
export function EndingIcon({ ending }: { ending: Spoken<IncidentEnding> }) {
  if (ending === "paused") return <VerdictIcon shape="paused" size={11} />;
  if (ending === "became_webhook") return <VerdictIcon shape="webhook" size={11} />;
  return (
    <svg
      className="icon"
      data-verdict={ending === "recovered" ? "fresh" : undefined}
      width="11"
      height="11"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
    >
      {SHAPES[ending]}
    </svg>
  );
}

const MOON = (
  <path
    d="M13.9 10.1A6.3 6.3 0 0 1 5.9 2.1 6.3 6.3 0 1 0 13.9 10.1Z"
    fill="currentColor"
    stroke="none"
  />
);

type Drawn = Exclude<Spoken<IncidentEnding>, "paused" | "became_webhook">;
const SHAPES: Readonly<Record<Drawn, ReactNode>> = {
  recovered: <path d="M2 8.6 6.2 12.8 14 4" strokeWidth="2.2" />,
  removed: <path d="M2.5 8h11" strokeWidth="2.4" />,
  expected: MOON,
  resting: MOON,
  schedule_changed: (
    <path
      d="M1.5 5h11M9.6 1.8 12.8 5 9.6 8.2M14.5 11h-11M6.4 7.8 3.2 11l3.2 3.2"
      strokeWidth="1.7"
    />
  ),
  eased: <path d="M2 10c2-4 4-4 6-1.5s4 2.5 6-1.5" strokeWidth="1.9" />,
  mixed: (
    <>
      <circle cx="8" cy="8" r="5.9" strokeWidth="1.7" />
      <path d="M8 2.1a5.9 5.9 0 0 1 0 11.8Z" fill="currentColor" stroke="none" />
    </>
  ),
};
