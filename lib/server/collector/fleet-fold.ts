import { mayOpen, type OpenFleetIncident } from "@/lib/domain/fleet-incidents/fleet-incident";
import { foldFleet } from "@/lib/domain/fleet-incidents/fold";
import { groupBy } from "@/lib/domain/collections/group-by";
import type { Period } from "@/lib/domain/history";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import {
  readBlindness,
  readFleetCompanies,
  readPartnerCoverage,
  readPartnerIncidents,
  type FleetCompany,
  type PartnerIncident,
} from "@/lib/server/store/fleet-incidents/fleet-input";
import {
  readFleetState,
  writeFleetIncidents,
  type ChangedFleetIncident,
  type FleetState,
} from "@/lib/server/store/fleet-incidents/fleet-records";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import { GAP_POLLS } from "./watched-company";

type FleetFoldOptions = {
  database: Database;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  /** Ids of fleet incidents: random, so that they tell nothing about how many there are. */
  newId: () => string;
  log: Log;
  disk: { isLow(): Promise<boolean> };
  pollSeconds: number;
  /** Called and awaited after a period was folded and before it is written. */
  onFolded?: () => void | Promise<void>;
};

const TICK_MS = 1_000;
const LOCK_RETRY_MS = 2_000;
/** Most checks take less: observations are applied in their order, although they are recorded when a check ends. */
const SETTLE_MS = 3_000;
/** Blindness that ended this long before is read as well: the check that ended it may be recorded late. */
const LATE_MS = HOUR_MS;
/** Longest time between two folds while no incident opens or ends: others become blind, or go on alone. */
const LOOK_MS = 15_000;
/** Most of the record that is read at once. */
const PERIOD_MS = DAY_MS;
const NO_FOLD = { of: "", atMs: -Infinity };
/** If it was applied until later than this from now, our clock has been set back since. */
const MAX_AHEAD_MS = MINUTE_MS;
/** How much of an earlier record is folded at the first start. */
const FIRST_MS = 30 * DAY_MS;

/**
 * Keeps fleet incidents, in one process among all that share a database: applies the companies' recorded incidents,
 * gaps and partners to them, second by second. Where it continues is written with the results in one transaction, so a
 * leader that dies leaves nothing half done, and the next one gets the same from the record.
 */
export function createFleetIncidents(options: FleetFoldOptions): Leadership & {
  /** Applies what is recorded by now; for the leader. */
  work(writer: Writer): Promise<void>;
} {
  const { database, clock, random, log, disk } = options;
  /** What the last fold was of, and when it was. */
  let last = NO_FOLD;

  async function lead(signal: AbortSignal, writer: Writer): Promise<void> {
    let isLogged = false;
    last = NO_FOLD;
    while (!signal.aborted) {
      try {
        await work(writer, signal);
        isLogged = false;
      } catch (err) {
        if (!isLogged && !signal.aborted) log.warn({ err }, "fleet incidents can't be kept");
        isLogged = true;
      }
      await clock.sleep(TICK_MS, signal).catch(() => {});
    }
  }

  async function work(writer: Writer, signal: AbortSignal | null = null): Promise<void> {
    if (await disk.isLow()) return;
    const nowMs = clock.nowMs() - SETTLE_MS;
    const companies = await readFleetCompanies(database, { gapPolls: GAP_POLLS, ...options });
    let state = await readFleetState(database);
    for (;;) {
      if (signal?.aborted === true) return;
      const fromMs = continueFrom(state, nowMs);
      const untilMs = Math.min(nowMs, fromMs + PERIOD_MS);
      if (untilMs <= fromMs) return;
      const isLast = untilMs === nowMs;
      await fold(writer, companies, state, { fromMs, untilMs }, isLast);
      if (isLast) return;
      state = await readFleetState(database);
    }
  }

  async function fold(
    writer: Writer,
    companies: readonly FleetCompany[],
    { open }: FleetState,
    period: Period,
    isLast: boolean,
  ): Promise<void> {
    const incidents = byPartner(await readPartnerIncidents(database, companies, period));
    const partners = [...new Set([...open.keys(), ...incidents.keys()])].filter(
      (partner) => open.has(partner) || mayOpen(null, incidents.get(partner) ?? []),
    );
    const of = JSON.stringify(partners.map((partner) => [partner, incidents.get(partner)]));
    const isDue = clock.monotonicMs() - last.atMs >= LOOK_MS;
    if (isLast && of === last.of && !isDue) return;
    const changed: ChangedFleetIncident[] = [];
    for (const partner of partners.toSorted())
      changed.push(
        ...(await foldPartner(partner, {
          companies,
          open: open.get(partner) ?? null,
          incidents: incidents.get(partner) ?? [],
          period,
        })),
      );
    await options.onFolded?.();
    await writeFleetIncidents(writer, changed, period.untilMs);
    last = { of, atMs: clock.monotonicMs() };
    for (const one of changed) tell(one);
  }

  async function foldPartner(
    partner: string,
    {
      companies,
      open,
      incidents,
      period,
    }: {
      companies: readonly FleetCompany[];
      open: OpenFleetIncident | null;
      incidents: readonly PartnerIncident[];
      period: Period;
    },
  ): Promise<ChangedFleetIncident[]> {
    const has = mayOpen(open, incidents)
      ? await readPartnerCoverage(database, companies, partner, period)
      : new Map<string, Period[]>();
    const involved = new Set([...has.keys(), ...incidents.map(({ company }) => company)]);
    const blind = await readBlindness(
      database,
      companies.filter(({ company }) => involved.has(company)),
      Math.min(period.fromMs - LATE_MS, open?.changedMs ?? Infinity),
    );
    const shifts = new Map(companies.map(({ company, shiftMs }) => [company, shiftMs]));
    const after = foldFleet(open, { ...period, incidents, blind, has, shifts }, options.newId);
    const isChanged = after.open !== null && after.open !== open;
    return [...after.ended, ...(isChanged ? [after.open] : [])].flatMap((fleet) =>
      fleet === null ? [] : { partner, before: open?.id === fleet.id ? open : null, fleet },
    );
  }

  function tell({ before, fleet }: ChangedFleetIncident): void {
    const companies = new Set(fleet.members.map(({ company }) => company)).size;
    const fields = { fleet: fleet.id, companies };
    if (before === null)
      log.info({ event: "fleet_incident_opened", ...fields }, "a fleet incident opened");
    if ("closedMs" in fleet)
      log.info({ event: "fleet_incident_ended", ...fields }, "a fleet incident ended");
  }

  const leadership = createLeadership({
    database,
    of: "fleetIncidents",
    clock,
    random,
    log,
    retryMs: LOCK_RETRY_MS,
    lead,
  });
  return {
    ...leadership,
    work(writer) {
      last = NO_FOLD;
      return work(writer);
    },
  };
}

/** After our clock was set back it continues now: what was recorded meanwhile counts as recorded late. */
function continueFrom({ untilMs }: FleetState, nowMs: number): number {
  if (untilMs === null) return nowMs - FIRST_MS;
  return untilMs > nowMs + MAX_AHEAD_MS ? nowMs - 1 : untilMs;
}

function byPartner(incidents: readonly PartnerIncident[]): Map<string, PartnerIncident[]> {
  return groupBy(incidents, ({ partner }) => partnerKey(partner));
}
