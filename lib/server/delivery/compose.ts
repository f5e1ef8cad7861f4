import { createHash } from "node:crypto";
import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import { promisesAddress } from "@/lib/domain/deadlines/promise-tally";
import {
  MAX_PROMISED,
  withContent,
  type Message,
  type MessageIncident,
} from "@/lib/domain/delivery/message";
import type { PlannedPromise, PromiseDay } from "@/lib/domain/delivery/plan-promises";
import type { Planned } from "@/lib/domain/delivery/plan";
import { coversIncident, isAmong, rulesFor, type PlannedRule } from "@/lib/domain/delivery/rule";
import {
  OF_PEOPLE,
  phaseAt,
  type IncidentTimeline,
  type Moment,
  type Phase,
} from "@/lib/domain/delivery/incident-timeline";
import { compareTroubles } from "@/lib/domain/incidents/incident";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { plainName } from "@/lib/domain/text/plain-name";
import { iso } from "@/lib/domain/time/instant";
import { createReadingClock } from "@/lib/domain/words/customer/reading-clock";
import {
  blindContent,
  incidentLine,
  seenAgainContent,
  summaryContent,
} from "@/lib/domain/words/messages/company-content";
import { incidentContent } from "@/lib/domain/words/messages/incident-content";
import { ruleFoot } from "@/lib/domain/words/messages/message-foot";
import { newsOf } from "@/lib/domain/words/messages/news-sentences";
import { promiseContent } from "@/lib/domain/words/messages/promise-content";
import type { DeliveryFacts } from "@/lib/server/store/delivery/delivery-facts";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import { feedsOf, paragraphOf, type CompanyFeeds } from "@/lib/domain/words/messages/company-feeds";

/** Context from which a company's messages are written. */
export type MessageContext = {
  company: CompanyName & { timeZone?: string };
  /** Of this installation, without a trailing slash. */
  appUrl: string;
  /** Zone of times for the company's own people, unless it has one; an IANA name. */
  timeZone: string;
  record: DeliveryFacts;
  /** Days of its promises that messages may be about. */
  promises: readonly PromiseDay[];
  /** Since when the record was read, epoch milliseconds. */
  sinceMs: number;
  /** People's names by id. */
  names: ReadonlyMap<string, string>;
  /** Why the company can't be read now, to follow a colon; null: it can, or the reason is unknown. */
  because: string | null;
};

/** Deterministic message id. @param parts content and recipient */
export function messageId(...parts: readonly string[]): string {
  return `msg_${createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 27)}`;
}

/** For which destination a message is written. */
export type Writing = {
  id: string;
  /** All messages for the same destination and company: a summary covers several. */
  all: readonly Planned[];
  /** Rules of the destination: it gets nothing about partners they exclude. */
  rules: readonly PlannedRule[];
  /** Its name, and whether it is a person's own. */
  to: { name: string; isOwn: boolean };
  /** Of times in the message, an IANA name. */
  timeZone: string;
  /** When it is written, on the API's clock, epoch milliseconds. */
  writtenMs: number;
  /** The company's feeds as of the last check; null: the message is about the past. */
  feeds: CompanyFeeds | null;
};

