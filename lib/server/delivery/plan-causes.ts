import { isWhollyResting } from "@/lib/domain/incidents/incident";
import { companyName } from "@/lib/domain/companies/company-name";
import { DELAYED_POLLS } from "@/lib/domain/confidence";
import type { Blindness } from "@/lib/domain/delivery/blindness";
import { sinceOf } from "@/lib/domain/delivery/blindness";
import { groupOf, threadOf, type Cause } from "@/lib/domain/delivery/cause";
import { phaseAt } from "@/lib/domain/delivery/incident-timeline";
import type {
  CarriedIncidents,
  CompanyFacts,
  IncidentPart,
} from "@/lib/domain/delivery/incident-parts";
import { keyOfIncident, type Planned } from "@/lib/domain/delivery/plan";
import { causeOfFleet, planFleet, type RecordedFleet } from "@/lib/domain/delivery/plan-fleet";
import type { Carried, Group, GroupMessage, Part, Written } from "@/lib/domain/delivery/plan-group";
import {
  causeOfHost,
  hostOfCause,
  isHostReason,
  planHost,
  type BlindCompany,
  type BlindPart,
  type HostReason,
} from "@/lib/domain/delivery/plan-host";
import { CAUSE_LIMITED, planLimited } from "@/lib/domain/delivery/plan-limited";
import { spreadingWaits, type LateIncident, type Waits } from "@/lib/domain/delivery/spreading";
import { covers, coversIncident, rulesFor, type PlannedRule } from "@/lib/domain/delivery/rule";
import type { OneOfSeveral, Several } from "@/lib/domain/delivery/several";
import { shownName } from "@/lib/domain/partners/partner-name";
import { groupKey } from "@/lib/server/store/delivery/group-facts";
import { messageId } from "./compose";
import { composeSeveral } from "@/lib/domain/words/messages/several-message";
import { addressOf, clockOf, draftOf, editOf, type Destination, type Draft } from "./plan-messages";
import type { PlannedDestination } from "./destinations";
import type { PlannedCompany } from "./message-context";

/** What messages about several mean for the planning of a company's own messages. Instants are on its API's clock. */
export type OfCauses = {
  /** See `planCompany`. */
  carried: ReadonlyMap<number | string, Carried>;
  longerWaits: ReadonlyMap<number, number>;
  /** When its incidents were opened to the destination, by id, also by the messages planned now. */
  openings: ReadonlyMap<number, number>;
  /** Those of them whose message is only planned. */
  opening: ReadonlySet<number>;
};

/** Messages about several that are due to a destination, with those that they include. */
export type Causes = {
  drafts: Draft[];
  of: (company: string) => OfCauses;
  /** What each planned fleet incident reports, by id. */
  fleets: ReadonlyMap<string, CarriedIncidents>;
  /** When more may be due if nothing else happens, epoch milliseconds on our clock; infinite: never. */
  nextMs: number;
};

type Given = {
  fleets: readonly RecordedFleet[];
  /** What fleet incidents report that were planned before, and have nothing new. */
  settled: readonly CarriedIncidents[];
  /** Companies that the destination may be told of, and that can't be read. */
  unread: readonly { slug: string; host?: string }[];
  /** See `waitsOf`. */
  waits: Waits;
  /** Of the destination. */
  blindnesses: (company: string) => readonly Blindness[];
  /** Of the destination; see `groupKey`. */
  written: ReadonlyMap<string, ReadonlyMap<number, Written>>;
  waitMs: number;
  /** On our clock. */
  nowMs: number;
};

/**
 * How long openings wait for others of their partner.
 * @param late incidents of all companies that were opened lately; those of which the destination isn't told don't count
 */
export function waitsOf(
  { rules, mayReceive }: Pick<PlannedDestination, "rules" | "mayReceive">,
  late: readonly LateIncident[],
  given: { waitMs: number; spreadMs: number },
): Waits {
  const told = late.filter(
    ({ company, partner }) => mayReceive(company) && rulesFor(rules, company, partner).length > 0,
  );
  return spreadingWaits(told, given);
}

/**
 * One cause, one message: plans messages about several for a destination, for sending and for rehearsals. Fleet incidents
 * come before a company that is rate limited; an incident is in one of them.
 * @param companies those that the destination may be told of; incidents of other companies don't exist for it
 */
