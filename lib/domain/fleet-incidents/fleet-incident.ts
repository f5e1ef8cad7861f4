import type { Period } from "@/lib/domain/history";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Number of companies in trouble with one partner from which it is one incident of the fleet. */
export const MIN_COMPANIES = 3;
/** The trouble of those that open it began within this time. */
export const WINDOW_MS = 30 * MINUTE_MS;
/** They are at least one in this many of the companies that have the partner and that we see. */
export const SHARE = 5;
/** So few companies don't keep a fleet incident open once it is calm. */
export const MAX_REMAINING = 2;
/** Observed time without a change after which those go on alone. */
export const CALM_MS = 60 * MINUTE_MS;

/** A company's incident of one partner. Instants are epoch milliseconds on one axis. */
export type CompanyIncident = {
  /** Slug. */
  company: string;
  id: number;
  beganMs: number;
  /** The observation that opened it. */
  openedMs: number;
  /** The observation that found that it had ended; null: it is open. */
  closedMs: number | null;
};

/** An incident in a fleet incident. */
export type FleetMember = {
  company: string;
  id: number;
  /** The observation with which it joined. */
  joinedMs: number;
  /** The observation that found that it had ended; null: it hasn't, or it went on alone. */
  leftMs: number | null;
  /** See `PartnerRecord.shifts`, as of the last change of the fleet incident; absent: not recorded. */
  shiftMs?: number;
};

/** One partner in trouble at several companies. */
export type OpenFleetIncident = {
  id: string;
  /** Start of the 30 minutes in which the trouble began that opened it. */
  fromMs: number;
  openedMs: number;
  /** When a company last joined or left. */
  changedMs: number;
  /** In the order of joining, including those that left. */
  members: readonly FleetMember[];
};

/** Members that haven't left went on alone. */
export type EndedFleetIncident = OpenFleetIncident & { closedMs: number };

/** The record of one partner over a period. */
export type PartnerRecord = {
  /** Everything up to and including this has been applied before. */
  fromMs: number;
  /** Everything up to and including this is recorded. */
  untilMs: number;
  /**
   * Incidents that were open in the period, and those in the open fleet incident; without those of earlier fleet
   * incidents, because an incident is in one at most.
   */
  incidents: readonly CompanyIncident[];
  /** When we couldn't see a company, ascending, without the end; also before the period. Omits companies always seen. */
  blind: ReadonlyMap<string, readonly Period[]>;
  /**
   * When a company had an endpoint of the partner that was neither paused nor removed. Only needed if `mayOpen`.
   */
  has: ReadonlyMap<string, readonly Period[]>;
  /**
   * How far each company's API clock is ahead of the axis of these times, milliseconds. If it shrinks, our clock was set
   * forward: that time has passed on the axis only.
   */
  shifts?: ReadonlyMap<string, number>;
};

/**
 * Whether a fleet incident may open in a period, after the one that is open: that may end, and the trouble of enough
 * other companies began within 30 minutes. Whether they are open at the same time, and how many more have the partner,
 * may still prevent it.
 */
export function mayOpen(
  open: OpenFleetIncident | null,
  incidents: readonly Omit<CompanyIncident, "openedMs">[],
): boolean {
  const members = new Set(open?.members.map(keyOf));
  const staying = incidents.filter((one) => one.closedMs === null && members.has(keyOf(one)));
  if (new Set(staying.map(({ company }) => company)).size > MAX_REMAINING) return false;
  const outside = incidents
    .filter((one) => !members.has(keyOf(one)))
    .toSorted((a, b) => a.beganMs - b.beganMs);
  return outside.some(({ beganMs }, from) => {
    const companies = new Set<string>();
    for (const other of outside.slice(from)) {
      if (other.beganMs > beganMs + WINDOW_MS) break;
      companies.add(other.company);
      if (companies.size >= MIN_COMPANIES) return true;
    }
    return false;
  });
}

/** Identifies an incident among those of all companies. */
export function keyOf({ company, id }: { company: string; id: number }): string {
  return `${company} ${id}`;
}
