"use client";

import { useThen } from "@/components/drill-down/linked-moment";
import { PartnerNotes } from "@/components/drill-down/partner-notes";
import { LinkedThenAndNow } from "@/components/drill-down/then-and-now/linked-then-and-now";
import { useLastListed } from "@/components/drill-down/last-listed";
import { allEndpoints, removed } from "@/components/drill-down/words";
import { Crumbs } from "@/components/shell/crumbs";
import { useLiveCompany } from "@/components/shell/live-company";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { useNow } from "@/lib/client/use-now";
import type { RemovedFeed } from "@/lib/contracts/endpoint/removed-feed";
import { partnerPath } from "@/lib/domain/partner-address";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { EndpointPast, useEndpointPast } from "./past";
import { RawFields } from "./raw-fields";
import { Runs } from "./runs";
import { notListed } from "./words";

/** The history of a feed that the API no longer lists. Default export for `lazyPart`. */
export default function RemovedEndpoint({
  feed: { id, endpointKey, partnerName, lastListedMs, cadenceMs },
  notes,
}: {
  feed: RemovedFeed;
  notes: PartnerNotes;
}) {
  const { slug, name: companyName, source } = useLiveCompany();
  const { data: past } = useEndpointPast(id);
  const then = useThen();
  const sayWhen = useLastListed();
  const nowMs = useNow((ms) => Math.floor(ms / MINUTE_MS) * MINUTE_MS);
  const apiNowMs = nowMs + source.api_clock_offset_ms;
  return (
    <>
      <PageHead
        above={
          <Crumbs
            trail={[
              { label: partnerName, href: partnerPath(slug, partnerName) },
              { label: endpointKey, href: null },
            ]}
          />
        }
        title={
          <>
            {partnerName} / <span className="font-mono">{endpointKey}</span>
          </>
        }
        below={
          <>
            <p className="text-ink-2">
              {notListed.title}. {removed.sentence(sayWhen(lastListedMs))}
            </p>
            <PartnerNotes partner={partnerName} endpointId={id} first={notes} />
          </>
        }
        actions={
          <Link href={`/${slug}`} className="button-link">
            {allEndpoints(companyName)}
          </Link>
        }
      />
      {then === null ? null : (
        <LinkedThenAndNow
          partnerName={partnerName}
          endpointId={id}
          atMs={then.atMs}
          rows={NO_ROWS}
        />
      )}
      <div className="two-columns is-even">
        <div className="min-w-0">
          <Runs endpointId={id} apiNowMs={apiNowMs} />
        </div>
        <div className="min-w-0">
          <EndpointPast
            id={id}
            endpointKey={endpointKey}
            status={null}
            timing={{ cadenceMs, staleAfterMs: null }}
            apiNowMs={apiNowMs}
          />
          <RawFields history={past} apiNowMs={apiNowMs} />
        </div>
      </div>
    </>
  );
}

const NO_ROWS: readonly never[] = [];
