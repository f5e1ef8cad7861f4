import { groupBy } from "@/lib/domain/collections/group-by";
import { mergePeriods, type Period } from "@/lib/domain/history";
import {
  CALM_MS,
  keyOf,
  MIN_COMPANIES,
  MAX_REMAINING,
  SHARE,
  WINDOW_MS,
  type CompanyIncident,
  type EndedFleetIncident,
  type FleetMember,
  type OpenFleetIncident,
  type PartnerRecord,
} from "./fleet-incident";

/** An observation, in the order in which they are applied. */
type Position = { atMs: number; company: string };

/** After all observations of an instant; sorts after every slug. */
const endOf = (atMs: number): Position => ({ atMs, company: "~" });

/**
 * Applies a period of the record to the fleet incident of one partner, moment by moment in the order of (observed at,
 * company). Pure, and the result doesn't depend on how the record is cut into periods: the same live, after a restart,
 * and replayed. An observation that was recorded only after a later one had been applied counts from then on.
 * @param open the open fleet incident; null: none
 * @param newId called for each that opens
 * @returns the open one afterwards, and those that ended. An unchanged one remains the same object.
 * Source: docs/incidents.md.
 */
export function foldFleet(
  open: OpenFleetIncident | null,
  record: PartnerRecord,
  newId: () => string,
): { open: OpenFleetIncident | null; ended: EndedFleetIncident[] } {
  const { fromMs, untilMs } = record;
  const byCompany = groupBy(record.incidents, ({ company }) => company);
  const taken = new Set(open?.members.map(keyOf));
  const ended: EndedFleetIncident[] = [];

  function end(closedMs: number): void {
    if (open === null) return;
    ended.push({ ...open, closedMs });
    open = null;
  }

  /** Ends it if its last companies go on alone by then. */
  function calm(byMs: number): void {
    const atMs = open === null ? Infinity : aloneMs(open, record);
    if (atMs > byMs) return;
    end(atMs);
    start(endOf(atMs));
  }

  function start(now: Position): boolean {
    const window = windowAt(record, now, taken);
    if (window === null) return false;
    const { fromMs: windowMs, incidents: own } = window;
    const members = own.map(({ company, id }) => ({
      company,
      id,
      joinedMs: now.atMs,
      leftMs: null,
    }));
    open = {
      id: newId(),
      fromMs: windowMs,
      openedMs: now.atMs,
      changedMs: now.atMs,
      members: members.map((member) => dated(member, record)),
    };
    for (const one of own) taken.add(keyOf(one));
    return true;
  }

  /** Where what opens it was recorded late: it opened when enough of them had been seen. */
  function startLate(): boolean {
    const now = endOf(fromMs);
    const window = windowAt(record, now, taken);
    const seen = window?.incidents.map((one) => seenOpen(one, record, now)) ?? [];
    return [...seen.toSorted(byPosition), now].some((position) => start(position));
  }

  function look(now: Position, isAgain = false): void {
    if (open !== null) {
      open = changed(open, byCompany.get(now.company) ?? [], { now, isAgain, record, taken });
      const lastMs = Math.max(open.openedMs, ...open.members.map((one) => one.leftMs ?? Infinity));
      if (lastMs < Infinity) end(lastMs);
    }
    if (open === null) start(now);
  }

  // Changes nothing but what was recorded late.
  const lookAgain = () => {
    for (const company of [...byCompany.keys()].toSorted())
      if (open !== null) look({ atMs: fromMs, company }, true);
  };
  lookAgain();
  if (open === null && startLate()) lookAgain();

  for (const now of momentsOf(record)) {
    calm(now.atMs - 1);
    look(now);
  }
  calm(untilMs);
  return { open, ended };
}

/** When the state of a company changes in the period, in order. */
function momentsOf({ fromMs, untilMs, incidents, blind, has }: PartnerRecord): Position[] {
  const all = new Map<string, Position>();
  const add = (company: string, ...instants: readonly (number | null)[]) => {
    for (const atMs of instants)
      if (atMs !== null && atMs > fromMs && atMs <= untilMs)
        all.set(`${company} ${atMs}`, { atMs, company });
  };
  for (const { company, openedMs, closedMs } of incidents) add(company, openedMs, closedMs);
  for (const periods of [...blind, ...has])
    for (const period of periods[1]) add(periods[0], period.fromMs, period.untilMs);
  return [...all.values()].toSorted(byPosition);
}

function byPosition(a: Position, b: Position): number {
  return a.atMs - b.atMs || (a.company < b.company ? -1 : a.company > b.company ? 1 : 0);
}

/**
 * What leaves and joins at one company.
 * @param isAgain whether its observation at this instant has been applied before
 */
function changed(
  open: OpenFleetIncident,
  incidents: readonly CompanyIncident[],
  {
    now,
    isAgain,
    record,
    taken,
  }: { now: Position; isAgain: boolean; record: PartnerRecord; taken: Set<string> },
): OpenFleetIncident {
  const { atMs, company } = now;
  const byKey = new Map(incidents.map((one) => [keyOf(one), one]));
  let [changedMs, hasLeft] = [open.changedMs, false];
  const members = open.members.map((member): FleetMember => {
    if (member.company !== company || member.leftMs !== null) return member;
    const closedMs = byKey.get(keyOf(member))?.closedMs ?? null;
    if (closedMs === null || closedMs > atMs) return member;
    const leftMs = Math.max(closedMs, member.joinedMs);
    changedMs = Math.max(changedMs, leftMs);
    hasLeft = true;
    return { ...member, leftMs };
  });
  const joining = incidents.filter((one) => {
    if (taken.has(keyOf(one)) || !isOpenAt(one, now)) return false;
    const isNew = one.openedMs === atMs && !isAgain;
    return isNew || one.openedMs > open.openedMs || isLeftOut(one, open, record, now);
  });
  for (const one of joining) {
    taken.add(keyOf(one));
    const joinedMs = one.openedMs >= open.openedMs ? one.openedMs : atMs;
    changedMs = Math.max(changedMs, joinedMs);
    members.push({ company, id: one.id, joinedMs, leftMs: null });
  }
  if (!hasLeft && joining.length === 0) return open;
  return { ...open, changedMs, members: members.map((member) => dated(member, record)) };
}

