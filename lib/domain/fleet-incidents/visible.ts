import { shownName } from "@/lib/domain/partners/partner-name";
import type { IncidentEnding } from "@/lib/domain/incidents/incident";

/** A fleet incident is shown to people who may see at least this many of its companies. */
export const MIN_VISIBLE = 2;

/** An incident in a fleet incident, with its own history. Instants are epoch milliseconds. */
export type MemberIncident = {
  /** Slug. */
  company: string;
  id: number;
  /** As the company's API writes it. */
  partner: string;
  beganMs: number;
  openedMs: number;
  /** When its trouble ended; null: it is open. */
  endedMs: number | null;
  ending: IncidentEnding | null;
  /** Of `eased`: by their learned weeks, its feeds rest at this time. */
  isResting?: boolean;
  /** When it joined, and when it was found to have ended; null: it hasn't, or it went on alone. */
  joinedMs: number;
  leftMs: number | null;
};

/** The fleet incident in truth, over all companies. */
export type FleetTruth = { openedMs: number; closedMs: number | null };

/** A company's part. `alone`: its incident was still open when the fleet incident ended without it. */
export type FleetCompanyPart = {
  company: string;
  incidentId: number;
  state: "open" | "ended" | "alone";
  endedMs: number | null;
  ending: IncidentEnding | null;
};

/** A fleet incident over the companies that a person may see. Instants are epoch milliseconds. */
export type VisibleFleet = {
  partner: string;
  beganMs: number;
  openedMs: number;
  endedMs: number | null;
  ending: IncidentEnding | null;
  /** Companies that left, by the ending of their last incident. */
  ended: Partial<Record<IncidentEnding | "alone", number>>;
  /** By slug. */
  companies: FleetCompanyPart[];
};

/**
 * A fleet incident as if it had only the companies that a person may see: no count, name or time comes from another.
 * Only that there is one, and that it has ended, is the same for all.
 * @param members of visible companies, as of the same moment as `truth`
 * @param isWhole whether the person may see all companies
 * @returns null: too few are visible
 */
export function visibleFleet(
  truth: FleetTruth,
  members: readonly MemberIncident[],
  isWhole: boolean,
): VisibleFleet | null {
  const companies = partsOf(members, truth);
  if (companies.length < MIN_VISIBLE) return null;
  const isOver = truth.closedMs !== null || companies.every(({ state }) => state !== "open");
  const ended: VisibleFleet["ended"] = {};
  for (const { state, ending } of companies) {
    if (state === "open") continue;
    const how = state === "alone" || ending === null ? "alone" : ending;
    ended[how] = (ended[how] ?? 0) + 1;
  }
  return {
    partner: nameOf(members),
    beganMs: Math.min(...members.map(({ beganMs }) => beganMs)),
    openedMs: isWhole ? truth.openedMs : visiblyOpenedMs(members, truth),
    endedMs: isOver ? endedMs(members, companies, truth) : null,
    ending: isOver ? endingOf(ended) : null,
    ended,
    companies,
  };
}

/** As of an earlier moment; null: it hadn't opened. */
export function fleetAt(
  truth: FleetTruth,
  members: readonly MemberIncident[],
  atMs: number,
): { truth: FleetTruth; members: MemberIncident[] } | null {
  if (truth.openedMs > atMs) return null;
  const by = (ms: number | null) => (ms !== null && ms <= atMs ? ms : null);
  return {
    truth: { openedMs: truth.openedMs, closedMs: by(truth.closedMs) },
    members: members.flatMap((member) => {
      if (member.joinedMs > atMs) return [];
      const leftMs = by(member.leftMs);
      const hasEnded = leftMs !== null || (truth.closedMs !== null && by(member.endedMs) !== null);
      return {
        ...member,
        leftMs,
        endedMs: hasEnded ? member.endedMs : null,
        ending: hasEnded ? member.ending : null,
      };
    }),
  };
}

