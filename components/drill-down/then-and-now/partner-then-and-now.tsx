"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { refusedMoment } from "@/components/grid/past/refused-moment";
import { useNow } from "@/lib/client/use-now";
import { partnerThenQuery } from "@/lib/client/queries/history";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { ThenView } from "@/lib/contracts/history";
import { instantMs, iso } from "@/lib/domain/time/instant";
import { atMoment } from "@/lib/domain/words/dates";
import { ThenAndNow, type ThenRow } from "./then-and-now";
import { useAt } from "@/components/drill-down/linked-moment";
import { thenAndNow } from "./words";

/**
 * What the sender of this link saw of a partner or one of its endpoints, compared with now. Default
 * export for `lazyPart`.
 * @param atMs null: the link has no valid time
 * @param rows rows to show, in their current state
 */
export default function PartnerThenAndNow({
  partnerName,
  endpointId,
  atMs,
  rows,
}: {
  partnerName: string;
  endpointId?: string;
  atMs: number | null;
  rows: readonly SyncStatusRow[];
}) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const { data, isError, error } = useQuery({
    ...partnerThenQuery(slug, partnerName, atMs === null ? "" : iso(atMs), endpointId),
    enabled: atMs !== null,
  });
  const gapFromMs = instantMs(data?.gap?.from ?? null);
  const when = useNow((nowMs) => (atMs === null ? "" : atMoment(atMs, nowMs, timeZone)));
  const note = isError ? thenAndNow.notLoaded : gapFromMs === null ? "" : thenAndNow.unseen(when);
  const then = useMemo(() => (data === undefined ? null : thenRows(data)), [data]);
  const problem = refusedMoment(atMs, error);
  if (atMs === null || problem !== null)
    return (
      <>
        <RefusedMoment problem={problem ?? ""} />
        <BackToLive />
      </>
    );
  return (
    <>
      <ThenAndNow
        atMs={gapFromMs ?? atMs}
        wasBlind={gapFromMs !== null}
        then={then}
        note={note}
        rows={rows}
      />
      <BackToLive />
    </>
  );
}

/** Exported for tests. @param problem why nothing of that moment can be shown */
export function RefusedMoment({ problem }: { problem: string }) {
  return (
    <section className="panel" aria-labelledby="then-and-now">
      <header>
        <h2 id="then-and-now">{thenAndNow.heading}</h2>
        <p role="status">{problem}</p>
      </header>
    </section>
  );
}

function BackToLive() {
  const [, setAt] = useAt();
  return (
    <Button className="mb-4" onClick={() => setAt(null)}>
      {thenAndNow.backToLive}
    </Button>
  );
}

function thenRows({ endpoints }: ThenView): ThenRow[] {
  return endpoints.map((endpoint) => ({
    id: endpoint.id,
    endpointKey: endpoint.endpoint_key,
    word: endpoint.verdict ?? endpoint.last_seen?.verdict ?? null,
    isFrozen: endpoint.verdict === null && endpoint.last_seen !== null,
    landedMs: instantMs(endpoint.landed_at),
    cadenceMs: endpoint.frequency_minutes === null ? null : endpoint.frequency_minutes * 60_000,
  }));
}
