"use client";

import { Suspense } from "react";
import {
  TakeButton,
  TellButton,
  TELL_LOOK,
  Told,
} from "@/components/grid/incident-actions/line-buttons";
import { Badge } from "@/components/marks/badge";
import { useZone } from "@/components/shell/time/zone";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import { useNow } from "@/lib/client/use-now";
import { endpointPath } from "@/lib/domain/partner-address";
import { iso } from "@/lib/domain/time/instant";
import type { TodayMember } from "@/lib/domain/today/lines";
import type { ShownLine } from "@/lib/domain/today/shown";
import { clockTime } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { atQuery, lineName, takeable, useTodayPage } from "./today-context";
import { SinceCell, TimeCells, WhoCell } from "./trouble-cells";
import { hasBelow, memberKey } from "./today-items";
import { acts, lineWords as words } from "./words";

const LinePromise = lazyPart(() => import("./line-promise"));
const LineQuiet = lazyPart(() => import("./line-quiet"));

/** Feeds that a line names. */
const NAMED = 2;

/** One line of trouble. @param place zero-based, of the row */
export function LineRow({
  line,
  place,
  isOpen,
}: {
  line: ShownLine;
  place: number;
  isOpen: boolean;
}) {
  const page = useTodayPage();
  const { frozenMs, isPast } = page;
  const [worst] = line.members;
  if (worst === undefined) return null;
  const { company } = worst;
  const then = atQuery(page);
  const isPartner = line.kind === "partner";
  const keys = [...new Set(line.members.map(({ endpoint_key: key }) => key))].slice(0, NAMED);
  const rest = line.feeds - keys.length;
  const toggle = () => page.onToggle(line.key);
  const quiet =
    line.learned_week == null ? null : (
      <Suspense>
        <LineQuiet of={line} slug={company.slug} />
      </Suspense>
    );
  const toggled = { "aria-expanded": isOpen, onClick: toggle } as const;
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-line={line.key}
      className={`today-row today-line ${hasBelow(line) ? "has-below" : ""} ${frozenMs === null ? "" : "hatched"}`}
    >
      <span role="cell" className="today-verdict">
        <Badge
          word={line.verdict}
          text={frozenMs === null ? VERDICT_LABEL[line.verdict] : words.was(line.verdict)}
          isFrozen={frozenMs !== null}
        />
      </span>
      <span role="cell" className="today-customer">
        {isPartner ? (
          <button type="button" data-primary className="underline underline-offset-3" {...toggled}>
            {words.customers(line.companies, page.customers)}
          </button>
        ) : (
          <Link href={`/${company.slug}${then}`} dir="auto" title={company.name}>
            {company.name}
          </Link>
        )}
      </span>
      <span role="rowheader" className="today-feed">
        {isPartner ? (
          <span>
            <Link
              href={partnersEverywherePath(
                line.partner_name,
                isPast && frozenMs !== null ? iso(frozenMs) : null,
              )}
            >
              <b>{line.partner_name}</b>
            </Link>{" "}
            / {words.feeds(line.feeds)}
            <span className="font-mono">{keys.join(", ")}</span>
          </span>
        ) : (
          <Link
            data-primary
            className="name-pair"
            href={
              line.kind === "incident" && worst.incident_id !== null
                ? `/${company.slug}/incidents/${worst.incident_id}`
                : endpointPath(company.slug, line.partner_name, worst.endpoint_id) + then
            }
          >
            <b>{line.partner_name}</b>
            <span> / </span>
            <span className="font-mono">{keys.join(", ")}</span>
          </Link>
        )}
        {isPartner || line.feeds === 1 ? (
          rest > 0 && <i>{words.more(rest)}</i>
        ) : (
          <button
            type="button"
            aria-label={words.toggle(lineName(line), isOpen)}
            className="today-fold"
            {...toggled}
          >
            {rest > 0 ? words.more(rest) : null} {isOpen ? "▴" : "▾"}
          </button>
        )}
        {line.promise === null ? null : quiet}
      </span>
      <TimeCells of={line} slug={company.slug} />
      <SinceCell at={line.since} />
      {line.kind === "endpoint" ? (
        <span role="cell" className="today-opens">
          <OpensAt line={line} />
        </span>
      ) : (
        <WhoCell names={line.attended.by} some={line.acknowledged} all={line.attended.of} />
      )}
      <span role="cell" className="today-acts">
        {line.acknowledged > 0 ? null : <Take of={line} />}
        {isPartner ? (
          isPast ? null : (
            <button type="button" className={TELL_LOOK} data-tell {...toggled}>
              {line.told === null ? (
                acts.tellMany
              ) : (
                <Told text={acts.toldMany(line.told.companies, line.companies)} />
              )}
            </button>
          )
        ) : (
          <Tell member={worst} partner={line.partner_name} toldAt={line.told?.at ?? null} />
        )}
      </span>
      {line.promise === null && quiet !== null ? (
        <span role="cell" className="today-below">
          {quiet}
        </span>
      ) : null}
      {line.promise === null ? null : (
        <Suspense>
          <LinePromise of={line.promise} isNamed={line.feeds > 1} isOfMany={isPartner} />
        </Suspense>
      )}
    </div>
  );
}