export function planCauses(
  destination: Destination,
  companies: ReadonlyMap<string, PlannedCompany>,
  given: Given,
): Causes {
  const { rules } = destination;
  const changes = destination.follows === "edits" ? "edits" : "one";
  const common = { rules, changes, waitMs: given.waitMs, nowMs: given.nowMs } as const;
  const carried = new Map<string, Map<number | string, Carried>>();
  const openings = new Map<string, Map<number, number>>();
  const drafts: Draft[] = [];
  let nextMs = Infinity;
  const written = (company: string | null, cause: Cause) =>
    given.written.get(groupKey(company, cause)) ?? NOTHING_WRITTEN;
  const carry = (company: string, by: ReadonlyMap<number | string, Carried>) => {
    const own = carried.get(company) ?? new Map<number | string, Carried>();
    carried.set(company, own);
    for (const [id, period] of by) own.set(id, period);
  };

  const facts = new Map(
    [...companies].map(([slug, company]) => [
      slug,
      factsOf(company, destination.destination, given),
    ]),
  );
  const addIncidents = (
    company: string | null,
    cause: Cause,
    groups: readonly Group<IncidentPart>[],
  ) => {
    for (const group of groups)
      for (const message of group.messages) {
        const several = severalOfIncidents(company, cause, group, message, companies);
        const writing = { destination, company, cause, group, message, several, companies };
        drafts.push(...draftsOf(writing, given.nowMs));
        for (const part of message.opens) {
          const own = openings.get(part.company) ?? new Map<number, number>();
          openings.set(part.company, own);
          own.set(part.incidentId, message.dueMs + part.shiftMs);
        }
      }
  };

  for (const settled of given.settled) for (const [company, by] of settled) carry(company, by);
  const fleets = new Map<string, CarriedIncidents>();
  const unread = new Set(given.unread.map(({ slug }) => slug));
  for (const fleet of given.fleets) {
    const cause = causeOfFleet(fleet);
    const planned = planFleet(fleet, facts, { ...common, unread, written: written(null, cause) });
    fleets.set(fleet.id, planned.carried);
    for (const [company, by] of planned.carried) carry(company, by);
    addIncidents(null, cause, planned.groups);
    nextMs = Math.min(nextMs, planned.nextMs);
  }
  for (const [slug, { limited }] of companies) {
    const own = facts.get(slug);
    if (own === undefined || limited.size === 0) continue;
    const byFleets = new Set(carried.get(slug)?.keys());
    const planned = planLimited(own, limited, {
      ...common,
      written: written(slug, CAUSE_LIMITED),
      isElsewhere: (id) => byFleets.has(id),
    });
    carry(slug, planned.carried);
    addIncidents(slug, CAUSE_LIMITED, planned.groups);
    nextMs = Math.min(nextMs, planned.nextMs);
  }
  for (const [cause, blind] of blindByHost(destination.destination, companies, given)) {
    const about = hostOfCause(cause);
    if (about === null) continue;
    const planned = planHost(blind, {
      ...common,
      written: written(null, cause),
      isComplete: !given.unread.some(({ host }) => host === about.host),
    });
    for (const [company, by] of planned.carried) carry(company, by);
    for (const group of planned.groups)
      for (const message of group.messages) {
        const several = severalOfHost(about, group, message, {
          companies,
          blindnesses: given.blindnesses,
        });
        const writing = { destination, company: null, cause, group, message, several, companies };
        drafts.push(...draftsOf(writing, given.nowMs));
      }
    nextMs = Math.min(nextMs, planned.nextMs);
  }
  return {
    drafts,
    fleets,
    nextMs,
    of: (company) => {
      const before = facts.get(company)?.written ?? new Map<number, never>();
      const known = new Map(
        [...before].flatMap(([id, { opening }]): [number, number][] =>
          opening === null ? [] : [[id, opening.dueMs]],
        ),
      );
      const planned = openings.get(company) ?? new Map<number, number>();
      return {
        carried: carried.get(company) ?? new Map(),
        longerWaits: given.waits.get(company) ?? NO_WAITS,
        openings: new Map([...known, ...planned]),
        opening: new Set([...planned.keys()].filter((id) => !known.has(id))),
      };
    },
  };
}

const NOTHING_WRITTEN: ReadonlyMap<number, Written> = new Map();

const NO_WAITS: ReadonlyMap<number, number> = new Map();

function factsOf(
  { context, notified, shiftMs }: PlannedCompany,
  destination: string,
  { waits, nowMs }: Given,
): CompanyFacts {
  const { company, record } = context;
  return {
    company: company.slug,
    care: record.care,
    gaps: record.gaps,
    incidents: new Map(record.incidents.map(({ row, timeline }) => [row.id, timeline])),
    shiftMs,
    nowMs: clockOf(record, nowMs + shiftMs).nowMs,
    longerWaits: waits.get(company.slug) ?? NO_WAITS,
    written: notified.written.get(destination) ?? new Map(),
  };
}

