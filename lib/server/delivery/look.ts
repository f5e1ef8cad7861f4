import type { CompanyName } from "@/lib/domain/companies/company-name";
import type { Blindness } from "@/lib/domain/delivery/blindness";
import type { Waits } from "@/lib/domain/delivery/spreading";
import { blindnessesOf, type Visibility } from "@/lib/domain/delivery/visibility";
import { companyName } from "@/lib/domain/companies/company-name";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { PlannedDestination } from "./destinations";
import { readPlannedCompany, type PlannedCompany } from "./message-context";
import { waitsOf } from "./plan-causes";
import type { Database } from "@/lib/server/store/database";
import {
  readLateIncidents,
  readWrittenGroups,
  type WrittenGroups,
} from "@/lib/server/store/delivery/group-facts";
import { NO_BUDGET } from "@/lib/server/store/most-rows";

export type LookOptions = {
  database: Pick<Database, "orm">;
  clock: Clock;
  /** The connected companies; `host`: scheme, name and port of the API. */
  companies: () => readonly ConnectedCompany[];
  /** Null: never seen. */
  visibilityOf: (company: string) => Visibility | null;
  appUrl: string;
  timeZone: string;
  /** How long an opening waits, milliseconds. */
  waitMs: number;
};

export type ConnectedCompany = CompanyName & { timeZone?: string; host?: string };

/** One look: what companies are planned with. Instants are epoch milliseconds on our clock. */
export type Look = {
  nowMs: number;
  /** Since when we have led, on the monotonic clock. */
  ledSinceMs: number;
  /** Last observation of each company, on its API's clock. */
  observed: ReadonlyMap<string, number>;
  destinations: readonly PlannedDestination[];
  written: WrittenGroups;
  /** See `waitsOf`; by destination. */
  waits: ReadonlyMap<string, Waits>;
  /** Whether it is at all companies, whatever has changed. */
  isWhole: boolean;
};

/** How long past events are still considered, so that an outbox resuming after a stop reports them. */
export const PAST_MS = 3 * DAY_MS;

/** Trouble of a partner shows everywhere within this many checks, as far as openings wait for it. */
const SPREAD_POLLS = 2;
const MAX_SPREAD_MS = 2 * MINUTE_MS;

/** How long openings of a partner's incidents wait for others. @param rhythms seconds between checks */
export const spreadOf = (rhythms: readonly number[]) =>
  Math.min(MAX_SPREAD_MS, SPREAD_POLLS * 1_000 * Math.max(0, ...rhythms));

/** Reads what all companies have in common. */
export async function readLook(
  { database: { orm }, companies, visibilityOf, waitMs }: LookOptions,
  given: Omit<Look, "written" | "waits">,
): Promise<Look> {
  const { nowMs, destinations } = given;
  const late = await readLateIncidents(orm, nowMs - 2 * MAX_SPREAD_MS);
  const spreadMs = spreadOf(companies().map(({ slug }) => visibilityOf(slug)?.rhythmSeconds ?? 0));
  return {
    ...given,
    written: await readWrittenGroups(orm, nowMs - PAST_MS),
    waits: new Map(
      destinations.map((one) => [one.destination, waitsOf(one, late, { waitMs, spreadMs })]),
    ),
  };
}

/** Reads one company for all destinations. */
export function readForLook(
  { database: { orm }, appUrl, timeZone, visibilityOf }: LookOptions,
  { host, ...company }: ConnectedCompany,
  { nowMs, destinations }: Look,
): Promise<PlannedCompany> {
  const { slug } = company;
  const seen = visibilityOf(slug);
  return readPlannedCompany(
    orm,
    {
      company: {
        ...companyName(company),
        ...(company.timeZone !== undefined && { timeZone: company.timeZone }),
      },
      appUrl,
      timeZone,
      because: seen?.because ?? null,
      sinceMs: nowMs - PAST_MS,
    },
    {
      host: host ?? null,
      reason: seen?.reason ?? null,
      rhythmMs: (seen?.rhythmSeconds ?? 0) * 1_000,
      live: {
        nowMs,
        visibilitySinceMs: nowMs - 30 * PAST_MS,
        destinations: destinations
          .filter(({ mayReceive }) => mayReceive(slug))
          .map(({ destination }) => destination),
      },
      isPromised: destinations.some((one) => one.rules.some(({ promises }) => promises !== "none")),
    },
    NO_BUDGET,
  );
}

/** When a company couldn't be seen, as far as a destination may be told. */
export function blindnessesIn(
  { clock, visibilityOf }: Pick<LookOptions, "clock" | "visibilityOf">,
  { context, notified }: PlannedCompany,
  { destination }: PlannedDestination,
  { nowMs, ledSinceMs }: Look,
): Blindness[] {
  return blindnessesOf(
    context.record,
    notified.visibility.filter((one) => one.destination === destination),
    {
      seen: visibilityOf(context.company.slug),
      nowMs,
      isLedLong: (ms) => clock.monotonicMs() - ledSinceMs > ms,
    },
  );
}