/** Writes a due message. */
export function compose(planned: Planned, writing: Writing, context: MessageContext): Message {
  const { company, appUrl } = context;
  const { slug, name } = company;
  const { id, all, rules, timeZone, writtenMs } = writing;
  const base = { id, company: companyName(company), incident: null, at: iso(planned.dueMs) };
  const foot = ruleFoot(rulesFor(rules, slug, null), writing.to, appUrl);
  const where = { company: plainName(name), timeZone, writtenMs, foot };
  const pathname = `${appUrl}/${encodeURIComponent(slug)}`;
  switch (planned.tells) {
    case "blind": {
      const { fromMs } = planned.blindness;
      const content = blindContent({ ...where, sinceMs: fromMs, because: context.because });
      return withContent({ ...base, type: "company.blind", url: pathname }, content);
    }
    case "seen_again": {
      const { fromMs, untilMs } = planned.blindness;
      const seenMs = untilMs ?? planned.dueMs;
      const happened = happenedWithin(context, { fromMs, untilMs: seenMs }, writing);
      const content = seenAgainContent({ ...where, fromMs, untilMs: seenMs, happened });
      return withContent({ ...base, type: "company.seen_again", url: pathname }, content);
    }
    case "summary": {
      const open = all.flatMap((one) => {
        if (one.includedIn !== planned.key || !("timeline" in one)) return [];
        const incident = incidentOf(context, one.timeline, one.phase, one.dueMs);
        return incident === null ? [] : { incident, partner: one.timeline.partner };
      });
      const covering = rules.filter((rule) =>
        open.some(({ incident: { worst_verdict: worst }, partner }) =>
          coversIncident(rule, { company: slug, partner, worst }),
        ),
      );
      const content = summaryContent({
        ...where,
        open: open.map(({ incident }) => inWords(incident)),
        atMs: planned.dueMs,
        foot: ruleFoot(covering, writing.to, appUrl),
      });
      return withContent({ ...base, type: "brief", url: `${pathname}/incidents` }, content);
    }
    case "opened":
    case "changed":
    case "worse":
    case "reminder":
    case "ended": {
      const { timeline } = planned;
      const incident = incidentOf(context, timeline, planned.phase, planned.dueMs);
      if (incident === null)
        throw new Error("a message is about an incident that isn't in the record");
      const url = `${pathname}/incidents/${timeline.incidentId}`;
      return withContent(
        { ...base, type: TYPE[planned.tells], incident, url },
        contentOf(planned, inWords(incident), writing, context),
      );
    }
  }
}

/** Writes a due message about a promise. */
export function composePromise(
  planned: PlannedPromise,
  { id, rules, to, timeZone, writtenMs, atMs }: Omit<Writing, "all" | "feeds"> & { atMs: number },
  { company, appUrl }: MessageContext,
): Message {
  const { tells, day, feeds, dueMs } = planned;
  const { slug, name } = company;
  const covering = rulesFor(rules, slug, null).filter(
    ({ partners, promises }) =>
      promises !== "none" && feeds.some(({ partner }) => isAmong(partner, partners)),
  );
  const promise = {
    id: day.promiseId,
    date: day.date,
    due_at: iso(day.dueMs),
    feeds: feeds.slice(0, MAX_PROMISED).map(({ endpointId, endpointKey, partner, state }) => ({
      endpoint_id: endpointId,
      endpoint_key: endpointKey,
      partner_name: partner,
      state,
    })),
  };
  return withContent(
    {
      id,
      type: `promise.${tells}`,
      at: iso(dueMs),
      company: companyName(company),
      incident: null,
      promise,
      url: `${appUrl}${promisesAddress(slug)}`,
    },
    promiseContent(planned, {
      company: plainName(name),
      atMs,
      writtenMs,
      timeZone,
      foot: ruleFoot(covering, to, appUrl),
    }),
  );
}

type OfIncident = Extract<Planned, { timeline: IncidentTimeline }>;

const TYPE = {
  opened: "incident.opened",
  changed: "incident.changed",
  worse: "incident.changed",
  reminder: "incident.changed",
  ended: "incident.ended",
} as const;

/** A message due longer ago than this is about the past: what the last check found isn't part of it. */
const PRESENT_MS = 15 * MINUTE_MS;

