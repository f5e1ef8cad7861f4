"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useSyncExternalStore } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/zone";
import { CopyButton } from "@/components/ui/copy-button";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { customerWords } from "@/lib/domain/customer-words";
import { instantMs } from "@/lib/domain/instant";
import { zoneCity } from "@/lib/domain/zone-name";
import { useJudge } from "./partner-rows";

/** A paragraph to read out or paste, in the zone of whoever will read it. */
export function TellCustomer({
  partnerName,
  rows,
}: {
  partnerName: string;
  rows: readonly SyncStatusRow[];
}) {
  const { asOf, confidence, silence } = useLiveCompany();
  const viewerZone = useZone();
  const [asked, setAsked] = useQueryState("customer_tz", parseAsString);
  const timeZone = isZone(asked) ? asked : viewerZone;
  const judge = useJudge();
  const words = useNow(
    (nowMs) => {
      const { judged, apiNowMs } = judge(rows, nowMs);
      const picture = { confidence, asOfMs: instantMs(asOf), silence };
      return customerWords(partnerName, judged, picture, { nowMs: apiNowMs, timeZone });
    },
    (a, b) => a.paragraph === b.paragraph && a.writtenFrom === b.writtenFrom,
  );
  return (
    <section className="panel" aria-labelledby="tell">
      <header>
        <h2 id="tell" tabIndex={-1}>
          What do I tell the customer?
        </h2>
      </header>
      <blockquote className="text-[14px] leading-[22px]">{words.paragraph}</blockquote>
      <p className="mt-2 mb-3 text-xs text-ink-3">{words.writtenFrom}</p>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={() => words.paragraph}>Copy paragraph</CopyButton>
        <ZoneSelect
          value={timeZone}
          own={viewerZone}
          onChange={(zone) => void setAsked(zone === viewerZone ? null : zone)}
        />
      </div>
    </section>
  );
}

/** Leads to the paragraph, which may be far below. */
export function TellLink({ className = "" }: { className?: string }) {
  return (
    <a href="#tell" className={`button-link ${className}`}>
      What do I tell the customer?
    </a>
  );
}

const never = () => () => {};
const NONE: readonly string[] = [];
const noZones = () => NONE;
let zonesHere: readonly string[] | null = null;
const allZones = () => (zonesHere ??= Intl.supportedValuesOf("timeZone"));

/** The zones of the world, once the page is alive: the server's list may be another one. */
function ZoneSelect({
  value,
  own,
  onChange,
}: {
  value: string;
  own: string;
  onChange: (zone: string) => void;
}) {
  const all = useSyncExternalStore(never, allZones, noZones);
  const zones = useMemo(() => [...new Set([own, value, "UTC", ...byCity(all)])], [own, value, all]);
  return (
    <label className="flex min-w-0 items-center gap-2 text-xs text-ink-2">
      <span className="whitespace-nowrap">Time zone</span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-[30px] w-[118px] min-w-0 rounded border border-control bg-surface px-1.5 text-ink max-sm:h-11"
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zoneCity(zone)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Typing the first letters of a city finds its zone. */
function byCity(zones: readonly string[]): string[] {
  return zones.toSorted((a, b) => (zoneCity(a) < zoneCity(b) ? -1 : 1));
}

function isZone(name: string | null): name is string {
  if (name === null) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
