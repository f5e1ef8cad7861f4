"use client";

import { Badge } from "@/components/marks/badge";
import { IncidentIcon } from "@/components/marks/incident-icon";
import { latenessStyle } from "@/components/marks/lateness-style";
import { calledName, Initials, standInText } from "@/components/marks/on-it";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { CompanyCare, CompanySummary } from "@/lib/contracts/dashboard";
import { confidenceNow, confidenceOnScreen } from "@/lib/domain/confidence";
import { needsAttention, totalOf, type Counts } from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL, VERDICT_LABEL } from "@/lib/domain/words/labels";
import { moment, narrowMoment } from "@/lib/domain/words/format";
import { ATTENTION } from "./choose";
import { companyTexts, sameTexts } from "./company-text";
import { VerdictBar } from "./verdict-bar";
import { companyWords as words, listHead } from "./words";

/**
 * Every row has a fixed height, so that only visible ones are rendered; repeated in lists.css.
 */
export const ROW_PX = 32;
export const CARD_PX = 88;
export const CARD_QUERY = "(max-width: 860px)";

/**
 * One company: severity and since when, owner, and data age. Uses few elements, so that a window
 * full of rows renders quickly.
 */
export function CompanyRow({
  company,
  isCounted,
  isServerSilent,
  place,
}: {
  company: CompanySummary;
  /** Whether its numbers are of the filtered partner; otherwise none is shown. */
  isCounted: boolean;
  /** Our server does not respond to this browser. */
  isServerSilent: boolean;
  /** Zero-based. */
  place: number;
}) {
  const { slug, name, source, counts, care } = company;
  const worst = isCounted ? company.worst : null;
  const timeZone = useZone();
  const confidence = useNow((nowMs) =>
    confidenceOnScreen(confidenceNow(source, nowMs), isServerSilent),
  );
  const text = useNow((nowMs) => companyTexts(company, nowMs, timeZone), sameTexts);
  const isRead = source.last_success_at !== null;
  const isFrozen = confidence === "blind";
  const over = latenessStyle(worst?.verdict ?? "fresh");
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-line={slug}
      className={`list-row fleet-row is-${confidence} ${isFrozen ? "is-frozen hatched" : ""}`}
    >
      <span role="rowheader" className="fleet-name truncate font-strong">
        <Link href={`/${slug}`} dir="auto" title={name}>
          {name}
        </Link>
      </span>
      <span role="cell" className="fleet-attention">
        {!isCounted ? (
          <span className="text-xs text-ink-2">{words.notCounted}</span>
        ) : isFrozen ? (
          <span className="text-xs text-ink-2" title={text.was}>
            {isRead ? text.was : words.notKnown}
          </span>
        ) : (
          <>
            {needsAttention(counts) === 0 ? words.none : <Tallies of={ATTENTION} counts={counts} />}
            {counts.unknown === 0 ? null : (
              <Tallies of={["unknown"]} counts={counts} className="ml-(--apart) text-ink-3" />
            )}
          </>
        )}
      </span>
      <span role="cell" className="fleet-bar">
        {isCounted ? (
          <VerdictBar counts={counts} isDelayed={confidence === "delayed"} isFrozen={isFrozen} />
        ) : null}
      </span>
      <span role="cell" className="fleet-endpoints text-right">
        {isRead && isCounted ? totalOf(counts) : ""}
      </span>
      <span
        role="cell"
        className="fleet-worst"
        title={worst === null ? undefined : `${worst.partner_name} / ${worst.endpoint_key}`}
      >
        {worst === null ? null : (
          <>
            <Badge
              word={worst.verdict}
              text={isFrozen ? words.wasVerdict(worst.verdict) : VERDICT_LABEL[worst.verdict]}
              isFrozen={isFrozen}
            />{" "}
            {worst.partner_name} / <span className="font-mono text-xs">{worst.endpoint_key}</span>
          </>
        )}
      </span>
      <span
        role="cell"
        className="fleet-since text-right text-ink-2"
        title={isCounted ? text.since : undefined}
      >
        {isCounted ? narrowMoment(text.since) : ""}
      </span>
      <span role="cell" {...over} className={`fleet-over text-right font-medium ${over.className}`}>
        {isCounted ? text.overdue : ""}
      </span>
      <span role="cell" className="fleet-incidents truncate">
        {isCounted ? <OpenIncidents slug={slug} care={care} /> : null}
      </span>
      <span role="cell" className="fleet-owner truncate">
        <Owner care={care} />
      </span>
      <span role="cell" className="fleet-view" title={text.checked}>
        <ConfidenceIcon confidence={confidence} />
        {isRead ? CONFIDENCE_LABEL[confidence] : words.noCheckYet}
        {isRead ? <span className="font-mono text-xs text-ink-2">{text.age}</span> : null}
      </span>
    </div>
  );
}

