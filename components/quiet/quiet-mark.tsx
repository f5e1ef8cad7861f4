"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { Expectation } from "@/lib/contracts/quiet";
import { activeOf, type Planned } from "./covered";
import { quietText } from "./words";

/** Beside a verdict: the first active one, why, and until when. */
export function QuietMark({ all, offsetMs }: Planned) {
  const text = useQuietTexts({ all, offsetMs }, (one) => one)[0];
  if (text === undefined) return null;
  return (
    <span className="ml-1.5 inline-flex text-ink-2" title={text}>
      <QuietIcon />
      <span className="sr-only">, {text}</span>
    </span>
  );
}

/** Texts of the active quiet times. */
export function useQuietTexts(
  { all, offsetMs }: Planned,
  describe: (text: string, one: Expectation) => string,
): readonly string[] {
  const timeZone = useZone();
  return useNow((nowMs) => {
    const apiNowMs = nowMs + offsetMs;
    const quiet = activeOf(all, apiNowMs);
    return quiet.map((one) => describe(quietText(one, apiNowMs, timeZone), one)).join("\n");
  })
    .split("\n")
    .filter((text) => text !== "");
}

/** A moon, in ink because it is no verdict. Its text is beside it. */
export function QuietIcon() {
  return (
    <svg className="icon" width="11" height="11" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d="M13.6 10.2A6.2 6.2 0 0 1 5.8 2.4a6.2 6.2 0 1 0 7.8 7.8Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinejoin="round"
      />
    </svg>
  );
}
