import type { Care } from "@/lib/domain/incidents/mine";
import { momentsOfBlindness, sinceOf, type Blindness } from "./blindness";
import { sentFor, type WrittenMessage } from "./cause";
import { carriedBy } from "./incident-parts";
import {
  isToldIn,
  planGroups,
  type Carried,
  type Group,
  type Part,
  type Written,
} from "./plan-group";
import { rulesFor, rulesOnClock, type PlannedRule } from "./rule";

/** Why a host's companies can't be seen. Refused credentials are a company's own. */
export const HOST_REASONS = ["unreachable", "rate_limited"] as const;
export type HostReason = (typeof HOST_REASONS)[number];

export function isHostReason(reason: string): reason is HostReason {
  return (HOST_REASONS as readonly string[]).includes(reason);
}

/** What planning needs to know about a company that can't be seen. Its instants are on its API's clock. */
export type BlindCompany = {
  /** Slug. */
  company: string;
  care: Care;
  blindness: Blindness;
  /** Scheme, name and port. */
  host: string;
  reason: HostReason;
  /** Between two checks, milliseconds. */
  rhythmMs: number;
  /** How far its clock is ahead of the axis that all companies share, milliseconds. */
  shiftMs: number;
  /** What its clock shows, epoch milliseconds; at least the last observation. */
  nowMs: number;
  /** What was written about the blindness for the destination. */
  written: { blind: WrittenMessage | null; seenAgain: WrittenMessage | null };
};

export type BlindPart = Part & Pick<BlindCompany, "company" | "blindness" | "shiftMs">;

export const causeOfHost = ({ host, reason }: Pick<BlindCompany, "host" | "reason">) =>
  `host:${host}:${reason}`;

/** The inverse of `causeOfHost`; null: it is another cause. */
export function hostOfCause(cause: string): { host: string; reason: HostReason } | null {
  const [, host, reason] = /^host:(.+):([a-z_]+)$/.exec(cause) ?? [];
  return host === undefined || reason === undefined || !isHostReason(reason)
    ? null
    : { host, reason };
}

/** Companies that became blind within this many checks have one cause. */
const WITHIN_POLLS = 2;

/**
 * Plans what a destination is told about companies of one host that can't be seen for the same reason.
 * @param companies of the host and reason, as far as the destination may be told of them
 * @param given.isComplete false: others of the host can't be read
 * @param given.nowMs on the axis that all companies share
 * @returns `carried`: by company and blindness (`sinceOf`), on the clock of the company's API
 */
export function planHost(
  companies: readonly BlindCompany[],
  given: {
    rules: readonly PlannedRule[];
    waitMs: number;
    written: ReadonlyMap<number, Written>;
    isComplete: boolean;
    nowMs: number;
  },
): {
  groups: Group<BlindPart>[];
  carried: ReadonlyMap<string, ReadonlyMap<string, Carried>>;
  nextMs: number;
} {
  const parts = companies.flatMap((one) => blindPart(one, given) ?? []);
  const rhythmMs = Math.max(0, ...companies.map((one) => one.rhythmMs));
  const planned = togetherIn(companies, parts).map((own) => {
    const firstMs = Math.min(...own.map(({ joinedMs }) => joinedMs));
    // The others become blind within one check of the first.
    const readyMs = given.waitMs === 0 ? null : firstMs + Math.max(given.waitMs, rhythmMs);
    // What was written about others of the host, lost at another time, isn't about these.
    const isAbout = (openedMs: number) => {
      const told = parts.filter((part) => isToldIn(part, openedMs));
      return told.length === 0 || told.some((part) => own.includes(part));
    };
    const written = new Map([...given.written].filter(([openedMs]) => isAbout(openedMs)));
    return planGroups(own, { ...given, written, changes: "none", readyMs });
  });
  const groups = planned.flatMap((one) => one.groups);
  const carried = carriedBy(groups, parts, ({ blindness }) => sinceOf(blindness));
  return { groups, carried, nextMs: Math.min(Infinity, ...planned.map(({ nextMs }) => nextMs)) };
}

function blindPart(
  one: BlindCompany,
  { rules, waitMs }: { rules: readonly PlannedRule[]; waitMs: number },
): BlindPart | null {
  const { company, blindness, shiftMs, written } = one;
  const cause = causeOfHost(one);
  const opening = sentFor(cause, written.blind, shiftMs);
  const ending = sentFor(cause, written.seenAgain, shiftMs);
  if (opening === "elsewhere" || ending === "elsewhere") return null;
  const moments = momentsOfBlindness(blindness, {
    ...one,
    rules: rulesOnClock(rules, { aheadMs: shiftMs, nowMs: one.nowMs }),
    waitMs,
  });
  const joinedMs = blindness.reportedFromMs - shiftMs;
  return {
    id: `${company} ${sinceOf(blindness)}`,
    company,
    blindness,
    shiftMs,
    subject: company,
    joinedMs,
    knownMs: joinedMs,
    aloneMs: null,
    wantedMs: Math.min(moments.wantedMs - shiftMs, opening?.dueMs ?? Infinity),
    openingMs: moments.openingMs - shiftMs,
    closedMs: blindness.untilMs === null ? null : blindness.untilMs - shiftMs,
    endingMs: moments.endingMs === null ? null : moments.endingMs - shiftMs,
    worseMs: [],
    changesMs: [],
    rules: rulesFor(rules, company, null),
    opening,
    ending,
  };
}

/** Those that became blind within two checks of the first of them. */
function togetherIn(
  companies: readonly BlindCompany[],
  parts: readonly BlindPart[],
): BlindPart[][] {
  const rhythms = new Map(companies.map(({ company, rhythmMs }) => [company, rhythmMs]));
  const sinceMs = ({ blindness, shiftMs }: BlindPart) =>
    (blindness.fromMs ?? blindness.reportedFromMs) - shiftMs;
  const clusters: { fromMs: number; parts: BlindPart[] }[] = [];
  for (const part of parts.toSorted((a, b) => sinceMs(a) - sinceMs(b))) {
    const withinMs = WITHIN_POLLS * (rhythms.get(part.company) ?? 0);
    const last = clusters.at(-1);
    const isLate = last === undefined || sinceMs(part) > last.fromMs + withinMs;
    if (isLate) clusters.push({ fromMs: sinceMs(part), parts: [part] });
    else last.parts.push(part);
  }
  return clusters.map((cluster) => cluster.parts);
}