/** Companies that can't be seen, by the cause that they may share. */
function blindByHost(
  destination: string,
  companies: ReadonlyMap<string, PlannedCompany>,
  { blindnesses, written, nowMs }: Given,
): Map<Cause, BlindCompany[]> {
  const byCause = new Map<Cause, BlindCompany[]>();
  for (const [slug, company] of companies) {
    const reported = blindnesses(slug);
    const isReported = (fromMs: number) => reported.some((one) => one.fromMs === fromMs);
    const followed = laterOnes(company, written).filter(({ fromMs }) => !isReported(fromMs));
    for (const blindness of [...reported, ...followed]) {
      const one = blindCompany(destination, company, { blindness, written, nowMs });
      if (one === null) continue;
      const cause = causeOfHost(one);
      byCause.set(cause, [...(byCause.get(cause) ?? []), one]);
    }
  }
  return byCause;
}

/** What a message said of a host's companies, until one says that they can be seen again; on the clock of a company's API. */
function toldOf(
  { host, shiftMs }: Pick<PlannedCompany, "host" | "shiftMs">,
  written: Given["written"],
): { reason: HostReason; openedMs: number }[] {
  return [...written].flatMap(([key, groups]) => {
    const about = hostOfCause(key.trimStart());
    if (about === null || about.host !== host) return [];
    return [...groups].flatMap(([openedMs, { isOver }]) =>
      isOver ? [] : { reason: about.reason, openedMs: openedMs + shiftMs },
    );
  });
}

/** Blindnesses that are over and followed those that a message about the host told of. */
function laterOnes(
  company: PlannedCompany,
  written: Given["written"],
): (Blindness & { fromMs: number })[] {
  const { rhythmMs, context } = company;
  const told = toldOf(company, written);
  if (told.length === 0) return [];
  const blindAfterMs = DELAYED_POLLS * rhythmMs;
  return context.record.gaps.flatMap(({ fromMs, untilMs }) =>
    untilMs - fromMs > blindAfterMs && told.some(({ openedMs }) => untilMs > openedMs)
      ? { fromMs, reportedFromMs: fromMs + blindAfterMs, untilMs, wasReported: false }
      : [],
  );
}

function blindCompany(
  destination: string,
  company: PlannedCompany,
  { blindness, written, nowMs }: { blindness: Blindness; written: Given["written"]; nowMs: number },
): BlindCompany | null {
  const { context, notified, host, rhythmMs, shiftMs, reason } = company;
  const { fromMs, untilMs } = blindness;
  if (fromMs === null || host === null) return null;
  const since = sinceOf(blindness);
  const messageOf = (what: string) =>
    notified.visibility.find(
      (one) => one.destination === destination && one.key === `${what}:${since}`,
    ) ?? null;
  const blind = messageOf("blind");
  const toldAs = blind?.within == null ? null : (groupOf(blind.within)?.cause ?? null);
  const recorded = context.record.gaps.find(
    (gap) => gap.untilMs === untilMs && gap.fromMs <= untilMs,
  );
  // Told of before the others, it stays in their message although the reason changes.
  const joined =
    blind === null || blind.within !== null
      ? undefined
      : toldOf(company, written).find(({ openedMs }) => openedMs >= blind.dueMs);
  const told = toldAs === null ? (joined?.reason ?? null) : (hostOfCause(toldAs)?.reason ?? null);
  const why = told ?? (untilMs === null ? reason : (recorded?.reason ?? null));
  if (why === null || !isHostReason(why)) return null;
  return {
    company: context.company.slug,
    care: context.record.care,
    blindness,
    host,
    reason: why,
    rhythmMs,
    shiftMs,
    nowMs: clockOf(context.record, nowMs + shiftMs).nowMs,
    written: { blind, seenAgain: messageOf("seen_again") },
  };
}