/** Endpoints of some verdicts, by shape. */
function Tallies({
  of,
  counts,
  className = "",
}: {
  of: readonly Verdict[];
  counts: Counts;
  className?: string;
}) {
  const worn = of.filter((word) => counts[word] > 0);
  const said = worn.map((word) => `${counts[word]} ${word}`).join(", ");
  return (
    <span role="img" aria-label={said} title={said} className={`tallies ${className}`}>
      {worn.map((word) => [<VerdictIcon key={word} shape={word} size={10} />, counts[word]])}
    </span>
  );
}

/**
 * Number of open unacknowledged incidents, or who acknowledged them all; links to the most
 * important one.
 */
function OpenIncidents({ slug, care }: { slug: string; care: CompanyCare | null }) {
  if (care === null) return words.notKnown;
  const { unacknowledged, next } = care;
  return next === null ? null : (
    <Link
      href={`/${slug}/incidents/${next.id}`}
      title={words.next(next.partner_name)}
      className={unacknowledged > 0 ? "font-strong text-ink" : ""}
    >
      <IncidentIcon isAcknowledged={unacknowledged === 0} />
      <WhoIsOn care={care} />
    </Link>
  );
}

function WhoIsOn({ care: { open, unacknowledged, on_it: people } }: { care: CompanyCare }) {
  if (unacknowledged > 0) return words.unacknowledged(unacknowledged, open);
  const [only, another] = people.map(({ name, is_you: isYou }) => ({ name, isYou }));
  return (
    <>
      {only === undefined ? null : <Initials person={only} />}
      {only === undefined || another !== undefined ? words.acknowledged(open) : calledName(only)}
    </>
  );
}

/** The owner; during a stand-in, who stands in for whom. */
function Owner({ care }: { care: CompanyCare | null }) {
  const timeZone = useZone();
  const standIn = care?.stand_in ?? null;
  const until = useNow((nowMs) =>
    standIn === null || Date.parse(standIn.until) <= nowMs
      ? null
      : moment(Date.parse(standIn.until), nowMs, timeZone),
  );
  if (care === null) return words.notKnown;
  const owner =
    care.owner === null ? words.administrators : care.owner.is_you ? words.you : care.owner.name;
  if (standIn === null || until === null)
    return care.owner?.is_you === true ? (
      <b className="font-strong text-ink">{owner}</b>
    ) : (
      <span className={care.owner === null ? "text-ink-3" : ""} title={owner}>
        {owner}
      </span>
    );
  const name = calledName(calledOf(standIn));
  return (
    <span
      className={standIn.is_you ? "font-strong text-ink" : ""}
      title={words.standsIn(name, owner, until)}
    >
      {standInText(calledOf(standIn), care.owner === null ? null : calledOf(care.owner))}
    </span>
  );
}

const calledOf = ({ name, is_you: isYou }: { name: string; is_you: boolean }) => ({ name, isYou });

/** Header row. */
export function CompanyHead() {
  return (
    <div role="row" aria-rowindex={1} className="list-row fleet-row list-head">
      <span role="columnheader">{listHead.company}</span>
      <span role="columnheader" className="fleet-attention">
        {listHead.attention}
      </span>
      <span role="columnheader" className="fleet-bar">
        {listHead.verdicts}
      </span>
      <span role="columnheader" className="fleet-endpoints text-right">
        {listHead.endpoints}
      </span>
      <span role="columnheader" className="fleet-worst">
        {listHead.worst}
      </span>
      <span role="columnheader" className="fleet-since text-right">
        {listHead.since}
      </span>
      <span role="columnheader" className="fleet-over text-right">
        {listHead.overdue}
      </span>
      <span role="columnheader" className="fleet-incidents">
        {listHead.incidents}
      </span>
      <span role="columnheader" className="fleet-owner">
        {listHead.owner}
      </span>
      <span role="columnheader" className="fleet-view">
        {listHead.confidence}
      </span>
    </div>
  );
}