function contentOf(
  planned: OfIncident,
  incident: MessageIncident,
  writing: Writing,
  context: MessageContext,
) {
  const { company, record, names, appUrl } = context;
  const { tells, timeline, dueMs } = planned;
  const { timeZone, writtenMs, rules } = writing;
  const isPresent = record.observedMs !== null && dueMs >= record.observedMs - PRESENT_MS;
  const feeds = isPresent ? writing.feeds : null;
  const row = rowOf(context, timeline);
  const about = {
    company: company.slug,
    partner: timeline.partner,
    worst: incident.worst_verdict,
  };
  const covering = rules.filter((rule) => coversIncident(rule, about));
  const found = feeds === null ? null : feedsOf(feeds, timeline.partner);
  // A partner that is no longer listed has none.
  const judged = found?.size === 0 ? null : found;
  const moments = momentsSince(planned, writing.all);
  const endpoints = new Map(
    row?.members.map(({ endpointId, endpointKey }) => [endpointId, endpointKey]),
  );
  return incidentContent({
    tells,
    incident,
    company: plainName(company.name),
    news: newsOf(
      tells === "ended" ? moments.filter(isByPeople) : moments,
      { people: names, endpoints },
      { nowMs: writtenMs, timeZone },
    ),
    feeds: judged,
    checkedMs: judged === null ? null : (feeds?.checkedMs ?? null),
    lastData: new Map(
      row?.members.map(({ endpointId: id, landedMs }) => {
        const now = judged?.get(id)?.terms.landingMs ?? null;
        return [id, now === null ? landedMs : Math.max(now, landedMs ?? now)];
      }),
    ),
    unseenMs: unseenOf(context, incident, dueMs),
    paragraph:
      feeds === null || judged === null
        ? null
        : paragraphOf(feeds, timeline.partner, judged, {
            timeZone: company.timeZone ?? context.timeZone,
            nowMs: writtenMs,
          }),
    atMs: dueMs,
    writtenMs,
    timeZone,
    foot: ruleFoot(covering, writing.to, appUrl),
  });
}

/** What happened to an incident since the message before. */
function momentsSince(
  { timeline, dueMs, tells, key }: OfIncident,
  all: readonly Planned[],
): Moment[] {
  if (tells === "opened") return [];
  const before = all.flatMap((one) =>
    "timeline" in one && one.timeline === timeline && one.key !== key && one.dueMs < dueMs
      ? [one.dueMs]
      : [],
  );
  const sinceMs = Math.max(...before);
  return timeline.moments.filter(({ atMs }) => sinceMs < atMs && atMs <= dueMs);
}

/** Whether it is what people did, or what came of it later, such as the end of a handover. */
function isByPeople({ events }: Moment): boolean {
  return events.length > 0 && events.every(({ kind }) => OF_PEOPLE.has(kind));
}

/** How much of an incident wasn't checked, milliseconds; null: unknown. */
function unseenOf(
  { record: { gaps }, sinceMs }: MessageContext,
  { began_at: began, ended_at: ended }: MessageIncident,
  dueMs: number,
): number | null {
  const beganMs = Date.parse(began);
  if (beganMs < sinceMs) return null;
  const untilMs = ended === null ? dueMs : Date.parse(ended);
  return gaps.reduce(
    (sum, gap) => sum + Math.max(0, Math.min(gap.untilMs, untilMs) - Math.max(gap.fromMs, beganMs)),
    0,
  );
}

/**
 * What happened unobserved, as far as the destination is notified: a line per incident that started, ended or
 * got worse.
 * @returns null: nothing for this destination, which doesn't cover all partners
 */
