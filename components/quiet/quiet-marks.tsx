"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/zone";
import { quietQuery } from "@/lib/client/queries/quiet";
import { useNow } from "@/lib/client/use-now";
import type { Expectation } from "@/lib/contracts/quiet";
import { concerns } from "@/lib/domain/quiet/planned-quiet";
import { quietText, whatText } from "./words";

type Planned = { all: readonly Expectation[]; offsetMs: number };
const NONE: Planned = { all: [], offsetMs: 0 };
const PlannedContext = createContext<Planned>(NONE);

/** Brings the company's planned quiet times to the marks below; before they come there are none. */
export function QuietProvider({ children }: { children: ReactNode }) {
  const planned = usePlanned();
  return <PlannedContext value={planned}>{children}</PlannedContext>;
}

function usePlanned(): Planned {
  const { slug } = useLiveCompany();
  const { data } = useQuery(quietQuery(slug));
  return useMemo(
    () => (data === undefined ? NONE : { all: data.data, offsetMs: data.api_clock_offset_ms }),
    [data],
  );
}

/** On an endpoint's line: that it is quiet now as planned, why, and until when. */
export function EndpointQuiet({ id, partner }: { id: string; partner: string }) {
  const planned = useContext(PlannedContext);
  return (
    <Mark
      all={planned.all.filter((one) => concerns(scopeOf(one), { id, partner }))}
      offsetMs={planned.offsetMs}
    />
  );
}

/** On a partner's line: the same, where all its endpoints are. */
export function PartnerQuiet({ partner }: { partner: string }) {
  const planned = useContext(PlannedContext);
  return (
    <Mark all={planned.all.filter((one) => isOfAll(one, partner))} offsetMs={planned.offsetMs} />
  );
}

function Mark({ all, offsetMs }: Planned) {
  const text = useTexts({ all, offsetMs }, (one) => one)[0];
  if (text === undefined) return null;
  return (
    <span className="ml-1.5 inline-flex text-ink-2" title={text}>
      <QuietIcon />
      <span className="sr-only">, {text}</span>
    </span>
  );
}

/**
 * Beside the verdict of a partner or an endpoint: each planned quiet time that lasts now.
 * @param endpointId null: of the partner, those of single endpoints of it included
 */
export function QuietNote({ partner, endpointId }: { partner: string; endpointId: string | null }) {
  const { all, offsetMs } = usePlanned();
  const own = all.filter((one) =>
    endpointId === null
      ? isOfAll(one, partner) || one.partner_name === partner
      : concerns(scopeOf(one), { id: endpointId, partner }),
  );
  const withName = (text: string, one: Expectation) =>
    endpointId === null && one.endpoint_id !== null ? `${text} (${whatText(one)})` : text;
  const texts = useTexts({ all: own, offsetMs }, withName);
  return texts.map((text) => (
    <p key={text} className="mt-1.5 flex items-start gap-[7px] text-xs text-ink-2">
      <span className="mt-[3px]">
        <QuietIcon />
      </span>
      {text}
    </p>
  ));
}

/** What is said of those that are quiet now. */
function useTexts(
  { all, offsetMs }: Planned,
  told: (text: string, one: Expectation) => string,
): readonly string[] {
  const timeZone = useZone();
  return useNow((nowMs) => {
    const apiNowMs = nowMs + offsetMs;
    const quiet = all.filter((one) => isNow(one, apiNowMs));
    return quiet.map((one) => told(quietText(one, apiNowMs, timeZone), one)).join("\n");
  })
    .split("\n")
    .filter((text) => text !== "");
}

function isNow({ quiet }: Expectation, apiNowMs: number): boolean {
  if (quiet === null || Date.parse(quiet.from) > apiNowMs) return false;
  return quiet.until === null || Date.parse(quiet.until) > apiNowMs;
}

function isOfAll({ partner_name: of, endpoint_id: id }: Expectation, partner: string): boolean {
  return id === null && (of === null || of === partner);
}

const scopeOf = ({ partner_name: partner, endpoint_id: endpointId }: Expectation) => ({
  partner,
  endpointId,
});

/** A moon, in ink since it is no verdict. Its words stand beside it. */
function QuietIcon() {
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