/** The group's message, and the messages that it includes. */
function draftsOf<P extends IncidentPart | BlindPart>(
  {
    destination,
    company,
    cause,
    group,
    message,
    several,
    companies,
  }: {
    destination: Destination;
    company: string | null;
    cause: Cause;
    group: Group<P>;
    message: GroupMessage<P>;
    several: Omit<Several, "dueMs" | "tells" | "writtenMs" | "timeZone">;
    companies: ReadonlyMap<string, PlannedCompany>;
  },
  nowMs: number,
): Draft[] {
  const { timeZone, follows } = destination;
  const { tells, dueMs } = message;
  const thread = threadOf(cause, group.openedMs);
  const isEdit = tells === "changed" && follows === "edits";
  const key = `${thread}:${tells}${isEdit ? `:${dueMs}` : ""}`;
  const id = messageId(destination.destination, company ?? "", key);
  const slugs = [...new Set(several.all.map((one) => one.company))].toSorted();
  const [anyone] = companies.values();
  if (anyone === undefined) return [];
  const rules = rulesOf(destination.rules, group.parts);
  const included = (part: P, what: "opened" | "ended"): Draft[] => {
    const own = companies.get(part.company);
    if (own === undefined) return [];
    const planned = plannedOf(part, what, dueMs + part.shiftMs);
    const draft = draftOf(planned, destination, own.context, {
      all: [planned],
      nowMs: nowMs + part.shiftMs,
    });
    // It isn't sent itself, so it needs no details.
    return [{ ...draft, partner: null, includedIn: id }];
  };
  const whole: Draft = {
    ...addressOf(destination),
    key,
    company,
    about: company === null ? slugs : null,
    incidentId: null,
    thread: company === null ? thread : `${company}/${thread}`,
    partner: null,
    includedIn: null,
    dueMs,
    write: () => ({
      id,
      message: composeSeveral(
        { ...several, tells, dueMs, writtenMs: nowMs, timeZone },
        { id, destination: { ...destination, rules }, appUrl: anyone.context.appUrl },
      ),
    }),
  };
  const edits = group.parts.flatMap((part): Draft[] => {
    const own = companies.get(part.company);
    if (follows !== "edits" || own === undefined || !isOpenedBefore(part, message)) return [];
    const isEnded = message.ends.includes(part);
    const planned = plannedOf(part, isEnded ? "ended" : "opened", dueMs + part.shiftMs);
    if (!("timeline" in planned) || (!isEnded && tells === "ended")) return [];
    const { title, url } = titleOf(whole);
    const edit: Planned = {
      ...planned,
      tells: isEnded ? "ended" : "changed",
      key: keyOfIncident(planned.timeline, isEnded ? "ended:edit" : `wider:${group.openedMs}`),
    };
    const wider = isEnded ? null : { title, url };
    return [editOf(edit, destination, own.context, { wider, nowMs: nowMs + part.shiftMs })];
  });
  return [
    ...message.opens.flatMap((part) => included(part, "opened")),
    ...message.ends.flatMap((part) => included(part, "ended")),
    whole,
    ...edits,
  ];
}

/** The rules that cover a part of the group. */
function rulesOf(
  rules: readonly PlannedRule[],
  parts: readonly (IncidentPart | BlindPart)[],
): PlannedRule[] {
  return rules.filter((rule) =>
    parts.some((part) => {
      const { company } = part;
      if ("blindness" in part) return covers(rule, company, null);
      const { partner, phases } = part.timeline;
      return phases.some(
        ({ verdict: worst }) => worst !== null && coversIncident(rule, { company, partner, worst }),
      );
    }),
  );
}

/** Whether it has a message of its own, which was sent before, and didn't end before this message about several. */
function isOpenedBefore(part: Part, message: GroupMessage<Part>): boolean {
  const isOver = part.ending !== null && !message.ends.includes(part);
  return part.opening?.groupMs === null && part.joinedMs <= message.dueMs && !isOver;
}

function titleOf(whole: Draft): { title: string; url: string } {
  const { text, content, url } = whole.write(null).message;
  return { title: content?.title ?? text, url };
}

function plannedOf(
  part: IncidentPart | BlindPart,
  what: "opened" | "ended",
  dueMs: number,
): Planned {
  if ("blindness" in part) {
    const { blindness } = part;
    const tells = what === "opened" ? "blind" : "seen_again";
    return { tells, key: `${tells}:${sinceOf(blindness)}`, dueMs, includedIn: null, blindness };
  }
  const { timeline } = part;
  const { phases } = timeline;
  const ending = what === "ended" ? phases.find(({ isOpen }) => !isOpen) : undefined;
  const phase = ending ?? phaseAt(phases, dueMs) ?? phases[0];
  if (phase === undefined) throw new Error("an incident without phases");
  return {
    tells: what,
    key: keyOfIncident(timeline, what),
    dueMs,
    includedIn: null,
    timeline,
    phase,
  };
}

