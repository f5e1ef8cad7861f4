import { createHash } from "node:crypto";
import type { Message, MessageIncident } from "@/lib/domain/delivery/message";
import type { Planned, PlannedRule } from "@/lib/domain/delivery/plan";
import { isAmong } from "@/lib/domain/delivery/rule";
import {
  phaseAt,
  type IncidentTimeline,
  type Phase,
} from "@/lib/domain/delivery/incident-timeline";
import { compareTroubles } from "@/lib/domain/incidents/incident";
import { plainName } from "@/lib/domain/text/plain-name";
import { iso } from "@/lib/domain/time/instant";
import {
  blindText,
  endedText,
  lineOf,
  openedText,
  reminderText,
  seenAgainText,
  summaryText,
  worseText,
} from "@/lib/domain/words/message-words";
import type { DeliveryFacts } from "@/lib/server/store/delivery/delivery-facts";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";

/** Context from which a company's messages are written. */
export type MessageContext = {
  company: { slug: string; name: string };
  /** Of this installation, without a trailing slash. */
  appUrl: string;
  /** IANA name: messages name it, because recipients may be in any time zone. */
  timeZone: string;
  record: DeliveryFacts;
  /** People's names by id. */
  names: ReadonlyMap<string, string>;
  /** Why the company can't be read now, to follow a colon; null: it can, or the reason is unknown. */
  because: string | null;
};

/** Deterministic message id. @param parts content and recipient */
export function messageId(...parts: readonly string[]): string {
  return `msg_${createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 27)}`;
}

/**
 * Writes a due message.
 * @param to.all all messages for the same destination and company: a summary covers several
 * @param to.rules rules of the destination: it gets nothing about partners they exclude
 */
export function compose(
  planned: Planned,
  { id, all, rules }: { id: string; all: readonly Planned[]; rules: readonly PlannedRule[] },
  context: MessageContext,
): Message {
  const { company, appUrl, timeZone } = context;
  const base = { id, company, incident: null, at: iso(planned.dueMs) };
  const where = { company: plainName(company.name), timeZone };
  const pathname = `${appUrl}/${encodeURIComponent(company.slug)}`;
  switch (planned.tells) {
    case "blind": {
      const { fromMs } = planned.blindness;
      const text = blindText({ ...where, sinceMs: fromMs, because: context.because });
      return { ...base, type: "company.blind", url: pathname, text };
    }
    case "seen_again": {
      const { fromMs, untilMs } = planned.blindness;
      const seenMs = untilMs ?? planned.dueMs;
      const happened = happenedWithin(context, { fromMs, untilMs: seenMs }, rules);
      const text = seenAgainText({ ...where, fromMs, untilMs: seenMs, happened });
      return { ...base, type: "company.seen_again", url: pathname, text };
    }
    case "summary": {
      const open = all.flatMap((one) =>
        one.includedIn === planned.key && "timeline" in one
          ? (incidentOf(context, one.timeline, one.phase, one.dueMs) ?? [])
          : [],
      );
      const text = summaryText({ ...where, open: open.map(inWords), atMs: planned.dueMs });
      return { ...base, type: "brief", url: `${pathname}/incidents`, text };
    }
    case "opened":
    case "worse":
    case "reminder":
    case "ended": {
      const { timeline, phase, dueMs, tells } = planned;
      const incident = incidentOf(context, timeline, phase, dueMs);
      if (incident === null)
        throw new Error("a message is about an incident that isn't in the record");
      const url = `${pathname}/incidents/${timeline.incidentId}`;
      const words = { ...where, atMs: dueMs };
      const common = { ...base, incident, url };
      const named = inWords(incident);
      if (tells === "opened")
        return { ...common, type: "incident.opened", text: openedText(named, words) };
      if (tells === "ended")
        return { ...common, type: "incident.ended", text: endedText(named, words) };
      const text = tells === "worse" ? worseText(named, words) : reminderText(named, words);
      return { ...common, type: "incident.changed", text };
    }
  }
}

/**
 * What happened unobserved, as far as the destination is notified: a line per incident that started, ended or
 * got worse.
 * @returns null: nothing for this destination, which doesn't cover all partners
 */
function happenedWithin(
  { company, record, names, timeZone }: MessageContext,
  { fromMs, untilMs: seenMs }: { fromMs: number | null; untilMs: number },
  rules: readonly PlannedRule[],
): string[] | null {
  const own = rules.filter(({ companies }) => isAmong(company.slug, companies));
  const lines = record.incidents.flatMap(({ row, timeline }) => {
    if (!own.some(({ partners }) => isAmong(timeline.partner, partners))) return [];
    const phase = phaseAt(timeline.phases, seenMs);
    const before = fromMs === null ? undefined : phaseAt(timeline.phases, fromMs);
    if (phase === undefined || phase === before || before?.isOpen === false) return [];
    const incident = inWords(incidentAt(row, phase, seenMs, names));
    const line = lineOf(incident, timeZone);
    if (before === undefined && phase.isOpen) return [fromMs === null ? line : `Began: ${line}`];
    if (before === undefined || !phase.isOpen)
      return [
        `${incident.ending === "recovered" ? "Recovered" : "Ended"}: ${incident.partner_name}`,
      ];
    const isWorse =
      phase.verdict !== null &&
      before.verdict !== null &&
      compareTroubles(phase.verdict, before.verdict) > 0;
    return isWorse ? [`Worse: ${line}`] : [];
  });
  return lines.length > 0 || own.some(({ partners }) => partners === "all") ? lines : null;
}

/** An incident with names that are safe in sentences. */
function inWords(incident: MessageIncident): MessageIncident {
  const { partner_name: partner, acknowledged, members } = incident;
  return {
    ...incident,
    partner_name: plainName(partner),
    acknowledged: acknowledged && { ...acknowledged, by: plainName(acknowledged.by) },
    members: members.map((one) => ({ ...one, endpoint_key: plainName(one.endpoint_key) })),
  };
}

function incidentOf(
  { record, names }: Pick<MessageContext, "record" | "names">,
  timeline: IncidentTimeline,
  phase: Phase,
  atMs: number,
): MessageIncident | null {
  const row = record.incidents.find((one) => one.timeline === timeline)?.row;
  return row === undefined ? null : incidentAt(row, phase, atMs, names);
}

/** An incident as of a given time, as far as its row allows. */
function incidentAt(
  row: IncidentRow,
  phase: Phase,
  atMs: number,
  names: ReadonlyMap<string, string>,
): MessageIncident {
  const { isOpen, verdict, acknowledgedBy, ownerId } = phase;
  const members = row.members.filter(({ joinedMs }) => joinedMs <= atMs);
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
    })),
  };
}
