"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { IncidentIcon } from "@/components/marks/incident-icon";
import { calledName, Initials, NO_ONE_YET, whoIsOn } from "@/components/marks/on-it";
import { LinkedThenAndNow } from "@/components/drill-down/then-and-now/linked-then-and-now";
import { usePartnerRows } from "@/components/drill-down/partner-rows";
import { shareButtonProps } from "@/components/drill-down/share/share-button-props";
import { TellCustomer } from "@/components/drill-down/tell-customer";
import { useThen } from "@/components/drill-down/linked-moment";
import { Crumbs } from "@/components/shell/crumbs";
import { useLiveCompany, usePageIsAbout } from "@/components/shell/live-company";
import { useTabTitle } from "@/components/shell/use-tab-title";
import { useZone } from "@/components/shell/time/zone";
import { Empty, Loading } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { popupButton } from "@/components/ui/popup-button";
import { Unbroken } from "@/components/ui/unbroken";
import { PageHead } from "@/components/ui/page-head";
import { incidentQuery } from "@/lib/client/queries/incident";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Incident, IncidentView as View } from "@/lib/contracts/incidents";
import { partnerPath } from "@/lib/domain/partner-address";
import { moment } from "@/lib/domain/words/format";
import { incidentHeadline } from "@/lib/domain/words/incident-headline";
import { Ending } from "./ended-list";
import { Hands } from "./ownership-panel";
import { headlineOf, openTexts, seenFrom, spokenEndingOf } from "./incident-text";
import { Members } from "./members";
import { VerdictNow } from "./open-list";
import { Timeline } from "./timeline";
import { UsOrThem } from "./us-or-them";
import { INCIDENTS, incidentWords, listWords, notLoaded, thenWords } from "./words";

const Share = popupButton("dialog", () => import("./incident-share"));

/**
 * One incident of the page's company.
 * @param first server data of the page; null: the database was unavailable
 * @param firstRows the partner's endpoints, as rendered by the server
 * @param personId who is signed in
 * @param mayShare whether this person may share it with people without an account
 * @param mayHandle whether this person may acknowledge, own and note
 */
export function IncidentView({
  id,
  first,
  firstRows,
  personId,
  mayHandle,
  mayShare,
}: {
  id: number;
  first: View | null;
  firstRows: readonly SyncStatusRow[];
  personId: string;
  mayHandle: boolean;
  mayShare: boolean;
}) {
  const { slug, asOf, confidence } = useLiveCompany();
  const { data: received, isError } = useQuery({
    ...incidentQuery(slug, id),
    ...(first !== null && { initialData: first }),
  });
  const data = useMemo(
    () => received && seenFrom(received, { asOf, confidence }),
    [received, asOf, confidence],
  );
  const then = useThen();
  const open = data?.members.filter(({ ended_at: endedAt }) => endedAt === null) ?? [];
  usePageIsAbout(open.map(({ endpoint_id: endpoint }) => endpoint).join(" "));
  const rows = usePartnerRows(data?.partner_name ?? "", firstRows);
  if (data === undefined) {
    return isError ? (
      <Empty heading="h1" title={notLoaded.title}>
        {notLoaded.sentence}
      </Empty>
    ) : (
      <Loading className="mx-6 min-h-[300px] max-sm:mx-3.5" />
    );
  }
  const frozen = confidence === "blind" ? "is-frozen" : "";
  return (
    <div className={`is-${confidence} ${frozen}`}>
      <PageHead
        className="border-b border-line-strong"
        above={
          <Crumbs
            trail={[
              { label: INCIDENTS, href: `/${slug}/incidents` },
              { label: String(id), href: null },
            ]}
          />
        }
        title={<Headline incident={data} />}
        below={<Facts incident={data} />}
        actions={<Share {...shareButtonProps()} incident={data} rows={rows} mayLink={mayShare} />}
      />
      {/* In the order of one column, so that a partly loaded page doesn't move. */}
      <div className="two-columns gap-y-0 pt-4 lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 lg:col-start-2">
          <Hands incident={data} personId={personId} mayHandle={mayHandle} />
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          {then === null || rows.length === 0 ? null : (
            <LinkedThenAndNow partnerName={data.partner_name} atMs={then.atMs} rows={rows} />
          )}
          <Members incident={data} rows={rows} />
          <Timeline incident={data} />
        </div>
        <aside aria-label={incidentWords.beside} className="min-w-0 lg:col-start-2">
          {data.state === "open" && rows.length > 0 ? (
            <TellCustomer partnerName={data.partner_name} rows={rows} />
          ) : null}
          {data.state === "open" ? <UsOrThem incident={data} /> : null}
          <ThenAndNow incident={data} />
        </aside>
      </div>
    </div>
  );
}

function Headline({ incident }: { incident: Incident }) {
  const { name } = useLiveCompany();
  const timeZone = useZone();
  const said = useNow((nowMs) =>
    incidentHeadline(headlineOf(incident), {
      nowMs: nowMs + incident.api_clock_offset_ms,
      timeZone,
    }),
  );
  useTabTitle(incidentWords.title(incident.partner_name, name));
  return <Unbroken text={said} />;
}

const FACTS = "mt-2 flex flex-wrap items-center gap-x-[18px] gap-y-1.5 text-ink-2";
const FACT = "inline-flex items-center gap-[7px]";

/** Severity, owner and acknowledgement, and the most overdue endpoint. */
function Facts({ incident }: { incident: Incident }) {
  const timeZone = useZone();
  const onSince = useNow((nowMs) => openTexts(incident, nowMs, timeZone).onSince);
  const overdue = useNow((nowMs) => openTexts(incident, nowMs, timeZone).overdue);
  const feeds = incident.members.filter(({ ended_at: endedAt }) => endedAt === null).length;
  const who = whoIsOn(incident.acknowledged);
  const ending = spokenEndingOf(incident);
  if (ending !== null) {
    return (
      <p className={FACTS}>
        <Ending ending={ending} />
      </p>
    );
  }
  return (
    <p className={FACTS}>
      <span className={FACT}>
        <VerdictNow incident={incident} />
      </span>
      <span className={`${FACT} ${who === null ? "font-strong text-ink" : ""}`}>
        <IncidentIcon isAcknowledged={who !== null} />
        {who === null ? listWords.unacknowledged : listWords.acknowledged}
      </span>
      <span className={`${FACT} text-ink`}>
        <Initials person={who} />
        {who === null ? NO_ONE_YET : calledName(who)}
        <span className="text-xs text-ink-3">{onSince}</span>
      </span>
      {overdue === "" ? null : (
        <span className={FACT}>{incidentWords.furthest(overdue, feeds)}</span>
      )}
    </p>
  );
}

/** Link to the partner's state when the incident opened. */
function ThenAndNow({ incident }: { incident: Incident }) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const at = useNow((nowMs) => moment(Date.parse(incident.opened_at), nowMs, timeZone));
  const partner = partnerPath(slug, incident.partner_name);
  return (
    <section className="panel" aria-labelledby="incident-then">
      <header>
        <h2 id="incident-then">{thenWords.heading}</h2>
      </header>
      <dl className="key-values">
        <dt>{thenWords.opened}</dt>
        <dd>
          <Link
            href={`${partner}?at=${encodeURIComponent(incident.opened_at)}`}
            className="underline"
          >
            {thenWords.partnerAt(incident.partner_name, at)}
          </Link>
        </dd>
        <dt>{thenWords.now}</dt>
        <dd>
          <Link href={partner} className="underline">
            {incident.partner_name}
          </Link>
        </dd>
      </dl>
    </section>
  );
}