function severalOfIncidents(
  company: string | null,
  cause: Cause,
  group: Group<IncidentPart>,
  message: GroupMessage<IncidentPart>,
  companies: ReadonlyMap<string, PlannedCompany>,
): Pick<Several, "about" | "all"> {
  /** The last incident of each subject. */
  const parts = new Map(
    group.parts
      .filter((part) => message.told.has(part) && part.joinedMs <= message.dueMs)
      .toSorted((a, b) => a.joinedMs - b.joinedMs)
      .map((part) => [part.subject, part]),
  );
  const own = company === null ? undefined : companies.get(company)?.context.company;
  const all = [...parts.values()].flatMap((part): OneOfSeveral[] => {
    const planned = companies.get(part.company);
    const row = planned?.context.record.incidents.find(
      ({ timeline }) => timeline === part.timeline,
    )?.row;
    // A message is due by what the destination may know, which may be before the cause was known.
    const toldMs = Math.max(message.dueMs, part.knownMs);
    const phase = phaseAt(part.timeline.phases, toldMs + part.shiftMs);
    if (planned === undefined || row === undefined) return [];
    const isOpen = phase?.isOpen ?? true;
    const by = phase?.acknowledgedBy ?? null;
    return [
      {
        company: part.company,
        ...(own === undefined ? nameOf(planned) : { name: row.partnerName }),
        incidentId: part.incidentId,
        verdict: phase?.verdict ?? null,
        // While an API's clock was ahead, trouble may have begun later than it joined.
        sinceMs: Math.min(row.beganAt.getTime() - part.shiftMs, part.joinedMs),
        endedMs: isOpen ? null : (endedAtMs(row, part) ?? message.dueMs),
        ending: isOpen ? null : row.ending,
        ...(!isOpen && isWhollyResting(row.members) && { isResting: true }),
        isNew: message.opens.includes(part),
        hasEndedSince: message.ends.includes(part),
        acknowledgedBy: by === null ? null : (planned.context.names.get(by) ?? "Someone"),
      },
    ];
  });
  if (own !== undefined) return { about: { kind: "limited", company: companyName(own) }, all };
  const partner = shownName(group.parts.map(({ timeline }) => timeline.partner));
  return { about: { kind: "partner", partner, fleetId: cause.replace("partner:", "") }, all };
}

function nameOf({ context }: PlannedCompany): Pick<OneOfSeveral, "name" | "external_id"> {
  const { slug: _, ...named } = companyName(context.company);
  return named;
}

/** On the axis that all companies share. */
function endedAtMs(
  { endedAt }: { endedAt: Date | null },
  { shiftMs }: IncidentPart,
): number | null {
  return endedAt === null ? null : endedAt.getTime() - shiftMs;
}

function severalOfHost(
  about: { host: string; reason: HostReason },
  group: Group<BlindPart>,
  message: GroupMessage<BlindPart>,
  {
    companies,
    blindnesses,
  }: Pick<Given, "blindnesses"> & {
    companies: ReadonlyMap<string, PlannedCompany>;
  },
): Pick<Several, "about" | "all"> {
  const seen =
    message.tells === "ended"
      ? group.parts.filter((part) => !isBlindAgain(part, message.dueMs, blindnesses(part.company)))
      : [];
  // While quiet hours held an ending back, all may have been lost again: that has messages of its own, which follow.
  const named = seen.length > 0 ? seen : group.parts;
  const all = named.flatMap((part): OneOfSeveral[] => {
    const planned = companies.get(part.company);
    if (planned === undefined || !message.told.has(part)) return [];
    const { fromMs, untilMs, reportedFromMs } = part.blindness;
    return [
      {
        company: part.company,
        ...nameOf(planned),
        incidentId: null,
        verdict: null,
        sinceMs: (fromMs ?? reportedFromMs) - part.shiftMs,
        endedMs: message.tells === "ended" && untilMs !== null ? untilMs - part.shiftMs : null,
        ending: null,
        isNew: message.opens.includes(part),
        hasEndedSince: message.ends.includes(part),
        acknowledgedBy: null,
      },
    ];
  });
  return { about: { kind: "host", ...about }, all };
}

/** Whether its company couldn't be seen again later, and still can't at the given instant. */
function isBlindAgain(
  { blindness, shiftMs }: BlindPart,
  atMs: number,
  all: readonly Blindness[],
): boolean {
  const ownMs = atMs + shiftMs;
  const { untilMs } = blindness;
  return all.some(
    (later) =>
      untilMs !== null &&
      (later.fromMs ?? -Infinity) >= untilMs &&
      later.reportedFromMs <= ownMs &&
      (later.untilMs ?? Infinity) > ownMs,
  );
}