/** With how its company's clock differs now, if it is still in it. */
function dated(member: FleetMember, { shifts }: PartnerRecord): FleetMember {
  const shiftMs = member.leftMs === null ? shifts?.get(member.company) : undefined;
  return shiftMs === undefined ? member : { ...member, shiftMs };
}

/** Whether its trouble began with that of the others, but we were blind to its company when they opened it. */
function isLeftOut(
  { beganMs, company }: CompanyIncident,
  { fromMs }: OpenFleetIncident,
  { blind }: PartnerRecord,
  now: Position,
): boolean {
  const isWithin = beganMs >= fromMs && beganMs <= fromMs + WINDOW_MS;
  return isWithin && !isBlind(company, blind, now);
}

type Window = { fromMs: number; incidents: readonly CompanyIncident[] };

/** The 30 minutes in which most companies got into trouble, the earliest on a tie; null: too few did. */
function windowAt(
  { incidents, blind, has }: PartnerRecord,
  now: Position,
  taken: ReadonlySet<string>,
): Window | null {
  const open = incidents
    .filter(
      (one) => isOpenAt(one, now) && !taken.has(keyOf(one)) && !isBlind(one.company, blind, now),
    )
    .toSorted((a, b) => a.beganMs - b.beganMs || (keyOf(a) < keyOf(b) ? -1 : 1));
  let [best, most] = [0, 0];
  let until = 0;
  /** Companies with trouble in the window that begins with `from`, and how many incidents each has there. */
  const within = new Map<string, number>();
  for (const [from, { company, beganMs }] of open.entries()) {
    for (let next = open[until]; next !== undefined && next.beganMs <= beganMs + WINDOW_MS;) {
      within.set(next.company, (within.get(next.company) ?? 0) + 1);
      until += 1;
      next = open[until];
    }
    if (within.size > most) [best, most] = [from, within.size];
    const left = (within.get(company) ?? 0) - 1;
    if (left > 0) within.set(company, left);
    else within.delete(company);
  }
  if (most < MIN_COMPANIES) return null;
  const fromMs = open[best]?.beganMs ?? 0;
  const own = open.filter(({ beganMs }) => beganMs >= fromMs && beganMs <= fromMs + WINDOW_MS);
  const having = new Set(own.map(({ company }) => company));
  for (const [company, periods] of has)
    if (isIn(periods, now.atMs) && !isBlind(company, blind, now)) having.add(company);
  return most * SHARE < having.size ? null : { fromMs, incidents: own };
}

/**
 * When the last companies in it go on alone: nothing has changed for an hour of time in which we saw all of them, and
 * we see them. Infinity: too many are left, or not yet.
 */
function aloneMs(
  { members, changedMs }: OpenFleetIncident,
  { blind, shifts }: PartnerRecord,
): number {
  const staying = members.filter(({ leftMs: goneMs }) => goneMs === null);
  const companies = new Set(staying.map(({ company }) => company));
  if (companies.size > MAX_REMAINING) return Infinity;
  const unseen = mergePeriods(
    [...companies].flatMap((company) => blind.get(company) ?? []),
    { fromMs: changedMs, untilMs: Infinity },
  );
  // What our clock was set forward by wasn't observed.
  const skipped = staying.map(
    ({ company, shiftMs }) => (shiftMs ?? 0) - (shifts?.get(company) ?? shiftMs ?? 0),
  );
  let [atMs, leftMs] = [changedMs, CALM_MS + Math.max(0, ...skipped)];
  for (const gap of unseen) {
    const seenMs = gap.fromMs - atMs;
    if (seenMs > leftMs) break;
    leftMs -= seenMs;
    atMs = gap.untilMs;
  }
  return atMs + leftMs;
}

/** Whether an observation of a company at that instant has been applied by now. */
function isApplied(company: string, atMs: number, now: Position): boolean {
  return atMs < now.atMs || (atMs === now.atMs && company <= now.company);
}

function isOpenAt({ company, openedMs, closedMs }: CompanyIncident, now: Position): boolean {
  return (
    isApplied(company, openedMs, now) && (closedMs === null || !isApplied(company, closedMs, now))
  );
}

/** When an incident was seen to be open: with what opened it or, if we have been blind since, with the next observation. */
function seenOpen(
  { company, openedMs }: CompanyIncident,
  { blind }: PartnerRecord,
  now: Position,
): Position {
  const ends = (blind.get(company) ?? []).map(({ untilMs }) => untilMs);
  const atMs = Math.max(openedMs, ...ends.filter((endMs) => isApplied(company, endMs, now)));
  return { atMs, company };
}

/** Blindness ends with an observation. */
function isBlind(company: string, blind: PartnerRecord["blind"], now: Position): boolean {
  const periods = blind.get(company) ?? [];
  return periods.some(
    ({ fromMs, untilMs }) => fromMs <= now.atMs && !isApplied(company, untilMs, now),
  );
}

/** Whether an instant is in one of the ranges; their ends aren't. */
function isIn(periods: readonly Period[], atMs: number): boolean {
  return periods.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
}
