"use client";

import { Calls } from "@/components/drill-down/calls";
import { useThen } from "@/components/drill-down/linked-moment";
import { OnTimeDays } from "@/components/drill-down/on-time-days";
import { PartnerNotes } from "@/components/drill-down/partner-notes";
import { LinkedThenAndNow } from "@/components/drill-down/then-and-now/linked-then-and-now";
import { useLastListed } from "@/components/drill-down/last-listed";
import { allEndpoints, removed } from "@/components/drill-down/words";
import { Crumbs } from "@/components/shell/crumbs";
import { useLiveCompany } from "@/components/shell/live-company";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import type { RemovedFeed } from "@/lib/contracts/endpoint/removed-feed";
import { endpointPath } from "@/lib/domain/partner-address";
import { notListed } from "./words";

/**
 * The history of a partner that the API no longer lists. Default export for `lazyPart`.
 * @param feeds at least one
 */
export default function RemovedPartner({
  name,
  feeds,
  notes,
}: {
  name: string;
  feeds: readonly RemovedFeed[];
  notes: PartnerNotes;
}) {
  const { slug, name: companyName } = useLiveCompany();
  const then = useThen();
  const sayWhen = useLastListed();
  const when = sayWhen(Math.max(...feeds.map(({ lastListedMs }) => lastListedMs ?? -Infinity)));
  return (
    <>
      <PageHead
        above={<Crumbs trail={[{ label: name, href: null }]} />}
        title={notListed.title(name)}
        below={
          <>
            <p className="text-ink-2">{removed.sentence(when)}</p>
            <PartnerNotes partner={name} endpointId={null} first={notes} />
          </>
        }
        actions={
          <Link href={`/${slug}`} className="button-link">
            {allEndpoints(companyName)}
          </Link>
        }
      />
      {then === null ? null : (
        <LinkedThenAndNow partnerName={name} atMs={then.atMs} rows={NO_ROWS} />
      )}
      <section className="panel" aria-labelledby="removed-feeds">
        <header>
          <h2 id="removed-feeds">{removed.feeds}</h2>
        </header>
        <ul>
          {feeds.map(({ id, endpointKey, lastListedMs }) => {
            const listed = sayWhen(lastListedMs);
            return (
              <li key={id} className="flex flex-wrap gap-x-3 border-t border-line py-1.5 text-xs">
                <Link href={endpointPath(slug, name, id)} className="font-mono hover:underline">
                  {endpointKey}
                </Link>
                <span className="text-ink-3">
                  {listed === null ? "" : removed.lastListed(listed)}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
      <Calls partnerName={name} />
      <OnTimeDays of={{ partner: name }} subject={name} statuses={null} />
    </>
  );
}

const NO_ROWS: readonly never[] = [];
