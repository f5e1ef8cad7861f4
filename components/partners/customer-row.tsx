"use client";

import { Suspense, useState } from "react";
import { Badge } from "@/components/marks/badge";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { latenessStyle } from "@/components/marks/lateness-style";
import { NextSync } from "@/components/marks/next-sync";
import { calledName, Initials, NO_ONE_YET } from "@/components/marks/on-it";
import { useZone } from "@/components/shell/time/zone";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { PartnerRow } from "@/lib/client/queries/partners/partners-query";
import { partnerPath } from "@/lib/domain/partner-address";
import { iso } from "@/lib/domain/time/instant";
import { instantMs } from "@/lib/domain/time/instant";
import { atMoment } from "@/lib/domain/words/dates";
import { duration, moment, narrowMoment } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { nextTexts, sameNextTexts } from "@/lib/domain/words/next-sync-text";
import { CopyParagraph } from "./copy-paragraph";
import { usePartnerHere, type PartnerHere } from "./partner-here";
import { RowTake } from "./row-take";
import { rows as words } from "./words";

const MarkTold = lazyPart(() => import("./mark-told"));
const OverdueQuiet = lazyPart(() => import("./overdue-quiet"), null);
const DayCells = lazyPart(() => import("./day-cells"), null);

type Given = { row: PartnerRow; place: number; offsetMs: number; partner: string };

/** The partner at one customer. @param given.place zero-based; `offsetMs`: the API's clock minus ours */
export function CustomerRow(given: Given) {
  const { row, place, partner } = given;
  const here = usePartnerHere();
  const { frozenMs } = here;
  const isPlain = row.standing === "behind";
  const isHatched = row.standing === "unseen" || frozenMs !== null;
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-line={row.company}
      className={`pe-row ${isPlain ? "" : "pe-apart"} ${isHatched ? "hatched" : ""}`}
    >
      <span role="cell" className="pe-verdict">
        <Verdict row={row} isFrozen={frozenMs !== null} />
      </span>
      <span role="rowheader" className="pe-customer">
        <Link
          data-primary
          href={partnerPath(row.company, partner) + atQuery(here)}
          dir="auto"
          title={here.nameOf(row.company)}
        >
          {here.nameOf(row.company)}
        </Link>
      </span>
      {isPlain ? <Behind {...given} /> : <Message row={row} />}
      {row.standing === "unseen" ? null : <Since {...given} />}
      <Who row={row} />
      <span role="cell" className="pe-owner">
        {row.owner === null ? (
          <span className="text-ink-3">{words.administrators}</span>
        ) : (
          calledName({ name: row.owner.name, isYou: row.owner.id === here.me.id })
        )}
      </span>
      <span role="cell" className="pe-copy">
        {isPlain ? <Tell row={row} /> : null}
      </span>
      <span role="cell" className="pe-share">
        <Suspense>
          <DayCells company={row.company} />
        </Suspense>
        <span>{row.on_time_month === null ? "" : words.percent(row.on_time_month)}</span>
      </span>
    </div>
  );
}

/** Query of links: empty, or the past instant that the page shows. */
export const atQuery = ({ isPast, atMs }: Pick<PartnerHere, "isPast" | "atMs">) =>
  isPast && atMs !== null ? `?at=${encodeURIComponent(iso(atMs))}` : "";

function Verdict({ row: { standing, verdict }, isFrozen }: { row: PartnerRow; isFrozen: boolean }) {
  if (standing === "unseen" || verdict === null)
    return (
      <span className="badge was">
        <ConfidenceIcon confidence="blind" />
        {words.unseen(isFrozen)}
      </span>
    );
  const isWas = isFrozen || standing !== "behind";
  const label = VERDICT_LABEL[verdict];
  return (
    <Badge
      word={verdict}
      text={isFrozen ? words.was(label.toLowerCase()) : label}
      isFrozen={isWas}
    />
  );
}