/** A feed of a line that is folded out. */
export function MemberRow({
  line,
  member,
  place,
}: {
  line: ShownLine;
  member: TodayMember;
  place: number;
}) {
  const page = useTodayPage();
  const { frozenMs } = page;
  const { company, verdict } = member;
  const then = atQuery(page);
  const isPartner = line.kind === "partner";
  const hasIncident = member.incident_id !== null;
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-line={memberKey(line, member)}
      className={`today-row today-member ${isPartner ? "" : "is-short"} ${frozenMs === null ? "" : "hatched"}`}
    >
      <span role="cell" className="today-verdict">
        <Badge
          word={verdict}
          text={frozenMs === null ? VERDICT_LABEL[verdict] : words.was(verdict)}
          isFrozen={frozenMs !== null}
        />
      </span>
      <span role="cell" className="today-customer">
        {isPartner ? (
          <Link href={`/${company.slug}${then}`} dir="auto" title={company.name}>
            {company.name}
          </Link>
        ) : null}
      </span>
      <span role="rowheader" className="today-feed font-mono">
        <Link
          data-primary
          href={endpointPath(company.slug, line.partner_name, member.endpoint_id) + then}
        >
          {member.endpoint_key}
        </Link>
        {member.learned_week == null ? null : (
          <Suspense>
            <LineQuiet of={member} slug={company.slug} />
          </Suspense>
        )}
      </span>
      <TimeCells of={member} slug={company.slug} />
      <SinceCell at={null} />
      {isPartner && hasIncident ? (
        <WhoCell
          names={member.on_it === null ? [] : [member.on_it.name]}
          some={Number(member.on_it !== null)}
          all={1}
        />
      ) : (
        <span role="cell" className="today-who" />
      )}
      <span role="cell" className="today-acts">
        {isPartner ? (
          <>
            <Take of={line} only={member} />
            <Tell member={member} partner={line.partner_name} toldAt={member.told_at} />
          </>
        ) : null}
      </span>
    </div>
  );
}

/** When an incident opens for a feed that has none. */
function OpensAt({ line }: { line: ShownLine }) {
  const { frozenMs, openAfterMs, offsets } = useTodayPage();
  const timeZone = useZone();
  const slug = line.members[0]?.company.slug ?? "";
  const opensMs = Date.parse(line.since ?? "") + openAfterMs - (offsets[slug] ?? 0);
  const text = useNow((nowMs) =>
    line.verdict === "late" && opensMs > nowMs
      ? words.opensAt(clockTime(opensMs, timeZone))
      : words.opensSoon,
  );
  return frozenMs === null ? text : null;
}

/** The button that acknowledges what no one is on. @param only of one of its feeds */
function Take({ of: line, only }: { of: ShownLine; only?: TodayMember }) {
  const page = useTodayPage();
  const members = only === undefined ? line.members : [only];
  // A part of the line would be acknowledged as the whole.
  const isWhole = only !== undefined || line.feeds === line.members.length;
  if (!isWhole || takeable(members, page).length === 0) return null;
  const what = only === undefined ? lineName(line) : `${only.company.name}, ${line.partner_name}`;
  return (
    <TakeButton
      what={what}
      state={members.map(stateOf).join(" ")}
      isBusy={page.isBusy}
      onTake={() => page.onTake(what, members)}
    />
  );
}

/** What an early press on the button was meant for. */
const stateOf = ({ company, incident_id: id, verdict, on_it: onIt }: TodayMember) =>
  `${company.slug}/${id}/${verdict}/${onIt?.name ?? ""}`;

function Tell({
  member,
  partner,
  toldAt,
}: {
  member: TodayMember;
  partner: string;
  toldAt: string | null;
}) {
  const { onTell, isPast } = useTodayPage();
  if (isPast) return null;
  const what = `${member.company.name}, ${partner}`;
  return <TellButton what={what} toldAt={toldAt} onTell={() => onTell(member, partner)} />;
}