function happenedWithin(
  { company, record, names }: MessageContext,
  { fromMs, untilMs: seenMs }: { fromMs: number | null; untilMs: number },
  { rules, timeZone, writtenMs }: Writing,
): string[] | null {
  const clock = createReadingClock({ nowMs: writtenMs, timeZone });
  const own = rulesFor(rules, company.slug, null);
  const lines = record.incidents.flatMap(({ row, timeline }) => {
    if (rulesFor(own, company.slug, timeline.partner).length === 0) return [];
    const phase = phaseAt(timeline.phases, seenMs);
    const before = fromMs === null ? undefined : phaseAt(timeline.phases, fromMs);
    if (phase === undefined || phase === before || before?.isOpen === false) return [];
    const incident = inWords(incidentAt(row, phase, seenMs, names));
    const line = () => incidentLine(incident, clock);
    if (before === undefined && phase.isOpen)
      return [fromMs === null ? line() : `Began: ${line()}`];
    if (before === undefined || !phase.isOpen)
      return [
        `${incident.ending === "recovered" ? "Recovered" : "Ended"}: ${incident.partner_name}`,
      ];
    const isWorse =
      phase.verdict !== null &&
      before.verdict !== null &&
      compareTroubles(phase.verdict, before.verdict) > 0;
    return isWorse ? [`Worse: ${line()}`] : [];
  });
  return lines.length > 0 || own.some(({ partners }) => partners === "all") ? lines : null;
}

/** An incident with names that are safe in sentences. */
function inWords(incident: MessageIncident): MessageIncident {
  const { partner_name: partner, acknowledged, owner, members } = incident;
  return {
    ...incident,
    partner_name: plainName(partner),
    owner: owner && { ...owner, name: plainName(owner.name) },
    acknowledged: acknowledged && { ...acknowledged, by: plainName(acknowledged.by) },
    members: members.map((one) => ({ ...one, endpoint_key: plainName(one.endpoint_key) })),
  };
}

export function incidentOf(
  { record, names }: Pick<MessageContext, "record" | "names">,
  timeline: IncidentTimeline,
  phase: Phase,
  atMs: number,
): MessageIncident | null {
  const row = rowOf({ record }, timeline);
  return row === undefined ? null : incidentAt(row, phase, atMs, names);
}

function rowOf(
  { record }: Pick<MessageContext, "record">,
  timeline: IncidentTimeline,
): IncidentRow | undefined {
  return record.incidents.find((one) => one.timeline === timeline)?.row;
}

/** An incident as of a given time, as far as its row allows. */
function incidentAt(
  row: IncidentRow,
  phase: Phase,
  atMs: number,
  names: ReadonlyMap<string, string>,
): MessageIncident {
  const { isOpen, verdict, acknowledgedBy, ownerId } = phase;
  // By its end all have joined, even if the API's clock went back meanwhile.
  const members = row.members.filter(({ joinedMs }) => !isOpen || joinedMs <= atMs);
  const over = (endedMs: number | null) => endedMs !== null && (!isOpen || endedMs <= atMs);
  return {
    id: row.id,
    partner_name: row.partnerName,
    state: isOpen ? "open" : "ended",
    began_at: row.beganAt.toISOString(),
    opened_at: row.openedAt.toISOString(),
    ended_at: isOpen ? null : (row.endedAt?.toISOString() ?? null),
    ending: isOpen ? null : row.ending,
    verdict,
    worst_verdict: row.worstVerdict,
    flaps: row.flaps,
    not_observed_since: null,
    acknowledged:
      acknowledgedBy === null
        ? null
        : {
            by: names.get(acknowledgedBy) ?? "Someone",
            at: row.acknowledgedAt?.toISOString() ?? iso(phase.fromMs),
            until: row.acknowledgedUntil?.toISOString() ?? null,
          },
    owner: ownerId === null ? null : { id: ownerId, name: names.get(ownerId) ?? "" },
    members: members.map((member) => ({
      endpoint_id: member.endpointId,
      endpoint_key: member.endpointKey,
      verdict: member.endedMs !== null && !over(member.endedMs) ? member.trouble : member.verdict,
      began_at: iso(member.beganMs),
      joined_at: iso(member.joinedMs),
      ended_at: member.endedMs !== null && over(member.endedMs) ? iso(member.endedMs) : null,
      ending: over(member.endedMs) ? member.ending : null,
      received_at:
        over(member.endedMs) && member.receivedMs != null ? iso(member.receivedMs) : null,
      ...(over(member.endedMs) && member.isResting === true && { is_resting: true }),
    })),
  };
}