function Behind({ row, offsetMs }: Given) {
  const { frozenMs } = usePartnerHere();
  const timeZone = useZone();
  const { feeds, verdict, learned_week } = row;
  const week = learned_week ?? null;
  const dueMs = instantMs(row.overdue_since);
  const nextMs = frozenMs === null ? instantMs(row.next_sync_at) : null;
  const text = useNow(
    (nowMs) => {
      const apiNowMs = (frozenMs ?? nowMs) + offsetMs;
      return {
        // Where not all time counts, a lazy part says how much does.
        overdue: dueMs === null || week !== null ? "" : duration(apiNowMs - dueMs),
        ...nextTexts(nextMs, apiNowMs, timeZone),
      };
    },
    (a, b) => a.overdue === b.overdue && sameNextTexts(a, b),
  );
  const over = latenessStyle(verdict ?? "unknown");
  const rest = feeds.behind - feeds.names.length;
  return (
    <>
      <span role="cell" className="pe-behind">
        {words.share(feeds.behind, feeds.total)}
      </span>
      <span role="cell" className="pe-feeds">
        <span className="font-mono">{feeds.names.join(", ")}</span>
        {rest > 0 ? ` ${words.more(rest)}` : null}
        {week === null ? null : (
          <Suspense>
            <OverdueQuiet part="why" {...{ dueMs, week, offsetMs }} />
          </Suspense>
        )}
      </span>
      <span role="cell" {...over} className={`pe-over ${over.className}`}>
        {week === null ? (
          text.overdue
        ) : (
          <Suspense>
            <OverdueQuiet part="time" {...{ dueMs, week, offsetMs }} />
          </Suspense>
        )}
        {dueMs === null ? null : (
          <span className="only-phone font-normal">{words.overdueHere}</span>
        )}
      </span>
      <span role="cell" className="pe-next">
        <NextSync {...text} />
      </span>
    </>
  );
}

function Message({ row }: { row: PartnerRow }) {
  const { frozenMs, isPast } = usePartnerHere();
  const timeZone = useZone();
  const { standing, feeds } = row;
  const isUnseen = standing === "unseen";
  const checkedMs = instantMs(row.last_check_at);
  const text = useNow((nowMs) => {
    if (standing === "cannot_judge") return words.cannotJudge(frozenMs !== null);
    if (standing === "quiet") return words.quiet;
    return checkedMs === null
      ? words.never(frozenMs !== null)
      : words.behindThen(
          feeds.behind,
          feeds.total,
          atMoment(checkedMs, frozenMs ?? nowMs, timeZone),
          isPast,
        );
  });
  return (
    <span
      role="cell"
      aria-colspan={isUnseen ? 5 : 4}
      className={isUnseen ? "pe-message is-unseen" : "pe-message"}
      title={text}
    >
      <span>{text}</span>
    </span>
  );
}

/** Since when it is behind. */
function Since({ row, offsetMs }: Given) {
  const { frozenMs } = usePartnerHere();
  const timeZone = useZone();
  const ms = instantMs(row.since);
  const text = useNow((nowMs) =>
    ms === null ? "" : moment(ms, (frozenMs ?? nowMs) + offsetMs, timeZone),
  );
  return (
    <span role="cell" className="pe-since" title={text}>
      {narrowMoment(text)}
    </span>
  );
}

/** When the customer was told, and what tells it. */
function Tell({ row: { company, told, incident_id: id } }: { row: PartnerRow }) {
  const { partner, nameOf, isPast, mayHandle, frozenMs } = usePartnerHere();
  const timeZone = useZone();
  const [isCopied, setIsCopied] = useState(false);
  const text = useNow((nowMs) =>
    told === null ? "" : moment(Date.parse(told.at), frozenMs ?? nowMs, timeZone),
  );
  return (
    <>
      {told === null ? (
        isCopied && id !== null && mayHandle(company) ? (
          <Suspense>
            <MarkTold company={company} id={id} />
          </Suspense>
        ) : null
      ) : (
        <span className="pe-told" title={words.told(told.by, text)}>
          ✓ {words.told(null, narrowMoment(text))}
        </span>
      )}
      {isPast ? null : (
        <CopyParagraph
          partner={partner}
          company={company}
          name={nameOf(company)}
          onCopied={() => setIsCopied(true)}
        />
      )}
    </>
  );
}

function Who({ row: { company, incident_id: id, on_it: by } }: { row: PartnerRow }) {
  const { me, mayHandle } = usePartnerHere();
  if (by === null)
    return (
      <span role="cell" className="pe-who">
        {id === null ? null : (
          <>
            <Initials person={null} />
            <b>{NO_ONE_YET}</b>
            {mayHandle(company) ? <RowTake company={company} id={id} /> : null}
          </>
        )}
      </span>
    );
  const person = { name: by.name, isYou: by.name === me.name };
  return (
    <span role="cell" className="pe-who" title={by.name}>
      <Initials person={person} />
      <span className="truncate">{calledName(person)}</span>
    </span>
  );
}