function partsOf(members: readonly MemberIncident[], { closedMs }: FleetTruth): FleetCompanyPart[] {
  // The last one of each company, or one that is open: a partner's name may be composed in two ways.
  const inOrder = members.toSorted(
    (a, b) =>
      Number(a.leftMs === null) - Number(b.leftMs === null) ||
      a.joinedMs - b.joinedMs ||
      a.id - b.id,
  );
  const last = new Map(inOrder.map((member) => [member.company, member]));
  const parts = [...last.values()].map(
    ({ company, id, leftMs, endedMs: at, ending }): FleetCompanyPart => {
      const hasLeft = leftMs !== null && at !== null;
      const isAlone = !hasLeft && (leftMs !== null || closedMs !== null);
      const state = hasLeft ? "ended" : isAlone ? "alone" : "open";
      const isOpen = state === "open";
      return {
        company,
        incidentId: id,
        state,
        endedMs: isOpen ? null : at,
        ending: isOpen ? null : ending,
      };
    },
  );
  return parts.toSorted((a, b) => (a.company < b.company ? -1 : 1));
}

/** As most companies write it. */
function nameOf(members: readonly MemberIncident[]): string {
  return shownName([...new Map(members.map((one) => [one.company, one.partner])).values()]);
}

/** An incident in a fleet incident: when it was opened, and when it joined. */
export type Joining = Pick<MemberIncident, "company" | "joinedMs" | "openedMs">;

/**
 * When each company was first in trouble in it, as its own incidents have it: for those that opened it, that isn't when
 * they joined, which another company decided.
 */
export function troubleSince(
  members: readonly Joining[],
  truth: Pick<FleetTruth, "openedMs">,
): Map<string, number> {
  const since = new Map<string, number>();
  for (const { company, joinedMs, openedMs: ownMs } of members) {
    const atMs = joinedMs === truth.openedMs ? ownMs : joinedMs;
    since.set(company, Math.min(since.get(company) ?? Infinity, atMs));
  }
  return since;
}

/**
 * How many of its companies were in trouble over time, by when their trouble began and ended, which may be before it
 * was observed.
 * @returns ascending; `companies` holds from `atMs` to the next step
 */
export function troubleSteps(
  members: readonly MemberIncident[],
): { atMs: number; companies: number }[] {
  const turns = members.flatMap(({ company, beganMs, endedMs: overMs }) => [
    { atMs: beganMs, company, by: 1 },
    ...(overMs === null ? [] : [{ atMs: Math.max(overMs, beganMs), company, by: -1 }]),
  ]);
  // A company may have two incidents of the partner at once: its name may be composed in two ways.
  const open = new Map<string, number>();
  const steps = new Map<number, number>();
  for (const { atMs, company, by } of turns.toSorted((a, b) => a.atMs - b.atMs || b.by - a.by)) {
    const now = (open.get(company) ?? 0) + by;
    if (now === 0) open.delete(company);
    else open.set(company, now);
    steps.set(atMs, open.size);
  }
  return Array.from(steps, ([atMs, companies]) => ({ atMs, companies }));
}

/**
 * When the visible companies made it a fleet incident: with the last of those that opened it, or if those are fewer
 * than two with the second that joined.
 */
export function visiblyOpenedMs(
  members: readonly Joining[],
  truth: Pick<FleetTruth, "openedMs">,
): number {
  const since = troubleSince(members, truth);
  const founders = members.flatMap((one) => (one.joinedMs === truth.openedMs ? one.company : []));
  const inOrder = [...since.values()].toSorted((a, b) => a - b);
  const last = Math.max(new Set(founders).size, MIN_VISIBLE) - 1;
  return inOrder[last] ?? truth.openedMs;
}

/** The last ending of a company that left; if all went on alone, when the last of them joined. */
function endedMs(
  members: readonly MemberIncident[],
  companies: readonly FleetCompanyPart[],
  truth: FleetTruth,
): number {
  const left = companies.flatMap(({ state, endedMs: at }) =>
    state === "ended" && at !== null ? at : [],
  );
  return Math.max(...(left.length > 0 ? left : troubleSince(members, truth).values()));
}

/** Recovered only if all companies did. */
function endingOf(ended: VisibleFleet["ended"]): IncidentEnding {
  const [first, ...others] = Object.keys(ended) as (keyof VisibleFleet["ended"])[];
  return first === undefined || first === "alone" || others.length > 0 ? "mixed" : first;
}
